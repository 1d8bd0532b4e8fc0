"""What can be known of a printed part from its STL file: is it closed, how large is it, is there a hole here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SAME = 1e-4  # millimetres: corners nearer than this are one
BESIDE = (1.3e-6, 2.9e-6)  # millimetres: no line goes through the edge of two triangles, which both would count
Points = NDArray[np.float64]


class NoSolid(ValueError):
    """The file is not an STL file that a slicer could use; the text says why."""


@dataclass(frozen=True)
class Solid:
    """`triangles`: n × 3 corners × 3 coordinates, millimetres."""

    triangles: Points

    @property
    def size(self) -> Points:
        """Extent along x, y and z."""
        corners = self.triangles.reshape(-1, 3)
        return np.asarray(corners.max(axis=0) - corners.min(axis=0))

    @property
    def volume(self) -> float:
        """Cubic millimetres; negative where the faces look inward."""
        a, b, c = self.triangles[:, 0], self.triangles[:, 1], self.triangles[:, 2]
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    @property
    def open_edges(self) -> int:
        """Edges that are not walked equally often in both directions: 0 for a watertight part."""
        keys = np.round(self.triangles / SAME).astype(np.int64)
        _, number = np.unique(keys.reshape(-1, 3), axis=0, return_inverse=True)
        faces = number.reshape(-1, 3)
        walked: Counter[tuple[int, int]] = Counter()
        for first, second in ((0, 1), (1, 2), (2, 0)):
            walked.update(zip(faces[:, first].tolist(), faces[:, second].tolist(), strict=True))
        return sum(1 for (start, end), times in walked.items() if start != end and walked[(end, start)] != times)

    def layers(self, x: float, y: float) -> float:
        """Millimetres of material on the vertical line through (x, y); 0 where one can look through."""
        a, b, c = (self.triangles[:, corner] for corner in range(3))
        here = np.array([x, y]) + BESIDE
        area = _cross(b[:, :2] - a[:, :2], c[:, :2] - a[:, :2])
        upright = np.abs(area) < 1e-12
        area = np.where(upright, 1.0, area)
        second = _cross(here - a[:, :2], c[:, :2] - a[:, :2]) / area
        third = _cross(b[:, :2] - a[:, :2], here - a[:, :2]) / area
        met = ~upright & (second >= 0) & (third >= 0) & (second + third <= 1)
        heights = a[:, 2] + second * (b[:, 2] - a[:, 2]) + third * (c[:, 2] - a[:, 2])
        return float((heights * np.sign(area))[met].sum())


def load(path: Path) -> Solid:
    """The solid of an STL file, text or binary; raises `NoSolid`."""
    try:
        told = path.read_bytes()
    except OSError as fault:
        raise NoSolid(f"{path.name} cannot be read: {fault.strerror or fault}") from fault
    count = int.from_bytes(told[80:84], "little") if len(told) >= 84 else -1
    if len(told) == 84 + 50 * count:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
        triangles = np.frombuffer(told, record, count, 84)["corners"].astype(np.float64)
    else:
        try:
            words = [
                line.split()[1:] for line in told.decode("ascii").splitlines() if line.lstrip().startswith("vertex")
            ]
            triangles = np.array(words, dtype=np.float64).reshape(-1, 3, 3)
        except ValueError as fault:
            raise NoSolid(f"{path.name} is not an STL file") from fault
    if not len(triangles) or not np.isfinite(triangles).all():
        raise NoSolid(f"{path.name} holds no solid")
    return Solid(triangles)


def _cross(one: Points, other: Points) -> Points:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])
