"""A camera for tests and for machines without one: gives the pictures it was given, fails when it is told to."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator

from device.cameras import CameraLost
from vision.frame import Frame, Picture


class FakeCamera:
    """Plays `pictures` at `fps` of its own time, then ends, or is `lost` with that sentence."""

    def __init__(self, pictures: Iterable[Picture], *, fps: float = 30.0, lost: str | None = None) -> None:
        self.name = "pretended camera"
        self.opened = 0
        self._pictures = pictures
        self._fps = fps
        self._lost = lost
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        self.opened += 1
        for index, picture in enumerate(self._pictures):
            if self._closed.is_set():
                return
            yield Frame(picture, index / self._fps, self.name, index)
        if self._lost is not None:
            raise CameraLost(self._lost)

    def close(self) -> None:
        self._closed.set()
