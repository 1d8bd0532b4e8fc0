"""LEDs on the Pi's own pins by gpiozero: a row of them for each of two players, for the smallest build."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

from device.lights.patterns import levels
from scorer.game import View


class GpioLights:
    """One `gpiozero.LEDBarGraph` a player; `pins` are BCM numbers, first lamp first, equally many in each row.

    Without pins, or with pins that another program holds, it shows nothing and says so in `fault`.
    ``GPIOZERO_PIN_FACTORY=mock GPIOZERO_MOCK_PIN_CLASS=mockpwmpin`` runs it on any machine.
    """

    def __init__(self, pins: Sequence[Sequence[int]], *, pin_factory: Any = None) -> None:
        self.fault: str | None = None
        self.lamps = min((len(row) for row in pins), default=0)
        self.bars: list[Any] = []
        self._showing: tuple[View | None, str, float] = (None, "idle", 0.0)
        self._open(pins, pin_factory)

    def show(self, view: View | None, pattern: str, t: float) -> None:
        self._showing = (view, pattern, t)
        self.tick(t)

    def tick(self, t: float) -> None:
        if not self.bars:
            return
        view, pattern, began = self._showing
        rows = levels(view, pattern, t - began, len(self.bars), self.lamps)
        try:
            for graph, row in zip(self.bars, rows, strict=True):
                for led, level in zip(graph, row, strict=True):
                    if abs(led.value - level) > 0.01:
                        led.value = level
        except Exception as fault:
            self._give_up(f"the lights went dark: {fault or type(fault).__name__}")

    def close(self) -> None:
        for graph in self.bars:
            graph.close()
        self.bars = []

    def _open(self, pins: Sequence[Sequence[int]], pin_factory: Any) -> None:
        # lgpio leaves a pipe in the current directory, and fails where it may not
        os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "/tmp"))
        try:
            from gpiozero import LEDBarGraph

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # gpiozero warns for each pin library that it tries
                for row in pins:
                    self.bars.append(LEDBarGraph(*row[: self.lamps], pwm=True, pin_factory=pin_factory))
        except Exception as fault:
            self._give_up(f"no lights: the pins cannot be used ({fault or type(fault).__name__})")

    def _give_up(self, sentence: str) -> None:
        """Scoring goes on in the dark."""
        self.fault = sentence
        for graph in self.bars:
            try:
                graph.close()
            except Exception:
                continue
        self.bars = []
