"""Crops and the shape of a top face."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.crops import CROP, HALF_EDGE, back, corners_from_shape, crop_matrix, cut, shape_from_corners

MIDDLE = (CROP - 1) / 2


def square(turn: float, size: float = 1.0, stretch: float = 1.0, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=float) * (stretch, 1 / stretch)
    c, s = np.cos(turn), np.sin(turn)
    return corners @ np.array([[c, s], [-s, c]]) * HALF_EDGE * size + MIDDLE + np.array([x, y])


def same_corners(a: np.ndarray, b: np.ndarray) -> float:
    return min(float(np.abs(np.roll(a, k, axis=0) - b).max()) for k in range(4))


@given(st.floats(0, 6.28), st.floats(0.6, 1.5), st.floats(0.85, 1.18), st.floats(-8, 8), st.floats(-8, 8))
def test_a_shape_gives_back_its_corners(turn: float, size: float, stretch: float, x: float, y: float) -> None:
    corners = square(turn, size, stretch, x, y)
    assert same_corners(corners_from_shape(shape_from_corners(corners)), corners) < 0.02


@pytest.mark.parametrize("begin", [1, 2, 3])
def test_a_shape_does_not_tell_where_its_corners_begin(begin: int) -> None:
    corners = square(0.3, stretch=1.1)
    assert shape_from_corners(np.roll(corners, begin, axis=0)) == pytest.approx(shape_from_corners(corners), abs=1e-5)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_crop_holds_the_die_in_its_middle_at_the_size_that_was_asked(mirrored: bool) -> None:
    picture = np.zeros((200, 300, 3), np.uint8)
    picture[80:120, 130:170] = 255
    crop = cut(picture, crop_matrix((149.5, 99.5), 40.0, mirrored=mirrored))
    bright = np.argwhere(crop[..., 0] > 127)
    assert bright.mean(axis=0) == pytest.approx((MIDDLE, MIDDLE), abs=0.6)
    assert np.sqrt(len(bright)) == pytest.approx(2 * HALF_EDGE, abs=1.0)


def test_points_of_a_crop_go_back_to_where_they_came_from() -> None:
    matrix = crop_matrix((40.0, 60.0), 25.0, complex(np.exp(0.7j)), mirrored=True)
    there = np.array([[30.0, 55.0], [41.0, 66.0]])
    assert back(there @ matrix[:, :2].T + matrix[:, 2], matrix) == pytest.approx(there)
