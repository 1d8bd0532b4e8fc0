"""A die's texture: colour, roughness and metal of its six faces, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.second.die_mesh import ATLAS, MARGIN, SIDES
from models.second.noise import Field, SolidNoise
from models.second.pips import nearest
from models.second.solid import Floats
from models.second.styles import Colour, Style

FACE_PX = 64


@dataclass(frozen=True)
class Coat:
    """Linear colour (h, w, 3), roughness and metal (h, w, 1), 0 to 1."""

    colour: Field
    roughness: Field
    metal: Field


def coat(style: Style) -> Coat:
    """The texture of a die of this make, upside up as its texture places count."""
    line = (np.arange(FACE_PX) + 0.5) / FACE_PX * 2 - 1
    x, y = np.meshgrid(line * MARGIN, line * MARGIN)
    rng = np.random.default_rng(style.seed)
    pattern = _Pattern(rng, style)
    shape = (ATLAS[1] * FACE_PX, ATLAS[0] * FACE_PX)
    colour, rough, metal = np.zeros((*shape, 3)), np.full((*shape, 1), style.roughness), np.zeros((*shape, 1))
    worn = SolidNoise(rng, 9.0)
    for side in range(6):
        here = (
            slice(side // ATLAS[0] * FACE_PX, (side // ATLAS[0] + 1) * FACE_PX),
            slice(side % ATLAS[0] * FACE_PX, (side % ATLAS[0] + 1) * FACE_PX),
        )
        space = np.stack([x, y, np.ones_like(x)], -1) @ SIDES[side]
        face = style.values[side]
        inside = np.clip(nearest(style.spots[face - 1], x, y)[0] * FACE_PX / (2 * MARGIN) + 0.5, 0, 1)[..., None]
        if style.wear:
            inside = inside * np.clip(2.2 - style.wear * 2 + 0.6 * worn(space)[..., None], 0.25, 1)
        paint, is_metal = style.paint_of(face)
        colour[here] = (1 - inside) * pattern(space) + inside * np.array(paint)
        rough[here] = (1 - inside) * rough[here] + inside * (0.32 if is_metal else max(style.roughness, 0.3))
        metal[here] = (1 - inside) * (0.25 if style.kind == "pearl" else 0.0) + inside * (0.85 if is_metal else 0.0)
    return Coat(colour.astype(np.float32), rough.astype(np.float32), metal.astype(np.float32))


def plain_coat(colour: Colour, roughness: float, metal: float) -> Coat:
    """A texture of the same size, one colour all over."""
    shape = (ATLAS[1] * FACE_PX, ATLAS[0] * FACE_PX)
    return Coat(*(np.full((*shape, n), v, np.float32) for n, v in ((3, colour), (1, roughness), (1, metal))))


class _Pattern:
    """The body's colour at points of the die (..., 3)."""

    def __init__(self, rng: np.random.Generator, style: Style) -> None:
        self._style = style
        self._coarse, self._fine = SolidNoise(rng, 3.5), SolidNoise(rng, 26.0, waves=24)
        self._grain = rng.normal(size=3) * (1.0, 1.0, 0.15)
        self._specks = float(rng.uniform(1.8, 2.5))
        self._veins = float(rng.uniform(0.5, 1.6))

    def __call__(self, points: Floats) -> Floats:
        first, second = np.array(self._style.colour), np.array(self._style.second)
        part = self._second(points)[..., None]
        dirt = 1 + 0.02 * self._coarse(points)[..., None]
        return np.asarray(np.clip(((1 - part) * first + part * second) * dirt, 0.004, 0.9))

    def _second(self, points: Floats) -> Floats:
        coarse = self._coarse(points)
        if self._style.kind == "marbled":
            return np.asarray(np.exp(-((coarse + 0.25 * self._fine(points) * 0.6) ** 2) / (0.18 * self._veins)))
        if self._style.kind == "pearl":
            return np.asarray(0.5 + 0.5 * np.tanh(coarse * 0.8))
        if self._style.kind == "speckled":
            return np.asarray(np.clip((self._fine(points) - self._specks) * 6, 0, 1))
        if self._style.kind == "wood":
            rings = np.sin(9 * (points @ self._grain) + 1.2 * coarse)
            return np.asarray(0.25 + 0.25 * rings + 0.08 * self._fine(points))
        return np.zeros(points.shape[:-1])
