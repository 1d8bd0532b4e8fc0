"""How far the pips of a die differ in a picture from the top around them: what reading a face hangs on most."""

from __future__ import annotations

import cv2
import numpy as np

from models.render.draw import Picture
from models.throws.faces import Array
from vision.crops import nearest

RING, STEPS = 0.17, 10
"""Where a pip's surroundings are looked at: so many edges from its middle, in so many places."""


def pips_differ(picture: Picture, pips: Array, die_px: float) -> float:
    """The distance of a pip's colour from that around it, in levels of 0 to 255: the middle one of `pips` (n, 2) px.

    Black pips on white differ by up to 440 levels, red, green and blue together; below some 75 a person looks twice.
    """
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float64)
    turns = np.linspace(0, 2 * np.pi, STEPS, endpoint=False)
    ring = RING * die_px * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    around = np.median(nearest(smooth, pips[:, None] + ring), axis=1)
    return float(np.median(np.linalg.norm(nearest(smooth, pips) - around, axis=-1)))
