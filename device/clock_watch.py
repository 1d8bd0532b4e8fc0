"""The clock on the wall, watched: it may jump by years, and nothing but the time that is shown may change."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

JUMP_S = 2.0  # more than a clock is ever put right by a little at a time
TOLD_S = 600.0  # how long a jump is told


def wall() -> str:
    """The time of day, for people to read; '' where the clock stands at what is no time."""
    try:
        return datetime.now().astimezone().isoformat(timespec="seconds")
    except (OverflowError, OSError, ValueError):
        return ""


class ClockWatch:
    """Compares the wall's clock with the monotonic one.

    >>> told = iter([1000.0, 1005.0, 1005.0])
    >>> watch = ClockWatch(wall=lambda: next(told), clock=lambda: 3.0)
    >>> watch.look(); watch.jumps, watch.last_jump_s
    (1, 5.0)
    """

    def __init__(self, *, wall: Callable[[], float] = time.time, clock: Callable[[], float] = time.monotonic) -> None:
        self._wall, self._clock = wall, clock
        self._apart = wall() - clock()
        self._jumped_at: float | None = None
        self.jumps = 0
        self.last_jump_s: float | None = None

    def look(self) -> None:
        apart = self._wall() - self._clock()
        if abs(apart - self._apart) >= JUMP_S:
            self.jumps += 1
            self.last_jump_s, self._jumped_at = round(apart - self._apart, 1), self._clock()
            self._apart = apart

    def health(self) -> dict[str, object]:
        """`ok` is false for ten minutes after a jump; nothing but shown times depends on it."""
        lately = self._jumped_at is not None and self._clock() - self._jumped_at < TOLD_S
        message = f"the clock jumped by {self.last_jump_s:+.0f} s; scores do not depend on it" if lately else None
        try:
            now = datetime.fromtimestamp(self._wall(), UTC).isoformat(timespec="seconds")
        except (OverflowError, OSError, ValueError):
            now = None
        return {
            "ok": not lately,
            "message": message,
            "trouble": "clock_jumped" if lately else None,
            "now": now,
            "jumps": self.jumps,
            "last_jump_s": self.last_jump_s,
        }
