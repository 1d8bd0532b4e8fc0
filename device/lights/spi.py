"""WS2812 pixels straight from the Pi's SPI: three SPI bits make one bit of light.

The data pin (MOSI, GPIO 10) needs a level shifter such as a 74AHCT125. On a Pi 3 or 4 the core clock must be pinned
(``core_freq=250`` in config.txt, ``core_freq_min=500`` on a Pi 4), else the pixels flicker.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Protocol

from device.kept import PartLost
from device.lights.chain import Chain, capped
from device.lights.lamp import Rows

BIT_HZ = 2_400_000  # three SPI bits in the 1.25 µs of one bit of light
RESET = bytes(90)  # 300 µs of silence: the pixels take what they got
REPEAT = 20  # every so many calls the same is sent again: a pixel that was disturbed comes right


class Spi(Protocol):
    """What is used of a `spidev.SpiDev`."""

    max_speed_hz: int
    mode: int

    def open(self, bus: int, device: int) -> None: ...

    def writebytes2(self, data: bytes) -> None: ...

    def close(self) -> None: ...


def _three_bits_each(byte: int) -> bytes:
    """A one is 110, a zero 100: long high and short high."""
    bits = 0
    for n in range(7, -1, -1):
        bits = bits << 3 | (0b110 if byte >> n & 1 else 0b100)
    return bits.to_bytes(3, "big")


_ENCODED = [_three_bits_each(byte) for byte in range(256)]


def encoded(pixels: bytes) -> bytes:
    """What goes out by SPI for these red, green, blue bytes; the pixels want green first.

    >>> encoded(bytes([0, 255, 0]))[:9].hex(), len(encoded(bytes(3 * 96)))
    ('db6db6924924924924', 954)
    """
    told = bytearray()
    for n in range(0, len(pixels), 3):
        red, green, blue = pixels[n : n + 3]
        told += _ENCODED[green] + _ENCODED[red] + _ENCODED[blue]
    return bytes(told) + RESET


def real_spi() -> Spi:
    """A `spidev.SpiDev`; raises `PartLost` where the library is missing."""
    try:
        import spidev
    except ImportError as fault:
        raise PartLost("no lights: the library spidev is missing (python3-spidev)", "lights_software") from fault
    spi: Spi = spidev.SpiDev()
    return spi


class SpiLamps:
    """Pixels on ``/dev/spidevBUS.DEVICE``; `brightness` of 255 and `most_ma` for all pixels together.

    Raises `PartLost` where SPI is off, forbidden, or its library is missing.
    """

    trouble: PartLost | None = None

    def __init__(
        self,
        chain: Chain,
        *,
        bus: int = 0,
        device: int = 0,
        brightness: int = 96,
        most_ma: int = 500,
        make: Callable[[], Spi] = real_spi,
    ) -> None:
        self._chain, self._most_ma = chain, most_ma
        self.brightness: int | None = brightness
        self._sent, self._same = b"", 0
        name = f"/dev/spidev{bus}.{device}"
        self._spi: Spi | None = None
        spi = make()
        try:
            spi.open(bus, device)
            spi.max_speed_hz, spi.mode = BIT_HZ, 0
        except FileNotFoundError as fault:
            raise PartLost(f"no lights: there is no {name}; is SPI switched on?", "lights_absent") from fault
        except PermissionError as fault:
            raise PartLost(f"no lights: {name} may not be used (group spi)", "lights_forbidden") from fault
        except OSError as fault:
            why = fault.strerror or fault
            raise PartLost(f"no lights: {name} cannot be used ({why})", "lights_failed") from fault
        self._spi = spi

    def put(self, rows: Rows) -> None:
        pixels = capped(self._chain.pixels(rows), self.brightness or 0, self._most_ma)
        self._same = self._same + 1 if pixels == self._sent else 0
        if self._spi is None or self._same % REPEAT:
            return
        try:
            self._spi.writebytes2(encoded(pixels))
        except OSError as fault:
            why = fault.strerror or fault
            raise PartLost(f"the lights went dark: SPI failed ({why})", "lights_failed") from fault
        self._sent = pixels

    def close(self) -> None:
        spi, self._spi = self._spi, None
        if spi is not None:
            with contextlib.suppress(OSError):
                spi.writebytes2(encoded(bytes(len(self._sent))))
            with contextlib.suppress(OSError):
                spi.close()


class FakeSpi:
    """Keeps what was written: `sent` in order; `missing` and `failing` are errors to raise."""

    def __init__(self, *, missing: OSError | None = None) -> None:
        self.max_speed_hz = self.mode = 0
        self.missing = missing
        self.failing: OSError | None = None
        self.sent: list[bytes] = []
        self.is_open = False

    def open(self, bus: int, device: int) -> None:
        if self.missing is not None:
            raise self.missing
        self.is_open = True

    def writebytes2(self, data: bytes) -> None:
        if self.failing is not None:
            raise self.failing
        self.sent.append(bytes(data))

    def close(self) -> None:
        self.is_open = False

    @property
    def pixels(self) -> bytes:
        """Red, green, blue of each pixel, decoded from what was written last."""
        if not self.sent:
            return b""
        data = self.sent[-1][: -len(RESET)]
        plain = bytes(_ENCODED.index(data[n : n + 3]) for n in range(0, len(data), 3))
        told = bytearray()
        for n in range(0, len(plain), 3):
            told += bytes((plain[n + 1], plain[n], plain[n + 2]))
        return bytes(told)
