"""The dice of the latest throw as small pictures, to be shown beside the faces read. Memory only, never stored."""

from __future__ import annotations

import threading

import cv2
import numpy as np

from vision.frame import Frame
from vision.reading import BoardReading, DieReading

SIDE = 112  # pixels of the shown picture
AROUND = 0.12  # of the die's box, left around it
QUALITY = 82


class Cutouts:
    """Keeps one set at a time; `names` say which, so that a browser never shows an old one for a new.

    >>> Cutouts().names((0, 0))
    ()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version = 0
        self._throw = (0, 0)
        self._kept: dict[str, bytes] = {}

    def names(self, throw: tuple[int, int]) -> tuple[str, ...]:
        """The pictures of that throw (`Snapshot.throw`); none where it was entered by hand."""
        with self._lock:
            return tuple(self._kept) if throw == self._throw else ()

    def get(self, name: str) -> bytes | None:
        """The JPEG of that name; None once another throw was kept."""
        with self._lock:
            return self._kept.get(name)

    def keep(self, throw: tuple[int, int], frame: Frame, reading: BoardReading) -> None:
        """Cut the dice of `reading` out of the frame they were read in, in the order in which faces are shown."""
        dice = sorted(reading.dice, key=lambda die: (die.face is None, die.face or 0))
        cut = [jpeg for die in dice if (jpeg := _cut(frame, die)) is not None]
        with self._lock:
            self._version += 1
            self._throw = throw
            self._kept = {f"{self._version}-{n}": jpeg for n, jpeg in enumerate(cut)}


def _cut(frame: Frame, die: DieReading) -> bytes | None:
    height, width = frame.picture.shape[:2]
    x1, y1, x2, y2 = die.box
    half = max(x2 - x1, y2 - y1) * (0.5 + AROUND)
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    left, top = max(0, round(x - half)), max(0, round(y - half))
    piece = frame.picture[top : min(height, round(y + half)), left : min(width, round(x + half))]
    if not piece.size:
        return None
    scale = SIDE / max(piece.shape[:2])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = (max(1, round(piece.shape[1] * scale)), max(1, round(piece.shape[0] * scale)))
    done, jpeg = cv2.imencode(".jpg", cv2.resize(piece, size, interpolation=how), _JPEG)
    return np.asarray(jpeg).tobytes() if done else None


_JPEG = [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY]
