"""OpenCV's VideoCapture and a camera's controls, with the ways to fail that USB cameras were seen to have."""

from __future__ import annotations

import threading
import time
from typing import Any, ClassVar

import cv2
import numpy as np

import device.cameras.usb
from device.cameras.usb import UsbDriver
from device.cameras.v4l import Control
from vision.frame import Picture

GOOD = 120


class FakeVideo:
    """Drifting grey pictures; after `GOOD`, enough for an exposure to settle, it fails in the way that `fault` names.

    unplugged: `read` says no, and the node is gone; lying: success with the last picture, and the node is gone;
    repeats: success with the last picture and its time; frozen: the same picture with new times; hang: `read` never
    returns; no: it says no; empty: success without a picture; raises: no bytes
    of one; busy: it does not open; unstamped: pictures have no time.
    """

    fault: ClassVar[str] = ""

    def __init__(self, path: str, backend: int) -> None:
        assert backend == cv2.CAP_V4L2, "another backend would open files and network addresses too"
        self.asked: list[tuple[int, float]] = []
        self.n = 0
        self.at = 0.0
        self.released = False

    def isOpened(self) -> bool:
        return self.fault != "busy"

    def set(self, key: int, value: float) -> bool:
        self.asked.append((key, value))
        return True

    def get(self, key: int) -> float:
        told = dict(self.asked)
        if key == cv2.CAP_PROP_POS_MSEC:
            return 0.0 if self.fault == "unstamped" else self.at * 1000
        return told.get(key, 0.0)

    def read(self) -> tuple[bool, Picture | None]:
        time.sleep(0.005)
        self.n += 1
        bad = self.n > GOOD
        if bad and self.fault == "hang":
            threading.Event().wait()
        if bad and self.fault in ("no", "unplugged"):
            return False, None
        if bad and self.fault == "raises":
            raise cv2.error("(-215:Assertion failed) !buf.empty() in function 'imdecode_'")
        if bad and self.fault == "empty":
            return True, np.zeros((0, 0, 3), np.uint8)
        stuck = bad and self.fault in ("repeats", "frozen", "lying")
        if not (stuck and self.fault in ("repeats", "lying")):
            self.at = time.monotonic()
        return True, np.full((48, 64, 3), 20 + (GOOD if stuck else self.n) % 200, dtype=np.uint8)

    def release(self) -> None:
        self.released = True


class FakeControls:
    """A camera with an exposure, a white balance and a focus."""

    def __init__(self, path: str) -> None:
        self.values = dict.fromkeys(Control, 100)
        self.refuses: set[Control] = set()

    def get(self, control: Control) -> int | None:
        return None if control in self.refuses else self.values[control]

    def set(self, control: Control, value: int) -> bool:
        if control in self.refuses:
            return False
        self.values[control] = value
        return True

    def close(self) -> None: ...


class FakedUsbDriver(UsbDriver):
    """`UsbDriver` in a process whose OpenCV and whose controls are the fakes; any path is a camera."""

    def __init__(self, fault: str = "", **options: Any) -> None:
        FakeVideo.fault = fault
        cv2.VideoCapture = FakeVideo  # type: ignore[assignment, misc]
        device.cameras.usb.Controls = FakeControls  # type: ignore[assignment, misc]
        device.cameras.usb.path_of = lambda device: "/dev/null"  # type: ignore[assignment]
        super().__init__(**options)

    def grab(self) -> Any:
        if self._video.n >= GOOD and FakeVideo.fault in ("unplugged", "lying"):
            self._path = "/dev/gone"
        return super().grab()
