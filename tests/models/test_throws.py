"""Rolls obey physics and their labels; clips and games say exactly what is in them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="the [train] extra is not installed")
pytest.importorskip("moderngl", reason="the [train] extra is not installed")

from models.render.draw import NoGraphics, Renderer
from models.render.labels import top_side
from models.render.layouts import LEFT_HANDED, RIGHT_HANDED
from models.render.scene import Die as DrawnDie
from models.throws.__main__ import main
from models.throws.clips import poses_of, quiet_clip, throw_clip
from models.throws.faces import TURNS, face_up, renumbering
from models.throws.filming import Camera
from models.throws.game import BadScript, read_script, stage_game, write_board
from models.throws.hand import away, lifting, throwing
from models.throws.judge import lying
from models.throws.release import HARD, sample_release
from models.throws.roll import SAMPLE_RATE, Die, Release, Roll, roll
from models.throws.search import Ending, Room, Thrown, find_throw
from models.throws.stage import cafe
from models.throws.take import Lying, Rolling, Take, between, frame_of
from models.throws.tray import Tray
from models.throws.video import write_video
from models.throws.weather import Weather
from vision.board import Board
from vision.reading import Pose, Where

TRAY, DIE, BOTTOM_DEG = Tray(), Die(), -90.0
SIZE = (320, 240)


@cache
def easy_roll(seed: int) -> Roll:
    return roll(TRAY, sample_release(np.random.default_rng(seed), TRAY, BOTTOM_DEG), DIE)


@cache
def clean_throw(seed: int, faces: tuple[int, ...]) -> Thrown:
    return find_throw(seed, TRAY, BOTTOM_DEG, faces=faces, room=Room(apart=24, from_wall=12))


def lowest(rolled: Roll) -> np.ndarray:
    """Heights (t, n) of the lowest point of every die at every sample: below the balls in its rounded corners."""
    reach = DIE.edge / 2 - DIE.radius
    cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * reach
    heights = np.einsum("tnij,cj->tnci", rolled.rotations, cube)[..., 2] + rolled.positions[..., None, 2]
    return heights.min(axis=-1) - DIE.radius


def test_the_same_release_gives_the_same_roll() -> None:
    again = roll(TRAY, sample_release(np.random.default_rng(3), TRAY, BOTTOM_DEG), DIE)
    assert np.array_equal(again.positions, easy_roll(3).positions)
    assert np.array_equal(again.rotations, easy_roll(3).rotations)
    assert not np.array_equal(again.positions[0], easy_roll(4).positions[0])


@pytest.mark.parametrize("seed", range(3))
def test_energy_is_only_lost_and_rest_is_reached(seed: int) -> None:
    rolled = easy_roll(seed)
    assert rolled.rest is not None
    assert 0.3 < rolled.rest / SAMPLE_RATE < 3.0
    assert rolled.energy.max() <= rolled.energy[0] * 1.001
    at_rest = 3 * 1.2e-3 * 16**3 * 9810 * 8.0  # three dice lying on the felt: potential energy alone
    inside = TRAY.over_felt(rolled.positions[-1, :, :2])
    if inside.all():
        assert rolled.energy[-1] == pytest.approx(at_rest, rel=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_dice_never_sink_into_the_felt_or_each_other(seed: int) -> None:
    rolled = easy_roll(seed)
    assert rolled.positions[..., 2].min() > -TRAY.base + 7.0
    on_felt = np.where(TRAY.over_felt(rolled.positions[..., :2]), lowest(rolled), 0.0)
    assert on_felt.min() > -0.7
    gaps = np.linalg.norm(rolled.positions[:, :, None] - rolled.positions[:, None], axis=-1) + np.eye(3) * 99
    assert gaps.min() > 15.0


def test_dice_stack_to_the_exact_height() -> None:
    upright = np.array([[1.0, 0, 0, 0]] * 2)
    rolled = roll(TRAY, Release(np.array([[0, 0, 8.3], [0, 0, 24.9]]), upright, np.zeros((2, 3)), np.zeros((2, 3))))
    assert rolled.positions[-1, :, 2] == pytest.approx([8.0, 24.0], abs=0.05)
    assert [end.pose for end in lying(TRAY, DIE, rolled.positions[-1], rolled.rotations[-1])] == [
        Pose.FLAT,
        Pose.STACKED,
    ]


@pytest.mark.parametrize("faces", [(2, 2, 3), (6, 5, 4), (1, 1, 1)])
def test_the_wanted_faces_lie_up_as_the_renderer_sees_them(faces: tuple[int, ...]) -> None:
    thrown = clean_throw(1, faces)
    assert tuple(end.face for end in thrown.ends) == faces
    look = cafe().looks[0]
    for position, rotation, face in zip(thrown.roll.positions[-1], thrown.rotations[-1], faces, strict=True):
        drawn = DrawnDie(look, tuple(position), tuple(map(tuple, rotation)))
        assert RIGHT_HANDED[top_side(drawn)] == face


def test_left_handed_dice_show_what_their_clip_says() -> None:
    thrown = find_throw(1, TRAY, BOTTOM_DEG, faces=(3, 4, 1), printed=(LEFT_HANDED, RIGHT_HANDED, LEFT_HANDED))
    assert tuple(end.face for end in thrown.ends) == (3, 4, 1)
    left, right, _ = thrown.rotations[-1]
    assert (face_up(left, LEFT_HANDED), face_up(left), face_up(right)) == (3, 4, 4)
    looks = tuple(replace(look, faces=LEFT_HANDED) for look in cafe(SIZE).looks)
    stage = replace(cafe(SIZE), looks=looks)
    clip = throw_clip(1, np.random.default_rng(1), stage, Weather(), "throw", faces=(4, 3, 3))
    dice = clip.take.dice(clip.take.length_s)
    assert [face_up(pose[1], LEFT_HANDED) for pose in dice if pose is not None] == clip.record["dice"] == [4, 3, 3]


def test_other_faces_are_the_same_roll_of_the_same_dice() -> None:
    one, other = clean_throw(1, (2, 2, 3)), clean_throw(1, (6, 5, 4))
    assert np.array_equal(one.roll.positions, other.roll.positions)
    turn = one.rotations[0].transpose(0, 2, 1) @ other.rotations[0]
    assert np.allclose(one.rotations @ turn, other.rotations)
    assert np.allclose(np.linalg.det(turn), 1.0)  # turned, never mirrored: the handedness stays


def test_renumbering_offers_four_turns_for_each_face() -> None:
    assert len(TURNS) == 24
    for face in range(1, 7):
        found = [renumbering(np.eye(3), face, pick) for pick in range(4)]
        assert {face_up(turn) for turn in found} == {face}
        assert len({turn.tobytes() for turn in found}) == 4


@pytest.mark.parametrize(
    ("ending", "seed", "places", "poses"),
    [
        (Ending.OUTSIDE, 1, {Where.OUTSIDE: 1, Where.INSIDE: 2}, {Pose.FLAT: 3}),
        (Ending.COCKED, 2, {Where.INSIDE: 3}, {Pose.FLAT: 2, Pose.COCKED: 1}),
        (Ending.STACKED, 0, {Where.INSIDE: 3}, {Pose.FLAT: 2, Pose.STACKED: 1}),
    ],
)
def test_a_throw_ends_as_it_was_asked_to(ending: Ending, seed: int, places: dict, poses: dict) -> None:
    thrown = find_throw(seed, TRAY, 90.0, ending=ending)
    assert {place: [end.where for end in thrown.ends].count(place) for place in places} == places
    assert {pose: [end.pose for end in thrown.ends].count(pose) for pose in poses} == poses
    assert thrown.roll.rest is not None


def test_where_dice_lie_is_judged_by_their_middle_and_their_lean() -> None:
    def judged(x: float, z: float, lean: float = 0.0) -> tuple[Where, Pose]:
        a = np.radians(lean)
        rotation = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        (end,) = lying(TRAY, DIE, np.array([[x, 0, z]]), rotation[None])
        return end.where, end.pose

    assert judged(0, 8) == (Where.INSIDE, Pose.FLAT)
    assert judged(100, 24) == (Where.INSIDE, Pose.STACKED)
    assert judged(100, 9, lean=12) == (Where.INSIDE, Pose.COCKED)
    assert judged(TRAY.apothem + 10, TRAY.rim_height + 8) == (Where.RIM, Pose.FLAT)
    assert judged(TRAY.across / 2 + 10, 8 - TRAY.base) == (Where.OUTSIDE, Pose.FLAT)


def test_a_hard_throw_leaves_from_the_seats_side_towards_the_middle() -> None:
    release = sample_release(np.random.default_rng(5), TRAY, 180.0, manner=HARD)
    assert (release.positions[:, 0] < 0).all()
    assert (release.velocities[:, 0] > 0).all()


def test_dice_lie_still_from_rest_on() -> None:
    thrown = clean_throw(1, (2, 2, 3))
    rolling = Rolling(1.0, thrown.roll, thrown.rotations)
    first, later = rolling.dice(rolling.rest_s + 0.02), rolling.dice(rolling.rest_s + 3)
    assert all(np.array_equal(a[0], b[0]) for a, b in zip(first, later, strict=True) if a and b)
    before = rolling.dice(rolling.rest_s - 0.1)
    assert any(not np.array_equal(a[0], b[0]) for a, b in zip(before, later, strict=True) if a and b)
    assert frame_of(0.1) == 3
    assert frame_of(0.101) == 4


def test_a_pose_between_two_is_a_rotation() -> None:
    a, b = clean_throw(1, (2, 2, 3)).rotations[20:22, 0]
    middle = between(a, b, 0.5)
    assert np.allclose(middle @ middle.T, np.eye(3))
    assert np.allclose(between(a, b, 0.0), a)


def test_a_hand_comes_from_its_seat_opens_and_goes() -> None:
    path = throwing(2.0, np.array([0.0, -80, 70]), np.array([0.0, 900, 0]), BOTTOM_DEG)
    first, open_hand = path.at(path.times[0]), path.at(2.15)
    assert first is not None
    assert open_hand is not None
    assert first.wrist[1] < -400
    assert first.grip > 0.9 > 0.3 > open_hand.grip
    assert np.linalg.norm(path.at(2.0 - 1e-6).palm - [0, -80]) < 15  # type: ignore[union-attr]
    assert path.at(path.end) is None
    assert path.end < 2.0 + 0.8


def test_a_lifting_hand_is_over_each_die_as_it_takes_it() -> None:
    dice = np.array([[-60.0, 40, 8], [10, -70, 8], [90, 90, 8]])
    lift = lifting(1.0, dice, 90.0)
    for die, when in zip(dice, lift.taken, strict=True):
        assert np.linalg.norm(lift.path.at(when).palm - die[:2]) < 1.0  # type: ignore[union-attr]
    take = Take([Lying(0.0, tuple((die, np.eye(3)) for die in dice))])
    take.lift(lift)
    assert len(take.lying(lift.path.times[0] + 0.01)) == 3
    assert len(take.lying(lift.path.end)) == 0
    assert away(90.0, 0.5).palm[1] > 400


def test_a_clip_says_what_is_in_it() -> None:
    stage = cafe(SIZE)
    clip = throw_clip(1, np.random.default_rng(1), stage, Weather(), "throw", faces=(1, 3, 5), seat_deg=90)
    assert (clip.record["expect"], clip.record["dice"], clip.record["outside"]) == ("throw", [1, 3, 5], 0)
    rest = clip.record["rest_frame"]
    rows = poses_of(clip.take)
    assert len(rows) == clip.take.frames
    shown = [row["dice"] for row in rows]
    assert shown[0] == []
    assert shown[rest] == shown[-1]
    assert shown[rest - 3] != shown[-1]
    assert rows[0]["hand"] is None
    assert rows[-1]["hand"] is None
    assert any(row["hand"] for row in rows)


@pytest.mark.parametrize("what", ["hand", "light", "lifted"])
def test_in_a_quiet_clip_no_die_ever_moves(what: str) -> None:
    clip = quiet_clip(np.random.default_rng(2), cafe(SIZE), Weather(), what)
    assert clip.record["expect"] == "none"
    places = [clip.take.dice(i / 30) for i in range(clip.take.frames)]
    for before, now in pairwise(places):
        assert all(
            b is None or (a is not None and np.array_equal(a[0], b[0])) for a, b in zip(before, now, strict=True)
        )


GAME = {
    "seed": 4,
    "players": ["Ann", "Bob"],
    "seats": {"Ann": 90, "Bob": 270},
    "strokes": {"Ann": 2},
    "opener": "Ann",
    "throws": [{"by": "Ann", "dice": [2, 2, 3], "stop": True}, {"by": "Bob", "dice": [6, 6, 6]}],
}


def scripted(folder: Path, **changed: object) -> dict:
    path = folder / "script.json"
    path.write_text(json.dumps({**GAME, **changed}), "utf-8")
    return read_script(path)


def test_a_game_is_filmed_as_its_script_says(tmp_path: Path) -> None:
    stage = cafe(SIZE)
    take, notes = stage_game(scripted(tmp_path), stage)
    assert [(row["by"], row["dice"], row["outside"]) for row in notes["truth"]] == [
        ("Ann", [2, 2, 3], 0),
        ("Bob", [6, 6, 6], 0),
    ]
    start, stop = notes["marks"]
    assert (start["do"], start["strokes"], stop["do"]) == ("start", {"Ann": 2}, "stop")
    first, second = (row["t"] for row in notes["truth"])
    assert first + 1.5 < stop["t"] < second - 1.5
    for row in notes["truth"]:
        lying_then = take.dice(row["t"] + 0.5)
        assert sorted(face_up(pose[1]) for pose in lying_then if pose is not None) == row["dice"]
        assert take.hand(row["t"] + 0.5) is None
    assert take.hand(first - 1.0).wrist[1] < 0 < take.hand(second - 1.0).wrist[1]  # type: ignore[union-attr]
    assert len(take.lying(take.length_s)) == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"throws": []},
        {"throws": [{"by": "Eve", "dice": [1, 2, 3]}]},
        {"throws": [{"by": "Ann", "dice": [1, 2]}]},
        {"throws": [{"by": "Ann", "dice": [1, 2, 7]}]},
        {"players": None},
    ],
)
def test_a_script_that_makes_no_sense_is_refused_in_words(tmp_path: Path, changed: dict) -> None:
    with pytest.raises(BadScript):
        scripted(tmp_path, **changed)


def test_the_saved_board_knows_where_dice_lie(tmp_path: Path) -> None:
    stage = cafe(SIZE)
    write_board(stage, tmp_path / "board.toml")
    board = Board.load(tmp_path / "board.toml")
    spots = np.array([[0.0, 0, 16], [120, -40, 16], [-170, 30, stage.board.rim_height + 16], [-205, 40, 8]])
    seen = stage.scene.camera.project(spots) - 0.5
    placed = [board.where((float(x), float(y))) for x, y in seen]
    assert placed == [Where.INSIDE, Where.INSIDE, Where.RIM, Where.OUTSIDE]
    assert board.expected_die_px() == pytest.approx(stage.die_px(), rel=0.06)


@pytest.fixture(scope="module")
def camera() -> Camera:
    try:
        renderer = Renderer("fast")
    except NoGraphics as missing:
        pytest.skip(str(missing))
    stage = cafe(SIZE)
    return Camera(replace(stage.scene, clutter=()), stage.looks, hands=stage.hands, renderer=renderer)


def test_only_what_is_there_changes_the_picture(camera: Camera) -> None:
    empty = camera.picture(Take(), 0.0)
    pose = (np.array([40.0, 30, 8]), np.eye(3))
    with_die = camera.picture(Take([Lying(0.0, (pose,))]), 0.0)
    changed = (empty.astype(int) - with_die).any(axis=2)
    x1, y1, x2, y2 = (round(v) for v in camera.seen(pose))
    assert changed[y1 + 2 : y2 - 1, x1 + 2 : x2 - 1].mean() > 0.9
    ys, xs = np.nonzero(changed)
    assert x1 - 40 < xs.min() < xs.max() < x2 + 40
    assert y1 - 40 < ys.min() < ys.max() < y2 + 40


def test_a_moving_die_is_blurred_and_a_hand_covers(camera: Camera) -> None:
    thrown = clean_throw(1, (2, 2, 3))
    take = Take([Rolling(0.0, thrown.roll, thrown.rotations)])
    moving, lying_still = camera.picture(take, 0.1), camera.picture(take, 4.0)

    def sharpest(picture: np.ndarray) -> int:
        return int(np.abs(np.diff(picture[..., 1].astype(int), axis=1)).max())

    assert sharpest(moving) < sharpest(lying_still)
    middle = thrown.release.positions.mean(axis=0)
    take.hands.append(throwing(0.0, middle, np.array([0, 900.0, 0]), BOTTOM_DEG))
    covered = camera.picture(take, 0.1)
    assert (np.abs(covered.astype(int) - moving) > 40).any(axis=2).mean() > 0.01


def test_a_film_is_whole_repeatable_and_as_long_as_its_take(camera: Camera, tmp_path: Path) -> None:
    take = Take([Lying(0.0, ((np.array([0.0, 0, 8]), np.eye(3)),))], length_s=0.5)
    for name in ("a.mp4", "b.mp4"):
        assert write_video(tmp_path / name, camera.frames(take, Weather(noise=2), seed=3), SIZE) == take.frames == 15
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mp4", "b.mp4"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["clips", "--size", "12", "--out", "x"], "1280x960"),
        (["clips", "--count", "0", "--out", "x"], "1 or more"),
        (["clips"], "--out"),
        (["game", "--script", "nowhere.json", "--out", "x"], "nowhere.json cannot be read"),
    ],
)
def test_wrong_use_is_a_sentence(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(args)
    except SystemExit as stop:
        status = int(stop.code or 0)
    assert status == 2
    assert said in capsys.readouterr().err


def test_clips_take_up_where_they_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "throw_00007.mp4").write_bytes(b"a film")
    (tmp_path / "throws.json").write_text(json.dumps([{"clip": "throw_00007.mp4"}]), "utf-8")
    assert main(["clips", "--kind", "throw", "--seed", "7", "--count", "1", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "throw_00007.mp4").read_bytes() == b"a film"
    (tmp_path / "throws.json").write_text("[1]", "utf-8")
    assert main(["clips", "--kind", "throw", "--seed", "7", "--count", "1", "--out", str(tmp_path)]) == 2
    assert "no list of clips" in capsys.readouterr().err


def test_light_steps_ease_in() -> None:
    weather = Weather(steps=((1.0, 0.5), (2.0, 1.2)))
    assert [round(weather.gain(t), 3) for t in (0.9, 1.075, 1.5, 2.5)] == [1.0, 0.75, 0.5, 1.2]
