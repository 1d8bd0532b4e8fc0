"""Changes to a picture's look that leave its labels alone: blur, sharpening, light, colour, noise."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture

_NOISE = np.random.default_rng(0).normal(0, 256, 1 << 20).astype(np.int16)
"""Normal deviates times 256, read from a random place: drawing them anew costs more than all the rest."""


def varied(
    picture: Picture, rng: np.random.Generator, blur_to: tuple[float, float] = (16.0, 40.0), invert: float = 0.05
) -> Picture:
    """A randomly changed copy; `blur_to`: a quarter is shrunk to so many pixels for each 64 and grown again."""
    which = rng.random()
    if which < 0.25:
        size = rng.uniform(*blur_to) / 64
        height, width = picture.shape[:2]
        small = (max(4, round(width * size)), max(4, round(height * size)))
        picture = _pixels(cv2.resize(picture, small, interpolation=cv2.INTER_AREA))
        grow = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
        picture = _pixels(cv2.resize(picture, (width, height), interpolation=grow))
    elif which < 0.32:
        picture = _pixels(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.6) * blur_to[0] / 16))
    elif which < 0.38:
        picture = _pixels(cv2.filter2D(picture, -1, _streak(rng)))
    if rng.random() < 0.2:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 1.8))
        amount = rng.uniform(0.3, 2.0)
        picture = _pixels(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0))
    picture = _pixels(cv2.LUT(picture, _curves(rng, invert)))
    if rng.random() < 0.6:
        picture = _pixels(cv2.transform(picture, _mixing(rng)))
    if rng.random() < 0.5:
        start = int(rng.integers(len(_NOISE) - 1))
        noise = np.resize(_NOISE[start:], picture.shape) if picture.size > len(_NOISE) - start else None
        noise = _NOISE[start : start + picture.size].reshape(picture.shape) if noise is None else noise
        strength = round(rng.uniform(0, 9))
        picture = _pixels(np.clip(picture + (noise * strength >> 8), 0, 255).astype(np.uint8))
    if rng.random() < 0.1:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 85))])
        picture = _pixels(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return picture


def _pixels(picture: npt.NDArray[np.generic] | cv2.typing.MatLike) -> Picture:
    return np.asarray(picture, dtype=np.uint8)


def _streak(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """A short motion blur."""
    kernel = np.zeros((7, 7), np.float32)
    angle, length = rng.uniform(0, np.pi), rng.uniform(1.0, 3.0)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length
    (x1, y1), (x2, y2) = (3 - reach).round(), (3 + reach).round()
    cv2.line(kernel, (int(x1), int(y1)), (int(x2), int(y2)), [1.0])
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def _curves(rng: np.random.Generator, invert: float) -> npt.NDArray[np.uint8]:
    """A tone curve for each channel: invert, gamma, contrast, gain, offset."""
    level = np.arange(256, dtype=np.float64)[:, None] / 255
    if rng.random() < invert:
        level = 1 - level
    if rng.random() < 0.6:
        level = level ** np.exp(rng.uniform(-0.5, 0.5))
    if rng.random() < 0.15:  # pips that hardly differ from their die
        level = rng.uniform(0.3, 0.7) + (level - 0.5) * rng.uniform(0.3, 0.8)
    gain = np.exp(rng.uniform(-0.5, 0.4)) if rng.random() < 0.6 else 1.0
    balance = np.exp(rng.uniform(-0.2, 0.2, 3)) if rng.random() < 0.5 else np.ones(3)
    offset = rng.uniform(-0.08, 0.10) if rng.random() < 0.4 else 0.0
    curves = np.clip(level * gain * balance + offset, 0, 1) * 255 + 0.5
    return curves.astype(np.uint8).reshape(256, 1, 3)


def _mixing(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """A colour matrix: channels swapped for a third, greyed for some in full and for others in part."""
    mixing = np.eye(3, dtype=np.float32)
    if rng.random() < 0.33:
        mixing = mixing[rng.permutation(3)]
    which = rng.random()
    share = 1.0 if which < 0.2 else rng.uniform(-0.4, 0.8) if which < 0.7 else 0.0
    return ((1 - share) * mixing + share / 3).astype(np.float32)
