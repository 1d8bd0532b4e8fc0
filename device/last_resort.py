"""When nothing else helps: the whole program is started anew, in the same process, and goes on with the same scores."""

from __future__ import annotations

import contextlib
import logging
import os
import resource
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from device.health import memory_mb
from device.notify import notify

LOG = logging.getLogger("pietjesoog")
LEAK_MB = 900.0  # several times what it needs; the smallest Pi that it runs on has 1 GB
LEAK_THREADS = 200
LEAK_FILES = 0.8  # of those that it may have open
EVERY_S = 1.0
AGAIN = "PIETJESOOG_STARTED_ANEW"
"""Carries how often and why over to the program that comes after."""


class LastResort:
    """Asks every second `why` all has to be started anew, from a thread of its own: the main loop may be what hangs."""

    def __init__(
        self, why: Callable[[], str | None], begin_anew: Callable[[str], None], *, every_s: float = EVERY_S
    ) -> None:
        self._why, self._begin_anew, self._every_s = why, begin_anew, every_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="last resort", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            try:
                reason = self._why()
            except Exception:  # a look that stumbles says nothing
                LOG.exception("the last resort stumbled")
                continue
            if reason is not None:
                LOG.error("%s: everything is started anew", reason)
                self._begin_anew(reason)
                return


def leak(
    mb: float | None = None, threads: int | None = None, files: int | None = None, *, most_mb: float = LEAK_MB
) -> str | None:
    """What of memory, threads and open files has grown beyond all need; looked up where not given."""
    mb = memory_mb() if mb is None else mb
    threads = threading.active_count() if threads is None else threads
    files = open_files() if files is None else files
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if mb is not None and mb > most_mb:
        return f"{mb:.0f} MB of memory are in use"
    if threads > LEAK_THREADS:
        return f"{threads} threads are in use"
    if files is not None and files > LEAK_FILES * limit:
        return f"{files} files are open"
    return None


def open_files(folder: Path = Path("/proc/self/fd")) -> int | None:
    try:
        return len(os.listdir(folder))
    except OSError:
        return None


def begin_anew(reason: str) -> None:
    """Take this program's place with a fresh one: same process, same arguments, same scores. Does not return."""
    count = started_anew()[0] + 1
    notify(f"STATUS=started anew: {reason}")
    notify("WATCHDOG=1")  # the fresh one has the whole of systemd's patience
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    environment = {**os.environ, AGAIN: f"{count} {reason}"}
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)


def started_anew(environment: Mapping[str, str] | None = None) -> tuple[int, str | None]:
    """How often this program took its own place, and why the last time.

    >>> started_anew({AGAIN: "2 the page stands still"})
    (2, 'the page stands still')
    """
    told = (os.environ if environment is None else environment).get(AGAIN, "")
    count, _, reason = told.partition(" ")
    return (int(count), reason) if count.isascii() and count.isdecimal() else (0, None)


def bury() -> None:
    """Children of the program before: they ended with it, and somebody has to take note."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue


def end_within(seconds: float) -> None:
    """Whatever still hangs in `seconds`, the program ends: all that was told to anybody is on the disk."""

    def end() -> None:
        time.sleep(seconds)
        os._exit(0)

    threading.Thread(target=end, name="goodbye", daemon=True).start()
