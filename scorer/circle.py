"""The players round the table, clockwise, and what is checked before any of them acts."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from scorer.errors import IllegalEvent
from scorer.events import Event, Throw


@dataclass(frozen=True)
class Circle:
    """Names clockwise; who left keeps his place in the list, and may come back to it, but takes no turn.

    >>> Circle(("Ann", "Bob", "Cas"), left=frozenset({"Bob"})).after("Ann")
    'Cas'
    """

    names: tuple[str, ...]
    left: frozenset[str] = frozenset()

    @property
    def here(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if name not in self.left)

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


def check_turn(event: Event, to_throw: str | None, spent: str | None = None) -> None:
    """Raise `IllegalEvent` where somebody else acts than the player to throw.

    `spent` is the player whose turn has just ended by its last throw: one more throw of his is over the limit.
    """
    if event.by is None or event.by == to_throw:
        return
    if isinstance(event, Throw) and event.by == spent:
        raise IllegalEvent("throw_limit", f"{event.by} has no throw left; {to_throw} is to throw")
    raise IllegalEvent("not_your_turn", f"{to_throw} is to throw")


def check_dice(event: Throw, expected: int, faces: Sequence[object] = range(1, 7)) -> bool:
    """Whether the throw counts: False where a die lies outside or on the rim; raises `IllegalEvent` for other dice."""
    told = len(event.dice) + event.outside + event.rim
    if told != expected or event.outside < 0 or event.rim < 0:
        raise IllegalEvent("dice_count", f"this throw has {expected} {'die' if expected == 1 else 'dice'}, not {told}")
    for face in event.dice:
        if face not in faces or isinstance(face, bool):
            raise IllegalEvent("bad_face", f"no die here shows {face}")
    return not event.outside and not event.rim
