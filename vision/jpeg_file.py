"""What a JPEG file says of its picture before it is decoded, and whether all of the picture is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import cv2
import numpy as np

from vision.frame import Picture

_END, _SCAN = 0xD9, 0xDA
_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_IN_ONE_SCAN = frozenset({0xC0, 0xC1})
"""Sequential pictures; of a progressive one each scan is a little of the whole."""
_ALONE = frozenset({0x00, 0x01, *range(0xD0, 0xD9)})
_AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_FILLING = 128
"""With this grey, in all of a block, decoders fill what is lacking."""
_BLOCK = 8  # pixels
_MORE = b"\x5a" * 64
"""Bytes that a decoder which has all of its picture passes over."""


def is_jpeg(data: bytes) -> bool:
    return data[:2] == b"\xff\xd8"


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels as the header tells them, not turned."""
    for marker, at in _parts(data):
        if marker in _SIZES and at + 9 <= len(data):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
    return None


def is_cut_off(data: bytes) -> bool:
    """Without its end mark; what follows on that mark is no part of the picture (telephones hang a film there)."""
    return all(marker != _END for marker, _ in _parts(data))


def lacks_a_part(data: bytes, picture: Picture) -> bool:
    """Whether bytes were lost in the middle, so that the decoder ran out of them and filled the end of `picture`.

    A picture may be as grey itself; but a decoder that lacks nothing makes nothing of bytes put behind the last ones.
    Only a sequential picture's loss is noticed, and none that leaves as many bytes as are needed.
    """
    if not any(_is_filling(corner) for corner in _corners(picture)):
        return False
    parts = list(_parts(data))
    scan = next((n for n, (marker, _) in enumerate(parts[:-1]) if marker == _SCAN), None)
    if scan is None or not any(marker in _IN_ONE_SCAN for marker, _ in parts[:scan]):
        return False
    decoded = _as_stored(data)
    if decoded is None or not _is_filling(decoded[-_BLOCK:, -_BLOCK:]):
        return False
    end = parts[scan + 1][1]
    longer = _as_stored(data[:end] + _MORE + data[end:])
    return longer is not None and not np.array_equal(decoded, longer)


def _parts(data: bytes) -> Iterator[tuple[int, int]]:
    """Markers and where they stand, up to the end mark; the pixels of a scan are passed over."""
    at = 2
    while 0 <= at < len(data) - 1:
        marker = data[at + 1]
        if data[at] != 0xFF or marker == 0xFF:
            at = data.find(b"\xff", at + 1)
        elif marker in _ALONE:
            at += 2
        else:
            yield marker, at
            if marker == _END:
                return
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            if marker == _SCAN:
                after = _AFTER_SCAN.search(data, at)
                at = len(data) if after is None else after.start()


def _corners(picture: Picture) -> list[Picture]:
    ends = slice(0, _BLOCK), slice(-_BLOCK, None)
    return [picture[rows, columns] for rows in ends for columns in ends]


def _is_filling(block: Picture) -> bool:
    return bool((block == _FILLING).all())


def _as_stored(data: bytes) -> Picture | None:
    """Decoded, and not turned: what was stored last lies at the lower right."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    return None if picture is None else np.ascontiguousarray(picture, dtype=np.uint8)
