"""Draws a bar of known length on the felt, so that a person sees whether the millimetres are right."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Board, Scale
from vision.frame import Picture

BAR_MM, TICK_MM = 100, 10
_LOW = 0.34  # of the felt's width below its middle: clear of most dice
_INK, _SHADE = (255, 255, 255), (0, 0, 0)


def with_scale_bar(picture: Picture, board: Board) -> Picture:
    """A copy with a bar of 100 mm lying on the felt, a tick every 10 mm; a ~ says that millimetres are assumed."""
    drawn = picture.copy()
    unit = max(1, round(min(drawn.shape[:2]) / 500))
    low = _LOW * board.felt_mm
    along = np.arange(-BAR_MM / 2, BAR_MM / 2 + 1, TICK_MM)
    line = board.to_px(np.column_stack([along, np.full(len(along), low)]))
    ticks = board.to_px(np.column_stack([along, np.full(len(along), low - 4.0)]))
    for colour, thick in ((_SHADE, 3 * unit), (_INK, unit)):
        cv2.polylines(drawn, [np.round(line).astype(np.int32)], False, colour, thick, cv2.LINE_AA)
        for foot, tip in zip(line, ticks, strict=True):
            cv2.line(drawn, _pixel(foot), _pixel(tip), colour, thick, cv2.LINE_AA)
        text = f"{'~' if board.scale is Scale.ASSUMED else ''}{BAR_MM} mm"
        x, y = _pixel(line[-1])
        cv2.putText(drawn, text, (x + 6 * unit, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, colour, thick, cv2.LINE_AA)
    return drawn


def _pixel(point: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
