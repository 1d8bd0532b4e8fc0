"""Whether dice look fair: known tails of the chi-square, dice that are loaded, dice that are too few."""

from __future__ import annotations

from itertools import product
from math import factorial, prod

import pytest

from device.fairness import FACES, LEAST_DICE, beyond, fairness


@pytest.mark.parametrize(  # percentage points of chi-square with 5 degrees of freedom, as in every table
    ("statistic", "chance"),
    [(1.145, 0.95), (4.351, 0.50), (7.289, 0.20), (9.236, 0.10), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)],
)
def test_the_tail_is_that_of_the_tables(statistic: float, chance: float) -> None:
    assert beyond(statistic) == pytest.approx(chance, rel=2e-3)


def test_nothing_is_sure_and_everything_possible() -> None:
    assert beyond(0.0) == 1.0
    assert 0.0 <= beyond(5000.0) < 1e-300


def test_the_chance_is_about_that_of_all_ways_the_dice_can_fall() -> None:
    """Twelve dice, all 6¹² ways by their counts: the exact chance beside the formula's."""
    seen = (5, 3, 2, 1, 1, 0)
    statistic = fairness(seen).statistic
    exact = sum(
        factorial(12) / prod(map(factorial, counts)) / 6**12
        for counts in product(range(13), repeat=6)
        if sum(counts) == 12 and fairness(counts).statistic >= statistic - 1e-9
    )
    assert fairness(seen).chance == pytest.approx(exact, abs=0.05)


@pytest.mark.parametrize(
    ("counts", "verdict", "face"),
    [
        ((40, 40, 40, 40, 40, 40), "nothing_odd", None),
        ((25, 25, 25, 25, 25, 24), "too_few", None),
        ((55, 30, 40, 38, 42, 35), "nothing_odd", 1),
        ((60, 30, 40, 38, 42, 35), "a_little_odd", 1),
        ((40, 41, 40, 19, 50, 50), "odd", 4),
        ((20, 20, 20, 20, 20, 100), "hardly_chance", 6),
        ((0, 0, 0, 0, 0, 0), "too_few", None),
        ((4, 4, 4, 4, 4, 24), "hardly_chance", 6),
        ((0, 0, 0, 0, 0, 29), "too_few", None),
        ((10, 10, 10, 10, 10, 22), "too_few", None),
    ],
)
def test_the_verdict(counts: tuple[int, ...], verdict: str, face: int | None) -> None:
    told = fairness(counts)
    assert told.verdict == verdict
    assert face is None or told.face == face
    assert told.dice == sum(counts)


def test_with_the_least_number_of_dice_a_doubled_face_is_mostly_seen() -> None:
    """The most likely counts of dice that show one face twice as often as each other one are told as odd."""
    six = round(LEAST_DICE * 2 / (FACES + 1))
    rest, more = divmod(LEAST_DICE - six, 5)
    counts = [rest + (n < more) for n in range(5)] + [six]
    assert fairness(counts).verdict not in ("nothing_odd", "too_few")
    assert fairness([count // 4 for count in counts]).chance > 0.05
