"""The journal: one contract for the real file and its fake, then what storage does to a café device."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.journal import Journal, JournalDamaged, JournalError, KeptJournal, MemoryJournal, Row, SqliteJournal
from tests.waiting import PATIENCE_S, waited


def row(seq: int, **body: object) -> Row:
    return Row(seq, 1, "event", {"do": "stop", **body}, "1")


Make = Callable[[], Journal]


@pytest.fixture(params=["memory", "sqlite", "kept"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    kinds: dict[str, Make] = {
        "memory": MemoryJournal,
        "sqlite": lambda: SqliteJournal(tmp_path / "j.db"),
        "kept": lambda: KeptJournal(tmp_path / "j.db"),
    }
    made = kinds[request.param]()
    yield made
    made.close()


class TestContract:
    def test_empty(self, journal: Journal) -> None:
        assert journal.last() == 0
        assert list(journal.rows()) == []

    def test_rows_come_back_as_they_were(self, journal: Journal) -> None:
        journal.append([row(1, by="Zoë"), row(2, dice=[1, 4, 5], at=1.5)])
        assert list(journal.rows()) == [row(1, by="Zoë"), row(2, dice=[1, 4, 5], at=1.5)]
        assert journal.last() == 2

    def test_the_first_and_the_last(self, journal: Journal) -> None:
        assert (journal.first(), journal.last()) == (0, 0)
        journal.append([row(3), row(4)])
        journal.append([row(7)])
        assert (journal.first(), journal.last()) == (3, 7)

    def test_rows_after(self, journal: Journal) -> None:
        journal.append([row(n) for n in range(1, 1203)])  # more than one page
        assert [r.seq for r in journal.rows(after=1199)] == [1200, 1201, 1202]
        assert sum(1 for _ in journal.rows()) == 1202


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_sequence_that_does_not_rise_is_refused_whole(kind: str, tmp_path: Path) -> None:
    made = MemoryJournal() if kind == "memory" else SqliteJournal(tmp_path / "j.db")
    made.append([row(1)])
    with pytest.raises(JournalError):
        made.append([row(2), row(1)])
    assert made.last() == 1
    made.close()


def test_each_opening_counts_as_a_boot(tmp_path: Path) -> None:
    for boot in (1, 2, 3):
        journal = SqliteJournal(tmp_path / "j.db")
        assert journal.boot == boot
        journal.close()


def test_is_durable_by_its_own_settings(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "j.db")
    assert journal._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert journal._db.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL
    journal.close()


def test_one_process_at_a_time(tmp_path: Path) -> None:
    first = SqliteJournal(tmp_path / "j.db")
    first.append([row(1)])
    with pytest.raises(JournalError, match="in use by another Pietjesoog"):
        SqliteJournal(tmp_path / "j.db")
    first.close()


def test_a_file_that_is_no_journal_is_named(tmp_path: Path) -> None:
    (tmp_path / "j.db").write_bytes(b"not a database, and long enough to be looked at " * 40)
    with pytest.raises(JournalDamaged, match=r"j\.db is damaged"):
        SqliteJournal(tmp_path / "j.db")


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "j.db")
    db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(JournalError, match="newer Pietjesoog"):
        SqliteJournal(tmp_path / "j.db")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be opened"):
        SqliteJournal(tmp_path / "file" / "j.db")


class TestKept:
    def test_a_damaged_file_is_set_aside_and_play_is_stored(self, tmp_path: Path) -> None:
        (tmp_path / "j.db").write_bytes(b"garbage " * 200)
        kept = KeptJournal(tmp_path / "j.db")
        kept.append([row(1)])
        assert kept.fault is None
        assert kept.set_aside == tmp_path / "j.db.damaged-1"
        assert kept.set_aside.read_bytes().startswith(b"garbage")
        kept.close()
        assert SqliteJournal(tmp_path / "j.db").last() == 1

    def test_play_goes_on_without_storage_and_is_stored_once_it_works(self, tmp_path: Path) -> None:
        (tmp_path / "data").write_text("in the way")
        kept = KeptJournal(tmp_path / "data" / "j.db", retry_s=0.02)
        kept.append([row(1)])
        kept.append([row(2)])
        assert kept.fault is not None
        assert "cannot be opened" in kept.fault
        assert [r.seq for r in kept.rows()] == [1, 2]
        assert kept.first() == 1
        (tmp_path / "data").unlink()
        assert waited(lambda: kept.fault is None)
        kept.close()
        assert SqliteJournal(tmp_path / "data" / "j.db").last() == 2

    def test_a_full_disk_in_the_middle_of_play(self, tmp_path: Path) -> None:
        kept = KeptJournal(tmp_path / "j.db", retry_s=PATIENCE_S)
        kept.append([row(1)])
        assert kept._inner is not None
        pages = kept._inner._db.execute("PRAGMA page_count").fetchone()[0]
        kept._inner._db.execute(f"PRAGMA max_page_count={pages}")  # SQLite then says that the disk is full
        kept.append([row(2, note="x" * 100_000)])
        assert kept.fault is not None
        assert "full" in kept.fault
        kept.append([row(3)])  # a new connection has room again
        assert kept.fault is None
        assert [r.seq for r in kept.rows()] == [1, 2, 3]
        kept.close()

    def test_entries_made_while_an_older_journal_could_not_be_read_come_after_it(self, tmp_path: Path) -> None:
        older = SqliteJournal(tmp_path / "j.db")
        older.append([row(n) for n in (1, 2, 3)])
        kept = KeptJournal(tmp_path / "j.db", retry_s=0.02)  # the older one still holds the file
        kept.append([row(1, by="late")])
        assert kept.fault is not None
        older.close()
        assert waited(lambda: kept.fault is None)
        kept.append([row(2, by="later")])
        kept.close()
        told = [(r.seq, r.body.get("by")) for r in SqliteJournal(tmp_path / "j.db").rows()]
        assert told == [(1, None), (2, None), (3, None), (4, "late"), (5, "later")]
