"""Which tops are not level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_trust import face

from vision.level import off_level, straight_down

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
