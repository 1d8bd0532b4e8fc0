"""Lamps that show the strokes: one protocol, a file for each way of lighting them, a fake beside each."""

from __future__ import annotations

from typing import Protocol

from scorer.game import View


class Lights(Protocol):
    """Lamps at the board; a contract suite runs on every class. Nothing here ever raises: `fault` tells instead."""

    @property
    def fault(self) -> str | None:
        """One sentence: which lamps are dark, and why; None while they shine."""

    @property
    def trouble(self) -> str | None:
        """The same as a key of the texts (``fault``)."""

    def show(self, view: View | None, pattern: str, t: float) -> None:
        """From `t` (seconds of the clock that `tick` gives) on: these strokes, this pattern."""

    def tick(self, t: float) -> None:
        """Move what moves, and try again what failed; called some twenty times a second."""

    @property
    def rows(self) -> tuple[str | None, ...]:
        """The rows of lamps, each with the name of its player; None for nobody's."""

    @property
    def lamps(self) -> int:
        """How many lamps a row has."""

    def try_out(self, row: int | None) -> None:
        """Light this row alone for some seconds, its first lamp winking; None: no more. From any thread."""

    @property
    def tried(self) -> int | None:
        """The row that is tried out now."""

    def dim(self, percent: int) -> None:
        """So bright from now on, 1 to 100, where these lamps can be dimmed. From any thread."""

    def close(self) -> None:
        """All dark, pins and ports given back; any number of times."""


class FakeLights:
    """Keeps what was shown: `shown` has (view, pattern) in order; `fail` breaks it as a pulled cable would."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self.trouble: str | None = None
        self.shown: list[tuple[View | None, str]] = []
        self.ticks = 0
        self.closed = False
        self.rows: tuple[str | None, ...] = ("Ann", None)
        self.lamps = 12
        self.tried: int | None = None
        self.percent = 40

    def show(self, view: View | None, pattern: str, t: float) -> None:
        self.shown.append((view, pattern))

    def tick(self, t: float) -> None:
        self.ticks += 1

    def try_out(self, row: int | None) -> None:
        self.tried = row

    def dim(self, percent: int) -> None:
        self.percent = percent

    def close(self) -> None:
        self.closed = True

    def fail(self, sentence: str | None, key: str | None = "failed") -> None:
        """From now on this is what ails it; None heals."""
        self.fault, self.trouble = sentence, key if sentence else None
