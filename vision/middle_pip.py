"""Whether something stands out in the middle of a top that shows none there: a pip that glare all but hid.

A 3 with such a middle is told as a 2 beyond doubt, a 5 as a 4: the nets see what two or four pips look like. What is
left of the pip is little, but more than a plain top shows elsewhere.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import HALF_EDGE, crop_matrix, nearest
from vision.faces import Sizes, edge_px, middle_of

WITHOUT_MIDDLE = (2, 4)
"""Faces that are another with a pip in the middle. A 6 has none, and is no 7."""
STANDS_OUT, LEAST = 1.5, 12.0
"""A middle that differs from what is around it by so many times as much as other bare places do, and by so many levels,
may be a pip: so do three in five of 3s and 5s with pips that hardly differ, and two or three of a hundred 2s and 4s."""
_CALM = 3.0  # levels that noise makes anywhere
_EDGE = 2 * HALF_EDGE  # of a die in the crop
_BARE = 0.25 * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])  # in edges: the middle, and where 2 and 4 show none
_NEAR = 0.04 * np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1)])  # corners are told so well
_TURNS = np.arange(12) * np.pi / 6
_AROUND = 0.15 * np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=-1)
_BLUR = 0.03


def may_hide_pip(sizes: Sizes, corners: npt.ArrayLike) -> bool:
    """`corners` (4, 2): those of the top in pixels of the picture, clockwise; it shows a face of `WITHOUT_MIDDLE`."""
    a, b, c, d = told = np.asarray(corners, dtype=np.float64)
    along, down = (b - a + c - d) / 2, (d - a + c - b) / 2
    center, edge = middle_of(told), edge_px(told) or 1.0
    matrix = crop_matrix(center, edge)
    crop = cv2.GaussianBlur(sizes.cut(matrix, edge), (0, 0), _BLUR * _EDGE).astype(np.float64)
    middle = matrix @ (*center, 1.0)
    places = middle + _EDGE / edge * _BARE @ np.array([along, down])
    places = places[:, None] + _EDGE * _NEAR
    around = np.median(nearest(crop, places[:, :, None] + _EDGE * _AROUND), axis=2)
    differ = np.linalg.norm(nearest(crop, places) - around, axis=-1).max(axis=1)
    return bool(differ[0] > LEAST and differ[0] > STANDS_OUT * (np.median(differ[1:]) + _CALM))
