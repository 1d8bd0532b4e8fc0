"""Who sits where, and whose hand it was: directions compared with seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scorer.game import View
from scorer.wire import WireError

SEAT_NEAR = 40.0  # degrees: a hand this close to a seat came from it
SEAT_CLEAR = 60.0  # degrees: and this far from the seat of the player to throw


@dataclass(frozen=True)
class Seats:
    """Degrees by name, clockwise as seen, 0 is right: told at the start or picked later, else learned from a hand.

    >>> Seats().learn("Ann", 85.0).pick("Ann", 90.0).all
    {'Ann': 90.0}
    """

    told: Mapping[str, float] = field(default_factory=dict)
    learned: Mapping[str, float] = field(default_factory=dict)

    @property
    def all(self) -> dict[str, float]:
        return {**self.learned, **self.told}

    def learn(self, name: str, degrees: float) -> Seats:
        """With the side that this player's hand came from."""
        return replace(self, learned={**self.learned, name: degrees})

    def pick(self, name: str, degrees: float | None) -> Seats:
        """With the seat that a person named; None forgets it."""
        told, learned = dict(self.told), dict(self.learned)
        told.pop(name, None)
        if degrees is None:
            learned.pop(name, None)
            return Seats(told, learned)
        return Seats({**told, name: degrees}, learned)

    def to_json(self) -> dict[str, object]:
        return {"told": dict(self.told), "learned": dict(self.learned)}

    @classmethod
    def from_json(cls, kept: object) -> Seats:
        """The inverse of `to_json`; a plain mapping of degrees is what was learned. Raises TypeError, ValueError."""
        if not isinstance(kept, Mapping):
            raise TypeError("seats are kept by name")
        if kept.keys() == {"told", "learned"} and all(isinstance(part, Mapping) for part in kept.values()):
            return cls(_degrees(kept["told"]), _degrees(kept["learned"]))
        return cls({}, _degrees(kept))


def seated(view: View, seats: Seats) -> View:
    """The view with everybody's seat; the same one where nothing changes."""
    known = seats.all
    if all(player.seat == known.get(player.name) for player in view.players):
        return view
    return replace(view, players=tuple(replace(player, seat=known.get(player.name)) for player in view.players))


def other_seat(view: View, seats: Seats, thrower: str | None, hand: float | None) -> str | None:
    """The player whose seat the hand came from, where that is clearly not the one to throw.

    `hand` is degrees clockwise as seen, 0 is right; None where it was not seen.
    """
    if hand is None or thrower is None or view.phase == "roll_off":
        return None
    playing = {player.name for player in view.players if not player.out and not player.lost}
    here = {name: seat for name, seat in seats.all.items() if name in playing}
    if thrower not in here or len(here) < 2 or between(hand, here[thrower]) < SEAT_CLEAR:
        return None
    nearest = min(here, key=lambda name: between(hand, here[name]))
    return nearest if nearest != thrower and between(hand, here[nearest]) <= SEAT_NEAR else None


def seat_told(told: object) -> float:
    """A seat that came in from outside; raises `WireError`."""
    if isinstance(told, bool) or not isinstance(told, int | float) or not 0 <= told <= 360:
        raise WireError("bad_value", "a seat is from 0 to 360 degrees")
    return float(told)


def between(a: float, b: float) -> float:
    """The angle between two directions, 0 to 180 degrees.

    >>> between(350.0, 20.0)
    30.0
    """
    return abs((a - b + 180.0) % 360.0 - 180.0)


def _degrees(told: Mapping[str, object]) -> dict[str, float]:
    return {str(name): float(degrees) for name, degrees in told.items()}  # type: ignore[arg-type]  # or it raises
