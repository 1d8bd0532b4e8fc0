"""The players round the table and the roll-off, as every game uses them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.circle import Circle, check_dice, check_turn
from scorer.errors import IllegalEvent
from scorer.events import Stop, Throw
from scorer.roll_off import RollOff

FOUR = Circle(("A", "B", "C", "D"))


def test_clockwise_begins_with_the_first_who_is_there() -> None:
    assert FOUR.clockwise("C") == ("C", "D", "A", "B")
    assert FOUR.leave("C").clockwise("C") == ("D", "A", "B")
    assert FOUR.clockwise("B", {"A", "D"}) == ("D", "A")


def test_after_skips_who_left_and_ends_with_oneself() -> None:
    assert FOUR.after("D") == "A"
    assert FOUR.leave("A").after("D") == "B"
    assert FOUR.after("B", {"B"}) == "B"


def test_who_left_keeps_his_place() -> None:
    assert FOUR.leave("B").join("B", 4) == FOUR
    assert FOUR.leave("B").here == ("A", "C", "D")


def test_a_throw_after_the_last_one_is_over_the_limit_and_others_are_not_on_turn() -> None:
    check_turn(Throw(dice=()), "B", spent="A")
    check_turn(Throw(dice=(), by="B"), "B", spent="A")
    with pytest.raises(IllegalEvent) as limit:
        check_turn(Throw(dice=(), by="A"), "B", spent="A")
    assert limit.value.reason == "throw_limit"
    for event in (Throw(dice=(), by="C"), Stop(by="A")):
        with pytest.raises(IllegalEvent) as turn:
            check_turn(event, "B", spent="A")
        assert turn.value.reason == "not_your_turn"


def test_dice_beside_the_felt_belong_to_the_throw_but_make_it_not_count() -> None:
    assert check_dice(Throw(dice=(1, 2, 3)), 3)
    assert not check_dice(Throw(dice=(1, 2), outside=1), 3)
    assert not check_dice(Throw(dice=(1,), outside=1, rim=1), 3)
    with pytest.raises(IllegalEvent):
        check_dice(Throw(dice=(1, 2, 3), outside=1), 3)
    with pytest.raises(IllegalEvent):
        check_dice(Throw(dice=(1, 2, 7)), 3)


def roll(roll_off: RollOff, *totals: int) -> RollOff:
    for total in totals:
        roll_off = roll_off.book(total)
    return roll_off


@pytest.mark.parametrize(("tied_only", "again"), [(False, "ABC"), (True, "AC")])
def test_a_tie_is_thrown_again_by_everyone_or_by_the_tied(tied_only: bool, again: str) -> None:
    roll_off = roll(RollOff(("A", "B", "C"), tied_only), 6, 2, 6)
    assert ("".join(roll_off.order), roll_off.winner, roll_off.to_throw) == (again, None, "A")


def test_the_ranking_puts_who_fell_out_last_first() -> None:
    roll_off = roll(RollOff(tuple("ABCD"), tied_only=True), 5, 1, 5, 5)
    roll_off = roll(roll_off, 2, 6, 6)
    assert roll(roll_off, 1, 3).ranking == (("D",), ("C",), ("A",), ("B",))


def test_who_leaves_decides_it_where_one_is_left_or_all_others_have_thrown() -> None:
    assert roll(RollOff(("A", "B", "C")), 3, 5).without("C").winner == "B"
    assert RollOff(("A", "B")).without("A").winner == "B"
    assert roll(RollOff(("A", "B", "C")), 3).without("A").to_throw == "B"


@given(st.lists(st.integers(1, 6), min_size=2, max_size=8))
def test_the_highest_alone_wins(totals: list[int]) -> None:
    names = tuple("ABCDEFGH"[: len(totals)])
    roll_off = roll(RollOff(names), *totals)
    best = max(totals)
    assert roll_off.winner == (names[totals.index(best)] if totals.count(best) == 1 else None)
