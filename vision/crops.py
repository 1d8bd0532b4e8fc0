"""Crops around a die's top face and the shape of that face, as the face reader takes and gives them."""

from __future__ import annotations

import cmath
from enum import IntEnum
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture

CROP = 64
"""Pixels along a crop's side."""
SPAN = 1.75
"""A crop is so many die edges wide: a die on its corner and a little ground fit."""
WIDER = 1.35
"""The second look's net is trained to see so many times as much, which its file tells: what a die leans on, and what
it lies on, shows beside it."""
FACES = 6
HALF_EDGE = CROP / SPAN / 2
"""Half a die's edge in pixels of a crop."""


class Kind(IntEnum):
    """What a crop shows that is no readable face; logits follow those of the six faces."""

    SYMBOL = 6
    COCKED = 7
    STACKED = 8
    NOTHING = 9


KINDS = tuple(Kind)

Matrix = npt.NDArray[np.float64]  # 2 × 3, picture pixels → crop pixels
Floats = npt.NDArray[np.float32]


def crop_matrix(center: tuple[float, float], edge: float, turn: complex = 1 + 0j, mirrored: bool = False) -> Matrix:
    """Picture → crop; `turn` (of length 1) is the direction in the picture that becomes the crop's x axis."""
    (x, y), middle, scale = center, (CROP - 1) / 2, 2 * HALF_EDGE / edge
    a, b = turn.real * scale, turn.imag * scale
    side = -1 if mirrored else 1
    return np.array([[side * a, side * b, middle - side * (a * x + b * y)], [-b, a, middle - (a * y - b * x)]])


def cut(picture: Picture, matrix: Matrix) -> Picture:
    """The crop; a picture much larger than needed is read from between its pixels, so shrink it first."""
    found = cv2.warpAffine(picture, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, dtype=np.uint8)


def nearest(picture: npt.NDArray[Any], places: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    """The pixels nearest to places (..., 2); beyond the picture's edge those at the edge."""
    height, width = picture.shape[:2]
    x, y = np.moveaxis(np.clip(np.round(places).astype(int), 0, (width - 1, height - 1)), -1, 0)
    return np.asarray(picture[y, x])


def back(points: npt.ArrayLike, matrix: Matrix) -> npt.NDArray[np.float64]:
    """Crop → picture for points (n, 2)."""
    (a, b, x), (c, d, y) = matrix.tolist()
    size = a * d - b * c
    return np.asarray((np.asarray(points, dtype=np.float64) - (x, y)) @ np.array([[d, -c], [-b, a]]) / size)


def shape_from_corners(corners: npt.ArrayLike) -> Floats:
    """Six numbers for a face's four corners (in crop pixels) that do not change with where its corners begin.

    With half edges u and v as complex numbers in units of `HALF_EDGE`: the centre, then u² + v² (0 for a square)
    over the size, then u²v² brought to the size's length, where the size is the root of |u||v|.
    """
    points = (np.asarray(corners, dtype=np.float64) - (CROP - 1) / 2) / HALF_EDGE
    z = points[:, 0] + 1j * points[:, 1]
    center = z.mean()
    u, v = (z[1] + z[2] - z[0] - z[3]) / 4, (z[2] + z[3] - z[0] - z[1]) / 4
    size = abs(u * v) ** 0.5 + 1e-9
    total, product = (u * u + v * v) / size, (u * v) ** 2 / size**3
    return np.array([center.real, center.imag, total.real, total.imag, product.real, product.imag], dtype=np.float32)


def corners_from_shape(shape: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Four corners (4, 2) in crop pixels, clockwise: the inverse of `shape_from_corners` but for where they begin."""
    x, y, total_re, total_im, product_re, product_im = (float(value) for value in np.asarray(shape))
    product = complex(product_re, product_im)
    size = abs(product) or 1e-6
    total, product = complex(total_re, total_im) * size, product * size**3
    root = cmath.sqrt(total * total / 4 - product)
    u, v = cmath.sqrt(total / 2 + root), cmath.sqrt(total / 2 - root)
    if (u.conjugate() * v).imag < 0:
        v = -v
    center = complex(x, y)
    corners = [center - u - v, center + u - v, center + u + v, center - u + v]
    return np.array([[z.real, z.imag] for z in corners]) * HALF_EDGE + (CROP - 1) / 2
