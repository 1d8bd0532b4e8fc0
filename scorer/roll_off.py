"""Highest throw of several players: who begins, and who wins where a game ends level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class RollOff:
    """Everyone in `order` throws once; the highest total wins, a tie is thrown again.

    `tied_only`: only those who tied throw again (SK-09), else everyone does (PJ-03, PG-03). `fallen` holds the groups
    that fell out, the best first.

    >>> RollOff(("Ann", "Bob")).book(5).book(3).winner
    'Ann'
    """

    order: tuple[str, ...]
    tied_only: bool = False
    totals: Mapping[str, int] = field(default_factory=dict)
    fallen: tuple[tuple[str, ...], ...] = ()

    @property
    def to_throw(self) -> str:
        """Who throws next; after the last throw, the winner."""
        return next((name for name in self.order if name not in self.totals), self.order[0])

    @property
    def winner(self) -> str | None:
        return self.order[0] if len(self.order) == 1 else None

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """The winner's group first, then those who fell out, last lap first; a group is level."""
        return (self.order, *self.fallen)

    def book(self, total: int) -> RollOff:
        """After the next player's throw; a lap that ends level begins again."""
        return replace(self, totals={**self.totals, self.to_throw: total})._settled()

    def without(self, name: str) -> RollOff:
        """After `name` left."""
        order = tuple(other for other in self.order if other != name)
        fallen = tuple(rest for group in self.fallen if (rest := tuple(n for n in group if n != name)))
        totals = {other: total for other, total in self.totals.items() if other != name}
        return replace(self, order=order, totals=totals, fallen=fallen)._settled()

    def joined_by(self, name: str) -> RollOff:
        """With one more player, who throws last."""
        return replace(self, order=(*self.order, name))

    def _settled(self) -> RollOff:
        if not self.order or len(self.totals) < len(self.order):
            return self
        best = max(self.totals.values())
        top = tuple(name for name in self.order if self.totals[name] == best)
        if len(top) > 1 and not self.tied_only:
            return replace(self, totals={})
        behind: list[tuple[str, ...]] = []
        for total in sorted(set(self.totals.values()) - {best}, reverse=True):
            behind.append(tuple(name for name in self.order if self.totals[name] == total))
        return replace(self, order=top, totals={}, fallen=(*behind, *self.fallen))
