"""The last throws as pictures, in memory: what was seen before, while and after the dice rolled, to be looked at again.

Nothing is stored before somebody asks; then one throw becomes a recording like any other.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.film_roll import EvenPlaces, as_jpeg, write_recording
from device.seeing import Seen
from device.waiting import SAME_REST_S
from vision.frame import Frame, Picture
from vision.happenings import ThrowSeen, Unsure
from vision.reading import DieReading
from vision.watcher import State

MOST_THROWS = 12
MOST_BYTES = 24 * 2**20
SHORT_SIDE = 480
"""Pixels of a picture of the roll; the one at rest is kept whole."""
_EVERY_S = 0.099
_ROLL = 24  # pictures: a roll takes a second or two, a hand that shakes them longer
_AFTER_S = (0.4, 1.0, 2.0)
_FINE, _ROUGH = 90, 80  # JPEG quality at rest and while they roll
_MOVES = frozenset({State.HAND, State.ROLLING, State.READING})
_SAVED_FPS = 10.0


@dataclass(frozen=True)
class Shot:
    """One picture of a throw; `t` in seconds from rest, `moment`: before, during, rest or after."""

    t: float
    moment: str
    jpeg: bytes


@dataclass(frozen=True)
class KeptThrow:
    """A throw as it was told, with its pictures in order of time. `throw` is the snapshot's throw when it was booked.

    `sure` is false for one that the table was asked about; `why` says why. `read` are its dice in the pixels of the
    picture at rest, which is `width` × `height`.
    """

    number: int
    throw: tuple[int, int]
    settled_at: float
    dice: tuple[int | None, ...]
    outside: int
    rim: int
    sure: bool
    why: tuple[str, ...]
    shots: tuple[Shot, ...]
    read: tuple[DieReading, ...] = ()
    width: int = 0
    height: int = 0

    @property
    def size(self) -> int:
        return sum(len(shot.jpeg) for shot in self.shots)

    def to_json(self) -> dict[str, object]:
        """For the page: everything but the pictures, which are fetched one by one by their place in `shots`."""
        return {
            "number": self.number,
            "throw": list(self.throw),
            "dice": list(self.dice),
            "outside": self.outside,
            "rim": self.rim,
            "sure": self.sure,
            "why": list(self.why),
            "read": [{"face": die.face, "confidence": round(die.confidence, 4)} for die in self.read],
            "shots": [{"t": round(shot.t, 2), "moment": shot.moment} for shot in self.shots],
        }


class LastThrows:
    """Fed by the eye's thread, asked by others; holds at most `most` throws and `most_bytes` of pictures.

    >>> LastThrows().all()
    ()
    """

    def __init__(self, most: int = MOST_THROWS, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._lock = threading.Lock()
        self._kept: deque[KeptThrow] = deque()
        self._count = 0
        self._calm: Frame | None = None
        self._before: tuple[float, bytes] | None = None
        self._roll: deque[tuple[float, bytes]] = deque(maxlen=_ROLL)
        self._after: list[float] = []  # when pictures of what lies there are due

    # -- asked

    def all(self) -> tuple[KeptThrow, ...]:
        """The throws that are kept, the latest first."""
        with self._lock:
            return tuple(reversed(self._kept))

    def picture(self, number: int, place: int) -> bytes | None:
        """The JPEG at a place in that throw's `shots`; None where there is none (any more)."""
        throw = self.find(number)
        return throw.shots[place].jpeg if throw is not None and 0 <= place < len(throw.shots) else None

    def save(self, number: int, folder: Path) -> int:
        """Write a throw as a recording into a new folder; how many pictures, 0 where the throw is no longer kept.

        Raises BadInput where the folder cannot be written.
        """
        throw = self.find(number)
        if throw is None:
            return 0
        even, pictures = EvenPlaces(_SAVED_FPS), list[bytes]()
        for shot in throw.shots:
            jpeg = _smaller(shot.jpeg) if shot.moment == "rest" else shot.jpeg  # a recording has one size
            pictures += [jpeg] * even.due(shot.t)
        notes = {"dice": len(throw.dice) + throw.outside + throw.rim, "thrown": throw.to_json()}
        return write_recording(folder, pictures, _SAVED_FPS, notes)

    def find(self, number: int) -> KeptThrow | None:
        """The throw of that number, while it is kept."""
        with self._lock:
            return next((throw for throw in self._kept if throw.number == number), None)

    # -- fed

    def see(self, frame: Frame, state: State, seen: Sequence[Seen], throw: tuple[int, int]) -> None:
        """One frame with what it came to; `throw` is the snapshot's after it."""
        if state in _MOVES:
            self._moves(frame)
        for one in seen:
            if isinstance(one.happening, ThrowSeen | Unsure):
                self._told(frame, one.happening, throw)
        if state not in _MOVES:
            self._rests(frame)

    def _moves(self, frame: Frame) -> None:
        if self._before is None and self._calm is not None:
            self._before = (self._calm.t, _small(self._calm.picture))
        if not self._roll or not 0 <= frame.t - self._roll[-1][0] < _EVERY_S:
            self._roll.append((frame.t, _small(frame.picture)))

    def _rests(self, frame: Frame) -> None:
        self._calm, self._before = frame, None
        self._roll.clear()
        if self._after and frame.t >= self._after[0]:
            del self._after[0]
            with self._lock:
                if self._kept:
                    last = self._kept[-1]
                    shot = Shot(frame.t - last.settled_at, "after", _small(frame.picture))
                    self._kept[-1] = replace(last, shots=(*last.shots, shot))

    def _told(self, frame: Frame, told: ThrowSeen | Unsure, throw: tuple[int, int]) -> None:
        rest = told.settled_at
        sure, why = isinstance(told, ThrowSeen), told.why if isinstance(told, Unsure) else ()
        now = Shot(frame.t - rest, "rest", as_jpeg(frame.picture, _FINE))
        height, width = frame.picture.shape[:2]
        seen: dict[str, Any] = {"read": told.reading.dice, "width": width, "height": height}
        with self._lock:
            last = self._kept[-1] if self._kept else None
            if last is not None and abs(last.settled_at - rest) <= SAME_REST_S:  # it has settled
                last = replace(last, throw=throw, dice=told.dice, sure=sure, why=why, shots=(*last.shots, now), **seen)
                self._kept[-1] = last
            else:
                before = [] if self._before is None else [Shot(self._before[0] - rest, "before", self._before[1])]
                roll = [Shot(t - rest, "during", jpeg) for t, jpeg in self._roll if t < frame.t]
                self._count += 1
                shots = (*before, *roll, now)
                self._kept.append(
                    KeptThrow(self._count, throw, rest, told.dice, told.outside, told.rim, sure, why, shots, **seen)
                )
            self._after = [frame.t + wait for wait in _AFTER_S]
            while len(self._kept) > self._most or (len(self._kept) > 1 and self._bytes() > self._most_bytes):
                self._kept.popleft()

    def _bytes(self) -> int:
        return sum(throw.size for throw in self._kept)


def _small(picture: Picture) -> bytes:
    height, width = picture.shape[:2]
    scale = SHORT_SIDE / min(height, width)
    if scale < 1:
        size = (round(width * scale), round(height * scale))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return as_jpeg(picture, _ROUGH)


def _smaller(jpeg: bytes) -> bytes:
    return _small(np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8))
