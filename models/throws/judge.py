"""Where dice ended: on the felt, the rim or outside, flat, leaning or on top of one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.render.layouts import RIGHT_HANDED
from models.throws.faces import Array, face_up, lean_deg
from models.throws.roll import Die
from models.throws.tray import Tray
from vision.reading import Pose, Where

FLAT_DEG = 3.0
"""Less is the give of the felt; a die that leans visibly leans by more."""
LEVEL_MM = 2.0
"""A die lies on a surface if its centre is this near half an edge above it."""


@dataclass(frozen=True)
class Lying:
    """How one die ended; `face` is the face that looks up most, whatever its pose."""

    face: int
    where: Where
    pose: Pose
    lean_deg: float


def lying(
    tray: Tray, die: Die, positions: Array, rotations: Array, printed: Sequence[tuple[int, ...]] = ()
) -> tuple[Lying, ...]:
    """Judge dice at rest: positions (n, 3), rotations (n, 3, 3), and the faces `printed` on the sides of each.

    Leaning wins over stacked, as it does on a table. Dice are right-handed unless told.
    """
    judged = []
    on_sides = printed or (RIGHT_HANDED,) * len(positions)
    for position, rotation, faces in zip(positions, rotations, on_sides, strict=True):
        height = float(position[2])
        reach = float(tray.reach(position[None, :2])[0])
        where = Where.INSIDE if reach <= tray.apothem else Where.RIM if reach <= tray.across / 2 else Where.OUTSIDE
        surface = {Where.INSIDE: 0.0, Where.RIM: tray.rim_height, Where.OUTSIDE: -tray.base}[where]
        lean = lean_deg(rotation)
        if lean > FLAT_DEG:
            pose = Pose.COCKED
        elif abs(height - die.edge / 2 - surface) > LEVEL_MM:
            pose = Pose.STACKED
        else:
            pose = Pose.FLAT
        judged.append(Lying(face_up(rotation, faces), where, pose, lean))
    return tuple(judged)
