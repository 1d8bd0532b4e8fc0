"""What the eye sees, for whoever asks: fresh or not at all, drawn once for many, never more than one picture."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, cast

import cv2
import numpy as np
import pytest

from device.sight import STALE_S, Sight, drawn
from tests.waiting import PATIENCE_S
from vision.board import Board
from vision.frame import Frame, Picture
from vision.octagon import regular_octagon
from vision.reading import BoardReading, DieReading, Where
from vision.watcher import ThrowWatcher


@dataclass
class Watcher:
    """As much of a watcher as the sight looks at."""

    board: Board
    reading: BoardReading | None = None
    shows_reading: bool = True


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def octagon(size: float) -> tuple[tuple[float, float], ...]:
    return tuple((480 + float(x), 360 + float(y)) for x, y in regular_octagon(size))


BOARD = Board(960, 720, octagon(500), octagon(600))
DIE = DieReading(
    5, 0.993, 2, (470, 350, 500, 380), ((470, 350), (500, 350), (500, 380), (470, 380)), where=Where.INSIDE
)


def frame(level: int = 40, t: float = 1.0) -> Frame:
    return Frame(np.full((720, 960, 3), level, np.uint8), t)


def watcher(reading: BoardReading | None = None, **more: Any) -> ThrowWatcher:
    return cast(ThrowWatcher, Watcher(BOARD, reading, **more))


def picture(jpeg: bytes | None) -> Picture:
    assert jpeg is not None
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sight(clock: Clock) -> Sight:
    return Sight(clock)


def test_an_old_picture_is_none(sight: Sight, clock: Clock) -> None:
    assert sight.jpeg(960) is None
    sight.see(frame(), None)
    assert sight.now() is not None
    clock.now += STALE_S + 0.1
    assert sight.now() is None
    assert sight.jpeg(960) is None


def test_octagons_and_dice_are_drawn_over_it_and_the_picture_itself_stays(sight: Sight) -> None:
    seen = frame()
    sight.see(seen, watcher(BoardReading((DIE,))))
    shown = picture(sight.jpeg(960))
    assert shown.shape == (720, 960, 3)
    x, y = (round(value) for value in BOARD.felt[0])
    assert shown[y - 4 : y + 5, x - 4 : x + 5].max() > 120, "a corner of the felt"
    assert shown[345:385, 465:505, 1].max() > 150, "the die's outline, green"
    assert int(seen.picture.max()) == 40


def test_what_lay_there_before_something_moved_is_not_shown(sight: Sight) -> None:
    sight.see(frame(), watcher(BoardReading((DIE,)), shows_reading=False))
    glance = sight.now()
    assert glance is not None
    assert glance.reading is None
    assert picture(sight.jpeg(960))[345:385, 465:505, 1].max() < 90


def test_it_is_no_wider_than_asked_and_drawn_once_for_all(sight: Sight, clock: Clock) -> None:
    sight.see(frame(), watcher())
    small = sight.jpeg(480)
    assert picture(small).shape == (360, 480, 3)
    sight.see(frame(200), watcher())
    assert sight.jpeg(480) is small, "the same within a fifth of a second"
    clock.now += 0.25
    assert picture(sight.jpeg(480)).mean() > 150


def test_a_whole_picture_of_felt_has_no_octagon() -> None:
    from device.sight import Glance

    plain = picture(drawn(Glance(frame(), Board.whole(960, 720), None), 960))
    assert plain.max() < 60


def test_the_rate_is_that_of_the_last_pictures(sight: Sight, clock: Clock) -> None:
    assert sight.rate() is None
    for _ in range(60):
        sight.see(frame(), None)
        clock.now += 0.1
    assert sight.rate() == pytest.approx(10.0, abs=0.1)
    clock.now += STALE_S + 1
    assert sight.rate() is None


def test_pictures_to_measure_by_come_apart_from_each_other(clock: Clock) -> None:
    sight, stop = Sight(clock), threading.Event()

    def feed() -> None:
        while not stop.wait(0.004):
            clock.now += 0.25
            sight.see(Frame(np.full((4, 4), clock.now), clock.now), None)

    feeding = threading.Thread(target=feed)
    feeding.start()
    try:
        taken = sight.pictures(3, 2.0, wait_s=PATIENCE_S)
    finally:
        stop.set()
        feeding.join()
    times = [float(one[0, 0]) for one in taken]
    assert len(times) == 3
    assert min(np.diff(times)) >= 2.0


def test_where_no_more_come_it_is_not_waited_for_ever(sight: Sight) -> None:
    sight.see(frame(), None)
    assert sight.pictures(2, 0.0, wait_s=0.01) == []
