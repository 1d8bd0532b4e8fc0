"""The real picamera2 on libcamera's virtual camera: what stands in for the parts of a Raspberry Pi that it lacks."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any

from device.cameras.driver import Shot
from device.cameras.pi import PiDriver


class VirtualPiDriver(PiDriver):
    """`PiDriver` with nothing of it replaced; after `good` pictures it fails as `fault` says.

    stall: libcamera gives no more pictures; hang: the process stands still; dies: it is gone.
    """

    def __init__(self, fault: str = "", good: int = 20, **options: Any) -> None:
        self._fault, self._good, self._n = fault, good, 0
        super().__init__(**options)
        self._full_range = True  # it says Rec. 709, and passes on the full range of the JPEG files that it plays

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
    """picamera2 asks every camera for modes of raw pictures, which this one has not."""
    library: Any = importlib.import_module("picamera2.picamera2")
    library.Picamera2._get_raw_modes = lambda self: [{"format": "NV12", "size": (1280, 720)}]


def doctor() -> int:
    """`pietjesoog doctor` for this camera; every other line of it is as it always is."""
    from device.cameras.pi import PiCamera
    from device.cli import main

    PiCamera.driver = "virtual_pi:VirtualPiDriver"
    return main(["doctor", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(doctor())
