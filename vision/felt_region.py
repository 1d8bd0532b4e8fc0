"""First guesses of where the board lies: smooth areas of one colour that are about octagonal."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture
from vision.octagon import Points, regular_octagon

_SMALL_WIDTH = 200  # pixels; a board is then 60 to 150 across
_TOLERANCES = ((16, 8, 8), (30, 12, 12), (48, 18, 18))  # of L, a, b (0–255) about the seed's colour
_SEEDS_ACROSS, _SEEDS_DOWN = 7, 5
_LEAST_AREA, _MOST_AREA = 0.06, 0.85  # of the picture
_LEAST_OVERLAP = 0.80  # of a region with its octagon, intersection over union
_UNIT = regular_octagon(2.0)
# second moment of a regular octagon about its middle: area × this × (half its width)²
_SPREAD = float(np.sqrt((np.tan(np.pi / 8) ** 2 / 3 + 1) / 4))


@dataclass(frozen=True, eq=False)
class Guess:
    """A region that looks like felt: the 8 corners (pixels, clockwise) of its octagon, and how well they overlap."""

    corners: Points
    overlap: float


def guess_boards(picture: Picture) -> list[Guess]:
    """Octagonal smooth regions of a picture, the best first."""
    factor = _SMALL_WIDTH / picture.shape[1]
    small = cv2.resize(picture, (_SMALL_WIDTH, max(8, round(picture.shape[0] * factor))), interpolation=cv2.INTER_AREA)
    colours = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB)
    height, width = colours.shape[:2]
    guesses: list[Guess] = []
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
                guess = _octagon_of(region)
                if guess is not None:
                    guesses.append(Guess((guess.corners + 0.5) / factor - 0.5, guess.overlap))
    return sorted(guesses, key=lambda guess: -guess.overlap)


def _octagon_of(region: npt.NDArray[np.uint8]) -> Guess | None:
    """The octagon whose second moments and eightfold outline are the region's; None if they overlap too little."""
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
    if not _LEAST_AREA * whole <= area <= _MOST_AREA * whole or cv2.contourArea(outline) < 0.75 * area:
        return None
    corners = _fit(hull[:, 0].astype(np.float64))
    filled, drawn = np.zeros_like(region), np.zeros_like(region)
    cv2.drawContours(filled, [outline], -1, (1.0,), -1)
    cv2.fillConvexPoly(drawn, np.round(corners * 16).astype(np.int32), (1.0,), cv2.LINE_8, 4)
    overlap = cv2.countNonZero(filled & drawn) / max(1, cv2.countNonZero(filled | drawn))
    return Guess(corners, overlap) if overlap >= _LEAST_OVERLAP else None


def _fit(hull: Points) -> Points:
    moments = cv2.moments(hull.astype(np.float32))
    area = moments["m00"]
    middle = np.array([moments["m10"], moments["m01"]]) / area
    spread = np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]) / area
    values, axes = np.linalg.eigh(spread)
    stretch = axes @ np.diag(np.sqrt(values) / _SPREAD) @ axes.T
    # the outline as a radius over angle, in the frame where the octagon is regular
    closed = np.concatenate([hull, hull[:1]])
    lengths = np.hypot(*np.diff(closed, axis=0).T)
    along = np.concatenate([[0], np.cumsum(lengths)])
    places = np.linspace(0, along[-1], 512, endpoint=False)
    dense = np.stack([np.interp(places, along, closed[:, k]) for k in (0, 1)], axis=1)
    arm = (dense - middle) @ np.linalg.inv(stretch).T
    angle, radius = np.arctan2(arm[:, 1], arm[:, 0]), np.hypot(arm[:, 0], arm[:, 1])
    order = np.argsort(angle)
    even = np.interp(np.linspace(-np.pi, np.pi, 360, endpoint=False), angle[order], radius[order], period=2 * np.pi)
    steps = np.linspace(-np.pi, np.pi, 360, endpoint=False)
    phase = np.angle((even * np.exp(-8j * steps)).sum())  # corners, the farthest points, lie at −phase / 8
    turn = -phase / 8 - np.pi / 8 + np.pi / 4
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray((_UNIT @ np.array([[cos, sin], [-sin, cos]])) @ stretch.T + middle)
