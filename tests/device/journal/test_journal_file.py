"""The file over years: brought up to date, packed, bounded; and read page by page where SQLite gives up."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.coming_back import stood
from device.journal import JournalDamaged, Row, SqliteJournal, mend
from device.journal.file import SCHEMA
from device.journal.mend import MOST_ASIDE, opened, second_of
from device.journal.packed import unpacked
from device.journal.pages import found_in
from device.journal.second import MOST_BYTES, SecondCopy

OLD = Path(__file__).parents[2] / "data" / "journal" / "version-1.db"


def row(seq: int, boot: int = 1, **body: object) -> Row:
    return Row(seq, boot, "event", {"do": "stop", **body}, "1", "2025-11-01T20:15:00+01:00")


def rows_in(path: Path) -> list[Row]:
    found = found_in(path)
    return [*(row for _, _, piece in found.pieces for row in unpacked(piece)), *found.rows]


def start(seq: int) -> Row:
    return Row(seq, 1, "event", {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"]}, "1")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqliteJournal]:
    made = SqliteJournal(tmp_path / "j.db")
    yield made
    made.close()


class TestOlder:
    def test_a_file_of_the_first_version_is_brought_up_to_date_with_all_its_scores(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(OLD, tmp_path / "j.db"))
        with sqlite3.connect(path) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (1,)
        db.close()
        journal = SqliteJournal(path)
        assert journal._db.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert [r.seq for r in journal.rows()] == list(range(1, 18))
        assert journal.boot == 3
        found = stood(journal)
        assert found.trouble is None
        assert [(p.name, p.number) for p in found.session.view.players] == [("Zoë", 5), ("Bob", 9)]
        assert found.waiting.pending is not None
        journal.append([row(18)])
        journal.close()
        assert SqliteJournal(path).last() == 18

    def test_a_migration_that_is_cut_short_is_done_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from device.journal import file

        path = Path(shutil.copy(OLD, tmp_path / "j.db"))
        broken = {**file.MIGRATIONS, 1: (*file.MIGRATIONS[1], "SELECT cut FROM short")}
        monkeypatch.setattr(file, "MIGRATIONS", broken)
        with pytest.raises(OSError, match="cannot be opened"):
            SqliteJournal(path)
        monkeypatch.undo()
        assert SqliteJournal(path).last() == 17


class TestPacked:
    def test_packed_rows_are_read_as_they_were(self, journal: SqliteJournal) -> None:
        told = [row(n, by="Zoë") for n in range(1, 301)]
        journal.append(told)
        assert journal.pack(before=251, most=100)
        assert journal.pack(before=251, most=100)
        assert journal.loose == 100
        assert list(journal.rows()) == told
        assert [r.seq for r in journal.rows(after=150)] == list(range(151, 301))
        assert list(journal.back()) == told[::-1]
        assert journal.pack(before=251, most=100)  # the fifty below the running game
        assert not journal.pack(before=251, most=100)
        assert journal.loose == 50
        assert (journal.first(), journal.last()) == (1, 300)

    def test_all_packed_the_next_number_is_still_the_next(self, journal: SqliteJournal) -> None:
        journal.append([row(1), row(2)])
        journal.pack(before=3, most=100)
        assert (journal.first(), journal.last()) == (1, 2)
        assert [r.seq for r in journal.back()] == [2, 1]

    def test_what_is_packed_takes_a_tenth(self, journal: SqliteJournal) -> None:
        journal.append([row(n, dice=[n % 6 + 1, 2, 3], at=n * 7.31) for n in range(1, 4001)])
        before = journal.bytes
        while journal.pack(before=4001, most=1000):
            pass
        assert journal.bytes < before / 8

    def test_the_oldest_go_when_the_file_is_full_and_the_running_game_never(self, journal: SqliteJournal) -> None:
        journal.append([row(n, note=str(n * 7919)) for n in range(1, 2001)])
        while journal.pack(before=1501, most=250):
            pass
        bound = journal.bytes - 8192
        while journal.shrink(bound):
            pass
        assert journal.bytes <= bound
        kept = [r.seq for r in journal.rows()]
        assert kept[0] == journal.first() > 1
        assert kept[-500:] == list(range(1501, 2001))
        while journal.shrink(1):
            pass
        assert [r.seq for r in journal.rows()] == list(range(1501, 2001))


class TestPages:
    def test_reads_what_sqlite_reads_the_log_included(self, tmp_path: Path, journal: SqliteJournal) -> None:
        journal.append([row(n, by="Zoë") for n in range(1, 400)])
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        journal.append([row(n, long="x" * 9000) for n in range(400, 420)])  # over several pages
        journal.pack(before=200, most=1000)
        assert (tmp_path / "j.db-wal").stat().st_size > 0
        assert rows_in(tmp_path / "j.db") == list(journal.rows())

    def test_a_write_that_was_cut_short_is_none(self, tmp_path: Path, journal: SqliteJournal) -> None:
        journal.append([row(1)])
        log = (tmp_path / "j.db-wal").read_bytes()
        journal.append([row(2)])
        whole = (tmp_path / "j.db-wal").read_bytes()
        copy = tmp_path / "copy.db"
        copy.write_bytes((tmp_path / "j.db").read_bytes())
        for length in range(len(log), len(whole), 509):
            (tmp_path / "copy.db-wal").write_bytes(whole[:length])
            assert [r.seq for r in rows_in(copy)] == [1]
        (tmp_path / "copy.db-wal").write_bytes(whole)
        assert [r.seq for r in rows_in(copy)] == [1, 2]

    def test_of_what_is_no_journal_nothing_is_read(self, tmp_path: Path) -> None:
        assert rows_in(tmp_path / "none") == []
        (tmp_path / "odd").write_bytes(bytes(range(256)) * 99)
        assert rows_in(tmp_path / "odd") == []


class TestSecondCopy:
    def test_a_torn_line_is_left_out_and_what_follows_is_whole(self, tmp_path: Path) -> None:
        copy = SecondCopy(tmp_path / "c")
        copy.append([row(1), row(2)])
        copy.close()
        (tmp_path / "c").write_bytes((tmp_path / "c").read_bytes()[:-9])
        again = SecondCopy(tmp_path / "c")
        again.append([row(3)])
        assert [r.seq for r in again.rows()] == [1, 3]
        again.close()

    def test_written_anew_it_holds_only_that(self, tmp_path: Path) -> None:
        copy = SecondCopy(tmp_path / "c")
        while not copy.is_full:
            copy.append([row(n, note="x" * 500) for n in range(1, 101)])
        copy.anew([start(7), row(8)])
        assert not copy.is_full
        copy.append([row(9)])
        assert [r.seq for r in copy.rows()] == [7, 8, 9]
        assert (tmp_path / "c").stat().st_size < MOST_BYTES
        copy.close()


class TestMended:
    def made(self, path: Path, count: int = 600) -> list[Row]:
        journal, copy = SqliteJournal(path), second_of(path)
        rows = [start(1), *(row(n, by="Zoë") for n in range(2, count))]
        rows += [start(count), *(row(n) for n in range(count + 1, count + 20))]
        journal.append(rows)
        copy.append(rows[count - 1 :])
        copy.close()
        journal.close()
        return rows

    def test_a_page_of_rubbish_costs_its_rows_of_old_games_and_none_of_the_running_one(self, tmp_path: Path) -> None:
        path = tmp_path / "j.db"
        rows = self.made(path)
        raw = bytearray(path.read_bytes())
        raw[5 * 4096 : 6 * 4096] = b"\xa5" * 4096
        path.write_bytes(raw)
        found = opened(path)
        assert found.set_aside == tmp_path / "j.db.damaged-1"
        assert found.set_aside.read_bytes() == raw
        assert found.lost == 0
        left = list(found.journal.rows())
        assert {r.seq for r in rows} > {r.seq for r in left}
        assert len(left) > 500
        assert all(r == rows[r.seq - 1] for r in left)
        assert [r.seq for r in left[-20:]] == list(range(600, 620))
        found.journal.close()

    @pytest.mark.parametrize("part", ["first", "last", "log", "gone"])
    def test_any_one_page_of_any_one_file_leaves_the_running_game_whole(self, tmp_path: Path, part: str) -> None:
        path = tmp_path / "j.db"
        rows = self.made(path)
        journal, copy = SqliteJournal(path), second_of(path)
        for n in range(620, 640):
            journal.append([row(n)])
            copy.append([row(n)])
        copy.close()
        raw, log = bytearray(path.read_bytes()), bytearray((tmp_path / "j.db-wal").read_bytes())
        journal.close()  # the files as a power cut leaves them, with the log
        if part == "first":
            raw[:4096] = bytes(4096)
        elif part == "last":
            raw[-4096:] = b"\xff" * 4096
        elif part == "log":
            log[-4120 + 1500 :] = b"\x11" * (4120 - 1500)
        path.write_bytes(raw)
        (tmp_path / "j.db-wal").write_bytes(log)
        if part == "gone":
            path.unlink()
            (tmp_path / "j.db-wal").unlink()
        found = opened(path)
        assert found.lost == 0
        assert [r.seq for r in found.journal.rows(599)] == list(range(600, 640))
        assert list(found.journal.rows(599))[:20] == rows[599:]
        found.journal.close()

    def test_mending_that_is_cut_short_is_done_to_its_end(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "j.db"
        rows = self.made(path)
        path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])

        def power_cut(path: Path) -> Path:
            path.rename(path.with_name("j.db.damaged-1"))
            raise KeyboardInterrupt

        monkeypatch.setattr(mend, "_set_aside", power_cut)
        with pytest.raises(KeyboardInterrupt):
            opened(path)
        monkeypatch.undo()
        found = opened(path)
        assert list(found.journal.rows()) == rows
        found.journal.close()

    def test_packed_pieces_are_had_back_as_they_are(self, tmp_path: Path) -> None:
        path = tmp_path / "j.db"
        rows = self.made(path)
        journal = SqliteJournal(path)
        while journal.pack(before=600, most=150):
            pass
        journal.close()
        path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])
        found = opened(path)
        assert found.journal.loose == 20
        assert list(found.journal.rows()) == rows
        found.journal.close()

    def test_a_gap_in_the_running_game_ends_it_there(self, tmp_path: Path) -> None:
        path = tmp_path / "j.db"
        journal = SqliteJournal(path)
        journal.append([start(1), row(2), row(3), row(5), row(6)])
        journal.close()
        path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])
        found = opened(path)
        assert [r.seq for r in found.journal.rows()] == [1, 2, 3]
        assert found.lost == 3  # 4, 5 and 6
        found.journal.close()

    def test_another_evening_in_the_copy_is_left_out(self, tmp_path: Path) -> None:
        path = tmp_path / "j.db"
        self.made(path)
        second_of(path).anew([start(600), row(601, by="somebody else"), row(602)])
        found = opened(path)
        assert found.set_aside is None
        assert found.journal.last() == 619
        found.journal.close()

    def test_files_set_aside_do_not_fill_the_disk(self, tmp_path: Path) -> None:
        path = tmp_path / "j.db"
        for n in range(1, 10):
            path.write_bytes(b"garbage %d " % n * 200)
            opened(path).journal.close()
        kept = sorted(p.name for p in tmp_path.glob("j.db.damaged-*") if p.suffix[9:].isdecimal())
        assert len(kept) == MOST_ASIDE
        assert "j.db.damaged-1" in kept
        assert "j.db.damaged-9" in kept


def test_a_row_that_is_none_is_damage(journal: SqliteJournal) -> None:
    journal.append([row(1)])
    journal._db.execute("UPDATE entries SET body = '[]'")
    with pytest.raises(JournalDamaged):
        list(journal.rows())
