"""First guesses of where the board lies: smooth areas of one colour that are about octagonal."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture
from vision.octagon import Points, is_convex_clockwise, regular_octagon, signed_area

_SMALL_WIDTH = 200  # pixels; a board is then 60 to 150 across
_TOLERANCES = ((16, 8, 8), (30, 12, 12), (48, 18, 18))  # of L, a, b (0–255) about the seed's colour
_SEEDS_ACROSS, _SEEDS_DOWN = 7, 5
_LEAST_AREA, _MOST_AREA = 0.06, 0.85  # of the picture
_LEAST_OVERLAP = 0.72  # of a region with its octagon, intersection over union; an arm may cover a quarter
_LEAST_SOLID = 0.6  # of a region's hull
_SAME = 0.06  # guesses that differ less are one
_LOOSENESS = (0.15, 0.12, 0.09, 0.07, 0.05, 0.05, 0.04, 0.04)  # parts of the half width
_UNIT = regular_octagon(2.0)
# second moment of a regular octagon about its middle: area × this × (half its width)²
_SPREAD = float(np.sqrt((np.tan(np.pi / 8) ** 2 / 3 + 1) / 4))


@dataclass(frozen=True, eq=False)
class Guess:
    """A region that looks like felt: the 8 corners (pixels, clockwise) of its octagon, and how well they overlap."""

    corners: Points
    overlap: float


def guess_boards(picture: Picture) -> list[Guess]:
    """Octagonal smooth regions of a picture, all different, the best first."""
    factor = _SMALL_WIDTH / picture.shape[1]
    small = cv2.resize(picture, (_SMALL_WIDTH, max(8, round(picture.shape[0] * factor))), interpolation=cv2.INTER_AREA)
    colours = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB)
    height, width = colours.shape[:2]
    found: list[Guess] = []
    for tolerance in _TOLERANCES:
        taken = np.zeros((height, width), bool)
        for row in range(_SEEDS_DOWN):
            for column in range(_SEEDS_ACROSS):
                seed = (round((column + 0.5) * width / _SEEDS_ACROSS), round((row + 0.5) * height / _SEEDS_DOWN))
                if taken[seed[1], seed[0]]:
                    continue
                mask = np.zeros((height + 2, width + 2), np.uint8)
                flags = 8 | (255 << 8) | cv2.FLOODFILL_FIXED_RANGE | cv2.FLOODFILL_MASK_ONLY
                cv2.floodFill(colours, mask, seed, (0.0,), tolerance, tolerance, flags)
                region = mask[1:-1, 1:-1]
                taken |= region > 0
                guess = octagon_of(region)
                if guess is not None:
                    found.append(guess)
    guesses: list[Guess] = []
    for guess in sorted(found, key=lambda guess: -guess.overlap):
        if all(_apart(guess.corners, other.corners) > _SAME for other in guesses):
            guesses.append(guess)
    return [Guess((guess.corners + 0.5) / factor - 0.5, guess.overlap) for guess in guesses]


def _apart(one: Points, other: Points) -> float:
    """How far two octagons differ, in parts of the size: their middles and their widths."""
    size = np.ptp(one, axis=0)
    return float(
        np.abs((one.mean(axis=0) - other.mean(axis=0)) / size).sum() + np.abs(1 - np.ptp(other, axis=0) / size).sum()
    )


def octagon_of(region: npt.NDArray[np.uint8]) -> Guess | None:
    """The octagon that fits the outline of a region; None if they overlap too little."""
    whole = region.size
    if cv2.countNonZero(region) < _LEAST_AREA / 2 * whole:
        return None
    opened = cv2.morphologyEx(region, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    outline = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    if not _LEAST_AREA * whole <= area <= _MOST_AREA * whole or cv2.contourArea(outline) < _LEAST_SOLID * area:
        return None
    corners = _sharpened(_first(hull[:, 0].astype(np.float64)), outline[:, 0].astype(np.float64))
    if not is_convex_clockwise(corners) or not _LEAST_AREA * whole <= signed_area(corners) <= _MOST_AREA * whole:
        return None
    filled, drawn = np.zeros_like(region), np.zeros_like(region)
    cv2.drawContours(filled, [outline], -1, (1.0,), -1)
    cv2.fillConvexPoly(drawn, np.round(corners * 16).astype(np.int32), (1.0,), cv2.LINE_8, 4)
    overlap = cv2.countNonZero(filled & drawn) / max(1, cv2.countNonZero(filled | drawn))
    return Guess(corners, overlap) if overlap >= _LEAST_OVERLAP else None


def _first(hull: Points) -> Points:
    """The affine octagon with the second moments and the eightfold outline of a hull."""
    moments = cv2.moments(hull.astype(np.float32))
    area = moments["m00"]
    middle = np.array([moments["m10"], moments["m01"]]) / area
    spread = np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]) / area
    values, axes = np.linalg.eigh(spread)
    stretch = axes @ np.diag(np.sqrt(values) / _SPREAD) @ axes.T
    # the outline as a radius over angle, in the frame where the octagon is regular
    closed = np.concatenate([hull, hull[:1]])
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    places = np.linspace(0, along[-1], 512, endpoint=False)
    dense = np.stack([np.interp(places, along, closed[:, k]) for k in (0, 1)], axis=1)
    arm = (dense - middle) @ np.linalg.inv(stretch).T
    angle, radius = np.arctan2(arm[:, 1], arm[:, 0]), np.hypot(arm[:, 0], arm[:, 1])
    order = np.argsort(angle)
    steps = np.linspace(-np.pi, np.pi, 360, endpoint=False)
    even = np.interp(steps, angle[order], radius[order], period=2 * np.pi)
    phase = float(np.angle((even * np.exp(-8j * steps)).sum()))  # corners, the farthest points, lie at −phase / 8
    return np.asarray(regular_octagon(2.0, np.pi / 8 - phase / 8) @ stretch.T + middle)


def _sharpened(corners: Points, outline: Points) -> Points:
    """The affine octagon on most of the outline: an arm across the felt cuts a piece away and adds none.

    Each side's line n · (B p + c) = 1 is linear in B and c; the points are weighted anew in every step.
    """
    normals = (_UNIT + np.roll(_UNIT, -1, axis=0)) / 2
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    mean, scale = outline.mean(axis=0), float(np.ptp(outline))
    points = np.column_stack([(outline - mean) / scale, np.ones(len(outline))])
    frame = np.linalg.lstsq(np.column_stack([(corners - mean) / scale, np.ones(8)]), _UNIT, rcond=None)[
        0
    ]  # 3 × 2: picture to the frame where the octagon is regular
    for loose in _LOOSENESS:
        there = points @ frame
        reach = there @ normals.T
        side = np.argmax(reach, axis=1)
        off = reach[np.arange(len(points)), side] - 1
        weight = 1 / (1 + (off / loose) ** 2) ** np.where(off < 0, 2, 1)
        rows = (points[:, :, None] * normals[side][:, None, :]).reshape(len(points), 6) * weight[:, None]
        square = rows.T @ (points[:, :, None] * normals[side][:, None, :]).reshape(len(points), 6)
        kept = 1e-3 * weight.sum() * np.eye(6)
        frame = np.linalg.solve(square + kept, rows.sum(axis=0) + kept @ frame.ravel()).reshape(3, 2)
    return np.asarray((_UNIT - frame[2]) @ np.linalg.inv(frame[:2]) * scale + mean)
