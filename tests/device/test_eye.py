"""The eye and a camera that comes and goes: what is shown, what is kept, and when all is started anew."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import drawn_throws as drawn
import pytest

from device.cameras import CameraLost
from device.eye import HOPELESS_S, EyeThread
from device.journal import MemoryJournal
from device.seeing import Seeing
from device.sight import Sight
from device.snapshot import Eye
from device.table import Table
from tests.waiting import PATIENCE_S, waited
from vision.board import Board
from vision.frame import Frame
from vision.happenings import Trouble
from vision.watcher import ThrowWatcher

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
THROWS = [(1, 4, 5), (6, 6, 6), (2, 3, 4)]
ONE_THROW = drawn.ROLL + drawn.LIE + drawn.EMPTY


def watch(frame: Frame) -> ThrowWatcher | None:
    board = Board.whole(drawn.WIDTH, drawn.HEIGHT, drawn.EDGE)
    return ThrowWatcher(drawn.ScriptedReader(THROWS), board)


@pytest.fixture
def table() -> Table:
    table = Table(MemoryJournal())
    table.say(START)
    return table


class Failing:
    """Plays `frames` and is lost before those of `breaks`; opened again it goes on where it was, less `skipped`."""

    name = "failing camera"

    def __init__(self, frames: Sequence[Frame], breaks: Sequence[int], key: str = "silent", skipped: int = 0) -> None:
        self._frames, self._breaks = list(frames), list(breaks)
        self._key, self._skipped = key, skipped
        self._next = 0
        self._closed = threading.Event()
        self.opened = 0
        self.ended = threading.Event()

    def frames(self) -> Iterator[Frame]:
        self.opened += 1
        while not self._closed.is_set() and self._next < len(self._frames):
            if self._breaks and self._next >= self._breaks[0]:
                self._breaks.pop(0)
                self._next += self._skipped
                raise CameraLost("it went away", self._key)
            self._next += 1
            yield self._frames[self._next - 1]
        self.ended.set()
        self._closed.wait()

    def close(self) -> None:
        self._closed.set()


def played(table: Table, breaks: Sequence[int], skipped: int = 0) -> dict[str, object]:
    camera = Failing(list(drawn.frames(THROWS)), breaks, skipped=skipped)
    eye = EyeThread(camera, watch, table, restart_s=0.001)
    eye.start()
    assert camera.ended.wait(PATIENCE_S)
    eye.stop()
    assert eye.restarts == len(breaks)
    assert camera.opened == len(breaks) + 1
    return dict(table.now.session.state)


def test_a_camera_that_comes_and_goes_leaves_the_strokes_as_they_are(table: Table) -> None:
    untouched = Table(MemoryJournal())
    untouched.say(START)
    expected = played(untouched, [])
    assert expected["throws"] == 3
    between = [drawn.EMPTY - 6 + n * ONE_THROW for n in range(3)]
    lying = [drawn.EMPTY + drawn.ROLL + 18 + n * ONE_THROW for n in range(3)]
    got = played(table, sorted(between + lying), skipped=2)
    assert got == expected


def test_the_same_dice_after_a_long_loss_are_no_new_throw(table: Table) -> None:
    frames = list(drawn.frames(THROWS[:1]))
    lying = drawn.EMPTY + drawn.ROLL + 20
    late = [Frame(frame.picture, frame.t + 600, index=frame.index) for frame in frames[lying - 5 : lying]]
    later = [Frame(late[0].picture, late[-1].t + n / 20) for n in range(1, 30)]
    camera = Failing([*frames[:lying], *late, *later], [lying])
    eye = EyeThread(camera, watch, table, restart_s=0.001)
    eye.start()
    assert camera.ended.wait(PATIENCE_S)
    eye.stop()
    assert table.now.view.throws == 1


def test_what_is_seen_is_shown_again_after_a_short_loss(table: Table) -> None:
    camera = Failing(list(drawn.frames([])) * 1, [8])
    shown: list[Eye] = []
    table.listen(lambda now: shown.append(now.eye))
    eye = EyeThread(camera, watch, table, restart_s=0.001)
    eye.start()
    assert camera.ended.wait(PATIENCE_S)
    eye.stop()
    assert Eye.LOST in shown
    assert table.now.eye is Eye.WAITING


def test_a_moved_board_is_told_again_after_a_loss(table: Table) -> None:
    watcher = watch(next(iter(drawn.frames([]))))
    assert watcher is not None
    seeing = Seeing(watcher, table)
    seeing._book(Trouble(t=1.0, what="board_moved"))
    table.look(Eye.LOST, "silent")
    seeing.show_again()
    assert (table.now.eye, table.now.trouble) == (Eye.BOARD_MOVED, "board_moved")


@pytest.mark.parametrize(("key", "gives_up"), [("silent", True), ("stuck", True), ("absent", False), ("busy", False)])
def test_only_a_camera_that_hangs_for_minutes_stops_the_watchdogs_food(
    table: Table, key: str, gives_up: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.eye.MOST_RESTART_S", 0.01)
    now = 0.0
    frames = list(drawn.frames([]))

    class Lost(Failing):
        def frames(self) -> Iterator[Frame]:
            if self.opened:
                self.opened += 1
                raise CameraLost("still not", key)
            yield from super().frames()

    camera = Lost(frames, [3], key=key)
    eye = EyeThread(camera, watch, table, restart_s=0.001, clock=lambda: now)
    eye.start()
    assert waited(lambda: camera.opened > 2)
    now = HOPELESS_S / 2
    assert waited(lambda: eye.progress == now), "restarts are progress"
    for more in (1, 2):  # twice: it may have been about to note the time as that moved on
        now, opened = HOPELESS_S + more, camera.opened
        assert waited(lambda opened=opened: camera.opened > opened + 2)  # type: ignore[misc]
    assert (eye.progress < now) == gives_up
    eye.stop()


def test_a_camera_that_never_gave_a_picture_is_no_reason_to_start_anew(table: Table) -> None:
    now = 0.0
    camera = Failing(list(drawn.frames([])), [0] * 10_000, key="silent")
    eye = EyeThread(camera, watch, table, restart_s=0.001, clock=lambda: now)
    eye.start()
    assert waited(lambda: camera.opened > 1)
    now = HOPELESS_S * 3
    assert waited(lambda: eye.progress == now)
    eye.stop()


def test_a_stumble_closes_the_camera_before_it_is_opened_again(table: Table) -> None:
    left: list[str] = []

    class Watched(Failing):
        def frames(self) -> Iterator[Frame]:
            try:
                yield from super().frames()
            finally:
                left.append("closed")

    def stumble(frame: Frame) -> ThrowWatcher | None:
        raise RuntimeError("what nobody expected")

    camera = Watched(list(drawn.frames([])), [])
    eye = EyeThread(camera, stumble, table, restart_s=0.001)
    eye.start()
    assert waited(lambda: camera.opened > 1)
    assert left
    eye.stop()


def test_a_board_chosen_anew_is_looked_for_with_the_next_frame(table: Table) -> None:
    begun: list[float] = []

    def counted(frame: Frame) -> ThrowWatcher | None:
        begun.append(frame.t)
        return watch(frame)

    camera, sight = Failing(list(drawn.frames(THROWS)), []), Sight()
    eye = EyeThread(camera, counted, table, sight=sight)
    table.listen(lambda now: eye.begin_anew() if now.view.throws == 2 and len(begun) == 1 else None)
    eye.start()
    assert camera.ended.wait(PATIENCE_S)
    eye.stop()
    assert len(begun) == 2
    assert table.now.view.throws == 3, "the dice that lay there are no throw, the next ones are"
    glance = sight.now()
    assert glance is not None
    assert glance.board is not None


def test_another_camera_takes_over(table: Table) -> None:
    first, second = Failing(list(drawn.frames(THROWS[:1])), []), Failing(list(drawn.frames(THROWS[1:])), [])
    lost: list[Eye] = []
    eye = EyeThread(first, watch, table, restart_s=30.0)
    eye.start()
    assert first.ended.wait(PATIENCE_S)
    assert waited(lambda: table.now.view.throws == 1)
    table.listen(lambda now: lost.append(now.eye))
    eye.look_through(second)
    assert second.ended.wait(PATIENCE_S)
    eye.stop()
    assert second.opened == 1
    assert Eye.LOST not in lost, "nothing is wrong: it was asked for"


def test_a_camera_that_is_waited_for_is_given_up_at_once_for_another(table: Table) -> None:
    frames = list(drawn.frames([]))
    gone, there = Failing(frames, [0], key="absent"), Failing(frames, [])
    eye = EyeThread(gone, watch, table, restart_s=3600.0)
    eye.start()
    assert waited(lambda: table.now.eye is Eye.LOST)
    eye.look_through(there)
    assert there.ended.wait(PATIENCE_S)
    eye.stop()


def test_another_camera_that_is_asked_for_as_the_first_is_lost_is_not_waited_for(table: Table) -> None:
    frames = list(drawn.frames([]))
    gone, there = Failing(frames, [0], key="absent"), Failing(frames, [])
    eye = EyeThread(gone, watch, table, restart_s=3600.0)
    table.listen(lambda now: eye.look_through(there) if now.eye is Eye.LOST else None)
    eye.start()
    assert there.ended.wait(PATIENCE_S)
    eye.stop()


def test_a_picture_is_there_to_calibrate_by_though_no_board_is(table: Table) -> None:
    sight = Sight()
    camera = Failing(list(drawn.frames([])), [])
    eye = EyeThread(camera, lambda frame: None, table, sight=sight)
    eye.start()
    assert camera.ended.wait(PATIENCE_S)
    eye.stop()
    glance = sight.now()
    assert glance is not None
    assert (glance.board, glance.reading) == (None, None)
