"""OLED and colour screens by luma.oled and luma.lcd; their pins by gpiozero, as all pins of this process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from PIL import Image

from device.displays.ink import OLED, SQUARE, WIDE, Format
from device.kept import PartLost

FORMATS = {
    "ssd1306": OLED,
    "sh1106": OLED,
    "ssd1309": OLED,
    "st7789": SQUARE,
    "st7789-320": WIDE,
    "ili9341": WIDE,
}
BRIGHTEST = 0xCF  # an OLED's usual contrast; more ages it and hardly shows
NOTHING = 0xE3  # the command of all these OLED controllers that does nothing
SPEEDS = (52, 50, 48, 44, 40, 36, 32, 28, 24, 20, 16, 8, 4, 2, 1)  # MHz that luma knows


class LumaPanel:
    """One screen of `kind`; `wire` opens what it hangs on, `lamp` its backlight where that has a pin.

    Raises `PartLost` where luma is missing, the bus is not there, or nothing answers on it. A screen on SPI never
    answers: that its cable is off cannot be noticed.
    """

    def __init__(
        self, kind: str, wire: Callable[[], Any], *, turned: int = 0, lamp: Callable[[], Any] | None = None
    ) -> None:
        self.form: Format = FORMATS[kind]
        self._light: Any = None
        self._device: Any = None
        serial: Any = None
        try:
            import luma.core.device

            # luma wants to say good-bye at exit for each screen ever opened, and keeps all of them for that
            luma.core.device.atexit = SimpleNamespace(register=lambda hook: None)
            serial = wire()
            self._light = NoLight() if lamp is None else lamp()
            if self.form.mono:
                serial.command(NOTHING)  # raises where nothing answers
            self._device = _device(kind, serial, self.form, turned, self._light)
        except ImportError as fault:
            self._give_back(serial)
            raise PartLost(f"no screen: {fault}; install pietjesoog[display]", "display_software") from fault
        except PartLost:
            self._give_back(serial)
            raise
        except Exception as fault:
            self._give_back(serial)
            why = str(fault) or type(fault).__name__
            raise PartLost(f"no screen {kind}: {why}; is it plugged in?", "display_absent") from fault

    def show(self, picture: Image.Image) -> None:
        if self._device is not None:
            self._tried(lambda: self._device.display(picture))

    def bright(self, level: float) -> None:
        if self._device is None:
            return
        if self.form.mono:
            self._tried(lambda: self._device.contrast(round(BRIGHTEST * max(0.0, min(1.0, level)))))
        else:
            self._tried(lambda: self._light.bright(level))

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            with contextlib.suppress(Exception):
                device.hide()
            self._give_back(device._serial_interface)

    def _tried(self, what: Callable[[], None]) -> None:
        try:
            what()
        except Exception as fault:
            why = str(fault) or type(fault).__name__
            raise PartLost(f"the screen does not answer any more: {why}", "display_failed") from fault

    def _give_back(self, serial: Any) -> None:
        for part in (serial, getattr(serial, "pins", None), self._light):
            if part is not None:
                with contextlib.suppress(Exception):
                    part.cleanup()


class Pins:
    """What luma wants of RPi.GPIO, which knows no Pi 5, by gpiozero."""

    LOW, HIGH, OUT = 0, 1, "out"

    def __init__(self, pin_factory: Any = None) -> None:
        self._factory = pin_factory
        self._made: dict[int, Any] = {}
        os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "/tmp"))

    def setup(self, pin: int, direction: str) -> None:
        from gpiozero import DigitalOutputDevice

        if pin not in self._made:
            self._made[pin] = DigitalOutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, value: int) -> None:
        self._made[pin].value = bool(value)

    def cleanup(self, pins: object = None) -> None:
        made, self._made = self._made, {}
        for one in made.values():
            one.close()


class Backlight:
    """A colour screen's light on its own pin; luma calls it to switch it on."""

    def __init__(self, pin: int, *, pin_factory: Any = None) -> None:
        from gpiozero import PWMLED

        self._led = PWMLED(pin, pin_factory=pin_factory)

    def __call__(self, is_on: bool) -> None:
        self._led.value = 1.0 if is_on else 0.0

    def bright(self, level: float) -> None:
        self._led.value = max(0.05, min(1.0, level))

    def cleanup(self) -> None:
        self._led.off()
        self._led.close()


class NoLight:
    """A light that is always on."""

    def __call__(self, is_on: bool) -> None: ...

    def bright(self, level: float) -> None: ...

    def cleanup(self) -> None: ...


def i2c_wire(port: int, address: int) -> Any:
    """An I²C bus; raises luma's errors and OSError."""
    from luma.core.interface.serial import i2c

    return i2c(port=port, address=address)


def spi_wire(
    chip: int, mhz: int, dc_pin: int, reset_pin: int | None, *, pin_factory: Any = None, spidev: Any = None
) -> Any:
    """SPI 0 with the pins beside it; raises luma's errors and OSError."""
    from luma.core.interface.serial import spi

    pins = Pins(pin_factory)
    try:
        serial = spi(
            spi=spidev,
            gpio=pins,
            port=0,
            device=chip,
            bus_speed_hz=next(speed for speed in SPEEDS if speed <= mhz) * 1_000_000,
            gpio_DC=dc_pin,
            gpio_RST=reset_pin,
            reset_hold_time=0.01,
            reset_release_time=0.15,
        )
    except BaseException:
        pins.cleanup()
        raise
    serial.pins = pins
    return serial


def _device(kind: str, serial: Any, form: Format, turned: int, light: Any) -> Any:
    import luma.lcd.device
    import luma.oled.device

    if form.mono:
        return getattr(luma.oled.device, kind)(serial, width=form.width, height=form.height, rotate=turned)
    made = getattr(luma.lcd.device, kind.partition("-")[0])
    return made(serial, width=form.width, height=form.height, rotate=turned, backlight=light)
