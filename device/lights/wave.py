"""The motions that lamps make: numbers of time and place, 0 dark to 1 bright."""

from __future__ import annotations

from math import cos, pi

BREATH_S = 2.0


def breath(t: float, *, low: float = 0.0, every: float = BREATH_S) -> float:
    """Up and down again in `every` seconds, from `low` at 0."""
    return low + (1.0 - low) * (0.5 - 0.5 * cos(2 * pi * t / every))


def dot(place: float, at: float, *, width: float = 1.0) -> float:
    """A soft dot: 1 where it is, 0 from `width` lamps away."""
    return max(0.0, 1.0 - abs(place - at) / width)


def to_and_fro(t: float, every: float) -> float:
    """0 to 1 and back in `every` seconds."""
    return 1.0 - abs(2.0 * (t / every % 1.0) - 1.0)


def winks(t: float, count: int, every: float, *, lit: float = 0.18, gap: float = 0.22) -> float:
    """1 while lit: `count` short flashes, then dark until `every` seconds are over; never more than three a second.

    >>> [winks(t / 10, 2, 3.0) for t in (0, 1, 3, 4, 5, 6, 9)]
    [1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    """
    which, since = divmod(t % every, lit + gap)
    return 1.0 if which < count and since < lit else 0.0
