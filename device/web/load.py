"""Who asks too much of the page, and who takes nothing of what is sent: counted, so that it can be told."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable

LATELY_S = 10.0
FLOOD = 50  # refused in that time; a phone that was asleep asks a few times too often
SLOW_S = 3.0  # bytes that nobody takes for so long
MANY_SLOW = 5  # one is a phone at the door


class Load:
    """Safe to use from any thread.

    >>> now = [0.0]
    >>> load = Load(clock=lambda: now[0])
    >>> for _ in range(FLOOD): load.refused("192.168.1.7")
    >>> load.health(3)["trouble"], load.health(3)["refused"]
    ('page_flooded', 50)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._refused: deque[tuple[float, str]] = deque(maxlen=4096)
        self._behind: dict[object, float] = {}  # since when

    def refused(self, who: str) -> None:
        """Somebody asked too often, and was told so."""
        with self._lock:
            self._refused.append((self._clock(), who))

    def unsent(self, waiting: Iterable[tuple[object, int]]) -> None:
        """How many bytes each connection has that the other side has not taken yet; asked every second or so."""
        now = self._clock()
        held = {who for who, count in waiting if count > 0}
        with self._lock:
            self._behind = {who: self._behind.get(who, now) for who in held}

    def health(self, connections: int) -> dict[str, object]:
        """``ok``, what ails where not, and the numbers of the last ten seconds."""
        now = self._clock()
        with self._lock:
            while self._refused and now - self._refused[0][0] > LATELY_S:
                self._refused.popleft()
            refused, by = len(self._refused), Counter(who for _, who in self._refused)
            slow = sum(now - since > SLOW_S for since in self._behind.values())
        message = trouble = None
        if refused >= FLOOD:
            most = by.most_common(1)[0][0]
            message, trouble = f"{most} asks for the page far too often; it is answered now and then", "page_flooded"
        elif slow >= MANY_SLOW:
            message, trouble = f"{slow} connections take nothing of what is sent", "page_slow"
        numbers = {"connections": connections, "refused": refused, "slow": slow}
        return {"ok": message is None, "message": message, "trouble": trouble, **numbers}
