"""What libcamera's streams hold, as pictures in BGR."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture

Raw = npt.NDArray[np.uint8]


def bgr(array: Raw, pixels: str, size: tuple[int, int], *, full_range: bool) -> Picture | None:
    """The picture of `size` (width, height) in what picamera2's `make_array` gave; None for unknown `pixels`.

    picamera2 names the order of bytes backwards: what it calls RGB888 is B, G, R in memory. Rows of planar pictures may
    be longer than the picture. `full_range`: black is 0 and not 16.

    >>> bgr(np.full((3, 2, 3), 9, np.uint8), "RGB888", (2, 3), full_range=True).shape
    (3, 2, 3)
    """
    width, height = size
    if pixels in _PACKED:
        rows = array[:height, :width]
        order = _PACKED[pixels]
        return np.array(rows, dtype=np.uint8) if order is None else np.asarray(cv2.cvtColor(rows, order), np.uint8)
    if pixels in ("YUV420", "YVU420", "NV12", "NV21"):
        return _from_planes(array, pixels, width, height, full_range)
    return None


_PACKED = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
    "MJPEG": cv2.COLOR_RGB2BGR,  # unpacked by picamera2
}


def _from_planes(array: Raw, pixels: str, width: int, height: int, full_range: bool) -> Picture:
    """Brightness in one plane, colour at half the size in one or two more behind it."""
    flat, stride = array.reshape(-1), array.shape[1]
    grey = flat[: height * stride].reshape(height, stride)[:, :width]
    colour = flat[height * stride : height * stride * 3 // 2]
    if pixels.startswith("NV"):
        pairs = colour.reshape(height // 2, stride)[:, :width].reshape(height // 2, width // 2, 2)
        blue, red = (pairs[:, :, 0], pairs[:, :, 1]) if pixels == "NV12" else (pairs[:, :, 1], pairs[:, :, 0])
    else:
        first, second = (half.reshape(height // 2, stride // 2)[:, : width // 2] for half in np.split(colour, 2))
        blue, red = (first, second) if pixels == "YUV420" else (second, first)
    if not full_range:
        grey = _LUMA[grey]
        blue, red = _CHROMA[blue], _CHROMA[red]
    large = (cv2.resize(np.ascontiguousarray(plane), (width, height)) for plane in (red, blue))
    return np.asarray(cv2.cvtColor(cv2.merge([np.ascontiguousarray(grey), *large]), cv2.COLOR_YCrCb2BGR), np.uint8)


def _stretched(low: int, high: int, middle: float) -> Raw:
    """Values of 0 to 255 after `low` to `high` was spread over the whole range around `middle`."""
    values = (np.arange(256.0) - (low + high) / 2) * 255 / (high - low) + middle
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


_LUMA, _CHROMA = _stretched(16, 235, 127.5), _stretched(16, 240, 128.0)
