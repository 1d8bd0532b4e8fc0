"""A frame and a board in, a reading out: the one public entry for stills."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Board
from vision.detector import BlobDetector, Detector, Found
from vision.frame import Frame
from vision.reading import BoardReading, DieReading, Problem

DIE_MM = 16.0
"""Edge of a die where nobody said otherwise."""


class Reader:
    """Reads all dice of one picture."""

    def __init__(self, detector: Detector | None = None) -> None:
        self._detector = detector or BlobDetector()

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        """All dice of the frame; `die_px` beats the board's scale, `expected` another number is a problem."""
        scale = getattr(board, "px_per_mm", None)
        if die_px is None and scale:
            die_px = DIE_MM * scale
        dice = tuple(_reading(found, board) for found in self._detector.detect(frame.picture, die_px))
        problems: list[Problem] = []
        mean = float(cv2.mean(cv2.cvtColor(frame.picture, cv2.COLOR_BGR2GRAY))[0])
        if mean < 12:
            problems.append(Problem.TOO_DARK)
        if mean > 245:
            problems.append(Problem.TOO_BRIGHT)
        if expected is not None and expected != len(dice):
            problems.append(Problem.COUNT)
        return BoardReading(dice, tuple(problems))


def _reading(found: Found, board: Board | None) -> DieReading:
    points = np.asarray(found.corners)
    (x1, y1), (x2, y2) = points.min(axis=0), points.max(axis=0)
    where = None if board is None else board.where(found.center)
    return DieReading(
        face=found.face,
        confidence=found.confidence,
        second=found.second,
        box=(float(x1), float(y1), float(x2), float(y2)),
        corners=found.corners,
        where=where,
        pose=found.pose,
    )
