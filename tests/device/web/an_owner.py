"""A device whose owner came in by the PIN: pictures of a board, lamps, a loudspeaker, a folder to keep things in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from at_the_door import CODE, Clock, browser
from starlette.testclient import TestClient

from device.board_choice import BoardChoice
from device.chosen import Chosen
from device.config import Config
from device.eye import EyeThread
from device.faults import FaultWatch
from device.journal import MemoryJournal
from device.last_throws import LastThrows
from device.lights import FakeLights
from device.seeing import Seen
from device.sight import Sight
from device.sound import FakeSpeaker, FakeVoice
from device.sound.sounding import Sound
from device.table import Table
from device.tongue import Tongue
from device.upkeep import Upkeep
from device.web.app import Web
from device.web.door import Door
from vision.board import Board
from vision.frame import Frame, Picture
from vision.happenings import ThrowSeen, Unsure
from vision.octagon import regular_octagon
from vision.reader import Reader
from vision.reading import BoardReading, DieReading, Where
from vision.watcher import State, ThrowWatcher

PIN = "2741"
SIZE = (960, 720)


@cache
def the_reader() -> Reader:
    """One for all tests: it takes a second to load."""
    return Reader()


class Eye:
    """As much of the eye as the settings touch."""

    def __init__(self) -> None:
        self.anew = 0
        self.cameras: list[Any] = []

    def begin_anew(self) -> None:
        self.anew += 1

    def look_through(self, camera: Any) -> None:
        self.cameras.append(camera)


@dataclass
class Watcher:
    board: Board
    reading: BoardReading
    shows_reading: bool = True


class Device:
    """The whole of it, nothing of which runs by itself."""

    def __init__(self, folder: Path | None, clock: Clock, **settings: Any) -> None:
        self.clock = clock
        self.table = Table(MemoryJournal(), wall=lambda: "noon")
        codes = iter([int(CODE), 650027, 17, 999999])
        self.door = Door(clock=clock, draw=lambda below: next(codes))
        self.door.pin.set(PIN)
        self.last = LastThrows()
        self.health: dict[str, Any] = {"ok": True}
        self.lights, self.eye = FakeLights(), Eye()
        self.speaker = FakeSpeaker()
        config = Config().with_values(lights__kind="board", **settings)
        words = Tongue(config.text("web.language"))
        chosen = Chosen(None if folder is None else folder / "chosen.toml", config)
        self.refreshed = 0
        self.upkeep = upkeep = Upkeep(chosen, words, folder, sight=Sight(clock), refresh=self._refresh)
        upkeep.eye, upkeep.board = cast(EyeThread, self.eye), BoardChoice("auto")
        upkeep.reader, upkeep.lights = the_reader(), self.lights
        upkeep.sound = Sound(
            self.table, words, lambda: self.speaker, FakeVoice, kind=config.text("sound.kind"), clock=clock
        )
        upkeep.faults = FaultWatch(lambda: self.health, clock=clock)
        self.web = Web(
            self.table,
            MemoryJournal(),
            door=self.door,
            health=lambda: upkeep.health(self.health),
            last_throws=self.last,
            upkeep=upkeep,
        )

    def _refresh(self) -> None:
        self.refreshed += 1

    def owner(self, address: str = "192.168.1.7") -> TestClient:
        client = browser(self.web, address=address)
        assert client.post("/device/pin", data={"pin": PIN}).status_code == 303
        return client

    def sees(self, picture: Picture | None = None, reading: BoardReading | None = None) -> None:
        """The eye sees this picture, a drawn board unless told."""
        watcher = Watcher(drawn_board(), reading or BoardReading(()))
        self.upkeep.sight.see(
            Frame(a_board() if picture is None else picture, self.clock()), cast(ThrowWatcher, watcher)
        )

    def throws(self, dice: tuple[int, ...], at: float = 20.0, *, sure: bool = True) -> None:
        """Dice roll and come to rest; booked where a game runs and they were read for sure."""
        reading = BoardReading(tuple(a_die(face, n) for n, face in enumerate(dice)))
        told: ThrowSeen | Unsure
        if sure:
            told = ThrowSeen(t=at + 1, dice=dice, settled_at=at + 0.6, reading=reading)
            self.table.saw_throw(dice, at=at + 0.6)
        else:
            told = Unsure(t=at + 1, why=("cocked",), dice=(*dice[:-1], None), settled_at=at + 0.6, reading=reading)
            self.table.saw_unsure(("cocked",), (*dice[:-1], None), at=at + 0.6)
        see, picture = self.last.see, a_board()
        see(Frame(picture, at), State.EMPTY, [], (1, 0))
        for n in range(5):
            see(Frame(picture, at + 0.1 + n / 10), State.ROLLING, [], (1, 0))
        see(Frame(picture, at + 1), State.READ, [Seen(told, ())], self.table.now.throw)


def octagon(size: float) -> tuple[tuple[float, float], ...]:
    return tuple((480 + float(x), 360 + float(y)) for x, y in regular_octagon(size))


def drawn_board() -> Board:
    return Board(*SIZE, octagon(500), octagon(620))


def a_board() -> Picture:
    """A felt in a wooden rim on a table, as plain as can be."""
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 90, 110), np.uint8)
    for size, colour in ((620, (40, 70, 120)), (500, (60, 110, 30))):
        cv2.fillPoly(picture, [np.round(np.array(octagon(size))).astype(np.int32)], colour)
    return picture


def a_die(face: int, n: int) -> DieReading:
    x, y = 380.0 + 60 * n, 340.0
    corners = ((x, y), (x + 28, y), (x + 28, y + 28), (x, y + 28))
    return DieReading(face, 0.994, face % 6 + 1, (x, y, x + 28, y + 28), corners, where=Where.INSIDE)
