"""What came into a picture since it was last calm: hands, rolling dice, a glass, places that dice have left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import atan2, degrees, sqrt

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Board
from vision.gate import Affine, Gate, Grey, lacks, spread, sway, warped
from vision.reading import Point

Box = tuple[float, float, float, float]
Floats = npt.NDArray[np.float32]

_LEAST_CHANGE = 20  # of 100: more than the light that a white die throws around itself in the evened picture
_SPREAD = 0.4  # part of the picture that differs all over: the camera looks from another place
_HAND_DICE = 9.0  # die faces: no three dice that roll close together cover as much
_LOOSE_HAND_DICE = 16.0  # the same for a hand whose arm is not made out
_HAND_ON_BOARD = 1.0  # die faces of it that must be over the board
_COVER_DICE = 4.0  # die faces: no single die covers as much felt
_SAME_COLOUR = 0.012  # of the sum of the channels
_OTHER_COLOUR = 0.03
_LEAST_LIGHT = 75.0  # sum of the channels: darker, and hues are noise
_BLACK = 12.0  # sum of the channels: the lamp is out
_MOST_OTHER = 0.6  # part of the picture: more than this is another lamp, no hand
_CRUMB = 0.25  # part of the largest thing's area: the smaller are no dice
_OUTLINE = 1.35  # a die with its shadow and sides ÷ its top, in length
_NEW = 0.12  # part of a die's box that must look otherwise, once a die lies there that did not
_UNLIKE, _FINE = 5.0, 0.3  # of 100: all of it must on average where less does, and so much of its contrast before more
_OTHERWISE, _ALIKE = 4.0, 0.8  # of 100: a top's contrast that was not there before; how alike it is to before at most
_LAMP_OUT = 0.35  # part of the light, below which no felt is seen
_FELT_HUE = 0.08  # of the sum of the channels: a hand that covers a die is no felt
_BARE = 0.5  # part of a die's contrast that the bare felt keeps at most


class Zone(StrEnum):
    FELT = "felt"
    RIM = "rim"
    BEYOND = "beyond"


@dataclass(frozen=True)
class Thing:
    """One thing that was not there when the picture was calm; `box` and `area` in pixels of the full picture."""

    box: Box
    area: float
    zone: Zone
    moving: bool
    at_edge: bool
    hand: bool = False
    from_deg: float | None = None

    @property
    def center(self) -> Point:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    def is_die_like(self, die_px: float) -> bool:
        """Of the size of a die, of a die blurred by its speed, or of some that roll close together."""
        width, height = self.box[2] - self.box[0], self.box[3] - self.box[1]
        return (
            not self.hand
            and 0.15 * die_px**2 <= self.area <= _HAND_DICE * die_px**2
            and max(width, height) <= 6.0 * die_px
            and max(width, height) >= 0.4 * die_px
        )


class Scene:
    """Compares the present picture with the last calm one, in the gate's small evened pictures."""

    def __init__(self, board: Board, gate: Gate) -> None:
        assert gate.now is not None
        self._gate = gate
        self.board = board
        self._scale = gate.scale
        self._shape = gate.now.shape
        self._felt = _filled(board.felt, self._shape, self._scale)
        self._within_rim = _filled(board.rim, self._shape, self._scale)
        self.center: Point = _middle(board)
        self._calm_even: Grey = gate.now
        self._calm_small: Grey | None = None
        self._behind: tuple[Grey, Grey | None] | None = None  # the calm picture before something lay over it
        self._lain: Grey = gate.now
        self._lain_small: Grey | None = None
        self._mask: Grey = np.zeros(self._shape, np.uint8)
        self._laid: Grey = gate.now  # the calm picture as it lies over the present one
        self.keep()
        self.remember()

    def follow(self, before: Scene) -> None:
        """What was calm on the board where `before` saw it is calm here too, and so do its dice lie.

        A board may be taken for moved when a hand covers its edge: the picture tells whether it was.
        """
        if before._shape != self._shape or before.board.is_whole or self.board.is_whole:
            return
        was = np.array(before.board.rim, np.float64)
        matrix, _ = cv2.estimateAffine2D(was / self._scale, carried(was, before.board, self.board) / self._scale)
        ways = [np.eye(2, 3)] if matrix is None else [np.asarray(matrix, np.float64), np.eye(2, 3)]

        def differs(way: Affine) -> int:
            even, _ = self._seen_from_here(before._calm_even, None, way)
            return int(np.count_nonzero(cv2.absdiff(self._now, even) > _LEAST_CHANGE))

        way = min(ways, key=differs)
        self._calm_even, self._calm_small = self._seen_from_here(before._calm_even, before._calm_small, way)
        self._lain, self._lain_small = self._seen_from_here(before._lain, before._lain_small, way)

    def _seen_from_here(self, even: Grey, small: Grey | None, matrix: Affine) -> tuple[Grey, Grey | None]:
        """An earlier picture, moved; where it shows nothing, the present one stands for it."""
        even = warped(even, matrix)
        beyond = lacks(even) > 0
        even[beyond] = self._now[beyond]
        if small is None or self._gate.small is None or small.shape != self._gate.small.shape:
            return even, None
        small = warped(small, matrix)
        small[beyond] = self._gate.small[beyond]
        return even, small

    def keep(self, *, over: bool = False) -> None:
        """The present picture is calm: what is in it belongs there, or lies `over` what belongs there."""
        assert self._gate.now is not None
        behind = self._behind or (self._calm_even, self._calm_small)
        self._behind = behind if over else None
        self._calm_even, self._calm_small = self._gate.now, self._gate.small

    def remember(self) -> None:
        """Dice lie there as they are read now: their places are bare once this is gone."""
        assert self._gate.now is not None
        self._lain, self._lain_small = self._gate.now, self._gate.small

    @property
    def _now(self) -> Grey:
        assert self._gate.now is not None
        return self._gate.now

    def things(self, die_px: float, *, swayed: bool, largest_px: float | None = None) -> tuple[Thing, ...]:
        """All that differs from the calm picture; with `swayed` that one is first laid over the present one.

        `largest_px` is how large a die may be at most, where its size is not known: what is no hand then.
        """
        mask, self._laid = self._apart(self._calm_even, self._calm_small, swayed=swayed)
        if self._behind is not None:  # where that shows again, what lay over it has gone
            mask = cv2.bitwise_and(mask, self._apart(*self._behind, swayed=swayed)[0])
        die, largest = die_px / self._scale, (largest_px or die_px) / self._scale
        reach = max(3, int(die * 0.5) | 1)
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
        self._mask = mask
        outlines, _ = cv2.findContours(_without_holes(mask), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return tuple(
            thing for outline in outlines if (thing := self._thing(np.asarray(outline, np.int32), largest)) is not None
        )

    def _apart(self, calm: Grey, colours: Grey | None, *, swayed: bool) -> tuple[Grey, Grey]:
        """Where the present picture differs from a calm one, and that one as it lies over it."""
        now, kept = self._now, calm
        swayed = swayed or spread(np.asarray(cv2.absdiff(now, calm) > _LEAST_CHANGE, np.uint8)) > _SPREAD
        if swayed and (matrix := sway(calm, now)) is not None:
            calm = warped(calm, matrix)
            colours = None if colours is None else warped(colours, matrix)
        kernel = np.ones((3, 3), np.uint8)
        contrast = cv2.max(
            cv2.morphologyEx(now, cv2.MORPH_GRADIENT, kernel), cv2.morphologyEx(calm, cv2.MORPH_GRADIENT, kernel)
        )
        least = cv2.addWeighted(contrast, 0.3, contrast, 0.0, float(_LEAST_CHANGE))
        mask = cv2.compare(cv2.absdiff(now, calm), least, cv2.CMP_GT)
        if colours is not None and self._gate.small is not None:
            mask = cv2.bitwise_or(mask, _other_colour(colours, self._gate.small))
        if calm is not kept:
            beyond = lacks(calm) > 0
            mask[beyond], calm[beyond] = 0, now[beyond]
        return np.asarray(mask, np.uint8), calm

    def is_covered(self, die_px: float) -> bool:
        """Whether something larger than dice lies over the felt that did not when it was calm, as `things` found."""
        over = cv2.bitwise_and(self._mask, self._felt)
        _, _, stats, _ = cv2.connectedComponentsWithStats(over)
        return bool((stats[1:, cv2.CC_STAT_AREA] > _COVER_DICE * (die_px / self._scale) ** 2).any())

    def is_new(self, box: Box, top: Sequence[Point] = ()) -> bool:
        """Whether a place looks otherwise than in the calm picture, as `things` last found.

        A die of the floor's colour is no thing, but all of its place looks a little otherwise, or edges and pips show
        within the corners of its `top` that were not there.
        """
        if len(top) and self._shows_other(top):
            return True
        x1, y1, x2, y2 = (round(v / self._scale) for v in box)
        place = np.s_[max(0, y1) : y2 + 1, max(0, x1) : x2 + 1]
        changed, before = self._mask[place], self._laid[place]
        if changed.size == 0:
            return False
        if cv2.countNonZero(changed) > _NEW * changed.size:
            return True
        apart = float(cv2.mean(cv2.absdiff(self._now[place], before))[0])
        return apart > _UNLIKE + _FINE * float(before.std())

    def _shows_other(self, top: Sequence[Point]) -> bool:
        """Whether what is seen within these corners is not what was there, lighter or darker."""
        inside = np.zeros(self._shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(np.array(top) / self._scale * 16).astype(np.int32), (255,), shift=4)
        now, before = (picture[inside > 0].astype(np.float64) for picture in (self._now, self._laid))
        if now.size < 2:
            return False
        contrast, apart = float(now.std()), now - now.mean()
        alike = float(apart @ (before - before.mean())) / (now.size * contrast * float(before.std()) + 1e-9)
        return alike < _ALIKE and contrast * sqrt(max(0.0, 1 - alike**2)) > _OTHERWISE

    def is_bare(self, box: Box) -> bool:
        """Whether the felt shows where a die lay when it was read: no edges and pips, and the hue of felt."""
        x1, y1, x2, y2 = (round(v / self._scale) for v in box)
        place = np.s_[max(0, y1 - 1) : y2 + 2, max(0, x1 - 1) : x2 + 2]
        before, after = self._lain[place], self._now[place]
        if before.size == 0 or float(after.std()) >= _BARE * float(before.std()):
            return False
        return self._is_felt(place)

    def _is_felt(self, place: tuple[slice, slice]) -> bool:
        """Whether a place has the hue that the felt had when the dice were read; nothing is, once the lamp is out."""
        before, after = self._lain_small, self._gate.small
        if before is None or after is None or before.shape != after.shape:
            return True
        was, shown = cv2.mean(before, self._felt)[:3], cv2.mean(after[place])[:3]
        light, light_now = sum(was) + 1.0, sum(cv2.mean(after, self._felt)[:3])
        if light_now < _LAMP_OUT * light:
            return False
        if min(light, sum(shown)) < _LEAST_LIGHT:
            return True
        return all(abs(a / light - b / sum(shown)) < _FELT_HUE for a, b in zip(was, shown, strict=True))

    def _thing(self, outline: Grey, die: float) -> Thing | None:
        x, y, w, h = cv2.boundingRect(outline)
        if w * h < 4:
            return None
        height, width = self._shape
        filled = np.zeros((h, w), np.uint8)
        cv2.drawContours(filled, [outline - np.array([x, y])], -1, (255,), cv2.FILLED)
        place = np.s_[y : y + h, x : x + w]
        area = cv2.countNonZero(filled)
        movers = self._gate.movers
        moving = movers is not None and cv2.countNonZero(cv2.bitwise_and(filled, movers[place])) >= 2
        at_edge = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
        on_board = cv2.countNonZero(cv2.bitwise_and(filled, self._within_rim[place]))
        beyond = cv2.bitwise_and(filled, cv2.bitwise_not(self._within_rim[place]))
        reaches_in = at_edge or cv2.countNonZero(beyond) > die * die
        least = _HAND_DICE if reaches_in else _LOOSE_HAND_DICE if moving else np.inf
        hand = area > least * die * die and on_board > _HAND_ON_BOARD * die * die
        hand = hand and not self._is_shadow(place, filled)
        middle = (min(height - 1, y + h // 2), min(width - 1, x + w // 2))
        zone = Zone.FELT if self._felt[middle] else Zone.RIM if self._within_rim[middle] else Zone.BEYOND
        side = self._side(x, y, filled, beyond) if hand else None
        s = self._scale
        return Thing((x * s, y * s, (x + w) * s, (y + h) * s), area * s * s, zone, moving, at_edge, hand, side)

    def _is_shadow(self, place: tuple[slice, slice], filled: Grey) -> bool:
        """Whether a place is only darker than when it was calm, in the same colours, or black as no hand is."""
        before, after = self._calm_small, self._gate.small
        if before is None or after is None:
            return False
        was, now = cv2.mean(before[place], filled)[:3], cv2.mean(after[place], filled)[:3]
        light, shade = sum(was) + 1.0, sum(now) + 1.0
        if shade < _BLACK:
            return True
        alike = all(abs(a / light - b / shade) < _SAME_COLOUR for a, b in zip(was, now, strict=True))
        return alike and shade < 0.97 * light

    def _side(self, x: int, y: int, filled: Grey, beyond: Grey) -> float | None:
        """From which side a hand reaches in: where it lies beyond the board, else where it crosses the border."""
        part = beyond
        if cv2.countNonZero(part) == 0:
            height, width = self._shape
            part = filled.copy()
            inner = np.s_[max(0, 2 - y) : height - 2 - y, max(0, 2 - x) : width - 2 - x]
            part[inner] = 0
        rows, columns = np.nonzero(part)
        if not len(rows):
            return None
        dx = (float(columns.mean()) + x) * self._scale - self.center[0]
        dy = (float(rows.mean()) + y) * self._scale - self.center[1]
        return degrees(atan2(dy, dx)) % 360.0


def size_of_new(things: tuple[Thing, ...], dice: int, side: float) -> float | None:
    """About how long a die's edge is, where as many dice newly lie in a picture whose shorter side is `side`."""
    areas = [thing.area for thing in things if not thing.at_edge and not thing.hand]
    areas = [area for area in areas if area > _CRUMB * max(areas)]
    if not areas or not 1 <= len(areas) <= dice:
        return None
    edge = sqrt(sum(areas) / dice) / _OUTLINE
    return edge if side / 50 < edge < side / 4 else None


def is_near(board: Board, box: Box) -> bool:
    """Whether a box of the full picture touches the board or its rim."""
    if board.is_whole:
        return True
    x1, y1, x2, y2 = box
    xs, ys = zip(*board.rim, strict=True)
    if x2 < min(xs) or x1 > max(xs) or y2 < min(ys) or y1 > max(ys):
        return False
    for (ax, ay), (bx, by) in zip(board.rim, board.rim[1:] + board.rim[:1], strict=True):
        # clockwise as seen: the board lies to the right of each side; off if all of the box lies to the left of one
        if all((bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0 for x in (x1, x2) for y in (y1, y2)):
            return False
    return True


def carried(points: npt.NDArray[np.float64], before: Board, now: Board) -> npt.NDArray[np.float64]:
    """Where places (n × 2, pixels) on a board are seen once it is seen elsewhere."""
    return now.to_px(before.to_mm(points))


def _other_colour(before: Grey, after: Grey) -> Grey:
    """Where the hue of two small pictures (BGR) differs; a change of all the light together does not count."""
    half = (max(1, before.shape[1] // 2), max(1, before.shape[0] // 2))
    blue, red, light = _hues(cv2.resize(before, half, interpolation=cv2.INTER_AREA))
    blue_now, red_now, light_now = _hues(cv2.resize(after, half, interpolation=cv2.INTER_AREA))
    bright = np.minimum(light, light_now) > _LEAST_LIGHT
    mask = np.zeros(light.shape, np.uint8)
    for change in (blue_now - blue, red_now - red):
        apart = cv2.blur(np.abs(change - np.median(change[::2, ::2])), (3, 3))
        mask |= ((apart > _OTHER_COLOUR) & bright).astype(np.uint8)
    if np.count_nonzero(mask) > _MOST_OTHER * mask.size:
        mask[:] = 0
    return cv2.resize(mask * np.uint8(255), before.shape[1::-1], interpolation=cv2.INTER_NEAREST)


def _hues(picture: Grey) -> tuple[Floats, Floats, Floats]:
    """The shares of blue and red in each pixel, and the sum of its channels."""
    blue, green, red = (channel.astype(np.float32) + np.float32(2.0) for channel in cv2.split(picture))
    light = blue + green + red
    return blue / light, red / light, light


def _without_holes(mask: Grey) -> Grey:
    """Fills what an outline encloses, with the border of the picture where a hand reaches in over it."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(mask), connectivity=4)
    if count <= 2:
        return mask
    around = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    return np.where(labels == around, 0, 255).astype(np.uint8)


def _filled(corners: tuple[Point, ...], shape: tuple[int, ...], scale: float) -> Grey:
    """Mask of an octagon in the small picture; everything where there is none."""
    if not corners:
        return np.full(shape, 255, np.uint8)
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(corners) / scale).astype(np.int32)], (255,))
    return mask


def _middle(board: Board) -> Point:
    if not board.rim:
        return board.width / 2, board.height / 2
    x, y = np.array(board.rim, float).mean(axis=0)
    return float(x), float(y)
