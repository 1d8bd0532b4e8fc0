"""One picture, when it was taken and where it came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]  # BGR, height × width × 3


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture with its time in seconds of one monotonic clock; `source` says where it came from, for people.

    `small` is the same picture as small as the gate looks at it (`vision.gate.SMALL_PIXELS`, BGR), where the camera
    gives it beside the large one.
    """

    picture: Picture
    t: float
    source: str = ""
    index: int = 0
    small: Picture | None = None
