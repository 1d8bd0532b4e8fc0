"""What changes over the whole picture while a take is filmed: noise, mains flicker, steps of the light, sway."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.render.draw import Picture

Grain = npt.NDArray[np.int16]
NOISE_TILES, TILE_MARGIN_PX = 5, 64
STEP_S = 0.15
FLICKER_PERIOD_PX, FLICKER_HZ = 240.0, 2.9
"""The bands of mains light that a rolling shutter sees, and how fast they travel."""
SWAY_HZ = (1.7, 2.3)


@dataclass(frozen=True)
class Weather:
    """Noise in grey levels; `flicker` as a share of the light; `sway_px` the swing of the camera's arm.

    `steps` are (seconds, gain from then on) of the light, each easing in over `STEP_S`.
    """

    noise: float = 1.6
    flicker: float = 0.0
    steps: tuple[tuple[float, float], ...] = ()
    sway_px: float = 0.0

    def gain(self, t: float) -> float:
        """The light at `t`, 1 where nothing changed.

        >>> Weather(steps=((1.0, 0.5),)).gain(2.0)
        0.5
        """
        now = 1.0
        for at, gain in self.steps:
            now += (gain - now) * min(1.0, max(0.0, (t - at) / STEP_S))
        return now

    def grain(self, rng: np.random.Generator, width: int, height: int) -> list[Grain]:
        """Tiles of noise, larger than the picture, to be shifted at random."""
        if self.noise <= 0:
            return []
        tiles = []
        for _ in range(NOISE_TILES):
            raw = rng.standard_normal((height + TILE_MARGIN_PX, width + TILE_MARGIN_PX, 3), dtype=np.float32)
            tiles.append(np.rint(cv2.GaussianBlur(raw, (0, 0), 0.6) * 2.0 * self.noise).astype(np.int16))
        return tiles

    def on(self, picture: Picture, t: float, grain: list[Grain], rng: np.random.Generator) -> Picture:
        """Sway, flicker and noise on a clean picture (the light's steps are the camera's to develop)."""
        h, w = picture.shape[:2]
        if self.sway_px > 0:
            x = self.sway_px * np.sin(2 * np.pi * SWAY_HZ[0] * t)
            y = self.sway_px * 0.6 * np.sin(2 * np.pi * SWAY_HZ[1] * t + 1)
            move = np.array([[1, 0, x], [0, 1, y]], np.float64)
            picture = np.asarray(cv2.warpAffine(picture, move, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)
        if self.flicker > 0:
            bands = np.sin(2 * np.pi * (np.arange(h) / FLICKER_PERIOD_PX + t * FLICKER_HZ))
            level = ((1 + self.flicker * bands) ** (1 / 2.2)).astype(np.float32)
            picture = np.clip(picture * level[:, None, None], 0, 255).astype(np.uint8)
        if grain:
            tile = grain[int(rng.integers(len(grain)))]
            y, x = (int(v) for v in rng.integers(0, TILE_MARGIN_PX, 2))
            picture = np.asarray(cv2.add(picture, tile[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)
        return picture
