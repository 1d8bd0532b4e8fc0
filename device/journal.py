"""The only thing stored: every accepted event, on the disk before anybody sees what came of it."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from device.errors import DeviceError

SCHEMA = 1
PAGE = 500  # rows fetched at a time while the journal is read


class JournalError(DeviceError, OSError):
    """The journal cannot be opened, read or written; the text says which file and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence


class JournalDamaged(JournalError):
    """The file is no journal, or no longer one."""


@dataclass(frozen=True)
class Row:
    """One stored fact.

    `seq` orders everything; `boot` counts the openings of this journal, so that times within one `boot` compare;
    `kind` is ``event`` (of the rules) or ``note`` (of the table: what is pending, learned seats); `rules` is the
    version of the rules that accepted it; `wall` is for people to read and decides nothing.
    """

    seq: int
    boot: int
    kind: str
    body: Mapping[str, object]
    rules: str
    wall: str = ""


class Journal(Protocol):
    """Where rows are kept; one contract suite runs on each."""

    boot: int

    def append(self, rows: Sequence[Row]) -> None:
        """All of them or none, durable on return; raises `JournalError`."""

    def rows(self, after: int = 0) -> Iterator[Row]:
        """In order of `seq`, those above `after`; raises `JournalError`."""

    def last(self) -> int:
        """The highest `seq`, 0 when empty."""

    def close(self) -> None: ...


class MemoryJournal:
    """The fake: keeps rows while the process lives; `broken` makes it refuse like a full card."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self._rows = list(rows)
        self.boot = 1 + max((row.boot for row in self._rows), default=0)
        self.broken: str | None = None

    def append(self, rows: Sequence[Row]) -> None:
        if self.broken is not None:
            raise JournalError(self.broken)
        for before, row in zip([self.last(), *(row.seq for row in rows)], rows, strict=False):
            if row.seq <= before:
                raise JournalError(f"entry {row.seq} does not come after entry {before}")
        self._rows.extend(rows)

    def rows(self, after: int = 0) -> Iterator[Row]:
        return iter([row for row in self._rows if row.seq > after])

    def last(self) -> int:
        return self._rows[-1].seq if self._rows else 0

    def close(self) -> None:
        pass


class SqliteJournal:
    """A journal in one SQLite file: write-ahead log, synchronous, for one process at a time.

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
        except sqlite3.Error as fault:
            self._db.close()
            raise self._told(fault, "opened") from fault
        except BaseException:
            self._db.close()
            raise

    def append(self, rows: Sequence[Row]) -> None:
        values = [(r.seq, r.boot, r.kind, json.dumps(r.body, ensure_ascii=False), r.rules, r.wall) for r in rows]
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", values)
                self._db.execute("COMMIT")
            except sqlite3.Error as fault:
                try:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                except sqlite3.Error:
                    pass  # the first fault is the one to tell
                raise self._told(fault, "written") from fault

    def rows(self, after: int = 0) -> Iterator[Row]:
        while page := self._page(after):
            yield from page
            after = page[-1].seq

    def last(self) -> int:
        with self._lock:
            try:
                return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM entries").fetchone()[0])
            except sqlite3.Error as fault:
                raise self._told(fault, "read") from fault

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _open(self) -> int:
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA:
            raise JournalError(f"the journal {self.path} was written by a newer Pietjesoog; update this one")
        if sound := [row[0] for row in self._db.execute("PRAGMA quick_check(1)") if row[0] != "ok"]:
            raise JournalDamaged(f"the journal {self.path} is damaged ({sound[0]}); move it away to begin a new one")
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("CREATE TABLE IF NOT EXISTS boots (boot INTEGER PRIMARY KEY)")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, boot INTEGER NOT NULL, kind TEXT NOT NULL,"
            " body TEXT NOT NULL, rules TEXT NOT NULL, wall TEXT NOT NULL)"
        )
        self._db.execute(f"PRAGMA user_version={SCHEMA}")
        boot = self._db.execute("INSERT INTO boots DEFAULT VALUES RETURNING boot").fetchone()[0]
        self._db.execute("COMMIT")
        return int(boot)

    def _page(self, after: int) -> list[Row]:
        with self._lock:
            try:
                found = self._db.execute(
                    "SELECT seq, boot, kind, body, rules, wall FROM entries WHERE seq > ? ORDER BY seq LIMIT ?",
                    (after, PAGE),
                ).fetchall()
                return [
                    Row(seq, boot, kind, json.loads(body), rules, wall) for seq, boot, kind, body, rules, wall in found
                ]
            except (sqlite3.Error, ValueError) as fault:
                raise self._told(fault, "read") from fault

    def _told(self, fault: Exception, what: str) -> JournalError:
        text = str(fault)
        if "locked" in text:
            return JournalError(f"the journal {self.path} is in use by another Pietjesoog; stop that one first")
        if isinstance(fault, sqlite3.DatabaseError) and not isinstance(fault, sqlite3.OperationalError):
            return JournalDamaged(f"the journal {self.path} is damaged ({text}); move it away to begin a new one")
        if isinstance(fault, ValueError):
            return JournalDamaged(f"the journal {self.path} holds an entry that is not JSON; move it away")
        return JournalError(f"the journal {self.path} cannot be {what}: {text}")


class KeptJournal:
    """A journal that play can rely on: what cannot be stored waits in memory and is stored when that works again.

    `fault` is the sentence to show while scores would not survive a power cut, None while all is stored.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._inner: SqliteJournal | None = None
        self._waiting: list[Row] = []
        self._shift = 0  # added to each seq: what was there before, where that could only be read later
        self._lock = threading.Lock()
        self.fault: str | None = None
        self.set_aside: Path | None = None
        self.boot = 0
        self._reopen()

    def append(self, rows: Sequence[Row]) -> None:
        with self._lock:
            self._waiting.extend(replace(row, seq=row.seq + self._shift) for row in rows)
            self._flush()

    def retry(self) -> bool:
        """Try to store what waits; True when all is stored."""
        with self._lock:
            if self.fault is not None:
                self._flush()
            return self.fault is None

    def rows(self, after: int = 0) -> Iterator[Row]:
        inner = self._inner
        if inner is not None:
            try:
                for row in inner.rows(after):
                    yield row
                    after = row.seq
            except JournalError as fault:
                if inner is self._inner:  # else it was only closed meanwhile, to be opened anew
                    self.fault = str(fault)
        yield from [row for row in self._waiting if row.seq > after]

    def last(self) -> int:
        stored = 0
        if self._inner is not None:
            try:
                stored = self._inner.last()
            except JournalError as fault:
                self.fault = str(fault)
        return self._waiting[-1].seq if self._waiting else stored

    def close(self) -> None:
        with self._lock:
            if self._waiting:
                self._flush()
            if self._inner is not None:
                self._inner.close()

    def _flush(self) -> None:
        if self._inner is None:
            self._reopen()
        if self._inner is None:
            return
        try:
            self._make_room(self._inner.last())
            self._inner.append(self._waiting)
        except JournalError as fault:
            self.fault = str(fault)
            self._inner.close()
            self._inner = None
        else:
            self._waiting.clear()
            self.fault = None

    def _make_room(self, stored: int) -> None:
        if self._waiting and (more := stored + 1 - self._waiting[0].seq) > 0:
            self._shift += more
            self._waiting = [replace(row, seq=row.seq + more) for row in self._waiting]

    def _reopen(self) -> None:
        try:
            self._inner = SqliteJournal(self.path)
        except JournalDamaged as fault:
            self.fault = str(fault)
            self._set_aside()
        except JournalError as fault:
            self.fault = str(fault)
        if self._inner is not None:
            self.boot = max(self.boot, self._inner.boot)
            if not self._waiting:
                self.fault = None

    def _set_aside(self) -> None:
        """Keep the damaged file under another name, for somebody to look at, and begin a new one."""
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        try:
            self.path.rename(aside)
            for rest in ("-wal", "-shm"):
                self.path.with_name(self.path.name + rest).unlink(missing_ok=True)
            self._inner = SqliteJournal(self.path)
        except (OSError, JournalError) as fault:
            self.fault = str(fault)
        else:
            self.set_aside = aside
