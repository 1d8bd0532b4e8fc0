"""Which face lies up, and how a die is renumbered so that the wanted face does.

A rotation (3×3) takes the die's own axes to the world (mm, z up). The sides are +x, −x, +y, −y, +z, −z, and the
faces printed on them come from `models.render.layouts`.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import numpy.typing as npt

from models.render.layouts import RIGHT_HANDED

Array = npt.NDArray[np.float64]

SIDES: Array = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=np.float64)
"""Outward normals of the six sides in the die's own frame."""


def _turns() -> Array:
    turns = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            turn = np.zeros((3, 3))
            turn[range(3), order] = signs
            if np.linalg.det(turn) > 0:
                turns.append(turn)
    return np.array(turns)


TURNS: Array = _turns()
"""The 24 rotations (24, 3, 3) that take a cube to itself; none mirrors it."""


def top_side(rotation: Array) -> int:
    """Index of the side that looks up most."""
    return int(np.argmax((rotation @ SIDES.T)[2]))


def face_up(rotation: Array, faces: tuple[int, ...] = RIGHT_HANDED) -> int:
    """The face printed on the side that looks up most.

    >>> face_up(np.eye(3))
    1
    """
    return faces[top_side(rotation)]


def lean_deg(rotation: Array) -> float:
    """Degrees between the vertical and the nearest side's normal: 0 lies flat, 45 stands on an edge."""
    return float(np.degrees(np.arccos(min(1.0, float((rotation @ SIDES.T)[2].max())))))


def renumbering(rest: Array, wanted: int, pick: int = 0, faces: tuple[int, ...] = RIGHT_HANDED) -> Array:
    """A turn Q of the cube with `wanted` up in `rest @ Q`; `pick` chooses among the four that do.

    Physics knows no pips, so `rotation @ Q` at every moment is the same roll of a die held differently at its start.
    """
    fitting = [turn for turn in TURNS if face_up(rest @ turn, faces) == wanted]
    return np.asarray(fitting[pick % len(fitting)])
