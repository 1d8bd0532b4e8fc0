"""What else lies about: coasters, coins, chalk, glasses, and an arm that reaches in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.second.solid import Floats, Mesh, joined, tube, turned
from models.second.styles import Colour


@dataclass(frozen=True)
class Thing:
    """One lying thing; `clear` ones are of glass in that colour, others painted. `reach` is its radius in mm."""

    name: str
    mesh: Mesh
    colour: Colour
    roughness: float
    metal: float = 0.0
    clear: bool = False
    reach: float = 0.0


def coaster(rng: np.random.Generator, x: float, y: float, ground: float, height: float) -> list[Thing]:
    """A round beer mat with a printed ring."""
    r = float(rng.uniform(44, 53))
    colours: list[Colour] = [(0.55, 0.5, 0.42), (0.45, 0.03, 0.03), (0.03, 0.09, 0.28), (0.5, 0.36, 0.06)]
    a, b = (colours[i] for i in rng.permutation(len(colours))[:2])
    mat = turned([(r, 0), (r, height - 0.2), (r - 0.2, height), (0, height)], 64)
    ring = turned([(r * 0.8, height + 0.06), (r * 0.62, height + 0.06)], 64)
    here = np.array([x, y, ground])
    return [
        Thing("coaster", mat.moved(np.eye(3), here), a, 0.8, reach=r),
        Thing("print", ring.moved(np.eye(3), here), b, 0.8, reach=r),
    ]


def coin(rng: np.random.Generator, x: float, y: float, ground: float) -> Thing:
    r, h = float(rng.uniform(8.1, 12.9)), float(rng.uniform(1.7, 2.3))
    profile = [
        (r, 0),
        (r, h),
        (r - 0.9, h),
        (r - 1.3, h - 0.25),
        (r * 0.6, h - 0.2),
        (r * 0.55, h - 0.05),
        (0, h - 0.1),
    ]
    colour = (0.62, 0.42, 0.16) if rng.random() < 0.5 else (0.55, 0.55, 0.54)
    return Thing("coin", turned(profile, 48).moved(np.eye(3), (x, y, ground)), colour, 0.3, 1.0, reach=r)


def chalk(rng: np.random.Generator, x: float, y: float, ground: float) -> Thing:
    half, r = float(rng.uniform(14, 32)), float(rng.uniform(4.0, 5.5))
    way = rng.uniform(0, 2 * np.pi)
    line = np.array([-1, -0.999, 0.999, 1])[:, None] * half * np.array([np.cos(way), np.sin(way), 0])
    path = line + np.array([x, y, ground + r])
    return Thing("chalk", tube(path, np.array([0, r, r, 0])), (0.78, 0.78, 0.75), 0.9, reach=half)


def glass(rng: np.random.Generator, x: float, y: float, ground: float) -> list[Thing]:
    """A tumbler, mostly with something in it."""
    r, h = float(rng.uniform(28, 38)), float(rng.uniform(70, 115))
    foot, wall = r * rng.uniform(0.75, 0.95), 2.2
    outside = [(0.0, 0.0), (foot, 0.0), (r, h), (r - wall, h), (foot - wall, 6.0), (0.0, 6.0)]
    here = (x, y, ground)
    body = Thing("glass", turned(outside, 56).moved(np.eye(3), here), (0.94, 0.96, 0.95), 0.03, clear=True, reach=r)
    if rng.random() < 0.25:
        return [body]
    level = rng.uniform(0.3, 0.85)
    width = foot - wall + (r - foot) * level - 0.3
    full = turned([(foot - wall - 0.3, 6.2), (width, h * level), (0, h * level)], 56).moved(np.eye(3), here)
    drinks: list[Colour] = [(0.42, 0.22, 0.02), (0.75, 0.68, 0.52), (0.06, 0.025, 0.012), (0.2, 0.01, 0.02)]
    return [body, Thing("drink", full, drinks[int(rng.integers(len(drinks)))], 0.15, reach=r)]


def arm(rng: np.random.Generator, tip: Floats, way: Floats) -> list[Thing]:
    """A sleeve, a wrist and a hand; its fingers end at `tip`, it comes from against `way` (level, of length 1)."""
    skin: Colour = ((0.50, 0.27, 0.18), (0.36, 0.18, 0.11), (0.62, 0.38, 0.28), (0.13, 0.06, 0.035))[rng.integers(4)]
    sleeve = tuple(float(v) for v in rng.uniform(0.01, 0.35, 3))
    side = np.array([-way[1], way[0], 0.0])
    rise = np.array([0.0, 0.0, 1.0])
    palm_at = tip - 95 * way + 22 * rise
    parts = [_finger(tip, palm_at, side, rise, spread, length) for spread, length in _fingers(rng)]
    ball = turned([(np.sin(a) + 1e-9, -np.cos(a)) for a in np.linspace(0, np.pi, 14)], 24)
    frame = np.stack([way * 48, side * 41, rise * 15], 1)
    palm = Mesh(ball.points @ frame.T + palm_at, ball.normals @ np.linalg.inv(frame), ball.uv, ball.triangles)
    lengths = np.linalg.norm(palm.normals, axis=1, keepdims=True)
    parts.append(Mesh(palm.points, palm.normals / lengths, palm.uv, palm.triangles))
    steps = np.linspace(0, 1, 9)[:, None]
    wrist = palm_at + way * (15 - 115 * steps) + rise * (10 * steps - 3)
    parts.append(tube(wrist, np.array([0.0, 19, 24, 27, 28, 29, 30, 31, 32])))
    steps = np.concatenate([[[0.0], [0.004], [0.015]], steps[1:]])
    cuff = palm_at - way * (75 + 500 * steps) + rise * (6 + 60 * steps)
    cloth = tube(cuff, np.array([20.0, 34, 38, 39, 40, 43, 43, 47, 48, 52, 55]))
    return [Thing("hand", joined(parts), skin, 0.55), Thing("sleeve", cloth, (sleeve[0], sleeve[1], sleeve[2]), 0.9)]


def _fingers(rng: np.random.Generator) -> list[tuple[float, float]]:
    bent = rng.uniform(0.75, 1.0)
    return [(-27, 80 * bent), (-10, 95 * bent), (8, 90 * bent), (25, 72 * bent), (46, 25.0)]


def _finger(tip: Floats, palm: Floats, side: Floats, rise: Floats, spread: float, length: float) -> Mesh:
    way = tip - palm
    way = (way - way[2] * rise) / np.linalg.norm(way[:2])
    start = palm + side * spread * 0.8 + way * (25 if spread < 40 else -10)
    end = palm + side * spread * (1.15 if spread < 40 else 1.5) + way * length
    t = np.linspace(0, 1, 12)[:, None]
    path = start + (end - start) * t + rise * (6 * np.sin(np.pi * t) - 16 * t**2)
    radius = 9.5 * np.sqrt(np.clip(1 - np.clip((t[:, 0] - 0.85) / 0.15, 0, 1) ** 2, 0, 1)) + 1e-6
    return tube(path, radius)
