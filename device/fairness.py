"""Whether the faces that fell look like those of fair dice, and how often fair dice look like that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt

FACES = 6
LEAST_DICE = 150
"""With fewer, dice that show one face twice as often as each other one go unnoticed one time in six, or more often."""
LEAST_AT_ALL = 30
"""Dice below which the formula does not hold: five of each face are to be expected (Cochran)."""
USUAL = 1.96  # standard deviations within which a face lies nineteen times of twenty
_ODD, _VERY_ODD, _HARDLY_CHANCE = 0.05, 0.01, 0.001


@dataclass(frozen=True)
class Fairness:
    """`chance`: how often fair dice show such a spread or a larger one (chi-square, five degrees of freedom).

    `verdict`: too_few, nothing_odd, a_little_odd, odd or hardly_chance; few dice are told as odd only where it is
    hardly chance. `face` is the one furthest from `expected`, `usual` how many of a face fall nineteen times of twenty,
    at least and at most.
    """

    dice: int
    expected: float
    usual: tuple[float, float]
    statistic: float
    chance: float
    verdict: str
    face: int


def fairness(counts: Sequence[int]) -> Fairness:
    """What the counts of the faces 1 to 6 say of the dice.

    >>> fairness((40, 42, 38, 41, 39, 40)).verdict, fairness((70, 40, 34, 33, 31, 32)).verdict
    ('nothing_odd', 'hardly_chance')
    """
    dice = sum(counts)
    expected = dice / FACES
    width = USUAL * sqrt(dice * (FACES - 1)) / FACES
    statistic = sum((count - expected) ** 2 for count in counts) / expected if dice else 0.0
    chance = beyond(statistic)
    if dice >= LEAST_AT_ALL and chance < _HARDLY_CHANCE:
        verdict = "hardly_chance"
    elif dice < LEAST_DICE:
        verdict = "too_few"
    elif chance >= _ODD:
        verdict = "nothing_odd"
    elif chance >= _VERY_ODD:
        verdict = "a_little_odd"
    else:
        verdict = "odd"
    face = 1 + max(range(FACES), key=lambda n: abs(counts[n] - expected))
    usual = (max(0.0, expected - width), expected + width)
    return Fairness(dice, expected, usual, statistic, chance, verdict, face)


def beyond(statistic: float) -> float:
    """The chance of a chi-square with five degrees of freedom of `statistic` or more.

    Abramowitz and Stegun 26.4.4: twice the normal tail, and 2 Z(x) (x + x³/3) with x the root of the statistic.

    >>> round(beyond(11.0705), 4), round(beyond(15.0863), 4)
    (0.05, 0.01)
    """
    if statistic <= 0:
        return 1.0
    root = sqrt(statistic)
    density = exp(-statistic / 2) / sqrt(2 * pi)
    return min(1.0, erfc(root / sqrt(2)) + 2 * density * (root + root**3 / 3))
