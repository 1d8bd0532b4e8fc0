"""Moments of a table that between them show everything a small screen can show; for golden pictures and the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from device.buttons.gestures import Gestures, How, Press
from device.buttons.menu import Shown
from device.buttons.presses import Presses
from device.displays.screen import Around
from device.journal import MemoryJournal
from device.snapshot import Eye, Snapshot
from device.table import Table
from device.wording import Wording

Said = Mapping[str, object]
NAMES = ("Ann", "Bob", "Zoë", "Guillaume", "Dries", "Ève", "Jürgen", "Mia")
PHONE = "http://192.168.1.20:8080/play?code=314159"


@dataclass(frozen=True)
class Moment:
    """What was said up to here, what the eye then saw, and what lies around it."""

    said: Sequence[Said] = ()
    then: Callable[[Table], object] = field(default=lambda table: None)
    around: Around = field(default_factory=Around)
    press: Press | None = None

    def snapshot(self) -> Snapshot:
        """Played on a table of its own; raises `ValueError` for what the table refuses."""
        return self._played().now

    def shows(self, words: Wording) -> tuple[Snapshot, Around]:
        """The moment, and what is shown around it in this language, a press on the button included."""
        table = self._played()
        if self.press is None:
            return table.now, self.around
        shown: list[Shown | None] = []
        presses = Presses(table, words, start={}, gestures=Gestures(), shows=shown.append)
        presses._act(self.press, self.press.at)
        presses.turn(self.press.at)
        return table.now, Around(shown[-1] if shown else None, phone=self.around.phone, buttons=True)

    def _played(self) -> Table:
        table = Table(MemoryJournal())
        for said in self.said:
            error = table.say(said)[-1].error
            if error is not None:
                raise ValueError(f"{said}: {error.message}")
        self.then(table)
        return table


def begin(game: str, players: int, **more: object) -> Said:
    return {"do": "start", "game": game, "players": list(NAMES[:players]), "opener": "Ann", **more}


def throw(*dice: object, **more: object) -> Said:
    return {"do": "throw", "dice": list(dice), **more}


STOP: Said = {"do": "stop"}
FIELD = {"Ann": {"1": 6, "2": 3, "3": 2, "5": 1, "7": 6, "8": 2, "12": 5}, "Bob": {"6": 6, "11": 2}}
LINE = dict(zip(NAMES, (3, 9, 12, 1, 7, 10, 5, 9), strict=True))

STATES: Mapping[str, Moment] = {
    "welcome": Moment(around=Around(phone=PHONE)),
    "welcome-alone": Moment(),
    "roll-off": Moment([{"do": "start", "game": "pietjesbak", "players": list(NAMES[:3])}, throw(5)]),
    "two-open": Moment([begin("pietjesbak", 2)]),
    "two-to-beat": Moment([begin("pietjesbak", 2), throw(2, 4, 5), throw(1, 6, 4), STOP], around=Around(fresh=False)),
    "two-won": Moment([begin("pietjesbak", 2), throw(6, 6, 6), STOP, throw(1, 2, 3)]),
    "two-beyond-nine": Moment([begin("pietjesbak", 2, strokes={"Ann": 12, "Bob": 17}), throw(2, 2, 3)]),
    "three-69": Moment([begin("pietjesbak", 3), throw(6, 5, 4), STOP, throw(3, 3, 5)], around=Around(fresh=False)),
    "four-seven": Moment([begin("pietjesbak", 4), throw(1, 4, 5), STOP, throw(2, 2, 3)]),
    "five-outside": Moment([begin("pietjesbak", 5), throw(1, 4, outside=1)]),
    "six-rim": Moment([begin("pietjesbak", 6), throw(1, 4, rim=1)]),
    "eight": Moment([begin("pietjesbak", 8, strokes=LINE), throw(1, 1, 6), STOP], around=Around(fresh=False)),
    "barrage": Moment([begin("pietjesbak", 2), throw(1, 4, 5), STOP, throw(5, 1, 4), throw(3)]),
    "out": Moment(
        [begin("pietjesbak", 3, strokes={"Ann": 1, "Bob": 4}), throw(6, 6, 6), STOP, throw(3, 4, 5), throw(3, 4, 5)]
    ),
    "lost": Moment([begin("pietjesbak", 3), throw(1, 1, 1)]),
    "over": Moment([begin("pietjesbak", 2, strokes={"Ann": 1}), throw(6, 6, 6), STOP, throw(1, 2, 3)]),
    "paused": Moment([begin("pietjesbak", 2), throw(1, 4, 5), {"do": "pause"}]),
    "reading": Moment([begin("pietjesbak", 2), throw(1, 4, 5)], lambda table: table.look(Eye.READING)),
    "unsure": Moment(
        [begin("pietjesbak", 4)],
        lambda table: table.saw_unsure(("cocked",), (1, 4, None), at=1.0),
        Around(buttons=True),
    ),
    "unsure-phone": Moment(
        [begin("pietjesbak", 2)], lambda table: table.saw_unsure(("die_missing",), (1, 4), missing=1, at=1.0)
    ),
    "whose": Moment(
        [begin("pietjesbak", 2, seats={"Ann": 90, "Bob": 270}), throw(1, 4, 5)],
        lambda table: table.saw_throw((6, 6, 5), at=2.0, from_deg=270.0),
        Around(buttons=True),
    ),
    "camera-lost": Moment([begin("pietjesbak", 2), throw(1, 4, 5)], lambda table: table.look(Eye.LOST, "absent")),
    "board-moved": Moment(
        [begin("pietjesbak", 8, strokes=LINE)], lambda table: table.look(Eye.BOARD_MOVED, "board_moved")
    ),
    "azen-start": Moment([begin("azen", 3)]),
    "azen-four": Moment([begin("azen", 4, count=2), throw(1, 1, 5), throw(2, 3, 4)], around=Around(fresh=False)),
    "azen-race": Moment([begin("azen", 8, count=8, orderer="Zoë", taster="Guillaume"), throw(1, 3, 4)]),
    "azen-pays": Moment([begin("azen", 3, count=8, orderer="Zoë", taster="Ann"), throw(1, 3, 4), throw(1, 2, 2)]),
    "pig-turn": Moment([begin("pig", 3, scores={"Ann": 42, "Bob": 88, "Zoë": 7}), throw(3, 5), throw(6, 2)]),
    "pig-one": Moment([begin("pig", 4), throw(3, 5), throw(1, 2)]),
    "sachsen-choose": Moment([begin("sachsenkniffel", 2, crosses=FIELD), throw(3, 5, 3, 3, 2, 1)]),
    "sachsen-number": Moment(
        [
            begin("sachsenkniffel", 3, crosses=FIELD),
            throw(3, 5, 3, 2, 2, 1),
            {"do": "choose", "number": 3},
            throw(3, 4, 4, 6),
        ]
    ),
    "bataclan-place": Moment([begin("bataclan", 2), throw("G", 2, 2, 3, 4, 5, 6, 6, 6, 6, 5, 5, 5, 5)]),
    "bataclan-six": Moment(
        [begin("bataclan", 6, top=4, dice_left={name: n for n, name in enumerate(NAMES[:6], start=1)})]
    ),
    "menu": Moment([begin("pietjesbak", 2), throw(1, 4, 5), throw(6, 6, 5)], press=Press("stop", How.VERY_LONG, 9.0)),
    "menu-numbers": Moment(
        [begin("sachsenkniffel", 2, crosses=FIELD), throw(3, 5, 3, 3, 2, 1)], press=Press("stop", How.SHORT, 9.0)
    ),
    "refused": Moment([begin("pietjesbak", 2)], press=Press("stop", How.SHORT, 9.0)),
    "holding": Moment(
        [begin("pietjesbak", 2), throw(1, 4, 5)],
        around=Around(shown=Shown("Loslaten: herstel. Blijven duwen: menu.")),
    ),
}
"""Name → moment, in the order of the sheet."""
