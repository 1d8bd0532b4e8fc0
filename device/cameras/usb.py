"""A USB camera through Video4Linux: motion JPEG, because raw pictures do not fit through USB 2 at full size."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable

import cv2
import numpy as np

from device.cameras import CameraLost
from device.cameras.apart import ApartCamera, Patience
from device.cameras.driver import About, Shot
from device.cameras.exposure import SETTLE_S
from device.cameras.v4l import Control, Controls, plugged

AUTO = "auto"
MOST_AGE_S = 60.0  # a stamp further from now is of another clock
TELL_EVERY_S = 2.0
_BY_HAND, _BY_ITSELF = 1, 3
_LINE = {50: 1, 60: 2}


class UsbDriver:
    """One opened `cv2.VideoCapture`; raises `CameraLost` where there is no such camera.

    `focus_step` is in the camera's own steps; below 0 it finds its focus while the exposure settles, and keeps it.
    """

    about: About

    def __init__(
        self,
        device: str = AUTO,
        width: int = 1280,
        height: int = 720,
        fps: int = 15,
        focus_step: int = -1,
        flicker_hz: int = 50,
    ) -> None:
        self._path = path_of(device)
        self._focus_step = focus_step
        self._stamped: bool | None = None
        self._last_ms = 0.0
        self._told_at = 0.0
        self._controls = self._controlled()
        self._video = cv2.VideoCapture(self._path, cv2.CAP_V4L2)
        if not self._video.isOpened():
            self.close()
            raise CameraLost(f"the camera {self._path} cannot be opened; another program may have it", "busy")
        self._set_up(width, height, fps, flicker_hz)

    def grab(self) -> Shot | None:
        try:
            ok, picture = self._video.read()
        except cv2.error:  # a picture of no bytes, as cheap cameras give now and then
            ok, picture = False, None
        if not ok or picture is None or not picture.size:
            self._must_be_there()
            return None
        t = self._taken()
        if t is None:
            return None
        if picture.ndim == 2:
            picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
        return Shot(np.asarray(picture, dtype=np.uint8), t, about=self._told())

    def hold(self) -> bool:
        """Fix what was found; a camera that tells no exposure is left to itself."""
        found = self._controls.get(Control.EXPOSURE)
        if found is None or not self._controls.set(Control.EXPOSURE_AUTO, _BY_HAND):
            return False
        self._controls.set(Control.EXPOSURE, found)
        self._fix(Control.WHITE_BALANCE_AUTO, Control.WHITE_BALANCE)
        if self._focus_step < 0:
            self._fix(Control.FOCUS_AUTO, Control.FOCUS)
        return True

    def loosen(self) -> None:
        self._controls.set(Control.EXPOSURE_AUTO, _BY_ITSELF)
        self._controls.set(Control.WHITE_BALANCE_AUTO, 1)

    def close(self) -> None:
        video = getattr(self, "_video", None)
        if video is not None:
            video.release()
        self._controls.close()

    def _controlled(self) -> Controls:
        try:
            return Controls(self._path)
        except FileNotFoundError as fault:
            raise CameraLost(f"there is no camera {self._path}; is it plugged in?", "absent") from fault
        except PermissionError as fault:
            raise CameraLost(
                f"the camera {self._path} may not be used; add the user to the group video", "busy"
            ) from fault
        except OSError as fault:
            raise CameraLost(f"the camera {self._path} cannot be opened ({fault.strerror})", "busy") from fault

    def _set_up(self, width: int, height: int, fps: int, flicker_hz: int) -> None:
        video, controls = self._video, self._controls
        video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        video.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        video.set(cv2.CAP_PROP_FPS, fps)
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        controls.set(Control.POWER_LINE, _LINE.get(flicker_hz, 0))
        controls.set(Control.EXPOSURE_SLOWS, 0)
        adjusts = controls.set(Control.EXPOSURE_AUTO, _BY_ITSELF)
        controls.set(Control.WHITE_BALANCE_AUTO, 1)
        if self._focus_step < 0:
            controls.set(Control.FOCUS_AUTO, 1)
        else:
            controls.set(Control.FOCUS_AUTO, 0)
            controls.set(Control.FOCUS, self._focus_step)
        code = int(video.get(cv2.CAP_PROP_FOURCC)) & 0xFFFFFFFF
        self.about = {
            "model": next((one.name for one in plugged() if one.path == os.path.realpath(self._path)), self._path),
            "width": int(video.get(cv2.CAP_PROP_FRAME_WIDTH)),
            "height": int(video.get(cv2.CAP_PROP_FRAME_HEIGHT)),
            "fps": int(video.get(cv2.CAP_PROP_FPS)),
            "pixels": code.to_bytes(4, "little").decode("ascii", "replace").strip("\0 "),
            "adjusts": adjusts,
            "focuses": controls.get(Control.FOCUS) is not None,
        }

    def _taken(self) -> float | None:
        """When the kernel had the picture, on the monotonic clock; None where it is the one before once more."""
        now, stamp_ms = time.monotonic(), float(self._video.get(cv2.CAP_PROP_POS_MSEC))
        if self._stamped is None:
            self._stamped = stamp_ms > 0 and 0 <= now - stamp_ms / 1000 < MOST_AGE_S
        if not self._stamped:
            return now
        if stamp_ms <= self._last_ms:
            self._must_be_there()
            return None
        self._last_ms = stamp_ms
        return stamp_ms / 1000

    def _must_be_there(self) -> None:
        """The node in /dev goes away with the camera."""
        if not os.path.exists(self._path):
            raise CameraLost(f"the camera {self._path} went away; is it plugged in?", "absent")

    def _fix(self, auto: Control, value: Control) -> None:
        found = self._controls.get(value)
        if self._controls.set(auto, 0) and found is not None:
            self._controls.set(value, found)

    def _told(self) -> About:
        """Asking a camera takes it some milliseconds, so not for every picture."""
        if time.monotonic() - self._told_at < TELL_EVERY_S:
            return {}
        self._told_at = time.monotonic()
        told = {"exposure": Control.EXPOSURE, "gain": Control.GAIN, "focus_step": Control.FOCUS}
        values = {name: self._controls.get(control) for name, control in told.items()}
        return {name: value for name, value in values.items() if value is not None}


def path_of(device: str) -> str:
    """The node of `device`: a number, a path, or `auto` for the first USB camera; raises `CameraLost` without one."""
    if device == AUTO:
        cameras = plugged()
        if not cameras:
            raise CameraLost("no USB camera was found; is it plugged in?", "absent")
        return cameras[0].path
    path = f"/dev/video{device}" if device.isdigit() else device
    try:
        is_node = stat.S_ISCHR(os.stat(path).st_mode)
    except OSError as fault:
        raise CameraLost(f"there is no camera {path}; is it plugged in?", "absent") from fault
    if not is_node:
        raise CameraLost(f"{path} is no camera; cameras are /dev/video0 and the like", "absent")
    return path


class UsbCamera(ApartCamera):
    """Frames of the USB camera `device`: auto, a number (0 is /dev/video0) or a path such as /dev/v4l/by-id/…."""

    def __init__(
        self,
        device: str = AUTO,
        *,
        width: int = 1280,
        height: int = 720,
        fps: int = 15,
        focus_step: int = -1,
        flicker_hz: int = 50,
        patience: Patience | None = None,
        settle_s: float = SETTLE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        options = {
            "device": device,
            "width": width,
            "height": height,
            "fps": fps,
            "focus_step": focus_step,
            "flicker_hz": flicker_hz,
        }
        super().__init__(
            "USB camera" if device == AUTO else f"USB camera {device}",
            "device.cameras.usb:UsbDriver",
            options,
            patience=patience,
            settle_s=settle_s,
            clock=clock,
        )
