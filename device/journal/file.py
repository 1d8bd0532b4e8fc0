"""A journal in one SQLite file."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from device.journal.packed import mentions, packed, unpacked
from device.journal.rows import JournalDamaged, JournalError, Row, row_of

SCHEMA = 2
MIGRATIONS = {
    0: (
        "CREATE TABLE boots (boot INTEGER PRIMARY KEY)",
        "CREATE TABLE entries (seq INTEGER PRIMARY KEY, boot INTEGER NOT NULL, kind TEXT NOT NULL,"
        " body TEXT NOT NULL, rules TEXT NOT NULL, wall TEXT NOT NULL)",
    ),
    1: ("CREATE TABLE packed (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, rows BLOB NOT NULL)",),
}
"""What makes of each version the next one; an older file is brought up to date when it is opened."""
PAGE = 500  # rows fetched at a time while the journal is read
MOST_BYTES = 32 * 2**20
"""The bound of the file: more than that and the oldest packed games go. Beside it lies a log of 4 MiB at most."""
_BOOTS_KEPT = 100
_LOG_BYTES = 4 * 2**20
_COLUMNS = "seq, boot, kind, body, rules, wall"


class SqliteJournal:
    """Write-ahead log, synchronous, for one process at a time; what is long over is packed.

    Raises `JournalDamaged` where the file holds something else, `JournalError` where it cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=0.5, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as fault:
            raise JournalError(f"the journal {path} cannot be opened: {fault}") from fault
        try:
            self.boot = self._open()
            self._is = _identity(path)
        except sqlite3.Error as fault:
            self._db.close()
            raise self._told(fault, "opened") from fault
        except BaseException:
            self._db.close()
            raise

    def append(self, rows: Sequence[Row]) -> None:
        values = [(r.seq, r.boot, r.kind, json.dumps(r.body), r.rules, r.wall) for r in rows]
        with self._transaction("written"):
            self._db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", values)

    def rows(self, after: int = 0) -> Iterator[Row]:
        for blob in self._packed_after(after):
            for row in self._unpacked(blob):
                if row.seq > after:
                    yield row
                    after = row.seq
        while page := self._page(f"seq > {after} ORDER BY seq"):
            yield from page
            after = page[-1].seq

    def back(self) -> Iterator[Row]:
        before = self.last() + 1
        while page := self._page(f"seq < {before} ORDER BY seq DESC"):
            yield from page
            before = page[-1].seq
        for blob in reversed(self._packed_after(0)):
            yield from reversed(self._unpacked(blob))

    def first(self) -> int:
        return self._number("SELECT coalesce((SELECT min(first) FROM packed), (SELECT min(seq) FROM entries), 0)")

    def last(self) -> int:
        return self._number(
            "SELECT max(coalesce((SELECT max(seq) FROM entries), 0), coalesce((SELECT max(last) FROM packed), 0))"
        )

    @property
    def loose(self) -> int:
        """How many rows are not packed."""
        return self._number("SELECT count(*) FROM entries")

    @property
    def bytes(self) -> int:
        """What of the file is in use."""
        with self._lock, self._translated("read"):
            pages, free, size = (
                self._db.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
        return int((pages - free) * size)

    @property
    def is_there(self) -> bool:
        """Whether the path still leads to this file: one that was deleted takes entries that nobody finds again."""
        return _identity(self.path) == self._is

    def pack(self, before: int, most: int) -> bool:
        """Pack up to `most` of the oldest loose rows below `before`; whether there were any."""
        page = self._page(f"seq < {before} ORDER BY seq", most)
        if not page:
            return False
        with self._transaction("written"):
            self._db.execute("INSERT INTO packed VALUES (?, ?, ?)", (page[0].seq, page[-1].seq, packed(page)))
            self._db.execute("DELETE FROM entries WHERE seq <= ?", (page[-1].seq,))
        return True

    def shrink(self, most_bytes: int = MOST_BYTES) -> bool:
        """Let the oldest packed rows go while the file is larger; whether some went."""
        if self.bytes <= most_bytes:
            return False
        with self._transaction("written"):
            gone = self._db.execute("DELETE FROM packed WHERE first = (SELECT min(first) FROM packed)").rowcount
        return gone > 0

    def rewrite(self, mention: str, change: Callable[[Row], Row], since: int = 0) -> None:
        words = [json.dumps(mention, ensure_ascii=plain)[1:-1] for plain in (True, False)]
        with self._transaction("written"):
            found = f"SELECT {_COLUMNS} FROM entries WHERE seq >= ? AND (instr(body, ?) OR instr(body, ?))"
            for values in self._db.execute(found, (since, *words)).fetchall():
                row = row_of(*values)
                if (fresh := change(row)) is not row:
                    self._db.execute("UPDATE entries SET body = ? WHERE seq = ?", (json.dumps(fresh.body), row.seq))
            pieces = self._db.execute("SELECT first FROM packed WHERE last >= ?", (since,)).fetchall()
            for (first,) in pieces:
                piece = self._db.execute("SELECT rows FROM packed WHERE first = ?", (first,)).fetchone()[0]
                if mentions(piece, words):
                    rows = [change(row) if row.seq >= since else row for row in unpacked(piece)]
                    self._db.execute("UPDATE packed SET rows = ? WHERE first = ?", (packed(rows), first))

    def scrub(self) -> None:
        with self._lock, self._translated("written"):
            self._db.execute("VACUUM")  # free pages still hold what stood there
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._lock:
            self._db.close()

    # -- inside

    def _open(self) -> int:
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute(f"PRAGMA journal_size_limit={_LOG_BYTES}")
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA:
            raise JournalError(f"the journal {self.path} was written by a newer Pietjesoog; update this one")
        if sound := [row[0] for row in self._db.execute("PRAGMA quick_check(1)") if row[0] != "ok"]:
            raise JournalDamaged(f"the journal {self.path} is damaged ({sound[0]}); move it away to begin a new one")
        self._db.execute("BEGIN IMMEDIATE")
        for step in range(version, SCHEMA):
            for statement in MIGRATIONS[step]:
                self._db.execute(statement)
        self._db.execute(f"PRAGMA user_version={SCHEMA}")
        known = (
            "SELECT 1 + max(coalesce((SELECT max(boot) FROM boots), 0), coalesce((SELECT max(boot) FROM entries), 0))"
        )
        boot = int(self._db.execute(f"INSERT INTO boots {known} RETURNING boot").fetchone()[0])
        self._db.execute("DELETE FROM boots WHERE boot <= ?", (boot - _BOOTS_KEPT,))
        self._db.execute("COMMIT")
        _settle_folder(self.path.parent)
        return boot

    @contextlib.contextmanager
    def _transaction(self, what: str) -> Iterator[None]:
        with self._lock, self._translated(what):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # the first fault is the one to tell
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError) as fault:
            raise self._told(fault, what) from fault

    def _number(self, query: str) -> int:
        with self._lock, self._translated("read"):
            return int(self._db.execute(query).fetchone()[0])

    def _page(self, which: str, most: int = PAGE) -> list[Row]:
        with self._lock, self._translated("read"):
            found = self._db.execute(f"SELECT {_COLUMNS} FROM entries WHERE {which} LIMIT {most}").fetchall()
            return [row_of(*values) for values in found]

    def _packed_after(self, after: int) -> list[int]:
        with self._lock, self._translated("read"):
            found = self._db.execute("SELECT first FROM packed WHERE last > ? ORDER BY first", (after,))
            return [int(row[0]) for row in found]

    def _unpacked(self, first: int) -> list[Row]:
        with self._lock, self._translated("read"):
            found = self._db.execute("SELECT rows FROM packed WHERE first = ?", (first,)).fetchone()
            return [] if found is None else unpacked(found[0])

    def _told(self, fault: Exception, what: str) -> JournalError:
        text = str(fault)
        if "locked" in text:
            return JournalError(f"the journal {self.path} is in use by another Pietjesoog; stop that one first")
        if isinstance(fault, sqlite3.DatabaseError) and not isinstance(fault, sqlite3.OperationalError):
            return JournalDamaged(f"the journal {self.path} is damaged ({text}); move it away to begin a new one")
        if isinstance(fault, ValueError):
            return JournalDamaged(f"the journal {self.path} holds an entry that is not JSON; move it away")
        return JournalError(f"the journal {self.path} cannot be {what}: {text}")


def refill(path: Path, rows: Sequence[Row], pieces: Iterable[tuple[int, int, bytes]] = ()) -> None:
    """A new journal at `path` with these rows and packed pieces in it; raises `JournalError`."""
    made = SqliteJournal(path)
    try:
        with made._transaction("written"):
            made._db.executemany("INSERT INTO packed VALUES (?, ?, ?)", list(pieces))
        made.append(rows)
    finally:
        made.close()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        told = os.stat(path)
    except OSError:
        return None
    return told.st_dev, told.st_ino


def _settle_folder(folder: Path) -> None:
    """A new file's name survives a power cut once its folder is on the disk."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
