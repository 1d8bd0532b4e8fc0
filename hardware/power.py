"""The current budget of each build, and what the pixels would draw without the cap in the firmware.

    python -m hardware.power        # the tables of GUIDE.md

Milliamperes at 5 V unless a name says otherwise; each is what the part draws at its busiest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardware.field_of_view import table
from hardware.firmware import glow, pins

PI_4_MA, PI_5_MA = 1300, 2400  # all cores at work; a Pi 5 with its cooler
CAMERA_MA = 250
PICO_MA = 60
OLED_MA = 30
SPEAKER_MA = 400
PI_VOLTS, LED_VOLTS = 3.3, 1.9  # at a pin, over a red LED
LED_OHM, SEAT_OHM = 1000, 330
PINS_MA = 50  # all pins of a Pi together, or of a Pico: what their makers let one count on
USB_4_MA, USB_5_MA = 1200, 1600  # all sockets together; a Pi 5 gives 600 unless its supply says 5 A
SUPPLY_4_MA, SUPPLY_5_MA = 3000, 5000
MOST_USED = 0.85  # of a supply: it ages, and cables lose some
FUSE_MA = 750


@dataclass(frozen=True)
class Load:
    """`each` mA, `count` times, drawn through `ways` (of "supply", "usb", "pi pins", "pico pins")."""

    name: str
    count: int
    each: float
    ways: tuple[str, ...] = ("supply",)

    @property
    def total(self) -> float:
        return self.count * self.each


def led_ma(ohm: float) -> float:
    """What an LED with that resistor draws from a pin.

    >>> round(led_ma(330), 1)
    4.2
    """
    return (PI_VOLTS - LED_VOLTS) / ohm * 1000


def pixels_white_ma() -> float:
    """All pixels white and as bright as they can, if nothing capped them."""
    return float(glow.milliamps(b"\xff" * 3 * pins.PIXELS, pins.PIXELS))


_LIGHT_BOARD = (
    Load("Pico", 1, PICO_MA, ("supply", "usb")),
    Load("pixels, capped by the firmware", 1, pins.MOST_MA, ("supply", "usb")),
)
LOADS: Mapping[str, tuple[Load, ...]] = {
    "small": (
        Load("Raspberry Pi 4", 1, PI_4_MA),
        Load("camera", 1, CAMERA_MA),
        Load(f"LEDs, {LED_OHM / 1000:g} kΩ each", 18, led_ma(LED_OHM), ("supply", "pi pins")),
    ),
    "table": (
        Load("Raspberry Pi 5 with cooler", 1, PI_5_MA),
        Load("camera", 1, CAMERA_MA),
        Load("OLED", 1, OLED_MA),
        *_LIGHT_BOARD,
    ),
    "cafe": (
        Load("Raspberry Pi 5 with cooler", 1, PI_5_MA),
        Load("camera", 1, CAMERA_MA),
        Load("OLED", 1, OLED_MA),
        *_LIGHT_BOARD,
        Load(f"seat lamps, {SEAT_OHM} Ω each", 8, led_ma(SEAT_OHM), ("supply", "usb", "pico pins")),
        Load("speaker", 1, SPEAKER_MA, ("supply", "usb")),
    ),
}
LIMITS: Mapping[str, Mapping[str, float]] = {
    "small": {"supply": SUPPLY_4_MA, "pi pins": PINS_MA},
    "table": {"supply": SUPPLY_5_MA, "usb": USB_5_MA},
    "cafe": {"supply": SUPPLY_5_MA, "usb": USB_5_MA, "pico pins": PINS_MA},
}
WAYS = {"supply": "supply", "usb": "USB sockets", "pi pins": "pins of the Pi", "pico pins": "pins of the Pico"}


def drawn(build: str, way: str) -> float:
    """All that a build draws through `way`."""
    return sum(load.total for load in LOADS[build] if way in load.ways)


def load_rows() -> Iterator[tuple[str, ...]]:
    """One row a load."""
    for build, loads in LOADS.items():
        for load in loads:
            yield build, load.name, f"{load.count}", f"{load.each:.1f}".removesuffix(".0"), f"{load.total:.0f}"


def limit_rows() -> Iterator[tuple[str, ...]]:
    """One row for everything that has a limit."""
    for build, limits in LIMITS.items():
        for way, limit in limits.items():
            used = drawn(build, way)
            yield build, WAYS[way], f"{used:.0f}", f"{limit:.0f}", f"{100 * used / limit:.0f} %"


def load_table() -> str:
    """What draws how much."""
    return table(["build", "what", "count", "mA each", "mA"], load_rows())


def limit_table() -> str:
    """What may be drawn."""
    return table(["build", "through", "mA drawn", "mA allowed", "used"], limit_rows())


def sentences() -> tuple[str, ...]:
    """What to know beside the tables."""
    return (
        f"{pins.PIXELS} pixels at full white would draw {pixels_white_ma() / 1000:.1f} A. The firmware lets them have "
        f"{pins.MOST_MA} mA in all, of which {pins.PIXELS * glow.QUIET_MA} mA go to keeping them dark; the fuse "
        f"carries {FUSE_MA} mA for ever and opens on its way to twice as much.",
        f"Eighteen LEDs at 330 Ω would draw {18 * led_ma(330):.0f} mA from the pins of the Pi, {PINS_MA} mA are safe: "
        f"take {LED_OHM / 1000:g} kΩ.",
    )


if __name__ == "__main__":
    print(load_table(), limit_table(), *sentences(), sep="\n\n")
    sys.exit(0)
