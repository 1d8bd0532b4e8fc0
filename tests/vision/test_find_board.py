"""Finding the board: drawn boards, drawn tables without one, and photographs where there are some."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from board_drawing import HEIGHT, WIDTH, Scene, corner_error, draw, table

from vision.board import Scale
from vision.find_board import find_board

PLAIN = Scene()
BOARDS = {
    "green felt, lined walls, straight down": replace(PLAIN, tilt=0.0),
    "red felt, wooden walls": replace(PLAIN, felt=(30, 30, 150), wall=(60, 100, 140), tilt=14.0, tilt_towards=200.0),
    "blue felt on a checked cloth": replace(PLAIN, felt=(140, 60, 20), table="checked", turn=33.0),
    "black felt in a painted rim": replace(PLAIN, felt=(30, 30, 30), rim=(85, 85, 85), table="marble", turn=22.0),
    "brown felt in dark wood on wood": replace(
        PLAIN, felt=(30, 50, 70), rim=(40, 65, 105), wall=(28, 45, 72), tilt=10.0
    ),
    "wine felt seen from a side": replace(PLAIN, felt=(50, 20, 90), wall=(60, 90, 130), tilt=27.0, tilt_towards=110.0),
    "teal felt, not in the middle": replace(PLAIN, felt=(110, 90, 10), table="plain", off=(45.0, -25.0)),
    "a low broad rim": replace(PLAIN, rim_width=28.0, rim_height=28.0, table="marble", tilt=12.0),
    "a bent lens": replace(PLAIN, bend=-0.1, tilt=10.0, table="marble"),
    "a small board, far away": replace(PLAIN, distance=1150.0, table="plain"),
    "an arm over the felt": replace(PLAIN, arm=True, felt=(30, 30, 150), table="marble"),
}


@pytest.mark.parametrize("name", BOARDS)
def test_every_corner_is_found_within_a_fifth_of_a_die(name: str) -> None:
    scene = BOARDS[name]
    board = find_board(draw(scene))
    assert board is not None
    assert (board.width, board.height, board.scale) == (WIDTH, HEIGHT, Scale.ASSUMED)
    assert corner_error(board.felt, scene.felt_px) < 0.2 * scene.die_px
    assert corner_error(board.rim, scene.rim_px) < 0.2 * scene.die_px


def test_a_large_and_a_small_picture_tell_the_same_board() -> None:
    picture = draw(PLAIN)
    large = find_board(cv2.resize(picture, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC))
    small = find_board(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    assert large is not None
    assert small is not None
    assert large.width == WIDTH * 2.5
    assert corner_error(np.array(large.felt) / 2.5, PLAIN.felt_px) < 0.2 * PLAIN.die_px
    assert corner_error(np.array(small.felt) * 2, PLAIN.felt_px) < 0.2 * PLAIN.die_px


def test_a_cloth_of_large_checks_is_no_board() -> None:
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(float)
    for angle, size in ((0.4, 60.0), (0.05, 35.0)):
        across, down = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        checks = ((across // size % 2) + (down // size % 2))[..., None] / 2
        grain = np.random.default_rng(0).normal(0, 4, (HEIGHT, WIDTH, 3))
        cloth = np.array([190, 200, 210.0]) * (1 - checks) + np.array([60, 40, 130.0]) * checks + grain
        assert find_board(np.clip(cloth, 0, 255).astype(np.uint8)) is None


@pytest.mark.parametrize("kind", ["wood", "marble", "checked", "plain"])
def test_a_table_alone_is_no_board(kind: str) -> None:
    picture = np.clip(table(kind, np.random.default_rng(3)), 0, 255).astype(np.uint8)
    assert find_board(picture) is None


@pytest.mark.parametrize("sides", [6, 10, 48])
def test_a_tray_of_another_shape_is_no_board(sides: int) -> None:
    assert find_board(draw(replace(PLAIN, sides=sides, tilt=9.0))) is None


@pytest.mark.parametrize(
    "scene",
    [replace(PLAIN, sides=48, tilt=0.0, felt=(30, 30, 150)), replace(PLAIN, sides=48, tilt=20.0, table="marble")],
)
def test_a_round_tray_is_no_board(scene: Scene) -> None:
    assert find_board(draw(scene)) is None


def test_nothing_is_found_in_a_blank_a_dark_or_a_tiny_picture() -> None:
    assert find_board(np.full((480, 640, 3), 127, np.uint8)) is None
    assert find_board(np.zeros((480, 640, 3), np.uint8)) is None
    assert find_board(draw(PLAIN)[::10, ::10]) is None
    for height, width in ((99, 1600), (40, 640), (640, 40), (1, 1), (3000, 50)):
        assert find_board(np.full((height, width, 3), 90, np.uint8)) is None
    assert find_board(np.random.default_rng(0).integers(0, 256, (100, 900, 3), dtype=np.uint8)) is None
    assert find_board(np.random.default_rng(0).integers(0, 256, (900, 100, 3), dtype=np.uint8)) is None
    assert find_board(np.random.default_rng(0).integers(0, 256, (480, 640, 3), dtype=np.uint8)) is None


def test_photographs_of_boards() -> None:
    root = os.environ.get("PIETJESOOG_REFERENCE")
    if not root:
        pytest.skip("PIETJESOOG_REFERENCE does not name the folder with photos/boards")
    folder = Path(root) / "photos" / "boards"
    if not (folder / "labels.json").exists():
        pytest.skip(f"{folder} has no labels.json")
    errors = {}
    for label in json.loads((folder / "labels.json").read_text())["images"]:
        picture = cv2.imread(str(folder / label["image"]))
        assert picture is not None
        board = find_board(np.asarray(picture, np.uint8))
        floor = np.array(label["board_px"]["floor"])
        errors[label["image"]] = None if board is None else corner_error(board.felt, floor) / label["die_px"]
    assert all(error is not None and error < 0.2 for error in errors.values()), errors
