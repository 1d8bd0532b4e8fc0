"""Triangle meshes as plain arrays, and the few shapes that are turned or swept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Mesh:
    """Corners (n, 3) in mm, unit normals (n, 3), texture places (n, 2) in 0 to 1, triangles (m, 3)."""

    points: Floats
    normals: Floats
    uv: Floats
    triangles: Ints

    def moved(self, rotation: Floats, position: Sequence[float] | Floats, scale: float = 1.0) -> Mesh:
        points = scale * self.points @ rotation.T + np.asarray(position)
        return replace(self, points=points, normals=self.normals @ rotation.T)


def joined(meshes: Sequence[Mesh]) -> Mesh:
    starts = np.cumsum([0, *(len(m.points) for m in meshes[:-1])])
    return Mesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.uv for m in meshes]),
        np.concatenate([m.triangles + s for m, s in zip(meshes, starts, strict=True)]),
    )


def grid_triangles(rows: int, columns: int) -> Ints:
    """Triangles of a grid of `rows` x `columns` corners, row by row; they turn with columns before rows."""
    corner = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]
    return np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])


def with_normals(points: Floats, uv: Floats, triangles: Ints) -> Mesh:
    """A mesh whose normals are the means of those of the triangles at each corner."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for i in range(3):
        np.add.at(normals, triangles[:, i], flat)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh(points, normals / np.maximum(length, 1e-12), uv, triangles)


def turned(profile: Sequence[tuple[float, float]], steps: int = 40) -> Mesh:
    """The profile (radius, height) turned about z; it runs upwards on the outside."""
    angle = np.linspace(0, 2 * np.pi, steps + 1)
    r, z = (np.array(side)[:, None] for side in zip(*profile, strict=True))
    points = np.stack([r * np.cos(angle), r * np.sin(angle), z + 0 * angle], -1)
    uv = np.stack(np.broadcast_arrays(angle / (2 * np.pi), np.linspace(0, 1, len(r))[:, None]), -1)
    return with_normals(points.reshape(-1, 3), uv.reshape(-1, 2), grid_triangles(len(r), steps + 1))


def tube(path: Floats, radii: Floats, steps: int = 20) -> Mesh:
    """A round tube along a path (n, 3), closed where its radius is 0."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = np.cross(along, np.array([0.0, 0.0, 1.0]) + 1e-3)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(side, along)
    angle = np.linspace(0, 2 * np.pi, steps + 1)[None, :, None]
    ring = np.cos(angle) * side[:, None] + np.sin(angle) * up[:, None]
    points = path[:, None] + radii[:, None, None] * ring
    uv = np.stack(np.meshgrid(np.linspace(0, 1, steps + 1), np.linspace(0, 1, len(path))), -1)
    mesh = with_normals(points.reshape(-1, 3), uv.reshape(-1, 2), grid_triangles(len(path), steps + 1))
    outward = ring.reshape(-1, 3)
    return replace(mesh, normals=np.where((mesh.normals * outward).sum(1, keepdims=True) < 0, -1, 1) * mesh.normals)


def turn_about(axis: Sequence[float] | Floats, degrees: float) -> Floats:
    """The rotation matrix about an axis, counterclockwise as seen from its tip (Rodrigues)."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    a = np.radians(degrees)
    return np.asarray(np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * k @ k)
