"""Joins camera, table, journal, lights, page and terminal, and keeps them going."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from types import FrameType

from device.eye import EyeThread
from device.health import machine
from device.journal import KeptJournal
from device.lights import Lights
from device.notify import notify
from device.parts import Part, health_of
from device.snapshot import Eye, Snapshot
from device.table import Table
from device.terminal import Terminal
from device.web.server import WebServer
from scorer.session import RULES_VERSION

LOG = logging.getLogger("pietjesoog")
TICK_S = 0.05  # the lights move twenty times a second
RETRY_S = 5.0  # how often storing is tried again
STALLED_S = 20.0  # an eye that does nothing for so long is stuck; the watchdog then restarts all
BEAT_S = 3.0
PATIENCE_S = 2.0  # ending takes less


def wall() -> str:
    """The time of day, for people to read."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


class Outputs:
    """Lights and terminal, fed from the main thread; what comes faster than they show is left out, the latest never."""

    def __init__(self, table: Table, lights: Lights | None, terminal: Terminal | None) -> None:
        self._lights, self._terminal = lights, terminal
        self._lock = threading.Lock()
        self._waiting: dict[int, Snapshot] = {}
        self._lit: tuple[object, str] | None = None
        table.listen(self._take)
        self._take(table.now)

    def tick(self, t: float) -> None:
        with self._lock:
            fresh, self._waiting = list(self._waiting.values()), {}
        for now in fresh:
            if self._terminal is not None:
                try:
                    self._terminal.show(now)
                except Exception:  # scoring and the page go on without it
                    LOG.exception("the terminal stumbled and is left alone from now on")
                    self._terminal = None
        if self._lights is None:
            return
        if fresh:
            last = fresh[-1]
            if self._lit is None or self._lit[0] is not last.view or self._lit[1] != last.lights:
                self._lit = (last.view, last.lights)
                self._lights.show(last.view, last.lights, t)
        self._lights.tick(t)

    def close(self) -> None:
        if self._lights is not None:
            self._lights.close()

    def _take(self, now: Snapshot) -> None:
        """The latest of each sequence number; the oldest go first when nobody fetches them."""
        with self._lock:
            self._waiting.pop(now.seq, None)
            self._waiting[now.seq] = now
            while len(self._waiting) > 64:
                self._waiting.pop(next(iter(self._waiting)))


class Service:
    """Runs until `stop` is called or a signal comes; everything given to it is closed by it."""

    def __init__(
        self,
        table: Table,
        journal: KeptJournal,
        *,
        eye: EyeThread | None = None,
        lights: Lights | None = None,
        terminal: Terminal | None = None,
        server: WebServer | None = None,
        parts: Mapping[str, Part] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table = table
        self._journal, self._eye, self._lights, self._server = journal, eye, lights, server
        self._outputs = Outputs(table, lights, terminal)
        self._parts = dict(parts or {})
        self._clock = clock
        self._stop = threading.Event()
        self._begun = clock()

    def stop(self) -> None:
        self._stop.set()

    def show(self) -> None:
        """Bring lights and terminal up to date; from the thread that runs."""
        self._outputs.tick(self._clock())

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Turn until stopped or `until` says so, then close everything; takes less than two seconds to end."""
        if self._server is not None:
            self._server.start()
        for part in self._parts.values():
            part.start()
        if self._eye is not None:
            self._eye.start()
        else:
            self.table.look(Eye.NONE)
        notify("READY=1")
        beaten = retried = self._clock()
        try:
            while not self._stop.is_set() and not until():
                now = self._clock()
                self._outputs.tick(now)
                if now - retried >= RETRY_S:
                    retried = now
                    self._retry()
                if now - beaten >= BEAT_S and self.healthy:
                    beaten = now
                    notify("WATCHDOG=1")
                self._stop.wait(TICK_S)
            self._outputs.tick(self._clock())
        finally:
            self.close()

    def close(self) -> None:
        notify("STOPPING=1")
        if self._eye is not None:
            self._eye.stop(wait_s=0.5)
        if self._server is not None:
            self._server.stop()
        for part in self._parts.values():
            part.close()
        self._outputs.close()
        self._journal.close()

    @property
    def healthy(self) -> bool:
        """Whether what should turn still turns; a lost camera is told, no reason to restart."""
        if self._server is not None and not self._server.alive:
            return False
        return self._eye is None or self._eye.ended.is_set() or self._clock() - self._eye.progress < STALLED_S

    def health(self) -> Mapping[str, object]:
        """What ``/api/v1/health`` tells."""
        now = self.table.now
        eye = self._eye
        return {
            "ok": self.healthy and now.fault is None and now.eye not in (Eye.LOST, Eye.BOARD_MOVED),
            "uptime_s": round(self._clock() - self._begun, 1),
            "rules": RULES_VERSION,
            "camera": {
                "state": now.eye.value,
                "trouble": now.trouble,
                "frames": 0 if eye is None else eye.frames,
                "restarts": 0 if eye is None else eye.restarts,
            },
            "storage": {
                "ok": now.fault is None,
                "message": now.fault,
                "set_aside": None if self._journal.set_aside is None else self._journal.set_aside.name,
                "resumed": self.table.trouble_on_start,
            },
            "lights": None if self._lights is None else _told(self._lights),
            **health_of(self._parts),
            "machine": machine(),
        }

    def _retry(self) -> None:
        if self._journal.fault is not None and self._journal.retry():
            self.table.refresh()


def _told(lights: Lights) -> Mapping[str, object]:
    return {"ok": lights.fault is None, "message": lights.fault, "trouble": lights.trouble}


@contextmanager
def stopped_by_signals(service: Service) -> Iterator[None]:
    """SIGTERM and Ctrl-C end the service cleanly; one that comes later than `PATIENCE_S` ends it at once.

    Sooner it is the same wish told twice, as `timeout` and some terminals do.
    """
    first: float | None = None

    def asked(number: int, frame: FrameType | None) -> None:
        nonlocal first
        if first is None:
            first = time.monotonic()
            service.stop()
        elif time.monotonic() - first > PATIENCE_S:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    before = {number: signal.signal(number, asked) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
