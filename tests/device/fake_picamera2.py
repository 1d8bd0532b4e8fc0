"""As much of picamera2 as a camera here uses, with the ways to fail that the real one was seen to have."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from device.cameras.pi import PiDriver
from vision.frame import Picture

ADVERTISED = ("FrameDurationLimits", "ExposureTime", "AnalogueGain", "AeFlickerMode", "AeFlickerPeriod")
PADDING = 6  # bytes at the end of each row of a planar stream


class FakePicamera2:
    """Drifting grey pictures; after `good` of them it fails in the way that `fault` names.

    stall: `capture_request` times out; blocks: it never returns; old: its pictures are from before; frozen: they are
    alike; error: it raises; one_old: the first one after a stall is from before; unset: no configuration is taken;
    taken: somebody has the camera; none: there is no camera.
    """

    made: ClassVar[list[FakePicamera2]] = []
    fault: ClassVar[str] = ""
    good: ClassVar[int] = 120
    advertised: ClassVar[tuple[str, ...]] = ADVERTISED
    pixels: ClassVar[tuple[str, str]] = ("RGB888", "YUV420")
    small: ClassVar[tuple[int, int] | None] = None

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [] if FakePicamera2.fault == "none" else [{"Model": "imx708", "Num": 0}]

    def __init__(self, number: int = 0) -> None:
        if self.fault == "taken" or any(not other.closed for other in self.made):
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.made.append(self)
        self.camera_controls = dict.fromkeys(self.advertised, (0, 1, 0))
        self.camera_properties = {"Model": "imx708"}
        self.controls: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []
        self.released = self.n = 0
        self.closed = self.started = False

    def create_video_configuration(self, **told: Any) -> dict[str, Any]:
        return told

    def configure(self, told: dict[str, Any]) -> None:
        if self.fault == "unset":
            raise RuntimeError("Invalid camera configuration")
        self.set_controls(told["controls"])
        self._set = {name: dict(told[name]) for name in ("main", "lores")}
        for name, pixels in zip(("main", "lores"), self.pixels, strict=True):
            self._set[name]["format"] = pixels
        if self.small is not None:
            self._set["lores"]["size"] = self.small

    def camera_configuration(self) -> dict[str, Any]:
        return {**self._set, "colour_space": "<ColorSpace 'sYCC'>"}

    def start(self) -> None:
        self.started = True

    def set_controls(self, told: dict[str, Any]) -> None:
        for name in told:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls |= told
        self.asked.append(told)

    def capture_request(self, wait: float) -> FakePicamera2:
        time.sleep(0.005)
        self.n += 1
        bad = self.n > self.good
        if bad and self.fault == "stall":
            time.sleep(min(wait, 0.02))
            raise TimeoutError
        if bad and self.fault == "blocks":
            threading.Event().wait()
        if bad and self.fault == "error":
            raise RuntimeError("camera went away")
        if bad and self.fault == "dies":
            os.kill(os.getpid(), signal.SIGSEGV)
        return self

    def get_metadata(self) -> dict[str, Any]:
        old = (self.fault == "old" and self.n > self.good) or (self.fault == "one_old" and self.n == self.good)
        stamp = time.monotonic_ns() - (5_000_000_000 if old else 0)
        return {"SensorTimestamp": stamp, "ExposureTime": 9000, "AnalogueGain": 2.0, "LensPosition": 2.0, "AfState": 2}

    def make_array(self, name: str) -> Picture:
        width, height = self._set[name]["size"]
        shown = self.good if self.fault == "frozen" and self.n > self.good else self.n
        grey = 20 + shown % 200
        pixels = self._set[name]["format"]
        if pixels in ("YUV420", "NV12"):
            planes = np.full((height * 3 // 2, width + PADDING), 128, dtype=np.uint8)
            planes[:height] = grey
            return planes
        return np.full((height, width, 3), grey, dtype=np.uint8)

    def release(self) -> None:
        self.released += 1

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        self.closed = True


def module(kind: type[FakePicamera2] = FakePicamera2) -> ModuleType:
    """What `import picamera2` gives."""
    made = ModuleType("picamera2")
    made.Picamera2 = kind  # type: ignore[attr-defined]
    return made


class FakedPiDriver(PiDriver):
    """`PiDriver` in a process whose picamera2 is the fake; `fault` is how that one fails."""

    def __init__(self, fault: str = "", **options: Any) -> None:
        FakePicamera2.fault = fault
        sys.modules["picamera2"] = module()
        super().__init__(**options)
