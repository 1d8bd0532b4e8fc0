"""Draws what was read onto a picture, for people."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.board import Board
from vision.frame import Picture
from vision.reading import BoardReading, DieReading, Point, Pose, Where

Colour = tuple[int, int, int]  # blue, green, red

SURE: Colour = (80, 220, 60)
ASKED: Colour = (40, 170, 255)
BESIDE: Colour = (255, 160, 60)
EDGE: Colour = (230, 230, 120)
INK: Colour = (255, 255, 255)
SHADE: Colour = (0, 0, 0)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotated(
    picture: Picture, reading: BoardReading | None, board: Board | None = None, lines: Sequence[str] = ()
) -> Picture:
    """A copy of the picture with the board's octagons, the dice (top face, face and confidence) and lines of text.

    Green: read for sure; orange: refused, leaning or stacked; blue: on the rim or outside, where no face counts.
    """
    drawn = picture.copy()
    unit = max(1, round(min(drawn.shape[:2]) / 500))
    if board is not None:
        for corners in (board.felt, board.rim):
            _outline(drawn, corners, EDGE, unit)
    told = [] if reading is None else [problem.value for problem in reading.problems]
    for die in () if reading is None else reading.dice:
        _die(drawn, die, unit)
    for number, line in enumerate([*lines, *([", ".join(told)] if told else [])]):
        _text(drawn, line, (8 * unit, round(22 * unit * (number + 1))), unit, INK)
    return drawn


def _die(drawn: Picture, die: DieReading, unit: int) -> None:
    colour = SURE
    if die.where in (Where.RIM, Where.OUTSIDE):
        colour = BESIDE
    elif die.face is None or die.pose is not Pose.FLAT:
        colour = ASKED
    _outline(drawn, die.corners, colour, unit)
    face = "?" if die.face is None else str(die.face)
    words = [f"{face} {die.confidence:.3f}"]
    if die.pose is not Pose.FLAT:
        words.append(die.pose.value)
    if die.where in (Where.RIM, Where.OUTSIDE):
        words.append(die.where.value)
    x, y = round(die.box[0]), round(die.box[1]) - 4 * unit
    _text(drawn, " ".join(words), (x, max(14 * unit, y)), unit, colour)


def _outline(drawn: Picture, corners: Sequence[Point], colour: Colour, unit: int) -> None:
    if corners:
        points = np.round(np.array(corners, float)).astype(np.int32)
        cv2.polylines(drawn, [points], True, colour, unit, cv2.LINE_AA)


def _text(drawn: Picture, text: str, at: tuple[int, int], unit: int, colour: Colour) -> None:
    plain = text.encode("ascii", "replace").decode()  # the font knows no more
    for shade, thick in ((SHADE, 3 * unit), (colour, unit)):
        cv2.putText(drawn, plain, at, _FONT, 0.5 * unit, shade, thick, cv2.LINE_AA)
