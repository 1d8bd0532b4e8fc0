"""The dice of Bataclan: their faces, their sizes, how they are shared out and in which order they are stacked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorer.errors import IllegalEvent
from scorer.events import Face

G: Face = "G"
ORDER: tuple[Face, ...] = (G, 2, 3, 4, 5, 6)  # BC-05, from the bottom up, again and again
ALL_DICE = 28  # BC-01


class Sizes(NamedTuple):
    """How many dice of each size."""

    large: int
    medium: int
    small: int

    def plus(self, other: Sizes) -> Sizes:
        return Sizes(*(mine + more for mine, more in zip(self, other, strict=True)))

    def split(self, dice: int) -> tuple[Sizes, Sizes]:
        """`dice` of them, the largest first, and the rest."""
        taken: list[int] = []
        for there in self:
            taken.append(min(there, dice - sum(taken)))
        return Sizes(*taken), Sizes(*(there - gone for there, gone in zip(self, taken, strict=True)))


BOX = Sizes(large=4, medium=4, small=20)  # BC-01
SHARES = {2: Sizes(2, 2, 10), 3: Sizes(1, 1, 6), 4: Sizes(1, 1, 5)}  # BC-02
SMALL_SHARES = {5: 4, 6: 3}  # BC-02: and one large or one medium die


def share_out(players: Sequence[str], chosen: Mapping[str, str]) -> dict[str, Sizes]:
    """Everybody's dice (BC-02, E1); `chosen` says who of five or six takes the large or the medium die.

    Who did not choose gets a large one while there are, then a medium one. Raises `IllegalEvent`.

    >>> [sum(sizes) for sizes in share_out("ABCDE", {}).values()]
    [5, 5, 5, 5, 5]
    """
    if len(players) in SHARES:
        return dict.fromkeys(players, SHARES[len(players)])
    left = {"large": BOX.large, "medium": BOX.medium}
    given: dict[str, str] = {}
    for name in (*(name for name in players if name in chosen), *(name for name in players if name not in chosen)):
        size = chosen.get(name) or ("large" if left["large"] else "medium")
        if not left.get(size):
            raise IllegalEvent("bad_join", f"there is no {size} die left for {name}")
        left[size] -= 1
        given[name] = size
    small = SMALL_SHARES[len(players)]
    return {name: Sizes(int(given[name] == "large"), int(given[name] == "medium"), small) for name in players}


def face_at(height: int) -> Face | None:
    """The face on top of a pile of so many dice (BC-05); None where there is no pile.

    >>> face_at(1), face_at(6), face_at(7)
    ('G', 6, 'G')
    """
    return ORDER[(height - 1) % len(ORDER)] if height else None


def faces(dice: Sequence[Face]) -> tuple[Face, ...]:
    """As Bataclan calls them: the one of ordinary dice is the G (BC-10)."""
    return tuple(G if face == 1 else face for face in dice)


def without(hand: Sequence[Face], dice: Sequence[Face]) -> tuple[Face, ...]:
    """The hand less these dice; raises `IllegalEvent` for one that is not there."""
    left = list(hand)
    for face in dice:
        if face not in left:
            raise IllegalEvent("not_in_hand", f"there is no {'further ' if face in hand else ''}{face} to take")
        left.remove(face)
    return tuple(left)
