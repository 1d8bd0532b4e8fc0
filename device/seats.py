"""Whose hand it was: directions compared with where everybody sits."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.game import View

SEAT_NEAR = 40.0  # degrees: a hand this close to a seat came from it
SEAT_CLEAR = 60.0  # degrees: and this far from the seat of the player to throw


def other_seat(view: View, learned: Mapping[str, float], thrower: str | None, hand: float | None) -> str | None:
    """The player whose seat the hand came from, where that is clearly not the one to throw.

    Seats told at the start go before those `learned` in the roll-off; `hand` is degrees clockwise as seen, 0 is right.
    """
    if hand is None or thrower is None or view.phase == "roll_off":
        return None
    seats = {p.name: p.seat for p in view.players if p.seat is not None and not p.out and not p.lost} or {
        name: seat for name, seat in learned.items() if any(p.name == name for p in view.players)
    }
    if thrower not in seats or len(seats) < 2 or between(hand, seats[thrower]) < SEAT_CLEAR:
        return None
    nearest = min(seats, key=lambda name: between(hand, seats[name]))
    return nearest if nearest != thrower and between(hand, seats[nearest]) <= SEAT_NEAR else None


def between(a: float, b: float) -> float:
    """The angle between two directions, 0 to 180 degrees.

    >>> between(350.0, 20.0)
    30.0
    """
    return abs((a - b + 180.0) % 360.0 - 180.0)
