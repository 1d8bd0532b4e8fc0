"""Who turns and who stands still: begun anew a few times an hour, then given up, or everything is started anew."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

LOG = logging.getLogger("pietjesoog")
STALLED_S = 20.0  # without a round for so long it stands still; systemd's own patience is longer
MOST_RESTARTS = 3
WITHIN_S = 3600.0


class Worker(Protocol):
    """Something that goes round on its own."""

    @property
    def alive(self) -> bool: ...

    @property
    def is_wanted(self) -> bool:
        """Whether it was begun and should turn; one that ended as it should needs nothing."""

    @property
    def progress(self) -> float:
        """When it last began a round, on the monotonic clock."""

    def again(self) -> None:
        """Begin it anew; raises NotImplementedError where only a new start of everything can."""


@dataclass
class Watched:
    """One worker and what became of it. Without those that are `vital` there is nothing to play with."""

    name: str
    worker: Worker
    vital: bool
    stalled_s: float
    restarts: deque[float] = field(default_factory=deque)
    count: int = 0
    given_up: bool = False


class Workers:
    """Looks at each in turn; `look` is called by the main loop, often.

    >>> from device.turning import Turning
    >>> workers = Workers()
    >>> workers.watch("sound", Turning("sound", lambda goes_on: None))
    >>> workers.look(); workers.stands_still(), workers.health()["sound"]["ok"]
    (None, True)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._watched: list[Watched] = []

    def watch(self, name: str, worker: Worker, *, vital: bool = False, stalled_s: float = STALLED_S) -> None:
        self._watched.append(Watched(name, worker, vital, stalled_s))

    def look(self) -> None:
        """Begin anew what stands still, as far as its budget goes."""
        now = self._clock()
        for one in self._watched:
            if one.given_up or self._turns(one, now):
                continue
            while one.restarts and now - one.restarts[0] > WITHIN_S:
                one.restarts.popleft()
            if len(one.restarts) >= MOST_RESTARTS:
                self._give_up(one, f"{one.name} was begun anew {MOST_RESTARTS} times and stands still again")
                continue
            LOG.warning("%s stands still and is begun anew", one.name)
            one.restarts.append(now)
            try:
                one.worker.again()
                one.count += 1
            except NotImplementedError:
                self._give_up(one, f"{one.name} stands still")
            except Exception:  # such as no thread left to have
                LOG.exception("%s cannot be begun anew", one.name)

    def stands_still(self) -> str | None:
        """The vital worker without which all has to be started anew; None while each of them turns."""
        now = self._clock()
        lost = (one for one in self._watched if one.vital and one.given_up and not self._turns(one, now))
        return next((one.name for one in lost), None)

    @property
    def all_vital_turn(self) -> bool:
        now = self._clock()
        return all(self._turns(one, now) for one in self._watched if one.vital)

    def health(self) -> dict[str, dict[str, object]]:
        now = self._clock()
        return {
            one.name: {
                "ok": self._turns(one, now),
                "restarts": one.count,
                "given_up": one.given_up,
                "stands_s": round(now - one.worker.progress, 1) if one.worker.is_wanted else None,
            }
            for one in self._watched
        }

    def _turns(self, one: Watched, now: float) -> bool:
        worker = one.worker
        return not worker.is_wanted or (worker.alive and now - worker.progress <= one.stalled_s)

    def _give_up(self, one: Watched, sentence: str) -> None:
        LOG.error("%s", sentence)
        one.given_up = True
