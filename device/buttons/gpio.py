"""Buttons between the Pi's own pins and ground, by gpiozero; lamps in the seat buttons likewise."""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from device.buttons import SEATS, Edge, Tell
from device.kept import PartLost


class GpioButtons:
    """One `gpiozero.Button` for each name in `pins` (BCM numbers), one lamp for each pin in `lamps`, first seat first.

    Raises `PartLost` where there are no pins or another program holds one.
    ``GPIOZERO_PIN_FACTORY=mock`` runs it on any machine.

    >>> from gpiozero.pins.mock import MockFactory
    >>> told = []
    >>> buttons = GpioButtons({"stop": 21}, told.append, pin_factory=MockFactory(), clock=lambda: 7.0)
    >>> buttons._made[0].pin.drive_low()
    >>> told
    [Edge(button='stop', down=True, at=7.0)]
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        tell: Tell,
        *,
        lamps: Sequence[int] = (),
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.names = tuple(pins)
        self._tell, self._clock = tell, clock
        self._made: list[Any] = []
        self._lamps: list[Any] = []
        # lgpio leaves a pipe in the current directory, and fails where it may not
        os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "/tmp"))
        try:
            from gpiozero import LED, Button

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # gpiozero warns for each pin library that it tries
                for name, pin in pins.items():
                    # no bounce_time: gpiozero would swallow the first edge's time, and its mock ignores it
                    button = Button(pin, pull_up=True, bounce_time=None, pin_factory=pin_factory)
                    self._made.append(button)
                    self._listen(name, button)
                for pin in lamps:
                    self._lamps.append(LED(pin, pin_factory=pin_factory))
        except Exception as fault:
            self.close()
            why = str(fault) or type(fault).__name__
            raise PartLost(f"no buttons: the pins cannot be used ({why})", "buttons_pins") from fault

    def light(self, levels: Sequence[float]) -> None:
        try:
            for lamp, level in zip(self._lamps, levels, strict=False):
                if lamp.is_lit != (level >= 0.5):
                    lamp.value = level >= 0.5
        except Exception as fault:
            why = str(fault) or type(fault).__name__
            raise PartLost(f"the lamps in the buttons went dark: {why}", "buttons_pins") from fault

    def close(self) -> None:
        made, lamps, self._made, self._lamps = self._made, self._lamps, [], []
        for button in made:
            with contextlib.suppress(Exception):
                button.when_pressed = button.when_released = None
        for lamp in lamps:
            with contextlib.suppress(Exception):
                lamp.off()
        for one in (*made, *lamps):
            with contextlib.suppress(Exception):
                one.close()

    def _listen(self, name: str, button: Any) -> None:
        held = bool(button.is_pressed)  # down already: silent until it was let go

        def edge(down: bool) -> None:
            nonlocal held
            if held:
                held = down
                return
            self._tell(Edge(name, down, self._clock()))

        button.when_pressed = lambda: edge(True)
        button.when_released = lambda: edge(False)


def seat_pins(rows: object) -> dict[str, int]:
    """The pins of the setting `seat_pins` by the name of the button.

    >>> seat_pins([[5, 6]])
    {'seat 1': 5, 'seat 2': 6}
    """
    pins = [pin for row in rows for pin in row] if isinstance(rows, list) else []
    return dict(zip(SEATS, pins, strict=False))
