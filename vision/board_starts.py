"""Boards to begin a fit with: all that have one edge about an octagon that was seen."""

from __future__ import annotations

from itertools import product

import numpy as np

from vision.board_fit import FAINT, FAINT_CREASE, evidence_of, score_of, widened
from vision.board_model import DEPTH, FLOOR, FOCAL, INNER_EDGE, OUTER, SIZE, Floats, X, Y, rim_middle, rotations
from vision.octagon import Points
from vision.octagon_search import octagons_about
from vision.side_profiles import Profiles

_OUTERS = (1.05, 1.08, 1.12, 1.16, 1.2, 1.25, 1.3, 1.36, 1.42, 1.5, 1.58)
_DEPTHS = (0.13, 0.2, 0.3)
_ALL_OUTERS = np.arange(1.03, 1.66, 0.02)
_ALL_DEPTHS = np.linspace(0.08, 0.38, 16)
_FLOORS = (0.98, 0.995, 1.005)


def first_fits(profiles: Profiles, corners: Points, width: int, height: int) -> Floats:
    """Parameters (n × 11) of boards of which one edge is an octagon seen about `corners`, the best supported first."""
    evidence = evidence_of(profiles, FAINT)
    seen = octagons_about(corners, profiles, evidence[INNER_EDGE], width, height)
    depths = _each(seen, (DEPTH,), _DEPTHS)
    tried = np.concatenate(
        [
            _each(depths, (OUTER,), _OUTERS),
            _as_outer(_each(seen, (OUTER,), _ALL_OUTERS)),
            _each(_as_floor(depths, width, height), (OUTER,), _OUTERS),
        ]
    )
    return tried[np.argsort(-score_of(tried, widened(evidence, 7), profiles, width, height, 1)[0])]


def completed(p: Floats, profiles: Profiles, width: int, height: int) -> Floats:
    """Fits (n × 11) with every rim, depth and width of the floor that boards have, the best supported first."""
    evidence = widened(evidence_of(profiles, FAINT_CREASE), 5)
    rims = np.concatenate([p, _each(p, (OUTER,), _ALL_OUTERS)])
    rims = rims[np.argsort(-score_of(rims, evidence, profiles, width, height)[0])[: 2 * len(p)]]
    floors = _each(rims, (DEPTH, FLOOR), tuple(product(_ALL_DEPTHS, _FLOORS)))
    return floors[np.argsort(-score_of(floors, evidence, profiles, width, height)[0])]


def _each(p: Floats, columns: tuple[int, ...], values: object) -> Floats:
    """Every board (n × 11) with every one of the values in those columns."""
    listed = np.array(values, np.float64).reshape(-1, len(columns))
    grown = np.repeat(p, len(listed), axis=0)
    grown[:, list(columns)] = np.tile(listed, (len(p), 1))
    return grown


def _as_outer(p: Floats) -> Floats:
    """The boards whose rim's outer edge is what was taken for its inner edge."""
    smaller = p.copy()
    smaller[:, SIZE] -= np.log(p[:, OUTER])
    return smaller


def _as_floor(p: Floats, width: int, height: int) -> Floats:
    """The boards whose floor is what was taken for the rim's inner edge."""
    middle = rim_middle(p, width, height) * p[:, FLOOR, None] - rotations(p)[:, :, 2] * p[:, DEPTH, None]
    focal = np.exp(p[:, FOCAL]) * width
    raised = p.copy()
    raised[:, SIZE] = np.log(focal / middle[:, 2])
    raised[:, [X, Y]] = middle[:, :2] / middle[:, 2:] * focal[:, None] + np.array([(width - 1) / 2, (height - 1) / 2])
    return raised
