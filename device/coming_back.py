"""After a start: what the journal says stands on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from device.journal import Journal, JournalError, Row
from device.journal.rows import BASIS, that_stand
from device.seats import Seats
from device.shortened import Basis, shortened
from device.snapshot import Snapshot
from device.waiting import Waiting
from scorer.events import NextGame, Start
from scorer.session import RULES_VERSION, Session
from scorer.wire import event_from_json
from vision.lay import Lay

MOST_PAST = 256  # moments before a restart that a page may ask for again
VOID = "void"
"""The key of a note that names the first and the last of entries that count no more: they could not be replayed."""


@dataclass
class Stood:
    """What stood when the device went off; `trouble` is the sentence to tell where it cannot all be had back.

    `lay`: where dice lay, None where nobody knows. `void`: entries that have to count no more, first and last.
    """

    session: Session = field(default_factory=Session)
    waiting: Waiting = field(default_factory=Waiting)
    seats: Seats = field(default_factory=Seats)
    lay: Lay | None = None
    begun: int = 0
    seq: int = 0
    past: list[Snapshot] = field(default_factory=list)
    trouble: str | None = None
    void: tuple[int, int] | None = None

    def fold(self, row: Row) -> None:
        """One more row; raises ValueError or TypeError for one that does not follow."""
        if row.rules != str(RULES_VERSION):
            raise _OtherRules(f"it was made by version {row.rules} of the rules, here is {RULES_VERSION}")
        if row.kind == "event":
            event = event_from_json(row.body)
            session = self.session.apply(event)
            if isinstance(event, Start):
                self.begun, self.seats = row.seq, Seats(dict(event.seats))
            self.session = shortened(session) if isinstance(event, NextGame) else session
            self.past = [*self.past[1 - MOST_PAST :], Snapshot(row.seq, self.session)]
        elif BASIS in row.body:
            basis = Basis.from_json(row.body[BASIS])
            self.session, self.begun = basis.session(), basis.begun
        elif "waiting" in row.body:
            self.waiting = Waiting.from_json(row.body["waiting"])
        elif "seats" in row.body:
            self.seats = Seats.from_json(row.body["seats"])
        elif "lay" in row.body:
            self.lay = None if row.body["lay"] is None else Lay.from_json(row.body["lay"])


class _OtherRules(ValueError):
    """Another Pietjesoog wrote this, and one day reads it again."""


def stood(journal: Journal) -> Stood:
    """Fold what is stored since the last start; what cannot be replayed ends the fold and is told."""
    found, rows = Stood(), list[Row]()
    try:
        rows = that_stand(journal.back())
        found.seq = journal.last()
    except JournalError as fault:
        found.trouble = str(fault)
    if not any("lay" in row.body for row in rows) and not any(row.body.get("do") == "throw" for row in rows):
        found.lay = Lay() if rows else None  # a bare board, as far as anybody knows
    voids = _voids(rows)
    before = rows[0].seq - 1 if rows else 0
    for row in rows:
        if row.seq in voids:
            before = row.seq
            continue
        try:
            if any(seq not in voids for seq in range(before + 1, row.seq)):
                raise ValueError(f"entry {before + 1} is missing")
            found.fold(row)
        except (ValueError, TypeError) as fault:
            found.trouble = (
                f"entry {row.seq} of the journal cannot be replayed ({fault}); look whether the score is right"
            )
            found.void = None if isinstance(fault, _OtherRules) else (before + 1, rows[-1].seq)
            break
        before = row.seq
    found.waiting = found.waiting.lifted()  # the eye remembers no doubt
    return found


def _voids(rows: Sequence[Row]) -> set[int]:
    found: set[int] = set()
    for row in rows:
        match row.body.get(VOID):
            case [int(first), int(last)] if row.kind == "note" and 0 <= last - first < rows[-1].seq:
                found |= set(range(first, last + 1))
    return found
