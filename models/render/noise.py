"""Tileable noise, made once, from which all grounds are woven."""

import functools

import cv2
import numpy as np
import numpy.typing as npt

Plane = npt.NDArray[np.float32]
TILE = 512
POOL_SEED = 20240917


@functools.cache
def tile(name: str) -> Plane:
    """A tile (512, 512) that repeats without a seam, values 0..1, about even."""
    rng = np.random.default_rng([POOL_SEED, sum(map(ord, name))])
    if name == "cloud":
        return _spectral(rng, 1.9, 1.0, 0, 1)
    if name == "rough":
        return _spectral(rng, 1.1, 1.0, 0.01, 1)
    if name == "fine":
        return _spectral(rng, 0.0, 1.0, 0.15, 1)
    if name == "grain":
        return _spectral(rng, 1.0, 14.0, 0.004, 1)
    if name == "streak":
        return _spectral(rng, 0.4, 40.0, 0.02, 1)
    if name == "blotch":
        return _spectral(rng, 0.2, 1.0, 0.02, 0.07)
    if name == "fibre":
        return _fibres(rng)
    if name == "cells":
        return _cells(rng)
    raise KeyError(name)


def sample(name: str, size: tuple[int, int], step: float, turn: float, origin: tuple[float, float]) -> Plane:
    """The tile over a window (height, width): `step` texels a pixel, turned by `turn` radians, from `origin`."""
    c, s = np.cos(turn) * step, np.sin(turn) * step
    m = np.array([[c, -s, origin[0]], [s, c, origin[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    source = tile(name) if step < 1.6 else _shrunk(name, int(np.log2(step) + 0.4))
    if source.shape[0] != TILE:
        m = m * (source.shape[0] / TILE)
    out = cv2.warpAffine(source, m, (size[1], size[0]), flags=flags, borderMode=cv2.BORDER_WRAP)
    return np.asarray(out, np.float32)


@functools.cache
def _shrunk(name: str, halvings: int) -> Plane:
    t = tile(name)
    side = max(8, TILE >> halvings)
    return np.asarray(cv2.resize(t, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def _even(values: npt.NDArray[np.float64]) -> Plane:
    """Ranks mapped so that the values are near even in 0..1."""
    z = (values - values.mean()) / values.std()
    return np.asarray(1 / (1 + np.exp(-1.7 * z)), np.float32)


def _spectral(rng: np.random.Generator, beta: float, stretch: float, low: float, high: float) -> Plane:
    """White noise filtered to 1/f^beta between `low` and `high` (share of Nyquist), drawn out along x."""
    fx = np.fft.fftfreq(TILE)[None, :] * 2 * stretch
    fy = np.fft.fftfreq(TILE)[:, None] * 2
    f = np.sqrt(fx**2 + fy**2)
    gain = np.where((f >= max(low, 1e-6)) & (f <= high), np.maximum(f, 1e-3) ** -beta, 0)
    spectrum = np.fft.fft2(rng.normal(size=(TILE, TILE))) * gain
    return _even(np.real(np.fft.ifft2(spectrum)))


def _fibres(rng: np.random.Generator) -> Plane:
    """Short threads lying over each other."""
    big = np.full((TILE * 2, TILE * 2), 0.5, np.float32)
    for _ in range(9000):
        x, y = rng.uniform(TILE * 0.5, TILE * 1.5, 2)
        turn, length, bend = rng.uniform(0, 2 * np.pi), rng.uniform(8, 40), rng.normal(0, 0.5)
        t = np.linspace(-0.5, 0.5, 5)
        a = turn + bend * t
        px, py = x + length * t * np.cos(a), y + length * t * np.sin(a)
        shade = float(rng.uniform(0, 1))
        for dx in (-TILE, 0, TILE):
            for dy in (-TILE, 0, TILE):
                pts = np.stack([px + dx, py + dy], axis=1)
                if ((pts > TILE / 2 - 3) & (pts < TILE * 1.5 + 3)).all(axis=1).any():
                    cv2.polylines(big, [(pts * 8).astype(np.int32)], False, (shade,), 1, cv2.LINE_AA, 3)
    cut = big[TILE // 2 : TILE * 3 // 2, TILE // 2 : TILE * 3 // 2]
    return np.asarray(cut, np.float32)


def _cells(rng: np.random.Generator) -> Plane:
    """Distance to the nearest of scattered points: leather, pebbles, crumbs."""
    seeds = np.ones((TILE, TILE), np.uint8)
    for x, y in rng.integers(0, TILE, (420, 2)):
        seeds[y, x] = 0
    tiled = np.tile(seeds, (3, 3))
    d = cv2.distanceTransform(tiled, cv2.DIST_L2, 5)[TILE : 2 * TILE, TILE : 2 * TILE]
    return np.asarray(np.clip(d / 22, 0, 1), np.float32)
