"""Where evenings and sittings begin in the journal: found from its end backwards, as far as somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from device.journal import Journal, Row
from device.played import wall_time
from scorer.events import NextGame, Start

NIGHT_S = 6 * 3600.0  # as the table's code: nobody played for so long, it is another evening
CLOCK_SET_S = 90 * 24 * 3600.0  # within one boot: no holiday, somebody set the clock
_CHUNK = 1000  # rows read at a time


@dataclass
class Sitting:
    """From one start to the next: the `seq` of its first and of its last event."""

    first: int
    last: int


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


class Sittings:
    """`begins` are the entries at which evenings begin, `sittings` what was played; both ascending, as far as read.

    For one thread at a time. Raises `JournalError` where the journal cannot be read.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.begins: list[int] = []
        self.sittings: list[Sitting] = []
        self.all_read = False
        self._high: Row | None = None
        self._low: Row | None = None
        self._older: Iterator[Row] | None = None
        self._begins_at: Row | None = None  # begins a game; whether an evening too is told by the row before it
        self._open_last = 0  # the end of the sitting whose start is still to be read

    @property
    def low(self) -> int:
        """The oldest entry that was read."""
        return 0 if self._low is None else self._low.seq

    @property
    def high(self) -> int:
        return 0 if self._high is None else self._high.seq

    def look(self) -> bool:
        """Read what is new; false where the journal is another than before, and all has to be read anew."""
        if self._high is None:
            self.further()
            return True
        if self._journal.last() < self._high.seq or (self.all_read and self._first() != self.low):
            return False
        for row in self._journal.rows(self._high.seq):
            if row.kind == "event":
                self._after(row)
        return True

    def further(self) -> None:
        """Read one piece further back."""
        if self.all_read:
            return
        if self._older is None:
            self._older = self._journal.back()
        for n, row in enumerate(self._older):
            if row.kind == "event" and (self._low is None or row.seq < self._low.seq):
                self._before(row)
            if n >= _CHUNK:
                return
        self._older = None
        if self._low is None or self._first() >= self._low.seq:  # else it was closed meanwhile
            self.all_read = self._low is not None
            if self._begins_at is not None:
                self.begins.insert(0, self._begins_at.seq)
                self._begins_at = None

    def within(self, first: int, until: int) -> list[Sitting]:
        """The sittings with an entry from `first` up to but not at `until`."""
        return [one for one in self.sittings if one.last >= first and one.first < until]

    def end_of(self, begin: int) -> int:
        """The entry after the evening that begins there."""
        return next((other for other in self.begins if other > begin), self.high + 1)

    def _first(self) -> int:
        return next((row.seq for row in self._journal.rows() if row.kind == "event"), 0)

    def _before(self, row: Row) -> None:
        do = row.body.get("do")
        if self._high is None:
            self._high = row
        if self._begins_at is not None and is_another_evening(row, self._begins_at):
            self.begins.insert(0, self._begins_at.seq)
        self._begins_at = row if do in (Start.do, NextGame.do) else None
        self._low = row
        self._open_last = self._open_last or row.seq
        if do == Start.do:
            self.sittings.insert(0, Sitting(row.seq, self._open_last))
            self._open_last = 0

    def _after(self, row: Row) -> None:
        do = row.body.get("do")
        if do == Start.do:
            self.sittings.append(Sitting(row.seq, row.seq))
        elif self.sittings:
            self.sittings[-1].last = row.seq
        else:
            self._open_last = row.seq
        if do in (Start.do, NextGame.do) and is_another_evening(self._high, row):
            self.begins.append(row.seq)
        self._high = row
