"""The Raspberry Pi's own camera through picamera2, which comes with the system and is imported only when asked for."""

from __future__ import annotations

import contextlib
import importlib
import time
from collections.abc import Callable, Mapping
from math import sqrt
from types import ModuleType
from typing import Any

from device.cameras import CameraLost
from device.cameras.apart import ApartCamera, Patience
from device.cameras.driver import About, Shot
from device.cameras.exposure import SETTLE_S
from device.cameras.formats import bgr
from vision.frame import Picture

WAIT_S = 1.0  # picamera2 waits for ever unless told
FOCUS_S = 5.0  # one search for the focus takes about two seconds
SMALL_PIXELS = 320 * 240  # what the gate looks at; a third more or less is as good
_AF_MANUAL, _AF_AUTO, _AF_START, _AF_FOUND, _AF_FAILED = 0, 1, 0, 2, 3
_FLICKER_MANUAL = 1
_AUTO, _MANUAL = 0, 1  # since libcamera 0.5 time and gain are each set free; before, AeEnable did it
_NOISE_FAST = 1


def picamera2() -> ModuleType:
    """The system's library; raises `CameraLost` where it is missing or does not fit."""
    try:
        return importlib.import_module("picamera2")
    except ImportError as fault:
        raise CameraLost(
            f"the Pi camera needs picamera2, which is not here ({fault}); on a Raspberry Pi: "
            "sudo apt install python3-picamera2, and a virtual environment made with --system-site-packages",
            "no_library",
        ) from fault
    except Exception as fault:  # built for another numpy, another libcamera
        raise CameraLost(
            f"picamera2 is here but cannot be loaded ({fault}); `pietjesoog doctor` tells why", "no_library"
        ) from fault


def small_size(width: int, height: int) -> tuple[int, int]:
    """Width and height, both even, of the second stream for the gate.

    >>> small_size(1280, 720)
    (370, 208)
    """
    scale = max(1.0, sqrt(width * height / SMALL_PIXELS))
    return 2 * round(width / scale / 2), 2 * round(height / scale / 2)


class PiDriver:
    """One opened `Picamera2` with a main and a small stream; `focus_m` 0 searches the focus once and keeps it.

    `flicker_hz` is the mains frequency: its light flickers at twice that.
    """

    about: About

    def __init__(
        self,
        number: int = 0,
        width: int = 1280,
        height: int = 720,
        fps: int = 15,
        focus_m: float = 0.0,
        flicker_hz: int = 50,
    ) -> None:
        self._focus_m, self._flicker_hz = focus_m, flicker_hz
        self._metadata: Mapping[str, Any] = {}
        self._camera = self._opened(number)
        try:
            self._set_up(width, height, fps)
        except Exception as fault:
            self._camera.close()  # else nobody can open it again
            raise CameraLost(f"the Pi camera {number} cannot be set up ({fault})", "absent") from fault

    def grab(self) -> Shot | None:
        try:
            request = self._camera.capture_request(wait=WAIT_S)
        except TimeoutError:
            return None
        except RuntimeError as fault:
            raise CameraLost(f"the Pi camera stopped ({fault})", "silent") from fault
        try:
            self._metadata = request.get_metadata()
            picture = self._picture(request, "main")
            small = self._picture(request, "lores") if self._has_small else None
        finally:
            request.release()
        if picture is None:
            raise CameraLost(f"the Pi camera gives pictures of an unknown kind ({self._streams['main'][0]})", "absent")
        return Shot(picture, self._taken(), small, self._told())

    def hold(self) -> bool:
        """Fix what was found, so that a hand over the board changes nothing."""
        told = self._metadata
        found = {key: told[key] for key in ("ExposureTime", "AnalogueGain") if key in told}
        held = self._set(AeEnable=False, ExposureTimeMode=_MANUAL, AnalogueGainMode=_MANUAL, **found)
        if "ColourGains" in told:
            self._set(AwbEnable=False, ColourGains=told["ColourGains"])
        return held

    def loosen(self) -> None:
        self._set(AeEnable=True, ExposureTimeMode=_AUTO, AnalogueGainMode=_AUTO, ExposureTime=0, AnalogueGain=0.0)
        self._set(AwbEnable=True)

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()

    def _opened(self, number: int) -> Any:
        """A `Picamera2`; told apart: no camera at all, no such number, one that somebody else has."""
        kind = picamera2().Picamera2
        cameras = kind.global_camera_info()
        if not cameras:
            raise CameraLost("no Pi camera was found; switch off and check both ends of its flat cable", "absent")
        if number >= len(cameras):
            numbers = " and ".join(str(n) for n in range(len(cameras)))
            raise CameraLost(f"there is no Pi camera {number}; there is {numbers}", "absent")
        try:
            return kind(number)
        except (RuntimeError, IndexError) as fault:
            raise CameraLost(
                f"the Pi camera {number} cannot be opened; another program may have it ({fault})", "busy"
            ) from fault

    def _set_up(self, width: int, height: int, fps: int) -> None:
        camera = self._camera
        frame_us = round(1e6 / fps)
        streams = {
            "main": {"size": (width, height), "format": "RGB888"},  # picamera2 says RGB888 and means BGR in memory
            "lores": {"size": small_size(width, height), "format": "YUV420"},
            "controls": self._known(FrameDurationLimits=(frame_us, frame_us), NoiseReductionMode=_NOISE_FAST),
            "buffer_count": 4,
            "display": None,
            "encode": None,
        }
        with contextlib.suppress(ImportError, AttributeError):  # full range: black is 0 in the small stream too
            streams["colour_space"] = importlib.import_module("libcamera").ColorSpace.Sycc()
        camera.configure(camera.create_video_configuration(**streams))
        got = camera.camera_configuration()
        self._full_range = str(got.get("colour_space")).lower().find("sycc") >= 0
        self._streams = {
            name: (str(got[name]["format"]), tuple(got[name]["size"])) for name in ("main", "lores") if got.get(name)
        }
        main_width, main_height = self._streams["main"][1]
        small = self._streams.get("lores", ("", (0, 0)))[1]
        # a camera that has no such stream gives another size
        self._has_small = 0.7 * SMALL_PIXELS < small[0] * small[1] < 1.4 * SMALL_PIXELS and (
            abs(small[0] * main_height - small[1] * main_width) < 0.02 * small[0] * main_height
        )
        properties = getattr(camera, "camera_properties", {})
        self.about = {
            "model": str(properties.get("Model", "unknown")),
            "width": main_width,
            "height": main_height,
            "fps": fps,
            "small": "x".join(map(str, small)) if self._has_small else "none",
            "adjusts": "ExposureTime" in camera.camera_controls,
            "focuses": "LensPosition" in camera.camera_controls,
        }
        if self._flicker_hz:
            self._set(AeFlickerMode=_FLICKER_MANUAL, AeFlickerPeriod=round(1e6 / (2 * self._flicker_hz)))
        if self._focus_m:
            self._set(AfMode=_AF_MANUAL, LensPosition=1.0 / self._focus_m)
        camera.start()
        if not self._focus_m and self.about["focuses"]:
            self._find_focus()

    def _find_focus(self) -> None:
        """One search, then the lens stays where it is: it must not follow a hand."""
        self._set(AfMode=_AF_AUTO, AfTrigger=_AF_START)
        until, found = time.monotonic() + FOCUS_S, None
        while time.monotonic() < until:
            request = self._camera.capture_request(wait=WAIT_S)
            told = request.get_metadata()
            request.release()
            found = told.get("LensPosition", found)
            if told.get("AfState") in (_AF_FOUND, _AF_FAILED):
                break
        if found is not None:
            self._set(AfMode=_AF_MANUAL, LensPosition=found)

    def _picture(self, request: Any, stream: str) -> Picture | None:
        pixels, size = self._streams[stream]
        return bgr(request.make_array(stream), pixels, size, full_range=self._full_range)

    def _taken(self) -> float:
        """When the picture was taken, on the monotonic clock; which clock a driver stamps with differs."""
        now, stamp = time.monotonic(), self._metadata.get("SensorTimestamp")
        if not isinstance(stamp, int):
            return now
        ages = (time.clock_gettime(clock) - stamp / 1e9 for clock in (time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME))
        return now - min(ages, key=abs)

    def _told(self) -> About:
        told, about = self._metadata, dict[str, str | int | float | bool]()
        if "ExposureTime" in told:
            about["exposure_us"] = told["ExposureTime"]
        if "AnalogueGain" in told:
            about["gain"] = round(float(told["AnalogueGain"]), 2)
        if told.get("LensPosition"):
            about["focus_m"] = round(1.0 / float(told["LensPosition"]), 2)
        return about

    def _set(self, **controls: Any) -> bool:
        """Only what this camera advertises: an unknown control is an error in libcamera. False where it has none."""
        if wanted := self._known(**controls):
            self._camera.set_controls(wanted)
        return bool(wanted)

    def _known(self, **controls: Any) -> dict[str, Any]:
        known = getattr(self._camera, "camera_controls", {})
        return {name: value for name, value in controls.items() if name in known}


class PiCamera(ApartCamera):
    """Frames of the Pi's camera `number`; `focus_m`: metres from lens to felt, 0 searches the focus once."""

    driver = "device.cameras.pi:PiDriver"

    def __init__(
        self,
        number: int = 0,
        *,
        width: int = 1280,
        height: int = 720,
        fps: int = 15,
        focus_m: float = 0.0,
        flicker_hz: int = 50,
        patience: Patience | None = None,
        settle_s: float = SETTLE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        options = {
            "number": number,
            "width": width,
            "height": height,
            "fps": fps,
            "focus_m": focus_m,
            "flicker_hz": flicker_hz,
        }
        super().__init__(
            f"Pi camera {number}",
            self.driver,
            options,
            patience=patience,
            settle_s=settle_s,
            clock=clock,
        )
