"""A recording played as if it happened now."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from device.cameras import CameraLost
from vision.frame import Frame


class RecordingCamera:
    """Plays `recorded` at its own speed times `speed`, None as fast as possible; frames keep the recording's times.

    `live` stands in for a camera in a service that runs on: frames carry the time at which they are played, and once
    the recording has ended it is a lost camera that does not come back. `clock` and `wait` (seconds → True to stop)
    are given in tests. A player that falls behind does not skip: nothing of a recording is lost.
    """

    def __init__(
        self,
        name: str,
        recorded: Iterable[Frame],
        *,
        speed: float | None = 1.0,
        live: bool = False,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self.name = name
        self._recorded = recorded
        self._speed = speed
        self._live = live
        self._ended = False
        self._clock = clock
        self._closed = threading.Event()
        self._wait = wait or self._closed.wait

    def frames(self) -> Iterator[Frame]:
        begun, first = self._clock(), None
        for frame in () if self._ended else self._recorded:
            first = frame.t if first is None else first
            if self._speed is not None:
                ahead = (frame.t - first) / self._speed - (self._clock() - begun)
                if ahead > 0 and self._wait(ahead):
                    return
            if self._closed.is_set():
                return
            yield replace(frame, t=begun + (frame.t - first) / (self._speed or 1.0)) if self._live else frame
        if self._live and not self._closed.is_set():
            self._ended = True
            raise CameraLost(f"the recording {self.name} has ended", "ended")

    def close(self) -> None:
        self._closed.set()
