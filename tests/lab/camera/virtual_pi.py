"""The real picamera2 on libcamera's virtual camera: what stands in for the parts of a Raspberry Pi that it lacks."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any
from unittest.mock import MagicMock

from device.cameras.driver import Shot
from device.cameras.pi import PiDriver

STAND_INS = ("prctl", "pykms", "kms", "pidng", "pidng.core", "pidng.camdefs", "pidng.defs")
"""Process names, display and raw files: imported by picamera2, not used by a camera that is only looked through."""


class VirtualPiDriver(PiDriver):
    """`PiDriver` with nothing of it replaced; after `good` pictures it fails as `fault` says.

    stall: libcamera gives no more pictures; hang: the process stands still; dies: it is gone.
    """

    def __init__(self, fault: str = "", good: int = 20, **options: Any) -> None:
        self._fault, self._good, self._n = fault, good, 0
        super().__init__(**options)

    def grab(self) -> Shot | None:
        self._n += 1
        if self._n == self._good + 1:
            if self._fault == "stall":
                self._camera.camera.stop()
            elif self._fault:
                os.kill(os.getpid(), {"hang": signal.SIGSTOP, "dies": signal.SIGKILL}[self._fault])
        return super().grab()

    def _opened(self, number: int) -> Any:
        stand_in()
        camera = super()._opened(number)
        allocators: Any = importlib.import_module("picamera2.allocators")
        camera.allocator = allocators.LibcameraAllocator(camera.camera)  # there is no memory of a graphics chip
        return camera


def stand_in() -> None:
    """Make `import picamera2` work here; it asks every camera for modes of raw pictures, which this one has not."""
    for name in STAND_INS:
        sys.modules.setdefault(name, MagicMock())
    library: Any = importlib.import_module("picamera2.picamera2")
    library.Picamera2._get_raw_modes = lambda self: [{"format": "NV12", "size": (1280, 720)}]
