"""From pictures of a board to what is kept of it: where it lies, its millimetres, its light and its focus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist

from device.errors import BadInput
from vision.board import Board
from vision.board_by_hand import board_from_clicks
from vision.board_scale import Sizes, with_sizes
from vision.conditions import Conditions, conditions
from vision.errors import VisionError
from vision.find_board import find_board
from vision.frame import Frame, Picture
from vision.reader import Reader
from vision.reading import BoardReading, Point

MOST_PICTURES = 5
"""So many pictures are looked at; the board that the others agree with best is kept."""
MOST_SPREAD = 0.2  # of a die's edge: pictures that differ more show a board or camera that moved
LEAST_SIDE = 100  # pixels: no board is made out in less


class NotCalibrated(BadInput):
    """No board came of the pictures; `key` is the reason in the texts (``board``)."""

    def __init__(self, sentence: str, key: str) -> None:
        super().__init__(sentence)
        self.key = key


@dataclass(frozen=True)
class Clicks:
    """What a person clicked: the eight corners of the felt, and those of the rim's outer edge where told."""

    felt: Sequence[Point] = ()
    rim: Sequence[Point] = ()


@dataclass(frozen=True)
class Calibrated:
    """The board, and the picture with most dice; `spread_px` is how far another picture had its corners off at most.

    `by_edges` is false where the board's edges were not seen and the clicks alone say where it lies.
    """

    sizes: Sizes
    picture: Picture
    reading: BoardReading
    conditions: Conditions
    pictures: int
    spread_px: float
    by_edges: bool = True

    @property
    def board(self) -> Board:
        return self.sizes.board

    @property
    def moved(self) -> bool:
        """Whether the board or the camera moved while it was looked at."""
        return self.spread_px > MOST_SPREAD * (self.board.expected_die_px() or 1e9)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences for a person, the most urgent first; empty where all is well."""
        told = []
        if self.moved:
            told.append("the board or the camera moved while it was looked at: calibrate again")
        if not self.by_edges:
            told.append("the board's edges are not seen near the clicks: these alone say where it lies")
        if self.conditions.light != "good":
            told.append(f"the light is {_LIGHT.get(self.conditions.light.value, self.conditions.light.value)}")
        if self.conditions.focus in ("soft", "too soft"):
            told.append(f"the picture is {self.conditions.focus}: focus on the felt")
        if self.board.scale == "assumed":
            told.append("millimetres are assumed: lay dice on the felt and tell --die-mm, or tell --felt-mm")
        return tuple(told)


_LIGHT = {
    "uneven": "uneven: one side of the board is much darker",
    "glare": "glaring: parts of the board are cut off at white",
    "dim": "dim: more lamp, please",
}


def calibrated(
    pictures: Iterable[Picture],
    reader: Reader,
    *,
    die_mm: float | None = None,
    felt_mm: float | None = None,
    clicks: Clicks | None = None,
) -> Calibrated:
    """What the pictures come to; raises `BadInput`, in a sentence that helps, where they come to nothing."""
    seen = list(pictures)
    if not seen:
        raise NotCalibrated("no picture came to find a board in", "no_picture")
    if min(seen[0].shape[:2]) < LEAST_SIDE:
        height, width = seen[0].shape[:2]
        raise NotCalibrated(f"no board is made out in a picture of {width} x {height}", "too_small")
    try:
        board, spread, by_edges = _clicked(seen[-1], clicks) if clicks is not None else _found(seen)
    except VisionError as fault:
        raise NotCalibrated(str(fault), "clicks") from fault
    try:
        readings = [reader.read(Frame(picture, 0.0), board) for picture in seen]
        dice = tuple(die for reading in readings for die in reading.dice)
        sizes = with_sizes(board, dice, die_mm=die_mm, felt_mm=felt_mm)
        picture = max(zip(seen, readings, strict=True), key=lambda one: _told(one[1]))[0]
        reading = reader.read(Frame(picture, 0.0), sizes.board)  # its true size tells the reader more
    except VisionError as fault:
        raise NotCalibrated(str(fault), "sizes") from fault
    how = conditions(picture, sizes.board)
    return Calibrated(sizes, picture, reading, how, len(seen), spread, by_edges)


def _told(reading: BoardReading) -> int:
    return sum(die.face is not None for die in reading.dice)


def _found(pictures: Sequence[Picture]) -> tuple[Board, float, bool]:
    """The board that agrees best with those of the other pictures, and the largest distance to one of them."""
    found = [board for picture in pictures if (board := find_board(picture)) is not None]
    if not found:
        raise NotCalibrated(
            "no board was found: the whole rim must be in the picture, lit, with no arm over it; "
            "or tell the eight corners of the felt with --corners x,y x,y …",
            "not_found",
        )
    apart = [sorted(_apart(board, other) for other in found) for board in found]
    best = min(range(len(found)), key=lambda n: apart[n][len(found) // 2])
    return found[best], apart[best][-1], True


def _clicked(picture: Picture, clicks: Clicks) -> tuple[Board, float, bool]:
    board, by_edges = board_from_clicks(picture, clicks.felt, clicks.rim)
    return board, 0.0, by_edges


def _apart(one: Board, other: Board) -> float:
    """Largest distance of a corner of the felt to the nearest of the other board, in pixels."""
    return max(min(dist(corner, there) for there in other.felt) for corner in one.felt)
