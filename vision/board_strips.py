"""The picture across the sides of an octagon as the edge net is shown it: colours, their spread, and what is seen."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture
from vision.octagon import SIDES, Points
from vision.side_profiles import FARTHEST, NEAREST, PIECES

RAYS = SIDES * PIECES
SAMPLES = 192
"""Along each ray, evenly from `NEAREST` to `FARTHEST` times the distance of the octagon's side."""
PLANES = 5
"""Blue, green, red (0 … 255), the spread of the brightness across a ray's strip, and 1 where the picture is seen."""
WIDTH = 640
"""Pixels of the picture that strips are taken from; larger ones are made smaller."""
_ROWS = 10
_CUT = 2  # rows of each strip that are left out as the darkest and as the brightest: chalk, dice, fingers
Floats = npt.NDArray[np.float32]


def strips_of(picture: Picture, corners: Points) -> Floats:
    """What is seen along the rays (PLANES × RAYS × SAMPLES) of an octagon (8 × 2 corners, pixels of the picture)."""
    if picture.shape[1] > WIDTH:
        factor = WIDTH / picture.shape[1]
        picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        corners = (corners + 0.5) * factor - 0.5
    height, width = picture.shape[:2]
    middle = corners.mean(axis=0)
    share = (np.arange(PIECES * _ROWS) + 0.5) / (PIECES * _ROWS)
    feet = corners[:, None] + share[None, :, None] * (np.roll(corners, -1, axis=0) - corners)[:, None]
    ratios = np.linspace(NEAREST, FARTHEST, SAMPLES)
    places = (middle + (feet - middle).reshape(-1, 1, 2) * ratios[None, :, None]).astype(np.float32)
    x, y = places[..., 0], places[..., 1]
    seen = ((x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)).reshape(RAYS, _ROWS, SAMPLES).all(axis=1)
    shown = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(RAYS, _ROWS, SAMPLES, 3)
    ordered = np.sort(shown, axis=1)[:, _CUT : _ROWS - _CUT]
    out = np.empty((PLANES, RAYS, SAMPLES), np.float32)
    out[:3] = ordered.mean(axis=1, dtype=np.float32).transpose(2, 0, 1)
    out[3] = shown.mean(axis=-1, dtype=np.float32).std(axis=1)
    out[4] = seen
    return out
