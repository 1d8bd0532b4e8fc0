"""Pixels without a chain: each change is a line of hexadecimal bytes, red, green, blue, in the file SHOWN."""

import machine


class NeoPixel:
    def __init__(self, pin: machine.Pin, count: int, bpp: int = 3) -> None:
        self._pixels = [(0,) * bpp] * count

    def __setitem__(self, n: int, colour: tuple) -> None:
        self._pixels[n] = colour

    def write(self) -> None:
        machine.shown("".join(f"{value:02x}" for pixel in self._pixels for value in pixel))
