"""What stands at a table: the game, what waits and who sits where; applied, then stored, then shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from device.coming_back import VOID, Stood, stood
from device.journal import Journal, Row
from device.journal.rows import BASIS, that_stand
from device.seats import Seats, seated
from device.shortened import Basis, shortened
from device.snapshot import Eye, Snapshot, Told
from device.waiting import Waiting
from scorer.errors import IllegalEvent
from scorer.events import Event, NextGame, Start
from scorer.game import View
from scorer.session import RULES_VERSION, Session
from scorer.wire import event_to_json
from vision.lay import Lay

Listener = Callable[[Snapshot], None]


class Standing:
    """The part of `Table` that books: all below happens under its lock. `now` is what is shown.

    `clock` is that of the frames. `past` are moments before a restart, `trouble_on_start` why not all of them could be
    had back. `lay` is where dice lay when they were last made out, None where nobody knows.
    """

    def __init__(self, journal: Journal, wall: Callable[[], str], clock: Callable[[], float] | None = None) -> None:
        self._journal, self._clock = journal, clock
        self._wall = wall
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._eye: tuple[Eye, str | None] = (Eye.NONE, None)
        self._refused: IllegalEvent | None = None
        self._seated: tuple[View, Seats, View] | None = None
        self.lay: Lay | None = None
        self._seq = 0
        self._come_back(stood(journal))
        self.now = self._snapshot()

    def listen(self, listener: Listener) -> None:
        """Call `listener` with each new snapshot, in order, from the thread that made it; it must return at once."""
        with self._lock:
            self._listeners.append(listener)

    def lies(self, lay: Lay) -> None:
        """What the eye makes out lies so now; stored with whatever is stored next."""
        with self._lock:
            if self.lay is None or not self.lay.is_like(lay):
                self.lay = lay

    def is_free(self) -> bool:
        """Whether nobody is booking at this moment; never for long, or somebody holds on to it for ever."""
        if not self._lock.acquire(blocking=False):
            return False
        self._lock.release()
        return True

    def heal(self) -> None:
        """Show what became of storage: what could not be read before is had back where nothing was played since."""
        with self._lock:
            seq = getattr(self._journal, "settled", self._journal.last)()
            if self._seq == 0 and seq:
                self._come_back(stood(self._journal))
            self._seq = max(self._seq, seq)
            self._publish()

    def rename(self, name: str, change: Callable[[Row], Row]) -> None:
        """Somebody is called otherwise from now on, in the running game and in what is stored of it.

        `change` puts the new name into a row. Raises `JournalError`, and nothing is changed.
        """
        with self._lock:
            running = that_stand(self._journal.back())
            self._journal.rewrite(name, change, running[0].seq if running else 0)
            self._come_back(stood(self._journal))
            self._refused = self._seated = None
            self._store([("note", {"renamed": True})])  # and the copies of what is stored follow
            self._publish()

    def _come_back(self, before: Stood) -> None:
        self._session, self._waiting, self._seats = before.session, before.waiting, before.seats
        self._begun, self._seq, self.lay = before.begun, before.seq, before.lay
        self._stored_lay = before.lay
        self.past, self.trouble_on_start = before.past, before.trouble
        latest = max((event.at for event in self._session.events if event.at is not None), default=0.0)
        self._behind = 0.0 if self._clock is None else max(0.0, latest - self._clock())
        if before.void is not None:
            self._store([("note", {VOID: list(before.void)})])

    def _book(
        self, events: Sequence[Event], waiting: Waiting, *, hand: float | None = None, show: bool = False
    ) -> list[Told]:
        """Apply all or none, store them in one piece with what waits afterwards, then show."""
        events = [self._timed(event) for event in events]
        session, thrower, rolling = self._session, self._to_throw(), self._session.view.phase == "roll_off"
        if isinstance(events[0], Start):
            session = Session()  # a new game needs no past; weeks of it would fill the memory
        try:
            for event in events:
                session = session.apply(event)
        except IllegalEvent as error:
            return [self._refuse(events[-1], error, show=show)]
        rows: list[tuple[str, Mapping[str, object]]] = [("event", event_to_json(event)) for event in events]
        if isinstance(events[-1], NextGame) and (short := shortened(session)) is not session:
            session = short
            rows.append(("note", {BASIS: Basis(short.events, self._begun).to_json()}))
            rows += [("note", {"seats": self._seats.to_json()}), ("note", {"waiting": waiting.to_json()})]
            self._stored_lay = None
        seats = self._seats
        if isinstance(events[-1], Start):
            self._begun, seats = self._seq + len(events), Seats(dict(events[-1].seats))
            self._stored_lay = None  # what is stored from here on can be told without what was before
        elif hand is not None and thrower is not None and rolling:
            seats = seats.learn(thrower, hand)
            rows.append(("note", {"seats": seats.to_json()}))
        if waiting != self._waiting:
            rows.append(("note", {"waiting": waiting.to_json()}))
        self._store(rows)
        self._session, self._waiting, self._seats, self._refused = session, waiting, seats, None
        self._publish()
        return [Told(event, self.now) for event in events]

    def _timed(self, event: Event) -> Event:
        """The clock begins anew with the machine: what happens now came after all that happened before."""
        return event if event.at is None or not self._behind else replace(event, at=event.at + self._behind)

    def _wait(self, waiting: Waiting) -> None:
        """Another queue of throws that wait, stored; the caller shows it."""
        if waiting != self._waiting:
            self._store([("note", {"waiting": waiting.to_json()})])
            self._waiting = waiting

    def _refuse(self, event: Event | None, error: IllegalEvent, *, show: bool = False) -> Told:
        """What a person pressed in vain is told to that person; a throw in vain is shown to the table."""
        if show:
            self._refused = error
            self._publish()
        return Told(event, self.now, error)

    def _store(self, rows: Sequence[tuple[str, Mapping[str, object]]]) -> None:
        wall, lay = self._wall(), self.lay
        if lay != self._stored_lay:
            rows = [*rows, ("note", {"lay": None if lay is None else lay.to_json()})]
        entries = [
            Row(self._seq + n, self._journal.boot, kind, body, str(RULES_VERSION), wall)
            for n, (kind, body) in enumerate(rows, start=1)
        ]
        self._journal.append(entries)
        self._seq += len(entries)
        self._stored_lay = lay

    def _look(self, eye: Eye, trouble: str | None) -> None:
        if self._eye != (eye, trouble):
            self._eye = (eye, trouble)
            self._publish()

    def _snapshot(self) -> Snapshot:
        eye, trouble = self._eye
        fault = getattr(self._journal, "fault", None)
        return Snapshot(
            self._seq,
            self._session,
            eye,
            trouble,
            self._waiting,
            self._refused,
            fault,
            self._begun,
            self._view(),
        )

    def _view(self) -> View:
        """The session's view with the seats in it; the same object as long as both are the same."""
        view = self._session.view
        if self._seated is None or self._seated[0] is not view or self._seated[1] is not self._seats:
            self._seated = (view, self._seats, seated(view, self._seats))
        return self._seated[2]

    def _publish(self) -> None:
        self.now = self._snapshot()
        for listener in self._listeners:
            listener(self.now)
        self._shown()

    def _shown(self) -> None:
        """What may happen only once all that is known is shown."""

    def _to_throw(self) -> str | None:
        return next((player.name for player in self._session.view.players if player.to_throw), None)
