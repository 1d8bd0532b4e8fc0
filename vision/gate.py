"""Says cheaply where something moves in a small picture, and stays calm when only the light or the camera does."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import sqrt
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

from vision.frame import Picture
from vision.reading import Point

Grey = MatLike  # small: about SMALL_PIXELS pixels, uint8
Affine = npt.NDArray[np.float64]  # 2 × 3

SMALL_PIXELS = 320 * 240
LOOK_BACK_S = 0.1  # a die that turns slowly, or rocks, changes too little from one picture to the next
_NEAR = 33  # pixels: light is even over this distance, a die (4 to 16 pixels) is not
_LIFT = 6  # grey levels added before dividing: keeps the noise of black corners small
_LEVEL = 100  # what an even surface becomes
_BASE, _PER_NOISE = 6.0, 6.0  # tolerance = base + so many mean differences: the largest of 76,800 is about 5.6 of them
_MOST_NOISE = 12.0
_FINE_SHIFT = 0.3  # part of the local contrast that a shift below a pixel may change
_LIGHT_STEP = 0.05
_WHITE = 245
_SPECK = 3  # pixels: smaller changes are noise
_SPREAD = 0.25  # part of the picture's cells that change together when the whole picture sways
_SWAYS_ON_S = 3.0  # after a sway the smallest changes are tried as sway too
_LEAST_SWAY, _MOST_SWAY = 0.3, 24.0  # small pixels; by less nothing sways, whatever moves over a picture that stays
_CORNERS = 120


@dataclass(frozen=True)
class Motion:
    """Where something moves now: boxes (x1, y1, x2, y2) in pixels of the full picture.

    `moving` compares with the picture before and with the one about 0.1 s before; `fresh` tells that something differs
    from the one before: it has not stopped yet. `level` is the mean grey (0 to 255), `light` how bright all is
    together, as a multiple of the first picture. `swayed` tells that the picture as a whole had shifted, `identical`
    that it is bit for bit the one before.
    """

    t: float
    moving: tuple[tuple[float, float, float, float], ...]
    fresh: bool
    swayed: bool
    identical: bool
    level: float
    light: float = 1.0

    @property
    def still(self) -> bool:
        return not self.moving


@dataclass(frozen=True, eq=False)
class _Look:
    t: float
    grey: Grey
    even: Grey
    light: float


class Gate:
    """Compares small grey pictures, normalised by their surroundings, so that gain, bands and soft shadows cancel.

    >>> gate = Gate()
    >>> dark = np.full((240, 320), 40, np.uint8)
    >>> [gate.look(light, t / 30).still for t, light in enumerate([dark, dark, 2 * dark, 3 * dark])]
    [True, True, True, True]
    """

    def __init__(self) -> None:
        self.scale = 1.0  # full pixels to a small one
        self.small: Grey | None = None  # the present picture in colour, where `see` was given one
        self.movers: Grey | None = None  # small mask of what moves, at its present place; None while all is still
        self._past: deque[_Look] = deque()
        self._noise: npt.NDArray[np.float32] | None = None
        self._tolerance: Grey | None = None
        self._looks = 0
        self._swayed_at = -1e9
        self._fresh = False
        self._light = 1.0
        self._cells: npt.NDArray[np.float32] | None = None

    @property
    def now(self) -> Grey | None:
        """The present picture, evened out."""
        return self._past[-1].even if self._past else None

    def see(self, picture: Picture, t: float, small: Picture | None = None) -> Motion:
        """`look` at a full picture, or at the `small` one of the same; a picture of another size begins afresh."""
        self.small, self.scale = shrink(picture) if small is None else (small, picture.shape[1] / small.shape[1])
        return self.look(cv2.cvtColor(self.small, cv2.COLOR_BGR2GRAY), t)

    def look(self, grey: Grey, t: float) -> Motion:
        """What moves in a small grey picture (height × width) taken at `t` seconds, in full pixels."""
        if self._past and (self._past[-1].grey.shape != grey.shape or t <= self._past[-1].t):
            self._forget()
        past = self._past
        level = float(cv2.mean(grey)[0])
        cells = cv2.resize(grey, (8, 6), interpolation=cv2.INTER_AREA).astype(np.float32) + 1.0
        self._light *= 1.0 if self._cells is None else median((cells / self._cells).ravel().tolist())
        self._cells = cells
        look = _Look(t, grey, even_out(grey), self._light)
        if not past:
            past.append(look)
            self._noise = np.full(grey.shape, 1.0, np.float32)
            self._tolerance = np.full(grey.shape, _BASE + _PER_NOISE, np.uint8)
            return Motion(t, (), False, False, False, level, self._light)
        before, earlier = past[-1], past[0]
        fresh = cv2.absdiff(look.even, before.even)
        slow = cv2.absdiff(look.even, earlier.even) if earlier is not before else fresh
        change = cv2.max(fresh, slow)
        assert self._tolerance is not None
        above = cv2.subtract(change, self._tolerance)
        swayed = False
        boxes: tuple[tuple[float, float, float, float], ...] = ()
        self.movers = None
        if cv2.countNonZero(above):
            swayed, boxes = self._moving(look, before, earlier, fresh, slow)
        identical = not cv2.countNonZero(fresh) and bool(np.array_equal(grey, before.grey))
        self._learn(change, still=not boxes)
        past.append(look)
        while len(past) > 2 and past[1].t <= t - LOOK_BACK_S + 1e-3:
            past.popleft()
        return Motion(t, boxes, bool(boxes) and self._fresh, swayed, identical, level, self._light)

    def _forget(self) -> None:
        self._past.clear()
        self._looks = 0
        self.movers = self._cells = None
        self._light = 1.0

    def _learn(self, change: Grey, *, still: bool) -> None:
        """The usual difference of each pixel; what moves all day beside the board is learned too, slowly."""
        self._looks += 1
        assert self._noise is not None
        if not (still and self._looks % 4 == 0) and self._looks % 16:
            return
        _, usual = cv2.threshold(change, _MOST_NOISE if still else _MOST_NOISE / 2, 0, cv2.THRESH_TRUNC)
        cv2.accumulateWeighted(usual, self._noise, 0.15 if still else 0.03)
        spread = cv2.blur(self._noise, (9, 9))
        self._tolerance = cv2.convertScaleAbs(spread, alpha=_PER_NOISE, beta=_BASE).astype(np.uint8, copy=False)

    def _moving(
        self, look: _Look, before: _Look, earlier: _Look, fresh: Grey, slow: Grey
    ) -> tuple[bool, tuple[tuple[float, float, float, float], ...]]:
        """Movers after sway and the finest shifts are taken out."""
        swayed = False
        mask = self._beyond(look, (before, fresh), (earlier, slow))
        if cv2.countNonZero(mask) and (look.t < self._swayed_at + _SWAYS_ON_S or spread(mask) > _SPREAD):
            longer = sway(earlier.even, look.even)
            shift = longer if earlier is before else sway(before.even, look.even)
            if shift is not None and longer is not None:
                swayed = max(_farthest(way, look.even.shape) for way in (shift, longer)) > _LEAST_SWAY
                if swayed and spread(mask) > _SPREAD:
                    self._swayed_at = look.t
                before, earlier = _moved(before, shift), _moved(earlier, longer)
                fresh, slow = _seen_in_both(look, before), _seen_in_both(look, earlier)
                mask = self._beyond(look, (before, fresh), (earlier, slow))
        if not cv2.countNonZero(mask):
            return swayed, ()
        assert self._tolerance is not None
        self._fresh = cv2.countNonZero(self._beyond(look, (before, fresh))) >= _SPECK
        self.movers = cv2.bitwise_and(
            cv2.compare(fresh, self._tolerance, cv2.CMP_GT), cv2.compare(slow, self._tolerance, cv2.CMP_GT)
        )
        joined = cv2.dilate(mask, np.ones((3, 3), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(joined)
        boxes = []
        for x, y, w, h, _ in stats[1:count].tolist():
            if cv2.countNonZero(mask[y : y + h, x : x + w]) >= _SPECK:
                boxes.append((x * self.scale, y * self.scale, (x + w) * self.scale, (y + h) * self.scale))
        return swayed, tuple(boxes)

    def _beyond(self, look: _Look, *others: tuple[_Look, Grey]) -> Grey:
        """Where a difference is more than noise, and more than a fraction of a pixel's shift would make."""
        assert self._tolerance is not None
        mask: Grey = np.zeros_like(look.even)
        kernel = np.ones((3, 3), np.uint8)
        contrast = cv2.morphologyEx(look.even, cv2.MORPH_GRADIENT, kernel)
        for other, difference in others:
            both = cv2.max(contrast, cv2.morphologyEx(other.even, cv2.MORPH_GRADIENT, kernel))
            least = cv2.addWeighted(both, _FINE_SHIFT, self._tolerance, 1.0, 0.0)
            more = cv2.compare(difference, least, cv2.CMP_GT)
            if abs(look.light / other.light - 1) > _LIGHT_STEP:  # what is cut off at white does not follow the light
                cut = cv2.compare(cv2.max(look.grey, other.grey), np.full_like(look.grey, _WHITE), cv2.CMP_GE)
                more = cv2.bitwise_and(more, cv2.bitwise_not(cv2.dilate(cut, np.ones((5, 5), np.uint8))))
            mask = cv2.bitwise_or(mask, more)
        return np.asarray(mask, np.uint8)


def shrink(picture: Picture) -> tuple[Grey, float]:
    """The picture (BGR) as small as the gate wants it, and how many full pixels one of its pixels is."""
    height, width = picture.shape[:2]
    scale = max(1.0, sqrt(height * width / SMALL_PIXELS))
    small: MatLike = picture
    if scale > 1.0:
        size = (max(1, round(width / scale)), max(1, round(height / scale)))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return small, scale


def even_out(grey: Grey) -> Grey:
    """Each pixel by the mean of its surroundings: 100 where even; gain, bands of light and soft shadows cancel."""
    lifted = cv2.convertScaleAbs(grey, alpha=1.0, beta=_LIFT)
    ratio = cv2.divide(lifted, cv2.blur(lifted, (_NEAR, _NEAR)), scale=_LEVEL)
    return np.asarray(cv2.blur(ratio, (3, 3)), np.uint8)


def sway(before: Grey, now: Grey) -> Affine | None:
    """How a picture, evened out, shifted and turned as a whole (2 × 3, small pixels); None where it did not."""
    points = cv2.goodFeaturesToTrack(before, _CORNERS, 0.01, 8)
    if points is None or len(points) < 12:
        return None
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        before, now, points, np.empty_like(points), winSize=(15, 15), maxLevel=2
    )
    good = status.ravel() == 1
    if good.sum() < 12:
        return None
    matrix, inliers = cv2.estimateAffinePartial2D(points[good], found[good], ransacReprojThreshold=1.0)
    if matrix is None or inliers.sum() < max(10, 0.45 * len(points)):
        return None
    middle = np.array([now.shape[1] / 2, now.shape[0] / 2, 1.0])
    if np.hypot(*(matrix @ middle - middle[:2])) > _MOST_SWAY or abs(np.hypot(matrix[0, 0], matrix[1, 0]) - 1) > 0.05:
        return None
    return np.asarray(matrix, np.float64)


def _farthest(matrix: Affine, shape: tuple[int, ...]) -> float:
    """How far, in small pixels, the corner of a picture moves that moves most."""
    corners = np.array([(x, y, 1.0) for x in (0, shape[1]) for y in (0, shape[0])])
    return float(np.hypot(*(corners @ matrix.T - corners[:, :2]).T).max())


def shifted(point: Point, matrix: Affine) -> Point:
    """Where a point of the earlier picture lies after `sway`."""
    x, y = matrix @ np.array([point[0], point[1], 1.0])
    return float(x), float(y)


def warped(image: Grey, matrix: Affine) -> Grey:
    """An earlier picture as it lies now; what comes in from beyond its border is 0."""
    return np.asarray(cv2.warpAffine(image, matrix, (image.shape[1], image.shape[0]), borderValue=(0,)), np.uint8)


def _moved(look: _Look, matrix: Affine) -> _Look:
    return _Look(look.t, warped(look.grey, matrix), warped(look.even, matrix), look.light)


def _seen_in_both(look: _Look, other: _Look) -> Grey:
    """The difference where both pictures show something; the moved one has no picture at its border."""
    difference = cv2.absdiff(look.even, other.even)
    difference[lacks(other.even) > 0] = 0
    return difference


def lacks(moved: Grey) -> Grey:
    """Where a picture moved by `warped` shows nothing, and a little around it."""
    lacking = cv2.copyMakeBorder(np.asarray(moved == 0, np.uint8) * 255, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(255,))
    return cv2.dilate(lacking, np.ones((9, 9), np.uint8))[1:-1, 1:-1]


def spread(mask: Grey) -> float:
    """The part of an 8 × 8 grid's cells in which something changes."""
    return float(np.count_nonzero(cv2.resize(mask, (8, 8), interpolation=cv2.INTER_AREA))) / 64
