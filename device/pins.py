"""Which of the Pi's pins the settings give to what, and where two want the same one."""

from __future__ import annotations

from collections.abc import Iterator

from device.config import Config

I2C_PINS = (2, 3)
SPI_DATA, SPI_CLOCK, SPI_CHIPS = 10, 11, (8, 7)
SPI_1_PINS = (20, 21)


def pins_of(config: Config) -> Iterator[tuple[int, str]]:
    """Every pin in use with the setting that names it."""
    yield from _lights(config)
    yield from _display(config)
    if config.text("buttons.kind") == "gpio":
        for key in ("stop_pin", "undo_pin", "menu_pin"):
            pin = config.whole(f"buttons.{key}")
            if pin >= 0:
                yield pin, f"buttons.{key}"
        for key in ("seat_pins", "seat_light_pins"):
            yield from ((pin, f"buttons.{key}") for pin in in_rows(config[f"buttons.{key}"]))


def clashes(config: Config) -> list[str]:
    """A sentence for each pin that two settings claim; the second of them will not get it.

    >>> clashes(Config().with_values(lights__kind="gpio", buttons__kind="gpio", buttons__stop_pin=26))
    ['pin 26 is claimed by lights.pins and buttons.stop_pin; give one of them another']
    """
    claimed: dict[int, list[str]] = {}
    for pin, setting in pins_of(config):
        claimed.setdefault(pin, []).append(setting)
    return [
        f"pin {pin} is claimed by {' and '.join(settings)}; give one of them another"
        for pin, settings in sorted(claimed.items())
        if len(settings) > 1
    ]


def in_rows(rows: object) -> list[int]:
    """The pins of a setting, row after row."""
    return [pin for row in rows for pin in row] if isinstance(rows, list) else []


def _lights(config: Config) -> Iterator[tuple[int, str]]:
    kind = config.text("lights.kind")
    if kind == "gpio":
        yield from ((pin, "lights.pins") for pin in in_rows(config["lights.pins"]))
    elif kind == "spi":
        bus_0 = config.text("lights.spi").startswith("0")
        yield from ((pin, "lights.spi") for pin in ((SPI_DATA, SPI_CLOCK) if bus_0 else SPI_1_PINS))


def _display(config: Config) -> Iterator[tuple[int, str]]:
    kind = config.text("display.kind")
    if kind == "none":
        return
    is_oled = kind.startswith(("ssd", "sh"))
    if is_oled and config.text("display.bus") == "i2c":
        if config.whole("display.port") == 1:
            yield from ((pin, "display.port") for pin in I2C_PINS)
        return
    yield from ((pin, "display.kind (SPI)") for pin in (SPI_DATA, SPI_CLOCK))
    yield SPI_CHIPS[config.whole("display.chip")], "display.chip"
    for key in ("dc_pin", "reset_pin", *(() if is_oled else ("light_pin",))):
        pin = config.whole(f"display.{key}")
        if pin >= 0:
            yield pin, f"display.{key}"
