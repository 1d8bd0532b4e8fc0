"""The camera: where it stands, and where points land in its picture, lens included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.second.solid import Floats


@dataclass(frozen=True)
class Eye:
    """World mm, z up; rows of `axes` are the picture's right, its down, and forwards.

    The lens bends as `vision.lens.Lens` says: r becomes r (1 + k1 r²), r in half diagonals of the picture. Pixels are
    counted from the middle of the first.
    """

    width: int
    height: int
    focal: float
    place: tuple[float, float, float]
    axes: tuple[tuple[float, float, float], ...]
    k1: float = 0.0

    @property
    def half_diagonal(self) -> float:
        return float(np.hypot(self.width, self.height)) / 2

    @property
    def middle(self) -> Floats:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    def seen_from(self, points: Floats) -> Floats:
        """World points (n, 3) in the camera's frame: right, down, forwards."""
        return np.asarray((points - np.array(self.place)) @ np.array(self.axes).T)

    def straight(self, points: Floats) -> Floats:
        """Pixels (n, 2) of world points as a pinhole would show them."""
        seen = self.seen_from(points)
        return np.asarray(self.focal * seen[:, :2] / seen[:, 2:] + self.middle)

    def project(self, points: Floats) -> Floats:
        """Pixels (n, 2) of world points in the picture."""
        return self.bend(self.straight(points))

    def bend(self, pixels: Floats) -> Floats:
        arm = (pixels - self.middle) / self.half_diagonal
        return np.asarray(self.middle + arm * (1 + self.k1 * (arm**2).sum(-1, keepdims=True)) * self.half_diagonal)

    def unbend(self, pixels: Floats) -> Floats:
        bent = (pixels - self.middle) / self.half_diagonal
        arm = bent
        for _ in range(8):
            arm = bent / (1 + self.k1 * (arm**2).sum(-1, keepdims=True))
        return np.asarray(self.middle + arm * self.half_diagonal)


def looking(
    target: Sequence[float], distance: float, tilt_deg: float, way_deg: float, roll_deg: float
) -> tuple[tuple[float, float, float], tuple[tuple[float, float, float], ...]]:
    """Place and axes of a camera `tilt_deg` off the vertical towards `way_deg`, turned by `roll_deg`."""
    tilt, way, roll = np.radians([tilt_deg, way_deg, roll_deg])
    back = np.array([np.sin(tilt) * np.cos(way), np.sin(tilt) * np.sin(way), np.cos(tilt)])
    right = np.array([-np.sin(way), np.cos(way), 0.0])
    down = np.cross(-back, right)
    right, down = np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right
    place = np.asarray(target, float) + distance * back
    axes = tuple((float(a[0]), float(a[1]), float(a[2])) for a in (right, down, -back))
    return (float(place[0]), float(place[1]), float(place[2])), axes
