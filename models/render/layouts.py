"""Where the pips of a die sit, in the proportions measured on real dice.

Frame of a face: half of the face's side is 1, origin in its centre, u and v along its edges, right-handed
seen from outside.
"""

import dataclasses

import numpy as np

Pip = tuple[float, float, float, float]
"""u, v, radius, inner radius (0 for a disc, more for a ring)."""


@dataclasses.dataclass(frozen=True)
class Layout:
    """The pips of the faces 1 to 6, `pips[0]` for the ace."""

    pips: tuple[tuple[Pip, ...], ...]


def sample_layout(rng: np.random.Generator) -> Layout:
    """Draw a layout: base spacing, face factors, and radius as measured over nine sources of real dice."""
    s = rng.uniform(0.36, 0.58) if rng.random() < 0.85 else rng.uniform(0.30, 0.42)
    row = float(np.clip(s * rng.uniform(0.98, 1.30), 0.42, 0.64))
    column = row * (rng.uniform(0.52, 1.04) if rng.random() < 0.70 else rng.uniform(0.90, 1.02))
    radius = float(np.clip(s * rng.uniform(0.33, 0.57), 0.10, 0.29))
    radius = min(radius, 0.47 * row, 0.92 * column)
    two, three = s * rng.uniform(0.88, 1.12), s * rng.uniform(0.92, 1.12)
    four, five = s * rng.uniform(0.93, 1.07), s * rng.uniform(0.96, 1.08)
    straight_two = rng.random() < 0.04
    places: list[list[tuple[float, float]]] = [
        [(0.0, 0.0)],
        [(0.0, -two), (0.0, two)] if straight_two else [(-two, -two), (two, two)],
        [(-three, -three), (0.0, 0.0), (three, three)],
        [(-four, -four), (four, -four), (-four, four), (four, four)],
        [(-five, -five), (five, -five), (0.0, 0.0), (-five, five), (five, five)],
        [(x, y) for y in (-row, 0.0, row) for x in (-column, column)],
    ]
    ace = _sample_ace(rng, radius)
    jitter = rng.choice([0.004, 0.010, 0.022], p=[0.4, 0.5, 0.1])
    faces: list[tuple[Pip, ...]] = []
    for value, spots in enumerate(places, start=1):
        turn = int(rng.integers(4))
        pips: list[Pip] = []
        for x, y in spots:
            for _ in range(turn):
                x, y = -y, x
            x, y = x + rng.normal(0, jitter), y + rng.normal(0, jitter)
            r, inner = ace if value == 1 else (radius, 0.0)
            limit = 0.97 - max(abs(x), abs(y))
            pips.append((float(x), float(y), float(min(r, limit)), float(inner)))
        faces.append(tuple(pips))
    return Layout(tuple(faces))


def within(layout: Layout, radius: float) -> Layout:
    """The layout, drawn together where need be so that every pip lies within `radius` of its face's middle."""
    reach = max(float(np.hypot(u, v)) + r for face in layout.pips for u, v, r, _ in face)
    k = min(1.0, radius / reach)
    return Layout(tuple(tuple((u * k, v * k, r * k, inner * k) for u, v, r, inner in face) for face in layout.pips))


def _sample_ace(rng: np.random.Generator, radius: float) -> tuple[float, float]:
    """Radius and inner radius of the ace: mostly as the others, some larger, some rings."""
    kind = rng.random()
    if kind < 0.66:
        return radius, 0.0
    if kind < 0.90:
        return float(min(radius * rng.uniform(1.15, 1.9), 0.46)), 0.0
    outer = float(min(max(radius * rng.uniform(1.2, 2.2), 0.22), 0.5))
    return outer, outer * float(rng.uniform(0.45, 0.75))


FACE_AXES = np.array(
    [
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
        [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
        [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 1, 0], [1, 0, 0], [0, 0, -1]],
    ],
    dtype=np.float64,
)
"""u, v and outward normal of the sides +x, -x, +y, -y, +z, -z, in the die's own frame."""

RIGHT_HANDED = (2, 5, 3, 4, 1, 6)
"""Faces on the sides +x, -x, +y, -y, +z, -z; aces, twos and threes turn counter-clockwise about their corner."""

LEFT_HANDED = (2, 5, 4, 3, 1, 6)
"""The mirrored die: clockwise."""
