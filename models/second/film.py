"""From light to a picture as a small camera would file it: exposure, colour, blur, noise, tone, sharpening."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from models.second.noise import Field
from models.second.shot import Film

Picture = npt.NDArray[np.uint8]
CLIPPED = 0.006
"""About this part of the picture may be white beyond measure."""


def develop(light: Field, film: Film, seed: int) -> Picture:
    """The picture (h, w, 3) uint8, blue first."""
    rng = np.random.default_rng([31, seed])
    grey = light @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    brightest = max(float(np.quantile(grey[::2, ::2], 1 - CLIPPED)), 1e-9)
    gain = min(film.mean / max(float(grey.mean()), 1e-9), 1.0 / brightest)
    exposed = np.asarray(np.clip(light * gain * np.array(film.tint, np.float32), 0, 3), np.float32)
    made: Field = _blurred(exposed, film.blur)
    spread = film.noise * np.sqrt(np.maximum(made, 0) * 0.6 + 0.02)
    made = np.asarray(made + 1.8 * spread * _blurred(rng.standard_normal(made.shape, np.float32), 0.5), np.float32)
    made = _tone(made, film.contrast)
    if film.sharpen:
        made = made + film.sharpen * (made - _blurred(made, 1.2))
    return np.asarray(np.clip(made[..., ::-1] * 255 + 0.5, 0, 255), np.uint8)


def filed(picture: Picture, quality: int) -> bytes:
    """The picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture cannot be written as JPEG")
    return data.tobytes()


def _blurred(light: Field, spread: float) -> Field:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), spread), np.float32)


def _tone(light: Field, contrast: float) -> Field:
    """sRGB with a soft shoulder, then an S of the given strength."""
    soft = np.where(light > 0.75, 0.75 + 0.25 * np.tanh((light - 0.75) / 0.35), np.maximum(light, 0))
    seen = np.where(soft < 0.0031308, 12.92 * soft, 1.055 * np.power(np.maximum(soft, 0.0031308), 1 / 2.4) - 0.055)
    return np.asarray(seen + contrast * (seen * seen * (3 - 2 * seen) - seen), np.float32)
