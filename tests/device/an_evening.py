"""Evenings for the tests: a table whose clock is set by hand, and games played by chance."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

from device.journal import Journal, MemoryJournal
from device.table import Table

ZONE = timezone(timedelta(hours=1))
EIGHT_PM = datetime(2025, 11, 29, 20, 0, tzinfo=ZONE)
NAMES = ("Ann", "Bob", "Cas")


class AnEvening:
    """A table with its journal; `now` is what its clock shows, None for a clock that was never set."""

    def __init__(self, journal: Journal | None = None, now: datetime | None = EIGHT_PM) -> None:
        self.journal = journal if journal is not None else MemoryJournal()
        self.now = now
        self.table = Table(self.journal, wall=self._wall)

    def say(self, do: str, after_s: float = 5.0, **more: Any) -> None:
        """One event, some seconds after the one before; it has to be accepted."""
        self.now = None if self.now is None else self.now + timedelta(seconds=after_s)
        told = self.table.say({"do": do, **more})
        assert told[0].error is None, (do, more, told[0].error)

    def start(self, game: str = "pietjesbak", players: tuple[str, ...] = NAMES, **more: Any) -> None:
        self.say("start", game=game, players=list(players), **{"opener": players[0], **more})

    def throw(self, *dice: int | str, **more: Any) -> None:
        self.say("throw", dice=list(dice), **more)

    def play(self, chance: Random, throws: int | None = None) -> None:
        """Play on by chance, to the end of the game or for so many throws more."""
        least = self.table.now.view.throws
        while self.table.now.view.phase != "over":
            view = self.table.now.view
            if throws is not None and view.throws - least >= throws:
                return
            legal = self.table.now.session.legal
            if "glass_empty" in legal and chance.random() < 0.4:
                self.say("glass_empty")
            elif "stop" in legal and view.throws_used and chance.random() < 0.4:
                self.say("stop")
            else:
                dice = [chance.randint(1, 6) for _ in range(view.expected)]
                outside = int(len(dice) == 3 and chance.random() < 0.05)
                self.say("throw", dice=dice[outside:], outside=outside)

    def _wall(self) -> str:
        return "" if self.now is None else self.now.isoformat(timespec="seconds")
