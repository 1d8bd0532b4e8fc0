"""Boards to begin a fit with: all that have one edge about an octagon that was seen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from vision.board_fit import FAINT, FAINT_CREASE, evidence_of, score_at, score_of, widened
from vision.board_model import (
    BEFORE,
    DEPTH,
    FLOOR,
    FLOOR_EDGE,
    FOCAL,
    INNER_EDGE,
    OUTER,
    OUTER_EDGE,
    SIZE,
    TILT_X,
    TILT_Y,
    TURN,
    Floats,
    X,
    Y,
    outlines,
    ratios,
    rim_middle,
    rotations,
)
from vision.board_step import PARAMETERS
from vision.octagon import Points
from vision.octagon_search import golden_steps, octagons_about
from vision.side_profiles import Profiles

_TILTS = [(0.0, 0.0)] + [
    (float(np.radians(tilt) * np.cos(way)), float(np.radians(tilt) * np.sin(way)))
    for tilt in (9.0, 18.0, 27.0)
    for way in np.arange(12) * np.pi / 6
]
_KEPT = 80  # boards by their felt that are tried with every rim
_OUTERS = (1.05, 1.08, 1.12, 1.16, 1.2, 1.25, 1.3, 1.36, 1.42, 1.5, 1.58)
_DEPTHS = (0.13, 0.2, 0.3)
_ALL_OUTERS = np.arange(1.03, 1.66, 0.02)
_ALL_INNERS = np.arange(-0.22, 0.16, 0.02)  # log of how much wider the opening may be than it was taken for
_ALL_DEPTHS = np.linspace(0.08, 0.38, 16)
_STIRRED = 150
_DIFFERS = 0.6  # of the numbers of a board that is bred
_PARENTS = 40
_LEAST_ALONG, _ALONG, _ASIDE = 0.3, 1.2, 0.15  # how far a child goes as two parents differ, and beside that
Generations = tuple[tuple[float, int, int], ...]
"""How far children are spread, within how many samples an edge counts, and how many each parent has."""
WIDER: Generations = ((1.0, 9, 300), (0.6, 7, 20), (0.4, 7, 20), (0.25, 5, 20), (0.15, 5, 20), (0.08, 3, 20))
NEARER: Generations = ((0.5, 7, 300), (0.35, 5, 40), (0.25, 5, 40), (0.15, 5, 40), (0.1, 3, 40), (0.05, 3, 40))
_BREED = np.array([0.3, 0.06, 0.16, 0.16, 0.07, 0.07, 0.07, 0.04, 0.12, 0.012, 0.1])  # of all; middle in sizes
_STIR = np.array([0.07, 0.07, 0.16, 0.16, 0.06, 0.07, 0.12, 0.08])  # of middle (two), tilts, turn, size, outer, depth
_FROM_FELT = 24
_FLOORS = (0.98, 0.995, 1.005)


def first_fits(profiles: Profiles, corners: Points, width: int, height: int) -> Floats:
    """Parameters (n × 11) of boards of which one edge is an octagon seen about `corners`, the best supported first.

    Two ways, since each misses some: octagons that are seen, taken for any edge; and every tilt with the felt seen,
    or one edge of the rim, put on the corners themselves.
    """
    evidence = evidence_of(profiles, FAINT)
    wide = widened(evidence, 9)
    seen, _ = octagons_about(corners, profiles, evidence[INNER_EDGE], width, height)
    deep = _each(seen, (DEPTH,), _DEPTHS)
    felts = np.concatenate(
        [
            deep,
            _as_floor(deep, width, height),
            _tilted(corners, (FLOOR_EDGE,), _DEPTHS, width, height),
            _tilted(corners, (FLOOR_EDGE, INNER_EDGE), _DEPTHS, width, height),
            _tilted(corners, (INNER_EDGE,), _DEPTHS[1:2], width, height),
        ]
    )
    of_felt = wide.copy()
    of_felt[OUTER_EDGE] = 0
    felts = felts[np.argsort(-score_of(felts, of_felt, profiles, width, height, 1)[0])[:_KEPT]]
    rims = np.concatenate([seen, _tilted(corners, (INNER_EDGE,), _DEPTHS[1:2], width, height)])
    tried = np.concatenate([_each(felts, (OUTER,), _OUTERS), _as_outer(_each(rims, (OUTER,), _OUTERS))])
    return tried[np.argsort(-score_of(tried, wide, profiles, width, height, 1)[0])]


def felt_fits(profiles: Profiles, felt: Points, width: int, height: int) -> Floats:
    """Boards (n × 11) in every tilt and with every rim whose floor is this octagon, the best supported first."""
    evidence = widened(evidence_of(profiles, FAINT_CREASE), 5)
    tried = _each(_tilted(felt, (FLOOR_EDGE,), _DEPTHS, width, height), (OUTER,), _OUTERS)
    return tried[np.argsort(-score_of(tried, evidence, profiles, width, height, 1)[0])[:_FROM_FELT]]


def completed(p: Floats, profiles: Profiles, width: int, height: int) -> Floats:
    """Fits (n × 11) with every rim, depth and width of the floor that boards have, the best supported first.

    Either edge of the rim may be the one that was taken for something else: a line in the wood, the floor's edge.
    """
    evidence = widened(evidence_of(profiles, FAINT_CREASE), 5)
    of_rim = evidence.copy()
    of_rim[FLOOR_EDGE] = 0
    rims = np.concatenate([p, _each(p, (OUTER,), _ALL_OUTERS), _reopened(p)])
    rims = rims[np.argsort(-score_of(rims, of_rim, profiles, width, height)[0])[: 4 * len(p)]]
    floors = _each(np.concatenate([p, rims]), (DEPTH, FLOOR), tuple(product(_ALL_DEPTHS, _FLOORS)))
    return floors[np.argsort(-score_of(floors, evidence, profiles, width, height)[0])]


def evolved(
    p: Floats,
    profiles: Profiles,
    width: int,
    height: int,
    generations: Generations = WIDER,
    agreed: Callable[[Floats], Floats] | None = None,
    trusted: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> Floats:
    """The best supported boards (n × 11) about some first ones, each generation nearer about the best of the last.

    Grain and stripes have edges everywhere: only a whole board is on many edges at once. `agreed` adds to the
    support; `trusted` is how much each edge counts.
    """
    evidence = evidence_of(profiles, FAINT if generations is WIDER else FAINT_CREASE)
    evidence = evidence * np.array(trusted)[:, None, None]
    for share, samples, children in generations:
        grown = _spread(p, children, share) if generations is WIDER else _bred(p, children, share)
        tried = np.concatenate([p, grown])
        ratio = ratios(tried, profiles, width, height, 1)
        score = score_at(ratio, tried, widened(evidence, samples), profiles)[0]
        if agreed is not None:
            score = score + agreed(ratio)
        p = tried[np.argsort(-score)[:_PARENTS]]
    return p


def stirred(p: Floats, profiles: Profiles, width: int, height: int) -> Floats:
    """Boards spread about each fit (n × 11), the best supported first: to get out of a poor one nearby."""
    tried = _spread(p, _STIRRED, 1.0)
    evidence = widened(evidence_of(profiles, FAINT), 7)
    return tried[np.argsort(-score_of(tried, evidence, profiles, width, height, 1)[0])]


def _spread(p: Floats, count: int, share: float) -> Floats:
    """`count` boards spread evenly about each (n × 11)."""
    even = (0.5 + np.arange(count)[:, None] * golden_steps(8)) % 1.0
    size = np.exp(p[:, SIZE])
    tried = np.repeat(p, count, axis=0)
    off = np.tile(2 * even - 1, (len(p), 1)) * _STIR * share
    tried[:, [TILT_X, TILT_Y, TURN, SIZE, OUTER, DEPTH]] += off[:, 2:]
    tried[:, [X, Y]] += off[:, :2] * np.repeat(size, count)[:, None]
    tried[:, OUTER] = np.maximum(tried[:, OUTER], 1.03)
    tried[:, DEPTH] = np.maximum(tried[:, DEPTH], 0.06)
    return tried


def _bred(p: Floats, count: int, share: float) -> Floats:
    """`count` boards about each (n × 11) that differ from it in some of their numbers, each in others."""
    even = (0.5 + np.arange(count)[:, None] * golden_steps(2 * PARAMETERS)) % 1.0
    off = (2 * even[:, :PARAMETERS] - 1) * _BREED * share * (even[:, PARAMETERS:] < _DIFFERS)
    tried = np.repeat(p, count, axis=0)
    off = np.tile(off, (len(p), 1))
    off[:, [X, Y]] *= np.exp(tried[:, SIZE])[:, None]
    if len(p) == _PARENTS:  # every other one goes along what the edges cannot tell apart: as two parents differ
        way = (0.5 + np.arange(len(tried))[:, None] * golden_steps(3)) % 1.0
        one, other = (way[:, :2] * len(p)).astype(int).T
        along = (p[one] - p[other]) * (_LEAST_ALONG + _ALONG * way[:, 2:])
        off[::2] = along[::2] + _ASIDE * off[::2]
    tried += off
    tried[:, OUTER] = np.maximum(tried[:, OUTER], 1.03)
    tried[:, DEPTH] = np.maximum(tried[:, DEPTH], 0.06)
    return tried


def _each(p: Floats, columns: tuple[int, ...], values: object) -> Floats:
    """Every board (n × 11) with every one of the values in those columns."""
    listed = np.array(values, np.float64).reshape(-1, len(columns))
    grown = np.repeat(p, len(listed), axis=0)
    grown[:, list(columns)] = np.tile(listed, (len(p), 1))
    return grown


def _reopened(p: Floats) -> Floats:
    """The boards with every opening, their rim's outer edge held where it is."""
    wider = np.tile(_ALL_INNERS, len(p))
    tried = np.repeat(p, len(_ALL_INNERS), axis=0)
    tried[:, SIZE] += wider
    tried[:, OUTER] *= np.exp(-wider)
    tried[:, DEPTH] *= np.exp(-wider)
    return np.asarray(tried[tried[:, OUTER] > _ALL_OUTERS[0]])


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


def _tilted(corners: Points, layers: tuple[int, ...], depths: tuple[float, ...], width: int, height: int) -> Floats:
    """Boards in every tilt of which the mean of these edges has the middle, size and turn of the octagon."""
    start = np.zeros((1, 11))
    start[:, [FOCAL, OUTER, FLOOR]] = BEFORE[FOCAL][0], BEFORE[OUTER][0], BEFORE[FLOOR][0]
    p = _each(start, (TILT_X, TILT_Y, DEPTH), [(*tilt, depth) for tilt, depth in product(_TILTS, depths)])
    middle = corners.mean(axis=0)
    arm = corners - middle
    p[:, [X, Y]] = middle
    p[:, SIZE] = np.log(np.hypot(*arm.T).mean() * np.cos(np.pi / 8))
    for _ in range(3):
        there = outlines(p, width, height, layers).mean(axis=1)
        p[:, [X, Y]] += middle - there.mean(axis=1)
        there -= there.mean(axis=1, keepdims=True)
        p[:, SIZE] += np.log(np.hypot(*arm.T).mean() / np.hypot(there[..., 0], there[..., 1]).mean(axis=1))
        cross = (there[..., 0] * arm[:, 1] - there[..., 1] * arm[:, 0]).sum(axis=1)
        p[:, TURN] += np.arctan2(cross, (there * arm).sum(axis=(1, 2)))
    return p
