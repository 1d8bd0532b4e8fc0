"""Disks that are slow, gone, read-only: play goes on, says so, and all is stored once that works again."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from device.journal import JournalError, KeptJournal, Row, SqliteJournal
from device.journal import kept as kept_module
from device.journal.mend import second_of
from device.service import Service
from device.table import Table
from tests.waiting import PATIENCE_S, waited

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
Said = dict[str, object]


def row(seq: int, **body: object) -> Row:
    return Row(seq, 1, "event", {"do": "stop", **body}, "1")


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptJournal]:
    made = KeptJournal(tmp_path / "data" / "j.db", retry_s=0.02)
    yield made
    made.close()


@contextlib.contextmanager
def between_two_tries(kept: KeptJournal) -> Iterator[None]:
    """It looks at its files before this and after it, not while they change."""
    often, kept._retry_s, tries = kept._retry_s, PATIENCE_S, kept._tries
    assert waited(lambda: kept._tries > tries)
    yield
    with kept._changed:
        kept._retry_s = often
        kept._ask()


class TestSlow:
    def test_an_event_waits_for_the_disk_for_a_moment_only(
        self, kept: KeptJournal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(kept_module, "PATIENCE_S", 0.5)
        go_on, append = threading.Event(), SqliteJournal.append

        def slow(journal: SqliteJournal, rows: Sequence[Row]) -> None:
            go_on.wait()
            append(journal, rows)

        monkeypatch.setattr(SqliteJournal, "append", slow)
        kept.append([row(1)])
        assert kept.fault is not None
        assert "slow" in kept.fault
        began = time.monotonic()
        for n in range(2, 50):
            kept.append([row(n)])
        assert time.monotonic() - began < 48 * 0.5 / 2  # once is enough: nobody waits for it again
        assert kept.health()["waiting"] == 49
        assert [r.seq for r in kept.rows()] == list(range(1, 50))
        go_on.set()
        assert waited(lambda: kept.fault is None)
        assert kept.health()["waiting"] == 0
        assert kept._inner is not None
        assert kept._inner.last() == 49

    def test_no_event_is_told_before_it_is_stored(self, kept: KeptJournal, monkeypatch: pytest.MonkeyPatch) -> None:
        """Durable first: while storage works, whoever hears of an event finds it on the disk."""
        table, told = Table(kept), list[bool]()
        table.listen(lambda now: told.append(kept._inner is not None and kept._inner.last() == now.seq))
        table.say(START)
        for dice in ([1, 4, 5], [2, 3, 4], [6, 5, 4]):
            table.say({"do": "throw", "dice": dice})
        assert kept.fault is None
        assert told == [True] * 4


class TestGone:
    def test_a_file_that_was_deleted_is_written_anew_with_the_running_game(self, kept: KeptJournal) -> None:
        table = Table(kept)
        table.say(START)
        table.say({"do": "throw", "dice": [1, 4, 5]})
        with between_two_tries(kept):
            for path in kept.path.parent.iterdir():
                path.unlink()
        table.say({"do": "stop"})
        assert waited(lambda: kept.fault is None)
        kept.close()
        again = KeptJournal(kept.path)
        assert Table(again).now.session.state == table.now.session.state
        again.close()

    def test_a_stick_that_is_pulled_out_and_comes_back(self, kept: KeptJournal) -> None:
        table, away = Table(kept), kept.path.parent.with_name("pulled out")
        table.say(START)
        with between_two_tries(kept):
            kept.path.parent.rename(away)
            kept.path.parent.write_text("nothing there")
        assert waited(lambda: kept.fault is not None)
        table.say({"do": "throw", "dice": [1, 4, 5]})
        assert kept.fault is not None
        with between_two_tries(kept):
            kept.path.parent.unlink()
            away.rename(kept.path.parent)
        assert waited(lambda: kept.fault is None)
        kept.close()
        stored = SqliteJournal(kept.path)
        assert [r.body.get("do") for r in stored.rows() if r.kind == "event"] == ["start", "throw"]
        stored.close()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own, for whoever may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "none", str(place)]
    if os.geteuid() or subprocess.run(mount, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    yield place
    subprocess.run(["umount", "-l", place], check=False)


def fill(path: Path) -> None:
    """Write until there is no more room."""
    with path.open("wb", buffering=0) as filled, contextlib.suppress(OSError):
        while True:
            filled.write(bytes(4096))


class TestDisk:
    def test_read_only_from_the_start_the_scores_are_there_and_play_goes_on(self, disk: Path) -> None:
        before = KeptJournal(disk / "j.db")
        table = Table(before)
        table.say(START)
        table.say({"do": "throw", "dice": [1, 4, 5]})
        before.close()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        kept = KeptJournal(disk / "j.db", retry_s=0.02)
        again = Table(kept)
        assert again.now.session.state == table.now.session.state
        assert again.now.fault is not None
        again.say({"do": "stop"})
        assert again.now.session.state["to_throw"] == "Bob"
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        assert waited(lambda: kept.fault is None)
        again.heal()
        assert again.now.fault is None
        again.say({"do": "throw", "dice": [2, 3, 4]})
        kept.close()
        third = KeptJournal(disk / "j.db")
        assert Table(third).now.session.state == again.now.session.state
        assert [r.seq for r in third.rows()] == list(range(1, third.last() + 1))
        third.close()

    def test_a_full_disk_is_told_and_heals_by_itself(self, disk: Path) -> None:
        kept = KeptJournal(disk / "j.db", retry_s=0.02)
        table = Table(kept)
        table.say(START)
        fill(disk / "in the way")
        for _ in range(60):
            table.say({"do": "throw", "dice": [1, 4, 5]})
            table.say({"do": "undo"})
        table.say({"do": "throw", "dice": [1, 4, 5]})
        assert kept.fault is not None
        assert "full" in kept.fault
        (disk / "in the way").unlink()
        assert waited(lambda: kept.fault is None)
        kept.close()
        again = KeptJournal(disk / "j.db")
        assert Table(again).now.session.state == table.now.session.state
        again.close()


class TestReadOnly:
    def test_in_the_middle_it_is_noticed_though_nobody_plays(
        self, kept: KeptJournal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As a card is after an error; a disk with open files cannot be made so by hand."""
        Table(kept).say(START)
        monkeypatch.setattr("device.journal.kept.os.access", lambda path, mode: False)
        assert waited(lambda: kept.fault is not None)
        assert "read-only" in str(kept.fault)
        monkeypatch.undo()
        assert waited(lambda: kept.fault is None)

    def test_a_write_that_is_refused_is_made_once_it_is_allowed(self, kept: KeptJournal) -> None:
        table = Table(kept)
        table.say(START)
        assert kept._inner is not None
        kept._inner._db.execute("PRAGMA query_only=ON")
        table.say({"do": "throw", "dice": [1, 4, 5]})
        assert waited(lambda: kept.fault is None)  # opened anew
        kept.close()
        stored = SqliteJournal(kept.path)
        assert [r.body.get("do") for r in stored.rows() if r.kind == "event"] == ["start", "throw"]
        stored.close()


class TestHealing:
    def test_what_could_not_be_read_at_the_start_is_had_back_where_nothing_was_played(self, tmp_path: Path) -> None:
        holds = KeptJournal(tmp_path / "data" / "j.db")
        Table(holds).say(START)
        holds.close()
        (tmp_path / "data").rename(tmp_path / "not there yet")
        (tmp_path / "data").write_text("")
        kept = KeptJournal(tmp_path / "data" / "j.db", retry_s=0.02)
        table = Table(kept)
        service = Service(table, kept)
        assert table.now.view.phase == "idle"
        with between_two_tries(kept):
            (tmp_path / "data").unlink()
            (tmp_path / "not there yet").rename(tmp_path / "data")
        assert waited(lambda: kept.fault is None)
        service._heal()
        assert table.now.session.state["to_throw"] == "Ann"
        service.close()

    def test_memory_is_bounded_while_nothing_can_be_stored(
        self, kept: KeptJournal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(kept_module, "MOST_WAITING", 50)
        monkeypatch.setattr(kept_module, "PATIENCE_S", 0.01)

        def broken(journal: SqliteJournal, rows: Sequence[Row]) -> None:
            raise JournalError("the card is dead")

        monkeypatch.setattr(SqliteJournal, "append", broken)
        table = Table(kept)
        for _ in range(40):
            table.say(START)
            table.say({"do": "throw", "dice": [1, 4, 5]})
            table.say({"do": "stop"})
        assert waited(lambda: len(kept._waiting) <= 55)
        monkeypatch.undo()
        assert waited(lambda: kept.fault is None)
        assert Table(kept).now.session.state == table.now.session.state

    def test_old_games_are_packed_while_it_plays(self, kept: KeptJournal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kept_module, "MOST_LOOSE", 20)
        monkeypatch.setattr(kept_module, "IN_ONE", 10)
        table = Table(kept)
        for _ in range(20):
            table.say(START)
            table.say({"do": "throw", "dice": [1, 4, 5]})
            table.say({"do": "stop"})
        assert waited(lambda: kept._inner is not None and kept._inner.loose <= 30)
        assert [r.seq for r in kept.rows()] == list(range(1, 61))
        copied = second_of(kept.path).rows()
        assert copied[-1].seq == 60
