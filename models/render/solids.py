"""Things that stand up from the table and have one colour a ring: glasses, cups, bottles, peanuts, arms."""

import functools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from models.render.hands import Solid, hand_solid, lathe_rows
from models.render.scene import Clutter, Hand

Array = npt.NDArray[np.float64]


@functools.lru_cache(maxsize=4)
def all_solids(clutter: tuple[Clutter, ...], hand: Hand | None) -> Solid:
    """Triangle corners (N, 11) of the clutter that stands up and of the hand."""
    parts = [SOLIDS[c.kind](c, np.random.default_rng([c.seed, 3])) for c in clutter if c.kind in SOLIDS]
    if hand is not None:
        parts.append(hand_solid(hand))
    return np.concatenate(parts) if parts else np.zeros((0, 11))


def _rings(c: Clutter, profile: list[tuple[float, float]], segments: int = 28) -> list[Array]:
    """Level rings (radius, height) in mm at the thing's place."""
    turn = np.linspace(0, 2 * np.pi, segments + 1)[:-1]
    return [
        np.stack([c.x + r * np.cos(turn), c.y + r * np.sin(turn), np.full(segments, c.z + h)], axis=1)
        for r, h in profile
    ]


def _glass(c: Clutter, rng: np.random.Generator) -> Solid:
    """A beer glass: foam seen from above, bright rim, amber side."""
    r, tall = c.size, c.size * float(rng.uniform(2.6, 4.2))
    waist = float(rng.uniform(0.72, 0.95))
    drink = np.array([[0.55, 0.28, 0.03], [0.25, 0.08, 0.02], [0.75, 0.5, 0.15], [0.3, 0.04, 0.02]])[
        int(rng.integers(4))
    ]
    full = float(rng.uniform(0.3, 0.94))
    inner = waist + (1 - waist) * full - 0.06
    glass = np.array([0.55, 0.6, 0.6])
    foam = np.array([0.85, 0.8, 0.68]) if rng.random() < 0.7 else drink * 0.8
    outside = [(r * waist, 0.0), (r * (waist + (1 - waist) * full), tall * full), (r, tall)]
    inside = [
        (r * 0.94, tall),
        (r * inner, tall * full),
        (r * inner * 0.5, tall * full + 1),
        (0.3, tall * full + 1),
    ]
    colours = np.array([drink, drink * 1.2, glass, glass * 1.2, foam, foam, foam])
    return lathe_rows(_rings(c, outside + inside), colours, 0.85)


def _cup(c: Clutter, rng: np.random.Generator) -> Solid:
    """A coffee cup on its saucer."""
    r = c.size
    v = float(rng.uniform(0.5, 0.9))
    china = np.array([v, v * 0.97, v * 0.93])
    coffee = np.array([0.05, 0.02, 0.01])
    profile = [
        (0.3, 2.0),
        (r * 0.9, 3.0),
        (r * 1.7, 9.0),
        (r * 1.75, 10.0),
        (r * 0.8, 6.0),
        (r, 60.0),
        (r * 0.92, 60.0),
    ]
    profile += [(r * 0.85, 48.0), (0.3, 48.0)]
    colours = np.array([china] * 7 + [coffee, coffee])
    return lathe_rows(_rings(c, profile), colours, 0.7)


def _bottle(c: Clutter, rng: np.random.Generator) -> Solid:
    r = c.size
    colour = np.array([[0.03, 0.12, 0.03], [0.12, 0.04, 0.01], [0.4, 0.45, 0.45]])[int(rng.integers(3))]
    profile = [
        (r, 0.0),
        (r, 120.0),
        (r * 0.5, 165.0),
        (r * 0.42, 215.0),
        (r * 0.36, 216.0),
        (r * 0.3, 200.0),
        (0.3, 190.0),
    ]
    return lathe_rows(_rings(c, profile), colour, 0.85)


def _peanut(c: Clutter, rng: np.random.Generator) -> Solid:
    """A peanut in its shell, lying down."""
    turn = np.linspace(0, 2 * np.pi, 13)[:-1]
    t = np.linspace(-1, 1, 13)
    r = c.size * 0.24 * np.sqrt(np.maximum(1 - t**2, 0.002)) * (1 - 0.28 * np.cos(t * np.pi) * 0.9 - 0.1 * t)
    r = r * (1 + rng.normal(0, 0.03, len(t)))
    a = np.radians(c.angle_deg)
    rows = []
    for along, radius in zip(t * c.size / 2, r, strict=True):
        side = radius * np.cos(turn)
        rows.append(
            np.stack(
                [
                    c.x + along * np.cos(a) - side * np.sin(a),
                    c.y + along * np.sin(a) + side * np.cos(a),
                    c.z + c.size * 0.22 + radius * np.sin(turn),
                ],
                axis=1,
            )
        )
    colour = np.array([0.52, 0.33, 0.16]) * float(rng.uniform(0.7, 1.2))
    return lathe_rows(rows, colour, 0.1)


def _pill(c: Clutter, rng: np.random.Generator) -> Solid:
    """A marble, ball, berry or bead."""
    r = c.size / 2
    t = np.linspace(-np.pi / 2, np.pi / 2, 9)
    profile = [(max(r * float(np.cos(k)), 0.05), r + r * float(np.sin(k))) for k in t]
    return lathe_rows(_rings(c, profile, 16), rng.uniform(0.02, 0.8, 3), float(rng.uniform(0.1, 0.9)))


SOLIDS: dict[str, Callable[[Clutter, np.random.Generator], Solid]] = {
    "glass": _glass,
    "cup": _cup,
    "bottle": _bottle,
    "peanut": _peanut,
    "bead": _pill,
}
"""Solids by the name of their clutter."""
