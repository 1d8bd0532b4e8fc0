"""Pictures that are too dark, too bright or out of focus to be read."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Picture
from vision.reading import Problem

_STRIDE = 4
"""Light is measured on every fourth pixel of every fourth row."""
DARK, BRIGHT = 14, 243
"""Grey levels: a picture whose brightest tenth is below, or whose darkest tenth is above, shows nothing."""


def light_problems(picture: Picture) -> tuple[Problem, ...]:
    """TOO_DARK, TOO_BRIGHT or none."""
    grey = cv2.cvtColor(np.ascontiguousarray(picture[::_STRIDE, ::_STRIDE]), cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(np.asarray(grey), (10, 99.5))
    if high < DARK:
        return (Problem.TOO_DARK,)
    if low > BRIGHT:
        return (Problem.TOO_BRIGHT,)
    return ()
