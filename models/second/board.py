"""The octagonal board: its measures, and its felt and rim as meshes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from models.second.solid import Floats, Mesh, joined
from models.second.styles import Colour

SIDES = 8


@dataclass(frozen=True)
class Tray:
    """A board about the origin, its felt at z = 0; mm. `across` counts from one outer side to the other."""

    across: float
    rim_width: float
    rim_height: float
    slope: float
    rounding: float
    base: float
    angle_deg: float
    felt: str
    felt_colour: Colour
    felt_walls: bool
    wear: float
    print_on: bool
    timber: str
    rim_colour: Colour
    rim_roughness: float
    strokes: int
    seed: int

    @property
    def floor_half(self) -> float:
        """From the middle to a side of the floor."""
        return self.across / 2 - self.rim_width

    @property
    def outer_radius(self) -> float:
        """From the middle to an outer corner."""
        return float(self.across / 2 / np.cos(np.pi / SIDES))

    @property
    def outwards(self) -> Floats:
        """The directions (8, 2) of its sides."""
        turn = np.radians(self.angle_deg) + np.arange(SIDES) * 2 * np.pi / SIDES
        return np.stack([np.cos(turn), np.sin(turn)], -1)

    def ring(self, grow: float, z: float) -> Floats:
        """The floor's corners (8, 3) with its sides moved outwards, at a height."""
        radius = (self.floor_half + grow) / np.cos(np.pi / SIDES)
        turn = np.radians(self.angle_deg) + (np.arange(SIDES) + 0.5) * 2 * np.pi / SIDES
        return np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full(SIDES, z)], -1)

    def inside_by(self, x: float, y: float) -> float:
        """How far within the floor's sides a place lies; negative beyond them."""
        return float(self.floor_half - (self.outwards @ np.array([x, y])).max())

    def wall_at(self, z: float) -> float:
        """How far the wall leans outwards at a height."""
        return self.slope * z / self.rim_height

    def felt_mesh(self) -> Mesh:
        parts = [self._floor()]
        if self.felt_walls:
            parts.append(self._band((0.0, 0.0), self._wall_top, unfolded=True))
        return joined(parts)

    def rim_mesh(self) -> Mesh:
        w, h, r = self.rim_width, self.rim_height, self.rounding
        line = [
            self._wall_top,
            (self.slope + 0.3 * r, h - 0.3 * r),
            (self.slope + r, h),
            (w - r, h),
            (w - 0.3 * r, h - 0.3 * r),
            (w, h - r),
            (w, -self.base),
        ]
        if not self.felt_walls:
            line.insert(0, (0.0, 0.0))
        return joined([self._band(a, b) for a, b in pairwise(line)])

    @property
    def _wall_top(self) -> tuple[float, float]:
        return self.slope, self.rim_height - self.rounding

    def _uv(self, points: Floats) -> Floats:
        return np.asarray(points[:, :2] / (2 * self.outer_radius) + 0.5)

    def _floor(self) -> Mesh:
        points = np.concatenate([np.zeros((1, 3)), self.ring(0.0, 0.0)])
        fan = np.array([[0, 1 + i, 1 + (i + 1) % SIDES] for i in range(SIDES)])
        return Mesh(points, np.tile([0.0, 0.0, 1.0], (len(points), 1)), self._uv(points), fan)

    def _band(self, a: tuple[float, float], b: tuple[float, float], unfolded: bool = False) -> Mesh:
        """A strip all round between two points (outwards from the floor's side, up) of the rim's section."""
        low, high = self.ring(*a), self.ring(*b)
        flat = [self.ring(p[0] + (p[1] if unfolded else 0.0), 0.0) for p in (a, b)]
        points, uv, normals, triangles = [], [], [], []
        for i in range(SIDES):
            j = (i + 1) % SIDES
            quad = np.stack([low[i], low[j], high[j], high[i]])
            points.append(quad)
            uv.append(self._uv(np.stack([flat[0][i], flat[0][j], flat[1][j], flat[1][i]])))
            normal = np.cross(quad[3] - quad[0], quad[1] - quad[0])
            normals.append(np.tile(normal / np.linalg.norm(normal), (4, 1)))
            triangles.append(np.array([[0, 2, 1], [0, 3, 2]]) + 4 * i)
        return Mesh(np.concatenate(points), np.concatenate(normals), np.concatenate(uv), np.concatenate(triangles))
