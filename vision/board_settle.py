"""Puts a board on the edges that the edge net tells, where it is sure of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.board_edges import told_edges
from vision.board_fit import FAINT_CREASE, Fit, refine
from vision.board_hint import Hint
from vision.board_model import INNER_EDGE, Floats, outlines, ratios
from vision.board_step import slopes, stepped
from vision.frame import Picture
from vision.side_profiles import Profiles, look_across

_WINDOWS = (6.0, 5.0, 4.0, 3.0, 3.0, 3.0)  # pixels at 1280 wide, searched about each edge
_ROUNDS = 6
_ROBUST = 2.0  # of the edges' px: those further off count less and less
_AGREED = 1.5  # of the edges' px, that a board in agreement lies off
TOLD = 1.0  # of the score, that agreeing with the edges told counts


def followed(picture: Picture, p: Floats) -> Floats:
    """The board (11,) moved to where the edges about it are told."""
    height, width = picture.shape[:2]
    corners = outlines(p[None], width, height)[0, INNER_EDGE]
    return on_edges(p, told_edges(picture, corners), look_across(picture, corners), width, height)


def settled(picture: Picture, p: Floats) -> Fit:
    """The board (11,) fitted to the edges seen near those told; `Fit.told` says how well it agrees with them."""
    height, width = picture.shape[:2]
    near = followed(picture, p)
    corners = outlines(near[None], width, height)[0, INNER_EDGE]
    told, profiles = told_edges(picture, corners), look_across(picture, corners)
    starts = np.array([p, near, on_edges(near, told, profiles, width, height)])
    windows = tuple(window * width / 1280 for window in _WINDOWS)
    fits = refine(starts, profiles, windows, FAINT_CREASE, width, height, told)
    fits += refine(p[None], profiles, (), FAINT_CREASE, width, height)  # as it was
    ratio = ratios(np.array([fit.parameters for fit in fits]), profiles, width, height)
    agreed = _agreement(told, ratio, profiles, width)
    fits = [replace(fit, told=tuple(map(float, share))) for fit, share in zip(fits, agreed, strict=True)]
    return max(fits, key=lambda fit: fit.score + TOLD * float(np.mean(fit.told)))


def _agreement(told: Hint, ratio: Floats, profiles: Profiles, width: int) -> Floats:
    """0 … 1 for each edge (n × 3) of boards by where their edges meet the rays: how surely it is told to lie there."""
    off = (told.ratios - ratio) * profiles.px / (_AGREED * told.px * width / 1280)
    return np.asarray((told.trust * np.exp(-0.5 * off**2)).mean(axis=2))


def on_edges(p: Floats, told: Hint, profiles: Profiles, width: int, height: int) -> Floats:
    """The board begun from `p` (11,) that lies best on the edges told, whatever else is seen."""
    board, spread = p[None], told.px * width / 1280
    for _ in range(_ROUNDS):
        ratio = ratios(board, profiles, width, height)
        off = (told.ratios - ratio) * profiles.px / spread
        slope = slopes(board, ratio, profiles, width, height) / spread
        board = stepped(board, slope, off, told.trust / (1 + (off / _ROBUST) ** 2))
    return np.asarray(board[0])
