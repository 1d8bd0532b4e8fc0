"""Regular octagons, and the picture of one: corners, distances, homographies."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]  # n × 2
Matrix = npt.NDArray[np.float64]  # 3 × 3

SIDES = 8
_HALF_STEP = np.pi / SIDES


def regular_octagon(across_flats: float, turn: float = 0.0) -> Points:
    """8 × 2 corners about the origin, clockwise as seen (y down); the first side faces +x, then turned by radians."""
    radius = across_flats / 2 / np.cos(_HALF_STEP)
    angles = np.arange(SIDES) * 2 * _HALF_STEP - _HALF_STEP + turn
    return np.array([radius * np.cos(angles), radius * np.sin(angles)], dtype=np.float64).T


def turn_of(corners: Points) -> float:
    """By how many radians `regular_octagon` must be turned to lie like these 8 corners."""
    arm = corners - corners.mean(axis=0)
    apart = np.arctan2(arm[:, 1], arm[:, 0]) - (np.arange(SIDES) * 2 - 1) * _HALF_STEP
    return float(np.arctan2(np.sin(apart).sum(), np.cos(apart).sum()))


def depth_inside(points: Points, across_flats: float, turn: float = 0.0) -> npt.NDArray[np.float64]:
    """How far inside `regular_octagon` each point lies: the distance to the nearest side, negative outside."""
    return np.asarray(across_flats / 2 - reach(points, turn))


def reach(points: Points, turn: float = 0.0) -> npt.NDArray[np.float64]:
    """Half the width across flats of the `regular_octagon` on whose side each point lies."""
    return np.asarray((points @ _normals(turn)).max(axis=1))


@lru_cache(maxsize=16)
def _normals(turn: float) -> Points:
    """Which way the sides of `regular_octagon` face (2, 8)."""
    angles = np.arange(SIDES) * 2 * _HALF_STEP + turn
    return np.stack([np.cos(angles), np.sin(angles)])


def signed_area(polygon: Points) -> float:
    """Area of a polygon, positive if it runs clockwise as seen (y down)."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def is_convex_clockwise(polygon: Points) -> bool:
    """Whether every corner turns right as seen and the polygon runs round once."""
    edge = np.roll(polygon, -1, axis=0) - polygon
    turn = np.roll(edge, -1, axis=0)
    cross = edge[:, 0] * turn[:, 1] - edge[:, 1] * turn[:, 0]
    angle = np.arctan2(cross, (edge * turn).sum(axis=1))
    return bool((cross > 0).all() and abs(angle.sum() - 2 * np.pi) < 1e-6)


def homography(source: Points, target: Points) -> Matrix:
    """The 3 × 3 projective map that takes source to target in the least squares sense (direct linear transform).

    Both n × 2 with n ≥ 4; Hartley's normalisation; scaled so that the last entry is 1.
    """
    to_source, to_target = _normaliser(source), _normaliser(target)
    s, t = apply(to_source, source), apply(to_target, target)
    zero, one = np.zeros(len(s)), np.ones(len(s))
    x, y, u, v = s[:, 0], s[:, 1], t[:, 0], t[:, 1]
    rows = np.concatenate(
        [
            np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], axis=1),
            np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], axis=1),
        ]
    )
    core = np.linalg.svd(rows)[2][-1].reshape(3, 3)
    found = np.linalg.inv(to_target) @ core @ to_source
    return np.asarray(found / found[2, 2])


def apply(matrix: Matrix, points: Points) -> Points:
    """Points (n × 2) taken through a homography."""
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:])


def _normaliser(points: Points) -> Matrix:
    middle = points.mean(axis=0)
    scale = np.sqrt(2) / max(1e-12, float(np.sqrt(((points - middle) ** 2).sum(axis=1)).mean()))
    return np.array([[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0, 0, 1]])
