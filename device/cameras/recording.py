"""A recording played as if it happened now."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator

from vision.frame import Frame


class RecordingCamera:
    """Plays `recorded` at its own speed times `speed`; frames keep the times of the recording, moved by `offset`.

    `speed` None plays as fast as possible. `clock` and `wait` (seconds → True to stop) are given in tests. A player
    that falls behind does not skip: nothing of a recording is lost.
    """

    def __init__(
        self,
        name: str,
        recorded: Iterable[Frame],
        *,
        speed: float | None = 1.0,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self.name = name
        self._recorded = recorded
        self._speed = speed
        self._clock = clock
        self._closed = threading.Event()
        self._wait = wait or self._closed.wait

    def frames(self) -> Iterator[Frame]:
        begun, first = self._clock(), None
        for frame in self._recorded:
            first = frame.t if first is None else first
            if self._speed is not None:
                ahead = (frame.t - first) / self._speed - (self._clock() - begun)
                if ahead > 0 and self._wait(ahead):
                    return
            if self._closed.is_set():
                return
            yield frame

    def close(self) -> None:
        self._closed.set()
