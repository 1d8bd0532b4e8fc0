"""The trained nets as onnxruntime sessions: one finds dice in a small picture, two read crops."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP, FACES, KINDS
from vision.frame import Picture
from vision.model_file import opened

MODELS = Path(__file__).resolve().parent.parent / "models"
FINDER, READER, UPRIGHT = "finder.onnx", "dice.onnx", "upright.onnx"
STRIDE = 4
"""Pixels of the searched picture to a cell of the finder's maps."""
SEARCH_EDGE = 11.0
"""A die's edge in pixels of the searched picture, where the scale is right."""
UNIT_EDGE = 14.0
"""Pixels of the searched picture: the finder's maps tell the log of an edge over this."""
HAND_CELLS = 6
"""Cells of the hand's map, its surest, that tell together."""
LEAST_SCORE = 0.1
"""Where the finder scores less there is no look. At more it would miss half as many dice again, above all white ones on
the rim before white things, of which a look leaves no doubt; at less there is twice as much to look at for nothing."""
MOST_SPOTS = 48
"""Of one search the likeliest are kept: no board has more dice, and carpets have thousands of doubtful spots."""
_MULTIPLE = 16
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Spot:
    """Where a die may be, in pixels of the picture; `score` is the finder's own, not a probability."""

    center: tuple[float, float]
    edge: float
    score: float


class Finder:
    """Places and sizes of what may be dice, at one scale."""

    def __init__(self, folder: Path = MODELS, threads: int = 1) -> None:
        self._session = opened(folder / FINDER, threads)

    def find(self, picture: Picture, scale: float, least: float = LEAST_SCORE) -> tuple[list[Spot], float]:
        """Spots of the picture shrunk (or grown) by `scale`, and how likely a hand is in it, 0 to 1."""
        maps, hand = self._session.run(None, {"picture": _levelled(_resized(picture, scale))})
        heat = maps[0, 0]
        peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > log(least / (1 - least)))
        rows, columns = np.nonzero(peaks)
        likeliest = np.argsort(-heat[peaks], kind="stable")[:MOST_SPOTS]
        rows, columns = rows[likeliest], columns[likeliest]
        odds, dx, dy, size = maps[0][:, rows, columns]
        x, y = (columns + 0.5 + dx) * STRIDE / scale, (rows + 0.5 + dy) * STRIDE / scale
        edges = UNIT_EDGE * np.exp(np.clip(size, -2, 2)).astype(np.float64) / scale
        told = zip(x.tolist(), y.tolist(), edges.tolist(), _sigmoid(odds).tolist(), strict=True)
        spots = [Spot((x, y), edge, score) for x, y, edge, score in told]
        best = np.partition(hand.ravel(), -HAND_CELLS)[-HAND_CELLS:] if hand.size >= HAND_CELLS else hand.ravel()
        return spots, float(_sigmoid(best).mean())


@dataclass(frozen=True)
class Views:
    """What the reader says of n crops: `logits` (n, faces + kinds), `shape` (n, 6), `pips` (n, 32, 32) in 0..1,
    `normal` (n, 2), how each top looks past the camera, along the crop's axes.
    """

    logits: Floats
    shape: Floats
    pips: Floats
    normal: Floats


class FaceNet:
    """What crops around a die's top show; `name` is that of the net for first looks or of the one for upright ones."""

    def __init__(self, folder: Path = MODELS, threads: int = 1, name: str = READER) -> None:
        self._session = opened(folder / name, threads)

    def read(self, crops: list[Picture]) -> Views:
        if not crops:
            half = CROP // 2
            sizes = ((0, FACES + len(KINDS)), (0, 6), (0, half, half), (0, 2))
            return Views(*(np.zeros(size, np.float32) for size in sizes))
        planes = np.array([cv2.split(crop) for crop in crops])
        logits, shape, pips, normal = self._session.run(None, {"crops": planes})
        return Views(logits, shape, _sigmoid(pips[:, 0]), normal)

    @cached_property
    def told(self) -> dict[str, object]:
        """What training wrote into the file: of the first looks' net the calibration, of the other how much it sees."""
        properties = self._session.get_modelmeta().custom_metadata_map
        return {key: json.loads(value) for key, value in properties.items()}

    @cached_property
    def wider(self) -> float:
        """How many times as much as a first look's its crops show (see `vision.crops.WIDER`)."""
        return float(str(self.told.get("wider", 1.0)))


def _resized(picture: Picture, scale: float) -> Picture:
    """Shrunk by halves as long as that fits, then between pixels; edges padded to what the net's strides need."""
    height, width = picture.shape[:2]
    wide, high = max(_MULTIPLE, round(width * scale)), max(_MULTIPLE, round(height * scale))
    while wide * 2 <= picture.shape[1] * 1.02 and high * 2 <= picture.shape[0] * 1.02:
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if picture.shape[:2] != (high, wide):
        picture = np.asarray(cv2.resize(picture, (wide, high), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    right, below = -wide % _MULTIPLE, -high % _MULTIPLE
    if right or below:
        padded = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_REPLICATE)
        picture = np.asarray(padded, dtype=np.uint8)
    return picture


def _levelled(picture: Picture) -> Floats:
    """As the finder takes it: planes (1, 3, height, width) of numbers from -2 to 2."""
    planes = np.array(cv2.split(picture), np.float32)
    planes -= 128
    planes *= 1 / 64
    return planes[None]


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)), dtype=np.float32)
