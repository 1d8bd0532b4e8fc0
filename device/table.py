"""The table: what the eye saw and what people pressed become events; order is apply, store, show."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from device.journal import Journal
from device.said import Said
from device.seats import other_seat, seat_told
from device.snapshot import Eye, Told
from device.standing import Standing
from device.throws import given_on
from device.waiting import Pending, Waiting
from scorer.errors import IllegalEvent
from scorer.events import Choose, End, Event, Face, GlassEmpty, NextGame, Place, Settled, Start, Stop, Throw, Undo
from scorer.wire import WireError, event_from_json
from vision.lay import Lay

MOST_LATE = 16  # stops that waited, told to nobody yet
MOST_SEEN = 6  # dice that are read in one throw; Bataclan throws more, entered by hand


class Table(Standing):
    """Holds the running game for everybody who acts and everybody who shows; safe to call from several threads.

    >>> from device.journal import MemoryJournal
    >>> table = Table(MemoryJournal())
    >>> _ = table.act(Start(game="pietjesbak", players=("Ann", "Bob"), opener="Ann"))
    >>> table.saw_throw((1, 4, 5))[0].error is None
    True
    >>> table.now.seq, table.expected
    (2, 3)

    `clock` is that of the frames, by which a press finds its place among the throws. With `seats_decide` a throw from
    another seat is that player's, and the one to throw has stopped; without it the table asks.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        wall: Callable[[], str] = lambda: "",
        clock: Callable[[], float] | None = None,
        seats_decide: bool = False,
    ) -> None:
        super().__init__(journal, wall, clock)
        self._seats_decide = seats_decide
        self._said = Said()
        self._pressed: tuple[Stop, float] | None = None  # a stop that waits for what the eye is reading
        self._late: deque[Told] = deque(maxlen=MOST_LATE)
        self._hand: float | None = None

    # -- what others ask

    @property
    def expected(self) -> int:
        """How many dice the eye should look for: those of the next throw; 0 for none, or for more than it reads."""
        dice = self.now.view.expected
        return dice if dice <= MOST_SEEN else 0

    # -- what people say

    def say(self, told: Mapping[str, object], *, seen: int | None = None, at: float | None = None) -> list[Told]:
        """One event in the words of the contract, or one of the table's own.

        These are ``no_throw``, ``thrown_by``, ``seat``, and ``give_on``: the last throw was the next player's.
        `seen` is the `seq` that the person had on screen; another one now is refused as ``stale``. `at` is when it was
        said on the frames' clock, now unless told. Raises `scorer.wire.WireError` for what is no event.
        """
        word, at = told.get("do"), self._clock() if at is None and self._clock is not None else at
        if word in ("no_throw", "give_on"):
            return self._guarded(seen, self._no_throw if word == "no_throw" else self._give_on)
        if word in ("thrown_by", "seat"):
            player, degrees = told.get("player"), told.get("degrees")
            if not isinstance(player, str):
                raise WireError("missing", f"{word} needs the key player")
            if word == "thrown_by":
                return self._guarded(seen, lambda: self._thrown_by(player))
            seat = None if degrees is None else seat_told(degrees)
            return self._guarded(seen, lambda: self._sit(player, seat))
        event = event_from_json(told)
        if isinstance(event, GlassEmpty) and event.at is None:
            event = replace(event, at=at)  # a race is decided by the clock
        if isinstance(event, Stop) and at is not None:
            return self._guarded(seen, lambda: self.press(event, at))
        return self._guarded(seen, lambda: self._act(event, at))

    def act(self, event: Event, *, seen: int | None = None) -> list[Told]:
        """One event by a person; a throw answers what is pending, then the throws held back are booked."""
        return self._guarded(seen, lambda: self._act(event))

    def press(self, stop: Stop, at: float) -> list[Told]:
        """A stop pressed at `at`, in its place among the throws by when these came to rest (the frames' clock).

        While the eye reads dice it is not known yet which came first: the stop waits for them, the state stands.
        """
        with self._lock:
            last = self._session.events[-1:]
            if last and isinstance(last[0], Throw) and last[0].at is not None and last[0].at > at + self._behind:
                throw = replace(last[0], by=None, at=last[0].at - self._behind)
                return self._book([Undo(), stop, throw], self._waiting)
            stop = replace(stop, by=stop.by or self._to_throw())
            if self._eye[0] is Eye.READING:
                self._pressed = (stop, at)
                return [Told(stop, self.now, held=True)]
            return self._act(stop)

    def unpress(self) -> bool:
        """Forget a stop that still waits; whether there was one."""
        with self._lock:
            waited, self._pressed = self._pressed is not None or self._waiting.stops, None
            if self._waiting.stops:
                self._wait(self._waiting.unstopped())
                self._publish()
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
        lay: Lay | None = None,
    ) -> list[Told]:
        """A sure throw at rest: booked, or held back while an earlier one waits for its answer.

        `lay` is where all dice lie now, stored with the throw: after a restart they are no other throw.

        `from_deg`: the side that the dice came from; where that was not seen the side of the last hand stands for it.
        Dice that were unsure and that a person named meanwhile are no second throw: nothing is told.
        """
        with self._lock:
            throw = Throw(dice=tuple(dice), outside=outside, rim=rim, at=at)
            self.lay = self.lay if lay is None else lay
            self._let_go(at)
            before = self.late()
            told = self._thrown(throw, from_deg)
            return [*before, *told, *self.late()]

    def saw_unsure(
        self,
        why: Sequence[str],
        dice: Sequence[Face | None],
        *,
        missing: int = 0,
        outside: int = 0,
        rim: int = 0,
        at: float | None = None,
        lay: Lay | None = None,
    ) -> None:
        """Dice at rest that cannot be read for sure; nothing is booked, the doubt ends with a throw or an answer."""
        with self._lock:
            self.lay = self.lay if lay is None else lay
            self._let_go(at)
            self._eye = (Eye.UNSURE, None)
            covered = self._said.covers(at)
            if not covered:
                self._said.others_lie_there()
            if self.expected and not covered:
                self._wait(self._waiting.doubted(Pending("unsure", tuple(dice), outside, rim, missing, tuple(why), at)))
            self._publish()

    def saw_lifted(self) -> None:
        """The dice are gone; a doubt that nobody settled now waits for an answer."""
        with self._lock:
            self._eye = (Eye.WAITING, None)
            self._said.others_lie_there()
            self._wait(self._waiting.lifted())
            self._publish()

    def saw_hand(self, from_deg: float | None = None) -> None:
        """A hand is over the board, come from this side (degrees clockwise as seen, 0 is right)."""
        with self._lock:
            self._said.others_lie_there()
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

    def late(self) -> list[Told]:
        """What became of stops that had waited, since this was last asked."""
        with self._lock:
            told = list(self._late)
            self._late.clear()
            return told

    # -- inside, all under the lock

    def _guarded(self, seen: int | None, then: Callable[[], list[Told]]) -> list[Told]:
        with self._lock:
            if seen is not None and seen != self._seq:
                error = IllegalEvent("stale", f"entry {self._seq} came after entry {seen}: look again")
                return [Told(None, self.now, error)]
            return then()

    def _thrown(self, throw: Throw, from_deg: float | None) -> list[Told]:
        self._eye = (Eye.READ, None)
        if self._said.covers(throw.at, throw):
            self._publish()
            return []
        self._said.others_lie_there()
        hand, self._hand = self._hand if from_deg is None else from_deg, None
        line = self._waiting.read(throw)
        if line.line[0] is not throw:
            self._wait(line)
            error = IllegalEvent("pending_throw", "first say what the last throw was")
            return [self._refuse(throw, error, show=True)]
        other = self._other_seat(hand)
        told = self._decided(throw, other, line.next()) if self._seats_decide and other is not None else []
        if other is not None and not told:
            self._wait(
                Waiting(
                    (Pending("whose", throw.dice, throw.outside, throw.rim, at=throw.at, player=other), *line.line[1:])
                )
            )
            message = f"{self._to_throw()} is to throw, but the hand came from {other}: who threw?"
            return [self._refuse(throw, IllegalEvent("whose_throw", message), show=True)]
        told = told or self._book([throw], line.next(), hand=hand, show=True)
        if told[-1].error is not None:
            self._wait(line.next())
            self._publish()
        return [*told, *self._release()]

    def _act(self, event: Event, at: float | None = None) -> list[Told]:
        if isinstance(event, Start | NextGame | End):
            return self._book([event], Waiting())
        if isinstance(event, Throw):
            if self._waiting.line:
                return self._answer([event])
            if self._eye[0] in (Eye.NONE, Eye.LOST):
                self.lay = None  # thrown where nobody looked
            told = self._book([event], self._waiting)
            if told[0].error is None and self._eye[0] is Eye.READING:
                self._said.typed(event, at)
            return told
        pending = self._waiting.pending
        if isinstance(event, Stop | Choose | Place) and pending is not None and pending.kind == "unsure":
            if isinstance(event, Stop) and pending.may_settle:
                self._wait(self._waiting.stopped(replace(event, by=event.by or self._to_throw())))
                self._publish()
                return [Told(event, self.now, held=True)]
            return [self._refuse(event, IllegalEvent("pending_throw", "first say what the last throw was"))]
        return self._book([event], self._waiting)

    def _let_go(self, rested: float | None) -> None:
        """Book the stop that waited, if it was pressed before what came to rest at `rested`.

        Where the rules did not allow it then, the finger was too quick: it belongs behind the throw.
        """
        if self._pressed is None or rested is None or self._pressed[1] >= rested:
            return
        if rested < float("inf") and "stop" not in self._session.legal:
            return
        (stop, _), self._pressed = self._pressed, None
        self._late += self._act(stop)

    def _answer(self, events: Sequence[Event]) -> list[Told]:
        """A person said what the throw was that waits; then what was held back is booked, up to the next doubt."""
        doubt = self._lying_doubt()
        told = self._book(events, self._waiting.next())
        if told[-1].error is not None:
            return told
        if doubt is not None:
            self._said.answered(doubt.at)
        return [*told, *self._release()]

    def _lying_doubt(self) -> Pending | None:
        """The throw that is asked about, where its dice lie there still."""
        pending = self._waiting.pending
        return pending if pending is not None and pending.may_settle and not self._waiting.behind else None

    def _give_on(self) -> list[Told]:
        event = given_on(self._session)
        if event is None:
            return [self._refuse(None, IllegalEvent("not_given_on", "the last throw can be nobody else's"))]
        return self._book([event], self._waiting)

    def _decided(self, throw: Throw, player: str, behind: Waiting) -> list[Told]:
        """The one to throw has stopped and this is the other's throw; nothing where that cannot be."""
        told = self._book([Stop(by=self._to_throw()), replace(throw, by=player)], behind)
        return told if told[-1].error is None else []

    def _no_throw(self) -> list[Told]:
        if not self._waiting.line:
            return [self._refuse(None, IllegalEvent("nothing_pending", "no throw waits for an answer"))]
        if (doubt := self._lying_doubt()) is not None:
            self._said.answered(doubt.at)
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
        """Book what was held back, up to the next doubt; a throw that the rules refuse is told and left out."""
        told: list[Told] = []
        while self._waiting.line and isinstance(event := self._waiting.line[0], Throw | Stop):
            rest = self._waiting.next()
            now = self._book([event], rest, show=isinstance(event, Throw))
            if now[-1].error is not None:
                self._wait(rest)
                self._publish()
            if now[-1].error is None or isinstance(event, Throw):  # a stop after a turn's last throw is no fault
                told += now
        return told

    def _shown(self) -> None:
        if self._eye[0] is not Eye.READING:
            self._let_go(float("inf"))

    def _other_seat(self, hand: float | None) -> str | None:
        return other_seat(self._session.view, self._seats, self._to_throw(), hand)
