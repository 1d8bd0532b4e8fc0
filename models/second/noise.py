"""Noise for textures: flat fields out of shaped spectra, solid ones out of bent waves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.second.solid import Floats

Field = npt.NDArray[np.float32]


def field(rng: np.random.Generator, size: int, slope: float, coarsest: float = 2.0, stretch: float = 1.0) -> Field:
    """A (size, size) field that repeats without a seam, mean 0, deviation 1.

    Its amplitude falls with frequency ** -slope from `coarsest` waves a side on; `stretch` > 1 draws it along x.
    """
    y = np.fft.fftfreq(size, 1 / size)[:, None]
    x = np.fft.rfftfreq(size, 1 / size)[None] * stretch
    frequency = np.hypot(x, y)
    strength = np.where(frequency > 0, np.maximum(frequency, coarsest) ** -slope, 0)
    spectrum = np.fft.rfft2(rng.standard_normal((size, size))) * strength
    made = np.fft.irfft2(spectrum, s=(size, size))
    return np.asarray((made - made.mean()) / max(float(made.std()), 1e-9), np.float32)


class SolidNoise:
    """Noise over space, for patterns that run through a die from side to side; mean about 0, deviation about 1."""

    def __init__(self, rng: np.random.Generator, finest: float, waves: int = 14) -> None:
        way = rng.normal(size=(waves, 3))
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        self._waves = way * finest * rng.uniform(0.25, 1.0, (waves, 1))
        self._phase = rng.uniform(0, 2 * np.pi, waves)
        self._bend = rng.normal(size=(3, 3)) * 0.5
        self._bend_waves = rng.normal(size=(3, 3)) * finest * 0.35

    def __call__(self, points: Floats) -> Floats:
        """The noise at points (..., 3)."""
        bent = points + np.sin(points @ self._bend_waves.T) @ self._bend
        return np.asarray(np.sin(bent @ self._waves.T + self._phase).sum(-1) * np.sqrt(2 / len(self._phase)))
