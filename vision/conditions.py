"""Light and focus over a board, in words: what `calibrate` tells before an evening begins."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Board
from vision.frame import Picture
from vision.light import SHARP, SOFT, edge_width, light_problems
from vision.reading import Problem

_DIM = 60  # grey level that the brightest twentieth of a well lit board is above
_CUT_OFF = 250  # from here on a sensor tells nothing more
_MOST_GLARE = 0.03  # of the board's surface
_MOST_UNEVEN = 2.6  # brightest ÷ darkest quarter of the felt
_SOFTISH = 0.88  # of the width of an edge that is too soft


class Light(StrEnum):
    GOOD = "good"
    DIM = "dim"
    UNEVEN = "uneven"
    GLARE = "glare"
    TOO_DARK = "too dark"
    TOO_BRIGHT = "too bright"


class Focus(StrEnum):
    SHARP = "sharp"
    SOFT = "soft"
    TOO_SOFT = "too soft"
    UNKNOWN = "not to be told"


@dataclass(frozen=True)
class Conditions:
    """Light and focus with what they were judged by.

    `level`: grey level (0 to 255) of the brightest twentieth of the board; `glare`: part of it that is cut off at
    white; `uneven`: brightest ÷ darkest quarter; `edge_px`: width of the sharpest edges, 0 where there are none.
    """

    light: Light
    focus: Focus
    level: float
    glare: float
    uneven: float
    edge_px: float

    @property
    def good(self) -> bool:
        """Whether nothing needs to be done before dice are read."""
        return self.light in (Light.GOOD, Light.UNEVEN) and self.focus is not Focus.TOO_SOFT


def conditions(picture: Picture, board: Board) -> Conditions:
    """How the board (of this very picture's size) is lit, and how sharp it is for the dice thrown on it."""
    around, mask = _cut(picture, board)
    grey = np.asarray(cv2.cvtColor(around, cv2.COLOR_BGR2GRAY), np.uint8)
    shown = grey[mask]
    level = float(np.percentile(shown, 95))
    glare = float((shown >= _CUT_OFF).mean())
    height, width = grey.shape
    quarters = [
        float(grey[part][mask[part]].mean())
        for rows in (slice(None, height // 2), slice(height // 2, None))
        for columns in (slice(None, width // 2), slice(width // 2, None))
        if mask[part := (rows, columns)].any()
    ]
    uneven = (max(quarters) + 1) / (min(quarters) + 1)
    problems = light_problems(around)
    light = Light.GOOD
    if Problem.TOO_DARK in problems:
        light = Light.TOO_DARK
    elif Problem.TOO_BRIGHT in problems:
        light = Light.TOO_BRIGHT
    elif level < _DIM:
        light = Light.DIM
    elif glare > _MOST_GLARE:
        light = Light.GLARE
    elif uneven > _MOST_UNEVEN:
        light = Light.UNEVEN
    edge = edge_width(around)
    return Conditions(light, _focus(edge, board.expected_die_px() or 0.0), level, glare, uneven, edge)


def _focus(edge_px: float, die_px: float) -> Focus:
    if edge_px <= 0:
        return Focus.UNKNOWN
    most = max(SHARP, SOFT * die_px)
    return Focus.TOO_SOFT if edge_px > most else Focus.SOFT if edge_px > _SOFTISH * most else Focus.SHARP


def _cut(picture: Picture, board: Board) -> tuple[Picture, npt.NDArray[np.bool_]]:
    """The part of the picture that holds the board, and which of its pixels are board; all of it without one."""
    height, width = picture.shape[:2]
    if board.is_whole:
        return picture, np.ones((height, width), bool)
    rim = np.array(board.rim)
    left, top = np.clip(np.floor(rim.min(axis=0)).astype(int), 0, [width - 2, height - 2])
    right, bottom = np.clip(np.ceil(rim.max(axis=0)).astype(int), [left + 2, top + 2], [width, height])
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(mask, [np.round(rim - [left, top]).astype(np.int32)], (1.0,))
    return np.ascontiguousarray(picture[top:bottom, left:right]), mask > 0
