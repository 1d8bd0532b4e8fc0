"""Reads the faces at given spots: crops, looked at from several turns, with the answers averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP, FACES, HALF_EDGE, Matrix, back, corners_from_shape, crop_matrix, cut
from vision.frame import Picture
from vision.nets import Floats, Spot, Views

TURNS: tuple[tuple[float, bool], ...] = ((0.0, False), (50.0, True), (25.0, False))
"""Further looks at a die once its top is known: degrees from upright, mirrored or not."""
PIP_LEAST = 0.4
_LARGE = 2 * 2 * HALF_EDGE
"""Dice with larger edges are cut from a picture of half the size."""


class Net(Protocol):
    def read(self, crops: list[Picture]) -> Views: ...


@dataclass(frozen=True)
class Face:
    """What is seen at a spot: `shares` (faces + kinds) add up to 1; `each` has those of every single look.

    `pips` are the counts of each look, `corners` (4, 2) the top face in pixels of the picture.
    """

    spot: Spot
    shares: Floats
    each: Floats
    pips: tuple[int, ...]
    corners: npt.NDArray[np.float64]

    @property
    def face(self) -> int:
        """The likeliest face, whether or not it is likely."""
        return int(self.shares[:FACES].argmax()) + 1

    @property
    def center(self) -> tuple[float, float]:
        x, y = self.corners.mean(axis=0)
        return float(x), float(y)

    @property
    def edge(self) -> float:
        sides = np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1)
        return float(np.sqrt(sides[[0, 2]].mean() * sides[[1, 3]].mean()))


class Sizes:
    """A picture and, made when first asked for, its halves: crops of large dice are cut from small pictures."""

    def __init__(self, picture: Picture) -> None:
        self._levels = [picture]

    def cut(self, matrix: Matrix, edge: float) -> Picture:
        level = 0
        while edge > _LARGE * 2**level and min(self._levels[0].shape[:2]) > CROP * 2 ** (level + 1):
            level += 1
        while len(self._levels) <= level:
            whole = self._levels[-1]
            half = cv2.resize(whole, (whole.shape[1] // 2, whole.shape[0] // 2), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, dtype=np.uint8))
        scaled = matrix.copy()
        scaled[:, :2] *= 2**level
        return cut(self._levels[level], scaled)


def look(net: Net, sizes: Sizes, spots: Sequence[Spot]) -> list[Face]:
    """One look at each spot."""
    matrices = [crop_matrix(spot.center, spot.edge) for spot in spots]
    views = net.read([sizes.cut(m, s.edge) for m, s in zip(matrices, spots, strict=True)])
    shares = _softmax(views.logits)
    return [
        Face(spot, shares[i], shares[i : i + 1], (pip_count(views.pips[i]),), _corners(views.shape[i], matrices[i]))
        for i, spot in enumerate(spots)
    ]


def look_again(
    net: Net, sizes: Sizes, faces: Sequence[Face], turns: Sequence[tuple[float, bool]] = TURNS
) -> list[Face]:
    """More looks, upright and about the middle that the first one found; all looks count alike."""
    spots = [Spot(face.center, face.edge, face.spot.score) for face in faces]
    matrices = []
    for face, spot in zip(faces, spots, strict=True):
        along = face.corners[1] - face.corners[0]
        angle = np.arctan2(along[1], along[0])
        for degrees, mirrored in turns:
            turn = np.exp(1j * (angle + np.radians(degrees)))
            matrices.append(crop_matrix(spot.center, spot.edge, complex(turn), mirrored))
    many = len(turns)
    views = net.read([sizes.cut(m, spots[i // many].edge) for i, m in enumerate(matrices)])
    shares = _softmax(views.logits)
    again = []
    for i, (face, spot) in enumerate(zip(faces, spots, strict=True)):
        rows = slice(i * many, (i + 1) * many)
        each = np.concatenate([face.each, shares[rows]])
        mean = np.log(np.maximum(each, 1e-9)).mean(axis=0)
        pips = face.pips + tuple(pip_count(heat) for heat in views.pips[rows])
        corners = _corners(views.shape[i * many], matrices[i * many])
        again.append(Face(spot, _softmax(mean[None])[0], each, pips, corners))
    return again


def is_credible(face: Face) -> bool:
    """Whether the top that was found lies about where, and is about as large as, it was looked for."""
    if not np.isfinite(face.corners).all():
        return False
    away = np.hypot(face.center[0] - face.spot.center[0], face.center[1] - face.spot.center[1])
    return bool(away < 0.7 * face.spot.edge and 0.45 < face.edge / face.spot.edge < 2.2)


def pip_count(heat: Floats) -> int:
    """How many spots of the pip map stand out."""
    return int(((heat > PIP_LEAST) & (heat >= cv2.dilate(heat, np.ones((3, 3))))).sum())


def _corners(shape: Floats, matrix: Matrix) -> npt.NDArray[np.float64]:
    corners = back(corners_from_shape(shape), matrix)
    (ax, ay), (bx, by) = corners[1] - corners[0], corners[2] - corners[1]
    return corners if ax * by - ay * bx > 0 else corners[::-1]


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)
