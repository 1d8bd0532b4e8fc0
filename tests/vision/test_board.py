"""The board as a value: millimetres, places, files."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from board_drawing import HEIGHT, WIDTH, Scene, corner_error

from vision.board import Board, Scale
from vision.errors import VisionError
from vision.reading import Where

STEEP = Scene(tilt=22.0, tilt_towards=70.0, turn=17.0)


def board_of(scene: Scene) -> Board:
    """The board as a perfect finder would tell it."""
    half_diagonal = np.hypot(WIDTH, HEIGHT) / 2
    return Board(
        WIDTH,
        HEIGHT,
        tuple(map(tuple, scene.felt_px.tolist())),
        tuple(map(tuple, scene.rim_px.tolist())),
        k1=scene.bend * (half_diagonal / scene.focal) ** 2,
        focal=scene.focal,
        felt_mm=scene.across,
        scale=Scale.TOLD,
    )


@pytest.mark.parametrize(
    "scene", [Scene(tilt=0.0), STEEP, replace(STEEP, bend=-0.08), replace(STEEP, off=(60.0, -40.0))]
)
def test_millimetres_and_pixels_agree_with_the_camera(scene: Scene) -> None:
    board = board_of(scene)
    there = np.array([[0.0, 0.0], [120.0, -60.0], [-90.0, 100.0]])
    # the drawing's millimetres have the same axes, turned so that x runs right as seen
    seen = scene.project(np.column_stack([there, np.zeros(3)]))
    back = board.to_mm(seen)
    assert np.allclose(np.hypot(*back.T), np.hypot(*there.T), atol=0.3)
    assert np.allclose(board.to_px(back), seen, atol=0.05)
    above = scene.project(np.column_stack([there, np.full(3, -30.0)]))
    assert np.allclose(board.to_px(back, 30.0), above, atol=0.5)


@pytest.mark.parametrize("scene", [Scene(tilt=0.0), STEEP, replace(STEEP, off=(60.0, -40.0))])
def test_a_level_top_looks_past_the_camera_as_far_as_the_camera_is_tilted(scene: Scene) -> None:
    board = board_of(scene)
    towards = np.radians(scene.tilt_towards)
    up = cv2.Rodrigues(np.radians(scene.tilt) * np.array([np.cos(towards), np.sin(towards), 0]))[0] @ [0.0, 0.0, -1.0]
    for place in ([0.0, 0.0, 0.0], [120.0, -60.0, 0.0], [-90.0, 100.0, 0.0]):
        foot, head = scene.project(np.array([place, [*place[:2], -16.0]]))
        sight = np.array([*((foot - [(WIDTH - 1) / 2, (HEIGHT - 1) / 2]) / scene.focal), 1.0])
        sine = np.linalg.norm(np.cross(up, sight / np.linalg.norm(sight)))
        level = np.array(board.level((float(foot[0]), float(foot[1]))))
        assert np.hypot(*level) == pytest.approx(sine, abs=0.01)
        rise = head - foot  # a die's upright edges run the same way
        if np.hypot(*rise) > 1:
            assert level @ rise > 0.99 * np.hypot(*level) * np.hypot(*rise)


def test_x_runs_right_and_y_down_however_the_board_is_turned() -> None:
    for turn in (0.0, 20.0, 44.0):
        board = board_of(Scene(turn=turn, tilt=5.0))
        middle = board.to_px(np.array([[0.0, 0.0]]))[0]
        right, below = board.to_mm(np.array([middle + np.array([50, 0]), middle + np.array([0, 50])]))
        assert right[0] > 20
        assert abs(right[1]) < 3
        assert below[1] > 20
        assert abs(below[0]) < 3


def test_a_die_is_as_large_as_it_is_drawn() -> None:
    scene = Scene(tilt=25.0, tilt_towards=0.0)
    board = board_of(scene)
    for x, y in ((0.0, 0.0), (0.0, 130.0), (0.0, -130.0)):
        square = scene.project(np.array([[x - 8, y - 8, 0], [x + 8, y - 8, 0], [x + 8, y + 8, 0], [x - 8, y + 8, 0]]))
        area = cv2.contourArea(square.astype(np.float32))
        middle = square.mean(axis=0)
        assert board.expected_die_px((middle[0], middle[1])) == pytest.approx(math.sqrt(area), rel=0.01)
    assert board.expected_die_px(die_mm=8.0) == pytest.approx(board.expected_die_px() / 2)  # type: ignore[operator]


def around(radius: float, height: float) -> list[np.ndarray]:
    """Top faces (4 × 3) of eight dice square to the sides of the board (turned by 17°), radius from the middle."""
    faces = []
    for angle in np.radians(17.0) + np.arange(8) * np.pi / 4:
        out, along = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
        flat = [radius * out + a * 8 * out + b * 8 * along for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        faces.append(np.column_stack([flat, np.full(4, -height - 16.0)]))
    return faces


def covered(face: np.ndarray, scene: Scene, where: Where) -> bool:
    """Whether the rim hides a part of a die's top face, on the felt before it or on the table behind it."""
    if where is Where.RIM:
        return False
    rim = scene.rim_px if where is Where.OUTSIDE else scene.project(scene.corners(scene.across, scene.rim_height))
    inside = [
        cv2.pointPolygonTest(rim.astype(np.float32), tuple(map(float, p)), False) >= 0 for p in scene.project(face)
    ]
    return any(inside) if where is Where.OUTSIDE else not all(inside)


@pytest.mark.parametrize("tilt", [0.0, 12.0, 22.0])
@pytest.mark.parametrize(
    ("radius", "height", "where"),
    [
        (0, 0, Where.INSIDE),
        (360 / 2 - 13, 0, Where.INSIDE),
        (360 / 2 + 9, 36, Where.RIM),
        (360 / 2 + 18 + 20, 0, Where.OUTSIDE),
        (360 / 2 + 18 + 60, -6, Where.OUTSIDE),
    ],
)
def test_a_die_lies_where_it_was_put(tilt: float, radius: float, height: float, where: Where) -> None:
    scene = replace(STEEP, tilt=tilt)
    board = board_of(scene)
    seen = 0
    for face in around(radius, height):
        if covered(face, scene, where):
            continue
        x, y = scene.project(face.mean(axis=0, keepdims=True))[0]
        assert board.where((x, y)) is where, (face, board.place((x, y)))
        seen += 1
    assert seen >= 4


def test_the_rim_is_measured_with_and_without_being_told() -> None:
    for scene in (Scene(tilt=0.0), STEEP):
        board = board_of(scene)
        assert board.rim_height_mm == pytest.approx(36, abs=5)
        told = replace(board, rim_height=0.1)
        assert told.rim_height_mm == pytest.approx(36)
        assert told.told_width(396.0).felt_mm == pytest.approx(360, abs=2)


def test_the_inner_edge_of_the_rim_is_told() -> None:
    scene = replace(STEEP, bend=-0.05)
    board = replace(board_of(scene), rim_height=36 / 360)
    assert corner_error(board.inner, scene.project(scene.corners(360, 36))) < 1.0
    wider = replace(board, opening=1.02)
    assert corner_error(wider.inner, scene.project(scene.corners(360 * 1.02, 36))) < 1.0


def test_all_is_inside_where_the_whole_picture_is_felt() -> None:
    board = Board.whole(640, 480)
    assert board.is_whole
    assert board.where((3.0, 470.0)) is Where.INSIDE
    assert board.to_json() is None
    assert board.expected_die_px() is None
    assert Board.whole(640, 480, die_px=30).expected_die_px((5, 5)) == 30
    assert board.to_px(board.to_mm(np.array([[10.0, 20.0]])))[0] == pytest.approx([10.0, 20.0])


def test_json_is_the_contracts() -> None:
    told = board_of(STEEP).to_json()
    assert told is not None
    assert set(told) == {"felt", "rim", "px_per_mm", "scale"}
    assert told["scale"] == "told"
    assert np.array(told["felt"]).shape == np.array(told["rim"]).shape == (8, 2)
    assert told["px_per_mm"] == pytest.approx(board_of(STEEP).px_per_mm, abs=1e-3)


def test_scale_is_assumed_until_told() -> None:
    board = replace(board_of(STEEP), scale=Scale.ASSUMED, felt_mm=300.0)
    wide = board.told_width(396.0)  # over the rim: 360 of felt and twice 18
    assert wide.scale is Scale.TOLD
    assert wide.felt_mm == pytest.approx(360, rel=0.02)
    die = board.told_die(board.px_per_mm * 20, die_mm=20.0)
    assert (die.scale, die.felt_mm, die.die_mm) == (Scale.TOLD, pytest.approx(300), 20.0)
    assert die.expected_die_px() == pytest.approx(board.px_per_mm * 20)
    for wrong in (0.0, -3.0, math.nan):
        with pytest.raises(VisionError):
            board.told_width(wrong)
        with pytest.raises(VisionError):
            board.told_die(wrong)


def test_a_saved_board_comes_back(tmp_path: Path) -> None:
    board = replace(board_of(replace(STEEP, bend=-0.05)), die_mm=15.0, rim_height=0.1, opening=1.01)
    board.save(tmp_path / "board.toml")
    assert Board.load(tmp_path / "board.toml") == board
    assert [file.name for file in tmp_path.iterdir()] == ["board.toml"]


def test_two_that_save_at_once_both_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, processes, meanwhile = tmp_path / "board.toml", iter((1, 2)), [replace(board_of(STEEP), die_mm=15.0)]
    monkeypatch.setattr("vision.board_file.os.getpid", lambda: next(processes))
    monkeypatch.setattr("vision.board_file.os.fsync", lambda _: meanwhile and meanwhile.pop().save(path))
    board_of(STEEP).save(path)
    assert Board.load(path) == board_of(STEEP)
    assert [file.name for file in tmp_path.iterdir()] == ["board.toml"]


def test_a_board_fits_a_picture_of_another_size_but_not_of_another_shape() -> None:
    board = board_of(STEEP)
    half = board.scaled(WIDTH // 2, HEIGHT // 2)
    assert half.px_per_mm == pytest.approx(board.px_per_mm / 2)
    assert half.to_mm(np.array([[200.0, 150.0]])) == pytest.approx(board.to_mm(np.array([[400.5, 300.5]])), abs=0.01)
    assert half.place((200.0, 150.0))[1] == pytest.approx(board.place((400.5, 300.5))[1], abs=0.02)
    with pytest.raises(VisionError, match="another shape"):
        board.scaled(WIDTH, HEIGHT // 2)


GOOD = "width = 100\nheight = 100\n"
RING = "[[70,40],[70,60],[60,70],[40,70],[30,60],[30,40],[40,30],[60,30]]"
TINY = "[[54,49],[54,51],[51,54],[49,54],[46,51],[46,49],[49,46],[51,46]]"
WIDER = "[[80,35],[80,65],[65,80],[35,80],[20,65],[20,35],[35,20],[65,20]]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "width"),
        ("width = [", "TOML"),
        ("width = 100.5\nheight = 3\n", "whole number"),
        (GOOD, "no corners"),
        (GOOD + "felt = 3\n", "no corners"),
        (GOOD + f"felt = [[1,2],[3]]\nrim = {WIDER}\n", "two numbers"),
        (GOOD + f"felt = [[1,2],[true,3]]\nrim = {WIDER}\n", "two numbers"),
        (GOOD + f"felt = [[70,40],[70,60],[60,70]]\nrim = {WIDER}\n", "3 corners"),
        (GOOD + f"felt = {RING.replace('60,70', '50,50')}\nrim = {WIDER}\n", "clockwise"),
        (GOOD + f"felt = {RING.replace('60,70', 'nan,70')}\nrim = {WIDER}\n", "no number"),
        (GOOD + f"felt = {RING}\nrim = {WIDER.replace('80', '180')}\n", "outside"),
        (GOOD + f"felt = {WIDER}\nrim = {RING}\n", "around"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nk1 = 'a lot'\n", "k1"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nk1 = 9.0\n", "lens"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nfelt_mm = -4\n", "150 to 800"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nfelt_mm = 1e300\n", "150 to 800"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nfelt_mm = 1{'0' * 400}\n", "not a number"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\ndie_mm = 1e-300\n", "8 to 30"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\ndie_mm = 1e6\n", "8 to 30"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nfocal = 1e300\n", "focal"),
        (GOOD + f"felt = {RING.replace('60,70', '1' + '0' * 400 + ',70')}\nrim = {WIDER}\n", "two numbers"),
        (GOOD + f"felt = {TINY}\nrim = {WIDER}\n", "too small"),
        ("a = " + "[" * 3000 + "]" * 3000, "TOML"),
        (f"width = 1{'0' * 400}\nheight = 100\nfelt = {RING}\nrim = {WIDER}\n", "size"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nfocal = inf\n", "focal"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nrim_height = 3\n", "high"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nopening = 'wide'\n", "opening"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nopening = 2.0\n", "inner edge"),
        (GOOD + f"felt = {RING}\nrim = {WIDER}\nscale = 'guess'\n", "assumed"),
        ("width = -1\nheight = 100\n" + f"felt = {RING}\nrim = {WIDER}\n", "size"),
    ],
)
def test_an_odd_file_is_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "board.toml"
    path.write_text(text)
    with pytest.raises(VisionError) as caught:
        Board.load(path)
    assert said in str(caught.value)
    assert "board.toml" in str(caught.value)
    assert "\n" not in str(caught.value).strip()


def test_a_plain_file_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(GOOD + f"felt = {RING}\nrim = {WIDER}\n")
    assert Board.load(path).scale is Scale.ASSUMED


def test_a_missing_or_unwritable_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match="cannot be read"):
        Board.load(tmp_path / "none.toml")
    with pytest.raises(VisionError, match="cannot be read"):
        Board.load(tmp_path)
    with pytest.raises(VisionError, match="cannot be written"):
        board_of(STEEP).save(tmp_path / "nowhere" / "board.toml")
    with pytest.raises(VisionError, match="no board"):
        Board.whole(10, 10).save(tmp_path / "board.toml")
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(VisionError, match="TOML"):
        Board.load(tmp_path / "picture.toml")
