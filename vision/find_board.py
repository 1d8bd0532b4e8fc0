"""Finds the board in a picture by itself.

Smooth octagonal regions give first guesses (`felt_region`); profiles across their sides (`side_profiles`) show the
edges; one model of a camera and the board's three octagons (`board_model`) is fitted to them (`board_fit`).
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np

from vision.board import Board
from vision.board_fit import FAINT, FAINT_CREASE, Fit, evidence_of, refine
from vision.board_model import BEND, DEPTH, FLOOR, FLOOR_EDGE, FOCAL, INNER_EDGE, OUTER_EDGE, nodes
from vision.board_starts import completed, first_fits, stirred
from vision.errors import VisionError
from vision.felt_region import guess_boards
from vision.frame import Picture
from vision.octagon import Points, regular_octagon
from vision.octagon_search import octagons_about
from vision.reading import Point
from vision.side_profiles import look_across

_WORK_WIDTH, _MOST_WIDTH, _LEAST_WIDTH = 1280, 1600, 160  # pixels; larger pictures are searched at the first width
_SURE, _CLEAR = 0.64, 0.9  # certainty that a board needs, with an edge that is as clear all round; see `_is_sure`
_GUESSES = 3
_GOOD = 0.8  # a certainty that no other guess needs to beat
_BLIND_SIZES = (0.62, 0.8)  # of the picture, that a felt often has
_BLIND = 2  # of them are followed
_SEEN = 0.6  # support of an octagon without a guess, from which it is worth to look on
_SURELY = 0.93  # one that needs no second look
_PROMISING = 0.3  # one from which it is worth to look again
# how many fits go on, and the pixels searched about each edge (at 1280 wide), step by step
_ROUNDS = ((64, (16.0, 14.0)), (16, (12.0, 10.0, 8.0)), (8, (8.0, 6.0, 5.0)))
_STIRS, _STIRRED, _RUNNING = 3, 8, 40  # rounds for a poor fit, fits that are spread, fits that run on
_STIR_WINDOWS = (12.0, 9.0, 7.0)
_FINE = (6.0, 5.0, 4.0, 3.0, 3.0, 3.0)


def find_board(picture: Picture) -> Board | None:
    """The board in a picture (BGR), or None where none is seen well enough to rely on."""
    height, width = picture.shape[:2]
    if width > _MOST_WIDTH:
        small = cv2.resize(picture, (_WORK_WIDTH, round(height * _WORK_WIDTH / width)), interpolation=cv2.INTER_AREA)
        found = find_board(np.asarray(small, np.uint8))
        return found and found.scaled(width, height)
    if width < _LEAST_WIDTH:
        return None
    fit = best_fit(picture)
    if fit is None or not _is_sure(fit):
        return None
    floor, rim = (_points(_corners(fit, layer, width, height)) for layer in (FLOOR_EDGE, OUTER_EDGE))
    p = fit.parameters
    focal, rim_height = float(np.exp(p[FOCAL])) * width, float(p[DEPTH] / p[FLOOR]) / 2
    try:
        return Board(
            width,
            height,
            floor,
            rim,
            k1=float(p[BEND]),
            focal=focal,
            rim_height=rim_height,
            opening=float(1 / p[FLOOR]),
        )
    except VisionError:  # octagons that no board has
        return None


def _is_sure(fit: Fit) -> bool:
    """Whether a fit is a board's: certain beyond chance, since a checked cloth has edges everywhere.

    A fit that is off has no edge that is clear all round, and a true one mostly has: the clearest edge tips the scale.
    """
    return bool(fit.certainty - fit.chance + 2 * (fit.edges.max() - _CLEAR) >= _SURE)


def best_fit(picture: Picture) -> Fit | None:
    """The best supported board in a picture, however poor; None where nothing smooth and round is seen."""
    height, width = picture.shape[:2]
    best: Fit | None = None
    for guess in guess_boards(picture)[:_GUESSES]:
        fit = _fit_near(picture, guess.corners)
        if _PROMISING <= fit.certainty < _GOOD:
            again = _fit_near(picture, _corners(fit, INNER_EDGE, width, height))
            fit = max(fit, again, key=lambda fit: fit.score)
        best = fit if best is None else max(best, fit, key=lambda fit: fit.score)
        if best.certainty >= _GOOD:
            return best
    for corners in _blind_guesses(picture):
        fit = _fit_near(picture, corners)
        best = fit if best is None else max(best, fit, key=lambda fit: fit.score)
        if best.certainty >= _GOOD:
            break
    return best


def _blind_guesses(picture: Picture) -> list[Points]:
    """The clearest octagons about the middle of the picture, for a felt that is striped or half under an arm."""
    height, width = picture.shape[:2]
    middle = np.array([width / 2, height / 2])
    found: list[tuple[float, Points]] = []
    for across, turn in product(_BLIND_SIZES, (0.0, np.pi / 8)):
        corners = regular_octagon(across * min(width, height), turn) + middle
        profiles = look_across(picture, corners)
        seen, clear = octagons_about(corners, profiles, evidence_of(profiles, FAINT)[INNER_EDGE], width, height)
        if clear[0] >= _SEEN:
            found.append((float(clear[0]), nodes(seen[:1], width, height)[0, INNER_EDGE, :, 0]))
    return [corners for _, corners in sorted(found, key=lambda one: -one[0])[:_BLIND]]


def _fit_near(picture: Picture, corners: Points) -> Fit:
    """The best board of which one edge is about this octagon: many tries, of which fewer and fewer go on."""
    height, width = picture.shape[:2]
    scale = width / _WORK_WIDTH
    profiles = look_across(picture, corners)
    running = first_fits(profiles, corners, width, height)
    for count, windows in _ROUNDS:
        fits = refine(running[:count], profiles, tuple(w * scale for w in windows), FAINT, width, height)
        running = np.array([fit.parameters for fit in fits])
    for _ in range(_STIRS):
        if not _PROMISING <= fits[0].certainty < _GOOD:
            break
        tried = np.concatenate([running[:_STIRRED], stirred(running[:_STIRRED], profiles, width, height)[:_RUNNING]])
        fits = refine(tried, profiles, tuple(w * scale for w in _STIR_WINDOWS), FAINT, width, height)
        running = np.array([fit.parameters for fit in fits])
    closer = look_across(picture, _corners(fits[0], INNER_EDGE, width, height))
    deep = completed(running[:2], closer, width, height)[:8]
    last = tuple(w * scale for w in _FINE)
    fine = refine(deep, closer, last, FAINT_CREASE, width, height)
    if fine[0].certainty >= _SURELY:
        return fine[0]
    tried = stirred(np.array([fit.parameters for fit in fine[:2]]), closer, width, height)[:_RUNNING]
    again = refine(completed(tried[:4], closer, width, height)[:16], closer, last, FAINT_CREASE, width, height)
    return max(fine[0], again[0], key=lambda fit: fit.score)


def _corners(fit: Fit, layer: int, width: int, height: int) -> Points:
    return np.asarray(nodes(fit.parameters[None], width, height)[0, layer, :, 0])


def _points(corners: Points) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)
