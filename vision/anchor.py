"""Notices that the board no longer lies where it was found."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Board
from vision.gate import Grey

_CORNERS = 80
_LEAST = 10


class Anchor:
    """Marks on the rim in the picture in which the board was found; hands and dice hide some, never most."""

    def __init__(self, board: Board, grey: Grey, scale: float) -> None:
        self._scale = scale
        self._grey = grey
        self._points = None
        if board.is_whole:
            return
        band = np.zeros(grey.shape, np.uint8)
        cv2.fillPoly(band, [np.round(np.array(board.rim) / scale).astype(np.int32)], (255,))
        band = cv2.dilate(band, np.ones((5, 5), np.uint8))
        inner = np.zeros(grey.shape, np.uint8)
        cv2.fillPoly(inner, [np.round(np.array(board.felt) / scale).astype(np.int32)], (255,))
        band[cv2.erode(inner, np.ones((5, 5), np.uint8)) > 0] = 0
        self._points = cv2.goodFeaturesToTrack(grey, _CORNERS, 0.02, 4, mask=band)

    def shift(self, grey: Grey) -> float | None:
        """How far the rim's marks have moved since, in pixels of the full picture; None where they are not found again.

        0 where there is nothing to go by: the whole picture is felt, or the rim shows no marks.
        """
        points = self._points
        if points is None or len(points) < _LEAST or grey.shape != self._grey.shape:
            return 0.0
        there, ok, _ = cv2.calcOpticalFlowPyrLK(
            self._grey, grey, points, np.empty_like(points), winSize=(21, 21), maxLevel=2
        )
        back, ok_back, _ = cv2.calcOpticalFlowPyrLK(
            grey, self._grey, there, np.empty_like(points), winSize=(21, 21), maxLevel=2
        )
        returned = np.hypot(*(back - points).reshape(-1, 2).T) < 0.7
        good = (ok.ravel() == 1) & (ok_back.ravel() == 1) & returned
        if good.sum() < max(_LEAST, 0.4 * len(points)):
            return None
        moved = (there - points).reshape(-1, 2)[good]
        return float(np.median(np.hypot(*moved.T))) * self._scale
