"""Dice on a board that lie there while the service is killed: drawn pictures by one clock, for all processes."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2

from tests.device.drawn_throws import EDGE, HEIGHT, WIDTH, Drawn, _read, draw
from vision.board import Board
from vision.frame import Frame, Picture
from vision.reading import BoardReading, Point

ROLL_S = 0.4
FPS = 15.0
_MARGIN = 45


@dataclass(frozen=True)
class Act:
    """Dice that come to rest at `at` on the monotonic clock and lie there until `until`."""

    at: float
    dice: tuple[int, ...]
    places: tuple[Point, ...]
    until: float = float("inf")


def now() -> float:
    """The world's clock in seconds: the monotonic one, as many times slower as `SLOW` in the environment says.

    A machine that does much else films too few pictures a second, and an eye that blinks for a second is blind.
    """
    return time.monotonic() / float(os.environ.get("SLOW", "1"))


class Felt:
    """Draws dice on a bare board that was drawn before, with the noise of a few pictures: cheap, for weeks of it."""

    def __init__(self) -> None:
        self._bare = [draw((), n) for n in range(8)]

    def draw(self, dice: Sequence[Drawn], index: int) -> Picture:
        picture = self._bare[index % len(self._bare)].copy()
        half = EDGE // 2
        for die in dice:
            x, y = (round(value) for value in die.center)
            cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), (235, 240, 240), -1)
            for n in range(die.face):
                cv2.circle(picture, (x - 8 + 8 * (n % 3), y - 6 + 12 * (n // 3)), 3, (20, 20, 20), -1)
        return picture


class World:
    """What lies on the board, kept in a file: whoever plays writes it, whoever films reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._act: Act | None = None
        self._stamp: tuple[int, int] | None = None

    def put(self, act: Act | None) -> None:
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.write_text(json.dumps(None if act is None else asdict(act)))
        os.replace(fresh, self.path)

    @property
    def act(self) -> Act | None:
        try:
            file = os.stat(self.path)
        except OSError:
            return None
        stamp = (file.st_mtime_ns, file.st_ino)  # two may be written within one tick of the file system's clock
        if stamp != self._stamp:
            told = json.loads(self.path.read_text())
            self._stamp = stamp
            self._act = told and Act(
                told["at"], tuple(told["dice"]), tuple((x, y) for x, y in told["places"]), told["until"]
            )
        return self._act

    def shown(self, t: float) -> tuple[Drawn, ...]:
        """What is in the picture at `t`: dice that roll in from below, lie, and are gone."""
        act = self.act
        if act is None or not act.at - ROLL_S <= t < act.until:
            return ()
        away = max(0.0, (act.at - t) / ROLL_S) * 220
        return tuple(Drawn(face, (x + away * 0.4, y + away)) for face, (x, y) in zip(act.dice, act.places, strict=True))


def places(count: int, random: Callable[[], float]) -> tuple[Point, ...]:
    """So many places apart from each other; `random` gives 0 to 1."""
    found: list[Point] = []
    while len(found) < count:
        x = _MARGIN + random() * (WIDTH - 2 * _MARGIN)
        y = _MARGIN + random() * (HEIGHT - 2 * _MARGIN)
        if all(abs(x - a) + abs(y - b) > 60 for a, b in found):
            found.append((round(x, 1), round(y, 1)))
    return tuple(found)


class WorldCamera:
    """Films the world at `FPS`, as it is now."""

    def __init__(self, world: World) -> None:
        self.name = "the world"
        self._world = world
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        index, felt = 0, Felt()
        while not self._closed.wait(float(os.environ.get("SLOW", "1")) / FPS):
            t = now()
            yield Frame(felt.draw(self._world.shown(t), index), t, self.name, index)
            index += 1

    def close(self) -> None:
        self._closed.set()


class WorldReader:
    """Reads what is in the world at the time of the frame."""

    def __init__(self, world: World) -> None:
        self._world = world

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        return BoardReading(tuple(_read(die, board) for die in self._world.shown(frame.t)))
