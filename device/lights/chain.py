"""A chain of coloured pixels: rows one behind the other, as bytes, and what they may draw."""

from __future__ import annotations

from dataclasses import dataclass

from device.lights.lamp import Rows, rgb

QUIET_MA = 1  # a dark WS2812 still draws about this
CHANNEL_MA = 20  # one colour of one pixel at 255, by the data sheet


@dataclass(frozen=True)
class Chain:
    """`zigzag`: every second row runs backwards, as on a panel that is wired in one go."""

    zigzag: bool = False

    def pixels(self, rows: Rows) -> bytes:
        """Red, green, blue of each pixel along the chain."""
        told = bytearray()
        for n, row in enumerate(rows):
            for lamp in reversed(row) if self.zigzag and n % 2 else row:
                told += bytes(rgb(lamp))
        return bytes(told)


def milliamps(pixels: bytes, count: int) -> int:
    """What `count` pixels with these three bytes each draw, by the data sheet."""
    return count * QUIET_MA + (sum(pixels) * CHANNEL_MA + 254) // 255


def capped(pixels: bytes, brightness: int, most_ma: int) -> bytes:
    """The bytes to show: scaled to `brightness` of 255, then down again until all pixels keep to `most_ma`.

    What is lit stays lit, if only by 1 of 255; a budget too small for even that leaves all dark. The light board
    does the same by itself (``hardware/firmware/glow.py``).

    >>> milliamps(capped(bytes([255]) * 288, 255, 500), 96) <= 500
    True
    """
    total, count = sum(pixels), len(pixels) // 3
    if not total or not brightness:
        return bytes(len(pixels))
    scale = min(brightness, 255)
    lit = sum(value > 0 for value in pixels)
    budget = (most_ma - count * QUIET_MA) * 255 // CHANNEL_MA  # in units of one channel at 1 of 255
    if total * scale // 255 + lit > budget:  # rounding up may add one to each
        scale = (budget - lit) * 255 // total
        if scale <= 0:
            return bytes(len(pixels)) if lit > budget else bytes(1 if value else 0 for value in pixels)
    return bytes((value * scale + 254) // 255 for value in pixels)
