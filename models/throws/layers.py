"""Layers of light laid over one another: what dice change, and a hand smeared by its own movement."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.render.camera import Camera as Lens
from models.render.draw import Plane, Rect
from models.throws.faces import Array

Mask = npt.NDArray[np.float32]
SAME = 0.012
"""A difference of light below this share is dust from shadow maps and is left out."""
SUBPIXEL_BITS = 4


@dataclass(frozen=True, eq=False)
class HandLayer:
    """A hand over a rectangle: its light times its cover, the cover (h, w, 1), and its shadow on what lies below."""

    light: Plane
    cover: Mask
    shadow: Plane

    def over(self, below: Plane) -> Plane:
        """The layer laid over light of the same rectangle."""
        return np.asarray(self.light + (1 - self.cover) * self.shadow * below, np.float32)


def hand_layer(hand: Plane, empty: Plane, cover: Mask, way: Array) -> HandLayer:
    """From the light with and without the hand and its cover (h, w), smeared along `way` px."""
    open_sky = 1 - cover
    share = np.clip(hand / np.maximum(empty, 1e-4), 0.0, 1.6)
    share = np.where(np.abs(share - 1) < SAME, 1.0, share).astype(np.float32)
    seen = smeared(open_sky, way)[..., None]
    shadow = np.where(seen > 0.02, smeared(share * open_sky[..., None], way) / np.maximum(seen, 0.02), 1.0).astype(
        np.float32
    )
    return HandLayer(smeared(hand * cover[..., None], way), smeared(cover, way)[..., None], shadow)


def cover_of(triangles: Array, lens: Lens, rect: Rect) -> Mask:
    """How much of each pixel of a rectangle world triangles (n, 3, 3) cover."""
    x, y, w, h = rect
    corners = lens.project(triangles.reshape(-1, 3)).reshape(-1, 3, 2) - (x + 0.5, y + 0.5)
    visible = (corners.max(axis=1) > -1).all(axis=1) & (corners.min(axis=1) < (w, h)).all(axis=1)
    fixed = np.rint(corners[visible] * (1 << SUBPIXEL_BITS)).astype(np.int32)
    mask = np.zeros((h, w), np.uint8)
    for triangle in fixed:
        cv2.fillConvexPoly(mask, triangle, (255,), cv2.LINE_8, SUBPIXEL_BITS)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7).astype(np.float32) / 255, np.float32)


def cleaned(difference: Plane, empty: Plane) -> Plane:
    """The difference without the dust that shadow maps leave."""
    share = np.abs(difference).max(axis=2) / (empty.max(axis=2) + 1e-3)
    keep = np.clip((share - SAME) / SAME, 0, 1).astype(np.float32)
    return np.asarray(difference * cv2.GaussianBlur(keep, (0, 0), 0.8)[..., None], np.float32)


def smeared(light: Plane, way: Array) -> Plane:
    """Light spread evenly along a way in px."""
    length = float(np.hypot(*way))
    if length < 1.0:
        return light
    count = int(np.ceil(length))
    side = 2 * (count // 2 + 2) + 1
    kernel = np.zeros((side, side), np.float32)
    for share in np.linspace(-0.5, 0.5, 2 * count + 1):
        x, y = side // 2 + way * share
        left, top = int(np.floor(x)), int(np.floor(y))
        for column, row in ((left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)):
            kernel[row, column] += max(0.0, 1 - abs(x - column)) * max(0.0, 1 - abs(y - row))
    return np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)
