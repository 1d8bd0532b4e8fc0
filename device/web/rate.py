"""How often somebody may do something: token buckets, one a key and one for everybody."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_KEYS = 1024  # addresses remembered; the longest unheard of go first


@dataclass(frozen=True)
class Rate:
    """`burst` at once, then one every `every_s` seconds.

    >>> Rate(10, 6.0).burst
    10
    """

    burst: int
    every_s: float


class Limit:
    """Counts what each key and everybody together spend; safe to call from several threads.

    >>> limit = Limit(Rate(1, 60.0), clock=lambda: 0.0)
    >>> limit.spend("192.168.1.7"), limit.spend("192.168.1.7"), limit.spend("192.168.1.8")
    (0.0, 60.0, 0.0)
    """

    def __init__(
        self, each: Rate, all_of_them: Rate | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._each, self._all, self._clock = each, all_of_them, clock
        self._lock = threading.Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()  # key → tokens left, at this time
        self._level = (float(all_of_them.burst) if all_of_them else math.inf, clock())

    def spend(self, key: str) -> float:
        """Take one; 0 where that is allowed, else the seconds to wait, and nothing is taken."""
        with self._lock:
            now = self._clock()
            left = self._left(key, now)
            together = self._together(now)
            wait = max(self._wait(left, self._each), self._wait(together, self._all))
            if wait:
                return wait
            self._keep(key, left - 1, now)
            self._level = (together - 1, now)
            return 0.0

    def give_back(self, key: str) -> None:
        """What was spent counts no more: it was well spent."""
        with self._lock:
            now = self._clock()
            self._keep(key, min(float(self._each.burst), self._left(key, now) + 1), now)
            self._level = (self._together(now) + 1, now)

    def _left(self, key: str, now: float) -> float:
        level, at = self._levels.get(key, (float(self._each.burst), now))
        return min(float(self._each.burst), level + (now - at) / self._each.every_s)

    def _together(self, now: float) -> float:
        if self._all is None:
            return math.inf
        level, at = self._level
        return min(float(self._all.burst), level + (now - at) / self._all.every_s)

    def _keep(self, key: str, level: float, now: float) -> None:
        self._levels[key] = (level, now)
        self._levels.move_to_end(key)
        while len(self._levels) > MOST_KEYS:
            self._levels.popitem(last=False)

    @staticmethod
    def _wait(level: float, rate: Rate | None) -> float:
        return 0.0 if rate is None or level >= 1 else (1 - level) * rate.every_s


def key_of(address: str) -> str:
    """Who stands behind an address: itself, for IPv6 its network of 64 bits, since phones change the rest at will.

    >>> key_of("192.168.1.7"), key_of("2001:db8::1")
    ('192.168.1.7', '2001:db8::')
    """
    try:
        told = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(told, ipaddress.IPv6Address):
        if told.ipv4_mapped is not None:
            return str(told.ipv4_mapped)
        return str(ipaddress.ip_network((int(told) >> 64 << 64, 64)).network_address)
    return str(told)
