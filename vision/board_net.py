"""The trained net that tells, in a small picture, what lies within a board's rim and on its floor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture
from vision.model_file import opened_once

MODEL = Path(__file__).resolve().parent.parent / "models" / "board.onnx"
_PIXELS = 128 * 96
"""Of the picture that the net sees, about."""
_MULTIPLE = 16
_NOWHERE = -2.0  # a logit: of all boards rendered none was seen so faintly
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BoardMaps:
    """Logits (3 × h × w) of lying within the rim's outer edge, its inner edge, and the floor's edge.

    What an arm covers counts as if it were seen. `scale` (2,): pixels of the picture to one cell across and down.
    """

    logits: Floats
    scale: tuple[float, float]

    @property
    def shows_none(self) -> bool:
        """Whether the net sees no place at all where a board may be."""
        return float(self.logits[1].max()) < _NOWHERE

    def raised(self, sure: float) -> BoardMaps:
        """The maps in which only places with logits above `sure` count as seen."""
        return replace(self, logits=self.logits - np.float32(sure))


def board_maps(picture: Picture) -> BoardMaps:
    """What the net tells of a picture (BGR); raises `ModelMissing` where its file is missing or none of ours."""
    height, width = picture.shape[:2]
    factor = sqrt(_PIXELS / (height * width))
    w, h = (max(_MULTIPLE, round(side * factor / _MULTIPLE) * _MULTIPLE) for side in (width, height))
    small = cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA)
    (maps,) = opened_once(MODEL).run(None, {"picture": np.ascontiguousarray(small.transpose(2, 0, 1))[None]})
    logits = np.asarray(maps[0], np.float32)
    return BoardMaps(logits, (width / logits.shape[2], height / logits.shape[1]))
