"""Throws that wait for a person, and those that came behind them: a queue, immutable, stored as a note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from scorer.events import Face, Throw
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

    >>> doubt = Pending("unsure", (1, 4, None))
    >>> Waiting().doubted(doubt).settled().line
    ()
    >>> Waiting().doubted(doubt).lifted().settled().pending.lifted
    True
    """

    line: tuple[Throw | Pending, ...] = ()

    @property
    def pending(self) -> Pending | None:
        """What the table is asked now."""
        return self.line[0] if self.line and isinstance(self.line[0], Pending) else None

    @property
    def behind(self) -> int:
        """How many throws are held back."""
        return max(0, len(self.line) - 1)

    def settled(self, at: float | None = None) -> Waiting:
        """Without the doubt about the dice that lie there now, which came to rest at `at`.

        Dice with another time of rest are another throw, even if nobody saw the old ones go: then the doubt stays.
        """
        last = self.line[-1] if self.line else None
        if not isinstance(last, Pending) or not last.may_settle:
            return self
        if at is not None and last.at is not None and abs(at - last.at) > SAME_REST_S:
            return self.lifted()
        return Waiting(self.line[:-1])

    def doubted(self, doubt: Pending) -> Waiting:
        """The dice that lie there now are unsure."""
        return Waiting((*self.settled(doubt.at).line, doubt)[:MOST_WAITING])

    def lifted(self) -> Waiting:
        """The dice are gone; a doubt about them can only be answered now."""
        last = self.line[-1] if self.line else None
        if not isinstance(last, Pending) or not last.may_settle:
            return self
        return Waiting((*self.line[:-1], replace(last, lifted=True)))

    def then(self, throw: Throw) -> Waiting:
        """One more throw behind those that wait."""
        return Waiting((*self.line, throw)[:MOST_WAITING])

    def next(self) -> Waiting:
        """The first is answered, or booked."""
        return Waiting(self.line[1:])

    def to_json(self) -> list[object]:
        return [
            {"throw": event_to_json(one)} if isinstance(one, Throw) else {"pending": one.to_json()} for one in self.line
        ]

    @classmethod
    def from_json(cls, told: object) -> Waiting:
        """The inverse of `to_json`; raises ValueError or TypeError for anything else."""
        line: list[Throw | Pending] = []
        for one in told if isinstance(told, list) else ():
            if "pending" in one:
                line.append(Pending.from_json(one["pending"]))
            elif isinstance(throw := event_from_json(one["throw"]), Throw):
                line.append(throw)
        return cls(tuple(line))
