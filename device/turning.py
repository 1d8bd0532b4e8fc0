"""A thread that goes round and round, seen from outside: whether it still does, and how to begin it anew."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

GoesOn = Callable[[], bool]


class Turning:
    """Runs `rounds`, which asks before each round whether to go on, and thereby says that it still turns.

    A thread that stands still cannot be ended in Python: `again` begins another, and the old one ends when it wakes.
    `ended` is set once it was asked to end.

    >>> turned = []
    >>> turning = Turning("example", lambda goes_on: [turned.append(1) for _ in range(3) if goes_on()])
    >>> turning.start(); turning.end(1.0); turning.alive
    False
    """

    def __init__(
        self, name: str, rounds: Callable[[GoesOn], object], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._rounds, self._clock = rounds, clock
        self.ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.progress = clock()

    @property
    def alive(self) -> bool:
        """Whether it runs, or was never begun or has ended as it should."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def is_wanted(self) -> bool:
        """Whether it was begun and should still turn."""
        return self._thread is not None and not self.ended.is_set()

    def start(self) -> None:
        self.again()

    def again(self) -> None:
        """Another thread takes over from here."""

        def goes_on() -> bool:
            if self.ended.is_set() or threading.current_thread() is not self._thread:
                return False
            self.progress = self._clock()
            return True

        def run() -> None:
            begun.wait()
            self._rounds(goes_on)

        begun = threading.Event()
        self.progress = self._clock()
        self._thread = threading.Thread(target=run, name=self.name, daemon=True)
        self._thread.start()
        begun.set()

    def end(self, wait_s: float = 0.0) -> None:
        """Asks it to end, and waits for that no longer than `wait_s`."""
        self.ended.set()
        thread = self._thread
        if thread is not None and thread.is_alive() and thread is not threading.current_thread() and wait_s > 0:
            thread.join(wait_s)
