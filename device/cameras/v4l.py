"""Video4Linux beside OpenCV: which cameras are plugged in, and the controls for which OpenCV has no name."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

SYSFS = Path("/sys/class/video4linux")
_G_CTRL, _S_CTRL = 0xC008561B, 0xC008561C  # _IOWR('V', 27 and 28, struct v4l2_control)
_CONTROL = struct.Struct("=Ii")


class Control(IntEnum):
    """Numbers from linux/v4l2-controls.h."""

    WHITE_BALANCE_AUTO = 0x0098090C
    GAIN = 0x00980913
    POWER_LINE = 0x00980918  # 0 off, 1 is 50 Hz, 2 is 60 Hz
    WHITE_BALANCE = 0x0098091A
    EXPOSURE_AUTO = 0x009A0901  # 1 manual, 3 the camera's own
    EXPOSURE = 0x009A0902
    EXPOSURE_SLOWS = 0x009A0903  # whether the camera may give fewer pictures in the dark
    FOCUS = 0x009A090A
    FOCUS_AUTO = 0x009A090C


@dataclass(frozen=True)
class Plugged:
    """One camera's node in /dev and the name that it gives itself."""

    path: str
    name: str


def plugged(sysfs: Path = SYSFS) -> list[Plugged]:
    """The USB cameras that are there, in the order of their numbers; only the node of each that gives pictures."""
    found = []
    with contextlib.suppress(OSError):
        for entry in sorted(sysfs.glob("video*"), key=lambda path: int("0" + path.name.removeprefix("video"))):
            if "/usb" in os.path.realpath(entry / "device") and _line(entry / "index") == "0":
                found.append(Plugged(f"/dev/{entry.name}", _line(entry / "name")))
    return found


class Controls:
    """A camera's controls by number, over a second opening of the same node; what it has not is left out."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def get(self, control: Control) -> int | None:
        try:
            told = fcntl.ioctl(self._fd, _G_CTRL, _CONTROL.pack(control, 0))
        except OSError:
            return None
        return int(_CONTROL.unpack(told)[1])

    def set(self, control: Control, value: int) -> bool:
        """Whether the camera took it."""
        try:
            fcntl.ioctl(self._fd, _S_CTRL, _CONTROL.pack(control, value))
        except OSError:
            return False
        return True

    def close(self) -> None:
        os.close(self._fd)


def _line(path: Path) -> str:
    with contextlib.suppress(OSError):
        return path.read_text("utf-8", "replace").strip()
    return ""
