"""Where frames come from: one protocol, a file for each kind of camera, a fake beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from device.errors import DeviceError
from vision.frame import Frame


class CameraLost(DeviceError):
    """No usable frame comes any more; the text says what was seen and what helps, `key` its words in the texts."""

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key


class Camera(Protocol):
    """One source of frames; a contract suite runs on every class.

    `frames` may be asked again after `CameraLost`: it opens the camera anew.
    """

    name: str

    def frames(self) -> Iterator[Frame]:
        """Frames with rising `t`; ends after `close` or where a recording ends, raises `CameraLost`."""

    def close(self) -> None:
        """From any thread, any number of times: `frames` ends within a second."""
