"""Cameras for tests and for machines without one: one in this process, one driver for a process of its own."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator

import numpy as np

from device.cameras import CameraLost
from device.cameras.driver import About, Shot
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


class FakeDriver:
    """Drifting grey pictures; after `good` of them it fails in the way that `fault` names.

    absent and busy: cannot be opened; hang: a call never returns; deaf: nor does it heed that its process should end;
    no: every try gives nothing; frozen: the same picture for ever; old: pictures from before; dies: the process is
    gone; raises: what nobody expected; slow: opening takes for ever; dark: black pictures, as under a covered lens.
    """

    about: About

    def __init__(
        self,
        fault: str = "",
        good: int = 60,
        width: int = 64,
        height: int = 48,
        fps: float = 100.0,
        small: bool = False,
    ) -> None:
        self._fault, self._good, self._fps = fault, good, fps
        self._shape = (height, width, 3)
        self._small = small
        self._n = 0
        if fault == "absent":
            raise CameraLost("there is no camera; is it plugged in?", "absent")
        if fault == "busy":
            raise CameraLost("the camera cannot be opened; another program may have it", "busy")
        if fault == "slow":
            threading.Event().wait()
        self.about = {"model": "pretended camera", "width": width, "height": height, "fps": fps, "adjusts": False}

    def grab(self) -> Shot | None:
        time.sleep(1 / self._fps)
        self._n += 1
        bad = self._n > self._good
        if bad and self._fault in ("hang", "deaf"):
            if self._fault == "deaf":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            threading.Event().wait()
        if bad and self._fault == "no":
            return None
        if bad and self._fault == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if bad and self._fault == "raises":
            raise ValueError("what nobody expected")
        shown = self._good if bad and self._fault == "frozen" else self._n
        picture = np.full(self._shape, 0 if self._fault == "dark" else 20 + shown % 200, dtype=np.uint8)
        t = time.monotonic() - (60.0 if bad and self._fault == "old" else 0.0)
        return Shot(picture, t, picture[::2, ::2].copy() if self._small else None, {"gain": 1.0})

    def hold(self) -> bool:
        return False

    def loosen(self) -> None: ...

    def close(self) -> None: ...
