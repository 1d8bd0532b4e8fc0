"""Strips across the sides of rendered boards with where their three edges lie, as the edge net is trained on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.boards.rings import RINGS, BadLabels
from vision.board_strips import WIDTH, Floats, strips_of
from vision.octagon import signed_area
from vision.side_profiles import PIECES

Array = npt.NDArray[np.float64]
VARIANTS = 8
_FAR_OFF = 0.3
"""Share of octagons that are far from the board's opening, as a fit is that took another edge for it."""
_OFF, _FAR = 0.012, 0.06
"""How far the octagon lies off, as a share of its size."""


def load(folders: Sequence[Path], seed: int) -> tuple[npt.NDArray[np.float16], Floats]:
    """Strips (n × PLANES × RAYS × SAMPLES) and edges (n × 3 × RAYS) of all boards of some folders, `VARIANTS` of each.

    Raises BadLabels, OSError and ValueError.
    """
    rng = np.random.default_rng(seed)
    strips, edges = [], []
    for folder in folders:
        for label in json.loads((folder / "labels.json").read_text("utf-8"))["images"]:
            if label["board_px"] is None:
                continue
            for shown, places in strips_about(folder, label, VARIANTS, rng):
                strips.append(shown.astype(np.float16))
                edges.append(places)
    if not strips:
        raise BadLabels("None of the folders holds a board.")
    return np.stack(strips), np.stack(edges)


def strips_about(
    folder: Path, label: dict[str, Any], count: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """So many strips (PLANES × RAYS × SAMPLES) of one labelled picture, and the ratios (3 × RAYS) of its edges."""
    file = folder / label["image"]
    picture = cv2.imread(str(file))
    if picture is None:
        raise BadLabels(f"{file} is no picture.")
    if missing := [name for name in RINGS if name not in label["board_px"]]:
        raise BadLabels(f"{folder} does not tell the {missing[0]} of {file.name}: render it anew.")
    factor = min(1.0, WIDTH / picture.shape[1])
    if factor < 1:
        picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    rings = [_clockwise(np.array(label["board_px"][name], np.float64) * factor - 0.5) for name in RINGS]
    rings = [_from_same(ring, rings[1]) for ring in rings]
    for _ in range(count):
        corners = disturbed(rings[1], rng)
        yield strips_of(np.asarray(picture, np.uint8), corners), edges_on(rings, corners)


def disturbed(corners: Array, rng: np.random.Generator) -> Array:
    """The octagon as a fit may have it: a little off, or far."""
    off = _FAR if rng.random() < _FAR_OFF else _OFF
    middle = corners.mean(axis=0)
    size = float(np.hypot(*(corners - middle).T).mean())
    turn = rng.normal(0, off)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    linear = spin @ np.diag(np.exp(rng.normal(0, off) + rng.normal(0, off / 3, 2)))
    lean = 1 + (corners - middle) @ rng.normal(0, off / 2, 2) / size
    return np.asarray((corners - middle) @ linear.T / lean[:, None] + middle + rng.normal(0, off / 2, 2) * size)


def edges_on(rings: list[Array], corners: Array) -> Floats:
    """The ratios (3 × RAYS) at which the rays of an octagon meet the rings."""
    middle = corners.mean(axis=0)
    share = ((np.arange(PIECES) + 0.5) / PIECES)[None, :, None]
    rays = (corners[:, None] + share * (np.roll(corners, -1, axis=0) - corners)[:, None]).reshape(-1, 2) - middle
    return np.array([_met(ring - middle, rays) for ring in rings], np.float32)


def _met(ring: Array, rays: Array) -> Array:
    """The ratio at which each ray from the origin leaves a convex ring."""
    along = np.roll(ring, -1, axis=0) - ring
    across = rays[:, :1] * along[:, 1] - rays[:, 1:] * along[:, 0]  # rays × sides
    offset = ring[:, 0] * along[:, 1] - ring[:, 1] * along[:, 0]
    ratio = np.where(np.abs(across) > 1e-9, offset / np.where(np.abs(across) > 1e-9, across, 1), np.inf)
    return np.asarray(np.where(ratio > 0, ratio, np.inf).min(axis=1))


def _clockwise(corners: Array) -> Array:
    return corners if signed_area(corners) > 0 else corners[::-1]


def _from_same(ring: Array, other: Array) -> Array:
    """The ring, told from the corner nearest to the other's first."""
    return np.roll(ring, -int(np.argmin(np.hypot(*(ring - other[0]).T))), axis=0)
