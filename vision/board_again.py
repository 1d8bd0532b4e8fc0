"""A known board that was nudged: the same octagons, put on the edges where they lie now."""

from __future__ import annotations

import numpy as np

from vision.board import Board
from vision.board_fit import FAINT_CREASE, Fit, refine
from vision.board_hint import Hint, board_of_hint
from vision.board_model import FLOOR_EDGE, INNER_EDGE, LAYERS, OUTER_EDGE, SIZE, TILT_X, TILT_Y, Floats, outlines
from vision.board_moved import Shift, board_moved
from vision.board_of_fit import board_of
from vision.frame import Picture
from vision.octagon import Points
from vision.side_profiles import look_across, met

_WINDOWS = (8.0, 6.0, 5.0, 4.0, 3.0, 3.0)  # pixels (at 1280 wide) searched about where the edges should lie
_TRUST = 0.6  # in the place that a shift came to: it is measured to a millimetre or two
_CERTAIN = 0.5
_AS_PROMISED_MM = 6.0  # a corner that lies farther from where the shift has it belongs to something else
_VARIED = [(TILT_X, 0.02), (TILT_X, -0.02), (TILT_Y, 0.02), (TILT_Y, -0.02), (SIZE, 0.01), (SIZE, -0.01)]


def board_again(board: Board, picture: Picture, shift: Shift | None = None) -> Board | None:
    """Where a known board lies after a nudge, its millimetres kept; None where it is not seen near its old place.

    `shift` is what `board_moved` told of this picture, where that was asked already.
    """
    shift = board_moved(board, picture) if shift is None else shift
    if board.is_whole or shift.lost:
        return None
    corners = [_moved(board, told, shift) for told in (board.rim, board.inner, board.felt)]
    height, width = picture.shape[:2]
    profiles = look_across(picture, corners[INNER_EDGE])
    there = np.stack([met(ring[None], profiles)[0] for ring in corners])
    hint = Hint(there, np.full((LAYERS, len(profiles.rays)), _TRUST))
    start, _ = board_of_hint(hint, corners[INNER_EDGE], profiles, width, height)
    windows = tuple(window * width / 1280 for window in _WINDOWS)
    fits = refine(_tried(start), profiles, windows, FAINT_CREASE, width, height, hint)
    best = max(fits, key=lambda fit: fit.score)
    if best.certainty < _CERTAIN or _off(best, corners, width, height) > _AS_PROMISED_MM * board.px_per_mm:
        return None
    found = board_of(best, width, height)
    return found and found.measured_as(board)


def _moved(board: Board, corners: object, shift: Shift) -> Points:
    """Corners turned about the middle of the rim and moved as the shift says."""
    points = np.array(corners, np.float64)
    middle = np.array(board.rim).mean(axis=0)
    turn = np.radians(shift.turn_deg)
    c, s = np.cos(turn), np.sin(turn)
    turned = (points - middle) @ np.array([[c, s], [-s, c]])
    return np.asarray(turned + middle + np.array([shift.across_mm, shift.down_mm]) * board.px_per_mm)


def _tried(start: Floats) -> Floats:
    tried = np.repeat(start[None], 1 + len(_VARIED), axis=0)
    for row, (column, off) in enumerate(_VARIED, start=1):
        tried[row, column] += off
    return tried


def _off(fit: Fit, corners: list[Points], width: int, height: int) -> float:
    seen = outlines(fit.parameters[None], width, height)[0]
    return float(max(np.hypot(*(seen[layer] - corners[layer]).T).max() for layer in (OUTER_EDGE, FLOOR_EDGE)))
