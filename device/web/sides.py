"""Which side of the drawn octagon each player has: where they sit, else clockwise as they play."""

from __future__ import annotations

from collections.abc import Sequence

from device.seats import between
from scorer.game import PlayerView

SIDES = (0, 45, 90, 135, 180, 225, 270, 315)
"""Degrees clockwise on the screen, 0 is right; the screen shows the board as the camera sees it."""
BY_COUNT: dict[int, tuple[int, ...]] = {
    1: (180,),
    2: (180, 0),
    3: (180, 315, 45),
    4: (225, 315, 45, 135),
    5: (225, 315, 0, 45, 135),
    6: (225, 315, 0, 45, 135, 180),
    7: (225, 270, 315, 0, 45, 135, 180),
    8: (225, 270, 315, 0, 45, 90, 135, 180),
}
"""Sides that read well where nobody said where they sit; clockwise in the order of play."""


def sides(players: Sequence[PlayerView]) -> list[int]:
    """A side for each player, one each; who sits nearest to a side gets it before others.

    >>> sides([PlayerView("Ann", 9, 9, seat=88.0), PlayerView("Bob", 9, 9, seat=271.0)])
    [90, 270]
    """
    players = players[: len(SIDES)]
    if all(player.seat is None for player in players):
        return list(BY_COUNT.get(len(players), ()))
    found: dict[int, int] = {}
    free = list(SIDES)
    known = [n for n, player in enumerate(players) if player.seat is not None]
    for n in sorted(known, key=lambda n: min(between(players[n].seat or 0.0, side) for side in SIDES)):
        seat = players[n].seat or 0.0
        found[n] = min(free, key=lambda side: between(seat, side))
        free.remove(found[n])
    for n in range(len(players)):
        if n not in found:  # next to who plays before them
            after = found.get(n - 1, found[known[0]] - 45 * (known[0] - n + 1))
            found[n] = min(free, key=lambda side: (side - after) % 360 or 360)
            free.remove(found[n])
    return [found[n] for n in range(len(players))]
