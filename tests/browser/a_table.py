"""A table with a page on a real port, and moments of games to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import cv2
import numpy as np

from device.cutouts import Cutouts
from device.journal import MemoryJournal
from device.snapshot import Eye
from device.table import Table
from device.web.app import Web
from device.web.door import Door
from device.web.server import WebServer, bound
from scorer.events import Face
from vision.frame import Frame
from vision.reading import BoardReading, DieReading

CODE = "482913"
EIGHT = ["Ann", "Bob", "Marie-Louise", "Dré", "Eva", "Fons", "Godelieve", "Hilde"]


@dataclass
class Shown:
    """The table, its pictures, and where its page is."""

    table: Table
    cutouts: Cutouts
    door: Door
    address: str
    code: str = CODE

    def say(self, **event: object) -> None:
        told = self.table.say(event)
        assert told[0].error is None, told[0].error

    def start(self, game: str = "pietjesbak", players: Sequence[str] = ("Ann", "Bob"), **more: object) -> None:
        self.say(do="start", game=game, players=list(players), **{"opener": players[0], **more})

    def throw(self, *dice: Face, **more: int) -> None:
        """Dice that the eye read, with their pictures."""
        told = self.table.saw_throw(dice, **more)
        assert not told or told[0].error is None, told[0].error
        self.cutouts.keep(self.table.now.throw, *_pictured(dice))
        self.table.look(Eye.READ)
        self.table.refresh()

    def by_hand(self, *dice: Face, **more: object) -> None:
        self.say(do="throw", dice=list(dice), **more)


@contextmanager
def shown() -> Iterator[Shown]:
    """A table served on a free port of this machine."""
    journal, cutouts = MemoryJournal(), Cutouts()
    table, door = Table(journal), Door(draw=lambda below: int(CODE))
    web = Web(table, journal, door=door, cutouts=cutouts, phone=lambda: "http://192.168.1.20:8080/play", odds=True)
    server = WebServer(web, bound("127.0.0.1", 0))
    table.look(Eye.WAITING)
    server.start()
    try:
        yield Shown(table, cutouts, door, f"http://127.0.0.1:{server.port}")
    finally:
        server.stop()


def _pictured(dice: Sequence[Face]) -> tuple[Frame, BoardReading]:
    """A frame with a white square for each die, and what was read in it."""
    picture = np.full((60, 60 * max(1, len(dice)), 3), (60, 90, 30), np.uint8)
    read = []
    for n, face in enumerate(dice):
        x = 60 * n + 10
        cv2.rectangle(picture, (x, 10), (x + 40, 50), (225, 235, 240), -1)
        cv2.putText(picture, str(face), (x + 11, 40), cv2.FONT_HERSHEY_SIMPLEX, 1, (30, 30, 30), 3)
        corners = ((x, 10.0), (x + 40.0, 10.0), (x + 40.0, 50.0), (x, 50.0))
        seen = face if isinstance(face, int) else None
        read.append(DieReading(seen, 0.99, seen and seen % 6 + 1, (x, 10.0, x + 40.0, 50.0), corners))
    return Frame(picture, 0.0), BoardReading(tuple(read))


def two(at: Shown) -> None:
    at.start(players=["Marie-Louise", "Jef"], strokes={"Marie-Louise": 5, "Jef": 8})
    at.throw(1, 4, 5)
    at.say(do="stop")
    at.throw(6, 6, 6)


def four(at: Shown) -> None:
    at.start(players=EIGHT[:4], strokes={"Ann": 5, "Bob": 7, "Marie-Louise": 11})
    at.throw(1, 4, 5)
    at.say(do="stop")
    at.throw(1, 6, 6)


def eight(at: Shown) -> None:
    at.start(players=EIGHT, strokes={"Ann": 5, "Bob": 7, "Marie-Louise": 11, "Eva": 1, "Hilde": 12})
    at.throw(1, 4, 5)
    at.say(do="stop")
    at.throw(2, 2, 3)


def opposite(at: Shown) -> None:
    """Two who sit above and below, a die outside."""
    at.start(seats={"Ann": 90, "Bob": 270})
    at.throw(1, 4, 5)
    at.say(do="stop")
    at.throw(5, 6, outside=1)


def unsure(at: Shown) -> None:
    four(at)
    at.say(do="undo")
    at.table.saw_unsure(["cocked"], (2, None, 3))


def whose(at: Shown) -> None:
    at.start(seats={"Ann": 0, "Bob": 180})
    at.throw(1, 4, 5)
    at.table.saw_throw((2, 4, 5), from_deg=180)


def lost(at: Shown) -> None:
    four(at)
    at.table.look(Eye.LOST, "frozen")


def barrage(at: Shown) -> None:
    at.start(players=EIGHT[:3], strokes={"Ann": 2, "Bob": 4})
    at.throw(1, 4, 5)
    at.say(do="stop")
    at.throw(5, 4, 1)
    at.throw(2, 3, 6)
    at.throw(6)


def over(at: Shown) -> None:
    at.start(strokes={"Ann": 1, "Bob": 4})
    at.throw(6, 6, 6)
    at.say(do="stop")
    at.throw(2, 3, 4)


def azen(at: Shown) -> None:
    at.start("azen", EIGHT[:4], count=5, orderer="Bob")
    at.throw(1, 1, 5)
    at.throw(2, 3, 4)


def azen_begins(at: Shown) -> None:
    at.start("azen", EIGHT[:4])


def race(at: Shown) -> None:
    at.start("azen", EIGHT[:4], count=8, orderer="Bob", taster="Bob")
    at.throw(1, 4, 5)
    at.throw(2, 3, 4)


def pig(at: Shown) -> None:
    at.start("pig", EIGHT[:4], scores={"Ann": 62, "Bob": 18, "Marie-Louise": 94})
    at.throw(5, 6)
    at.throw(3, 4)


def sachsenkniffel(at: Shown) -> None:
    crosses = {"Ann": {"1": 3, "7": 6, "12": 2}, "Bob": {"2": 5}, "Marie-Louise": {"6": 6}}
    at.start("sachsenkniffel", EIGHT[:3], crosses=crosses)
    at.throw(1, 1, 2, 5, 5, 6)


def bataclan(at: Shown) -> None:
    at.start("bataclan", EIGHT[:4])
    at.by_hand("G", 2, 3, 4, 5, 6, 2)
    at.say(do="place", dice=["G", 2, 3])
    at.by_hand(4, 2, 3, 4, 5, 6, 2)


MOMENTS: Mapping[str, Callable[[Shown], None]] = {
    moment.__name__: moment
    for moment in (
        two,
        four,
        eight,
        opposite,
        unsure,
        whose,
        lost,
        barrage,
        over,
        azen,
        azen_begins,
        race,
        pig,
        sachsenkniffel,
        bataclan,
    )
}
