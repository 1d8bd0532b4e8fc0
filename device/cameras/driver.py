"""One opened camera as its own process uses it; what it gives and what it can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from vision.frame import Picture

About = Mapping[str, str | int | float | bool]


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture (BGR) taken at `t` seconds of the monotonic clock; `small` is the same scene from a second stream.

    `about` is what the camera told of this picture, for people: exposure_us, gain, focus_m.
    """

    picture: Picture
    t: float
    small: Picture | None = None
    about: About = field(default_factory=dict)


class Driver(Protocol):
    """One opened camera, used by one thread; its constructor opens it. Any call may raise `CameraLost`, or hang."""

    about: About
    """What was opened: model, width, height, fps, and `adjusts` where it has an exposure of its own to settle."""

    def grab(self) -> Shot | None:
        """The next picture, None where this try gave none."""

    def hold(self) -> bool:
        """Fix exposure, white balance and focus as they are now; False where this camera cannot."""

    def loosen(self) -> None:
        """Let the camera find its exposure and white balance again."""

    def close(self) -> None: ...
