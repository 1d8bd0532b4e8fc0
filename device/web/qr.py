"""A QR code as one path of an SVG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np


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
    drawn = np.asarray(cv2.QRCodeEncoder.create().encode(text))
    rows, columns = np.nonzero(drawn == 0)
    path = "".join(f"M{x} {y}h1v1h-1z" for y, x in zip(rows.tolist(), columns.tolist(), strict=True))
    return Code(path, int(drawn.shape[0]))
