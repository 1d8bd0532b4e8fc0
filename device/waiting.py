"""Throws that wait for a person, and those that came behind them: a queue, immutable, stored as a note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from scorer.events import Face, Stop, Throw
from scorer.wire import event_from_json, event_to_json

SAME_REST_S = 0.001  # a throw keeps its time of rest while it settles
MOST_WAITING = 9  # more than a table throws before somebody looks up


@dataclass(frozen=True)
class Pending:
    """A throw that waits for a person's answer.

    `kind`: ``unsure`` (what was it?) or ``whose`` (the hand came from `player`'s seat). `dice` are the faces on the
    felt, None where the reader refused; `missing` counts dice not seen at all. Until the dice are `lifted` an unsure
    throw may still settle by itself.
    """

    kind: str
    dice: tuple[Face | None, ...]
    outside: int = 0
    rim: int = 0
    missing: int = 0
    why: tuple[str, ...] = ()
    at: float | None = None
    player: str | None = None
    lifted: bool = False

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {"dice": list(self.dice), "why": list(self.why)}

    @classmethod
    def from_json(cls, told: Mapping[str, object]) -> Pending:
        """The inverse of `to_json`; raises TypeError for anything else."""
        fields = {key: tuple(value) if isinstance(value, list) else value for key, value in told.items()}
        return cls(**fields)  # type: ignore[arg-type]  # from our own journal

    @property
    def may_settle(self) -> bool:
        return self.kind == "unsure" and not self.lifted


@dataclass(frozen=True)
class Waiting:
    """First the throw that is asked about, behind it what came later; only the last may still settle by itself.

    A stop may wait too, for the throw before it.

    >>> doubt = Pending("unsure", (1, 4, None))
    >>> Waiting().doubted(doubt).settled().line
    ()
    >>> Waiting().doubted(doubt).lifted().settled().pending.lifted
    True
    """

    line: tuple[Throw | Stop | Pending, ...] = ()

    @property
    def pending(self) -> Pending | None:
        """What the table is asked now."""
        return self.line[0] if self.line and isinstance(self.line[0], Pending) else None

    @property
    def behind(self) -> int:
        """How many throws are held back."""
        return max(0, sum(not isinstance(one, Stop) for one in self.line) - 1)

    @property
    def stops(self) -> bool:
        """Whether a stop waits at the end of the line."""
        return bool(self.line) and isinstance(self.line[-1], Stop)

    @property
    def _doubt(self) -> int | None:
        """The place of the doubt about the dice that lie there now."""
        throws = [place for place, one in enumerate(self.line) if not isinstance(one, Stop)]
        last = self.line[throws[-1]] if throws else None
        return throws[-1] if isinstance(last, Pending) and last.may_settle else None

    def settles(self, at: float | None = None) -> bool:
        """Whether dice that came to rest at `at` are those in doubt.

        Dice with another time of rest are another throw, even if nobody saw the old ones go: then the doubt stays.
        """
        if (place := self._doubt) is None:
            return False
        doubt = self.line[place]
        return at is None or doubt.at is None or abs(at - doubt.at) <= SAME_REST_S

    def settled(self, at: float | None = None) -> Waiting:
        """Without the doubt about the dice that lie there now, which came to rest at `at`."""
        return self._instead(at, ())

    def read(self, throw: Throw) -> Waiting:
        """With this throw in place of the doubt about the same dice, else behind all that wait."""
        if self.settles(throw.at):
            return self._instead(throw.at, (throw,))
        return Waiting((*self.lifted().line, throw)[:MOST_WAITING])

    def doubted(self, doubt: Pending) -> Waiting:
        """The dice that lie there now are unsure."""
        if self.settles(doubt.at):
            return self._instead(doubt.at, (doubt,))
        return Waiting((*self.lifted().line, doubt)[:MOST_WAITING])

    def lifted(self) -> Waiting:
        """The dice are gone; a doubt about them can only be answered now."""
        place = self._doubt
        doubt = None if place is None else self.line[place]
        if place is None or not isinstance(doubt, Pending):
            return self
        return Waiting((*self.line[:place], replace(doubt, lifted=True), *self.line[place + 1 :]))

    def stopped(self, stop: Stop) -> Waiting:
        """With a stop behind the last throw; a second one is the same wish."""
        return self if self.stops else Waiting((*self.line, stop))

    def unstopped(self) -> Waiting:
        """Without the stop at the end."""
        return Waiting(self.line[:-1]) if self.stops else self

    def next(self) -> Waiting:
        """The first is answered, or booked."""
        return Waiting(self.line[1:])

    def _instead(self, at: float | None, now: tuple[Throw | Pending, ...]) -> Waiting:
        if not self.settles(at):
            return self.lifted()
        place = self._doubt
        assert place is not None
        return Waiting((*self.line[:place], *now, *self.line[place + 1 :]))

    def to_json(self) -> list[object]:
        kinds = {Throw: "throw", Stop: "stop"}
        return [
            {"pending": one.to_json()} if isinstance(one, Pending) else {kinds[type(one)]: event_to_json(one)}
            for one in self.line
        ]

    @classmethod
    def from_json(cls, told: object) -> Waiting:
        """The inverse of `to_json`; raises ValueError or TypeError for anything else."""
        line: list[Throw | Stop | Pending] = []
        for one in told if isinstance(told, list) else ():
            if "pending" in one:
                line.append(Pending.from_json(one["pending"]))
                continue
            event = event_from_json(one["stop"] if "stop" in one else one["throw"])
            if isinstance(event, Throw | Stop):
                line.append(event)
        return cls(tuple(line))
