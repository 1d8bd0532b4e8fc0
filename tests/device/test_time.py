"""Clocks that jump, zones that change, a clock that begins anew: nothing but the time that is shown differs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import drawn_throws as drawn
import pytest

from device import clock_watch
from device.cameras.recording import RecordingCamera
from device.clock_watch import ClockWatch, wall
from device.eye import EyeThread
from device.journal import KeptJournal, MemoryJournal
from device.service import Service
from device.table import Table
from scorer.session import Session
from tests.waiting import PATIENCE_S
from vision.board import Board
from vision.frame import Frame
from vision.watcher import ThrowWatcher

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
THROWS = [(1, 4, 5), (6, 6, 6), (2, 2, 3), (4, 5, 6)]
DAY, YEAR = 86400.0, 365.25 * 86400.0


def watch(frame: Frame) -> ThrowWatcher:
    return ThrowWatcher(drawn.ScriptedReader(THROWS), Board.whole(drawn.WIDTH, drawn.HEIGHT, drawn.EDGE))


def played(journal: KeptJournal, told: Callable[[], str]) -> Session:
    """A recorded game, each entry of which is stored with what `told` says of the time."""
    table = Table(journal, wall=told)
    table.say(START)
    eye = EyeThread(RecordingCamera("r", drawn.frames(THROWS), speed=None), watch, table, once=True)
    eye.start()
    assert eye.ended.wait(PATIENCE_S)
    table.say({"do": "stop"})
    return table.now.session


def jumping() -> Iterator[str]:
    """A clock put forward and back by years between two entries."""
    n = 0
    while True:
        n += 1
        yield datetime.fromtimestamp(1.7e9 + (20 if n % 2 else -20) * YEAR + n).astimezone().isoformat()


def test_jumps_of_years_between_entries_change_nothing(tmp_path: Path) -> None:
    steady = played(KeptJournal(tmp_path / "a.db"), lambda: "2025-11-01T20:15:00+01:00")
    clock = jumping()
    journal = KeptJournal(tmp_path / "b.db")
    wild = played(journal, lambda: next(clock))
    assert wild.state == steady.state
    assert wild.events == steady.events
    journal.close()
    again = KeptJournal(tmp_path / "b.db")
    walls = [row.wall for row in again.rows()]
    assert walls != sorted(walls)
    assert Table(again).now.session.state == steady.state
    again.close()


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/Los_Angeles", "Nowhere/Atall", ":"])
def test_another_time_zone_shows_another_hour_and_no_other_score(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = MemoryJournal()
    table = Table(journal, wall=wall)
    table.say(START)
    table.say({"do": "throw", "dice": [1, 4, 5]})
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        table.say({"do": "stop"})
        assert wall()
        again = Table(journal, wall=wall)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert again.now.session.state == table.now.session.state
    assert again.now.session.state["to_throw"] == "Bob"


def test_the_hour_that_comes_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Last Sunday of October: 02:30 summer time, then 02:30 winter time."""
    monkeypatch.setenv("TZ", "Europe/Brussels")
    time.tzset()
    try:
        shown = [datetime.fromtimestamp(1761438600 + n * 3600).astimezone().isoformat() for n in (0, 1)]
    finally:
        monkeypatch.undo()
        time.tzset()
    assert [told[11:16] for told in shown] == ["02:30", "02:30"]
    clock = iter(shown * 9)
    journal = MemoryJournal()
    table = Table(journal, wall=lambda: next(clock))
    table.say(START)
    table.say({"do": "throw", "dice": [1, 4, 5]})
    table.say({"do": "stop"})
    assert Table(journal).now.session.state == table.now.session.state


@pytest.mark.parametrize("stands", [-1e18, -1.0, 0.0, 4e9, 1e12, 1e18])
def test_a_clock_that_stands_at_no_time_stops_nothing(stands: float, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # as much of it as is used
            return datetime.fromtimestamp(stands)

    monkeypatch.setattr(clock_watch, "datetime", Broken)
    table = Table(MemoryJournal(), wall=wall)
    assert table.say(START)[0].error is None
    watch = ClockWatch(wall=lambda: stands, clock=lambda: 5.0)
    assert watch.health()["ok"] is True


def test_a_machine_that_was_off_begins_its_clock_anew_and_the_order_stays() -> None:
    """The throw came to rest at 50 000 s of the last evening's clock, the stop is pressed at 20 s of today's."""
    journal, now = MemoryJournal(), [50_000.0]
    table = Table(journal, clock=lambda: now[0])
    table.say(START)
    table.saw_throw((1, 4, 5), at=49_999.0)
    now[0] = 20.0
    again = Table(journal, clock=lambda: now[0])
    told = again.say({"do": "stop"})
    assert told[-1].error is None
    assert [event.do for event in again.now.session.events] == ["start", "throw", "stop"]
    again.saw_throw((2, 2, 3), at=30.0)
    again.say({"do": "stop"}, at=29.0)  # pressed before those dice came to rest, by a hand that was too quick
    times = [event.at for event in again.now.session.events if event.do == "throw" and event.at is not None]
    assert times == sorted(times)


def test_a_glass_that_is_empty_after_a_power_cut_was_emptied_after_it() -> None:
    journal, now = MemoryJournal(), [50_000.0]
    table = Table(journal, clock=lambda: now[0])
    table.say({"do": "start", "game": "azen", "players": ["Ann", "Bob"], "opener": "Ann"})
    for at, dice in ((49_990.0, (1, 1, 1)), (49_992.0, (1, 1, 1)), (49_994.0, (1, 2, 3)), (49_996.0, (1, 1, 1))):
        table.saw_throw(dice, at=at)
    assert "glass_empty" in table.now.session.legal
    before = table.now.session.state
    now[0] = 20.0
    again = Table(journal, clock=lambda: now[0])
    assert again.now.session.state == before
    assert again.say({"do": "glass_empty"})[-1].error is None
    after = [event.at for event in again.now.session.events if event.at is not None]
    assert len(after) == 5
    assert after == sorted(after)


def test_a_jump_is_told_and_restarts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, hands = [100.0], [1.7e9]
    journal = KeptJournal(tmp_path / "j.db")
    service = Service(Table(journal), journal, clock=lambda: now[0])
    monkeypatch.setattr(service._clock_watch, "_wall", lambda: hands[0] + now[0] - 100.0)
    service._clock_watch._apart = hands[0] - 100.0
    for jump in (20 * YEAR, -40 * YEAR, 3600.0):
        now[0] += 1.0
        hands[0] += jump
        service._clock_watch.look()
        clock = service.health()["clock"]
        assert isinstance(clock, dict)
        assert clock["trouble"] == "clock_jumped"
        assert clock["last_jump_s"] == pytest.approx(jump, rel=1e-6)
        assert service.healthy
    now[0] += 700.0
    assert service.health()["clock"]["ok"] is True  # type: ignore[index]
    service.close()


def test_nobody_else_asks_for_the_time_of_day() -> None:
    """Only what is shown and stored for people may know it."""
    may = {"device/clock_watch.py", "device/doctor/machine.py", "device/log_ring.py"}
    root = Path(__file__).parents[2]
    asks = ("time.time(", "datetime.now(", "time.localtime(", "datetime.today(", "utcnow(")
    found = {
        str(path.relative_to(root))
        for path in (root / "device").rglob("*.py")
        if any(word in path.read_text("utf-8") for word in asks)
    }
    assert found - may == set()
