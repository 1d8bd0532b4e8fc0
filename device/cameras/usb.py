"""A USB camera through Video4Linux: motion JPEG, because raw pictures do not fit through USB 2 at full size."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np

from device.cameras import CameraLost
from device.cameras.pump import Pump
from vision.frame import Frame, Picture

os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")  # seconds; OpenCV waits ten by default
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")


class UsbDriver:
    """One opened `cv2.VideoCapture`; raises `CameraLost` where there is no such camera."""

    def __init__(self, device: str, width: int, height: int, fps: int) -> None:
        self._device = device
        source: int | str = int(device) if device.isdigit() else device
        path = f"/dev/video{device}" if device.isdigit() else device
        if not os.path.exists(path):
            raise CameraLost(f"there is no camera {path}; is it plugged in?", "absent")
        self._video = cv2.VideoCapture(source, cv2.CAP_V4L2)
        if not self._video.isOpened():
            self._video.release()
            raise CameraLost(f"the camera {path} cannot be opened; another program may have it", "busy")
        self._video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._video.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._video.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._video.set(cv2.CAP_PROP_FPS, fps)
        self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._video.set(cv2.CAP_PROP_AUTOFOCUS, 0)

    def grab(self) -> Picture | None:
        ok, picture = self._video.read()
        if not ok or picture is None:
            if not self._video.isOpened():
                raise CameraLost(f"the camera {self._device} went away; is it plugged in?", "absent")
            return None
        return np.asarray(picture, dtype=np.uint8)

    def close(self) -> None:
        self._video.release()


class UsbCamera:
    """Frames of the USB camera `device`: a number (0 is /dev/video0) or a path such as /dev/v4l/by-id/…."""

    def __init__(
        self,
        device: str = "0",
        *,
        width: int = 1280,
        height: int = 720,
        fps: int = 30,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = f"USB camera {device}"
        self._pump = Pump(self.name, lambda: UsbDriver(device, width, height, fps), clock=clock)

    def frames(self) -> Iterator[Frame]:
        return self._pump.frames()

    def close(self) -> None:
        self._pump.close()
