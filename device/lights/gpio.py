"""LEDs on the Pi's own pins by gpiozero: a bar of them for each of two players, or one status LED a player."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Sequence
from typing import Any

from device.kept import PartLost
from device.lights.lamp import GAMMA, Lamp, Rows
from device.lights.scene import Shape

NEAR = 0.004  # a duty that differs by less is not sent again
LEAST = 0.02  # of a faint lamp: less than this flickers on pins that are pulsed by software


class GpioLamps:
    """One `gpiozero.LEDBarGraph` a row; `pins` are BCM numbers, first lamp first, as many in each row as in the least.

    Rows of one pin are status LEDs. Raises `PartLost` where there are no pins or another program holds one.
    ``GPIOZERO_PIN_FACTORY=mock GPIOZERO_MOCK_PIN_CLASS=mockpwmpin`` runs it on any machine.
    """

    brightness: int | None = None
    trouble: PartLost | None = None

    def __init__(self, pins: Sequence[Sequence[int]], *, pin_factory: Any = None) -> None:
        self.bars: list[Any] = []
        # lgpio leaves a pipe in the current directory, and fails where it may not
        os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "/tmp"))
        try:
            from gpiozero import LEDBarGraph

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # gpiozero warns for each pin library that it tries
                for row in pins:
                    lamps = row[: shape_of(pins).lamps]
                    self.bars.append(LEDBarGraph(*lamps, pwm=True, pin_factory=pin_factory))
        except Exception as fault:
            self.close()
            raise _explained(fault) from fault

    def put(self, rows: Rows) -> None:
        try:
            for graph, row in zip(self.bars, rows, strict=True):
                for led, lamp in zip(graph, row, strict=True):
                    wanted = duty(lamp)
                    if abs(led.value - wanted) > NEAR or (wanted in (0.0, 1.0) and led.value != wanted):
                        led.value = wanted
        except Exception as fault:
            why = str(fault) or type(fault).__name__
            raise PartLost(f"the lights went dark: the pins failed ({why})", "lights_failed") from fault

    def close(self) -> None:
        bars, self.bars = self.bars, []
        for graph in bars:
            with contextlib.suppress(Exception):  # what is gone already
                graph.close()


def shape_of(pins: Sequence[Sequence[int]]) -> Shape:
    """As many rows as there are, as many lamps as the shortest has."""
    return Shape(len(pins), min((len(row) for row in pins), default=0))


def duty(lamp: Lamp) -> float:
    """The part of the time that an LED must be on to look that bright.

    >>> duty(Lamp(1.0)), round(duty(Lamp(0.5)), 2), duty(Lamp(0.05)), duty(Lamp(0.0))
    (1.0, 0.22, 0.02, 0.0)
    """
    return max(LEAST, min(1.0, lamp.level) ** GAMMA) if lamp.level > 0 else 0.0


def _explained(fault: Exception) -> PartLost:
    """gpiozero has an error for each pin library; what a person can do about it are three things."""
    why, kind = str(fault) or type(fault).__name__, type(fault).__name__
    if "in use" in why or "busy" in why.lower():
        return PartLost(f"no lights: another program has the pins ({why})", "lights_busy")
    if kind in ("BadPinFactory", "PinUnknownPi", "ModuleNotFoundError"):
        return PartLost(f"no lights: this machine has no pins that can be used ({why})", "lights_absent")
    return PartLost(f"no lights: the pins cannot be used ({why})", "lights_failed")
