"""Whether the camera can be relied on: pictures that stand still, that are black, whose exposure never settles."""

from __future__ import annotations

from collections import deque
from enum import StrEnum

from vision.gate import Motion

FROZEN_S = 3.0  # a live camera's noise makes each picture differ from the one before
BLACK_S = 0.7
EXPOSURE_S = 5.0
_BLACK_LEVEL = 3.0  # of 255
_STEADY_S = 0.25
_SETTLED_S = 0.5
_STEADY = 1.06  # brightest ÷ darkest: mains flicker stays below, automatic exposure at work does not


class Ill(StrEnum):
    FROZEN = "frozen"
    BLACK = "black"
    EXPOSURE = "exposure"
    BOARD_MOVED = "board_moved"


class CameraHealth:
    """Fed with each picture's motion; `ill` is why the camera cannot be relied on now, `steady` that the light is."""

    def __init__(self) -> None:
        self.ill: Ill | None = None
        self.steady = True
        self._lights: deque[tuple[float, float]] = deque()
        self._fresh_at: float | None = None
        self._lit_at: float | None = None
        self._steady_at: float | None = None
        self._unsteady_at = -1e9

    def see(self, motion: Motion) -> Ill | None:
        t = motion.t
        if self._lights and t <= self._lights[-1][0]:
            self.__init__()  # type: ignore[misc]
        self._lights.append((t, motion.light))
        while len(self._lights) > 2 and self._lights[0][0] < t - _STEADY_S:
            self._lights.popleft()
        values = [light for _, light in self._lights]
        self.steady = max(values) <= _STEADY * min(values)
        if self._fresh_at is None or not motion.identical:
            self._fresh_at = t
        if self._lit_at is None or motion.level > _BLACK_LEVEL:
            self._lit_at = t
        if not self.steady:
            self._unsteady_at = t
        settled = t - self._unsteady_at >= _SETTLED_S
        if self._steady_at is None or settled:
            self._steady_at = t
        self.ill = None
        if t - self._lit_at >= BLACK_S:
            self.ill = Ill.BLACK
        elif t - self._fresh_at >= FROZEN_S:
            self.ill = Ill.FROZEN
        elif t - self._steady_at >= EXPOSURE_S:
            self.ill = Ill.EXPOSURE
        return self.ill
