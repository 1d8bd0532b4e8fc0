"""All 56 throws of three dice, written out from the rules, the highest first."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer.dice import ALL_THROWS, ThrowClass, value_of

RANKING = (  # a line a rank: the class, the points, every set of dice that has it
    ("three_aces", 300, "111"),
    ("soixante_neuf", 69, "456"),
    ("zand", 180, "666"),
    ("zand", 15, "555"),
    ("zand", 12, "444"),
    ("zand", 9, "333"),
    ("zand", 6, "222"),
    ("plain", 260, "116"),
    ("plain", 220, "166"),
    ("plain", 205, "115"),
    ("plain", 204, "114"),
    ("plain", 203, "113"),
    ("plain", 202, "112"),
    ("plain", 165, "156"),
    ("plain", 164, "146"),
    ("plain", 163, "136"),
    ("plain", 162, "126"),
    ("plain", 125, "566"),
    ("plain", 124, "466"),
    ("plain", 123, "366"),
    ("plain", 122, "266"),
    ("plain", 110, "155"),
    ("plain", 109, "145"),
    ("plain", 108, "135 144"),
    ("plain", 107, "125 134"),
    ("plain", 106, "124 133"),
    ("plain", 105, "123"),
    ("plain", 104, "122"),
    ("plain", 70, "556"),
    ("plain", 68, "356 446"),
    ("plain", 67, "256 346"),
    ("plain", 66, "246 336"),
    ("plain", 65, "236"),
    ("plain", 64, "226"),
    ("plain", 14, "455"),
    ("plain", 13, "355 445"),
    ("plain", 12, "255 345"),
    ("plain", 11, "245 335 344"),
    ("plain", 10, "235 244 334"),
    ("plain", 9, "225 234"),
    ("plain", 8, "224 233"),
    ("seven", 7, "223"),
)
ROWS = [(dice, kind, points, rank) for rank, (kind, points, sets) in enumerate(RANKING, 1) for dice in sets.split()]


def test_the_table_holds_every_throw_once() -> None:
    assert len({dice for dice, *_ in ROWS}) == len(ROWS) == 56


@pytest.mark.parametrize(("dice", "kind", "points", "rank"), ROWS)
def test_a_throw_has_its_class_points_and_rank(dice: str, kind: str, points: int, rank: int) -> None:
    faces = tuple(int(face) for face in dice)
    for order in (faces, faces[::-1], (faces[1], faces[2], faces[0])):
        value = value_of(order)
        assert (value.dice, str(value.kind), value.points, value.rank) == (faces, kind, points, rank)


def test_how_often_each_class_falls_in_216() -> None:
    assert Counter(str(value_of(dice).kind) for dice in ALL_THROWS) == {
        "three_aces": 1,
        "soixante_neuf": 6,
        "zand": 5,
        "plain": 201,
        "seven": 3,
    }


def test_the_classes_stand_in_their_order() -> None:
    assert list(ThrowClass) == ["three_aces", "soixante_neuf", "zand", "plain", "seven"]
