"""From fitted parameters to a `Board`."""

from __future__ import annotations

import numpy as np

from vision.board import Board
from vision.board_fit import Fit
from vision.board_model import BEND, DEPTH, FLOOR, FLOOR_EDGE, FOCAL, OUTER_EDGE, outlines
from vision.errors import VisionError
from vision.octagon import Points
from vision.reading import Point


def board_of(fit: Fit, width: int, height: int) -> Board | None:
    """The board that a fit stands for, in a picture of that size; None for octagons that no board has."""
    p = fit.parameters
    try:
        return Board(
            width,
            height,
            _points(corners_of(fit, FLOOR_EDGE, width, height)),
            _points(corners_of(fit, OUTER_EDGE, width, height)),
            k1=float(p[BEND]),
            focal=float(np.exp(p[FOCAL])) * width,
            rim_height=float(p[DEPTH] / p[FLOOR]) / 2,
            opening=float(1 / p[FLOOR]),
        )
    except VisionError:
        return None


def corners_of(fit: Fit, layer: int, width: int, height: int) -> Points:
    """The 8 corners (pixels) of one of a fit's octagons."""
    return np.asarray(outlines(fit.parameters[None], width, height, (layer,))[0, 0])


def _points(corners: Points) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)
