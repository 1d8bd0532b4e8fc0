"""Lights and terminal, each on a thread of its own: whatever hangs there, nobody else waits for it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from device.lights import Lights
from device.snapshot import Snapshot
from device.table import Table
from device.terminal import Terminal
from device.turning import GoesOn, Turning

LOG = logging.getLogger("pietjesoog")
TICK_S = 0.05  # the lights move twenty times a second
MOST_WAITING = 64
_SHOW_S = 10.0  # a terminal that takes longer to write what it has is none


class Outputs:
    """What comes faster than they show is left out, the latest never."""

    def __init__(
        self,
        table: Table,
        lights: Lights | None,
        terminal: Terminal | None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lights, self._terminal, self._clock = lights, terminal, clock
        self._lock, self._telling = threading.Lock(), threading.Lock()
        self._waiting: dict[int, Snapshot] = {}
        self._now: Snapshot = table.now
        self._lit: tuple[object, str] | None = None
        self._fresh = threading.Event()
        self.turnings: list[Turning] = []
        if lights is not None:
            self.turnings.append(Turning("lights", self._shine, clock=clock))
        if terminal is not None:
            self.turnings.append(Turning("terminal", self._write, clock=clock))
        table.listen(self._take)
        self._take(table.now)

    def start(self) -> None:
        for turning in self.turnings:
            turning.start()

    def tick(self, t: float) -> None:
        """One round of both."""
        self._tell()
        self._light(t)

    def show(self) -> None:
        """Have the terminal tell all that is known; for whoever tells something after it."""
        if self._telling.acquire(timeout=_SHOW_S):
            self._telling.release()
            self._tell()

    def close(self) -> None:
        """The terminal tells the last moment, the lights go dark."""
        for turning in self.turnings:
            turning.end(0.3)
        if not any(turning.alive for turning in self.turnings):
            self._tell()
        if self._lights is not None:
            self._lights.close()

    def _shine(self, goes_on: GoesOn) -> None:
        while goes_on():
            self._light(self._clock())
            time.sleep(TICK_S)

    def _write(self, goes_on: GoesOn) -> None:
        while goes_on():
            self._tell()
            self._fresh.wait(1.0)
            self._fresh.clear()

    def _tell(self) -> None:
        with self._telling:
            with self._lock:
                fresh, self._waiting = list(self._waiting.values()), {}
            for now in fresh:
                if self._terminal is None:
                    return
                try:
                    self._terminal.show(now)
                except Exception:  # scoring and the page go on without it
                    LOG.exception("the terminal stumbled and is left alone from now on")
                    self._terminal = None

    def _light(self, t: float) -> None:
        if self._lights is None:
            return
        now = self._now
        if self._lit is None or self._lit[0] is not now.view or self._lit[1] != now.lights:
            self._lit = (now.view, now.lights)
            self._lights.show(now.view, now.lights, t)
        self._lights.tick(t)

    def _take(self, now: Snapshot) -> None:
        """The latest of each sequence number; the oldest go first when nobody fetches them."""
        with self._lock:
            self._now = now
            self._waiting.pop(now.seq, None)
            self._waiting[now.seq] = now
            while len(self._waiting) > MOST_WAITING:
                self._waiting.pop(next(iter(self._waiting)))
        self._fresh.set()
