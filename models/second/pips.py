"""Where the pips of a die sit. Half of a face's side is 1, the origin its middle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.second.solid import Floats

Spots = tuple[tuple[float, float, float], ...]
"""Pips of one face: x, y and radius of each."""


def draw_spots(rng: np.random.Generator) -> tuple[Spots, ...]:
    """The six faces of one die, ace first; spacings as measured on real dice (a six is narrower than it is long)."""
    step = rng.uniform(0.36, 0.58)
    long = float(np.clip(step * rng.uniform(1.0, 1.28), 0.42, 0.64))
    narrow = long * rng.uniform(0.52, 1.0)
    radius = min(float(np.clip(step * rng.uniform(0.33, 0.55), 0.11, 0.27)), 0.45 * long, 0.86 * narrow)
    ace = radius * (rng.uniform(1.2, 1.8) if rng.random() < 0.25 else 1.0)
    two, three, four, five = step * rng.uniform((0.9, 0.93, 0.94, 0.97), (1.1, 1.1, 1.06, 1.08))
    square = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
    faces: list[list[tuple[float, float]]] = [
        [(0, 0)],
        [(-two, -two), (two, two)],
        [(-three, -three), (0, 0), (three, three)],
        [(four * x, four * y) for x, y in square],
        [(0, 0), *((five * x, five * y) for x, y in square)],
        [(x * narrow, y * long) for x in (-1, 1) for y in (-1, 0, 1)],
    ]
    made = []
    for value, face in enumerate(faces, start=1):
        places = np.array(face, float) + rng.normal(0, 0.007, (len(face), 2))
        if rng.random() < 0.5:  # a quarter turn shows in twos, threes and sixes only
            places = places[:, ::-1] * (1, -1)
        made.append(tuple((float(x), float(y), float(ace if value == 1 else radius)) for x, y in places))
    return tuple(made)


def reach(faces: Sequence[Spots]) -> tuple[float, float]:
    """How far pips reach: along a side, and from the middle."""
    every = np.array([spot for face in faces for spot in face])
    x, y, radius = every.T
    return float((np.maximum(abs(x), abs(y)) + radius).max()), float((np.hypot(x, y) + radius).max())


def nearest(face: Spots, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """For each place how far inside the nearest pip's edge it lies (negative outside), and that pip's radius."""
    spots = np.array(face)
    inside = spots[:, 2] - np.hypot(x[..., None] - spots[:, 0], y[..., None] - spots[:, 1])
    which = inside.argmax(-1)
    return inside.max(-1), spots[which, 2]
