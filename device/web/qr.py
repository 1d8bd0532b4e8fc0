"""A QR code as one path of an SVG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Code:
    """`path` fills the dark modules, one unit each, in a drawing of `size` × `size` units, quiet zone included."""

    path: str
    size: int


def code(text: str) -> Code:
    """The QR code of `text`.

    >>> code("http://192.168.1.20:8080/play").size
    29
    """
    dark = modules(text)
    rows, columns = np.nonzero(dark)
    path = "".join(f"M{x} {y}h1v1h-1z" for y, x in zip(rows.tolist(), columns.tolist(), strict=True))
    return Code(path, int(dark.shape[0]))


def modules(text: str) -> NDArray[np.bool_]:
    """The QR code of `text` as rows of modules, dark ones true, quiet zone included."""
    dark: NDArray[np.bool_] = np.asarray(cv2.QRCodeEncoder.create().encode(text)) == 0
    return dark
