"""Sachsenkniffel: hits, fixing a number, extra turns, pinched, the end of the round and the re-throw."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from telling import END, NEXT_GAME, Told, begin, cell, changes, join, leave, player, refused, stop, tell, throw

from scorer.sachsenkniffel_play import hit_count, hits
from scorer.session import Session

NOTHING = (1, 1, 2, 2, 3, 3)
FULL = {str(number): 6 for number in range(1, 13)}
ONE_SHORT = {**FULL, "1": 5}


def choose(number: int, **more: Any) -> Told:
    return {"do": "choose", "number": number, **more}


def sachsen(players: str = "AB", *, crosses: Told | None = None, opener: str | None = "A", **options: Any) -> Session:
    return begin("sachsenkniffel", players, opener=opener, options=options, crosses=crosses or {})


def crossed(session: Session, name: str = "A") -> Told:
    told = session.state["crosses"]
    assert isinstance(told, dict)
    return dict(told[name])


def see(session: Session, *keys: str) -> tuple[Any, ...]:
    return tuple(session.state[key] for key in keys)


@cache
def most_pairs(dice: tuple[int, ...], number: int) -> int:
    """The largest number of disjoint pairs by trying all of them."""
    best = 0
    for i in range(len(dice)):
        for j in range(i + 1, len(dice)):
            if dice[i] + dice[j] == number:
                rest = dice[:i] + dice[i + 1 : j] + dice[j + 1 :]
                best = max(best, 1 + most_pairs(rest, number))
    return best


@pytest.mark.parametrize("count", range(1, 7))
def test_hits_are_the_largest_number_of_disjoint_pairs(count: int) -> None:
    for dice in combinations_with_replacement(range(1, 7), count):
        for number in range(1, 13):
            wanted = dice.count(number) if number < 7 else most_pairs(dice, number)
            assert hit_count(dice, number) == wanted, (dice, number)
            assert not Counter(hits(dice, number)) - Counter(dice)


def test_sevens_in_six_dice_fall_as_often_as_worked_out() -> None:
    counted = Counter(hit_count(dice, 7) for dice in product(range(1, 7), repeat=6))
    total = 6**6
    assert Fraction(sum(n * times for n, times in counted.items()), total) == Fraction(199, 144)
    assert Fraction(counted[3], total) == Fraction(155, 3888)


def test_a_number_is_fixed_and_its_dice_go_aside() -> None:
    session = tell(sachsen(), throw(4, 4, 2, 6, 1, 1), choose(8))
    assert see(session, "number", "dice_left", "throws_left", "to_throw") == (8, 2, 2, "A")
    assert sorted(session.state["aside"]) == [2, 4, 4, 6]  # type: ignore[call-overload]
    assert crossed(session) == {"8": 2}
    assert changes(session) == [{"player": "A", "crosses": 2, "why": "hit"}]
    assert session.view.expected == 2


def test_later_hits_are_crossed_at_the_throw_and_set_aside_too() -> None:
    session = tell(sachsen(), throw(3, 3, 1, 2, 4, 5), choose(3), throw(3, 1, 1, 2))
    assert (crossed(session), *see(session, "dice_left", "throws_left")) == ({"3": 3}, 3, 1)
    assert changes(session) == [{"player": "A", "crosses": 1, "why": "hit_again"}]
    session = tell(session, throw(3, 3, 2))
    assert (crossed(session), session.state["to_throw"]) == ({"3": 5}, "B")


def test_until_a_number_is_fixed_all_six_are_thrown() -> None:
    session = tell(sachsen(), throw(*NOTHING), throw(1, 2, 3, 4, 5, 6))
    assert see(session, "dice_left", "throws_left", "number") == (6, 1, None)
    session = tell(session, throw(6, 6, 6, 2, 2, 2))
    assert see(session, "legal", "throws_left", "to_throw") == (["choose", "stop"], 0, "A")
    assert session.view.expected == 0
    assert refused(session, throw(*NOTHING)) == "throw_limit"
    session = tell(session, choose(12))
    assert (crossed(session), session.state["to_throw"]) == ({"12": 1}, "B")


def test_a_number_is_final_for_the_turn() -> None:
    session = tell(sachsen(), throw(4, 4, 2, 6, 1, 1), choose(8))
    assert refused(session, choose(1)) == "number_fixed"


@pytest.mark.parametrize(
    ("number", "reason"), [(0, "bad_number"), (13, "bad_number"), (6, "no_hit"), (11, "no_hit"), (3, "number_complete")]
)
def test_numbers_that_cannot_be_fixed(number: int, reason: str) -> None:
    session = tell(sachsen(crosses={"A": {"3": 6}}), throw(1, 2, 3, 3, 4, 1))
    assert refused(session, choose(number)) == reason
    assert number not in next(a.inputs for a in session.view.actions if a.do == "choose")["number"]


def test_a_number_needs_a_throw_and_the_player_to_throw() -> None:
    assert refused(sachsen(), choose(3)) == "no_throw"
    session = tell(sachsen(), throw(1, 2, 3, 4, 5, 6))
    assert refused(session, choose(3, by="B")) == "not_your_turn"
    assert refused(session, stop(by="B")) == "not_your_turn"
    assert refused(session, throw(1, 2, 3, 4, 5, 6, by="B")) == "not_your_turn"
    assert refused(sachsen(), stop()) == "no_throw"
    assert sachsen().state["legal"] == ["throw"]


def test_with_no_useful_number_after_three_throws_there_is_no_cross() -> None:
    crosses = {"A": {str(n): 6 for n in (1, 2, 3)}, "B": {}}
    session = sachsen(crosses=crosses)
    for _ in range(2):
        session = tell(session, throw(1, 1, 2, 2, 3, 3))
        assert session.state["to_throw"] == "A"
    session = tell(session, throw(1, 1, 2, 2, 3, 3))
    assert (session.state["to_throw"], session.view.pattern) == ("B", "no_cross")
    assert player(session, "A")["crosses"] == 18


def test_one_may_stop_early_and_keep_the_crosses() -> None:
    session = tell(sachsen(pinched=True), throw(4, 4, 2, 6, 1, 1), choose(8), stop())
    assert (crossed(session), session.state["to_throw"]) == ({"8": 2}, "B")


def test_after_the_last_throw_one_more_is_over_the_limit() -> None:
    session = tell(sachsen(), throw(4, 4, 2, 6, 1, 1), choose(8), throw(1, 1), throw(1, 1))
    assert session.state["to_throw"] == "B"
    assert refused(session, throw(1, 1, 1, 1, 1, 1, by="A")) == "throw_limit"


def test_all_dice_of_a_throw_give_three_more_throws() -> None:
    session = tell(sachsen(), throw(1, 6, 2, 5, 3, 4), choose(7))
    assert (crossed(session), *see(session, "extra_turn", "dice_left", "throws_left", "number", "to_throw")) == (
        {"7": 3},
        True,
        6,
        3,
        None,
        "A",
    )
    assert session.view.pattern == "extra_turn"
    assert session.view.prompt.key == "sachsen_extra"


def test_all_dice_of_a_turn_give_three_more_throws_again_and_again() -> None:
    session = tell(sachsen(), throw(5, 5, 5, 5, 1, 2), choose(5), throw(3, 5), throw(5))
    assert (crossed(session), session.state["extra_turn"]) == ({"5": 6}, True)
    session = tell(session, throw(1, 6, 2, 5, 3, 4), choose(7))
    assert (crossed(session), session.state["extra_turn"]) == ({"5": 6, "7": 3}, True)
    session = tell(session, throw(*NOTHING), stop())
    assert see(session, "to_throw", "extra_turn") == ("B", False)


def test_a_complete_number_gives_three_more_throws_and_surplus_hits_do_no_harm() -> None:
    session = tell(sachsen(crosses={"A": {"4": 5}}), throw(4, 4, 4, 1, 2, 3), choose(4))
    assert (crossed(session), session.state["extra_turn"]) == ({"4": 6}, True)
    assert changes(session)[0]["crosses"] == 1
    plain = tell(sachsen(crosses={"A": {"4": 2}}), throw(4, 4, 4, 1, 2, 3), choose(4))
    assert (crossed(plain), plain.state["extra_turn"], plain.state["dice_left"]) == ({"4": 5}, False, 3)


@pytest.mark.parametrize(("variant", "kept", "to_throw"), [(False, {"8": 2}, "A"), (True, {}, "B")])
def test_pinched(variant: bool, kept: Told, to_throw: str) -> None:
    session = tell(sachsen(pinched=variant), throw(4, 4, 2, 6, 1, 1), choose(8), throw(1, 1))
    assert (crossed(session), session.state["to_throw"]) == (kept, to_throw)
    if variant:
        assert changes(session) == [{"player": "A", "crosses": -2, "why": "pinched"}]
        assert session.view.pattern == "pinched"


def test_pinched_takes_back_the_crosses_of_these_three_throws_alone() -> None:
    session = sachsen(crosses={"A": {"8": 1}}, pinched=True)
    session = tell(session, throw(1, 6, 2, 5, 3, 4), choose(7))  # an extra turn
    session = tell(session, throw(4, 4, 1, 1, 3, 6), choose(8), throw(2, 6, 1, 1))
    assert crossed(session) == {"7": 3, "8": 3}
    session = tell(session, throw(1, 1))
    assert (crossed(session), session.state["to_throw"]) == ({"7": 3, "8": 1}, "B")


def test_a_hit_again_is_not_pinched() -> None:
    session = tell(sachsen(pinched=True), throw(3, 3, 1, 2, 4, 5), choose(3), throw(3, 1, 1, 2))
    assert (crossed(session), session.state["to_throw"]) == ({"3": 3}, "A")


def test_starter() -> None:
    assert sachsen("ABC", opener=None).state["to_throw"] == "A"
    session = sachsen("ABC", opener=None, starter="roll_off")
    assert see(session, "phase", "to_throw") == ("roll_off", "A")
    session = tell(session, throw(1, 2), throw(6, 6), throw(3, 4))
    assert see(session, "phase", "to_throw", "opener") == ("turn", "B", "B")
    assert sachsen("ABC", opener="C", starter="roll_off").state["to_throw"] == "C"


def finishing(players: str, **options: Any) -> Session:
    """Everybody lacks one cross at 1."""
    return sachsen(players, crosses=dict.fromkeys(players, ONE_SHORT), **options)


def finish(session: Session, name: str) -> Session:
    assert session.state["to_throw"] == name
    return tell(session, throw(1, 2, 2, 3, 3, 4), choose(1))


def miss(session: Session) -> Session:
    return tell(session, throw(2, 2, 3, 3, 4, 4), stop())


def test_the_round_is_finished_and_one_finished_player_has_won() -> None:
    session = finish(finishing("ABC"), "A")
    assert see(session, "phase", "to_throw", "winner") == ("turn", "B", None)
    session = miss(miss(session))
    assert see(session, "phase", "winner", "round") == ("over", "A", 1)
    assert [player(session, name)["place"] for name in "ABC"] == [1, 2, 2]
    assert session.state["loser"] is None


def test_several_finished_players_throw_again_and_only_the_tied_go_on() -> None:
    session = finish(miss(finish(finish(finishing("ABCD"), "A"), "B")), "D")
    assert see(session, "phase", "to_throw", "winner") == ("rethrow", "A", None)
    assert session.view.expected == 2
    assert refused(session, stop()) == "not_now"
    assert refused(session, choose(1)) == "not_now"
    session = tell(session, throw(6, 4), throw(2, 1), throw(5, 5))
    assert see(session, "phase", "to_throw") == ("rethrow", "A")
    session = tell(session, throw(5, rim=1), throw(3, 3), throw(6, 6))
    assert see(session, "phase", "winner", "loser") == ("over", "D", "C")
    assert [player(session, name)["place"] for name in "ABCD"] == [2, 3, 4, 1]


def test_rethrow_dice() -> None:
    for dice, thrown in ((2, (3, 4)), (1, (5,))):
        session = finish(finish(finishing("AB", rethrow_dice=dice), "A"), "B")
        assert session.view.expected == dice
        assert tell(session, throw(*thrown), throw(*(1,) * dice)).state["winner"] == "A"


def test_the_places_behind_the_winner_go_by_crosses() -> None:
    crosses = {"A": ONE_SHORT, "B": {"1": 3}, "C": {"1": 5}}
    session = miss(miss(finish(sachsen("ABC", crosses=crosses), "A")))
    assert [player(session, name)["place"] for name in "ABC"] == [1, 3, 2]
    assert session.state["loser"] == "B"


@pytest.mark.parametrize("beside", [{"outside": 1}, {"rim": 1}])
def test_a_die_beside_the_felt_is_thrown_again(beside: dict[str, int]) -> None:
    session = tell(sachsen(pinched=True), throw(4, 4, 2, 6, 1, 1), choose(8), throw(1, **beside))
    assert (crossed(session), *see(session, "to_throw", "throws_left", "dice_left")) == ({"8": 2}, "A", 2, 2)


@pytest.mark.parametrize(
    ("dice", "reason"), [((1,) * 5, "dice_count"), ((1,) * 7, "dice_count"), ((1, 2, 3, 4, 5, "G"), "bad_face")]
)
def test_other_dice_are_refused(dice: Sequence[Any], reason: str) -> None:
    assert refused(sachsen(), throw(*dice)) == reason


def test_a_strokes_adjustment_is_not_in_this_game() -> None:
    assert refused(sachsen(), {"do": "adjust", "player": "A", "strokes": 3}) == "not_in_this_game"


def test_when_the_player_to_throw_leaves_the_next_one_throws_with_six_dice() -> None:
    session = tell(sachsen("ABC"), throw(4, 4, 2, 6, 1, 1), choose(8), leave("A"))
    assert see(session, "to_throw", "dice_left", "number", "throws_left") == ("B", 6, None, 3)
    back = miss(miss(tell(session, join("A"))))
    assert (back.state["round"], back.state["to_throw"], crossed(back)) == (2, "A", {"8": 2})


def test_the_last_one_left_has_won() -> None:
    session = tell(sachsen(), leave("A"))
    assert see(session, "phase", "winner", "loser") == ("over", "B", None)


def test_leaving_the_rethrow_leaves_it_to_the_others() -> None:
    session = finish(finish(finish(finishing("ABC"), "A"), "B"), "C")
    session = tell(session, throw(1, 1), leave("B"), throw(2, 2))
    assert see(session, "phase", "winner") == ("over", "C")


def test_who_joins_begins_with_an_empty_field_in_the_next_round() -> None:
    session = miss(miss(tell(sachsen(), join("C"))))
    assert (session.state["round"], session.state["to_throw"], crossed(session, "C")) == (2, "A", {})
    assert miss(miss(session)).state["to_throw"] == "C"
    assert refused(finish(finishing("AB"), "A"), join("C")) == "not_now"
    assert refused(sachsen("ABCDEFGH"), join("I")) == "players"


def test_it_may_be_ended_by_hand_and_played_again() -> None:
    session = tell(sachsen(), throw(*NOTHING), END)
    assert see(session, "phase", "winner", "legal") == ("over", None, [])
    assert refused(session, throw(*NOTHING)) == "game_over"
    assert see(tell(session, NEXT_GAME), "phase", "to_throw", "crosses") == ("turn", "A", {"A": {}, "B": {}})
    assert refused(sachsen(), NEXT_GAME) == "not_now"


def test_the_board_shows_every_row_and_the_prompt_the_numbers_to_choose() -> None:
    session = tell(sachsen(crosses={"A": {"7": 2}}), throw(6, 6, 6, 2, 2, 2))
    assert cell(session, "row_7", "A") == 2
    assert sum(c.key.startswith("row_") for c in session.view.board) == 24
    assert all(c.of == 6 for c in session.view.board if c.key.startswith("row_"))
    assert session.view.prompt.key == "sachsen_choose"
    assert session.view.prompt.args["numbers"] == "2, 6, 8, 12"
    assert session.state["choosable"] == [2, 6, 8, 12]
    assert next(p.number for p in session.view.players if p.name == "A") == 2


@pytest.mark.parametrize(
    ("crosses", "reason"),
    [
        ({"A": {"13": 1}}, "bad_join"),
        ({"A": {"7": 7}}, "bad_join"),
        ({"A": 3}, "bad_join"),
        ([3], "bad_join"),
        ({"X": {"7": 1}}, "unknown_player"),
        ({"A": FULL}, "bad_join"),
    ],
)
def test_a_field_that_cannot_be_is_refused(crosses: Any, reason: str) -> None:
    start = {"do": "start", "game": "sachsenkniffel", "players": ["A", "B"], "opener": "A", "crosses": crosses}
    assert refused(Session(), start) == reason


def test_a_correction_moves_the_crosses() -> None:
    session = tell(sachsen(), throw(4, 4, 2, 6, 1, 1), choose(8))
    session = tell(session, {"do": "correct", "throw": 1, "dice": [4, 4, 2, 2, 1, 1]})
    assert crossed(session) == {"8": 1}
    assert refused(session, {"do": "correct", "throw": 1, "dice": [1, 1, 1, 1, 1, 1]}) == "would_break"
    assert json.loads(json.dumps(session.state)) == session.state


def test_a_round_does_not_wait_for_who_left_before_his_turn() -> None:
    session = miss(miss(tell(sachsen("ABC"), leave("C"))))
    assert see(session, "round", "to_throw") == (2, "A")
