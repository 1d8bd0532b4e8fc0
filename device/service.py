"""Joins camera, table, journal, lights, page and terminal, and keeps them going."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

from device.clock_watch import ClockWatch, wall
from device.eye import EyeThread
from device.health import machine
from device.journal import KeptJournal
from device.last_resort import LastResort, bury, end_within, leak, open_files, started_anew
from device.lights import Lights
from device.notify import notify
from device.outputs import Outputs
from device.parts import Part, health_of
from device.snapshot import Eye
from device.table import Table
from device.terminal import Terminal
from device.turning import Turning
from device.web.server import WebServer
from device.workers import STALLED_S, Workers
from scorer.session import RULES_VERSION

__all__ = ["Outputs", "Service", "stopped_by_signals", "wall"]

LOG = logging.getLogger("pietjesoog")
TICK_S = 0.05
RETRY_S = 1.0  # how often is looked whether storing works again
LEAK_EVERY_S = 30.0
SOUND_STALLED_S = 90.0  # a long sentence is said to its end
BEAT_S = 3.0
PATIENCE_S = 2.0  # ending takes less
_PARTS_S = 0.8  # of which all parts together have so long
_EXIT_S = 1.2  # and what hangs after that is left behind


class Service:
    """Runs until `stop` is called or a signal comes; everything given to it is closed by it.

    `begin_anew` starts the whole program anew, for a reason; without it only systemd does, whose watchdog starves then.
    """

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
        begin_anew: Callable[[str], None] | None = None,
    ) -> None:
        self.table = table
        self._journal, self._eye, self._lights, self._server = journal, eye, lights, server
        self._outputs = Outputs(table, lights, terminal, clock=clock)
        self._parts = dict(parts or {})
        self._clock, self._begin_anew = clock, begin_anew
        self._stop = threading.Event()
        self._begun = clock()
        self._stepped: float | None = None  # when the loop last turned
        self._fault: str | None = table.now.fault
        self._leak: str | None = None
        self._clock_watch = ClockWatch(clock=clock)
        self._last_resort = LastResort(self.why_anew, self._save_and_begin_anew) if begin_anew is not None else None
        self._workers = self._watched()

    def stop(self) -> None:
        self._stop.set()

    def see_with(self, eye: EyeThread) -> None:
        """Look from now on, where it was begun without a camera. From any thread."""
        self._eye = eye
        self._workers.watch("the eye", _Looks(eye), vital=True)
        if not self._stop.is_set():
            eye.start()

    def show(self) -> None:
        """Bring the terminal up to date, for whoever tells something after it."""
        self._outputs.show()

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Turn until stopped or `until` says so, then close everything; takes less than two seconds to end."""
        bury()
        if self._server is not None:
            self._server.start()
        self._outputs.start()
        for part in self._parts.values():
            part.start()
        if self._eye is not None:
            self._eye.start()
        else:
            self.table.look(Eye.NONE)
        if self._last_resort is not None:
            self._last_resort.start()
        notify("READY=1")
        beaten = looked = retried = self._clock()
        try:
            while not self._stop.is_set() and not until():
                now = self._stepped = self._clock()
                self._clock_watch.look()
                self._workers.look()
                if now - retried >= RETRY_S:
                    retried = now
                    self._heal()
                if now - looked >= LEAK_EVERY_S:
                    looked, self._leak = now, leak()
                if now - beaten >= BEAT_S and self.healthy:
                    beaten = now
                    notify("WATCHDOG=1")
                self._stop.wait(TICK_S)
        finally:
            self.close()

    def close(self) -> None:
        """Everything at the same time, and no longer than a part that hangs is waited for; the journal last."""
        notify("STOPPING=1")
        if self._last_resort is not None:
            self._last_resort.close()
        closing: list[Callable[[], object]] = [self._outputs.close, *(part.close for part in self._parts.values())]
        closing += [one.stop for one in (self._eye, self._server) if one is not None]
        threads = [threading.Thread(target=close, name="closing", daemon=True) for close in closing]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + _PARTS_S
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._journal.close()

    def why_anew(self) -> str | None:
        """Why everything has to be started anew; None while there is no need."""
        if self._stepped is not None and self._clock() - self._stepped > STALLED_S:
            return "the main loop stands still"
        if (name := self._workers.stands_still()) is not None:
            return f"{name} stands still"
        quiet = self.table.now.eye is not Eye.READING and self._journal.fault is None
        return self._leak if quiet else None

    def _save_and_begin_anew(self, reason: str) -> None:
        """All that was told to anybody is stored already, unless storage is at fault: then it gets one more try."""
        self._journal.close()
        if self._begin_anew is not None:
            self._begin_anew(reason)

    @property
    def healthy(self) -> bool:
        """Whether what should turn still turns; a lost camera is told, no reason to restart."""
        if self._server is not None and not self._server.alive:
            return False
        return self.why_anew() is None and self._workers.all_vital_turn

    def health(self) -> Mapping[str, object]:
        """What ``/api/v1/health`` tells."""
        now = self.table.now
        eye = self._eye
        return {
            "ok": self.healthy and self._journal.fault is None and now.eye not in (Eye.LOST, Eye.BOARD_MOVED),
            "uptime_s": round(self._clock() - self._begun, 1),
            "rules": RULES_VERSION,
            "camera": {
                "state": now.eye.value,
                "trouble": now.trouble,
                "frames": 0 if eye is None else eye.frames,
                "restarts": 0 if eye is None else eye.restarts,
            },
            "storage": {
                "ok": self._journal.fault is None,
                "message": self._journal.fault,
                "set_aside": None if self._journal.set_aside is None else self._journal.set_aside.name,
                "resumed": self.table.trouble_on_start,
                **self._journal.health(),
            },
            "lights": None if self._lights is None else _told(self._lights),
            **health_of(self._parts),
            "page": None if self._server is None else self._server.health(),
            "clock": self._clock_watch.health(),
            "workers": self._workers.health(),
            "started_anew": dict(zip(("count", "why"), started_anew(), strict=True)),
            "machine": {**machine(), "threads": threading.active_count(), "files": open_files()},
        }

    def _heal(self) -> None:
        """What became of storage is shown; the journal tries again by itself."""
        if (fault := self._journal.fault) != self._fault:
            self._fault = fault
            self.table.heal()

    def _watched(self) -> Workers:
        workers = Workers(self._clock)
        workers.watch("the table", _Free(self.table, self._clock), vital=True)
        if self._eye is not None:
            workers.watch("the eye", _Looks(self._eye), vital=True)
        if self._server is not None:
            workers.watch("the page", self._server, vital=True)
        for turning in self._outputs.turnings:
            workers.watch(f"the {turning.name}", turning)
        for name, part in self._parts.items():
            if isinstance(own := getattr(part, "turning", None), Turning):
                workers.watch(f"the {name}", own, stalled_s=SOUND_STALLED_S if name == "sound" else STALLED_S)
        return workers


class _Free:
    """Whoever books lets go of the table again; if not, nobody can play any more."""

    alive = is_wanted = True

    def __init__(self, table: Table, clock: Callable[[], float]) -> None:
        self._table, self._clock = table, clock
        self._free_at = clock()

    @property
    def progress(self) -> float:
        if self._table.is_free():
            self._free_at = self._clock()
        return self._free_at

    def again(self) -> None:
        raise NotImplementedError


class _Looks:
    """The eye opens a lost camera anew by itself; a look that never ends is beyond it."""

    alive = True

    def __init__(self, eye: EyeThread) -> None:
        self._eye = eye

    @property
    def is_wanted(self) -> bool:
        return not self._eye.ended.is_set()

    @property
    def progress(self) -> float:
        return self._eye.progress

    def again(self) -> None:
        raise NotImplementedError


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
            end_within(_EXIT_S)
        elif time.monotonic() - first > PATIENCE_S:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    before = {number: signal.signal(number, asked) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
