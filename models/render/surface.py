"""The level world seen from above as one picture: table, board floor, rim tops, and flat things on them."""

import dataclasses

import cv2
import numpy as np
import numpy.typing as npt

from models.render.grounds import Cloth, Patch, relief_slopes, weave
from models.render.scene import Scene

STEEPEST = 1.5
"""Slope that the full range of the slope texture stands for."""


@dataclasses.dataclass
class Surface:
    """`colours` (H, W, 4) sRGB and gloss, `slopes` (H, W, 2), over a window in world mm; `mean` is linear."""

    colours: npt.NDArray[np.uint8]
    slopes: npt.NDArray[np.uint8]
    x: float
    y: float
    width: float
    height: float
    mean: tuple[float, float, float]


def build_surface(scene: Scene, low: tuple[float, float], high: tuple[float, float], mm: float) -> Surface:
    """Weave the window from `low` to `high` (world mm) at `mm` a texel."""
    size = (int(np.ceil((high[1] - low[1]) / mm)) + 1, int(np.ceil((high[0] - low[0]) / mm)) + 1)
    patch = Patch(size, mm, low[0], low[1])
    cloth = weave(scene.ground, patch)
    gloss = np.full(size, cloth.gloss, np.float32)
    dx, dy = relief_slopes(np.asarray(cloth.relief, np.float32), mm)
    colour = np.clip(cloth.colour, 0.004, 1.0).astype(np.float32)
    rgba = np.dstack([colour, gloss])
    slopes = np.clip(np.dstack([dx, dy]) / STEEPEST * 0.5 + 0.5, 0, 1)
    mean = colour[::4, ::4].reshape(-1, 3).mean(axis=0) ** 2.2
    return Surface(
        (rgba * 255 + 0.5).astype(np.uint8),
        (slopes * 255 + 0.5).astype(np.uint8),
        low[0],
        low[1],
        size[1] * mm,
        size[0] * mm,
        (float(mean[0]), float(mean[1]), float(mean[2])),
    )


def cookie(kind: str, seed: int) -> npt.NDArray[np.uint8]:
    """What stands in the lamp's light: a mask (128, 128), white where the light passes."""
    rng = np.random.default_rng([seed, 5])
    side = 128
    if kind == "none":
        return np.full((side, side), 255, np.uint8)
    m = np.full((side, side), 255, np.uint8)
    if kind == "edge":
        a = rng.uniform(0, 2 * np.pi)
        u = np.array([np.cos(a), np.sin(a)])
        v = np.array([-u[1], u[0]])
        c = side * (0.5 + rng.uniform(-0.2, 0.2, 2))
        quad = np.array([c - v * 200, c + v * 200, c + v * 200 + u * 300, c - v * 200 + u * 300])
        m = np.asarray(cv2.fillPoly(m, [quad.round().astype(np.int32)], 0), np.uint8)
    elif kind == "person":
        c = rng.uniform(0.15, 0.85, 2) * side
        for _ in range(int(rng.integers(2, 5))):
            r = rng.uniform(8, 45, 2).astype(int)
            at = (c + rng.normal(0, 18, 2)).astype(int)
            m = np.asarray(
                cv2.ellipse(m, (int(at[0]), int(at[1])), (int(r[0]), int(r[1])), rng.uniform(0, 180), 0, 360, 0, -1),
                np.uint8,
            )
    elif kind == "bars":
        a = rng.uniform(0, np.pi)
        y, x = np.mgrid[:side, :side]
        d = x * np.cos(a) + y * np.sin(a)
        m = np.where((d / rng.uniform(12, 60)) % 1 < rng.uniform(0.2, 0.7), 255, 0).astype(np.uint8)
    elif kind == "dapple":
        n = cv2.resize(rng.random((12, 12)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
        m = np.clip((n - rng.uniform(0.35, 0.6)) * 900 + 128, 0, 255).astype(np.uint8)
    blur = float(rng.choice([0.6, 1.5, 4.0]))
    return np.asarray(cv2.GaussianBlur(m, (0, 0), blur), np.uint8)


__all__ = ["STEEPEST", "Cloth", "Surface", "build_surface", "cookie"]
