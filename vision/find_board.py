"""Finds the board in a picture by itself."""

from __future__ import annotations

import numpy as np

from vision.board import Board
from vision.board_fit import FAINT, FAINT_CREASE, Fit, first_fits, refine
from vision.board_model import BEND, FLOOR_EDGE, FOCAL, INNER_EDGE, OUTER_EDGE, nodes
from vision.felt_region import guess_boards
from vision.frame import Picture
from vision.octagon import Points
from vision.side_profiles import look_across

_GUESSES = 3
_GOOD = 0.8  # a score that no other guess needs to beat
# how many fits go on, and the pixels searched about each edge (at 1280 wide), step by step
_ROUNDS = ((64, (16.0, 14.0)), (16, (12.0, 10.0, 8.0)), (4, (8.0, 6.0, 5.0)))
_FINE = (6.0, 5.0, 4.0, 3.0, 3.0, 3.0)


def find_board(picture: Picture) -> Board | None:
    """The board in a picture (BGR), or None where none is seen well enough to rely on."""
    fit = best_fit(picture)
    if fit is None:
        return None
    height, width = picture.shape[:2]
    floor, rim = (_in_order(_corners(fit, layer, width, height)) for layer in (FLOOR_EDGE, OUTER_EDGE))
    return Board(
        width,
        height,
        _points(floor),
        _points(rim),
        k1=float(fit.parameters[BEND]),
        focal=float(np.exp(fit.parameters[FOCAL])) * width,
    )


def best_fit(picture: Picture) -> Fit | None:
    """The best supported board in a picture, however poor; None where nothing smooth and round is seen."""
    height, width = picture.shape[:2]
    scale = width / 1280
    best: Fit | None = None
    for guess in guess_boards(picture)[:_GUESSES]:
        profiles = look_across(picture, guess.corners)
        running = first_fits(profiles, guess.corners, width, height)
        for count, windows in _ROUNDS:
            fits = refine(running[:count], profiles, tuple(w * scale for w in windows), FAINT, width, height)
            running = np.array([fit.parameters for fit in fits])
        closer = look_across(picture, _corners(fits[0], INNER_EDGE, width, height))
        fine = refine(running[:1], closer, tuple(w * scale for w in _FINE), FAINT_CREASE, width, height)[0]
        if best is None or fine.score > best.score:
            best = fine
        if best.score >= _GOOD:
            break
    return best


def _corners(fit: Fit, layer: int, width: int, height: int) -> Points:
    return np.asarray(nodes(fit.parameters[None], width, height)[0, layer, :, 0])


def _in_order(corners: Points) -> Points:
    return corners


def _points(corners: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in corners)
