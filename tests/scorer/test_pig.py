"""Pig with two dice: turns, doubles, the last round, ties, and who is not there any more."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telling import END, NEXT_GAME, Told, begin, cell, changes, join, leave, player, refused, stop, tell, throw

from scorer.session import Session


def pig(players: str = "AB", *, opener: str | None = "A", scores: Told | None = None, **options: Any) -> Session:
    return begin("pig", players, opener=opener, options=options, scores=scores or {})


def bank(session: Session, points: int) -> Session:
    """A turn of one free throw and a stop; `points` are 5 to 11, none of them a double."""
    first = 2 if points <= 8 else points - 6
    return tell(session, throw(first, points - first), stop())


def scores(session: Session) -> list[int]:
    told = session.state["scores"]
    assert isinstance(told, dict)
    return list(told.values())


def test_a_turn_adds_up_until_the_player_stops() -> None:
    session = tell(pig(), throw(3, 4), throw(5, 5), throw(2, 6))
    assert (session.state["turn"], session.state["must_throw"], session.state["legal"]) == (
        25,
        False,
        ["throw", "stop"],
    )
    session = tell(session, stop())
    assert (scores(session), session.state["turn"], session.state["to_throw"]) == ([25, 0], 0, "B")
    assert changes(session) == [{"player": "A", "points": 25, "why": "banked"}]
    assert session.view.pattern == "hold"


def test_one_ace_loses_the_turn_and_nothing_banked() -> None:
    session = tell(pig(scores={"A": 60}), throw(6, 5), throw(1, 3))
    assert (scores(session), session.state["turn"], session.state["to_throw"]) == ([60, 0], 0, "B")
    assert session.view.pattern == "bust"
    assert changes(session) == [{"player": "A", "points": 0, "why": "one_ace"}]
    lost = tell(pig(scores={"A": 60}, double_one="lose_all"), throw(1, 1))
    assert changes(lost) == [{"player": "A", "points": -60, "why": "double_one"}]


def test_a_double_has_to_be_thrown_again_even_beyond_the_target() -> None:
    session = tell(pig(scores={"A": 95}), throw(6, 6))
    assert (session.state["must_throw"], session.state["legal"]) == (True, ["throw"])
    assert (session.view.pattern, session.view.prompt.key) == ("double", "pig_double")
    assert refused(session, stop()) == "must_throw"
    assert session.state["last_round"] is False
    assert tell(session, throw(2, 1)).state["last_round"] is False
    assert tell(session, throw(2, 3), stop()).state["last_round"] is True


def test_one_has_to_throw_at_least_once() -> None:
    assert refused(pig(), stop()) == "no_throw"
    assert pig().state["legal"] == ["throw"]


def test_of_36_throws_ten_lose_the_turn_six_are_doubles_and_twenty_are_free() -> None:
    seen = {"bust": 0, "double": 0, "free": 0}
    for dice in product(range(1, 7), repeat=2):
        session = tell(pig(), throw(*dice))
        kind = "bust" if session.state["to_throw"] == "B" else "double" if session.state["must_throw"] else "free"
        seen[kind] += 1
        assert session.state["turn"] == (0 if kind == "bust" else sum(dice))
    assert seen == {"bust": 10, "double": 6, "free": 20}


@pytest.mark.parametrize(
    ("reading", "turn", "banked", "to_throw"),
    [("adds_two", 9, 40, "A"), ("lose_turn", 0, 40, "B"), ("lose_all", 0, 0, "B"), ("twenty_five", 32, 40, "A")],
)
def test_double_one(reading: str, turn: int, banked: int, to_throw: str) -> None:
    session = tell(pig(scores={"A": 40}, double_one=reading), throw(3, 4), throw(1, 1))
    assert (session.state["turn"], scores(session)[0], session.state["to_throw"]) == (turn, banked, to_throw)
    assert session.state["must_throw"]
    other = tell(pig(scores={"A": 40}, double_one=reading), throw(3, 4), throw(2, 2))
    assert (other.state["turn"], other.state["must_throw"]) == (11, True)


def test_target() -> None:
    for target, last in ((100, False), (20, True)):
        session = tell(pig(target=target), throw(4, 6), throw(4, 6), stop())
        assert session.state["last_round"] is last
        assert (session.state["target"], cell(session, "target")) == (target, target)


def test_the_round_is_finished_and_the_highest_total_wins() -> None:
    session = pig("ABCD", scores={"A": 62, "B": 92, "C": 88, "D": 94})
    for _ in range(3):
        session = bank(session, 10)
    assert (session.state["last_round"], session.state["winner"], session.state["to_throw"]) == (True, None, "D")
    session = bank(session, 10)
    assert (session.state["phase"], session.state["winner"], session.state["loser"]) == ("over", "D", "A")
    assert [player(session, name)["place"] for name in "ABCD"] == [4, 2, 3, 1]
    assert (session.view.pattern, session.view.prompt.key, session.view.prompt.args["player"]) == (
        "game_won",
        "won",
        "D",
    )


def test_who_had_his_turn_before_the_target_was_reached_has_no_other() -> None:
    session = bank(bank(pig(scores={"A": 80, "B": 95}), 5), 7)
    assert (session.state["phase"], session.state["winner"]) == ("over", "B")


def test_a_round_begins_with_the_opener() -> None:
    session = pig("ABC", opener="B")
    turns = []
    for _ in range(4):
        turns.append((session.state["round"], session.state["to_throw"]))
        session = bank(session, 5)
    assert turns == [(1, "B"), (1, "C"), (1, "A"), (2, "B")]


def test_end_tie_extra_round_is_for_the_tied_alone() -> None:
    session = bank(bank(bank(pig("ABC", scores={"A": 95, "B": 50, "C": 95}), 5), 9), 5)
    assert (session.state["phase"], session.state["to_throw"], session.view.pattern) == ("turn", "A", "tie")
    assert session.state["round"] == 2
    session = bank(session, 5)
    assert session.state["to_throw"] == "C"
    again = bank(session, 5)
    assert (again.state["phase"], again.state["to_throw"]) == ("turn", "A")
    won = bank(session, 7)
    assert (won.state["phase"], won.state["winner"]) == ("over", "C")
    assert [player(won, name)["place"] for name in "ABC"] == [2, 3, 1]


def test_who_fell_out_of_a_tie_ranks_before_those_never_in_it() -> None:
    session = bank(bank(bank(pig("ABC", scores={"A": 95, "B": 85, "C": 95}, double_one="lose_all"), 5), 9), 5)
    session = bank(tell(session, throw(1, 1)), 5)
    assert (scores(session), session.state["winner"]) == ([0, 94, 105], "C")
    assert [player(session, name)["place"] for name in "ABC"] == [2, 3, 1]


def test_end_tie_shared() -> None:
    session = bank(bank(pig(scores={"A": 95, "B": 95}, end_tie="shared"), 5), 5)
    assert (session.state["phase"], session.state["winner"], session.state["winners"]) == ("over", None, ["A", "B"])
    assert session.state["loser"] is None
    assert bank(bank(pig(scores={"A": 95, "B": 95}), 5), 5).state["phase"] == "turn"


def test_the_highest_sum_begins_and_a_tie_goes_again_for_everyone() -> None:
    session = tell(pig("ABC", opener=None), throw(6, 1), throw(3, 4), throw(1, 2))
    assert (session.state["phase"], session.state["to_throw"]) == ("roll_off", "A")
    assert refused(session, stop()) == "not_now"
    session = tell(session, throw(1, 1), throw(6, 6), throw(5, 5))
    assert (session.state["phase"], session.state["opener"], session.state["to_throw"]) == ("turn", "B", "B")
    assert scores(session) == [0, 0, 0]


@pytest.mark.parametrize("beside", [{"outside": 1}, {"rim": 1}])
def test_a_die_beside_the_felt_is_thrown_again(beside: dict[str, int]) -> None:
    session = tell(pig(), throw(3, 4), throw(1, **beside))
    assert (session.state["turn"], session.state["to_throw"], session.state["throws"]) == (7, "A", 2)
    assert session.state["legal"] == ["throw", "stop"]


@pytest.mark.parametrize(("dice", "reason"), [((1,), "dice_count"), ((1, 2, 3), "dice_count"), (("G", 2), "bad_face")])
def test_other_dice_are_refused(dice: tuple[Any, ...], reason: str) -> None:
    assert refused(pig(), throw(*dice)) == reason


@pytest.mark.parametrize("event", [{"do": "choose", "number": 3}, {"do": "adjust", "player": "A", "strokes": 3}])
def test_what_other_games_have_is_not_in_this_one(event: Told) -> None:
    assert refused(pig(), event) == "not_in_this_game"


def test_only_the_player_to_throw_throws_and_stops() -> None:
    session = tell(pig(), throw(3, 4))
    assert refused(session, throw(3, 4, by="B")) == "not_your_turn"
    assert refused(session, stop(by="B")) == "not_your_turn"


def test_who_fell_out_of_the_tie_stays_behind_whatever_the_tied_lose() -> None:
    session = begin("pig", "ABC", scores={"A": 95, "B": 95, "C": 50}, options={"double_one": "lose_all"})
    session = tell(session, throw(2, 3), stop(), throw(2, 3), stop(), throw(2, 1))
    assert session.state["extra_round"] is True
    session = tell(session, throw(1, 1), throw(1, 1))
    assert (session.state["phase"], session.state["to_throw"]) == ("turn", "A")
    session = tell(session, throw(2, 3), stop(), throw(2, 1))
    assert [p["place"] for p in (player(session, name) for name in "ABC")] == [1, 2, 3]


def test_nothing_is_in_the_turn_before_and_after_the_game() -> None:
    assert begin("pig", "AB", opener=None).state["turn"] == 0
    assert tell(begin("pig", "AB"), throw(3, 4), END).state["turn"] == 0


def test_the_turn_of_who_leaves_is_lost() -> None:
    session = tell(pig("ABC"), throw(3, 4), leave("A"))
    assert (session.state["to_throw"], session.state["turn"], player(session, "A")["left"]) == ("B", 0, True)
    session = bank(bank(session, 5), 5)
    assert (session.state["round"], session.state["to_throw"], session.state["opener"]) == (2, "B", "B")


def test_the_last_one_left_has_won() -> None:
    session = tell(pig(scores={"B": 90}), leave("B"))
    assert (session.state["phase"], session.state["winner"], session.state["loser"]) == ("over", "A", None)


def test_who_reached_the_target_and_leaves_takes_the_last_round_along() -> None:
    session = begin("pig", "ABC", scores={"A": 95})
    session = tell(session, throw(6, 2), stop(), leave("A"))
    assert session.state["last_round"] is False
    session = tell(session, throw(6, 2), stop(), throw(6, 2), stop())
    assert (session.state["phase"], session.state["round"], session.state["to_throw"]) == ("turn", 2, "B")


def test_the_last_round_ends_also_when_the_last_to_throw_leaves() -> None:
    session = tell(bank(bank(pig("ABC", scores={"A": 95}), 7), 5), leave("C"))
    assert (session.state["phase"], session.state["winner"]) == ("over", "A")


def test_who_joins_plays_from_the_next_round_on() -> None:
    session = tell(bank(pig("AB", scores={"A": 20, "B": 30}), 5), join("C"))
    assert scores(session) == [25, 30, 0]
    session = bank(session, 5)
    assert (session.state["round"], session.state["to_throw"]) == (2, "A")
    session = bank(bank(session, 5), 5)
    assert session.state["to_throw"] == "C"
    assert refused(pig("ABCD"), join("E")) == "players"
    assert refused(bank(pig(scores={"A": 95}), 5), join("C")) == "not_now"
    back = tell(session, leave("B"), join("B"))
    assert player(back, "B")["score"] == 40


def test_it_may_be_ended_by_hand_without_a_winner() -> None:
    session = tell(pig(), throw(3, 4), END)
    assert (session.state["phase"], session.state["winner"], session.state["legal"]) == ("over", None, [])
    assert refused(session, throw(2, 3)) == "game_over"
    session = tell(session, NEXT_GAME)
    assert (session.state["phase"], scores(session)) == ("roll_off", [0, 0])
    assert refused(pig(), NEXT_GAME) == "not_now"


def test_the_prompt_says_what_is_needed() -> None:
    session = tell(pig(scores={"A": 80, "B": 90}), throw(3, 4))
    assert (session.view.prompt.key, dict(session.view.prompt.args)) == (
        "pig_turn",
        {"player": "A", "turn": 7, "total": 87, "missing": 13},
    )
    assert (cell(session, "score", "B"), cell(session, "turn_total", "A")) == (90, 7)
    last = bank(pig("ABC", scores={"A": 95, "B": 90, "C": 20}), 9)
    assert (last.view.prompt.key, last.view.prompt.args["missing"]) == ("pig_last_round", 15)  # to beat 104


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"scores": {"A": 100}}, "bad_join"),
        ({"scores": {"A": -1}}, "bad_value"),
        ({"scores": [3, 4]}, "bad_join"),
        ({"scores": {"X": 3}}, "unknown_player"),
        ({"count": 3}, "unknown_key"),
        ({"options": {"target": 9}}, "bad_option"),
        ({"options": {"target": 100.0}}, "bad_option"),
        ({"options": {"double_one": "wins"}}, "bad_option"),
        ({"players": list("ABCDE")}, "players"),
    ],
)
def test_a_start_that_cannot_be_is_refused(more: Told, reason: str) -> None:
    start = {"do": "start", "game": "pig", "players": ["A", "B"], "opener": "A", **more}
    assert refused(Session(), start) == reason


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.booleans()), max_size=60))
def test_points_come_from_free_stops_alone(throws: list[tuple[int, int, bool]]) -> None:
    """An independent count of one player's points, the other busting every turn."""
    session = pig(target=1000)
    total = turn = 0
    for first, second, wants_to_stop in throws:
        session = tell(session, throw(first, second))
        turn = 0 if (first == 1) != (second == 1) else turn + first + second
        stopped = wants_to_stop and first != second and turn > 0
        if stopped:
            total, turn = total + turn, 0
            session = tell(session, stop())
        assert scores(session)[0] == total
        if session.state["to_throw"] == "B":
            session = tell(session, throw(1, 2))
        if total >= 1000:
            break
    assert session.state["to_throw"] in ("A", None)


def test_a_round_does_not_wait_for_who_left_before_his_turn() -> None:
    session = bank(bank(tell(pig("ABC"), leave("C")), 5), 5)
    assert (session.state["round"], session.state["to_throw"]) == (2, "A")
