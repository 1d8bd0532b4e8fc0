"""What the eye sees now, for whoever asks: the newest picture, what was read in it, how many come a second."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from device.film_roll import as_jpeg
from vision.annotate import ASKED, BESIDE, SURE, annotated
from vision.board import Board
from vision.frame import Frame, Picture
from vision.reading import BoardReading, DieReading, Pose, Where
from vision.watcher import ThrowWatcher

STALE_S = 4.0  # older pictures are of a camera that is lost
_COUNTED = 32  # pictures by which the rate is told
_QUALITY = 78
_EVERY_S = 0.2  # whoever asks sooner gets the same picture: it is drawn once for all


@dataclass(frozen=True, eq=False)
class Glance:
    """One picture, the board that it was read by and what was read of what lies there now; None where not known."""

    frame: Frame
    board: Board | None
    reading: BoardReading | None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.frame.picture.shape[:2]
        return width, height


class Sight:
    """Fed by the eye's thread with every frame, asked by others; holds one picture, and draws only when asked.

    >>> Sight().now() is None, Sight().rate()
    (True, None)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._fresh = threading.Condition()
        self._glance: Glance | None = None
        self._seen_at = 0.0
        self._count = 0
        self._times: deque[float] = deque(maxlen=_COUNTED)
        self._drawing = threading.Lock()
        self._drawn: tuple[float, int, bytes] | None = None

    def see(self, frame: Frame, watcher: ThrowWatcher | None) -> None:
        """One frame; `watcher` has seen it, None while no board is known."""
        board = None if watcher is None else watcher.board
        reading = watcher.reading if watcher is not None and watcher.shows_reading else None
        with self._fresh:
            self._glance, self._seen_at = Glance(frame, board, reading), self._clock()
            self._times.append(self._seen_at)
            self._count += 1
            self._fresh.notify_all()

    def now(self) -> Glance | None:
        """The newest picture; None where none came lately."""
        with self._fresh:
            return self._glance if self._clock() - self._seen_at <= STALE_S else None

    def rate(self) -> float | None:
        """Pictures a second over the last few; None while they do not come."""
        with self._fresh:
            times = list(self._times)
        if len(times) < 2 or self._clock() - times[-1] > STALE_S or times[-1] <= times[0]:
            return None
        return round((len(times) - 1) / (times[-1] - times[0]), 1)

    def pictures(self, count: int, apart_s: float, wait_s: float = STALE_S) -> list[Picture]:
        """So many of the next pictures, `apart_s` apart; fewer where no more come for `wait_s`. Waits for them."""
        taken: list[Picture] = []
        due = self._clock()
        while len(taken) < count:
            with self._fresh:
                before = self._count
                if not self._fresh.wait_for(lambda before=before: self._count > before, wait_s):  # type: ignore[misc]
                    break
                glance, at = self._glance, self._seen_at
            if glance is not None and at >= due:
                taken.append(glance.frame.picture)
                due = at + apart_s
        return taken

    def jpeg(self, most_px: int) -> bytes | None:
        """The newest picture with octagons and dice drawn over it, at most `most_px` wide; None without one."""
        with self._drawing:
            now = self._clock()
            glance = self.now()
            if glance is None:
                return None
            if self._drawn is None or now - self._drawn[0] >= _EVERY_S or self._drawn[1] != most_px:
                self._drawn = now, most_px, drawn(glance, most_px)
            return self._drawn[2]


def drawn(glance: Glance, most_px: int) -> bytes:
    """A JPEG of a glance, felt and rim and every die in it."""
    shown = over(glance.frame.picture, glance.board, glance.reading)
    width, height = glance.size
    if width > most_px:
        size = (most_px, round(height * most_px / width))
        shown = np.asarray(cv2.resize(shown, size, interpolation=cv2.INTER_AREA), np.uint8)
    return as_jpeg(shown, _QUALITY)


def over(picture: Picture, board: Board | None, reading: BoardReading | None) -> Picture:
    """A copy of the picture with both octagons and every die drawn over it."""
    shown = annotated(picture, None, None if board is not None and board.is_whole else board)
    unit = max(1, round(min(shown.shape[:2]) / 400))
    for die in () if reading is None else reading.dice:
        _die(shown, die, unit)
    return shown


def _die(shown: Picture, die: DieReading, unit: int) -> None:
    """A die's top outlined, with what it shows and how sure that is in percent: figures alone, for every language."""
    beside = die.where in (Where.RIM, Where.OUTSIDE)
    colour = BESIDE if beside else SURE if die.face is not None and die.pose is Pose.FLAT else ASKED
    cv2.polylines(shown, [np.round(np.array(die.corners)).astype(np.int32)], True, colour, unit, cv2.LINE_AA)
    text = f"{die.face or '?'} {100 * die.confidence:.1f}%"
    x, y = round(die.box[0]), round(die.box[1]) - 4 * unit
    at = (x, y if y > 16 * unit else round(die.box[3]) + 16 * unit)
    for ink, thick in (((0, 0, 0), 3 * unit), (colour, unit)):
        cv2.putText(shown, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, ink, thick, cv2.LINE_AA)
