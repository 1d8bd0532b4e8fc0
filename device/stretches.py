"""Where evenings and stretches of play begin in the journal: found from its end backwards, as far as somebody asks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from device.coming_back import VOID
from device.journal import Journal, Row
from device.journal.rows import BASIS
from device.played import wall_time
from scorer.events import NextGame, Start

NIGHT_S = 6 * 3600.0  # as the table's code: nobody played for so long, it is another evening
CLOCK_SET_S = 90 * 24 * 3600.0  # within one boot: no holiday, somebody set the clock
_PIECE = 1000  # rows read at a time


@dataclass
class Stretch:
    """Events that can be played on their own, by the `seq` of the first and the last.

    It begins with a start, or with a ``next_game`` and the basis stored with it: then it `goes_on` from the one before,
    and may still put that one's last game right.
    """

    first: int
    last: int
    goes_on: bool = False


def is_another_evening(before: Row | None, row: Row) -> bool:
    """Whether a game that begins with `row` begins another evening than the entry `before` it belongs to.

    It does when nobody played for six hours, and when the device was started anew and its clock stands earlier than
    before: then nobody knows for how long it was off. A clock that is put right while the device runs (backwards, or
    by months) begins none.
    """
    if before is None:
        return True
    then, now, restarted = wall_time(before.wall), wall_time(row.wall), before.boot != row.boot
    if then is None or now is None:
        return restarted
    passed = (now - then).total_seconds()
    return passed >= NIGHT_S or passed < 0 if restarted else NIGHT_S <= passed < CLOCK_SET_S


class Index:
    """`begins` are the entries at which evenings begin, `stretches` what was played; both ascending, as far as read.

    For one thread at a time. Raises `JournalError` where the journal cannot be read.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.begins: list[int] = []
        self.stretches: list[Stretch] = []
        self.all_read = False
        self._high: Row | None = None
        self._low: Row | None = None
        self._older: Iterator[Row] | None = None
        self._oldest = 0  # the first entry of the journal that was read; later another where the oldest were let go
        self._game: Row | None = None  # begins a game; whether an evening too is told by the row before it
        self._open = 0  # the last event of the stretch whose first is still to be read
        self._basis = 0
        self._voids: list[tuple[int, int]] = []

    @property
    def low(self) -> int:
        """The oldest event that was read."""
        return 0 if self._low is None else self._low.seq

    def look(self) -> bool:
        """Read what is new; false where the journal is another than before, and all has to be read anew."""
        if self._high is None:
            self.all_read = False  # nothing was there; there may be now
            self.further()
            return True
        if self._journal.last() < self._high.seq or (self.all_read and self._journal.first() != self._oldest):
            return False
        before = self._high.seq
        for row in self._journal.rows(self._high.seq):
            if row.kind == "note" and VOID in row.body:
                return False
            if row.kind == "event":
                before = self._high.seq
                self._after(row)
            elif BASIS in row.body and row.seq == self._high.seq + 1:
                self._end_at(before)
                self.stretches.append(Stretch(self._high.seq, self._high.seq, True))
        return True

    def further(self) -> None:
        """Read one piece further back."""
        if self.all_read:
            return
        if self._older is None:
            self._older, self._oldest = self._journal.back(), self._journal.first()
        for n, row in enumerate(self._older):
            self._before(row)
            if n >= _PIECE:
                return
        self._older = None
        if self._low is None or self._first() >= self._low.seq:  # else it was closed meanwhile
            self.all_read = True
            if self._game is not None:
                self.begins.insert(0, self._game.seq)
                self._game = None

    def before(self, begin: int | None) -> list[int]:
        """The begins of evenings before that one, of all without one."""
        return list(self.begins) if begin is None else self.begins[: bisect_left(self.begins, begin)]

    def within(self, first: int, until: int) -> list[Stretch]:
        """The stretches with an event from `first` up to but not at `until`."""
        at = bisect_left(self.stretches, first, key=lambda one: one.last)
        return list(takewhile(lambda one: one.first < until, self.stretches[at:]))

    def end_of(self, begin: int) -> int:
        """The entry after the evening that begins there."""
        at = bisect_right(self.begins, begin)
        return self.begins[at] if at < len(self.begins) else (self._high.seq if self._high else 0) + 1

    def put_right_until(self, stretch: Stretch) -> int:
        """The last event that may still put a game of this stretch right."""
        after = bisect_right(self.stretches, stretch.first, key=lambda one: one.first)
        goes_on = after < len(self.stretches) and self.stretches[after].goes_on
        return self.stretches[after].last if goes_on else stretch.last

    def rows(self, first: Stretch, last: Stretch) -> list[Row]:
        """The events of these and what lies between, the first one's basis, and what may still put the last right."""
        until, found = max(self.put_right_until(last), first.first + 1), []
        for row in self._journal.rows(first.first - 1):
            if row.seq > until:
                break
            is_basis = first.goes_on and row.seq == first.first + 1
            if is_basis or (row.kind == "event" and not self._is_void(row)):
                found.append(row)
        return found

    def _first(self) -> int:
        return next((row.seq for row in self._journal.rows() if row.kind == "event" and not self._is_void(row)), 0)

    def _is_void(self, row: Row) -> bool:
        return any(first <= row.seq <= last for first, last in self._voids)

    def _before(self, row: Row) -> None:
        """One row further back."""
        if row.kind == "note":
            match row.body.get(VOID):
                case [int(first), int(last)]:
                    self._voids.append((first, last))
            self._basis = row.seq if BASIS in row.body else self._basis
            return
        if self._is_void(row) or (self._low is not None and row.seq >= self._low.seq):
            return
        do = row.body.get("do")
        self._high = self._high or row
        if self._game is not None and is_another_evening(row, self._game):
            self.begins.insert(0, self._game.seq)
        self._game = row if do in (Start.do, NextGame.do) else None
        self._low = row
        self._open = self._open or row.seq
        goes_on = do == NextGame.do and self._basis == row.seq + 1
        if do == Start.do or goes_on:
            self.stretches.insert(0, Stretch(row.seq, self._open, goes_on))
            self._open = 0

    def _after(self, row: Row) -> None:
        """One event more."""
        do = row.body.get("do")
        if do == Start.do:
            self.stretches.append(Stretch(row.seq, row.seq))
        else:
            self._end_at(row.seq)
        if do in (Start.do, NextGame.do) and is_another_evening(self._high, row):
            self.begins.append(row.seq)
        self._high = row

    def _end_at(self, seq: int) -> None:
        if self.stretches:
            self.stretches[-1].last = seq
        else:
            self._open = seq
