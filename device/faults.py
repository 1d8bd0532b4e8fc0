"""What went wrong lately, by name: since when, and until when; so that a person who comes later knows."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

MOST = 24
EVERY_S = 2.0
LOG = logging.getLogger("pietjesoog")
Name = tuple[str, str]


@dataclass(frozen=True)
class Fault:
    """`section` and `key` are its words in the texts; `message` is the sentence of whoever told it, '' for none.

    `began` and `ended` are seconds of the monotonic clock; None while it lasts.
    """

    section: str
    key: str
    message: str
    began: float
    ended: float | None = None


class FaultWatch:
    """Looks at the health every few seconds; holds the last `MOST` faults.

    >>> watch = FaultWatch(lambda: {"camera": {"state": "lost", "trouble": "silent"}}, clock=lambda: 7.0)
    >>> watch.look()
    >>> [(fault.section, fault.key, fault.ended) for fault in watch.faults()]
    [('trouble', 'silent', None)]
    """

    def __init__(self, health: Callable[[], Mapping[str, Any]], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._health, self._clock = health, clock
        self._lock = threading.Lock()
        self._faults: deque[Fault] = deque(maxlen=MOST)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="faults", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Any number of times."""
        self._ended.set()

    def health(self) -> Mapping[str, object]:
        return {"ok": True, "message": None, "trouble": None}

    def faults(self) -> tuple[Fault, ...]:
        """The latest first."""
        with self._lock:
            return tuple(reversed(self._faults))

    def told(self) -> list[dict[str, object]]:
        """The same for programs, with how many seconds ago each began and ended."""
        now = self._clock()
        return [
            {
                "fault": fault.key,
                "message": fault.message or None,
                "began_s_ago": round(now - fault.began, 1),
                "ended_s_ago": None if fault.ended is None else round(now - fault.ended, 1),
            }
            for fault in self.faults()
        ]

    def look(self) -> None:
        """Compare what ails now with what ailed before."""
        now, ails = self._clock(), dict(ailing(self._health()))
        with self._lock:
            for n, fault in enumerate(self._faults):
                if fault.ended is None and (fault.section, fault.key) not in ails:
                    self._faults[n] = replace(fault, ended=now)
            lasting = {(fault.section, fault.key) for fault in self._faults if fault.ended is None}
            for (section, key), message in ails.items():
                if (section, key) not in lasting:
                    self._faults.append(Fault(section, key, message, now))

    def _run(self) -> None:
        while not self._ended.wait(EVERY_S):
            try:
                self.look()
            except Exception:  # the next look may be well
                LOG.debug("the look at the health stumbled", exc_info=True)


def ailing(health: Mapping[str, Any]) -> Iterator[tuple[Name, str]]:
    """What is wrong by this health: the name of each in the texts, and its own sentence."""
    camera = health.get("camera") or {}
    if camera.get("state") in ("lost", "board_moved"):
        yield ("trouble", str(camera.get("trouble") or "silent")), ""
    storage = health.get("storage") or {}
    if storage.get("ok") is False:
        yield ("page", "storage"), str(storage.get("message") or "")
    for part in ("lights", "display", "buttons", "sound", "page", "clock"):
        told = health.get(part) or {}
        if told.get("ok") is False:
            yield ("fault", str(told.get("trouble") or f"{part}_failed")), str(told.get("message") or "")
    machine = health.get("machine") or {}
    for key in ("hot", "under_voltage", "under_voltage_now"):
        if machine.get(key):
            yield ("health", "hot" if key == "hot" else "under_voltage"), ""
    for name, worker in (health.get("workers") or {}).items():
        if worker.get("ok") is False:
            yield ("fault", "stands_still"), f"{name} stands still"
    disk = machine.get("disk") or {}
    if disk.get("ok") is False:
        yield ("health", "disk_full"), ""
