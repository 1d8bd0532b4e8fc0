"""Small pictures of rendered boards with their three octagons, as the board net is trained on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture
from vision.octagon import signed_area

Array = npt.NDArray[np.float64]

WIDTH = 168
"""Pixels of the kept pictures: a little more than the net sees."""
RINGS = ("rim_outer", "rim_inner", "floor")


class BadLabels(ValueError):
    """Pictures or labels that cannot be trained on; the message says which."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """A picture `WIDTH` wide and its `rings` (3 × 8 × 2), clockwise, in pixels, in the order of `RINGS`.

    `rings` is None where the picture shows no board.
    """

    picture: Picture
    rings: Array | None


def load(folder: Path, *, every: int = 1, first: int = 0) -> list[Labelled]:
    """Every so manieth picture of a folder of rendered stills; raises BadLabels, OSError and ValueError."""
    told = json.loads((folder / "labels.json").read_text("utf-8"))["images"]
    return [_labelled(folder, one) for one in told[first::every]]


def _labelled(folder: Path, one: dict[str, Any]) -> Labelled:
    file = folder / one["image"]
    picture = cv2.imread(str(file))
    if picture is None:
        raise BadLabels(f"{file} is no picture.")
    factor = WIDTH / picture.shape[1]
    small = cv2.resize(picture, (WIDTH, round(picture.shape[0] * factor)), interpolation=cv2.INTER_AREA)
    if (told := one["board_px"]) is None:
        return Labelled(np.asarray(small, np.uint8), None)
    if missing := [name for name in RINGS if name not in told]:
        raise BadLabels(f"{folder} does not tell the {missing[0]} of {file.name}: render it anew.")
    rings = np.array([_clockwise(np.array(told[name], np.float64)) for name in RINGS])
    return Labelled(np.asarray(small, np.uint8), rings * factor)


def _clockwise(corners: Array) -> Array:
    return corners if signed_area(corners) > 0 else corners[::-1]
