"""How dice lie: whose tops are not level, against the board or each other, and who has a wall to lean on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Protocol

import numpy as np
import numpy.typing as npt

from vision.faces import Face
from vision.reading import Point

Floats = npt.NDArray[np.float64]
Level = Callable[[Point], Point]
"""How a level top at this place of the picture looks past the camera (see `vision.faces.Face.normals`)."""

FOCALS = (0.9, 1.4, 2.8, float("inf"))
"""Focal lengths, in longer sides of the picture, that are tried where no board tells how the camera looks."""
TILTED = 0.57
"""Without board and other dice a top may look past the camera by so much: cameras are tilted up to 30 degrees, and
what lies at a picture's edge is seen from a side."""
NEAR_WALL, AT_WALL = 1.5, 0.5
"""Edges of a die from the floor's edge: nearer than the first its top's middle may belong to a die that leans on the
wall, and does the likelier the nearer; at the second a level die touches it."""


class Ground(Protocol):
    """What a board that was found tells of places in its picture (see `vision.board.Board`)."""

    def level(self, point: Point) -> Point: ...

    def from_wall(self, top: Point, die_px: float) -> float: ...


@dataclass(frozen=True)
class Lie:
    """How a die lies: how far its top is from level (see `off_level`), and whether by the wall, 0 to 1."""

    off_level: float = 0.0
    by_wall: float = 0.0


AS_LEVEL = Lie()


def lies(faces: Sequence[Face], ground: Ground | None, size: tuple[int, int]) -> list[Lie]:
    """How each die lies in a picture of this width and height; `ground` None where no board was found."""
    off = off_level(faces, ground.level if ground is not None else None, size)
    return [Lie(away, _by_wall(face, ground)) for face, away in zip(faces, off, strict=True)]


def _by_wall(face: Face, ground: Ground | None) -> float:
    """A die on an open floor has nothing to lean on; what leans does so by the wall, or on another die."""
    if ground is None:
        return 0.0
    return min(1.0, max(0.0, (NEAR_WALL - ground.from_wall(face.center, face.edge)) / (NEAR_WALL - AT_WALL)))


def straight_down(width: int, height: int, focal: float) -> Level:
    """As seen by a camera that looks straight down; `focal` in longer sides of the picture."""
    near = 1 / (focal * max(width, height))

    def level(place: Point) -> Point:
        x, y = near * (place[0] - width / 2), near * (place[1] - height / 2)
        length = hypot(x, y, 1.0)
        return x / length, y / length

    return level


def off_level(faces: Sequence[Face], level: Level | None, size: tuple[int, int]) -> list[float]:
    """How far each top is from level: about the sine of the angle that it leans by.

    `size`: width and height of the picture. Where no board tells, a camera may be tilted, and what most of the others
    look like is level (of two that differ neither is), through the lens that makes them most alike.
    """
    if not faces:
        return []
    if level is not None:
        return [float(off) for off in np.hypot(*_past(faces, level).T)]
    if len(faces) == 1:
        return [max(0.0, float(np.hypot(*faces[0].normal)) - TILTED)]
    told = (_among_each_other(_past(faces, straight_down(*size, focal))) for focal in FOCALS)
    return [float(off) for off in min(told, key=lambda off: float(off.sum()))]


def _past(faces: Sequence[Face], level: Level) -> Floats:
    """How each top looks past what a level one looks like (n, 2)."""
    return np.array([np.asarray(face.normal) - level(face.center) for face in faces])


def _among_each_other(past: Floats) -> Floats:
    """How far each is from the nearer half of the others (n,)."""
    apart = np.sort(np.hypot(*(past[:, None] - past[None]).transpose(2, 0, 1)), axis=1)[:, 1:]
    return np.asarray(apart[:, (apart.shape[1] - 1) // 2])
