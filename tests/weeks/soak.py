"""Weeks in some minutes: many frames and throws through the whole service, and what grows meanwhile.

    python -m tests.weeks.soak --frames 50000 --throws 3000
    python -m tests.weeks.soak --frames 50000 --real 20      # the demo and the real reader, 20 minutes at most

The frames are drawn as fast as the service takes them and a reader that knows what was drawn reads them; all behind it
(watcher, table, journal on the disk, page with listeners, lights, cutouts, kept throws) is what runs on a table. Games
go on through `next_game`. Memory, threads, open files and the journal's bytes are measured all along: exit status 1 if
one of them grows beyond its bound.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

from device.cutouts import Cutouts
from device.eye import EyeThread
from device.health import memory_mb
from device.journal import KeptJournal, SqliteJournal
from device.journal.file import MOST_BYTES
from device.last_resort import open_files
from device.last_throws import LastThrows
from device.lights import FakeLights
from device.service import Service
from device.table import Table
from device.web.app import Web
from device.web.server import WebServer, bound
from scorer.game import View
from tests.device.drawn_throws import EDGE, HEIGHT, WIDTH, Drawn, _read
from tests.waiting import waited
from tests.weeks.world import Felt, places
from vision.board import Board
from vision.board_file import read
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import BoardReading, Point
from vision.recording import Recording
from vision.watcher import Reads, ThrowWatcher

DEMO = Path(str(files("device"))) / "demo"
CYCLE, ROLL, LIES = 16, 5, 7  # pictures: from throw to throw, rolling, lying; 50 000 of them are 3 125 throws
MOVING_S, LYING_S = 0.067, 0.2  # from picture to picture: many while something moves, few while nothing does
WARM = 0.3  # the first part fills caches that have a bound, and is not looked at
MOST_SLOPE_MB = 4.0  # what memory may grow in the rest: noise of the allocator
LISTENERS = 3


@dataclass(frozen=True)
class Measured:
    """What is in use after so many frames; `journal` in bytes, with its log and its copy."""

    frames: int
    mb: float
    threads: int
    files: int
    journal: int


class Drawing:
    """Draws throw after throw, by the number of the picture; and knows what it drew."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._dice: tuple[int, ...] = ()
        self._places: tuple[Point, ...] = ()
        self._at = -1
        self.expected = 3

    def shown(self, index: int) -> tuple[Drawn, ...]:
        number, step = divmod(index, CYCLE)
        if number != self._at:
            self._at = number
            self._dice = tuple(self._random.randint(1, 6) for _ in range(self.expected))
            self._places = places(len(self._dice), self._random.random)
        if step >= ROLL + LIES:
            return ()
        away = max(0, ROLL - step) * 44.0
        return tuple(
            Drawn(face, (x + away * 0.4, y + away)) for face, (x, y) in zip(self._dice, self._places, strict=True)
        )

    @property
    def answer(self) -> dict[str, object] | None:
        """What whoever threw says when asked; None where nothing was drawn."""
        return {"do": "throw", "dice": list(self._dice)} if self._dice else None

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        return BoardReading(tuple(_read(die, board) for die in self.shown(frame.index)))


class Filmed:
    """A camera that is always there, as fast as it is asked."""

    name = "the soak"

    def __init__(self, pictures: Iterator[Frame]) -> None:
        self._pictures = pictures
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        for frame in self._pictures:
            if self._closed.is_set():
                return
            yield frame

    def close(self) -> None:
        self._closed.set()


class Soak:
    """One run of the service; `measured` is what was in use along the way."""

    def __init__(self, folder: Path, frames: int, seed: int, real_minutes: float = 0.0) -> None:
        self.frames, self.measured = frames, list[Measured]()
        self._folder = folder
        self.journal = KeptJournal(folder / "journal.db")
        self.table = Table(self.journal, wall=lambda: "2025-11-01T20:15:00+01:00")
        self._drawing, self._until = Drawing(seed), time.monotonic() + 60 * real_minutes
        self.games = self.doubts = self.listening = 0
        pictures, board = self._drawn(), Board.whole(WIDTH, HEIGHT, EDGE)
        reader: Reads = self._drawing
        if real_minutes:
            pictures, reader, board = self._played(), Reader(), read(DEMO / "board.toml")

        def watch(frame: Frame) -> ThrowWatcher:
            return ThrowWatcher(reader, board, expected=self.table.expected, lay=self.table.lay)

        cutouts, last = Cutouts(), LastThrows()
        self.eye = EyeThread(Filmed(pictures), watch, self.table, once=True, cutouts=cutouts, last_throws=last)
        self.server = WebServer(
            Web(self.table, self.journal, cutouts=cutouts, health=lambda: self.service.health(), last_throws=last),
            bound("127.0.0.1", 0),
        )
        self.service = Service(self.table, self.journal, eye=self.eye, lights=Forgetful(), server=self.server)

    def run(self) -> None:
        self._play()
        for _ in range(LISTENERS):
            threading.Thread(target=self._listen, daemon=True).start()
        self.service.run(until=self.eye.ended.is_set)

    # -- what is filmed

    def _drawn(self) -> Iterator[Frame]:
        waited(lambda: self.listening >= LISTENERS)  # who comes late is no growth
        felt, t = Felt(), 0.0
        for index in range(self.frames):
            t += LYING_S if ROLL < index % CYCLE < ROLL + LIES else MOVING_S
            self._drawing.expected = self.table.expected or 3
            yield Frame(felt.draw(self._drawing.shown(index), index), t, "soak", index)
            self._step(index)

    def _played(self) -> Iterator[Frame]:
        """The demo's recording over and over, until the time is up."""
        index, base = 0, 0.0
        while index < self.frames and time.monotonic() < self._until:
            last = 0.0
            for frame in Recording(DEMO):
                last = frame.t
                yield Frame(frame.picture, base + frame.t, "soak", index)
                self._step(index)
                index += 1
                if index >= self.frames or time.monotonic() > self._until:
                    break
            base += last + 1.0

    def _step(self, index: int) -> None:
        """Between two frames: stop, answer, begin the next game; and measure now and then."""
        if index % 8 == 7:
            self._play()
        if index % max(1, self.frames // 60) == 0:
            gc.collect()
            size = sum(path.stat().st_size for path in self._folder.iterdir())
            mb = memory_mb() or 0.0
            self.measured.append(Measured(index, mb, threading.active_count(), open_files() or 0, size))

    def _play(self) -> None:
        now = self.table.now
        if now.view.phase == "idle":
            names = [f"Speler {n}" for n in range(1, 5)]
            self.table.say({"do": "start", "game": "pietjesbak", "players": names, "opener": names[0]})
        elif now.view.phase == "over":
            self.games += 1
            self.table.say({"do": "next_game"})
        elif now.pending is not None:
            self.doubts += 1
            self.table.say(self._drawing.answer or {"do": "no_throw"})
        elif "stop" in now.session.legal:
            self.table.say({"do": "stop"})

    def _listen(self) -> None:
        """A page that stays open, and one that comes and goes."""
        url = f"http://127.0.0.1:{self.server.port}/api/v1/"
        while not self.eye.ended.is_set():
            try:
                with urllib.request.urlopen(url + "stream", timeout=60) as stream:
                    stream.readline()
                    self.listening += 1
                    for _ in range(400):
                        stream.readline()
                with urllib.request.urlopen(url + "health", timeout=60) as answer:
                    answer.read()
            except OSError:
                time.sleep(0.1)


class Forgetful(FakeLights):
    """The other fake remembers all that was shown, weeks of it."""

    def show(self, view: View | None, pattern: str, t: float) -> None: ...


def grown(measured: list[Measured]) -> dict[str, float]:
    """What each grew by over the measured part, along the straight line that fits best."""
    rest = measured[int(len(measured) * WARM) :]
    x = np.array([one.frames for one in rest], float)
    told = {}
    for name in ("mb", "threads", "files"):
        slope = np.polyfit(x, np.array([getattr(one, name) for one in rest], float), 1)[0]
        told[name] = round(float(slope * (x[-1] - x[0])), 2)
    return told


def main(told: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=50_000)
    parser.add_argument("--throws", type=int, default=3_000, help="so many throws at least, or it was no soak")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--real", type=float, default=0.0, metavar="MINUTES", help="the real reader, for so long at most"
    )
    args = parser.parse_args(told)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pietjesoog-soak-") as folder:
        soak = Soak(Path(folder), args.frames, args.seed, args.real)
        soak.run()
        stored = SqliteJournal(Path(folder) / "journal.db")
        throws = sum(row.body.get("do") == "throw" for row in stored.rows())
        stored.close()
    growth, last = grown(soak.measured), soak.measured[-1]
    summary = {
        "frames": soak.eye.frames,
        "throws": throws,
        "games": soak.games,
        "doubts": soak.doubts,
        "grown": growth,
        "at_the_end": asdict(last),
        "cpu_s": round(sum(os.times()[:2])),
        "took_s": round(time.monotonic() - began),
    }
    print(json.dumps(summary))
    wrong = [
        sentence
        for sentence, is_wrong in (
            ("memory grows", growth["mb"] > MOST_SLOPE_MB),
            ("threads grow", growth["threads"] > 1.0),
            ("open files grow", growth["files"] > 2.0),
            ("the journal is beyond its bound", last.journal > MOST_BYTES + 12 * 2**20),
            ("too few throws", not args.real and throws < args.throws),
        )
        if is_wrong
    ]
    print("; ".join(wrong) if wrong else "nothing grows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
