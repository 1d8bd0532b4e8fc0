"""Where dice lie, told by the board and not by the picture, so that they are known again by another look at it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

import numpy as np

from vision.board import Board
from vision.reading import DieReading, Point, Where

_MOST_DICE = 32
_SAME = 0.005  # widths of the felt, some 2 mm
_FAR = 10.0  # widths of the felt; nothing lies farther off


@dataclass(frozen=True)
class Lain:
    """One die at rest: `x` right and `y` down from the middle of the felt, in widths of it (of the picture, where the
    whole picture is felt); `face` is None where it was not read.
    """

    face: int | None
    x: float
    y: float
    where: Where = Where.INSIDE


@dataclass(frozen=True)
class Lay:
    """Dice at rest, none for a bare board.

    >>> Lay.from_json(Lay((Lain(5, 0.25, -0.1),)).to_json()).dice[0].face
    5
    """

    dice: tuple[Lain, ...] = ()

    @classmethod
    def of(cls, dice: Iterable[DieReading], board: Board) -> Lay:
        """Where these dice of a picture lie on its board."""
        return cls(tuple(_lain(die, board) for die in dice))

    def on(self, board: Board, die_px: float) -> tuple[DieReading, ...]:
        """The same dice in a picture of this board; `die_px` is the edge of a die there."""
        return tuple(_seen(die, board, die_px) for die in self.dice)

    def is_like(self, other: Lay) -> bool:
        """Whether the same dice lie in the same places, but for the last pixel."""
        return len(self.dice) == len(other.dice) and all(
            one.face == two.face and one.where == two.where and max(abs(one.x - two.x), abs(one.y - two.y)) < _SAME
            for one, two in zip(self.dice, other.dice, strict=True)
        )

    def to_json(self) -> list[object]:
        return [[die.face, round(die.x, 4), round(die.y, 4), die.where.value] for die in self.dice]

    @classmethod
    def from_json(cls, told: object) -> Lay:
        """The inverse of `to_json`; raises ValueError for anything else."""
        if not isinstance(told, list) or len(told) > _MOST_DICE:
            raise ValueError("dice that lie are a list")
        dice = []
        for one in told:
            match one:
                case [int() | None as face, int() | float() as x, int() | float() as y, str(where)] if (
                    face in (None, 1, 2, 3, 4, 5, 6) and isfinite(x) and isfinite(y) and max(abs(x), abs(y)) <= _FAR
                ):
                    dice.append(Lain(face, float(x), float(y), Where(where)))
                case _:
                    raise ValueError("a die that lies has a face, a place on the board and a word for it")
        return cls(tuple(dice))


def _lain(die: DieReading, board: Board) -> Lain:
    where = die.where or Where.INSIDE
    if board.is_whole:
        x, y = die.center[0] / board.width - 0.5, die.center[1] / board.height - 0.5
    else:
        x, y = (float(v) / board.felt_mm for v in board.to_mm(np.array([die.center]), board.die_mm)[0])
    return Lain(die.face, _near(x), _near(y), where)


def _near(value: float) -> float:
    return min(max(value, -_FAR), _FAR) if isfinite(value) else _FAR


def _seen(die: Lain, board: Board, die_px: float) -> DieReading:
    if board.is_whole:
        center: Point = ((die.x + 0.5) * board.width, (die.y + 0.5) * board.height)
    else:
        x, y = board.to_px(np.array([[die.x, die.y]]) * board.felt_mm, board.die_mm)[0]
        center = (float(x), float(y))
    half = die_px / 2
    x1, y1, x2, y2 = center[0] - half, center[1] - half, center[0] + half, center[1] + half
    corners = ((x1, y1), (x2, y1), (x2, y2), (x1, y2))
    return DieReading(die.face, 1.0, None, (x1, y1, x2, y2), corners, die.where)
