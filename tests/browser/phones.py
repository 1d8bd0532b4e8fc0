"""Many phones on one game, measured: `python tests/browser/phones.py [--phones 60] [--events 40]`.

Starts `pietjesoog run` without a camera, lets every phone follow the stream and fetch its page after each event as the
script of the page does, and prints how long the last phone waited, and what the server needs: memory, and for each
event time of a processor (`server_ms`), which other work on the machine changes least.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


class Server:
    """One `pietjesoog run` on a free port."""

    def __init__(self, folder: Path) -> None:
        config = folder / "p.toml"
        config.write_text(f'[camera]\nkind = "none"\n[journal]\nfile = "{folder / "journal.db"}"\n')
        command = [
            sys.executable,
            "-m",
            "device.cli",
            "run",
            "--config",
            str(config),
            "--host",
            "127.0.0.1",
            "--port",
            "0",
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        self.port = int(told.split()[1].rstrip("/").rpartition(":")[2])
        self.code = told.partition("code=")[2][:6]

    def worked_s(self) -> float:
        """Seconds of a processor that it took so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def ask(self, path: str, body: object = None, cookie: str = "") -> tuple[str, bytes]:
        """The head and the body of an answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        sent = b"" if body is None else json.dumps(body).encode()
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\n"
        head += f"Host: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
        head += f"Cookie: pietjesoog={cookie}\r\n" if cookie else ""
        head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n" if sent else ""
        writer.write(head.encode() + b"\r\n" + sent)
        told = await reader.read()
        writer.close()
        top, _, rest = told.partition(b"\r\n\r\n")
        return top.decode(), rest

    async def event(self, told: Mapping[str, object], seq: int) -> int:
        _, body = await self.ask("/api/v1/events", {**told, "seq": seq, "code": self.code})
        return int(json.loads(body)["seq"])


class Phone:
    """Follows the stream; `heard` and `shown` are when each number arrived and when its page did."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.heard: dict[int, float] = {}
        self.shown: dict[int, float] = {}

    async def follow(self, ready: asyncio.Event) -> None:
        head, _ = await self._server.ask(f"/play?code={self._server.code}")
        cookie = head.partition("pietjesoog=")[2].partition(";")[0]
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        writer.write(f"GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:{self._server.port}\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b"retry"):
                ready.set()
            if line.startswith(b"id: "):
                seq = int(line[4:])
                self.heard[seq] = time.perf_counter()
                await self._server.ask("/play?part=play", cookie=cookie)
                self.shown[seq] = time.perf_counter()


async def measured(server: Server, count: int, events: int) -> dict[str, object]:
    """Seconds until the last phone heard and showed each event."""
    seq = await server.event(START, 0)
    phones, ready = [Phone(server) for _ in range(count)], [asyncio.Event() for _ in range(count)]
    tasks = [asyncio.create_task(phone.follow(one)) for phone, one in zip(phones, ready, strict=True)]
    await asyncio.gather(*(one.wait() for one in ready))
    heard, shown, worked = [], [], server.worked_s()
    for n in range(events):
        sent = time.perf_counter()
        seq = await server.event({"do": "undo"} if n % 2 else {"do": "throw", "dice": [1, 4, 5]}, seq)
        while not all(seq in phone.shown for phone in phones):
            await asyncio.sleep(0.005)
        heard.append(max(phone.heard[seq] for phone in phones) - sent)
        shown.append(max(phone.shown[seq] for phone in phones) - sent)
        await asyncio.sleep(0.2)
    worked = server.worked_s() - worked
    _, body = await server.ask("/api/v1/health")
    for task in tasks:
        task.cancel()
    return {
        "phones": count,
        "events": events,
        "heard_ms": _told(heard),
        "page_ms": _told(shown),
        "server_ms": round(1000 * worked / events, 1),
        "memory_mb": json.loads(body)["machine"]["peak_memory_mb"],
    }


def _told(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        "median": round(1000 * ordered[len(ordered) // 2], 1),
        "p95": round(1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1),
        "worst": round(1000 * ordered[-1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=60)
    parser.add_argument("--events", type=int, default=40)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            print(json.dumps(asyncio.run(measured(server, args.phones, args.events))))
        finally:
            server.process.terminate()
            server.process.wait(10)


if __name__ == "__main__":
    main()
