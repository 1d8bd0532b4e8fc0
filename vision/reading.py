"""What was read in one picture: plain, validated results, problems included. Bad pictures are results, not errors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite

Point = tuple[float, float]  # pixels: x right, y down


class Where(StrEnum):
    INSIDE = "inside"
    RIM = "rim"
    OUTSIDE = "outside"


class Pose(StrEnum):
    FLAT = "flat"
    COCKED = "cocked"
    STACKED = "stacked"


class Problem(StrEnum):
    """Why a reading is not sure; the words of the command line's contract."""

    HAND = "hand"
    BLURRED = "blurred"
    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    TOO_SMALL = "too_small"
    NO_BOARD = "no_board"
    BOARD_MOVED = "board_moved"
    COCKED = "cocked"
    STACKED = "stacked"
    COVERED = "covered"
    SYMBOL = "symbol"
    COUNT = "count"
    UNSURE = "unsure"


@dataclass(frozen=True)
class DieReading:
    """One die: `face` is None where the reader refuses; `confidence` is a calibrated probability.

    `box` is the whole die (x1, y1, x2, y2), `corners` the top face, clockwise, both in pixels of the picture.
    """

    face: int | None
    confidence: float
    second: int | None
    box: tuple[float, float, float, float]
    corners: tuple[Point, Point, Point, Point]
    where: Where | None = None
    pose: Pose = Pose.FLAT

    def __post_init__(self) -> None:
        for face in (self.face, self.second):
            if face is not None and not 1 <= face <= 6:
                raise ValueError(f"a face is 1 to 6, not {face}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence is a probability, not {self.confidence}")
        x1, y1, x2, y2 = self.box
        if not (all(map(isfinite, self.box)) and x1 <= x2 and y1 <= y2):
            raise ValueError(f"a box is x1, y1, x2, y2 with x1 ≤ x2 and y1 ≤ y2, not {self.box}")

    @property
    def center(self) -> Point:
        return (sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4)


@dataclass(frozen=True)
class BoardReading:
    """All dice of one picture, and what stands in the way of being sure."""

    dice: tuple[DieReading, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def sure(self) -> bool:
        """Every die has a face and lies flat, and no problem stands; an empty picture without a problem is sure."""
        return not self.problems and all(die.face is not None and die.pose is Pose.FLAT for die in self.dice)

    def without(self, problem: Problem) -> BoardReading:
        """The same, where one problem is known to be none."""
        return replace(self, problems=tuple(one for one in self.problems if one is not problem))
