"""Finds the octagons seen about a first guess, each by itself: any of a board's edges may be among them."""

from __future__ import annotations

import numpy as np

from vision.board_model import (
    BEFORE,
    DEPTH,
    FLOOR,
    FOCAL,
    INNER_EDGE,
    OUTER,
    SIZE,
    TILT_X,
    TILT_Y,
    TURN,
    Floats,
    X,
    Y,
    outlines,
    ratios,
)
from vision.octagon import Points
from vision.side_profiles import Profiles

_TRIED = 3000
_RUNNING = 64  # octagons that are fitted to the edges about them
_WINDOWS = (16.0, 14.0, 12.0, 9.0, 6.0)  # pixels, at 1280 wide
_FOUND = 8
_SAME_PX = 5.0
_POSE = [TURN, TILT_X, TILT_Y, X, Y, SIZE]
_STEPS = np.array([0.002, 0.004, 0.004, 0.3, 0.3, 0.002])
_FIRMNESS = np.array([0.0, 1 / 0.35, 1 / 0.35, 0.0, 0.0, 0.0])  # of what is known before: cameras look down
_REACH = np.array([0.10, 0.10, 0.17, 0.12])  # of middle (two), size and turn, in parts of the size and radians
_STEEPEST = np.radians(33.0)


def octagons_about(
    corners: Points, profiles: Profiles, evidence: Floats, width: int, height: int
) -> tuple[Floats, Floats]:
    """Parameters (n × 11) of boards whose rim's inner edge is an octagon that is seen, best first, and how clearly.

    `evidence` (24 × samples) is that of the profiles, which were taken across the octagon `corners`.
    """
    scale = width / 1280
    tried = _spread(corners, width, height)
    wide = _best_near(evidence, 8.0 * scale, profiles)
    running = tried[np.argsort(-_support(tried, wide, profiles, width, height))[:_RUNNING]]
    for window in _WINDOWS:
        running = _closer(running, evidence, window * scale, profiles, width, height)
    score = _support(running, _best_near(evidence, 2.0 * scale, profiles), profiles, width, height)
    corners_of_all = outlines(running, width, height, (INNER_EDGE,))[:, 0]
    kept: list[int] = []
    for index in np.argsort(-score):
        apart = [np.abs(corners_of_all[index] - corners_of_all[other]).max() for other in kept]
        if all(far > _SAME_PX * scale for far in apart):
            kept.append(int(index))
        if len(kept) == _FOUND:
            break
    return running[kept], score[kept]


def golden_steps(dimensions: int) -> Floats:
    """Steps whose multiples, modulo 1, fill a unit cube evenly: powers of the root of x^(d+1) = x + 1."""
    root = 1.0
    for _ in range(40):
        root = (1 + root) ** (1 / (dimensions + 1))
    return np.asarray(1 / root ** np.arange(1, dimensions + 1))


def _spread(corners: Points, width: int, height: int) -> Floats:
    """Octagons evenly spread in middle, size, turn and tilt about a guess (an additive recurrence, nothing random)."""
    even = (0.5 + np.arange(_TRIED)[:, None] * golden_steps(6)) % 1.0
    middle = corners.mean(axis=0)
    arm = corners - middle
    size = float(np.hypot(*arm.T).mean() * np.cos(np.pi / 8))
    p = np.zeros((_TRIED, 11))
    for column in (FOCAL, OUTER, FLOOR, DEPTH):
        p[:, column] = BEFORE[column][0]
    tilt, way = _STEEPEST * np.sqrt(even[:, 4]), 2 * np.pi * even[:, 5]
    p[:, TILT_X], p[:, TILT_Y] = tilt * np.cos(way), tilt * np.sin(way)
    p[:, [X, Y]], p[:, SIZE] = middle, np.log(size)
    for _ in range(2):  # the same mean place, size and turn as the guess, whatever the tilt
        there = outlines(p, width, height, (INNER_EDGE,))[:, 0]
        p[:, [X, Y]] += middle - there.mean(axis=1)
        there -= there.mean(axis=1, keepdims=True)
        p[:, SIZE] += np.log(np.hypot(*arm.T).mean() / np.hypot(there[..., 0], there[..., 1]).mean(axis=1))
        cross = (there[..., 0] * arm[:, 1] - there[..., 1] * arm[:, 0]).sum(axis=1)
        p[:, TURN] += np.arctan2(cross, (there * arm).sum(axis=(1, 2)))
    off = (2 * even[:, :4] - 1) * _REACH
    p[:, [X, Y]] += off[:, :2] * size
    p[:, SIZE] += off[:, 2]
    p[:, TURN] += off[:, 3]
    return p


def _best_near(evidence: Floats, pixels: float, profiles: Profiles) -> Floats:
    """For each place on each ray the strongest evidence within some pixels."""
    reach = max(1, round(pixels / (profiles.spacing * float(profiles.px.mean()))))
    padded = np.pad(evidence, ((0, 0), (reach, reach)))
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=1).max(axis=-1))


def _support(p: Floats, evidence: Floats, profiles: Profiles, width: int, height: int) -> Floats:
    ratio = ratios(p, profiles, width, height, 1, (INNER_EDGE,))[:, 0]
    index = np.rint((ratio - profiles.ratios[0]) / profiles.spacing).astype(int)
    inside = (index >= 0) & (index < len(profiles.ratios))
    found = evidence[np.arange(ratio.shape[1]), np.clip(index, 0, len(profiles.ratios) - 1)]
    return np.asarray((found * inside).mean(axis=1))


def _closer(p: Floats, evidence: Floats, window: float, profiles: Profiles, width: int, height: int) -> Floats:
    """One Gauss-Newton step of each octagon to the clearest edges within a window of pixels."""

    def on_rays(boards: Floats) -> Floats:
        return ratios(boards, profiles, width, height, layers=(INNER_EDGE,))[:, 0]

    ratio = on_rays(p)
    reach = max(2, round(window / (profiles.spacing * float(profiles.px.mean()))))
    place = np.rint((ratio - profiles.ratios[0]) / profiles.spacing).astype(int)
    place = np.clip(place, reach, len(profiles.ratios) - reach - 1)
    offsets = np.arange(-reach, reach + 1)
    values = evidence[np.arange(ratio.shape[1])[:, None], place[..., None] + offsets]
    best = np.argmax(values * (1 - 0.5 * (offsets / (reach + 1)) ** 2), axis=-1)
    weight = np.take_along_axis(values, best[..., None], axis=-1)[..., 0]
    residual = (profiles.ratios[place + offsets[best]] - ratio) * profiles.px
    weight = weight / (1 + (residual / (0.4 * window)) ** 2)
    moved = np.repeat(p, len(_POSE), axis=0)
    moved[np.arange(len(moved)), np.tile(_POSE, len(p))] += np.tile(_STEPS, len(p))
    slope = (on_rays(moved).reshape(len(p), len(_POSE), -1) - ratio[:, None]) * profiles.px / _STEPS[:, None]
    square = (slope * weight[:, None]) @ slope.transpose(0, 2, 1) + np.diag(_FIRMNESS**2 + 1e-6)
    pull = (slope * weight[:, None]) @ residual[..., None] - (p[:, _POSE] * _FIRMNESS**2)[..., None]
    out = p.copy()
    out[:, _POSE] += np.clip(np.linalg.solve(square, pull)[..., 0], -60 * _STEPS, 60 * _STEPS)
    return out
