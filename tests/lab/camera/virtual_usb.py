"""The real OpenCV on a pretended Video4Linux camera: the kernel's side of it is in v4l.c."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from device.cameras.driver import Shot
from device.cameras.usb import UsbDriver


class VirtualUsbDriver(UsbDriver):
    """`UsbDriver` with nothing of it replaced; after `good` pictures the camera fails as `fault` says (see v4l.c)."""

    def __init__(self, fault: str = "", good: int = 20, **options: Any) -> None:
        self._fault, self._good, self._n = fault, good, 0
        node = Path(tempfile.mkdtemp(prefix="v4l-")) / "video0"
        os.mknod(node, 0o20600, os.makedev(1, 3))  # any character device: what opens it is ours
        os.environ["V4L_NODE"], os.environ["V4L_FRAMES"] = str(node), os.environ.get("V4L_FRAMES", "/opt/lab/frames")
        if fault == "busy":
            os.environ["V4L_FAULT"] = fault
        super().__init__(device=str(node), **options)

    def grab(self) -> Shot | None:
        self._n += 1
        if self._n == self._good + 1:
            os.environ["V4L_FAULT"] = self._fault
        return super().grab()
