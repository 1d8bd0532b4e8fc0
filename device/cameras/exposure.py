"""When a camera's exposure has settled and is held, and when the light has changed for good."""

from __future__ import annotations

from collections import deque
from enum import Enum, auto

SETTLE_S = 0.8  # an automatic exposure needs a dozen pictures to find its place
MOST_SETTLES = 6  # so many times as long is waited for one that hunts; then it is held where it is
STEADY = 1.06  # brightest ÷ darkest: mains flicker stays below, an exposure at work does not
HELD_STEADY = 1.25  # a camera that told a wrong exposure jumps when it is held
CHANGED, CHANGED_S = 1.6, 10.0  # of light, for so long: a lamp or the evening, no hand
_LEAST_LEVEL = 6.0  # grey levels added, so that the noise of a dark room is no change of light


class Step(Enum):
    """What is to be done with the camera now."""

    NOTHING = auto()
    HOLD = auto()
    LOOSEN = auto()


class Exposure:
    """Fed with the mean grey level of every picture; `ready` tells whether pictures may be read.

    >>> exposure = Exposure(settle_s=0.125)
    >>> [exposure.see(n / 30, 90.0).name for n in range(5)]
    ['NOTHING', 'NOTHING', 'NOTHING', 'NOTHING', 'HOLD']
    """

    def __init__(self, settle_s: float = SETTLE_S, changed_s: float = CHANGED_S) -> None:
        self.ready = False
        self.held = False
        self._settle_s, self._changed_s = settle_s, changed_s
        self._lately: deque[tuple[float, float]] = deque()
        self._begun: float | None = None
        self._held_at: float | None = None
        self._level = 0.0
        self._usual_at = 0.0

    def see(self, t: float, level: float) -> Step:
        """The next picture's time and mean grey level, 0 to 255."""
        level += _LEAST_LEVEL
        self._begun = t if self._begun is None else self._begun
        if self._held_at is not None and not self.ready:
            return self._proven(t, level)
        if self.ready:
            return self._kept(t, level)
        self._lately.append((t, level))
        while self._lately[0][0] < t - self._settle_s:
            self._lately.popleft()
        waited = t - self._begun
        if waited < self._settle_s or (not self._is_steady and waited < MOST_SETTLES * self._settle_s):
            return Step.NOTHING
        self._level, self._held_at, self.held = level, t, True
        return Step.HOLD

    def cannot_hold(self) -> None:
        """The camera has no way to hold what it found: read all the same."""
        self.held, self.ready = False, True
        self._usual_at = self._held_at or 0.0

    @property
    def _is_steady(self) -> bool:
        levels = [level for _, level in self._lately]
        return max(levels) <= STEADY * min(levels)

    def _proven(self, t: float, level: float) -> Step:
        """Held just now: the picture must stay as bright as it was."""
        assert self._held_at is not None
        if t - self._held_at < self._settle_s:
            return Step.NOTHING
        self.ready, self._usual_at = True, t
        if self._level / HELD_STEADY <= level <= self._level * HELD_STEADY:
            return Step.NOTHING
        self.held = False
        self._level = level
        return Step.LOOSEN

    def _kept(self, t: float, level: float) -> Step:
        if not self.held or self._level / CHANGED <= level <= self._level * CHANGED:
            self._usual_at = t
        elif t - self._usual_at > self._changed_s:
            self.ready = self.held = False
            self._begun, self._held_at = t, None
            self._lately.clear()
            return Step.LOOSEN
        return Step.NOTHING
