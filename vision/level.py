"""Which tops are not level: against the board, where one is known, else against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot

import numpy as np
import numpy.typing as npt

from vision.faces import Face
from vision.reading import Point

Floats = npt.NDArray[np.float64]
Level = Callable[[Point], Point]
"""How a level top at this place of the picture looks past the camera (see `vision.faces.Face.normals`)."""

ASSUMED_FOCAL = 0.9
"""Focal length in longer sides of the picture, where no board tells how the camera looks."""
TILTED = 0.57
"""Without board and other dice a top may look past the camera by so much: cameras are tilted up to 30 degrees, and
what lies at a picture's edge is seen from a side."""


def straight_down(width: int, height: int) -> Level:
    """As seen by a camera that looks straight down."""
    focal = ASSUMED_FOCAL * max(width, height)

    def level(place: Point) -> Point:
        x, y = place[0] - width / 2, place[1] - height / 2
        length = hypot(x, y, focal)
        return x / length, y / length

    return level


def off_level(faces: Sequence[Face], level: Level | None, size: tuple[int, int]) -> list[float]:
    """How far each top is from level: about the sine of the angle that it leans by.

    `size`: width and height of the picture. Where no board tells, a camera may be tilted, and what most of the others
    look like is level; of two that differ neither is.
    """
    if not faces:
        return []
    seen = level or straight_down(*size)
    past = np.array([np.asarray(face.normal) - seen(face.center) for face in faces])
    if level is not None:
        return [float(off) for off in np.hypot(*past.T)]
    if len(faces) == 1:
        return [max(0.0, float(np.hypot(*past[0])) - TILTED)]
    apart = np.sort(np.hypot(*(past[:, None] - past[None]).transpose(2, 0, 1)), axis=1)[:, 1:]
    return [float(off) for off in apart[:, (apart.shape[1] - 1) // 2]]
