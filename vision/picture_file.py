"""A picture from a file, whole and of a size that can be worked on, or one sentence why not."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.frame import Picture
from vision.jpeg_file import is_cut_off, is_jpeg, jpeg_size, lacks_a_part

MOST_PIXELS = 50_000_000
"""Larger pictures would take more memory than a Raspberry Pi can spare (decoded: 3 bytes a pixel)."""

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm", ".jp2"})


_OF_PHONES = frozenset(b"ftyp" + brand for brand in (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"))


class PictureError(VisionError):
    """A file that is no usable picture; `reason` is a stable key."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def load_picture(path: Path) -> Picture:
    """The picture (BGR) as its viewer would show it: turned by its EXIF note, alpha dropped, 16 bits cut to 8.

    Raises PictureError: ``missing``, ``not_a_file``, ``unreadable``, ``empty``, ``too_large``, ``broken``.
    """
    data = _bytes(path)
    if not data:
        raise PictureError("empty", f"{path} is an empty file.")
    size = _size(data)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise PictureError("too_large", f"{path} has {size[0]} × {size[1]} pixels; at most 50 million can be read.")
    if _ends_early(data):
        raise PictureError("broken", f"{path} is cut off: the end of the picture is missing.")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError):
        picture = None
    if picture is None or picture.size == 0:
        if data[4:12] in _OF_PHONES:
            raise PictureError("broken", f"{path} is a HEIF picture, as phones take them: save it as JPEG first.")
        raise PictureError("broken", f"{path} is not a picture that can be decoded.")
    if picture.shape[0] * picture.shape[1] > MOST_PIXELS:
        raise PictureError("too_large", f"{path} has more than 50 million pixels.")
    plain = np.ascontiguousarray(picture, dtype=np.uint8)
    if is_jpeg(data) and lacks_a_part(data, plain):
        raise PictureError("broken", f"{path} is broken inside: a part of the picture is missing.")
    return plain


def _bytes(path: Path) -> bytes:
    try:
        if not path.exists():
            raise PictureError("missing", f"There is no file {path}.")
        if not path.is_file():
            raise PictureError("not_a_file", f"{path} is not a file but a folder or a device.")
        return path.read_bytes()
    except (OSError, ValueError) as fault:
        if isinstance(fault, PictureError):
            raise
        raise PictureError(
            "unreadable", f"{path} cannot be read: {getattr(fault, 'strerror', None) or fault}."
        ) from fault


def _size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header of a PNG, JPEG or BMP tells them, before anything is decoded."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:2] == b"BM" and len(data) >= 26:
        return abs(int.from_bytes(data[18:22], "little", signed=True)), abs(
            int.from_bytes(data[22:26], "little", signed=True)
        )
    return jpeg_size(data) if is_jpeg(data) else None


def _ends_early(data: bytes) -> bool:
    """A JPEG without its end mark, a PNG without its end chunk: decoders fill what is lacking with grey."""
    if is_jpeg(data):
        return is_cut_off(data)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return b"IEND" not in data[-4096:]
    return False
