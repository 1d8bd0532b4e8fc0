"""Pins without a Pico: buttons are one number in the file CONTACTS, seat lamps a line in the file SHOWN.

Both names come from the environment. Put this folder before the firmware in MICROPYPATH, and ``main.py`` runs on a
computer as it does on the board.
"""

import os
import sys
import time

LOOK_MS = 2  # how often the file is read
_lamps = {}
_pressed = [0, 0]  # as bits by pin, when read


def shown(told: str) -> None:
    """Append one line to the file SHOWN."""
    path = os.getenv("SHOWN")
    if path:
        with open(path, "a") as file:
            file.write(told + "\n")


def _contacts() -> int:
    now = time.ticks_ms()
    if time.ticks_diff(now, _pressed[1]) >= LOOK_MS:
        _pressed[1] = now
        try:
            with open(os.getenv("CONTACTS") or "") as file:
                _pressed[0] = int(file.read() or "0")
        except (OSError, ValueError):
            _pressed[0] = 0
    return _pressed[0]


class Pin:
    """A pin by its GP number; an input reads low while its bit is set in CONTACTS."""

    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: int, mode: int = 0, pull: int = 0, value: int = 0) -> None:
        self.number, self._is_out = number, mode == self.OUT

    def value(self, level: int | None = None) -> int:
        if level is None:
            return 0 if _contacts() >> self.number & 1 else 1
        if _lamps.get(self.number, 0) != level:
            _lamps[self.number] = level
            shown("lamp " + " ".join(str(pin) for pin in sorted(_lamps) if _lamps[pin]))
        return level


class WDT:
    """A watchdog that only knows that it was fed."""

    def __init__(self, timeout: int = 8000) -> None:
        self.timeout = timeout

    def feed(self) -> None:
        pass


def reset() -> None:
    shown("reset")
    sys.exit(1)
