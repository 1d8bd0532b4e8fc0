"""The second renderer's shots: the same seed the same shot, dice as real ones are, lying as real ones lie."""

from __future__ import annotations

import ast
import pickle
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import models.second
from models.second.__main__ import main
from models.second.die_mesh import SIDES, die_mesh, split_pips
from models.second.eye import Eye, looking
from models.second.lights import KINDS as LIGHTS
from models.second.lights import draw_light
from models.second.pips import draw_spots, reach
from models.second.records import LEAST_SEEN, Sight, face_of, lean_of, picture_record
from models.second.rest import Die, against_die, against_wall, flat, on_edge_of, on_top, upright
from models.second.shot import Shot, draw_shot
from models.second.styles import CLEAR_DARKER, LEFT, RIGHT, Style, draw_style, lightness

SEEDS = range(40)


@pytest.fixture(scope="module")
def shots() -> list[Shot]:
    return [draw_shot(seed) for seed in SEEDS]


def a_style(seed: int = 1) -> Style:
    return draw_style(np.random.default_rng(seed))


def test_nothing_is_taken_from_the_renderer_it_is_to_check() -> None:
    files = sorted(Path(models.second.__path__[0]).glob("*.py"))
    assert len(files) > 10
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [n for n in names if n.startswith("models") and not n.startswith("models.second")], path


def test_a_seed_gives_one_shot_and_another_seed_another() -> None:
    assert pickle.dumps(draw_shot(5)) == pickle.dumps(draw_shot(5))
    assert pickle.dumps(draw_shot(5)) != pickle.dumps(draw_shot(6))
    assert draw_shot(5, (640, 480)).eye.width == 640


def test_shots_hold_enough_flat_dice_and_all_that_can_go_wrong(shots: list[Shot]) -> None:
    dice = [die for shot in shots for die in shot.dice]
    poses = [die.pose for die in dice]
    assert poses.count("flat") >= 7.5 * len(shots)
    assert poses.count("cocked") >= 0.25 * len(shots)
    assert poses.count("stacked") == poses.count("under") >= 0.1 * len(shots)
    assert {die.style.kind for die in dice} >= {"matt", "glossy", "marbled", "pearl", "speckled", "wood", "clear"}
    assert {die.style.handed for die in dice} == {"left", "right"}


def test_opposite_faces_sum_to_seven_and_hands_differ() -> None:
    for values in (RIGHT, LEFT):
        assert [values[i] + values[i + 1] for i in (0, 2, 4)] == [7, 7, 7]
    for values, turn in ((RIGHT, 1), (LEFT, -1)):
        one, two, three = (SIDES[values.index(face)][2] for face in (1, 2, 3))
        assert np.cross(one, two) @ three == turn  # seen from their corner, counterclockwise or clockwise


def test_each_side_is_a_right_handed_frame() -> None:
    for x, y, out in SIDES:
        assert np.cross(x, y) == pytest.approx(out)


@pytest.mark.parametrize("seed", range(40))
def test_pips_are_as_many_as_the_face_and_keep_apart(seed: int) -> None:
    faces = draw_spots(np.random.default_rng(seed))
    assert [len(face) for face in faces] == [1, 2, 3, 4, 5, 6]
    assert reach(faces)[0] < 1
    for face in faces:
        for (x, y, r), (x2, y2, r2) in combinations(face, 2):
            assert np.hypot(x - x2, y - y2) > 1.01 * (r + r2)


def test_sixes_come_narrow_and_square() -> None:
    shares = []
    for seed in range(150):
        spread = np.ptp(np.array(draw_spots(np.random.default_rng(seed))[5])[:, :2], axis=0)
        shares.append(min(spread) / max(spread))
    assert min(shares) < 0.6
    assert max(shares) > 0.94


@pytest.mark.parametrize("seed", range(12))
def test_the_mesh_fills_its_cube_and_pips_are_hollows(seed: int) -> None:
    style = a_style(seed)
    mesh = die_mesh(style.shape, style.spots, style.values, [20] * 6)
    for axes in SIDES:
        assert (mesh.points @ axes[2]).max() == pytest.approx(1, abs=1e-9)
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1)
    assert ((mesh.normals * mesh.points).sum(1) > 0).mean() > 0.95  # but for the far walls of hollows
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    assert (np.cross(b - a, c - a) * (a + b + c)).sum() > 0
    body, pips = split_pips(mesh, style.spots, style.values)
    assert len(body) + len(pips) == len(mesh.triangles)
    assert 0.01 < len(pips) / len(mesh.triangles) < 0.5


@pytest.mark.parametrize("seed", range(60))
def test_pips_can_be_told_from_their_die(seed: int) -> None:
    style = a_style(seed)
    body = lightness(style.colour) * (CLEAR_DARKER if style.kind == "clear" else 1)
    assert abs(lightness(style.pip_colour) - body) > 30


def low(die: Die) -> float:
    return float(die.outline()[:, 2].min())


def test_flat_dice_stand_on_what_is_below_them(shots: list[Shot]) -> None:
    for shot in shots:
        for die in shot.dice:
            if die.pose == "stacked":
                continue
            inside = shot.tray.inside_by(*die.middle[:2])
            ground = 0.0 if inside > 0 else shot.tray.rim_height if inside > -shot.tray.rim_width else -shot.tray.base
            assert low(die) == pytest.approx(ground, abs=0.02)


def test_poses_say_how_dice_lie(shots: list[Shot]) -> None:
    for die in (die for shot in shots for die in shot.dice):
        if die.pose == "cocked":
            assert 11 < lean_of(die) < 50.1
        else:
            assert lean_of(die) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("lean", [14, 30, 48])
def test_a_leaning_die_touches_the_wall_and_does_not_pass_it(lean: int) -> None:
    tray = draw_shot(3).tray
    die = against_wall(np.random.default_rng(lean), a_style(), 14.0, tray, lean)
    skin = die.outline()
    past = (skin[:, :2] @ tray.outwards.T).max(1) - tray.floor_half - [tray.wall_at(z) for z in skin[:, 2]]
    assert past.max() == pytest.approx(0, abs=1e-6)
    assert low(die) == pytest.approx(0, abs=1e-6)
    assert lean_of(die) == pytest.approx(min(lean, 90 - lean), abs=0.01)


def test_a_leaning_die_touches_the_die_that_stops_it() -> None:
    rng = np.random.default_rng(4)
    other = flat(a_style(), 16.0, upright(rng), 10.0, -5.0, 0.0)
    die = against_die(rng, a_style(), 15.0, other, 30.0)
    gap = (np.abs((die.outline() - other.middle) @ other.rotation).max(1) - 8.0).min()
    assert gap == pytest.approx(0, abs=0.05)


def test_a_die_half_on_a_coaster_rests_on_its_edge() -> None:
    toward, spot, height = np.array([1.0, 0, 0]), np.array([20.0, 3.0, 0]), 4.0
    die = on_edge_of(np.random.default_rng(2), a_style(), 16.0, spot, toward, height)
    assert die
    assert low(die) == pytest.approx(0, abs=1e-6)
    below = die.rotation @ -SIDES[die.top][2]
    edge = np.array([spot[0], die.middle[1], height])
    assert (edge - die.middle) @ below == pytest.approx(8.0, abs=0.05 * 16)


def test_stacked_dice_lie_on_one_another() -> None:
    rng = np.random.default_rng(0)
    other = flat(a_style(), 16.0, upright(rng), 0.0, 0.0, 0.0)
    die = on_top(rng, a_style(), 14.0, other)
    assert low(die) == pytest.approx(16.0)
    assert die.pose == "stacked"


@pytest.mark.parametrize("k1", [-0.05, 0.0, 0.015])
def test_the_lens_is_undone_and_the_axis_lands_in_the_middle(k1: float) -> None:
    place, axes = looking((5.0, -3.0, 0.0), 600.0, 25.0, 40.0, 10.0)
    eye = Eye(640, 480, 700.0, place, axes, k1)
    spots = np.array([[0.0, 0.0], [600.0, 30.0], [320.0, 479.0]])
    assert eye.bend(eye.unbend(spots)) == pytest.approx(spots, abs=1e-3)
    assert eye.project(np.array([[5.0, -3.0, 0.0]]))[0] == pytest.approx([319.5, 239.5])
    assert np.linalg.det(np.array(axes)) == pytest.approx(1)  # no mirror: faces keep their hands


def test_hidden_and_leaning_dice_have_no_face_to_read(shots: list[Shot]) -> None:
    for shot in shots:
        clear = picture_record(shot, [Sight(1.0, True)] * len(shot.dice))
        for die, told in zip(shot.dice, clear["dice"], strict=True):
            assert told["true_top"] == face_of(die)
            assert told["face"] == (face_of(die) if die.pose == "flat" else None)
        for sight in (Sight(LEAST_SEEN - 0.01, True), Sight(0.9, False)):
            hidden = picture_record(shot, [sight] * len(shot.dice))
            assert all(told["face"] is None for told in hidden["dice"])


def test_the_normal_past_the_camera_is_the_sine_of_its_angle(shots: list[Shot]) -> None:
    shot = next(s for s in shots if s.tilt_deg > 15 and s.dice)
    record = picture_record(shot, [Sight(1.0, True)] * len(shot.dice))
    for die, told in zip(shot.dice, record["dice"], strict=True):
        out = die.rotation @ SIDES[die.top][2]
        way = np.array(shot.eye.place) - (die.middle + out * die.edge / 2)
        cosine = out @ way / np.linalg.norm(way)
        assert np.hypot(*told["normal"]) == pytest.approx(np.sqrt(1 - cosine**2), abs=0.002)


def test_every_kind_of_light_comes() -> None:
    rng, eye = np.random.default_rng(1), draw_shot(1).eye
    assert {draw_light(rng, eye).name for _ in range(100)} == set(LIGHTS)


def test_no_lamp_hangs_in_sight_of_the_camera(shots: list[Shot]) -> None:
    for shot in shots:
        for lamp in shot.light.lamps:
            spots = np.array(lamp.place) + lamp.half * np.random.default_rng(0).uniform(-1, 1, (50, 3))
            spots = spots[shot.eye.seen_from(spots)[:, 2] > 0]
            pixels = shot.eye.straight(spots)
            assert not ((pixels > 0) & (pixels < [shot.eye.width, shot.eye.height])).all(1).any()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["stills", "--count", "0", "--out", "x"], "--count must be 1 or more"),
        (["stills", "--count", "1", "--seed", "-1", "--out", "x"], "--seed must be 0 or more"),
        (["stills", "--count", "1", "--spp", "0", "--out", "x"], "--spp must be 1 or more"),
        (["stills", "--count", "1", "--size", "640", "--out", "x"], "is not WIDTHxHEIGHT"),
        (["stills", "--count", "1", "--size", "640x40", "--out", "x"], "the least is 160x120"),
        (["stills", "--count", "1", "--out", __file__], "is a file"),
        (["sheet", "--out", "sheet.gif"], "must end in"),
        (["sheet", "--out", "nowhere/sheet.jpg"], "there is no folder"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_a_folder_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "labels.json").write_text("{}")
    assert main(["stills", "--count", "1", "--out", str(tmp_path)]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main(["stills", "--count", "1", "--out", str(tmp_path), "--resume"]) == 2
    assert "no list of labels" in capsys.readouterr().err
