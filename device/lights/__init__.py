"""Lamps that show the strokes: one protocol, a file for each way of lighting them, a fake beside them."""

from __future__ import annotations

from typing import Protocol

from scorer.game import View


class Lights(Protocol):
    """Lamps at the board; a contract suite runs on every class. Nothing here ever raises: `fault` tells instead."""

    fault: str | None

    def show(self, view: View | None, pattern: str, t: float) -> None:
        """From `t` (seconds of the clock that `tick` gives) on: these strokes, this pattern."""

    def tick(self, t: float) -> None:
        """Move what moves; called some twenty times a second."""

    def close(self) -> None:
        """All dark, pins given back; any number of times."""


class FakeLights:
    """Keeps what was shown: `shown` has (view, pattern) in order."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self.shown: list[tuple[View | None, str]] = []
        self.ticks = 0
        self.closed = False

    def show(self, view: View | None, pattern: str, t: float) -> None:
        self.shown.append((view, pattern))

    def tick(self, t: float) -> None:
        self.ticks += 1

    def close(self) -> None:
        self.closed = True
