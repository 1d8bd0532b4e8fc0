"""Pictures that are too dark, too bright or out of focus to be read."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Picture
from vision.reading import Problem

_STRIDE = 4
"""Light is measured on every fourth pixel of every fourth row."""
DARK, BRIGHT = 14, 243
"""Grey levels: a picture whose brightest parts are below, or whose darkest tenth is above, shows nothing."""
SOFT = 0.4
"""Edges wider than so much of a die's edge merge the pips of a six: its rows are a quarter of an edge apart."""
SHARP = 10.0
"""Pixels; a picture with such edges is as sharp as cameras make them, whatever the dice."""
_REACH = 9
_SHARPEST = 99.8
_LEAST_CONTRAST = 24
"""Grey levels across an edge; where there is less, nothing can be said."""


def light_problems(picture: Picture) -> tuple[Problem, ...]:
    """TOO_DARK, TOO_BRIGHT or none."""
    grey = cv2.cvtColor(np.ascontiguousarray(picture[::_STRIDE, ::_STRIDE]), cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(np.asarray(grey), (10, 99.5))
    if high < DARK:
        return (Problem.TOO_DARK,)
    if low > BRIGHT:
        return (Problem.TOO_BRIGHT,)
    return ()


def edge_width(picture: Picture) -> float:
    """Width in pixels of the picture's sharpest edges; 0 where it has none that can be measured.

    Contrast within a few pixels over the steepest slope there; noise makes it smaller, never larger.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    reach, factor = _REACH, 1.0
    while min(grey.shape) > 640:
        grey = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        factor *= 2
    calm = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    across = cv2.Sobel(calm, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(calm, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope = cv2.magnitude(across, down)
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    contrast = cv2.dilate(calm, kernel) - cv2.erode(calm, kernel)
    steep = slope >= max(1e-3, float(np.percentile(np.asarray(slope), _SHARPEST)))
    if not steep.any():
        return 0.0
    step, rise = (float(np.median(np.asarray(x, dtype=np.float32)[steep])) for x in (contrast, slope))
    return factor * step / max(rise, 1e-3) if step >= _LEAST_CONTRAST else 0.0


def is_soft(picture: Picture, die_px: float) -> bool:
    """Whether even the sharpest edges are too wide for dice of that edge."""
    return edge_width(picture) > max(SHARP, SOFT * die_px)
