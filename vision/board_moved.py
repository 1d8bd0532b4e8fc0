"""Notices that a board no longer lies where it was found."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from vision.board import Board
from vision.board_fit import FAINT_CREASE, evidence_of, widened
from vision.board_model import FLOOR_EDGE, INNER_EDGE, OUTER_EDGE, Floats
from vision.frame import Picture
from vision.octagon import Points
from vision.side_profiles import Profiles, look_across, met

_TOLD_MM = 3.8  # measured to a millimetre: every nudge of 5 mm must be noticed
_TOLD_DEG = 1.5
_REACH_MM = 24.0  # a nudge is followed this far; beyond it the board is lost
_STEP_MM = 2.0
_TURNS = np.radians([-4.0, -2.0, 0.0, 2.0, 4.0])
_NEAREST, _FARTHEST = 0.70, 1.22
_COUNTED = 2 / 3  # of the rays, the best: a hand covers some
_LEAST_SEEN = 0.45  # support below which nothing of the board is recognised
_ALIKE = 0.01
_LEAST_LEAD = 0.06  # support that another place must be better by


@dataclass(frozen=True)
class Shift:
    """How far a board was moved: millimetres and degrees clockwise, and the support 0 … 1 its edges have there.

    `mm` is infinite where the board is seen neither at its place nor near it: gone, covered, or in the dark. Else
    `across_mm` and `down_mm` are where it went, as seen.
    """

    mm: float
    turn_deg: float
    seen: float
    across_mm: float = 0.0
    down_mm: float = 0.0

    @property
    def lost(self) -> bool:
        return self.mm == inf

    @property
    def moved(self) -> bool:
        """Whether the board must be found again before a place is told by it."""
        return self.mm >= _TOLD_MM or abs(self.turn_deg) >= _TOLD_DEG


def board_moved(board: Board, picture: Picture) -> Shift:
    """Where the edges of a known board lie in a picture (BGR, of the board's size), as a shift from where they were."""
    if board.is_whole:
        return Shift(0.0, 0.0, 1.0)
    rim = np.array(board.rim, np.float64)
    profiles = look_across(picture, rim, _NEAREST, _FARTHEST)
    evidence = widened(evidence_of(profiles, FAINT_CREASE, float(np.median(profiles.steps))), 5)
    steps = np.arange(-_REACH_MM, _REACH_MM + 1, _STEP_MM)
    across, down, turn = (grid.ravel() for grid in np.meshgrid(steps, steps, _TURNS, indexing="ij"))
    near = np.hypot(across, down) <= _REACH_MM
    across, down, turn = across[near], down[near], turn[near]
    offset = np.stack([across, down], axis=1) * board.px_per_mm
    ways = np.stack([np.cos(turn), -np.sin(turn), np.sin(turn), np.cos(turn)], axis=1).reshape(-1, 2, 2)
    support = np.zeros((len(turn), len(profiles.rays)))
    for corners, layer, share in (
        (board.rim, OUTER_EDGE, 0.4),
        (board.inner, INNER_EDGE, 0.4),
        (board.felt, FLOOR_EDGE, 0.2),
    ):
        octagons = _shifted(np.array(corners, np.float64), ways, offset, profiles)
        support += share * _support(octagons, layer, evidence, profiles)
    counted = round(_COUNTED * support.shape[1])
    score = np.sort(support, axis=1)[:, -counted:].mean(axis=1)
    here = int(np.flatnonzero((across == 0) & (down == 0) & (turn == 0))[0])
    best = int(np.argmax(score))
    if score[best] < _LEAST_SEEN:
        return Shift(inf, 0.0, float(score[best]))
    if score[best] < score[here] + _LEAST_LEAD:
        return Shift(0.0, 0.0, float(score[here]))
    alike = score >= score[best] - _ALIKE  # the middle of all places that are as good
    x, y = float(across[alike].mean()), float(down[alike].mean())
    return Shift(float(np.hypot(x, y)), float(np.degrees(turn[alike].mean())), float(score[best]), x, y)


def _shifted(corners: Points, ways: Floats, offset: Points, profiles: Profiles) -> Floats:
    """The octagon (8 × 2) turned about the profiles' middle and moved, n × 8 × 2, from that middle."""
    return np.asarray((corners - profiles.middle) @ ways.transpose(0, 2, 1) + offset[:, None])


def _support(corners: Floats, layer: int, evidence: Floats, profiles: Profiles) -> Floats:
    """Evidence (n × 24) where each ray meets the side of each octagon (n × 8 × 2, from the profiles' middle)."""
    at = met(corners + profiles.middle, profiles)
    index = np.rint((at - profiles.ratios[0]) / profiles.spacing).astype(int)
    inside = (index >= 0) & (index < len(profiles.ratios))
    found = evidence[layer, np.arange(len(profiles.rays)), np.clip(index, 0, len(profiles.ratios) - 1)]
    return np.asarray(found * inside)
