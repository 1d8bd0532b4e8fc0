"""The dice of the latest throws as small pictures, to be shown beside the faces read. Memory only, never stored."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from device.film_roll import as_jpeg
from device.snapshot import Snapshot
from scorer.events import Face
from vision.frame import Frame
from vision.reading import BoardReading, DieReading

SIDE = 112  # pixels of the shown picture
AROUND = 0.12  # of the die's box, left around it
QUALITY = 82
MOST_THROWS = 12  # kept at a time
Number = tuple[int, int]  # which throw, as `Snapshot.throw` has it


@dataclass(frozen=True)
class Cut:
    """One die as it was seen: `name` asks for its picture, `face` was read, `second` would be the next guess."""

    name: str
    face: Face | None
    second: Face | None


class Cutouts:
    """Keeps the latest throws; names are never used twice, so that a browser shows no old picture for a new one.

    >>> Cutouts().names((0, 0))
    ()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version = 0
        self._throws: dict[Number, tuple[Cut, ...]] = {}
        self._pictures: dict[str, bytes] = {}

    def names(self, throw: Number) -> tuple[str, ...]:
        """The pictures of that throw (`Snapshot.throw`); none where it was entered by hand."""
        return tuple(cut.name for cut in self.cuts(throw))

    def cuts(self, throw: Number) -> tuple[Cut, ...]:
        """The dice of that throw as they were read, faces ascending, those without a face last."""
        with self._lock:
            return self._throws.get(throw, ())

    def get(self, name: str) -> bytes | None:
        """The JPEG of that name; None once it was let go."""
        with self._lock:
            return self._pictures.get(name)

    def keep(self, throw: Number, frame: Frame, reading: BoardReading) -> None:
        """Cut the dice of `reading` out of the frame they were read in, in the order in which faces are shown."""
        dice = sorted(reading.dice, key=lambda die: (die.face is None, die.face or 0))
        cut = [(die, jpeg) for die in dice if (jpeg := _cut(frame, die)) is not None]
        with self._lock:
            self._version += 1
            self._forget(throw)
            self._throws[throw] = tuple(
                Cut(f"{self._version}-{n}", die.face, die.second) for n, (die, _) in enumerate(cut)
            )
            self._pictures |= {f"{self._version}-{n}": jpeg for n, (_, jpeg) in enumerate(cut)}
            while len(self._throws) > MOST_THROWS:
                self._forget(next(iter(self._throws)))

    def follow(self, now: Snapshot) -> None:
        """Let go of what is not on the table any more: another game, throws that were undone."""
        begun, number = now.throw
        with self._lock:
            for throw in [throw for throw in self._throws if throw[0] != begun or throw[1] > number]:
                self._forget(throw)

    def _forget(self, throw: Number) -> None:
        for cut in self._throws.pop(throw, ()):
            self._pictures.pop(cut.name, None)


def paired(cuts: Sequence[Cut], dice: Sequence[Face | None]) -> list[Cut | None]:
    """The picture of each die, those read as they are shown first; None where there is none left.

    >>> [cut and cut.name for cut in paired([Cut("a", 1, 4), Cut("b", 5, None)], [5, 4, 6])]
    ['b', 'a', None]
    """
    left, found = list(cuts), list[Cut | None]()
    for face in dice:
        cut = next((cut for cut in left if cut.face == face), None)
        if cut is not None:
            left.remove(cut)
        found.append(cut)
    return [cut if cut is not None or not left else left.pop(0) for cut in found]


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
    return as_jpeg(np.asarray(cv2.resize(piece, size, interpolation=how), np.uint8), QUALITY)
