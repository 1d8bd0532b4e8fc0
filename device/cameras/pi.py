"""The Raspberry Pi's own camera through picamera2, which comes with the system and is imported only when asked for."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from device.cameras import CameraLost
from device.cameras.pump import Pump
from vision.frame import Frame, Picture

WAIT_S = 1.0  # picamera2 waits for ever unless told
STALE_S = 1.0  # the first picture after a stall can be one from before it
SETTLE_FRAMES = 45  # exposure and white balance find their place, then stay
FLICKER_US = 10_000  # mains light at 50 Hz flickers every 10 ms


def _picamera2() -> ModuleType:
    try:
        return importlib.import_module("picamera2")
    except ImportError as fault:
        raise CameraLost(
            f"the Pi camera needs picamera2, which is not here ({fault}); on a Raspberry Pi: "
            "sudo apt install python3-picamera2, and a virtual environment made with --system-site-packages",
            "no_library",
        ) from fault


class PiDriver:
    """One opened `Picamera2`, manual focus where it can; exposure and white balance are held once settled."""

    def __init__(self, number: int, width: int, height: int, fps: int, focus_m: float | None) -> None:
        module = _picamera2()
        self._seen = 0
        try:
            self._camera: Any = module.Picamera2(number)
        except (RuntimeError, IndexError) as fault:
            raise CameraLost(f"the Pi camera {number} cannot be opened ({fault}); check its cable", "absent") from fault
        try:
            self._set_up(width, height, fps, focus_m)
        except Exception as fault:
            self._camera.close()  # else nobody can open it again
            raise CameraLost(f"the Pi camera {number} cannot be set up ({fault})", "absent") from fault

    def grab(self) -> Picture | None:
        try:
            request = self._camera.capture_request(wait=WAIT_S)
        except TimeoutError:
            return None
        except RuntimeError as fault:
            raise CameraLost(f"the Pi camera stopped ({fault})", "silent") from fault
        try:
            metadata = request.get_metadata()
            picture = np.array(request.make_array("main"), dtype=np.uint8)
        finally:
            request.release()
        taken = metadata.get("SensorTimestamp")
        if isinstance(taken, int) and time.clock_gettime(time.CLOCK_BOOTTIME) - taken / 1e9 > STALE_S:
            return None
        self._seen += 1
        if self._seen == SETTLE_FRAMES:
            self._hold(metadata)
        return picture

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()

    def _set_up(self, width: int, height: int, fps: int, focus_m: float | None) -> None:
        self._camera.configure(
            self._camera.create_video_configuration(
                main={"size": (width, height), "format": "RGB888"},  # picamera2 says RGB888 and means BGR in memory
                controls={"FrameRate": float(fps)},
                buffer_count=4,
            )
        )
        self._set(AeFlickerMode=1, AeFlickerPeriod=FLICKER_US)
        if focus_m is not None:
            self._set(AfMode=0, LensPosition=1.0 / focus_m)
        self._camera.start()

    def _hold(self, metadata: dict[str, Any]) -> None:
        """Fix what was found, so that a hand over the board changes nothing."""
        if "ExposureTime" in metadata and "AnalogueGain" in metadata:
            self._set(AeEnable=False, ExposureTime=metadata["ExposureTime"], AnalogueGain=metadata["AnalogueGain"])
        if "ColourGains" in metadata:
            self._set(AwbEnable=False, ColourGains=metadata["ColourGains"])

    def _set(self, **controls: Any) -> None:
        """Only what this camera advertises: an unknown control is an error in libcamera."""
        known = getattr(self._camera, "camera_controls", {})
        if wanted := {name: value for name, value in controls.items() if name in known}:
            self._camera.set_controls(wanted)


class PiCamera:
    """Frames of the Pi's camera `number`; `focus_m`: metres from lens to felt, None leaves the focus alone."""

    def __init__(
        self,
        number: int = 0,
        *,
        width: int = 1280,
        height: int = 720,
        fps: int = 30,
        focus_m: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = f"Pi camera {number}"
        self._pump = Pump(self.name, lambda: PiDriver(number, width, height, fps, focus_m), clock=clock)

    def frames(self) -> Iterator[Frame]:
        return self._pump.frames()

    def close(self) -> None:
        self._pump.close()
