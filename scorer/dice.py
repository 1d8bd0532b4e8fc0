"""What three dice of the pietjesbak are worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations_with_replacement, product

POINTS = {1: 100, 2: 2, 3: 3, 4: 4, 5: 5, 6: 60}  # PJ-08
ALL_THROWS = tuple(product(range(1, 7), repeat=3))
"""The 216 ways three dice fall, each as likely as the others."""


class ThrowClass(StrEnum):
    """The five kinds of throw, the highest first."""

    THREE_ACES = "three_aces"
    SOIXANTE_NEUF = "soixante_neuf"
    ZAND = "zand"
    PLAIN = "plain"
    SEVEN = "seven"


WIPES = {ThrowClass.SOIXANTE_NEUF: 3, ThrowClass.ZAND: 2, ThrowClass.PLAIN: 1, ThrowClass.SEVEN: 1}
"""Strokes that winning a round wipes (PJ-09, PJ-11, PJ-14); three aces wipe all (PJ-12)."""


@dataclass(frozen=True, slots=True)
class Value:
    """The worth of three dice; of two values the one with the smaller `rank` is better (1 to 42)."""

    dice: tuple[int, int, int]
    kind: ThrowClass
    points: int
    rank: int


def value_of(dice: Iterable[object]) -> Value:
    """The value of three faces in any order.

    >>> value_of((4, 1, 5))
    Value(dice=(1, 4, 5), kind=<ThrowClass.PLAIN: 'plain'>, points=109, rank=23)
    """
    return VALUES[tuple(dice)]


def _kind(dice: tuple[int, ...]) -> ThrowClass:
    if dice == (1, 1, 1):
        return ThrowClass.THREE_ACES
    if dice == (4, 5, 6):
        return ThrowClass.SOIXANTE_NEUF
    if dice[0] == dice[2]:
        return ThrowClass.ZAND
    return ThrowClass.SEVEN if dice == (2, 2, 3) else ThrowClass.PLAIN


def _standing(dice: tuple[int, ...]) -> tuple[int, int]:
    """What orders the throws, the smaller the better: the class, then the face of a zand or the points."""
    kind = _kind(dice)
    within = dice[0] if kind is ThrowClass.ZAND else sum(POINTS[face] for face in dice)
    return list(ThrowClass).index(kind), -within


def _values() -> dict[tuple[object, ...], Value]:
    every = list(combinations_with_replacement(range(1, 7), 3))
    ranks = {standing: rank for rank, standing in enumerate(sorted({_standing(dice) for dice in every}), 1)}
    values: dict[tuple[object, ...], Value] = {}
    for dice in product(range(1, 7), repeat=3):
        a, b, c = sorted(dice)
        points = sum(POINTS[face] for face in dice)
        values[dice] = Value((a, b, c), _kind((a, b, c)), points, ranks[_standing((a, b, c))])
    return values


VALUES = _values()
"""The value of each of the 216 ways three dice fall."""
