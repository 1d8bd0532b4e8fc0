"""Where the octagons of a board in eleven numbers are seen, and where rays meet them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board_model import DEPTH, FLOOR_EDGE, INNER_EDGE, OUTER_EDGE, outlines, ratios
from vision.octagon import regular_octagon
from vision.side_profiles import PIECES, look_across, met

WIDTH, HEIGHT = 640, 480
BOARDS = np.array(
    [
        [0.2, 0.3, 0.15, -0.2, 330.0, 230.0, np.log(150.0), -0.06, 1.2, 0.99, 0.2],
        [-0.1, -1.2, -0.3, 0.1, 300.0, 260.0, np.log(120.0), 0.03, 1.4, 1.0, 0.3],
    ]
)


def by_opencv(p: np.ndarray, layer: int) -> np.ndarray:
    """The 8 corners of one octagon, through OpenCV's camera."""
    focal, turn, tilt_x, tilt_y, x, y, size, bend, outer, floor, depth = p
    f, middle = np.exp(focal) * WIDTH, np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
    away = np.append((np.array([x, y]) - middle) / f, 1.0) * f / np.exp(size)
    tilt = cv2.Rodrigues(np.array([tilt_x, tilt_y, 0.0]))[0]
    across = {OUTER_EDGE: outer, INNER_EDGE: 1.0, FLOOR_EDGE: floor}[layer]
    flat = regular_octagon(2.0, turn) * across
    lowered = np.column_stack([flat, np.full(8, depth if layer == FLOOR_EDGE else 0.0)]) @ tilt.T + away
    k1 = bend * (f / (np.hypot(WIDTH, HEIGHT) / 2)) ** 2
    camera = np.array([[f, 0, middle[0]], [0, f, middle[1]], [0, 0, 1.0]])
    seen, _ = cv2.projectPoints(lowered, np.zeros(3), np.zeros(3), camera, np.array([k1, 0, 0, 0.0]))
    return seen.reshape(-1, 2)


def test_corners_lie_where_a_camera_sees_them() -> None:
    seen = outlines(BOARDS, WIDTH, HEIGHT)
    for board, rings in zip(BOARDS, seen, strict=True):
        for layer in (OUTER_EDGE, INNER_EDGE, FLOOR_EDGE):
            assert rings[layer] == pytest.approx(by_opencv(board, layer), abs=1e-6)
    assert outlines(BOARDS, WIDTH, HEIGHT, (FLOOR_EDGE,))[:, 0] == pytest.approx(seen[:, FLOOR_EDGE])


def test_rays_meet_the_sides_between_those_corners() -> None:
    straight = BOARDS.copy()
    straight[:, 7] = 0
    corners = outlines(straight, WIDTH, HEIGHT)
    profiles = look_across(np.zeros((HEIGHT, WIDTH, 3), np.uint8), corners[0, INNER_EDGE])
    wanted = np.stack([met(corners[:, layer], profiles) for layer in range(3)], axis=1)
    for pieces in (1, PIECES):
        assert ratios(straight, profiles, WIDTH, HEIGHT, pieces) == pytest.approx(wanted, abs=1e-6)
    assert ratios(straight, profiles, WIDTH, HEIGHT)[0, INNER_EDGE] == pytest.approx(1.0)


def test_a_bent_side_is_met_where_it_bulges() -> None:
    bent = BOARDS[:1].copy()
    bent[:, 7] = -0.12
    profiles = look_across(np.zeros((HEIGHT, WIDTH, 3), np.uint8), outlines(bent, WIDTH, HEIGHT)[0, INNER_EDGE])
    whole = ratios(bent, profiles, WIDTH, HEIGHT, 1)[0, INNER_EDGE]
    pieces = ratios(bent, profiles, WIDTH, HEIGHT)[0, INNER_EDGE]
    assert whole == pytest.approx(1.0)
    assert (pieces > 1.0005).all()
    assert (pieces.reshape(8, PIECES)[:, 1] > pieces.reshape(8, PIECES)[:, 0]).all()


def test_a_deeper_floor_is_seen_smaller_and_moves_no_rim() -> None:
    deep = BOARDS.copy()
    deep[:, DEPTH] += 0.1
    before, after = outlines(BOARDS, WIDTH, HEIGHT), outlines(deep, WIDTH, HEIGHT)
    assert after[:, :FLOOR_EDGE] == pytest.approx(before[:, :FLOOR_EDGE])
    assert (np.ptp(after[:, FLOOR_EDGE], axis=1) < np.ptp(before[:, FLOOR_EDGE], axis=1)).all()
