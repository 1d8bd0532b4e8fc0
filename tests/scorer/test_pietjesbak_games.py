"""Whole games of pietjesbak: the roll-off, places and loser, both endings, coming and going."""

from __future__ import annotations

from typing import Any

import pytest
from playing import begin, play, players, strokes, with_flag

from scorer.errors import IllegalEvent
from scorer.events import Adjust, Choose, End, Event, Join, Leave, NextGame, Start, Stop, Throw
from scorer.session import Session


def places(session: Session) -> dict[str, int | None]:
    return {player["name"]: player["place"] for player in players(session)}


def refusal(session: Session, event: Event) -> str:
    with pytest.raises(IllegalEvent) as caught:
        session.apply(event)
    return caught.value.reason


# -- the roll-off


def test_the_highest_die_begins_and_ace_is_one() -> None:
    session = play("1 6 5", begin("ABC", opener=None))
    assert (session.state["phase"], session.state["opener"], session.state["to_throw"]) == ("turn", "B", "B")
    assert session.state["throws"] == 3


def test_a_level_roll_off_is_thrown_again_by_everyone_until_one_is_highest() -> None:
    session = begin("ABC", opener=None)
    for word, next_to_throw in (("5", "B"), ("5", "C"), ("2", "A"), ("3", "B"), ("1", "C"), ("3", "A")):
        assert session.state["phase"] == "roll_off"
        session = play(word, session)
        assert session.state["to_throw"] == next_to_throw
    assert play("2 6 4", session).state["opener"] == "B"


def test_a_die_outside_or_on_the_rim_in_the_roll_off_is_thrown_again_without_a_stroke() -> None:
    session = play("5 x r", begin(opener=None))
    assert (session.state["to_throw"], session.state["throws"], strokes(session)) == ("B", 3, "9 9")
    assert session.state["legal"] == ["throw"]
    assert refusal(session, Stop()) == "no_stop"
    assert play("6", session).state["opener"] == "B"


def test_the_roll_off_takes_one_die() -> None:
    assert refusal(begin(opener=None), Throw(dice=(1, 4, 5))) == "dice_count"
    assert refusal(begin(), Throw(dice=(1,))) == "dice_count"
    assert refusal(begin(), Throw(dice=(1, 4, 5), outside=1)) == "dice_count"


# -- to the very end


def test_three_players_to_the_very_end() -> None:
    session = begin("ABC", opener=None, chalk={"A": 3, "B": 4, "C": 5})
    session = play("2 6 4", session)  # B begins
    session = play("145 . 116 123", session)  # C wins: 4
    assert (strokes(session), session.state["opener"]) == ("3 4 4", "C")
    session = play("223 124 . 566 456 123 122", session)  # A throws 456: 3 strokes, out; C added one
    assert (strokes(session), with_flag(session, "out"), session.state["winner"]) == ("0 4 5", "A", "A")
    assert (session.state["phase"], session.state["opener"], session.state["to_throw"]) == ("turn", "B", "B")
    assert places(session) == {"A": 1, "B": None, "C": None}
    session = play("222 . 234", session)  # B: 2
    session = play("666 . 555", session)  # B: 0, out
    assert session.state["phase"] == "over"
    assert places(session) == {"A": 1, "B": 2, "C": 3}
    assert (session.state["winner"], session.state["loser"]) == ("A", "C")
    assert (session.state["round"], session.state["opener"], session.state["round_winner"]) == (4, "B", "B")
    assert with_flag(session, "lost") == ""
    assert (session.state["to_throw"], session.legal) == (None, ())


def test_eliminated_players_take_the_last_places_in_order_and_the_first_of_them_loses() -> None:
    session = play("111 145 . 111 123", begin("ABCD"))
    assert with_flag(session, "lost") == "AC"
    assert places(session) == {"A": 4, "B": None, "C": 3, "D": None}
    session = play("456 . 123", session)  # B opens, having won
    session = play("456 . 123", session)
    session = play("456 . 123", session)
    assert session.state["phase"] == "over"
    assert places(session) == {"A": 4, "B": 1, "C": 3, "D": 2}
    assert (session.state["winner"], session.state["loser"]) == ("B", "A")


def test_two_players_an_early_three_aces_gives_the_other_the_game() -> None:
    session = play("111")
    assert places(session) == {"A": 2, "B": 1}
    assert (session.state["winner"], session.state["loser"]) == ("B", "A")


def test_the_first_out_wins_and_of_two_the_other_loses() -> None:
    two = play("456 . 123", begin(chalk={"A": 3}, finish="first_out_wins"))
    assert (two.state["phase"], two.state["winner"], two.state["loser"]) == ("over", "A", "B")
    three = play("456 . 123 123", begin("ABC", chalk={"A": 3}, finish="first_out_wins"))
    assert (three.state["winner"], three.state["loser"], places(three)) == ("A", None, {"A": 1, "B": None, "C": None})


def test_a_player_who_is_out_or_lost_never_throws() -> None:
    session = play("456 . 123 123", begin("ABC", chalk={"A": 3}))
    assert refusal(session, Throw(dice=(1, 4, 5), by="A")) == "not_your_turn"
    session = play("124 . 145", session)
    assert session.state["to_throw"] == "C"


# -- whose turn


def test_only_the_player_to_throw_may_throw_and_stop() -> None:
    session = play("145")
    assert refusal(session, Throw(dice=(1, 4, 5), by="B")) == "not_your_turn"
    assert refusal(session, Stop(by="B")) == "not_your_turn"
    assert session.apply(Stop(by="A")).state["to_throw"] == "B"
    assert refusal(begin(), Stop()) == "no_throw"
    assert refusal(play("x23"), Stop()) == "no_throw"


def test_one_throw_too_many_is_over_the_limit() -> None:
    session = play("145 123 122", begin("ABC"))
    assert refusal(session, Throw(dice=(1, 4, 5), by="A")) == "throw_limit"
    assert refusal(session, Throw(dice=(1, 4, 5), by="C")) == "not_your_turn"
    again = play("123", session)
    assert refusal(again, Throw(dice=(1, 4, 5), by="A")) == "not_your_turn"


def test_what_belongs_to_other_games_is_refused() -> None:
    assert refusal(begin(), Choose(number=7)) == "not_in_this_game"


# -- a game that stands in chalk


def test_a_game_is_joined_as_it_stands() -> None:
    session = begin("ABC", chalk={"A": 8, "B": 0})
    assert strokes(session) == "8 0 9"
    assert [player["ever_wiped"] for player in players(session)] == [True, True, False]
    assert with_flag(session, "out") == "B"
    assert play("145 . 123", session).state["round_winner"] == "A"
    said = begin("ABC", chalk={"A": 8}, wiped="C")
    assert [player["ever_wiped"] for player in players(said)] == [False, False, True]


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ({"strokes": {"X": 3}}, "unknown_player"),
        ({"strokes": {"A": -1}}, "bad_join"),
        ({"strokes": {"A": 100}}, "bad_join"),
        ({"strokes": {"A": True}}, "bad_join"),
        ({"strokes": {"A": 0}}, "bad_join"),
        ({"strokes": [8, 9]}, "bad_join"),
        ({"ever_wiped": "A"}, "bad_join"),
        ({"ever_wiped": ("X",)}, "unknown_player"),
        ({"crosses": {}}, "unknown_key"),
    ],
    ids=str,
)
def test_what_cannot_stand_in_chalk_is_refused(what: dict[str, Any], reason: str) -> None:
    assert refusal(Session(), Start(game="pietjesbak", players=("A", "B"), joined=what)) == reason


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ({"players": ("A",)}, "players"),
        ({"players": tuple("ABCDEFGHI")}, "players"),
        ({"players": ("A", "A")}, "duplicate_name"),
        ({"opener": "X"}, "unknown_player"),
        ({"seats": {"X": 90.0}}, "unknown_player"),
        ({"game": "poker"}, "unknown_game"),
    ],
    ids=str,
)
def test_what_cannot_start_is_refused(start: dict[str, Any], reason: str) -> None:
    assert refusal(Session(), Start(**({"game": "pietjesbak", "players": ("A", "B")} | start))) == reason


# -- leave, join, adjust, next game


def test_who_leaves_takes_no_more_turns() -> None:
    session = play("145 . 116", begin("ABC")).apply(Leave(player="C"))
    assert (session.state["round_winner"], session.state["opener"], strokes(session)) == ("B", "B", "9 8 9")
    assert play("145 .", session).state["to_throw"] == "A"
    assert [change["why"] for change in session.state["changes"]] == ["left", "won_round"]  # type: ignore[attr-defined]


def test_who_leaves_in_his_turn_drops_it_and_the_next_goes_on() -> None:
    session = play("145 123 . 116", begin("ABCD")).apply(Leave(player="B"))
    assert (session.state["to_throw"], session.state["throws_left"]) == ("C", 2)
    best = session.state["best"]
    assert isinstance(best, dict)
    assert best["player"] == "A"


def test_the_opener_who_leaves_in_his_turn_hands_it_on_and_his_throw_is_gone() -> None:
    session = play("116", begin("ABC")).apply(Leave(player="A"))
    assert (session.state["opener"], session.state["to_throw"], session.state["throws_left"]) == ("B", "B", 3)
    done = play("116 .", begin("ABC")).apply(Leave(player="A"))
    assert play("123 122", done).state["round_winner"] == "B"


def test_an_opener_who_stopped_at_once_and_left_adds_nothing() -> None:
    session = play("123 .", begin("ABC", stoef="double", stoef_lost=2)).apply(Leave(player="A"))
    assert strokes(play("145 122", session)) == "9 8 9"


def test_who_leaves_a_barrage_or_a_roll_off_falls_out_of_it() -> None:
    session = play("125 . 134 125", begin("ABC")).apply(Leave(player="B"))
    assert session.state["phase"] == "barrage"
    assert play("2 5", session).state["round_winner"] == "C"
    two = play("125 . 134 123 5", begin("ABC")).apply(Leave(player="A"))
    assert (two.state["round_winner"], strokes(two)) == ("B", "9 8 9")
    rolling = play("5", begin("ABC", opener=None)).apply(Leave(player="A"))
    assert play("2 3", rolling).state["opener"] == "C"


def test_the_last_one_at_the_table_has_not_lost() -> None:
    session = begin().apply(Leave(player="B"))
    assert (session.state["phase"], session.state["loser"], session.state["winner"]) == ("over", None, "A")
    assert places(session) == {"A": 1, "B": None}
    assert refusal(session, NextGame()) == "players"
    three = play("456 . 123 123", begin("ABC", chalk={"A": 3})).apply(Leave(player="C"))
    assert (three.state["phase"], three.state["winner"], three.state["loser"]) == ("over", "A", None)
    assert places(three) == {"A": 1, "B": 2, "C": None}


def test_who_joins_late_throws_from_the_next_round_with_all_his_strokes() -> None:
    session = play("145 .").apply(Join(player="C"))
    assert strokes(session) == "9 9 9"
    session = play("116", session)
    assert (session.state["round"], session.state["opener"]) == (2, "B")
    session = play("123 . 145", session)
    assert session.state["to_throw"] == "A"
    before = begin().apply(Join(player="C"))
    assert play("145 . 123", before).state["to_throw"] == "C"
    rolling = begin(opener=None).apply(Join(player="C"))
    assert play("2 3 6", rolling).state["opener"] == "C"


def test_who_joins_in_the_middle_of_a_round_changes_nothing_of_it() -> None:
    gone = play("116 .", begin("ABC")).apply(Leave(player="A")).apply(Join(player="D"))
    assert (gone.state["to_throw"], gone.state["throws_left"]) == ("B", 1)  # the opener used one, though he is gone
    assert play("123 122", gone).state["round_winner"] == "B"
    sitting = play("111", begin("ABC", three_aces_early="sits_out_round")).apply(Join(player="D"))
    assert play("123 . 122 145", sitting).state["round_winner"] == "D"  # without A, who sits it out


def test_who_comes_back_finds_his_strokes() -> None:
    session = play("145 . 123 123", begin("ABC")).apply(Leave(player="A")).apply(Join(player="A"))
    assert strokes(session) == "8 9 9"
    assert players(session)[0]["ever_wiped"] is True


def test_nobody_joins_twice_nor_as_a_ninth() -> None:
    assert refusal(begin(), Join(player="A")) == "already_playing"
    assert refusal(begin("ABCDEFGH"), Join(player="I")) == "players"
    full = begin("ABCDEFGH").apply(Leave(player="H"))
    assert full.apply(Join(player="I")).view.players[-1].name == "I"
    assert refusal(begin("AB"), Leave(player="X")) == "unknown_player"


def test_adjust_puts_the_chalk_right() -> None:
    session = play("145").apply(Adjust(player="B", strokes=4))
    assert strokes(session) == "9 4"
    assert session.state["changes"] == [{"player": "B", "strokes": -5, "why": "adjusted", "rule": ""}]
    assert players(session)[1]["ever_wiped"] is True
    assert refusal(session, Adjust(player="X", strokes=4)) == "unknown_player"
    assert refusal(session, Adjust(player="A", strokes=100)) == "bad_strokes"
    assert strokes(session.apply(Adjust(player="A", strokes=99))) == "99 4"
    assert strokes(begin(chalk={"A": 99})) == "99 9"
    raised = begin().apply(Adjust(player="A", strokes=10))
    assert players(raised)[0]["ever_wiped"] is False
    assert players(raised.apply(Adjust(player="A", strokes=9)))[0]["ever_wiped"] is False
    wiped = play("145 . 236").apply(Adjust(player="A", strokes=9))
    assert players(wiped)[0]["ever_wiped"] is True


def test_adjusted_to_nothing_is_out_and_back_again_is_in_play() -> None:
    session = play("145 .", begin("ABC")).apply(Adjust(player="B", strokes=0))
    assert (with_flag(session, "out"), session.state["to_throw"], places(session)["B"]) == ("B", "C", 1)
    back = session.apply(Adjust(player="B", strokes=2))
    assert (with_flag(back, "out"), places(back)["B"]) == ("", None)
    assert play("116", back).state["round"] == 2
    two = begin().apply(Adjust(player="B", strokes=0))
    assert (two.state["phase"], two.state["winner"], two.state["loser"]) == ("over", "B", "A")


def test_the_next_game_is_for_those_still_there() -> None:
    session = play("111 145 . 123", begin("ABC")).apply(Leave(player="C")).apply(NextGame())
    assert strokes(session) == "9 9"
    assert [player["name"] for player in players(session)] == ["A", "B"]
    assert session.state["phase"] == "roll_off"
    for start_tie, to_throw in (("everyone", "A"), ("tied_only", "B")):
        again = begin("ABC", start_tie=start_tie).apply(End()).apply(NextGame())
        assert play("2 6 6", again).state["to_throw"] == to_throw
    ended = begin("ABC", next_game="loser").apply(End()).apply(NextGame())
    assert ended.state["phase"] == "roll_off"
    assert refusal(begin().apply(End()), Join(player="C")) == "game_over"


def test_who_stands_above_the_cap_already_is_not_wiped_by_it() -> None:
    session = play("x23", begin(chalk={"A": 12}, stroke_cap=10))
    assert (strokes(session), session.state["changes"]) == ("12 9", [])
