"""Where the trained net sees the edges of a board, as places on the rays of a fit, and boards fitted to them alone."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.board_model import (
    BEFORE,
    DEPTH,
    FLOOR,
    FOCAL,
    OUTER,
    SIZE,
    TILT_X,
    TILT_Y,
    TURN,
    Floats,
    X,
    Y,
    ratios,
)
from vision.board_net import BoardMaps
from vision.board_step import PARAMETERS, slopes, stepped, usual
from vision.felt_region import octagon_of
from vision.octagon import Points, turn_of
from vision.side_profiles import Profiles

_GROWN = 4  # a map's cells are split so finely to be outlined
_STEEP = 0.8  # of a logit to a cell: an edge of the map with this slope is surely meant; it was trained to 1.7
_ROBUST_PX = 6.0  # at 1280 wide
_TILTS = [(0.0, 0.0)] + [(0.22 * float(np.cos(way)), 0.22 * float(np.sin(way))) for way in np.arange(6) * np.pi / 3]
_ROUNDS = 8
_NEAR, _FAR, _LEAST_TRUST = 0.9, 0.15, 0.2  # of a hint's px, within which an edge counts in full; what is left far off
_AGREED = 2.25  # of a hint's px, that a board in agreement lies off


@dataclass(frozen=True, eq=False)
class Hint:
    """For each edge and ray (3 × 24) of some profiles the ratio where a net sees it, and its trust 0 … 1.

    `px`: how far off it lies, about, in pixels of a picture 1280 wide.
    """

    ratios: Floats
    trust: Floats
    px: float = 8.0


def outline(maps: BoardMaps) -> Points | None:
    """The octagon (8 × 2, pixels) of the rim's inner edge in a net's maps; None where they show none."""
    inner = maps.logits[1]
    height, width = inner.shape
    grown = cv2.resize(inner, (width * _GROWN, height * _GROWN), interpolation=cv2.INTER_LINEAR)
    corners = octagon_of(np.asarray(grown > 0, np.uint8))
    if corners is None:
        return None
    return np.asarray((corners.corners + 0.5) / _GROWN * np.array(maps.scale) - 0.5)


def hint_of(maps: BoardMaps, profiles: Profiles) -> Hint:
    """Where each ray leaves what the maps hold for floor, opening and rim."""
    along = profiles.ratios
    places = profiles.middle + profiles.rays[:, None] * along[None, :, None]
    cells = ((places + 0.5) / np.array(maps.scale) - 0.5).astype(np.float32)
    found, trust = np.empty((3, len(places))), np.empty((3, len(places)))
    step_px = profiles.spacing * profiles.px
    for layer, logits in enumerate(maps.logits):
        values = cv2.remap(logits, cells[..., 0], cells[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        inside = values > 0
        last = values.shape[1] - 1 - np.argmax(inside[:, ::-1], axis=1)
        last = np.minimum(last, values.shape[1] - 2)
        rows = np.arange(len(values))
        before, after = values[rows, last], values[rows, last + 1]
        part = before / np.maximum(before - after, 1e-6)
        found[layer] = along[last] + np.clip(part, 0, 1) * profiles.spacing
        around = np.clip(last + np.array([[-3], [4]]), 0, values.shape[1] - 1)
        slope = (values[rows, around[0]] - values[rows, around[1]]) / (7 * step_px) * float(np.mean(maps.scale))
        crossed = inside.any(axis=1) & ~inside[:, -1] & (before > 0) & (after <= 0)
        trust[layer] = crossed * np.clip(slope / _STEEP, 0, 1)
    return Hint(found, trust)


def board_of_hint(hint: Hint, corners: Points, profiles: Profiles, width: int, height: int) -> tuple[Floats, float]:
    """The board (11,) that fits the hint best, begun from the octagon it was seen about, and its error in pixels."""
    p: Floats = np.zeros((len(_TILTS), PARAMETERS))
    for column in (FOCAL, OUTER, FLOOR, DEPTH):
        p[:, column] = BEFORE[column][0]
    arm = corners - corners.mean(axis=0)
    p[:, [TILT_X, TILT_Y]] = _TILTS
    p[:, [X, Y]], p[:, TURN] = corners.mean(axis=0), turn_of(corners)
    p[:, SIZE] = np.log(np.hypot(*arm.T).mean() * np.cos(np.pi / 8))
    robust = _ROBUST_PX * width / 1280
    for step in range(_ROUNDS):
        ratio = ratios(p, profiles, width, height)
        if step % 2 == 0:  # they change little in a step
            slope = slopes(p, ratio, profiles, width, height) / robust
        residual = (hint.ratios - ratio) * profiles.px / robust
        p = stepped(p, slope, residual, hint.trust / (1 + residual**2))
    off = np.abs(hint.ratios - ratios(p, profiles, width, height)) * profiles.px
    capped = np.minimum(off, 4 * robust)
    error = (capped * hint.trust).sum(axis=(1, 2)) / max(1e-6, float(hint.trust.sum()))
    middle, firm = usual()
    odd = ((p - middle) * firm) ** 2
    best = int(np.argmin(error + 0.05 * odd.sum(axis=1)))
    return p[best], float(error[best])


def drawn_near(evidence: Floats, hint: Hint, profiles: Profiles, width: int) -> Floats:
    """The evidence (3 × 24 × samples), less where it lies far from what the hint says."""
    spread = _NEAR * hint.px * width / 1280 / np.maximum(hint.trust, _LEAST_TRUST)
    off = (profiles.ratios - hint.ratios[..., None]) * profiles.px[:, None] / spread[..., None]
    near = _FAR + (1 - _FAR) * np.exp(-0.5 * off**2)
    return np.asarray(evidence * np.where(hint.trust[..., None] > 0, near, 1.0))


def agreement(hint: Hint, ratio: Floats, profiles: Profiles, width: int) -> Floats:
    """0 … 1 for each board by where its edges meet the rays (n × 3 × 24): how well they lie where the hint has them."""
    off = (hint.ratios - ratio) * profiles.px / (_AGREED * hint.px * width / 1280)
    told = max(1.0, float(hint.trust.sum()))
    return np.asarray((hint.trust * np.exp(-0.5 * off**2)).sum(axis=(1, 2)) / told)
