"""A die as a mesh: a cube's grid pushed to a rounded box, cut by a ball, with its pips pushed in.

Frame: origin in the middle, half an edge is 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.second.pips import Spots, nearest
from models.second.solid import Floats, Ints, Mesh, grid_triangles, joined

SIDES: tuple[Floats, ...] = tuple(
    np.array(axes, float)
    for axes in (
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
        [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
        [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 1, 0], [1, 0, 0], [0, 0, -1]],
    )
)
"""Rows of each: the face's x, its y and outwards, for the sides +x, -x, +y, -y, +z, -z."""
ATLAS = (3, 2)
"""Faces side by side in a die's texture: columns and rows."""
MARGIN = 1.06
"""A face's part of the texture reaches this far from its middle."""
_STEP = 1e-3


@dataclass(frozen=True)
class DieShape:
    """`bevel` rounds the edges, `ball` cuts the corners (0: not), `depth` is how deep the pips are in parts of their
    radius (0: painted on), `flat` whether their bottom is."""

    bevel: float
    ball: float
    depth: float
    flat: bool


def die_mesh(shape: DieShape, faces: Sequence[Spots], values: Sequence[int], cells: Sequence[int]) -> Mesh:
    """The whole die; `values` tell each side's face, `cells` how finely each side is cut."""
    return joined([_side(shape, faces[values[side] - 1], side, cells[side]) for side in range(6)])


def split_pips(mesh: Mesh, faces: Sequence[Spots], values: Sequence[int]) -> tuple[Ints, Ints]:
    """Its triangles that lie outside pips and those that lie in them."""
    middle = mesh.uv[mesh.triangles].mean(axis=1)
    column, row = (np.clip((middle[:, i] * ATLAS[i]).astype(int), 0, ATLAS[i] - 1) for i in range(2))
    x, y = ((2 * (middle[:, i] * ATLAS[i] - c) - 1) * MARGIN for i, c in enumerate((column, row)))
    inside = np.zeros(len(middle), bool)
    for side in range(6):
        here = row * ATLAS[0] + column == side
        inside[here] = nearest(faces[values[side] - 1], x[here], y[here])[0] > 0
    return mesh.triangles[~inside], mesh.triangles[inside]


def surface(shape: DieShape, cube: Floats) -> tuple[Floats, Floats]:
    """Points of the cube (n, 3) pushed to the rounded, cut box without pips, and the normals there."""
    core = np.clip(cube, -1 + shape.bevel, 1 - shape.bevel)
    normal = cube - core
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    points = core + shape.bevel * normal
    away = np.linalg.norm(points, axis=-1, keepdims=True)
    if shape.ball:
        cut = away > shape.ball
        normal = np.where(cut, points / away, normal)
        points = np.where(cut, points * shape.ball / away, points)
    return points, normal


def _side(shape: DieShape, spots: Spots, side: int, cells: int) -> Mesh:
    bend = max(3, cells // 12)
    lines = np.concatenate(
        [
            np.linspace(-1, -1 + shape.bevel, bend, endpoint=False),
            np.linspace(-1 + shape.bevel, 1 - shape.bevel, cells, endpoint=False),
            np.linspace(1 - shape.bevel, 1, bend + 1),
        ]
    )
    x, y = (a.ravel() for a in np.meshgrid(lines, lines))
    axes = SIDES[side]
    points, normals = surface(shape, np.stack([x, y, np.ones_like(x)], -1) @ axes)
    if shape.depth:
        points = points - _hollow(shape, spots, x, y)[:, None] * axes[2]
        slope = [_hollow(shape, spots, x + dx, y + dy) for dx, dy in ((_STEP, 0), (-_STEP, 0), (0, _STEP), (0, -_STEP))]
        normals = normals + ((slope[0] - slope[1])[:, None] * axes[0] + (slope[2] - slope[3])[:, None] * axes[1]) / (
            2 * _STEP
        )
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    cell = np.array([side % ATLAS[0], side // ATLAS[0]])
    uv = (cell + 0.5 + 0.5 * np.stack([x, y], -1) / MARGIN) / ATLAS
    return Mesh(points, normals, uv, grid_triangles(len(lines), len(lines)))


def _hollow(shape: DieShape, spots: Spots, x: Floats, y: Floats) -> Floats:
    inside, radius = nearest(spots, x, y)
    part = np.clip(inside / radius, 0, 1)
    if shape.flat:
        part = np.clip(part / 0.3, 0, 1)
        return np.asarray(shape.depth * radius * part * part * (3 - 2 * part))
    return np.asarray(shape.depth * radius * (1 - (1 - part) ** 2))
