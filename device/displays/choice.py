"""The screen that the settings name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.config import Config
from device.displays import Panel
from device.displays.luma_panel import FORMATS, Backlight, LumaPanel, i2c_wire, spi_wire
from device.errors import BadInput


def panel_of(config: Config, *, pin_factory: Any = None) -> Callable[[], Panel] | None:
    """Opens the screen, None for none; raises `BadInput` for one that cannot hang so."""
    kind = config.text("display.kind")
    if kind == "none":
        return None
    form, turned = FORMATS[kind], config.whole("display.turned")
    if turned % 2 and form.width != form.height:
        raise BadInput(
            f"display.turned: a screen of {form.width} × {form.height} can only be turned by 0 or 2 quarters"
        )

    def wire() -> Any:
        if form.mono and config.text("display.bus") == "i2c":
            return i2c_wire(config.whole("display.port"), config.whole("display.address"))
        reset = config.whole("display.reset_pin")
        return spi_wire(
            config.whole("display.chip"),
            config.whole("display.mhz"),
            config.whole("display.dc_pin"),
            None if reset < 0 else reset,
            pin_factory=pin_factory,
        )

    def opened() -> Panel:
        pin = config.whole("display.light_pin")
        has_lamp = pin >= 0 and not form.mono
        return LumaPanel(
            kind, wire, turned=turned, lamp=(lambda: Backlight(pin, pin_factory=pin_factory)) if has_lamp else None
        )

    return opened
