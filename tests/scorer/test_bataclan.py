"""Bataclan: sharing out, who begins, the pile and its joker, keeping, knocking down, and the places."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telling import END, NEXT_GAME, Told, begin, cell, changes, join, leave, player, refused, stop, tell, throw

from scorer.bataclan_dice import ORDER, face_at
from scorer.session import Session

NAMES = "ABCDEF"


def place(*dice: Any, **more: Any) -> Told:
    return {"do": "place", "dice": list(dice), **more}


def fallen(dice: int, name: str) -> Told:
    return {"do": "fallen", "dice": dice, "player": name}


def bataclan(players: str = "AB", *, opener: str | None = "A", options: Told | None = None, **more: Any) -> Session:
    return begin("bataclan", players, opener=opener, options=options, **more)


def see(session: Session, *keys: str) -> tuple[Any, ...]:
    return tuple(session.state[key] for key in keys)


def left(session: Session) -> list[int]:
    told = session.state["dice_left"]
    assert isinstance(told, dict)
    return list(told.values())


def sizes(session: Session, name: str) -> tuple[int, ...]:
    told = session.state["sizes"]
    assert isinstance(told, dict)
    return tuple(told[name].values())


def few(*dice: int, **more: Any) -> Session:
    """A game with so many dice left each."""
    players = NAMES[: len(dice)]
    return bataclan(players, dice_left=dict(zip(players, dice, strict=True)), **more)


@pytest.mark.parametrize(
    ("players", "each", "share"),
    [(2, 14, (2, 2, 10)), (3, 8, (1, 1, 6)), (4, 7, (1, 1, 5)), (5, 5, None), (6, 4, None)],
)
def test_the_dice_are_shared_out(players: int, each: int, share: tuple[int, ...] | None) -> None:
    session = bataclan(NAMES[:players])
    assert left(session) == [each] * players
    dealt = [sizes(session, name) for name in NAMES[:players]]
    assert all(sum(one) == each for one in dealt)
    assert [sum(size) <= most for size, most in zip(zip(*dealt, strict=True), (4, 4, 20), strict=True)] == [True] * 3
    if share is not None:
        assert dealt == [share] * players
    else:
        assert all(large + medium == 1 for large, medium, _ in dealt)


def test_of_five_each_may_choose_a_large_or_a_medium_die() -> None:
    session = bataclan("ABCDE", sizes={"A": "medium", "E": "large"})
    assert (sizes(session, "A"), sizes(session, "E"), sizes(session, "B")) == ((0, 1, 4), (1, 0, 4), (1, 0, 4))
    start = {"do": "start", "game": "bataclan", "players": list("ABCDE"), "opener": "A"}
    assert refused(Session(), {**start, "sizes": dict.fromkeys("ABCDE", "large")}) == "bad_join"
    assert refused(Session(), {**start, "sizes": {"A": "small"}}) == "bad_join"


def test_the_first_g_begins() -> None:
    session = bataclan("ABC", opener=None)
    assert (*see(session, "phase", "to_throw"), session.view.expected) == ("roll_off", "A", 1)
    session = tell(session, throw(3), throw(2), throw(6), throw(4), throw("G"))
    assert (*see(session, "phase", "opener", "to_throw"), session.view.expected) == ("turn", "B", "B", 8)
    assert refused(bataclan(opener=None), stop()) == "not_now"
    assert refused(bataclan(opener=None), place("G")) == "not_now"


def test_the_base_has_to_be_a_g() -> None:
    session = tell(few(3, 3), throw(2, 3, 4))
    assert see(session, "top", "next", "pile", "may_place", "legal") == (None, "G", 0, [], ["stop"])
    assert refused(session, place(2)) == "does_not_fit"
    session = tell(session, stop())
    assert see(session, "to_throw", "round") == ("B", 1)
    session = tell(session, throw("G", 3, 4), place("G"))
    assert see(session, "top", "next", "pile") == ("G", 2, 1)
    assert session.view.pattern == "base"


def test_the_starter_builds_on_at_once_in_ascending_order_round_to_the_g() -> None:
    session = tell(few(9, 9), throw("G", 2, 3, 4, 5, 6, "G", 2, 5), place("G", 2, 3, 4, 5, 6, "G", 2))
    assert (*see(session, "top", "next", "pile", "to_throw"), left(session)) == (2, 3, 8, "B", [1, 9])
    assert changes(session) == [{"player": "A", "dice": -8, "why": "placed"}]


def test_a_pile_is_built_in_order_alone() -> None:
    session = tell(few(4, 4, top=3), throw(5, 5, 6, 4))
    assert see(session, "may_place") == ([4],)
    assert refused(session, place(5)) == "does_not_fit"
    assert refused(session, place(4, 6)) == "does_not_fit"
    assert refused(session, place(4, 5, 5)) == "does_not_fit"
    assert refused(session, place(3)) == "not_in_hand"
    assert refused(session, place(4, 5, 6, "G")) == "not_in_hand"
    assert see(tell(session, place(4, 5, 6)), "top") == (6,)


def test_a_g_stands_for_whatever_comes_next_and_shows_it() -> None:
    session = tell(few(5, 5, top=3), throw("G", "G", 6, 3, 3))
    assert see(session, "may_place") == (["G"],)
    session = tell(session, place("G", "G", 6))
    assert (*see(session, "top", "next"), left(session)) == (6, "G", [2, 5])


def test_the_one_of_ordinary_dice_is_the_g() -> None:
    session = tell(few(3, 3), throw(1, 2, 5))
    assert session.state["hand"] == {"A": ["G", 2, 5], "B": []}
    assert see(tell(session, place(1, 2)), "top") == (2,)


def test_one_die_has_to_be_placed_if_it_can_but_not_all() -> None:
    session = tell(few(3, 3, top=3), throw(4, 5, 2))
    assert session.state["legal"] == ["place", "fallen"]
    assert refused(session, stop()) == "must_place"
    assert refused(session, place()) == "must_place"
    assert left(tell(session, place(4))) == [2, 3]


def test_in_the_first_round_all_dice_are_thrown() -> None:
    assert refused(few(3, 3), throw(2, 3)) == "dice_count"
    assert refused(few(3, 3), throw(2, 3, kept=[4])) == "must_throw_all"


def second_round() -> Session:
    """A has 2, 5 and 6 before him, B has 2 and 4, the top is 3; A is to throw."""
    session = tell(few(4, 3, top="G"), throw(2, 2, 5, 6), place(2), throw(3, 2, 4), place(3))
    assert (*see(session, "round", "to_throw", "top"), session.state["hand"]) == (
        2,
        "A",
        3,
        {"A": [2, 5, 6], "B": [2, 4]},
    )
    return session


def test_from_the_second_round_on_dice_may_be_kept_and_placed_as_they_lie() -> None:
    session = tell(second_round(), throw(4, 3, kept=[5]))
    assert see(session, "may_place") == ([4],)
    session = tell(session, place(4, 5))
    assert (*see(session, "top"), left(session)) == (5, [1, 2])
    assert session.state["hand"] == {"A": [3], "B": [2, 4]}


@pytest.mark.parametrize(
    ("dice", "kept", "reason"),
    [
        ((4, 4), (3,), "not_in_hand"),
        ((4,), (5, 5), "not_in_hand"),
        ((), (2, 5, 6), "must_throw"),
        ((4, 4), (5, 6), "dice_count"),
        ((4,), (5,), "dice_count"),
    ],
)
def test_what_cannot_be_kept(dice: Sequence[Any], kept: Sequence[Any], reason: str) -> None:
    assert refused(second_round(), throw(*dice, kept=list(kept))) == reason


@pytest.mark.parametrize("beside", [{"outside": 1}, {"rim": 1}])
def test_a_die_beside_the_table_is_thrown_again_and_kept_dice_stay(beside: dict[str, int]) -> None:
    session = tell(second_round(), throw(4, kept=[5], **beside))
    assert (*see(session, "to_throw", "legal"), session.state["hand"]) == (
        "A",
        ["throw", "fallen"],
        {"A": [5], "B": [2, 4]},
    )
    assert refused(session, throw(3, kept=[5, 6])) == "not_in_hand"
    assert see(tell(session, throw(4, 4, kept=[5])), "may_place") == ([4],)


def test_who_knocks_dice_down_takes_them_as_they_lay() -> None:
    session = tell(few(9, 9), throw("G", 2, 3, "G", 5, 6, "G", 2, 5), place("G", 2, 3, "G", 5), fallen(3, "B"))
    assert (*see(session, "top", "pile", "next"), left(session)) == (2, 2, 3, [4, 12])
    assert session.state["hand"] == {"A": [6, "G", 2, 5], "B": [3, 4, 5]}  # the joker lay as a four
    assert changes(session) == [{"player": "B", "dice": 3, "why": "fallen"}]
    assert session.view.pattern == "fallen"


def test_after_the_whole_pile_fell_a_g_has_to_be_the_base_again() -> None:
    session = tell(few(3, 3), throw("G", 2, 3), place("G", 2), fallen(2, "A"))
    assert (*see(session, "top", "next", "pile"), left(session)) == (None, "G", 0, [3, 3])
    session = tell(session, throw(2, 3, 4))
    assert see(session, "legal") == (["stop"],)


@pytest.mark.parametrize(
    ("dice", "name", "reason"), [(0, "A", "dice_count"), (4, "A", "dice_count"), (1, "X", "unknown_player")]
)
def test_what_cannot_fall(dice: int, name: str, reason: str) -> None:
    assert refused(few(3, 3, top=3), fallen(dice, name)) == reason
    assert refused(few(3, 3), fallen(1, "A")) == "dice_count"


def test_dice_that_fall_have_their_sizes() -> None:
    session = tell(bataclan(), throw("G", 2, 3, 4, 5, 6, *[2] * 8), place("G", 2, 3, 4, 5))
    assert sizes(session, "A") == (0, 0, 9)  # the larger ones are taken to go first
    session = tell(session, fallen(4, "B"))
    assert sizes(session, "B") == (3, 4, 11)
    total = [sum(one) for one in zip(sizes(session, "A"), sizes(session, "B"), strict=True)]
    assert total == [3, 4, 20]


def test_places_by_counting_what_is_left() -> None:
    session = tell(few(1, 5, 3, 3, top=3), throw(4), place(4))
    assert see(session, "phase", "winner", "loser") == ("over", "A", "B")
    assert [player(session, name)["place"] for name in "ABCD"] == [1, 4, 2, 2]
    assert player(session, "A")["out"]


def test_places_by_playing_on() -> None:
    session = tell(few(1, 2, 1, top=3, options={"places": "play_on"}), throw(4), place(4))
    assert see(session, "phase", "winner", "loser", "to_throw") == ("turn", "A", None, "B")
    session = tell(session, throw(2, 2), stop(), throw(2), stop())
    assert see(session, "to_throw", "opener", "round") == ("B", "B", 2)
    session = tell(session, throw(5, kept=[2]), place(5), throw(6), place(6))
    assert see(session, "phase", "winner", "loser") == ("over", "A", "B")
    assert [player(session, name)["place"] for name in "ABC"] == [1, 3, 2]


def test_who_knocks_the_pile_down_with_the_last_die_has_not_won() -> None:
    won = tell(few(1, 2, top=3), throw(4), place(4))
    session = tell(won, fallen(2, "A"))
    assert (*see(session, "phase", "winner", "to_throw", "top"), left(session)) == ("turn", None, "B", 2, [2, 2])
    assert not player(session, "A")["out"]
    assert refused(won, fallen(2, "B")) == "game_over"
    session = tell(session, throw(2, 2), stop())
    assert see(session, "round", "to_throw") == (2, "A")
    playing_on = few(1, 2, 3, top=3, options={"places": "play_on"})
    session = tell(playing_on, throw(4), place(4), fallen(1, "A"))
    assert (session.state["winner"], left(session)) == (None, [1, 2, 3])


def test_the_last_of_a_round_who_knocks_down_has_his_next_turn_in_the_next() -> None:
    session = tell(few(2, 1, top=3), throw(2, 2), stop(), throw(4), place(4), fallen(1, "B"))
    assert see(session, "round", "to_throw") == (2, "A")
    session = tell(session, throw(2, 2), stop())
    assert see(session, "round", "to_throw") == (2, "B")


def test_one_throw_a_turn() -> None:
    session = tell(few(3, 3, top=3), throw(4, 5, 2))
    assert refused(session, throw(4, 5, 2)) == "throw_limit"
    assert refused(session, throw(4, 5, 2, by="B")) == "not_your_turn"
    assert refused(session, place(4, by="B")) == "not_your_turn"
    assert refused(few(3, 3, top=3), place(4)) == "no_throw"
    assert refused(few(3, 3, top=3), stop()) == "no_throw"
    assert refused(few(3, 3, top=3), throw(4, 4, 4, 4)) == "dice_count"
    assert refused(session, {"do": "adjust", "player": "A", "strokes": 3}) == "not_in_this_game"
    assert refused(session, {"do": "choose", "number": 3}) == "not_in_this_game"


def test_when_the_player_to_throw_leaves_his_dice_go_with_him() -> None:
    session = tell(few(3, 3, 3, top=3), throw(4, 5, 2), leave("A"))
    assert (*see(session, "to_throw", "legal"), left(session)) == ("B", ["throw", "fallen"], [0, 3, 3])
    session = tell(session, throw(2, 2, 2), stop(), throw(2, 2, 2), stop())
    assert see(session, "round", "to_throw") == (2, "B")
    assert refused(session, join("A")) == "not_now"
    assert refused(session, fallen(1, "A")) == "unknown_player"


def test_the_last_one_left_has_won() -> None:
    assert see(tell(few(3, 2), leave("B")), "phase", "winner", "loser") == ("over", "A", None)


def test_before_the_first_turn_who_joins_or_leaves_has_the_dice_shared_out_anew() -> None:
    session = tell(bataclan("AB", opener=None), throw(3), join("C"))
    assert (*see(session, "phase", "to_throw"), left(session)) == ("roll_off", "B", [8, 8, 8])
    session = tell(session, leave("B"))
    assert (*see(session, "phase", "to_throw"), left(session)) == ("roll_off", "C", [14, 0, 14])
    assert refused(bataclan(), join("C")) == "not_now"
    assert refused(bataclan("ABCDEF", opener=None), join("G")) == "players"


def test_it_may_be_ended_by_hand_and_played_again() -> None:
    session = tell(few(3, 3), throw("G", 2, 3), END)
    assert see(session, "phase", "winner", "legal") == ("over", None, [])
    assert refused(session, place("G")) == "game_over"
    again = tell(session, NEXT_GAME)
    assert (*see(again, "phase", "pile"), left(again)) == ("roll_off", 0, [14, 14])
    assert refused(few(3, 3), NEXT_GAME) == "not_now"


@pytest.mark.parametrize(
    ("chalk", "reason"),
    [
        ({"top": 7}, "bad_join"),
        ({"top": "X"}, "bad_join"),
        ({"top": 4, "pile": 3}, "bad_join"),
        ({"pile": ["G", 3]}, "bad_join"),
        ({"pile": 29}, "bad_join"),
        ({"dice_left": {"A": 0}}, "bad_join"),
        ({"dice_left": {"A": 14, "B": 14}, "top": "G"}, "bad_join"),
        ({"dice_left": {"X": 3}}, "unknown_player"),
        ({"strokes": {"A": 3}}, "unknown_key"),
        ({"players": list("ABCDEFG")}, "players"),
        ({"options": {"places": "none"}}, "bad_option"),
    ],
)
def test_a_start_that_cannot_be_is_refused(chalk: Told, reason: str) -> None:
    start = {"do": "start", "game": "bataclan", "players": ["A", "B"], "opener": "A", **chalk}
    assert refused(Session(), start) == reason


def test_a_pile_may_be_told_by_its_top_its_height_or_its_faces() -> None:
    for chalk in ({"top": 2, "pile": 8}, {"pile": 8}, {"pile": ["G", 2, 3, 4, 5, 6, "G", 2]}):
        assert see(few(3, 3, **chalk), "top", "next", "pile") == (2, 3, 8)
    assert see(few(3, 3, top=6), "top", "next", "pile") == (6, "G", 6)
    assert left(few(14, 13, top="G")) == [14, 13]  # all 28 are in the game


def test_the_board_shows_top_next_and_the_dice_left() -> None:
    session = few(3, 4, top=3)
    assert (cell(session, "top"), cell(session, "next"), cell(session, "pile"), cell(session, "dice_left", "B")) == (
        3,
        4,
        3,
        4,
    )
    assert session.view.prompt.key == "bataclan_throw_all"
    session = tell(session, throw(4, 4, 2))
    assert (session.view.prompt.key, session.view.prompt.args["next"], session.view.expected) == (
        "bataclan_place",
        4,
        0,
    )
    assert next(a.inputs for a in session.view.actions if a.do == "place") == {"dice": (4,)}
    assert [p.number for p in session.view.players] == [3, 4]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_no_die_is_ever_lost_or_made(seed: int, players: int) -> None:
    rng = random.Random(seed)
    session = bataclan(NAMES[:players])
    dealt = sum(left(session))
    for _ in range(60):
        if session.state["phase"] == "over":
            break
        word = rng.choice(session.legal)
        if word == "throw":
            name = session.state["to_throw"]
            hand = session.state["hand"][name] if session.view.throws_used == 0 and session.state["round"] != 1 else []  # type: ignore[index]
            kept = hand[: rng.randint(0, max(0, len(hand) - 1))]
            dice = [rng.choice(ORDER) for _ in range(session.view.expected - len(kept))]
            session = tell(session, throw(*dice, kept=list(kept)))
        elif word == "place":
            session = tell(session, place(rng.choice(session.state["may_place"])))  # type: ignore[arg-type]
        elif word == "fallen":
            if rng.random() < 0.2:
                height = session.state["pile"]
                assert isinstance(height, int)
                session = tell(session, fallen(rng.randint(1, height), rng.choice(NAMES[:players])))
        else:
            session = tell(session, stop())
        height = session.state["pile"]
        assert isinstance(height, int)
        assert sum(left(session)) + height == dealt
        assert session.state["top"] == face_at(height)
        for name, count in zip(NAMES[:players], left(session), strict=True):
            assert sum(sizes(session, name)) == count


def test_a_round_does_not_wait_for_who_left_before_his_turn() -> None:
    session = tell(few(2, 2, 2, top=3), leave("C"), throw(2, 2), stop(), throw(2, 2), stop())
    assert see(session, "round", "to_throw") == (2, "A")


def test_who_has_won_may_go_home() -> None:
    session = tell(few(1, 2, 2, top=3, options={"places": "play_on"}), throw(4), place(4), leave("A"))
    assert (session.state["winner"], player(session, "A")["place"]) == ("A", 1)
    session = tell(session, leave("B"))
    assert see(session, "phase", "winner", "loser") == ("over", "A", "C")
