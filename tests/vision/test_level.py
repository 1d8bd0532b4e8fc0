"""Which tops are not level, and which dice lie by a wall."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_trust import face

from vision import octagon
from vision.board import Board
from vision.level import lies, off_level, straight_down

SIZE = (640, 480)


def top(x: float, y: float, tilt: tuple[float, float] = (0.0, 0.0)) -> object:
    """A die seen by a camera that looks straight down, its top turned past it by `tilt` more."""
    level = straight_down(*SIZE, 0.9)((x, y))
    return replace(face(x=x, y=y), normals=np.array([[level[0] + tilt[0], level[1] + tilt[1]]] * 2))


def test_of_three_dice_the_one_that_looks_elsewhere_is_off_level() -> None:
    off = off_level([top(100, 100), top(300, 200), top(500, 400, (0.3, 0.0))], None, SIZE)
    assert off == pytest.approx([0.0, 0.0, 0.3], abs=1e-6)


def test_dice_that_all_look_one_way_are_level_under_a_tilted_camera() -> None:
    off = off_level([top(100, 100, (0.3, 0.2)), top(300, 200, (0.3, 0.2))], None, SIZE)
    assert off == pytest.approx([0.0, 0.0], abs=1e-6)


def test_of_two_that_differ_neither_is_level() -> None:
    assert min(off_level([top(100, 100), top(300, 200, (0.3, 0.0))], None, SIZE)) == pytest.approx(0.3)


def test_one_alone_is_level_unless_no_camera_is_tilted_so_far() -> None:
    assert off_level([top(300, 200, (0.4, 0.0))], None, SIZE) == [0.0]
    assert off_level([top(300, 200, (0.7, 0.0))], None, SIZE)[0] > 0.05


def test_a_board_tells_what_is_level() -> None:
    off = off_level([top(100, 100), top(300, 200)], lambda place: (0.25, 0.0), (10_000_000, 10_000_000))
    assert len(off) == 2
    assert off_level([top(320, 240, (0.3, 0.0))], straight_down(*SIZE, 0.9), SIZE) == pytest.approx([0.3], abs=1e-6)


def test_no_dice_no_angles() -> None:
    assert off_level([], None, SIZE) == []


def test_a_die_by_the_wall_may_lean_on_it_and_one_in_the_middle_on_nothing() -> None:
    felt, rim = (tuple(map(tuple, (octagon.regular_octagon(w) + 480).tolist())) for w in (600, 700))
    board = Board(960, 960, felt, rim, felt_mm=300, die_mm=16)  # 2 pixels to a millimetre: dice of 32 pixels
    from_middle_mm = {"open": 0.0, "near": 150 - 16.0, "touching": 150 - 8.5, "on the rim": 150 + 12.0}
    tops = board.to_px(np.array([[mm, 0.0] for mm in from_middle_mm.values()]), 16.0)
    found = [replace(face(x=float(x), y=float(y), edge=32.0), normals=np.zeros((2, 2))) for x, y in tops]
    by_wall = dict(zip(from_middle_mm, (lie.by_wall for lie in lies(found, board, (960, 960))), strict=True))
    assert by_wall["open"] == by_wall["on the rim"] == 0.0
    assert by_wall["near"] == pytest.approx(0.5, abs=0.1)
    assert by_wall["touching"] == pytest.approx(1.0, abs=0.1)
    assert [lie.by_wall for lie in lies(found, None, (960, 960))] == [0.0] * 4
