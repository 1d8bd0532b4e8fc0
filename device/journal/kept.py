"""A journal that play can rely on, whatever the disk does."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from device.journal.file import SqliteJournal
from device.journal.mend import drop_aside, opened, readable, second_of
from device.journal.packed import IN_ONE, MOST_LOOSE
from device.journal.rows import JournalError, Row, that_stand

PATIENCE_S = 0.7  # so long an event waits for the disk; longer, and the eye would miss dice that roll meanwhile
OPENING_S = 3.0  # so long the start waits for it
RETRY_S = 3.0
GOODBYE_S = 1.0
MOST_WAITING = 20_000
"""Rows held in memory while nothing can be stored: two weeks of evenings; then the games that are over go first."""


class KeptJournal:
    """What cannot be stored waits in memory and is stored when that works again; a thread of its own does it.

    `append` returns once the rows are durable, or `fault` says that they are not: it is the sentence to show while
    scores would not survive a power cut, None while all is stored. A disk that takes longer than `PATIENCE_S` is such a
    fault until it has caught up. `set_aside` is where a damaged file was put, `lost` how many entries of the running
    game it took along.
    """

    def __init__(
        self, path: Path, *, retry_s: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.path = path
        self._retry_s, self._clock = RETRY_S if retry_s is None else retry_s, clock
        self._changed = threading.Condition()
        self._inner: SqliteJournal | None = None
        self._second = second_of(path)
        self._second_is_whole = False
        self._frozen: list[Row] = []  # what was read of a file that cannot be opened
        self._waiting: list[Row] = []
        self._stand: list[Row] = []  # of the running game, should the file go away
        self._given = self._stored = 0  # rows, counted
        self._shift = 0  # added to each seq: what was there before, where that could only be read later
        self._asked = True
        self._tries = 0
        self._busy_since: float | None = None
        self._closing = False
        self.fault: str | None = None
        self.set_aside: Path | None = None
        self.lost = 0
        self.boot = 0
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._tries > 0, OPENING_S)
            if not self._tries:
                self.fault = self._slow()

    def append(self, rows: Sequence[Row]) -> None:
        with self._changed:
            self._waiting.extend(replace(row, seq=row.seq + self._shift) for row in rows)
            self._given += len(rows)
            self._make_room()
            mine, tries = self._given, self._tries + (self._busy_since is not None)
            self._ask()
            late = self._busy_since is not None and self._clock() - self._busy_since > PATIENCE_S
            if not late:
                self._changed.wait_for(lambda: self._stored >= mine or self._tries > tries, PATIENCE_S)
            if self._stored < mine and self.fault is None:
                self.fault = self._slow()

    def settled(self) -> int:
        """The number of the latest entry, by which the next one is counted from now on."""
        with self._changed:
            self._shift = 0
        return self.last()

    def rows(self, after: int = 0) -> Iterator[Row]:
        inner, waiting = self._now()
        if inner is not None:
            try:
                for row in inner.rows(after):
                    yield row
                    after = row.seq
            except JournalError as fault:
                self._stumbled(inner, fault)
        yield from [row for row in waiting if row.seq > after]

    def back(self) -> Iterator[Row]:
        inner, waiting = self._now()
        yield from reversed(waiting)
        first = waiting[0].seq if waiting else None
        if inner is not None:
            try:
                yield from (row for row in inner.back() if first is None or row.seq < first)
            except JournalError as fault:
                self._stumbled(inner, fault)

    def first(self) -> int:
        inner, waiting = self._now()
        if inner is not None:
            try:
                if first := inner.first():
                    return first
            except JournalError as fault:
                self._stumbled(inner, fault)
        return waiting[0].seq if waiting else 0

    def last(self) -> int:
        inner, waiting = self._now()
        if waiting or inner is None:
            return waiting[-1].seq if waiting else 0
        try:
            return inner.last()
        except JournalError as fault:
            self._stumbled(inner, fault)
            return self._stand[-1].seq if self._stand else 0

    def rewrite(self, mention: str, change: Callable[[Row], Row], since: int = 0) -> None:
        """The copy of the running game follows with the next entry."""
        with self._changed:
            inner = self._inner
            if inner is None or self.fault is not None:
                raise JournalError(self.fault or self._slow())
        inner.rewrite(mention, change, since)
        with self._changed:
            self._frozen, self._waiting, self._stand = (
                [change(row) for row in rows] for rows in (self._frozen, self._waiting, self._stand)
            )
            self._second_is_whole = False

    def scrub(self) -> None:
        inner, _ = self._now()
        if inner is None:
            raise JournalError(self.fault or self._slow())
        inner.scrub()
        drop_aside(self.path)

    def health(self) -> dict[str, object]:
        """How the disk fares: rows that wait, seconds that the present writing takes, what is in use."""
        with self._changed:
            waiting, since, inner = len(self._waiting), self._busy_since, self._inner
        busy = 0.0 if since is None else self._clock() - since
        told: dict[str, object] = {"waiting": waiting, "busy_s": round(busy, 1), "bytes": None, "lost": self.lost}
        if inner is not None and since is None:
            with contextlib.suppress(JournalError):  # it was closed meanwhile
                told["bytes"] = inner.bytes
        return told

    def close(self) -> None:
        """Store what waits, if that takes no longer than `GOODBYE_S`; any number of times."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(GOODBYE_S)

    # -- under the lock

    def _ask(self) -> None:
        self._asked = True
        self._changed.notify_all()

    def _now(self) -> tuple[SqliteJournal | None, list[Row]]:
        with self._changed:
            return self._inner, [*self._frozen, *self._waiting]

    def _slow(self) -> str:
        return f"the disk of {self.path} is slow: what was just played is not stored yet"

    def _make_room(self) -> None:
        """What waits comes after all that is known to be stored."""
        before = self._frozen[-1].seq if self._frozen else 0
        if self._waiting and (more := before + 1 - self._waiting[0].seq) > 0:
            self._shift += more
            self._waiting = [replace(row, seq=row.seq + more) for row in self._waiting]

    def _bound(self) -> None:
        if len(self._waiting) > MOST_WAITING:
            stand = that_stand(reversed(self._waiting))
            self._given -= len(self._waiting) - len(stand)
            self._waiting = stand

    # -- on its own thread

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._asked and not self._closing:
                    self._changed.wait(self._retry_s)
                closing, self._asked = self._closing, False
                self._busy_since = self._clock()
            self._try()
            with self._changed:
                self._busy_since = None
                self._tries += 1
                self._changed.notify_all()
                if closing and self._closing:
                    break
            if not closing:
                self._tidy()
        if self._inner is not None:
            self._inner.close()
        self._second.close()

    def _try(self) -> None:
        """Open what is not open, store what waits; whatever goes wrong is the fault until the next try."""
        try:
            inner = self._opened()
            with self._changed:
                batch = list(self._waiting)
            if batch:
                inner.append(batch)
                self._copy(batch)
        except JournalError as fault:
            self._given_up(str(fault))
        except Exception as fault:  # the thread must live
            self._given_up(f"the journal {self.path} stumbled ({type(fault).__name__}: {fault}) and is tried again")
        else:
            with self._changed:
                del self._waiting[: len(batch)]
                self._stored += len(batch)
                self._stand = that_stand(reversed([*self._stand, *batch]))
                if not self._waiting:
                    self.fault = None
                else:
                    self._asked = True

    def _opened(self) -> SqliteJournal:
        """The open journal; anew where it was lost or its file is gone. Raises `JournalError`."""
        if self._inner is not None and not self._inner.is_there:
            self._given_up(f"the journal {self.path} is gone")
        if self._inner is not None and not os.access(self.path, os.W_OK):
            raise JournalError(f"the journal {self.path} cannot be written: its disk has become read-only")
        if self._inner is not None:
            return self._inner
        found = opened(self.path)
        inner = found.journal
        self.set_aside = found.set_aside or self.set_aside
        self.lost += found.lost
        last, stored = inner.last(), that_stand(inner.back())
        with self._changed:
            carried = self._carried(stored, last)
            self._frozen = []
            fresh = [replace(row, boot=row.boot or inner.boot) for row in (*carried, *self._waiting)]
            if fresh and (more := last + 1 - fresh[0].seq) > 0:
                self._shift += more
                fresh = [replace(row, seq=row.seq + more) for row in fresh]
            self._given += len(carried)
            self._waiting = fresh
            self._inner, self.boot = inner, max(self.boot, inner.boot)
            if not self._stand:
                self._stand = stored
        return inner

    def _carried(self, stored: Sequence[Row], last: int) -> list[Row]:
        """The rows of the running game that were stored once and are no longer found."""
        if not self._stand:
            return []
        if stored and stored[0] == self._stand[0]:
            return [row for row in self._stand if row.seq > last]
        return list(self._stand)

    def _copy(self, batch: Sequence[Row]) -> None:
        """The running game once more; where that fails the journal alone has to do, and it is tried again."""
        try:
            if self._second_is_whole and not self._second.is_full:
                self._second.append(batch)
            else:
                self._second.anew(that_stand(reversed([*self._stand, *batch])))
                self._second_is_whole = True
        except OSError:
            self._second_is_whole = False

    def _given_up(self, sentence: str) -> None:
        inner, self._inner = self._inner, None
        if inner is not None:
            inner.close()
        self._second.close()
        frozen = list(readable(self.path).rows) if not self._stand and not self._frozen else self._frozen
        with self._changed:
            self.fault = sentence
            self._frozen = frozen or list(self._stand)
            self.boot = self.boot or 1 + max((row.boot for row in self._frozen), default=0)
            self._make_room()
            self._bound()

    def _tidy(self) -> None:
        """Between two events: one piece of what is long over is packed, or the oldest let go."""
        inner = self._inner
        if inner is None or self.fault is not None:
            return
        try:
            if inner.loose > MOST_LOOSE + IN_ONE and self._stand:
                more = inner.pack(self._stand[0].seq, IN_ONE)
            else:
                more = inner.shrink()
        except JournalError as fault:
            self._given_up(str(fault))
            return
        if more:
            with self._changed:
                self._asked = True

    def _stumbled(self, inner: SqliteJournal, fault: JournalError) -> None:
        if inner is self._inner:  # else it was only closed meanwhile, to be opened anew
            self.fault = str(fault)
