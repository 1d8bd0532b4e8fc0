"""The players round the table, clockwise, and what is checked before any of them acts."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from scorer.errors import IllegalEvent
from scorer.events import Event, NextGame, Start, Throw
from scorer.game import Action, Change

D = TypeVar("D", bound=Callable[..., Any])


@dataclass(frozen=True)
class Circle:
    """Names clockwise; who left keeps his place in the list, and may come back to it, but takes no turn.

    `seats` are degrees, as in `PlayerView`.

    >>> Circle(("Ann", "Bob", "Cas"), left=frozenset({"Bob"})).after("Ann")
    'Cas'
    """

    names: tuple[str, ...]
    left: frozenset[str] = frozenset()
    seats: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, event: Start, allowed: range) -> Circle:
        """The players of a new game; raises `IllegalEvent` for a number or names that cannot play."""
        if len(event.players) not in allowed:
            raise IllegalEvent(
                "players", f"{event.game} is for {allowed[0]} to {allowed[-1]} players, not {len(event.players)}"
            )
        if len(set(event.players)) < len(event.players):
            raise IllegalEvent("duplicate_name", "two players cannot have one name")
        circle = cls(tuple(event.players), seats=dict(event.seats))
        for name in (*event.seats, *((event.opener,) if event.opener is not None else ())):
            circle.check(name)
        return circle

    @property
    def here(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if name not in self.left)

    def again(self) -> Circle:
        """Those who are here, for a new game; raises `IllegalEvent` where nobody is left to play with."""
        if len(self.here) < 2:
            raise IllegalEvent("players", "at least two players are needed")
        return Circle(self.here, seats=self.seats)

    def clockwise(self, first: str, among: Container[str] | None = None) -> tuple[str, ...]:
        """Who is here (and among `among`), beginning with `first`, or with the next after it who is."""
        begin = self.names.index(first)
        order = self.names[begin:] + self.names[:begin]
        return tuple(name for name in order if name not in self.left and (among is None or name in among))

    def after(self, name: str, among: Container[str] | None = None) -> str:
        """The next player clockwise; `name` himself where nobody else is left."""
        order = self.clockwise(name, among)
        others = [other for other in order if other != name]
        return others[0] if others else order[0]

    def join(self, name: str, most: int) -> Circle:
        """With one more player at the end, or one who is back; raises `IllegalEvent`."""
        if name in self.here:
            raise IllegalEvent("already_playing", f"{name} plays already")
        if len(self.here) >= most:
            raise IllegalEvent("players", f"at most {most} can play")
        if name in self.left:
            return replace(self, left=self.left - {name})
        return replace(self, names=(*self.names, name))

    def leave(self, name: str) -> Circle:
        """Without this player; raises `IllegalEvent` for a name that does not play."""
        self.check(name)
        return replace(self, left=self.left | {name})

    def check(self, name: str) -> None:
        """Raise `IllegalEvent` unless this name plays."""
        if name not in self.here:
            raise IllegalEvent("unknown_player", f"{name} does not play; {', '.join(self.here)} do")


def chalk(event: Start, allowed: Container[str]) -> Mapping[str, object]:
    """What already stands in chalk at the start of `event`; raises `IllegalEvent` for words this game does not have.

    A word without a value (null) is as good as left out.
    """
    for word in event.joined:
        if word not in allowed:
            raise IllegalEvent("unknown_key", f"a game of {event.game} does not start with {word}")
    return {word: told for word, told in event.joined.items() if told is not None}


def chalk_number(what: str, value: object, allowed: range) -> int:
    """`value` as a whole number in `allowed`; raises `IllegalEvent`."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
        raise IllegalEvent("bad_join", f"{what} is a whole number from {allowed[0]} to {allowed[-1]}")
    return value


def chalk_numbers(what: str, value: object, circle: Circle, allowed: range) -> dict[str, int]:
    """`value` as numbers by player; raises `IllegalEvent`."""
    if not isinstance(value, Mapping):
        raise IllegalEvent("bad_join", f"{what} are given by player")
    for name in value:
        circle.check(name)
    return {name: chalk_number(f"{what} of {name}", number, allowed) for name, number in value.items()}


def table_actions(circle: Circle, *, over: bool, join: bool = True) -> tuple[Action, ...]:
    """What the table may do besides the game's own events, as `View.actions` has it."""
    if over:
        return (Action("next_game"),)
    leave = Action("leave", (), {"player": circle.here})
    return (Action("end"), leave, *((Action("join"),) if join else ()))


def throw_to_json(throw: Throw | None) -> dict[str, object] | None:
    """The last throw as the states tell it; `throw.by` is who threw."""
    if throw is None:
        return None
    told: dict[str, object] = {"player": throw.by, "throw": throw.number, "dice": list(throw.dice)}
    return told | {"outside": throw.outside, "rim": throw.rim}


def changes_to_json(changes: Sequence[Change]) -> list[dict[str, object]]:
    """The changes in the words of the contract: the amount stands under what it changed."""
    return [{"player": c.player, c.what: c.amount, "why": c.why, "rule": c.rule} for c in changes]


def check_turn(event: Event, to_throw: str | None, spent: str | None = None) -> None:
    """Raise `IllegalEvent` where somebody else acts than the player to throw.

    `spent` is the player whose turn has just ended by its last throw: one more throw of his is over the limit.
    """
    if event.by is None or event.by == to_throw:
        return
    if isinstance(event, Throw) and event.by == spent:
        raise IllegalEvent("throw_limit", f"{event.by} has no throw left; {to_throw} is to throw")
    raise IllegalEvent("not_your_turn", f"{to_throw} is to throw")


def doing(do: Mapping[type[Event], D], event: Event, game: str, *, over: bool) -> D:
    """What a game does about `event`; raises `IllegalEvent` for what it does not have, and for what its end forbids."""
    if over and not isinstance(event, NextGame):
        raise IllegalEvent("game_over", "the game is over: start the next one")
    if not over and isinstance(event, NextGame):
        raise IllegalEvent("not_now", "this game is not over: end it first")
    if type(event) not in do:
        raise IllegalEvent("not_in_this_game", f"{event.do} does not belong to {game}")
    return do[type(event)]


def alone_at(places: Mapping[str, int], place: int) -> str | None:
    """Who has that place; None where nobody has or where it is shared."""
    there = [name for name, its in places.items() if its == place]
    return there[0] if len(there) == 1 else None


def booked(event: Throw, to_throw: str | None, throws: int) -> Throw:
    """The throw as a state keeps it: with its number in the game and its thrower."""
    return replace(event, number=event.number or throws + 1, by=to_throw)


def check_dice(event: Throw, expected: int, faces: Sequence[object] = range(1, 7)) -> bool:
    """Whether the throw counts: False where a die lies outside or on the rim; raises `IllegalEvent` for other dice."""
    told = len(event.dice) + event.outside + event.rim
    if told != expected or event.outside < 0 or event.rim < 0:
        raise IllegalEvent("dice_count", f"this throw has {expected} {'die' if expected == 1 else 'dice'}, not {told}")
    for face in event.dice:
        if face not in faces or isinstance(face, bool):
            raise IllegalEvent("bad_face", f"no die here shows {face}")
    return not event.outside and not event.rim
