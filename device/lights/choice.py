"""The lights that the settings name, and what they cannot show."""

from __future__ import annotations

from device.config import Config
from device.lights import Lights
from device.lights.board import BoardLamps
from device.lights.board_link import BoardLink
from device.lights.chain import Chain
from device.lights.driven import DrivenLights
from device.lights.gpio import GpioLamps, shape_of
from device.lights.scene import Shape
from device.lights.spi import SpiLamps


def lights_of(config: Config, link: BoardLink | None = None) -> Lights | None:
    """Lights of the settings, None for none; `link` is the board's cable where its buttons use it too."""
    kind = config.text("lights.kind")
    if kind == "gpio":
        pins = config["lights.pins"]
        return DrivenLights(shape_of(pins), lambda: GpioLamps(pins)) if isinstance(pins, list) else None
    brightness = round(config.number("lights.brightness") * 255 / 100)
    chain = Chain(zigzag=config["lights.zigzag"] is True)
    shape = strips(config)
    if kind == "spi":
        bus, _, device = config.text("lights.spi").partition(".")
        most_ma = config.whole("lights.most_ma")
        return DrivenLights(
            shape,
            lambda: SpiLamps(chain, bus=int(bus), device=int(device), brightness=brightness, most_ma=most_ma),
        )
    if kind == "board":
        cable = link or link_of(config)
        pixels = shape.rows * shape.lamps
        return DrivenLights(shape, lambda: BoardLamps(cable, chain, pixels=pixels, brightness=brightness))
    return None


def link_of(config: Config) -> BoardLink:
    """The cable to the light board; lights and buttons of the board begin to look for it by themselves."""
    return BoardLink(config.text("lights.port"))


def strips(config: Config) -> Shape:
    """Rows and lamps of the chain of pixels."""
    ring = config.number("lights.first_deg") if config["lights.around"] is True else None
    return Shape(config.whole("lights.strips"), config.whole("lights.pixels"), ring, side_by_side=True)


def limit(config: Config, players: int = 8) -> str | None:
    """What these lights cannot show of a game of so many players, a key of the texts (``lights``); None: nothing.

    >>> limit(Config().with_values(lights__kind="gpio"), 2), limit(Config().with_values(lights__kind="gpio"), 3)
    (None, 'turn_only')
    """
    kind, pins = config.text("lights.kind"), config["lights.pins"]
    if kind == "gpio" and isinstance(pins, list):
        if shape_of(pins).lamps == 1:
            return "no_strokes" if len(pins) >= players else "turn_winked"
        return "turn_only" if len(pins) < players else None
    if kind in ("board", "spi") and config.whole("lights.strips") < players:
        return "turn_only"
    return None
