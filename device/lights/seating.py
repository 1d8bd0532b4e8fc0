"""Which row of lamps belongs to whom."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.game import PlayerView


def seated(players: Sequence[PlayerView], rows: int, ring_deg: float | None = None) -> list[PlayerView | None]:
    """Rows from the first with whose they are, None for nobody's.

    Without `ring_deg` in the order of the list. With it the rows lie around the board, the first one at `ring_deg`
    (degrees clockwise as seen, 0 is right): each player gets the free row nearest to his seat; who has no seat sits
    where he would if all sat evenly around.

    >>> who = [PlayerView("Ann", 9, 9, seat=180.0), PlayerView("Bob", 9, 9, seat=350.0)]
    >>> [player and player.name for player in seated(who, 4, 0.0)]
    ['Bob', None, 'Ann', None]
    """
    places: list[PlayerView | None] = [None] * rows
    for n, player in enumerate(players[:rows]):
        if ring_deg is None:
            places[n] = player
            continue
        angle = player.seat if player.seat is not None else ring_deg + n * 360.0 / len(players)
        free = [row for row in range(rows) if places[row] is None]
        places[min(free, key=lambda row: _apart(angle, ring_deg + row * 360.0 / rows))] = player
    return places


def _apart(a: float, b: float) -> float:
    return abs((a - b + 180.0) % 360.0 - 180.0)
