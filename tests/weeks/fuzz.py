"""Random input at every door: event lines, settings, recordings' notes, requests, bytes from the light board.

    python -m tests.weeks.fuzz --count 200000 --seed 1            # so many at each door
    python -m tests.weeks.fuzz --only requests --count 5000

Each is made of something that is right, put wrong a few times; some are noise altogether. Nothing may end in anything
but the answer or the error that its door has for it, nor take longer than a second, nor leave memory behind. The first
that does is printed whole, with its number; exit status 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import random
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from device.config import Config, load, printed
from device.errors import BadInput
from device.health import memory_mb
from device.journal import MemoryJournal
from device.lights.frames import Hello, Lines, Shown, line
from device.table import Table
from device.web.app import Web
from device.web.door import Door
from device.web.server import WebServer, bound
from scorer.errors import IllegalEvent
from scorer.session import Session
from scorer.wire import event_from_line
from vision.errors import VisionError
from vision.recording import read_notes

MOST_S = 1.0  # processor time for one
MOST_MB = 40.0  # what memory may grow by; what is kept has a bound
EVENTS = (
    {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob", "Zoë"], "opener": "Ann"},
    {"do": "start", "game": "azen", "players": ["Ann", "Bob"], "count": 3, "orderer": "Ann"},
    {"do": "start", "game": "pig", "players": ["Ann", "Bob"], "scores": {"Ann": 12}},
    {"do": "start", "game": "sachsenkniffel", "players": ["Ann", "Bob"], "crosses": {"Ann": {"7": 3}}},
    {"do": "start", "game": "bataclan", "players": ["Ann", "Bob"], "opener": "Ann"},
    {"do": "throw", "dice": [1, 4, 5]},
    {"do": "throw", "dice": [1, 4], "outside": 1, "at": 12.5},
    {"do": "throw", "dice": [6]},
    {"do": "throw", "dice": ["G", 2, 3], "kept": [4]},
    {"do": "stop", "by": "Ann"},
    {"do": "glass_empty", "at": 3.0},
    {"do": "settled", "at": 12.5},
    {"do": "choose", "number": 7},
    {"do": "place", "dice": ["G", 2]},
    {"do": "fallen", "dice": 3, "player": "Ann"},
    {"do": "undo"},
    {"do": "undo", "to": 1},
    {"do": "correct", "throw": 1, "dice": [1, 4, 6]},
    {"do": "correct", "throw": 2, "void": True},
    {"do": "correct", "throw": 1, "player": "Bob"},
    {"do": "insert", "after": 1, "dice": [2, 2, 3], "player": "Bob"},
    {"do": "next_game"},
    {"do": "end"},
    {"do": "pause"},
    {"do": "resume"},
    {"do": "leave", "player": "Bob"},
    {"do": "join", "player": "Cis"},
    {"do": "adjust", "player": "Ann", "strokes": 7},
    {"do": "no_throw"},
    {"do": "give_on"},
    {"do": "thrown_by", "player": "Ann"},
    {"do": "seat", "player": "Ann", "degrees": 90},
)
NOTES = {
    "fps": 30,
    "board": "whole",
    "dice": 3,
    "game": "pietjesbak",
    "players": ["Ann", "Bob"],
    "opener": "Ann",
    "options": {"strokes": 9},
    "marks": [{"t": 3.2, "do": "stop"}, {"t": 0, "do": "start", "game": "pig", "players": ["Ann", "Bob"]}],
}
ODD: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 7, 2**31, -(2**63), 10**40, 0.5, 1e308, -0.0, float("nan"), float("inf"), "", "Ann",
    "\x00", "\ud800", "é" * 300, "a\nb", "../../etc/passwd", "{{7*7}}", "<script>", [], {}, [[]], [1, 4, 5], {"Ann": 9},
    "9" * 5000, [None] * 50, {"": ""},
)  # fmt: skip
PATHS = ("/", "/play", "/rules", "/device", "/api/v1/state", "/api/v1/events", "/api/v1/history", "/api/v1/health",
         "/static/../../x", "/dice/1-0", "/new", "/evenings", "/%00", "/" + "a" * 9000)  # fmt: skip


class Wrong(Exception):
    """Something came out that no door has for it."""


def bent(told: object, rng: random.Random, depth: int = 0) -> object:
    """`told` with something in it put wrong, somewhere."""
    if rng.random() < 0.15 or depth > 6:
        return rng.choice(ODD)
    if isinstance(told, dict) and told:
        key = rng.choice(list(told))
        match rng.randrange(5):
            case 0:
                return {k: v for k, v in told.items() if k != key}
            case 1:
                return {**told, str(rng.choice(ODD))[:40]: rng.choice(ODD)}
            case _:
                return {**told, key: bent(told[key], rng, depth + 1)}
    if isinstance(told, list) and told:
        place = rng.randrange(len(told))
        if rng.random() < 0.3:
            return told * rng.choice((0, 2, 40))
        return [*told[:place], bent(told[place], rng, depth + 1), *told[place + 1 :]]
    return rng.choice(ODD)


def scratched(raw: bytes, rng: random.Random) -> bytes:
    """These bytes with some of them changed, left out or doubled."""
    told = bytearray(raw)
    for _ in range(rng.choice((0, 1, 1, 2, 8))):
        at = rng.randrange(len(told) + 1)
        match rng.randrange(4):
            case 0:
                told[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del told[at : at + rng.choice((1, 1, 3, 40))]
            case 2:
                told[at:at] = rng.randbytes(rng.choice((1, 2, 9)))
            case _:
                told[at:at] = told[at : at + rng.choice((1, 5, 60))]
    return bytes(told)


def as_json(told: object, rng: random.Random) -> bytes:
    raw = json.dumps(told, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() < 0.02:
        raw = b"[" * rng.choice((10, 100_000))
    return raw


Door_ = Callable[[random.Random], tuple[bytes, Callable[[], None]]]


@contextmanager
def events() -> Iterator[Door_]:
    """Lines of `pietjesoog score`, and the same said to a table."""
    session, table = [Session()], [Table(MemoryJournal())]

    def one(rng: random.Random) -> tuple[bytes, Callable[[], None]]:
        event = rng.choice(EVENTS) if rng.random() < 0.5 else bent(rng.choice(EVENTS), rng)
        raw = as_json(event, rng)
        raw = scratched(raw, rng) if rng.random() < 0.3 else raw

        def tried() -> None:
            line = raw.decode("utf-8", "replace")
            with suppress(IllegalEvent):
                session[0] = session[0].apply(event_from_line(line))
                json.dumps(session[0].state)
            if rng.random() < 0.01:
                session[0], table[0] = Session(), Table(MemoryJournal())
            with suppress(ValueError, RecursionError):
                told = json.loads(line)
                if isinstance(told, dict):
                    with suppress(IllegalEvent):
                        table[0].say(told)
                    json.dumps(table[0].now.to_json())

        return raw, tried

    yield one


@contextmanager
def settings() -> Iterator[Door_]:
    """Files for `pietjesoog run --config`."""
    lines = [line for line in printed(Config()).splitlines() if line and not line.startswith("#")]
    with tempfile.TemporaryDirectory(prefix="pietjesoog-fuzz-", dir=_in_memory()) as folder:
        file = Path(folder) / "p.toml"

        def one(rng: random.Random) -> tuple[bytes, Callable[[], None]]:
            some = [line for line in lines if line.startswith("[") or rng.random() < 0.2]
            if rng.random() < 0.7 and some:
                at = rng.randrange(len(some))
                key = some[at].partition("=")[0]
                odd = rng.choice(ODD)
                some[at] = f"{key}= {json.dumps(odd) if not isinstance(odd, float) else odd}"
            raw = "\n".join(some).encode("utf-8", "surrogatepass")
            raw = scratched(raw, rng) if rng.random() < 0.5 else raw

            def tried() -> None:
                file.write_bytes(raw)
                with suppress(BadInput):
                    printed(load(file))

            return raw, tried

        yield one


@contextmanager
def notes() -> Iterator[Door_]:
    """``recording.json``, as somebody else wrote it."""
    with tempfile.TemporaryDirectory(prefix="pietjesoog-fuzz-", dir=_in_memory()) as folder:
        file = Path(folder) / "recording.json"

        def one(rng: random.Random) -> tuple[bytes, Callable[[], None]]:
            raw = as_json(bent(NOTES, rng), rng)
            raw = scratched(raw, rng) if rng.random() < 0.3 else raw

            def tried() -> None:
                file.write_bytes(raw)
                with suppress(VisionError):
                    read_notes(file)

            return raw, tried

        yield one


@contextmanager
def serial() -> Iterator[Door_]:
    """What comes up the light board's cable."""
    lines = [Lines()]

    def one(rng: random.Random) -> tuple[bytes, Callable[[], None]]:
        word = rng.choice(("HELLO", "SHOWN", "KEY", "TAKEN", "WHAT"))
        raw = line(rng.randrange(65536), word, rng.randbytes(rng.choice((0, 1, 4, 8, 40))))
        raw = scratched(raw, rng) if rng.random() < 0.7 else raw
        raw = rng.randbytes(rng.choice((1, 60, 5000))) if rng.random() < 0.05 else raw

        def tried() -> None:
            for got in lines[0].feed(raw):
                Hello.of(got.body)
                Shown.of(got.body)
            if len(lines[0]._rest) > 100_000:
                raise Wrong("the bytes of a line without an end are kept")

        return raw, tried

    yield one


@contextmanager
def requests() -> Iterator[Door_]:
    """Requests to the running page, right and wrong, over one connection after another."""
    table, door = Table(MemoryJournal()), Door()
    server = WebServer(Web(table, MemoryJournal(), door=door), bound("127.0.0.1", 0))
    server.start()
    kept: list[socket.socket | None] = [None]

    def one(rng: random.Random) -> tuple[bytes, Callable[[], None]]:
        body = as_json(bent({**rng.choice(EVENTS), "seq": table.now.seq}, rng), rng)
        method = rng.choice(("GET", "GET", "POST", "POST", "PUT", "HEAD", "DELETE", "\x00"))
        kind = rng.choice(("application/json", "application/x-www-form-urlencoded", "text/plain", ""))
        head = f"{method} {rng.choice(PATHS)}?after={rng.choice((0, -1, 10**30, 'x'))} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\nAuthorization: Bearer {door.code}\r\n\r\n"
        raw = head.encode("latin-1") + body
        raw = scratched(raw, rng) if rng.random() < 0.4 else raw

        def tried() -> None:
            answer = _answered(server.port, kept, raw)
            if b" 500 " in answer[:40]:
                raise Wrong(answer[:400].decode("latin-1"))
            if not server.alive:
                raise Wrong("the page is gone")

        return raw, tried

    try:
        yield one
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as last:
            last.sendall(b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            if b" 200 " not in last.recv(200):
                raise Wrong("after all that the page answers no more")
    finally:
        server.stop()


def _answered(port: int, kept: list[socket.socket | None], raw: bytes) -> bytes:
    """What comes back at first, nothing where the other side waits for more or hangs up."""
    connection = kept[0]
    try:
        if connection is None:
            connection = socket.create_connection(("127.0.0.1", port), timeout=10)
        connection.settimeout(10)
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        told = b""
        while got := connection.recv(65536):
            told = told or got
        return told
    except OSError:
        return b""
    finally:
        kept[0] = None
        if connection is not None:
            connection.close()


def _in_memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


DOORS = {"events": events, "settings": settings, "notes": notes, "serial": serial, "requests": requests}


def knock(name: str, count: int, seed: int) -> dict[str, object]:
    """So many at one door; raises `Wrong`, or whatever came out."""
    stumbled: list[str] = []
    before_hook, threading.excepthook = threading.excepthook, lambda told: stumbled.append(repr(told.exc_value))
    rng, slowest, start_mb, began = random.Random(seed), 0.0, 0.0, time.monotonic()
    try:
        with DOORS[name]() as one:
            for n in range(count):
                if n == min(count // 10, 5000):
                    gc.collect()
                    start_mb = memory_mb() or 0.0
                raw, tried = one(rng)
                at = time.process_time()
                faulthandler.dump_traceback_later(20)  # says where it hangs
                try:
                    tried()
                except Exception as fault:
                    shown = raw if len(raw) < 2000 else raw[:2000] + b"..."
                    raise Wrong(f"{name} {n}: {type(fault).__name__}: {fault}\n{shown!r}") from fault
                finally:
                    faulthandler.cancel_dump_traceback_later()
                slowest = max(slowest, took := time.process_time() - at)
                if took > MOST_S or stumbled:
                    raise Wrong(f"{name} {n}: took {took:.1f} s, {stumbled}\n{raw[:2000]!r}")
            gc.collect()
            grown = (memory_mb() or 0.0) - start_mb
    finally:
        threading.excepthook = before_hook
    if grown > MOST_MB:
        raise Wrong(f"{name}: {grown:.0f} MB are left behind")
    return {
        "door": name,
        "count": count,
        "slowest_ms": round(1000 * slowest, 1),
        "grown_mb": round(grown, 1),
        "took_s": round(time.monotonic() - began),
    }


def main(told: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=tuple(DOORS), default=None)
    args = parser.parse_args(told)
    for name in DOORS if args.only is None else (args.only,):
        try:
            print(json.dumps(knock(name, args.count, args.seed)), flush=True)
        except Wrong as wrong:
            print(wrong)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
