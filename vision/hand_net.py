"""Whether a hand or a sleeve is in a picture: the whole of it, seen small."""

from __future__ import annotations

from math import prod
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture
from vision.model_file import opened
from vision.nets import MODELS

HAND = "hand.onnx"
LONGER, MULTIPLE = 128, 16
"""Pixels that the longer side is shrunk to; both are made multiples of the second."""
STRIDE = 8
"""Pixels to a cell of the map."""
CELLS = 3
"""Cells of the map, its surest, that tell together, as in training: less than that is a fingertip."""


class HandNet:
    """Sees hands.

    >>> HandNet().seen(np.full((96, 128, 3), 90, np.uint8)) < 0.5
    True
    """

    def __init__(self, folder: Path = MODELS, threads: int = 1) -> None:
        self._session = opened(folder / HAND, threads)

    def seen(self, picture: Picture) -> float:
        """How likely a hand or a sleeve covers a part of the picture, 0 to 1."""
        (cells,) = self._session.run(None, {"pictures": small(picture).transpose(2, 0, 1)[None]})
        best = np.partition(cells.ravel(), -CELLS)[-CELLS:]
        return float(1 / (1 + np.exp(-best.mean())))


def together(*told: float) -> float:
    """What several that look at hands in their own way tell together: their odds, multiplied.

    The finder sees skin and sleeves at the dice's scale, the net here the whole arm; of hands over a board either
    misses three in ten where it is hardly ever wrong, both together half as many.
    """
    odds = prod(one / (1 - one) for one in (min(max(each, 1e-4), 1 - 1e-4) for each in told))
    return odds / (1 + odds)


def size_of(width: int, height: int) -> tuple[int, int]:
    """Width and height to which a picture is shrunk for the net."""
    shrunk = LONGER / max(height, width) / MULTIPLE
    return max(1, round(width * shrunk)) * MULTIPLE, max(1, round(height * shrunk)) * MULTIPLE


def small(picture: Picture) -> npt.NDArray[np.uint8]:
    """The whole picture as the net takes it."""
    height, width = picture.shape[:2]
    wide, high = size_of(width, height)
    while width >= 2 * wide and height >= 2 * high:  # by quarters and halves, which is fast
        part = 4 if width >= 8 * wide and height >= 8 * high else 2
        width, height = width // part, height // part
        picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    return np.asarray(cv2.resize(picture, (wide, high), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
