"""Waiting for what another thread or process does: until it is so, however long this machine takes for it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

PATIENCE_S = 60.0
"""No machine that works stands still for so long: only what never comes is waited for to the end.

As a limit it says "not for ever"; nothing shorter belongs to what another thread, process or program has to do first.
"""


def waited(until: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
    """Whether it has come true; looks again and again until then.

    >>> waited(lambda: True)
    True
    >>> waited(lambda: False, seconds=0.01)
    False
    """
    deadline = time.monotonic() + seconds
    while not (is_so := until()) and time.monotonic() < deadline:
        time.sleep(0.005)
    return is_so or until()  # it may have come true during the last look


@contextmanager
def in_vain() -> Iterator[list[float]]:
    """Seconds that were spent, by whoever asks, on each thread that did not end meanwhile.

    So long an end takes where something hangs: the clock on the wall would also count what this machine does beside.

    >>> hangs = threading.Event()
    >>> with in_vain() as spent:
    ...     made = threading.Thread(target=hangs.wait)
    ...     made.start(); made.join(0.01); hangs.set(); made.join()
    >>> spent
    [0.01]
    """
    spent: list[float] = []
    asking, join = threading.current_thread(), threading.Thread.join

    def noted(thread: threading.Thread, timeout: float | None = None) -> None:
        join(thread, timeout)
        if thread.is_alive() and threading.current_thread() is asking:
            spent.append(math.inf if timeout is None else max(0.0, timeout))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "join", noted)
        yield spent
