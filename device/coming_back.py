"""After a start: what the journal says stands on the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from device.journal import Journal, JournalError, Row
from device.seats import Seats
from device.snapshot import Snapshot
from device.waiting import Waiting
from scorer.events import Start
from scorer.session import RULES_VERSION, Session
from scorer.wire import event_from_json

MOST_PAST = 256  # moments before a restart that a page may ask for again


@dataclass
class Stood:
    """What stood when the device went off; `trouble` is the sentence to tell where it cannot all be had back."""

    session: Session = field(default_factory=Session)
    waiting: Waiting = field(default_factory=Waiting)
    seats: Seats = field(default_factory=Seats)
    begun: int = 0
    seq: int = 0
    past: list[Snapshot] = field(default_factory=list)
    trouble: str | None = None


def stood(journal: Journal) -> Stood:
    """Fold what is stored since the last start; what cannot be replayed ends the fold and is told."""
    found, rows, seq = Stood(), list[Row](), 0
    try:
        for row in journal.rows():
            seq = row.seq
            if row.kind == "event" and row.body.get("do") == Start.do:
                rows.clear()
                found.begun = seq
            rows.append(row)
    except JournalError as fault:
        found.trouble = str(fault)
    found.seq = rows[-1].seq if rows else seq
    session, seats, waiting = Session(), Seats(), Waiting()
    try:
        for row in rows:
            seq = row.seq
            if row.rules != str(RULES_VERSION):
                raise ValueError(f"it was made by version {row.rules} of the rules, here is {RULES_VERSION}")
            if row.kind == "event":
                event = event_from_json(row.body)
                session = session.apply(event)
                seats = Seats(dict(event.seats)) if isinstance(event, Start) else seats
                found.past = [*found.past[1 - MOST_PAST :], Snapshot(seq, session)]
            elif "waiting" in row.body:
                waiting = Waiting.from_json(row.body["waiting"])
            elif "seats" in row.body:
                seats = Seats.from_json(row.body["seats"])
        found.session, found.seats = session, seats
        found.waiting = waiting.lifted()  # the eye remembers no doubt
    except (ValueError, TypeError) as fault:
        found.trouble = f"entry {seq} of the journal cannot be replayed ({fault}); begin a new game"
    return found
