"""A filmed game while one thing after another fails: the same strokes as without, and each fault named in time.

    python -m tests.weeks.faults --seed 1

The whole service in this process, its camera in one of its own, the page asked over HTTP. Real: a camera that hangs,
repeats itself, is unplugged; a disk that is full (as root); serial garbage between true lines; 200 requests a second;
20 clients that take nothing. Pretended where SQLite would meet it: a disk that is read-only, or takes 5 s for each
write; and the wall's clock. While the camera fails somebody types the throw, as at a table. Exit status 1 if the
strokes differ or a fault was not told on ``/api/v1/health`` within `NAMED_S`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from device.cameras.apart import ApartCamera
from device.eye import EyeThread
from device.journal import JournalError, KeptJournal, Row, SqliteJournal
from device.lights.board import BoardLamps
from device.lights.board_link import BoardLink
from device.lights.chain import Chain
from device.lights.driven import DrivenLights
from device.lights.fake_board import FakeBoard
from device.lights.scene import Shape
from device.service import Service, wall
from device.table import Table
from device.web.app import Web
from device.web.server import WebServer, bound
from scorer.events import Start, Stop, Throw
from scorer.session import Session
from tests.device.drawn_throws import EDGE, HEIGHT, WIDTH
from tests.weeks.world import Act, World, WorldReader, now, places
from vision.board import Board
from vision.frame import Frame
from vision.watcher import ThrowWatcher

NAMED_S = 10.0
PATIENCE_S = 90.0  # on a machine that does much else
START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob", "Zoë"], "opener": "Ann"}
FLOOD_HZ, SLOW_CLIENTS, SLOW_DISK_S = 200, 20, 5.0
Health = dict[str, Any]


class Wrong(Exception):
    """The strokes differ, or a fault was not named."""


@dataclass(frozen=True)
class Fault:
    """`broken` breaks it while its context lasts; `named` says whether a health tells of it."""

    name: str
    broken: Callable[[], contextlib.AbstractContextManager[None]]
    named: Callable[[Health], bool]
    blind: bool = False  # nobody films meanwhile
    by_playing: bool = False  # it can only be noticed once something is played


class Rig:
    """The service, and everything that can be broken about it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.disk, self._fault = folder / "disk", folder / "fault"
        self.disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(self.disk)]
        self.has_disk = os.geteuid() == 0 and subprocess.run(mount, check=False).returncode == 0
        self.world, self.board = World(folder / "world.json"), FakeBoard(pixels=36)
        self.world.put(None)
        self.journal = KeptJournal(self.disk / "journal.db")
        self.table = Table(self.journal, wall=wall, clock=now)
        whole = Board.whole(WIDTH, HEIGHT, EDGE)

        def watch(frame: Frame) -> ThrowWatcher:
            return ThrowWatcher(WorldReader(self.world), whole, expected=self.table.expected, lay=self.table.lay)

        options = {"world": str(self.world.path), "fault": str(self._fault)}
        camera = ApartCamera("the camera", "tests.weeks.filming:WorldDriver", options, settle_s=0.0)
        link = BoardLink(self.board.port, open_port=self.board.open_port)
        lights = DrivenLights(Shape(3, 12), lambda: BoardLamps(link, Chain(), pixels=36))
        self.server = WebServer(
            Web(self.table, self.journal, health=lambda: self.service.health()), bound("127.0.0.1", 0)
        )
        eye = EyeThread(camera, watch, self.table, restart_s=0.5)
        self.service = Service(self.table, self.journal, eye=eye, lights=lights, server=self.server)
        self._thread = threading.Thread(target=self.service.run, name="the service")
        self._thread.start()

    @property
    def faults(self) -> list[Fault]:
        def camera(*keys: str) -> Callable[[Health], bool]:
            return lambda told: told["camera"]["state"] == "lost" and told["camera"]["trouble"] in keys

        def disk(told: Health) -> bool:
            return told["storage"]["ok"] is False

        def trouble(part: str, key: str) -> Callable[[Health], bool]:
            return lambda told: (told[part] or {}).get("trouble") == key

        return [
            Fault("camera hangs", lambda: self._camera("hang"), camera("silent", "stuck"), blind=True),
            Fault("camera repeats itself", lambda: self._camera("repeat"), camera("frozen"), blind=True),
            Fault("camera unplugged", lambda: self._camera("unplug"), camera("absent"), blind=True),
            Fault("disk full", self._full if self.has_disk else self._refusing, disk, by_playing=True),
            Fault("disk read-only", self._refusing, disk, by_playing=True),
            Fault("disk slow by 5 s", self._slow, disk, by_playing=True),
            Fault("serial garbage", self._garbage, trouble("lights", "lights_garbled")),
            Fault("clock jumps", self._jumps, trouble("clock", "clock_jumped")),
            Fault("page flooded", self._flood, trouble("page", "page_flooded")),
            Fault("slow clients", self._slow_clients, trouble("page", "page_slow")),
        ]

    def health(self) -> Health:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/api/v1/health", timeout=30) as answer:
            told: Health = json.load(answer)
        return told

    def end(self) -> None:
        self.service.stop()
        self._thread.join(PATIENCE_S)
        if self.has_disk:
            subprocess.run(["umount", "-l", self.disk], check=False)

    # -- what breaks

    @contextmanager
    def _camera(self, word: str) -> Iterator[None]:
        self._fault.write_text(word)
        yield
        self._fault.write_text("")

    @contextmanager
    def _full(self) -> Iterator[None]:
        filler = self.disk / "in the way"
        with filler.open("wb", buffering=0) as filled, contextlib.suppress(OSError):
            while True:
                filled.write(bytes(4096))
        yield
        filler.unlink()

    @contextmanager
    def _patched(self, append: Callable[[SqliteJournal, Sequence[Row]], None]) -> Iterator[None]:
        was = SqliteJournal.append
        setattr(SqliteJournal, "append", append)  # noqa: B010  # what the disk would do
        yield
        setattr(SqliteJournal, "append", was)  # noqa: B010

    def _refusing(self) -> contextlib.AbstractContextManager[None]:
        def append(journal: SqliteJournal, rows: Sequence[Row]) -> None:
            raise JournalError(f"the journal {journal.path} cannot be written: attempt to write a readonly database")

        return self._patched(append)

    def _slow(self) -> contextlib.AbstractContextManager[None]:
        was = SqliteJournal.append

        def append(journal: SqliteJournal, rows: Sequence[Row]) -> None:
            time.sleep(SLOW_DISK_S)
            was(journal, rows)

        return self._patched(append)

    @contextmanager
    def _jumps(self) -> Iterator[None]:
        watch = self.service._clock_watch
        was = watch._wall
        watch._wall = lambda: was() + 20 * 365 * 86400.0
        yield
        watch._wall = lambda: was() - 30 * 365 * 86400.0

    @contextmanager
    def _meanwhile(self, round_: Callable[[], None], every_s: float) -> Iterator[None]:
        ended = threading.Event()

        def go() -> None:
            while not ended.wait(every_s):
                with contextlib.suppress(OSError):
                    round_()

        thread = threading.Thread(target=go, daemon=True)
        thread.start()
        yield
        ended.set()
        thread.join(5)

    def _garbage(self) -> contextlib.AbstractContextManager[None]:
        return self._meanwhile(lambda: self.board.garbage(self.random.randbytes(40) + b"\n$zz,SHOWN\n"), 0.1)

    @contextmanager
    def _flood(self) -> Iterator[None]:
        """As many requests as if they came from another machine; what is answered is thrown away."""
        ask = b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 10.0.0.9\r\n\r\n"
        with socket.create_connection(("127.0.0.1", self.server.port)) as asking:
            asking.setblocking(False)

            def some() -> None:
                with contextlib.suppress(BlockingIOError):
                    while asking.recv(1 << 16):
                        continue
                asking.sendall(ask * (FLOOD_HZ // 10))

            with self._meanwhile(some, 0.1):
                yield

    @contextmanager
    def _slow_clients(self) -> Iterator[None]:
        clients = []
        for _ in range(SLOW_CLIENTS):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            client.connect(("127.0.0.1", self.server.port))
            client.sendall(b"GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            clients.append(client)
        yield
        for client in clients:
            client.close()


def by_the_rules(thrown: Sequence[tuple[int, ...]]) -> Session:
    """What the scorer alone makes of the game: whoever may stop after a throw does."""
    session = Session().apply(Start(game="pietjesbak", players=("Ann", "Bob", "Zoë"), opener="Ann"))
    for dice in thrown:
        session = session.apply(Throw(dice=dice))
        if "stop" in session.legal:
            session = session.apply(Stop())
    return session


def until(ready: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> float:
    """Seconds until it was so; raises `Wrong`."""
    began = time.monotonic()
    while not ready():
        if time.monotonic() - began > seconds:
            raise Wrong(f"{what} after {seconds:.0f} s")
        time.sleep(0.1)
    return time.monotonic() - began


def is_named(rig: Rig, fault: Fault) -> bool:
    return fault.named(rig.health())


def is_mended(rig: Rig, fault: Fault) -> bool:
    return not fault.named(rig.health())


def has_booked(rig: Rig, throws: int) -> bool:
    """So many throws, and whoever may stop has."""
    return len(_booked(rig)) == throws and "stop" not in rig.table.now.session.legal


def play_one(rig: Rig, dice: tuple[int, ...], *, blind: bool) -> None:
    """One throw and a stop, as people play it; unsure ones are answered, unseen ones typed."""
    table, before = rig.table, rig.table.now.view.throws
    if rig.world.act is not None:
        rig.world.put(None)
        time.sleep(0.6)
    if blind:
        table.say({"do": "throw", "dice": list(dice)})
    else:
        rig.world.put(Act(now() + 0.6, dice, places(len(dice), rig.random.random)))

    def booked() -> bool:
        if table.now.pending is not None:
            table.say({"do": "throw", "dice": list(dice)})
        return table.now.view.throws > before

    until(booked, f"the throw {dice} was not booked")
    if "stop" in table.now.session.legal:
        table.say({"do": "stop"})


def main(told: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="faults whose name holds this")
    parser.add_argument("--within", type=float, default=NAMED_S, help="seconds in which each fault has to be named")
    args = parser.parse_args(told)
    thrown, named = list[tuple[int, ...]](), dict[str, float]()
    with tempfile.TemporaryDirectory(prefix="pietjesoog-faults-") as folder:
        rig = Rig(Path(folder), args.seed)
        try:
            until(lambda: rig.table.now.eye.value == "waiting", "no picture of the board")
            rig.table.say(START)
            for fault in (one for one in rig.faults if args.only in one.name):
                for broken in (True, False):
                    dice = tuple(rig.random.randint(1, 6) for _ in range(rig.table.expected or 3))
                    thrown.append(tuple(sorted(dice)))
                    if not broken:
                        if fault.name != "clock jumps":  # that one is told for a while
                            until(partial(is_mended, rig, fault), f"{fault.name} stays")
                        if fault.blind:
                            until(lambda: rig.table.now.eye.value != "lost", "the camera does not come back")
                        play_one(rig, dice, blind=False)
                        continue
                    with fault.broken():
                        if fault.by_playing:
                            threading.Thread(target=play_one, args=(rig, dice), kwargs={"blind": False}).start()
                        took = until(partial(is_named, rig, fault), f"{fault.name} is not named", args.within)
                        named[fault.name] = round(took, 1)
                        if fault.by_playing:
                            until(partial(has_booked, rig, len(thrown)), "the throw is lost")
                        else:
                            play_one(rig, dice, blind=fault.blind)
                    print(f"{fault.name}: named after {named[fault.name]} s", flush=True)
            expected = by_the_rules(_booked(rig))
            if [tuple(sorted(one)) for one in _booked(rig)] != thrown:
                raise Wrong(f"thrown {thrown}, booked {_booked(rig)}")
            if expected.state["players"] != rig.table.now.session.state["players"]:
                raise Wrong(f"shown {rig.table.now.session.state}, by the rules {expected.state}")
            until(lambda: rig.journal.fault is None, "storage does not heal")
            rig.service.stop()
            rig._thread.join(PATIENCE_S)
            again = KeptJournal(rig.disk / "journal.db")
            if Table(again).now.session.state != rig.table.now.session.state:
                raise Wrong("after a restart it is another game")
            again.close()
        except Wrong as wrong:
            print(wrong)
            return 1
        finally:
            rig.end()
    strokes = {one["name"]: one["strokes"] for one in expected.state["players"]}  # type: ignore[attr-defined]
    print(json.dumps({"named_s": named, "throws": len(thrown), "strokes": strokes}))
    return 0


def _booked(rig: Rig) -> list[tuple[int, ...]]:
    return [tuple(int(d) for d in event.dice) for event in rig.table.now.session.events if isinstance(event, Throw)]


if __name__ == "__main__":
    sys.exit(main())
