"""A camera's driver that films the world, in the camera's own process, and fails as a file tells it to."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from device.cameras import CameraLost
from device.cameras.driver import About, Shot
from tests.weeks.world import FPS, Felt, World, now


class WorldDriver:
    """`fault` is a file with one word: ``hang``, ``repeat`` or ``unplug``; empty or missing: all is well."""

    about: About

    def __init__(self, world: str, fault: str) -> None:
        self._world, self._fault, self._felt = World(Path(world)), Path(fault), Felt()
        self._index, self._last = 0, self._felt.draw((), 0)
        self._check()
        self.about = {"model": "the world", "adjusts": False}

    def grab(self) -> Shot | None:
        time.sleep(1 / FPS)
        word, t = self._check(), now()
        if word == "hang":
            threading.Event().wait()
        if word != "repeat":
            self._index += 1
            self._last = self._felt.draw(self._world.shown(t), self._index)
        return Shot(self._last, t)

    def hold(self) -> bool:
        return False

    def loosen(self) -> None: ...

    def close(self) -> None: ...

    def _check(self) -> str:
        word = self._fault.read_text() if self._fault.exists() else ""
        if word == "unplug":
            raise CameraLost("there is no camera; is it plugged in?", "absent")
        return word
