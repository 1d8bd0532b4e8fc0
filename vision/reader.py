"""A frame and a board in, a reading out: the one public entry for stills."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.board import Board, Scale
from vision.detector import Detection, Detector, DiceDetector, Found
from vision.frame import Frame
from vision.light import is_soft, light_problems
from vision.reading import BoardReading, DieReading, Pose, Problem, Where

FACE_AT = 0.85
"""A face is told from this confidence on."""
SURE_AT = 0.95
"""Below this a told face leaves the reading unsure."""
DIE_AT, DOUBT_AT = 0.6, 0.3
"""On the felt: what is likelier than the first to be a die is one; from the second on it leaves the reading unsure."""
DIE_BESIDE_AT, DOUBT_BESIDE_AT = 0.9, 0.65
"""The same on the rim and beside the board, where chalk, coasters and coins lie."""
MISSED = 0.03
"""Part of all dice that are not found at all, measured on photographs (see the model's card)."""
HAND_AT = 0.5
LEAST_PX = 14.0
"""Dice with shorter edges are too small to be believed."""
USUAL_PX = 32.0
"""Edge of a die where nothing tells it: a picture too soft for such dice may hide some."""
BOX_GROWN = 1.1
"""The whole die's box is a little larger than that of its top, for the sides that are seen."""


class Reader:
    """Reads all dice of one picture.

    >>> reader = Reader()
    >>> reader.read(Frame(np.full((120, 160, 3), 120, np.uint8), t=0.0), die_px=20).dice
    ()
    """

    def __init__(self, detector: Detector | None = None) -> None:
        self._detector = detector or DiceDetector()

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        """All dice of the frame; `die_px` beats the board's scale, `expected` another number is a problem."""
        octagon = None if board is None or board.is_whole else board
        guessed = die_px is None and octagon is not None and octagon.scale is Scale.ASSUMED
        if die_px is None and board is not None:
            die_px = board.expected_die_px()
        detection = self._detector.detect(frame.picture, die_px, octagon, guessed=guessed, expected=expected)
        dice, problems = _believed(detection, board, expected)
        if die_px is not None and die_px < LEAST_PX:
            problems.append(Problem.TOO_SMALL)
        if detection.hand > HAND_AT:
            problems.append(Problem.HAND)
        if expected is not None and expected != len(dice):
            problems.append(Problem.COUNT)
        if min(frame.picture.shape[:2]) < LEAST_PX:
            problems.append(Problem.TOO_SMALL)
        if problems or not dice or expected is None:  # what is not seen may be missed where nobody told the number
            problems = [*light_problems(frame.picture), *problems]
        if all(die.face is None for die in dice):
            edges = [found.edge for found in detection.found if found.is_die >= DOUBT_AT]
            usual = die_px or float(np.median(edges or [USUAL_PX]))
            if is_soft(frame.picture, usual):
                problems.append(Problem.BLURRED)
        return BoardReading(tuple(dice), tuple(dict.fromkeys(problems)))


def _believed(
    detection: Detection, board: Board | None, expected: int | None
) -> tuple[list[DieReading], list[Problem]]:
    """What is taken for dice, and what is wrong with them or with what is not.

    What may be a die is left alone where the others are as many as are expected; on the felt it makes those less sure.
    """
    believed: list[tuple[Found, Where | None]] = []
    doubted: list[float] = []
    doubted_beside = False
    for found in detection.found:
        if found.is_die < DOUBT_AT:
            continue  # of no consequence anywhere
        where = None if board is None else board.where(found.center, found.edge)
        beside = where in (Where.OUTSIDE, Where.RIM)
        if found.is_die >= (DIE_BESIDE_AT if beside else DIE_AT):
            believed.append((found, where))
        elif beside:
            doubted_beside |= found.is_die >= DOUBT_BESIDE_AT
        else:
            doubted.append(found.is_die)
    is_counted = expected == len(believed)
    problems = [Problem.UNSURE] if not is_counted and (doubted or doubted_beside) else []
    if is_counted:
        believed = [(_counted(found.alone or found, max(MISSED, *doubted, 0.0)), where) for found, where in believed]
    dice = [_reading(found, where) for found, where in believed]
    for found, where in believed:
        problems += _problems(found, where)
    return dice, problems


def _counted(found: Found, missed: float) -> Found:
    """The same, told that as many dice lie there as were found: it is no die only if another, as likely as `missed`,
    was not believed.
    """
    is_die = found.is_die * (1 - missed) / (found.is_die * (1 - missed) + (1 - found.is_die) * missed)
    return replace(found, is_die=is_die, confidence=min(found.most, found.confidence / found.is_die * is_die))


def _problems(found: Found, where: Where | None) -> list[Problem]:
    """What is wrong with one die; beside the board and on its rim only its place counts."""
    if where in (Where.OUTSIDE, Where.RIM):
        return []
    problems = list(found.why)
    if found.edge < LEAST_PX:
        problems.append(Problem.TOO_SMALL)
    if not problems and found.confidence < SURE_AT:
        problems.append(Problem.UNSURE)
    return problems


def _reading(found: Found, where: Where | None) -> DieReading:
    points = np.asarray(found.corners)
    middle = points.mean(axis=0)
    (x1, y1), (x2, y2) = (middle + BOX_GROWN * (edge - middle) for edge in (points.min(axis=0), points.max(axis=0)))
    told = found.face is not None and found.confidence >= FACE_AT and found.pose is Pose.FLAT and not found.why
    return DieReading(
        face=found.face if told else None,
        confidence=found.confidence,
        second=found.second,
        box=(float(x1), float(y1), float(x2), float(y2)),
        corners=found.corners,
        where=where,
        pose=found.pose,
    )
