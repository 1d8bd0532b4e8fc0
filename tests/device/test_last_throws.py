"""The last throws as pictures: what is kept, for how long, and what is saved when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_throws import HEIGHT, WIDTH, ScriptedReader, frames

from device.cameras.fake import FakeCamera
from device.eye import EyeThread
from device.journal import MemoryJournal
from device.last_throws import LastThrows
from device.seeing import Seen
from device.table import Table
from tests.waiting import PATIENCE_S
from vision.board import Board
from vision.frame import Frame, Picture
from vision.happenings import ThrowSeen, Unsure
from vision.recording import Recording
from vision.watcher import State, ThrowWatcher

THROWS = ((1, 4, 5), (2, 2, 3))
START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


def picture(level: int, size: tuple[int, int] = (120, 160)) -> Picture:
    return np.full((*size, 3), level, np.uint8)


def seen(happening: ThrowSeen | Unsure) -> list[Seen]:
    return [Seen(happening, ())]


def thrown(t: float) -> list[Seen]:
    return seen(ThrowSeen(t=t, dice=(1, 4, 5), settled_at=t - 0.4))


def one_throw(last: LastThrows, at: float, size: tuple[int, int] = (120, 160)) -> None:
    """Calm, half a second of rolling, the throw, three calm seconds; pictures as bright as the moment."""
    last.see(Frame(picture(10, size), at), State.EMPTY, [], (1, 0))
    for n in range(15):
        last.see(Frame(picture(50 + n, size), at + 0.1 + n / 30), State.ROLLING, [], (1, 0))
    last.see(Frame(picture(100, size), at + 1.0), State.READ, thrown(at + 1.0), (1, 1))
    for n in range(90):
        last.see(Frame(picture(150 + n, size), at + 1.0 + (n + 1) / 30), State.READ, [], (1, 1))


def level(jpeg: bytes | None) -> int:
    assert jpeg is not None
    return round(float(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).mean()))


def test_a_throw_has_pictures_from_before_while_and_after() -> None:
    last = LastThrows()
    one_throw(last, 20.0)
    (throw,) = last.all()
    assert (throw.dice, throw.sure, throw.throw) == ((1, 4, 5), True, (1, 1))
    moments = [shot.moment for shot in throw.shots]
    assert moments == ["before", *["during"] * 5, "rest", *["after"] * 3]
    levels = [level(last.picture(throw.number, n)) for n in range(len(moments))]
    assert levels[0] == 10
    assert levels[6] == 100
    assert levels == sorted(levels)
    assert [shot.t for shot in throw.shots] == sorted(shot.t for shot in throw.shots)
    assert last.picture(throw.number, len(moments)) is None
    assert last.picture(99, 0) is None


def test_only_the_last_are_kept_and_memory_is_bounded() -> None:
    last = LastThrows(most=3)
    for n in range(10):
        one_throw(last, 20.0 * n)
    assert [throw.number for throw in last.all()] == [10, 9, 8]
    size = last.all()[0].size
    small = LastThrows(most_bytes=round(2.5 * size))
    for n in range(10):
        one_throw(small, 20.0 * n)
    assert [throw.number for throw in small.all()] == [10, 9]


def test_a_hand_that_shakes_for_minutes_fills_no_memory() -> None:
    last = LastThrows()
    for n in range(3000):
        last.see(Frame(picture(n % 250), n / 10), State.HAND, [], (1, 0))
    last.see(Frame(picture(1), 301.0), State.READ, thrown(301.0), (1, 1))
    assert len(last.all()[0].shots) <= 30


def test_a_doubt_that_settles_is_one_throw() -> None:
    last = LastThrows()
    unsure = Unsure(t=3.0, why=("cocked",), dice=(1, 4, None), settled_at=2.0)
    last.see(Frame(picture(90), 3.0), State.UNSURE, seen(unsure), (1, 0))
    assert [(one.sure, one.why) for one in last.all()] == [(False, ("cocked",))]
    sure = ThrowSeen(t=4.0, dice=(1, 4, 6), settled_at=2.0)
    last.see(Frame(picture(91), 4.0), State.READ, seen(sure), (1, 1))
    assert [(one.sure, one.dice, one.throw) for one in last.all()] == [(True, (1, 4, 6), (1, 1))]
    assert [shot.moment for shot in last.all()[0].shots] == ["rest", "rest"]


def test_saved_when_asked_it_is_a_recording(tmp_path: Path) -> None:
    last = LastThrows()
    one_throw(last, 20.0, (720, 960))
    assert last.save(1, tmp_path / "disputed") > 0
    recording = Recording(tmp_path / "disputed")
    shown = list(recording)
    assert recording.skipped == 0
    assert {frame.picture.shape for frame in shown} == {(480, 640, 3)}
    assert shown[-1].t == pytest.approx(3.0, abs=0.3)
    assert recording.notes.dice == 3
    assert last.save(2, tmp_path / "none") == 0
    assert not (tmp_path / "none").exists()


def test_the_eye_keeps_what_was_thrown() -> None:
    class Drawn(FakeCamera):
        def frames(self) -> Iterator[Frame]:
            return frames(THROWS)

    table, last = Table(MemoryJournal()), LastThrows()
    table.say(START)

    def watch(frame: Frame) -> ThrowWatcher:
        return ThrowWatcher(ScriptedReader(THROWS), Board.whole(WIDTH, HEIGHT, 30), expected=table.expected)

    eye = EyeThread(Drawn(()), watch, table, once=True, last_throws=last)
    eye.start()
    assert eye.ended.wait(PATIENCE_S)
    assert [throw.dice for throw in last.all()] == [(2, 2, 3), (1, 4, 5)]
    assert [throw.throw for throw in last.all()] == [(1, 2), (1, 1)]
    for throw in last.all():
        assert {shot.moment for shot in throw.shots} == {"before", "during", "rest", "after"}
