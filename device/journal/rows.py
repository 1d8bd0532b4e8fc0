"""What a journal holds, and what every journal can do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from device.errors import DeviceError
from scorer.events import Start

BASIS = "basis"
"""The key of a note that holds all that is needed to go on: a start and the events since, of one game and no more."""


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

    @property
    def begins(self) -> bool:
        """Whether what stands can be told from this row on, without any before it."""
        return self.body.get("do") == Start.do if self.kind == "event" else BASIS in self.body

    def to_json(self) -> list[object]:
        return [self.seq, self.boot, self.kind, self.body, self.rules, self.wall]

    @classmethod
    def from_json(cls, told: object) -> Row:
        """The inverse of `to_json`; raises ValueError for anything else.

        >>> Row.from_json(Row(3, 1, "event", {"do": "stop"}, "1").to_json()).seq
        3
        """
        match told:
            case [int(seq), int(boot), ("event" | "note") as kind, dict(body), str(rules), str(wall)]:
                return cls(seq, boot, kind, body, rules, wall)
        raise ValueError("this is no row of a journal")


def row_of(seq: int, boot: int, kind: str, body: str, rules: str, wall: str) -> Row:
    """A row whose body is JSON still; raises ValueError."""
    return Row.from_json([seq, boot, kind, json.loads(body), rules, wall])


class Journal(Protocol):
    """Where rows are kept; one contract suite runs on each."""

    boot: int

    def append(self, rows: Sequence[Row]) -> None:
        """All of them or none, durable on return; raises `JournalError`."""

    def rows(self, after: int = 0) -> Iterator[Row]:
        """In order of `seq`, those above `after`; raises `JournalError`."""

    def back(self) -> Iterator[Row]:
        """The latest first; raises `JournalError`."""

    def first(self) -> int:
        """The lowest `seq`, 0 when empty: it rises where the oldest are let go. Raises `JournalError`."""

    def last(self) -> int:
        """The highest `seq`, 0 when empty."""

    def rewrite(self, mention: str, change: Callable[[Row], Row], since: int = 0) -> None:
        """Have `change` put another body into rows from `since` on, all in one piece; it sees those with `mention` in
        them, maybe others too. Raises `JournalError`.
        """

    def scrub(self) -> None:
        """Leave nothing behind of what was written over; raises `JournalError`."""

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

    def back(self) -> Iterator[Row]:
        return reversed(list(self._rows))

    def first(self) -> int:
        return self._rows[0].seq if self._rows else 0

    def last(self) -> int:
        return self._rows[-1].seq if self._rows else 0

    def rewrite(self, mention: str, change: Callable[[Row], Row], since: int = 0) -> None:
        if self.broken is not None:
            raise JournalError(self.broken)
        self._rows = [change(row) if row.seq >= since else row for row in self._rows]

    def scrub(self) -> None:
        pass

    def close(self) -> None:
        pass


def that_stand(latest_first: Iterable[Row]) -> list[Row]:
    """The rows that tell what stands now: from the last one that `begins` on, in order; all where there is none."""
    found: list[Row] = []
    for row in latest_first:
        found.append(row)
        if row.begins:
            break
    return found[::-1]
