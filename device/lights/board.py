"""Rows of pixels on the light board: 12 for each of 8 players, over one USB cable."""

from __future__ import annotations

from device.kept import PartLost
from device.lights.board_link import BoardLink
from device.lights.chain import Chain
from device.lights.lamp import Rows


class BoardLamps:
    """Hands frames to the link, which finds and keeps the board by itself; `brightness` of 255 is capped by the board.

    `pixels`: how many are needed. The link is closed with the lamps.
    """

    def __init__(self, link: BoardLink, chain: Chain, *, pixels: int, brightness: int = 96) -> None:
        self._link, self._chain, self._pixels = link, chain, pixels
        self.brightness: int | None = brightness
        link.start()

    @property
    def trouble(self) -> PartLost | None:
        hello = self._link.hello
        if self._link.trouble is None and hello is not None and hello.pixels < self._pixels:
            return PartLost(
                f"the light board has {hello.pixels} pixels, the settings want {self._pixels}: "
                "change PIXELS in its pins.py, or strips and pixels in the settings",
                "lights_few",
            )
        return self._link.trouble

    def put(self, rows: Rows) -> None:
        self._link.show(self.brightness or 0, self._chain.pixels(rows))

    def close(self) -> None:
        self._link.close()
