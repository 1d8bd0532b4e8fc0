"""How the picture changes across the sides of an octagon: one profile for each piece of each side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture
from vision.octagon import SIDES, Points

Floats = npt.NDArray[np.float64]

PIECES = 3  # of each side, told apart so that a turned side and a round rim show
NEAREST, FARTHEST = 0.60, 1.95  # reach of a profile, in distances from the middle to the side
_ROWS = 14  # lines of sight averaged to one profile: felt grain and chalk average out
_STEP_PX = 1.2  # between two samples of a profile
_REACH = 3  # samples on each side that are compared
_GRAIN = 30  # samples on each side, of which the usual step is the grain there
_LEAST_SAMPLES, _MOST_SAMPLES = 60, 320


@dataclass(frozen=True, eq=False)
class Profiles:
    """Profiles along rays from the `middle` of an octagon, `PIECES` to each of its 8 sides.

    `rays` (24, 2): from the middle to where the octagon's side is met; a place on a ray is told as a ratio, 1.0 being
    that side. `ratios` (n,) are the samples, `steps` (24, n) the colour differences (CIE Lab) across each, `px` (24,)
    the pixels, square to the side, that one unit of ratio stands for.
    """

    middle: Floats
    rays: Floats
    ratios: Floats
    steps: Floats
    px: Floats

    @property
    def spacing(self) -> float:
        return float(self.ratios[1] - self.ratios[0])

    @cached_property
    def grain(self) -> Floats:
        """The usual step about each place (24 × n), of all the rays that cross the same side: felt has little, a
        checked cloth, striped wood and a dark corner's noise much.
        """
        samples = self.steps.shape[1]
        reach = min(_GRAIN, samples // 4)
        apart = reach // 3
        sides = self.steps.reshape(SIDES, PIECES, samples)
        near = np.lib.stride_tricks.sliding_window_view(sides, 2 * reach + 1, axis=2)[:, :, ::apart]
        usual = np.median(near.transpose(0, 2, 1, 3).reshape(SIDES, near.shape[2], -1), axis=2)
        told = reach + np.arange(near.shape[2]) * apart
        grain = np.stack([np.interp(np.arange(samples), told, one) for one in usual])
        return np.repeat(grain, PIECES, axis=0)


def look_across(picture: Picture, corners: Points, nearest: float = NEAREST, farthest: float = FARTHEST) -> Profiles:
    """Profiles of a BGR picture across the sides of an octagon (8 × 2 corners, pixels), between two ratios."""
    middle = corners.mean(axis=0)
    ends = np.roll(corners, -1, axis=0)
    rows = PIECES * _ROWS
    share = (np.arange(rows) + 0.5) / rows
    feet = corners[:, None] + share[None, :, None] * (ends - corners)[:, None]  # 8, rows, 2
    along = (ends - corners) / np.linalg.norm(ends - corners, axis=1, keepdims=True)
    arm = corners - middle
    apothem = np.abs(arm[:, 0] * along[:, 1] - arm[:, 1] * along[:, 0])
    samples = int(min(_MOST_SAMPLES, max(_LEAST_SAMPLES, (farthest - nearest) * apothem.mean() / _STEP_PX)))
    ratios = np.linspace(nearest, farthest, samples)
    sights = (feet - middle).reshape(-1, 1, 2)
    places = (middle + sights * ratios[None, :, None]).astype(np.float32)  # 8 rows, n, 2
    strip = cv2.remap(picture, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lab = cv2.cvtColor(strip.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    profile = _middling(np.asarray(lab, np.float32).reshape(SIDES * PIECES, _ROWS, samples, 3))
    steps = _steps(profile)
    height, width = picture.shape[:2]
    seen = ((places >= 0) & (places <= np.array([width - 1, height - 1]))).all(axis=-1)
    steps[~seen.reshape(SIDES * PIECES, _ROWS, samples).all(axis=1)] = 0
    centre_rows = feet.reshape(SIDES, PIECES, _ROWS, 2).mean(axis=2).reshape(-1, 2)
    between = ratios - (ratios[1] - ratios[0]) / 2  # a step lies between two samples
    return Profiles(middle, centre_rows - middle, between, steps, np.repeat(apothem, PIECES))


def met(corners: Floats, profiles: Profiles) -> Floats:
    """Ratios (n × 24) at which the profiles' rays meet the sides of octagons (n × 8 × 2, pixels)."""
    start = np.repeat(corners - profiles.middle, PIECES, axis=1)
    along = np.repeat(np.roll(corners, -1, axis=1) - corners, PIECES, axis=1)
    rays = profiles.rays
    across = rays[:, 0] * along[..., 1] - rays[:, 1] * along[..., 0]
    return np.asarray((start[..., 0] * along[..., 1] - start[..., 1] * along[..., 0]) / across)


def _middling(rows: npt.NDArray[np.float32]) -> Floats:
    """Mean of the middle half of the rows (axis 1): a chalk stroke or a die does not count."""
    cut = rows.shape[1] // 4
    ordered = np.partition(rows, (cut, rows.shape[1] - cut - 1), axis=1)
    return np.asarray(ordered[:, cut : rows.shape[1] - cut].mean(axis=1), dtype=np.float64)


def _steps(profile: Floats) -> Floats:
    """Colour difference between the means of the `_REACH` samples before and after each place."""
    total = np.cumsum(np.pad(profile, ((0, 0), (1, 0), (0, 0))), axis=1)
    mean = (total[:, _REACH:] - total[:, :-_REACH]) / _REACH  # mean[k]: samples k … k + reach − 1
    apart = np.linalg.norm(mean[:, _REACH:] - mean[:, :-_REACH], axis=-1)  # about sample k + reach − ½
    lost = profile.shape[1] - apart.shape[1]
    return np.pad(apart, ((0, 0), (lost // 2 + lost % 2, lost // 2)))
