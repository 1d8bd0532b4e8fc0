"""How dice come to rest: flat, touching, leaning on what stops them, on top of one another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from models.second.board import Tray
from models.second.die_mesh import SIDES, DieShape, surface
from models.second.solid import Floats, turn_about
from models.second.styles import Style

Pose = str
"""flat, cocked, stacked (lies on a die) or under (a die lies on it)."""


@dataclass(frozen=True)
class Die:
    """A die in the world: `rotation` takes its own frame to the world's, `middle` in mm."""

    style: Style
    edge: float
    rotation: Floats
    middle: Floats
    pose: Pose = "flat"

    def outline(self) -> Floats:
        """Points all over its surface (n, 3), pips left out, in the world."""
        return np.asarray(_skin(self.style.shape) * (self.edge / 2) @ self.rotation.T + self.middle)

    def footprint(self) -> Floats:
        """The convex polygon (n, 2) that it covers as seen from straight above."""
        hull = cv2.convexHull(self.outline()[:, :2].astype(np.float32))
        return np.asarray(hull[:, 0], float)

    @property
    def top(self) -> int:
        """The side that looks up most."""
        return int(np.argmax([(self.rotation @ side[2])[2] for side in SIDES]))


@lru_cache(maxsize=64)
def _skin(shape: DieShape) -> Floats:
    line = np.linspace(-1, 1, 13)
    x, y = (a.ravel() for a in np.meshgrid(line, line))
    face = np.stack([x, y, np.ones_like(x)], -1)
    return np.concatenate([surface(shape, face @ side)[0] for side in SIDES])


def upright(rng: np.random.Generator, yaw_deg: float | None = None) -> Floats:
    """The rotation of a flat die with any side up."""
    side = SIDES[int(rng.integers(6))]
    return np.asarray(turn_about((0, 0, 1), rng.uniform(0, 360) if yaw_deg is None else yaw_deg) @ side)


def flat(style: Style, edge: float, rotation: Floats, x: float, y: float, ground: float) -> Die:
    return Die(style, edge, rotation, np.array([x, y, ground + edge / 2]))


def overlap(a: Die, b: Die, gap: float) -> bool:
    """Whether two dice come closer than `gap` as seen from above."""
    if np.hypot(*(a.middle - b.middle)[:2]) > 0.87 * (a.edge + b.edge) + gap:
        return False
    return apart(a.footprint(), b.footprint()) < gap


def apart(one: Floats, two: Floats) -> float:
    """The widest gap between two convex polygons along any of their normals; negative where they overlap."""
    edges = np.concatenate([np.roll(p, -1, 0) - p for p in (one, two)])
    normals = np.stack([edges[:, 1], -edges[:, 0]], -1)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    first, second = normals @ one.T, normals @ two.T
    return float(np.maximum(second.min(1) - first.max(1), first.min(1) - second.max(1)).max())


def beside(rng: np.random.Generator, style: Style, edge: float, other: Die) -> Die:
    """A flat die that touches a flat one, face along face or by a corner."""
    yaw = float(np.degrees(np.arctan2(*(other.rotation @ SIDES[other.top][0])[1::-1])))
    rotation = upright(rng, yaw if rng.random() < 0.55 else None)
    way = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:
        way = np.radians(yaw + 90 * rng.integers(4) + rng.uniform(-25, 25))
    near, far = 0.3 * edge, 1.6 * (edge + other.edge) / 2
    gap = float(rng.uniform(0.0, 0.25))
    for _ in range(18):
        half = (near + far) / 2
        x, y = other.middle[:2] + half * np.array([np.cos(way), np.sin(way)])
        if overlap(flat(style, edge, rotation, x, y, 0.0), other, gap):
            near = half
        else:
            far = half
    x, y = other.middle[:2] + far * np.array([np.cos(way), np.sin(way)])
    return flat(style, edge, rotation, float(x), float(y), other.middle[2] - other.edge / 2)


def _tipped(rng: np.random.Generator, toward: Floats, lean_deg: float) -> Floats:
    """A rotation with the bottom's edge at `toward` (a level direction) lifted by the lean."""
    yaw = float(np.degrees(np.arctan2(toward[1], toward[0]))) + rng.uniform(-5, 5)
    axis = (float(toward[1]), -float(toward[0]), 0.0)  # toward x up
    return np.asarray(turn_about(axis, lean_deg) @ upright(rng, yaw))


def against_wall(rng: np.random.Generator, style: Style, edge: float, tray: Tray, lean_deg: float) -> Die:
    """A die whose low edge is on the felt and whose high one is on the rim's wall."""
    side = int(rng.integers(8))
    out = np.array([*tray.outwards[side], 0.0])
    rotation = _tipped(rng, out, lean_deg)
    skin = _skin(style.shape) * (edge / 2) @ rotation.T
    z = -float(skin[:, 2].min())
    reach = skin @ out - np.array([tray.wall_at(h) for h in skin[:, 2] + z])
    along = np.array([-out[1], out[0], 0.0])
    half = tray.floor_half * np.tan(np.pi / 8) - edge
    middle = out * (tray.floor_half - reach.max()) + along * rng.uniform(-half, half) + [0, 0, z]
    return Die(style, edge, rotation, middle, "cocked")


def against_die(rng: np.random.Generator, style: Style, edge: float, other: Die, lean_deg: float) -> Die:
    """A die whose high edge is on the side of a flat one."""
    side = SIDES[other.top]
    away = other.rotation @ (side[int(rng.integers(2))] * rng.choice([-1.0, 1.0]))
    rotation = _tipped(rng, -away, lean_deg)
    skin = _skin(style.shape) * (edge / 2) @ rotation.T
    across = np.array([-away[1], away[0], 0.0])
    ground = other.middle[2] - other.edge / 2
    place = other.middle + away * (other.edge / 2 + (skin @ -away).max()) + across * rng.uniform(-0.3, 0.3) * edge
    return Die(style, edge, rotation, np.array([place[0], place[1], ground - skin[:, 2].min()]), "cocked")


def on_edge_of(
    rng: np.random.Generator, style: Style, edge: float, spot: Floats, toward: Floats, height: float
) -> Die | None:
    """A die half on a thin thing, such as a coaster: the thing's upper edge passes `spot`, its inside is `toward`.

    None where the thing is too thin to tip it by more than 11 degrees.
    """
    lean = np.arcsin(height / (rng.uniform(0.55, 0.8) * edge))
    if lean < np.radians(11.5):
        return None
    rotation = _tipped(rng, toward, float(np.degrees(lean)))
    z = -float((_skin(style.shape) * (edge / 2) @ rotation.T)[:, 2].min())
    # its bottom's plane passes the thing's upper edge: `below` points out of the bottom
    below = rotation @ -SIDES[int(np.argmax([(rotation @ s[2])[2] for s in SIDES]))][2]
    run = (edge / 2 - below[2] * (height - z)) / (below @ toward)
    middle = np.array([spot[0], spot[1], 0.0]) - run * toward
    return Die(style, edge, rotation, np.array([middle[0], middle[1], z]), "cocked")


def on_top(rng: np.random.Generator, style: Style, edge: float, other: Die) -> Die:
    x, y = other.middle[:2] + rng.uniform(-0.3, 0.3, 2) * other.edge
    z = other.middle[2] + other.edge / 2
    return Die(style, edge, upright(rng), np.array([x, y, z + edge / 2]), "stacked")
