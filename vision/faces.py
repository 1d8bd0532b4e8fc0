"""Reads the faces at given spots: a look at a crop turned any way, one at an upright crop, the answers weighed."""

from __future__ import annotations

from cmath import rect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import atan2, hypot, isfinite, log, radians, sqrt
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP, FACES, HALF_EDGE, Matrix, back, corners_from_shape, crop_matrix, cut
from vision.frame import Picture
from vision.nets import Floats, Spot, Views

TURNS: tuple[tuple[float, bool], ...] = ((0.0, False),)
"""Further looks at a die once its top is known: degrees from upright, mirrored or not."""
FIRST = 0.3
"""The first look's part in what several tell together: it sees less, and not upright."""
PIP_LEAST = 0.4
NORMALS_SHORT = 1.2
"""What the reader tells of a top's normal falls short by so much, as a careful guess does: the slope of the told on the
true, of dice that lie flat in rendered pictures held out. Those that lean are told shorter still; grown to what is true
of them, flat ones under a tilted camera would seem to lean."""
FARTHEST, ODDEST = 0.45, 1.6
"""Of edges, and in size: farther from the finder's spot a look's corners are not believed."""
_BEGUN = np.array([[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]])
"""Corners begun at another one."""
_LARGE = 2 * 2 * HALF_EDGE
"""Dice with larger edges are cut from a picture of half the size."""


class Net(Protocol):
    def read(self, crops: list[Picture]) -> Views: ...


class WideNet(Net, Protocol):
    @property
    def wider(self) -> float: ...


@dataclass(frozen=True)
class Face:
    """What is seen at a spot: `shares` (faces + kinds) add up to 1; `each` has those of every single look.

    `pips` are the counts of each look, `corners` (4, 2) the top face in pixels of the picture, `shapes` those of each
    look. `normals` (looks, 2): the part of the top's unit normal across the line of sight, along x and y of the
    picture: nothing for a top seen head on, the sine of its angle to the line of sight else.
    """

    spot: Spot
    shares: Floats
    each: Floats
    pips: tuple[int, ...]
    corners: npt.NDArray[np.float64]
    shapes: npt.NDArray[np.float64]
    normals: npt.NDArray[np.float64]

    @property
    def face(self) -> int:
        """The likeliest face, whether or not it is likely."""
        return int(self.shares[:FACES].argmax()) + 1

    @cached_property
    def likely(self) -> float:
        """How likely that one is."""
        return float(self.shares[:FACES].max())

    @cached_property
    def center(self) -> tuple[float, float]:
        return middle_of(self.corners)

    @cached_property
    def edge(self) -> float:
        return edge_px(self.corners)

    @cached_property
    def normal(self) -> npt.NDArray[np.float64]:
        """What `normals` tell together (2,)."""
        return np.asarray(_weights(len(self.normals)) @ self.normals)


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
        if level:
            matrix = matrix * (2**level, 2**level, 1)
        return cut(self._levels[level], matrix)


def look(net: Net, sizes: Sizes, spots: Sequence[Spot]) -> list[Face]:
    """One look at each spot."""
    matrices = [crop_matrix(spot.center, spot.edge) for spot in spots]
    views = net.read([sizes.cut(m, s.edge) for m, s in zip(matrices, spots, strict=True)])
    shares = _softmax(views.logits)
    faces = []
    for i, (spot, matrix) in enumerate(zip(spots, matrices, strict=True)):
        corners = credible(_corners(views.shape[i], matrix), spot)
        normals = _normal(views.normal[i], matrix)[None]
        pips = (pip_count(views.pips[i]),)
        faces.append(Face(spot, shares[i], shares[i : i + 1], pips, corners, corners[None], normals))
    return faces


def look_again(
    net: WideNet, sizes: Sizes, faces: Sequence[Face], usual: float, turns: Sequence[tuple[float, bool]] = TURNS
) -> list[Face]:
    """More looks, upright, about the middle that the first one found, and as large as it told and dice usually are."""
    edges = [sqrt(face.edge * usual) if abs(log(face.edge / usual)) < log(ODDEST) else face.edge for face in faces]
    matrices = []
    for face, edge in zip(faces, edges, strict=True):
        along = face.corners[1] - face.corners[0]
        angle = atan2(along[1], along[0])
        for degrees, mirrored in turns:
            turn = rect(1.0, angle + radians(degrees))
            matrices.append(crop_matrix(face.center, net.wider * edge, turn, mirrored))
    many = len(turns)
    views = net.read([sizes.cut(m, net.wider * edges[i // many]) for i, m in enumerate(matrices)])
    shares = _softmax(views.logits)
    again = []
    for i, face in enumerate(faces):
        rows = range(i * many, (i + 1) * many)
        each = np.concatenate([face.each, shares[rows]])
        mean = _weights(len(each)) @ np.log(np.maximum(each, 1e-9))
        pips = face.pips + tuple(pip_count(views.pips[row]) for row in rows)
        tops = [credible(_corners(views.shape[row], matrices[row]), face.spot) for row in rows]
        shapes = np.concatenate([face.shapes, tops])
        normals = np.concatenate([face.normals, [_normal(views.normal[row], matrices[row]) for row in rows]])
        again.append(Face(face.spot, _softmax(mean[None])[0], each, pips, told_corners(shapes), shapes, normals))
    return again


def once(face: Face) -> Face:
    """A face that gets no second look, its corners as large as the finder and the look tell together.

    Neither is as good as both: of flat dice one in thirty was told a quarter too large or too small by the look alone.
    """
    middle = face.corners.mean(axis=0)
    return replace(face, corners=middle + sqrt(face.spot.edge / face.edge) * (face.corners - middle))


def _weights(looks: int) -> Floats:
    """How much each look counts (looks,)."""
    if looks == 1:
        return np.ones(1, dtype=np.float32)
    return np.array([FIRST, *[(1 - FIRST) / (looks - 1)] * (looks - 1)], dtype=np.float32)


def credible(corners: npt.NDArray[np.float64], spot: Spot) -> npt.NDArray[np.float64]:
    """The corners, if they lie about where, and are about as large as, the finder said; else a square in that place."""
    x, y = middle_of(corners)
    away, edge = hypot(x - spot.center[0], y - spot.center[1]), edge_px(corners)
    if isfinite(away + edge) and away < FARTHEST * spot.edge and 1 / ODDEST < edge / spot.edge < ODDEST:
        return corners
    half = spot.edge / 2
    return np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + spot.center


def told_corners(shapes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What later looks tell together of a top's corners (looks, 4, 2), begun where the first look's nearest corner is.

    The first look's own are twice as far off as theirs, and are left out.
    """
    turned = shapes[1:, _BEGUN]
    alike = ((turned - shapes[0]) ** 2).sum(axis=(2, 3)).argmin(axis=1)
    return np.asarray(turned[range(len(turned)), alike].mean(axis=0))


def edge_px(corners: npt.NDArray[np.float64]) -> float:
    """A top's edge by its corners (4, 2): the root of the area, half the cross product of the diagonals."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return sqrt(abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2)


def middle_of(corners: npt.NDArray[np.float64]) -> tuple[float, float]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4


def pip_count(heat: Floats) -> int:
    """How many spots of the pip map stand out."""
    return int(((heat > PIP_LEAST) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))).sum())


def _corners(shape: Floats, matrix: Matrix) -> npt.NDArray[np.float64]:
    corners = back(corners_from_shape(shape), matrix)
    (ax, ay), (bx, by), (cx, cy), _ = corners.tolist()
    return corners if (bx - ax) * (cy - by) > (by - ay) * (cx - bx) else corners[::-1]


def _normal(told: Floats, matrix: Matrix) -> npt.NDArray[np.float64]:
    """A normal along the crop's axes, along the picture's: turned and mirrored back, and grown to what it means."""
    (ax, ay, _), (bx, by, _) = matrix.tolist()
    (x, y), grown = told.tolist(), NORMALS_SHORT / hypot(ax, ay)
    return np.array([grown * (x * ax + y * bx), grown * (x * ay + y * by)])


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)
