"""From light to a picture: lens, exposure, colour, blur, noise and the JPEG of a small camera."""

import cv2
import numpy as np
import numpy.typing as npt

from models.render.camera import Camera
from models.render.scene import Film

Plane = npt.NDArray[np.float32]
Picture = npt.NDArray[np.uint8]
LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)


def bend(
    linear: Plane, camera: Camera, origin: tuple[float, float], scale: float, rect: tuple[int, int, int, int]
) -> Plane:
    """Bring an undistorted picture (its corner at `origin` px, `scale` px a px) into the lens's rectangle."""
    if camera.k1 == 0 and scale == 1 and linear.shape[:2] == (rect[3], rect[2]):
        return linear
    at = (camera.undistorted_grid(rect) - np.array(origin, np.float32)) * np.float32(scale) - np.float32(0.5)
    if scale > 1:
        linear = np.asarray(cv2.GaussianBlur(linear, (0, 0), 0.35 * scale), np.float32)
    out = cv2.remap(linear, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.float32)


def meter(linear: Plane, film: Film) -> float:
    """The gain that brings the picture's mean to the wanted exposure without burning all highlights."""
    h, w = linear.shape[:2]
    small = cv2.resize(linear, (max(w // 8, 1), max(h // 8, 1)), interpolation=cv2.INTER_AREA)
    light = small.reshape(-1, 3) @ LUMA
    gain = film.exposure / max(float(light.mean()), 1e-6)
    high = float(np.quantile(light, 0.998)) * gain
    if high > 1.0:
        gain *= (1.0 / high) ** film.hold
    return gain


def develop(
    linear: Plane,
    film: Film,
    rng: np.random.Generator,
    centre: tuple[float, float],
    diagonal: float,
    top: int = 0,
) -> Picture:
    """Make a BGR picture from linear RGB light; `centre` is the optical axis in its px, `top` its first row."""
    h, w = linear.shape[:2]
    lin = linear * (film.gain or meter(linear, film))
    lin = np.minimum(lin, 12.0)
    lin = _blur(lin, film)
    if film.bloom > 0:
        small = cv2.resize(np.maximum(lin - 0.8, 0), (max(w // 4, 1), max(h // 4, 1)), interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), max(w / 120, 1.0))
        lin = lin + film.bloom * cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
    if film.glare > 0:
        lin = lin + film.glare * _veil(h, w, centre, diagonal, film)
    gain = np.ones((h, w), np.float32)
    if film.vignette > 0 or film.tube > 0:
        x = (np.arange(w, dtype=np.float32) + 0.5 - centre[0])[None, :] / diagonal
        y = (np.arange(h, dtype=np.float32) + 0.5 - centre[1])[:, None] / diagonal
        r2 = x * x + y * y
        gain *= 1 - film.vignette * np.minimum(r2 * 4, 1.2)
        if film.tube > 0:
            away = np.hypot(x - np.float32(film.tube_at[0]), y - np.float32(film.tube_at[1]))
            gain *= np.clip((film.tube - away) / film.tube_soft + 0.5, 0.02, 1)
    if film.flicker > 0:
        rows = np.arange(h, dtype=np.float32) + top
        band = 1 + film.flicker * np.sin(2 * np.pi * (rows / film.flicker_period + film.flicker_phase))
        gain *= band[:, None].astype(np.float32)
    lin = lin * gain[..., None] * np.array(film.balance, np.float32)
    lin = _noise(lin, film, rng)
    out = _tone(lin, film)
    bgr = np.asarray((out[..., ::-1] * 255 + 0.5), np.uint8)
    if film.jpeg < 100:
        _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, film.jpeg])
        bgr = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return bgr


def _veil(h: int, w: int, centre: tuple[float, float], diagonal: float, film: Film) -> Plane:
    """A lamp's light scattered in the lens: a soft spot (H, W, 1) of height 1 about `glare_at`."""
    at = (np.array(film.glare_at) - 0.5) * 0.7
    x = (np.arange(w, dtype=np.float32) + 0.5 - centre[0])[None, :] / diagonal - np.float32(at[0])
    y = (np.arange(h, dtype=np.float32) + 0.5 - centre[1])[:, None] / diagonal - np.float32(at[1])
    spot = 1 / (1 + (x * x + y * y) / np.float32(film.glare_size**2)) ** 2
    return np.asarray(spot[..., None], np.float32)


def _blur(lin: Plane, film: Film) -> Plane:
    if film.defocus > 0.3:
        radius = film.defocus
        side = 2 * int(np.ceil(radius)) + 1
        span = np.arange(side) - side // 2
        disc = np.clip(radius + 0.5 - np.hypot(span[:, None], span[None, :]), 0, 1)
        lin = np.asarray(cv2.filter2D(lin, -1, (disc / disc.sum()).astype(np.float32)), np.float32)
    if film.motion > 0.8:
        side = 2 * int(np.ceil(film.motion / 2)) + 3
        big = np.zeros((side * 8, side * 8), np.float32)
        a = np.radians(film.motion_deg)
        c = side * 4
        d = np.array([np.cos(a), np.sin(a)]) * film.motion * 4
        ends = [(int(c - d[0]), int(c - d[1])), (int(c + d[0]), int(c + d[1]))]
        cv2.line(big, ends[0], ends[1], (1.0,), 8)
        k = cv2.resize(big, (side, side), interpolation=cv2.INTER_AREA)
        lin = np.asarray(cv2.filter2D(lin, -1, k / k.sum()), np.float32)
    return lin


def _noise(lin: Plane, film: Film, rng: np.random.Generator) -> Plane:
    h, w = lin.shape[:2]
    n = rng.standard_normal((h, w, 3), dtype=np.float32)
    if film.noise_size > 0:
        n = np.asarray(cv2.GaussianBlur(n, (0, 0), film.noise_size), np.float32) * (1 + 2.2 * film.noise_size)
    return np.asarray(lin + n * (film.read_noise + film.shot_noise * np.sqrt(np.maximum(lin, 0))), np.float32)


def _tone(lin: Plane, film: Film) -> Plane:
    """Gamma, contrast, saturation and sharpening; result in 0..1."""
    shoulder = np.where(lin > 0.8, 0.8 + 0.2 * (1 - np.exp(-(lin - 0.8) / 0.35)), lin)
    out = np.power(np.maximum(shoulder, 0), 1 / film.gamma, dtype=np.float32)
    out = out + film.contrast * out * (1 - out) * (2 * out - 1)
    grey = (out @ LUMA)[..., None]
    out = grey + film.saturation * (out - grey)
    if film.sharpen > 0:
        out = out + film.sharpen * (out - cv2.GaussianBlur(out, (0, 0), 1.0))
    return np.asarray(np.clip(out, 0, 1), np.float32)
