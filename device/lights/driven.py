"""Lights made of a scene and bare lamps: what fails is told, given up, and tried again by itself."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from device.kept import Kept, PartLost
from device.lights.lamp import DARK, Lamp, Row, Rows
from device.lights.scene import Scene, Shape
from scorer.game import View

LOG = logging.getLogger("pietjesoog")
RETRY_S = 5.0
MOST_RETRY_S = 30.0
TRY_S = 8.0  # so long one row is tried out
WINK_S = 0.8


class Lamps(Protocol):
    """Bare lamps, opened by their constructor, used by one thread; a contract suite runs on every class."""

    brightness: int | None
    """Of 255, for what is put from now on; None: these lamps cannot be dimmed."""

    @property
    def trouble(self) -> PartLost | None:
        """What ails lamps that mend themselves; None for all others."""

    def put(self, rows: Rows) -> None:
        """Show these, the first row first; raises `device.kept.PartLost`."""

    def close(self) -> None:
        """All dark, pins and ports given back; any number of times."""


class DrivenLights:
    """The `Lights` of any lamps that `open_lamps` opens (it raises `PartLost` while it cannot).

    >>> lamps = FakeLamps()
    >>> lights = DrivenLights(Shape(2, 9), lambda: lamps)
    >>> lights.show(None, "idle", 0.0)
    >>> lights.fault, len(lamps.rows), len(lamps.rows[0])
    (None, 2, 9)
    """

    def __init__(self, shape: Shape, open_lamps: Callable[[], Lamps]) -> None:
        self._scene = Scene(shape)
        self._now = 0.0
        self._level: int | None = None
        self._tried: tuple[int, float] | None = None
        self._kept: Kept[Lamps] = Kept(
            "the lights", open_lamps, clock=lambda: self._now, retry_s=RETRY_S, most_retry_s=MOST_RETRY_S
        )
        self._lamps = self._kept.get()

    @property
    def fault(self) -> str | None:
        if self._kept.fault is not None or self._lamps is None:
            return self._kept.fault
        return None if self._lamps.trouble is None else str(self._lamps.trouble)

    @property
    def trouble(self) -> str | None:
        if self._kept.fault is not None or self._lamps is None:
            return self._kept.trouble
        return None if self._lamps.trouble is None else self._lamps.trouble.key or None

    def show(self, view: View | None, pattern: str, t: float) -> None:
        try:
            self._scene.show(view, pattern, t)
        except Exception:  # a view that nobody foresaw must not stop the scoring
            LOG.exception("the lights stumbled over what to show")
        self.tick(t)

    def tick(self, t: float) -> None:
        self._now = t
        self._lamps = self._kept.get()
        if self._lamps is None:
            return
        if self._level is not None and self._lamps.brightness is not None:
            self._lamps.brightness = self._level
        try:
            rows = self._on_trial(t) or self._scene.rows(t)
        except Exception:
            LOG.debug("the lights stumbled over how to show it", exc_info=True)
            return
        self._kept.use(lambda lamps: lamps.put(rows))

    @property
    def rows(self) -> tuple[str | None, ...]:
        return self._scene.owners

    @property
    def lamps(self) -> int:
        return self._scene.shape.lamps

    def try_out(self, row: int | None) -> None:
        self._tried = None if row is None else (row, self._now)

    @property
    def tried(self) -> int | None:
        tried = self._tried
        return tried[0] if tried is not None and self._now - tried[1] < TRY_S else None

    def dim(self, percent: int) -> None:
        self._level = round(percent * 255 / 100)

    def close(self) -> None:
        self._kept.close()

    def _on_trial(self, t: float) -> Rows | None:
        """One row alone, its first lamp winking; None where none is tried out (any more)."""
        row, tried = self.tried, self._tried
        if row is None or tried is None:
            return None
        first = Lamp(1.0) if (t - tried[1]) % WINK_S < WINK_S / 2 else DARK
        lit: Row = (first, *[Lamp(1.0)] * (self.lamps - 1))
        return tuple(lit if n == row else (DARK,) * self.lamps for n in range(self._scene.shape.rows))


class FakeLamps:
    """No lamps: `rows` is what they would show; `broken` makes them fail as a pulled wire would."""

    def __init__(self) -> None:
        self.brightness: int | None = 96
        self.trouble: PartLost | None = None
        self.rows: Rows = ()
        self.broken: PartLost | None = None
        self.closed = 0

    def put(self, rows: Rows) -> None:
        if self.broken is not None:
            raise self.broken
        self.rows = rows

    def close(self) -> None:
        self.rows = ()
        self.closed += 1
