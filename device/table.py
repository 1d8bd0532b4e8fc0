"""The table: what the eye saw and what people pressed become events; order is apply, store, show."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from device.coming_back import stood
from device.journal import Journal, Row
from device.seats import Seats, other_seat, seat_told, seated
from device.snapshot import Eye, Snapshot, Told
from device.throws import same
from device.waiting import Pending, Waiting
from scorer.errors import IllegalEvent
from scorer.events import Choose, End, Event, Face, NextGame, Place, Settled, Start, Stop, Throw, Undo
from scorer.game import View
from scorer.session import RULES_VERSION, Session
from scorer.wire import WireError, event_from_json, event_to_json

MOST_SEEN = 6  # dice that are read in one throw; Bataclan throws more, entered by hand

Listener = Callable[[Snapshot], None]


class Table:
    """Holds the running game for everybody who acts and everybody who shows; safe to call from several threads.

    >>> from device.journal import MemoryJournal
    >>> table = Table(MemoryJournal())
    >>> _ = table.act(Start(game="pietjesbak", players=("Ann", "Bob"), opener="Ann"))
    >>> table.saw_throw((1, 4, 5))[0].error is None
    True
    >>> table.now.seq, table.expected
    (2, 3)
    """

    def __init__(self, journal: Journal, *, wall: Callable[[], str] = lambda: "") -> None:
        self._journal = journal
        self._wall = wall
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._answered = False  # a person said what the dice are that still lie there
        self._typed: Throw | None = None  # entered by a person while the eye was still reading
        self._pressed: tuple[Stop, float] | None = None  # a stop that waits for what the eye is reading
        self._hand: float | None = None
        self._eye: tuple[Eye, str | None] = (Eye.NONE, None)
        self._refused: IllegalEvent | None = None
        before = stood(journal)
        self._session, self._waiting, self._seats = before.session, before.waiting, before.seats
        self._begun, self._seq = before.begun, before.seq
        self.past, self.trouble_on_start = before.past, before.trouble
        self._seated: tuple[View, Seats, View] | None = None
        self.now = self._snapshot()

    # -- what others ask

    @property
    def expected(self) -> int:
        """How many dice the eye should look for: those of the next throw; 0 for none, or for more than it reads."""
        dice = self.now.view.expected
        return dice if dice <= MOST_SEEN else 0

    def listen(self, listener: Listener) -> None:
        """Call `listener` with each new snapshot, in order, from the thread that made it; it must return at once."""
        with self._lock:
            self._listeners.append(listener)

    # -- what people say

    def say(self, told: Mapping[str, object], *, seen: int | None = None) -> list[Told]:
        """One event in the words of the contract, or a word of the table: ``no_throw``, ``thrown_by``, ``seat``.

        `seen` is the `seq` that the person had on screen; another one now is refused as ``stale``. Raises
        `scorer.wire.WireError` for what is no event.
        """
        word = told.get("do")
        if word == "no_throw":
            return self._guarded(seen, self._no_throw)
        if word in ("thrown_by", "seat"):
            player, degrees = told.get("player"), told.get("degrees")
            if not isinstance(player, str):
                raise WireError("missing", f"{word} needs the key player")
            if word == "thrown_by":
                return self._guarded(seen, lambda: self._thrown_by(player))
            seat = None if degrees is None else seat_told(degrees)
            return self._guarded(seen, lambda: self._sit(player, seat))
        event = event_from_json(told)
        return self._guarded(seen, lambda: self._act(event))

    def act(self, event: Event, *, seen: int | None = None) -> list[Told]:
        """One event by a person; a throw answers what is pending, then the throws held back are booked."""
        return self._guarded(seen, lambda: self._act(event))

    def press(self, stop: Stop, at: float) -> list[Told]:
        """A stop pressed at `at`, in its place among the throws by when these came to rest (the frames' clock).

        While the eye reads dice it is not known yet which came first: the stop waits for them, the state stands.
        """
        with self._lock:
            stop = replace(stop, by=stop.by or self._to_throw())
            if self._eye[0] is Eye.READING:
                self._pressed = (stop, at)
                return [Told(stop, self.now)]
            last = self._session.events[-1:]
            if last and isinstance(last[0], Throw) and last[0].at is not None and last[0].at > at:
                return self._book([Undo(), Stop(), replace(last[0], by=None)], self._waiting)
            return self._act(stop)

    def unpress(self) -> bool:
        """Forget a stop that still waits; whether there was one."""
        with self._lock:
            waited, self._pressed = self._pressed is not None, None
            return waited

    # -- what the eye saw

    def saw_throw(
        self,
        dice: Sequence[Face],
        *,
        outside: int = 0,
        rim: int = 0,
        at: float | None = None,
        from_deg: float | None = None,
    ) -> list[Told]:
        """A sure throw at rest: booked, or held back while an earlier one waits for its answer.

        `from_deg`: the side that the dice came from; where that was not seen the side of the last hand stands for it.
        Dice that were unsure and that a person named meanwhile are no second throw: nothing is told.
        """
        with self._lock:
            throw = Throw(dice=tuple(dice), outside=outside, rim=rim, at=at)
            self._let_go(at)
            self._eye = (Eye.READ, None)
            if self._answered or same(self._typed, throw):
                self._forget()
                self._publish()
                return []
            self._forget()
            hand, self._hand = self._hand if from_deg is None else from_deg, None
            waiting = self._waiting.settled(at)
            if waiting.line:
                self._wait(waiting.then(throw))
                error = IllegalEvent("pending_throw", "first say what the last throw was")
            elif (other := self._other_seat(hand)) is not None:
                self._wait(Waiting((Pending("whose", throw.dice, outside, rim, at=at, player=other),)))
                message = f"{self._to_throw()} is to throw, but the hand came from {other}: who threw?"
                error = IllegalEvent("whose_throw", message)
            else:
                told = self._book([throw], waiting, hand=hand, show=True)
                if told[-1].error is not None and waiting != self._waiting:
                    self._wait(waiting)
                    self._publish()
                return told
            return [self._refuse(throw, error, show=True)]

    def saw_unsure(
        self,
        why: Sequence[str],
        dice: Sequence[Face | None],
        *,
        missing: int = 0,
        outside: int = 0,
        rim: int = 0,
        at: float | None = None,
    ) -> None:
        """Dice at rest that cannot be read for sure; nothing is booked, the doubt ends with a throw or an answer."""
        with self._lock:
            self._let_go(at)
            self._eye = (Eye.UNSURE, None)
            self._forget()
            if self.expected:
                self._wait(self._waiting.doubted(Pending("unsure", tuple(dice), outside, rim, missing, tuple(why), at)))
            self._publish()

    def saw_lifted(self) -> None:
        """The dice are gone; a doubt that nobody settled now waits for an answer."""
        with self._lock:
            self._eye = (Eye.WAITING, None)
            self._forget()
            self._wait(self._waiting.lifted())
            self._publish()

    def saw_hand(self, from_deg: float | None = None) -> None:
        """A hand is over the board, come from this side (degrees clockwise as seen, 0 is right)."""
        with self._lock:
            self._forget()
            if from_deg is not None:
                self._hand = from_deg
            self._look(Eye.HAND, None)

    def look(self, eye: Eye, trouble: str | None = None) -> None:
        """What the camera is doing now; shown, never stored."""
        with self._lock:
            self._look(eye, trouble)

    def refresh(self) -> None:
        """Show what changed without an event: whether scores are stored."""
        with self._lock:
            self._publish()

    def quiet(self, at: float) -> list[Told]:
        """Nothing that came to rest before `at` is still unread: settles a race that waits for this."""
        with self._lock:
            if not self._waiting.line and "settled" in self._session.legal:
                return self._book([Settled(at=at)], self._waiting)
            return []

    # -- inside, all under the lock

    def _guarded(self, seen: int | None, then: Callable[[], list[Told]]) -> list[Told]:
        with self._lock:
            if seen is not None and seen != self._seq:
                error = IllegalEvent("stale", f"entry {self._seq} came after entry {seen}: look again")
                return [Told(None, self.now, error)]
            return then()

    def _act(self, event: Event) -> list[Told]:
        if isinstance(event, Start | NextGame | End):
            return self._book([event], Waiting())
        if isinstance(event, Throw):
            if self._waiting.line:
                return self._answer([event])
            told = self._book([event], self._waiting)
            if told[0].error is None and self._eye[0] is Eye.READING:
                self._typed = event
            return told
        pending = self._waiting.pending
        if isinstance(event, Stop | Choose | Place) and pending is not None and pending.kind == "unsure":
            return [self._refuse(event, IllegalEvent("pending_throw", "first say what the last throw was"))]
        return self._book([event], self._waiting)

    def _let_go(self, rested: float | None) -> None:
        """Book the stop that waited, if it was pressed before what came to rest at `rested`."""
        if self._pressed is not None and rested is not None and self._pressed[1] < rested:
            (stop, _), self._pressed = self._pressed, None
            self._act(stop)

    def _forget(self) -> None:
        """Other dice lie there now, or none: what a person said was of those before."""
        self._answered, self._typed = False, None

    def _answer(self, events: Sequence[Event]) -> list[Told]:
        """A person said what the throw was that waits; then what was held back is booked, up to the next doubt."""
        settles = self._waiting != self._waiting.settled() and not self._waiting.behind
        told = self._book(events, self._waiting.next())
        if told[-1].error is not None:
            return told
        self._answered = settles
        return [*told, *self._release()]

    def _no_throw(self) -> list[Told]:
        if not self._waiting.line:
            return [self._refuse(None, IllegalEvent("nothing_pending", "no throw waits for an answer"))]
        self._answered = self._waiting != self._waiting.settled() and not self._waiting.behind
        self._wait(self._waiting.next())
        self._refused = None
        self._publish()
        return [Told(None, self.now), *self._release()]

    def _thrown_by(self, player: str) -> list[Told]:
        pending = self._waiting.pending
        if pending is None or pending.kind != "whose":
            return [self._refuse(None, IllegalEvent("nothing_pending", "no throw waits for a name"))]
        dice = tuple(face for face in pending.dice if face is not None)
        throw = Throw(dice=dice, outside=pending.outside, rim=pending.rim, at=pending.at, by=player)
        return self._answer([throw] if player == self._to_throw() else [Stop(by=self._to_throw()), throw])

    def _sit(self, player: str, degrees: float | None) -> list[Told]:
        if all(player != other.name for other in self._session.view.players):
            return [self._refuse(None, IllegalEvent("unknown_player", f"{player} does not play"))]
        self._seats = self._seats.pick(player, degrees)
        self._store([("note", {"seats": self._seats.to_json()})])
        self._publish()
        return [Told(None, self.now)]

    def _release(self) -> list[Told]:
        """Book what was held back; what the rules refuse is told and left out."""
        told: list[Told] = []
        while self._waiting.line and isinstance(throw := self._waiting.line[0], Throw):
            rest = self._waiting.next()
            told += self._book([throw], rest, show=True)
            if told[-1].error is not None:
                self._wait(rest)
                self._publish()
        return told

    def _book(
        self, events: Sequence[Event], waiting: Waiting, *, hand: float | None = None, show: bool = False
    ) -> list[Told]:
        """Apply all or none, store them in one piece with what waits afterwards, then show."""
        session, thrower, rolling = self._session, self._to_throw(), self._session.view.phase == "roll_off"
        if isinstance(events[0], Start):
            session = Session()  # a new game needs no past; weeks of it would fill the memory
        try:
            for event in events:
                session = session.apply(event)
        except IllegalEvent as error:
            return [self._refuse(events[-1], error, show=show)]
        rows: list[tuple[str, Mapping[str, object]]] = [("event", event_to_json(event)) for event in events]
        seats = self._seats
        if isinstance(events[-1], Start):
            self._begun, seats = self._seq + len(events), Seats(dict(events[-1].seats))
        elif hand is not None and thrower is not None and rolling:
            seats = seats.learn(thrower, hand)
            rows.append(("note", {"seats": seats.to_json()}))
        if waiting != self._waiting:
            rows.append(("note", {"waiting": waiting.to_json()}))
        self._store(rows)
        self._session, self._waiting, self._seats, self._refused = session, waiting, seats, None
        self._publish()
        return [Told(event, self.now) for event in events]

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
        wall = self._wall()
        entries = [
            Row(self._seq + n, self._journal.boot, kind, body, str(RULES_VERSION), wall)
            for n, (kind, body) in enumerate(rows, start=1)
        ]
        self._journal.append(entries)
        self._seq += len(entries)

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
        if self._eye[0] is not Eye.READING:
            self._let_go(float("inf"))

    # -- who threw

    def _to_throw(self) -> str | None:
        return next((player.name for player in self._session.view.players if player.to_throw), None)

    def _other_seat(self, hand: float | None) -> str | None:
        return other_seat(self._session.view, self._seats, self._to_throw(), hand)
