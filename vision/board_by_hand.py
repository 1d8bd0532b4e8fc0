"""A board from eight clicks: the corners of the felt, in any order, put right by the edges near them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.board import Board
from vision.board_fit import FAINT_CREASE, refine
from vision.board_hint import Hint, agreement
from vision.board_model import FLOOR_EDGE, LAYERS, Floats, ratios
from vision.board_of_fit import board_of, corners_of
from vision.board_starts import felt_fits
from vision.errors import VisionError
from vision.frame import Picture
from vision.octagon import SIDES, Points, apply, homography, is_convex_clockwise, regular_octagon, turn_of
from vision.reading import Point
from vision.side_profiles import look_across

_MOST_OFF = 0.06  # of the felt's width: what a click may miss the corner of an octagon by
_RIM = 1.17  # the rim's outer edge, parts of the felt's width, where the picture does not show it
_WINDOWS = (10.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 3.0)  # pixels searched about the clicks, where the felt is 640 wide
_FELT_PX = 640
_CERTAIN = 0.45  # that edges about the clicks of a person need to be
_MISSED = 0.025  # of the felt's width, that a click misses its corner by at most
_LEAST_SIDE = 40.0  # pixels across: smaller is no board that dice are read on


def board_from_clicks(picture: Picture, clicks: Sequence[Point], rim: Sequence[Point] = ()) -> tuple[Board, bool]:
    """The board whose felt has its corners about these eight points of the picture, and whether its edges were seen.

    Where the picture shows the edges near them, they decide; the clicks themselves do where it does not, and then the
    rim's outer corners are those of `rim`, or a guess. Raises VisionError.
    """
    felt = ordered(clicks)
    outer = ordered(rim) if rim else None
    height, width = picture.shape[:2]
    found = _by_edges(picture, felt)
    if found is not None:
        return found, True
    plane = homography(regular_octagon(1.0, turn_of(felt)), felt)
    put_right = apply(plane, regular_octagon(1.0, turn_of(felt)))
    if outer is None:
        outer = apply(plane, regular_octagon(_RIM, turn_of(felt)))
    else:
        first = int(np.argmin(np.hypot(*(outer - put_right[0]).T)))  # both begin at the same side
        outer = np.roll(outer, -first, axis=0)
    return Board(width, height, _told(put_right), _told(outer)), False


def ordered(clicks: Sequence[Point]) -> Points:
    """Eight clicks as the corners of an octagon (8 × 2), clockwise; raises VisionError if they are none.

    >>> ordered(tuple(map(tuple, (regular_octagon(200) + 150)[::-1]))).shape
    (8, 2)
    """
    if len(clicks) != SIDES:
        raise VisionError(f"A board has {SIDES} corners, and {len(clicks)} were told.")
    points: Points = np.array(clicks, np.float64).reshape(-1, 2)
    if not np.isfinite(points).all():
        raise VisionError("A corner is no number.")
    arm = points - points.mean(axis=0)
    points = points[np.argsort(np.arctan2(arm[:, 1], arm[:, 0]))]
    size = float(np.ptp(points, axis=0).min())
    if size < _LEAST_SIDE:
        raise VisionError("The corners lie too close together: click the eight corners of the felt.")
    seen = apply(homography(regular_octagon(1.0, turn_of(points)), points), regular_octagon(1.0, turn_of(points)))
    off = float(np.hypot(*(seen - points).T).max())
    if not is_convex_clockwise(points) or off > _MOST_OFF * size:
        raise VisionError("The corners do not make an octagon: click the eight corners of the felt, each once.")
    return points


def _by_edges(picture: Picture, felt: Points) -> Board | None:
    """The board whose floor has its corners about these (8 × 2, clockwise); None where no edges are there."""
    height, width = picture.shape[:2]
    profiles = look_across(picture, felt)
    trust: Floats = np.zeros((LAYERS, len(profiles.rays)))
    trust[FLOOR_EDGE] = 1.0
    hint = Hint(np.ones_like(trust), trust)
    windows = tuple(window * np.ptp(felt, axis=0).max() / _FELT_PX for window in _WINDOWS)
    fits = refine(felt_fits(profiles, felt, width, height), profiles, windows, FAINT_CREASE, width, height, hint)
    there = ratios(np.array([fit.parameters for fit in fits]), profiles, width, height)
    agreed = agreement(hint, there, profiles, width)
    best = max(zip(fits, agreed, strict=True), key=lambda one: one[0].score + one[1])[0]
    apart = np.hypot(*(corners_of(best, FLOOR_EDGE, width, height) - felt).T).max()
    if best.certainty < _CERTAIN or apart > _MISSED * np.ptp(felt, axis=0).min():
        return None
    return board_of(best, width, height)


def _told(corners: Points) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)
