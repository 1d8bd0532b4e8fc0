"""What a state and a view of pietjesbak say: what to beat, why it changed, what may be done, which light to play."""

from __future__ import annotations

import pytest
from playing import WIPED, begin, play, players

from scorer.events import Adjust, Start
from scorer.session import Session


def test_the_view_says_what_there_is_to_beat_and_with_what() -> None:
    view = play("145 .").view
    assert view.prompt.key == "to_beat"
    assert dict(view.prompt.args) == {
        "player": "B", "throws_left": 1, "best": "A", "class": "plain", "points": 109, "dice": "1 4 5",
        "beaten_by": "1 5 5",
    }  # fmt: skip
    assert (view.expected, view.throws_used, view.throws_left) == (3, 0, 1)
    assert view.players[0].roles == ("opener", "best")
    assert [player.to_throw for player in view.players] == [False, True]
    assert [(action.do, action.by) for action in view.actions][:1] == [("throw", ("B",))]
    assert {action.do for action in view.actions} >= {"end", "adjust", "leave", "join", "undo", "correct", "pause"}


def test_the_view_of_an_opener_a_roll_off_a_barrage_and_an_end() -> None:
    assert begin().view.prompt.key == "open"
    assert begin(opener=None).view.prompt.key == "roll_off"
    assert begin(opener=None).view.expected == 1
    barrage = play("125 . 134 4").view
    assert (barrage.prompt.key, dict(barrage.prompt.args)) == (
        "barrage",
        {"player": "B", "throws_left": 1, "to_beat": 4},
    )
    assert "barrage" in barrage.players[1].roles
    over = play("111").view
    assert (over.prompt.key, over.expected, dict(over.prompt.args)) == ("over", 0, {"winner": "B", "loser": "A"})
    assert over.players[0].lost
    assert (over.players[0].roles, over.players[1].roles) == (("opener", "loser"), ("winner",))
    assert {action.do for action in over.actions} == {"next_game", "undo", "correct", "insert"}


@pytest.mark.parametrize(
    ("script", "pattern"),
    [
        ("145", "turn"), ("666", "zand"), ("456", "soixante_neuf"), ("223", "seven"), ("x23", "die_outside"),
        ("r23", "turn"), ("111", "lost"), ("145 . 123", "round_won"), ("145 . 135 145", "turn"),
        ("125 . 134", "barrage"), ("145 . 666", "zand"),
    ],
)  # fmt: skip
def test_the_pattern_to_light(script: str, pattern: str) -> None:
    assert play(script).view.pattern == pattern


def test_the_pattern_of_good_aces_and_of_who_goes_out() -> None:
    session = play("111", begin(wiped=WIPED))
    assert session.view.pattern == "three_aces"
    assert play(". 123", session).view.pattern == "out"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("145 . 123", [("A", -1, "won_round", "PJ-14")]),
        ("666 . 123", [("A", -2, "won_round", "PJ-09")]),
        ("456 . 123", [("A", -3, "won_round", "PJ-11")]),
        ("111 . 123", [("A", -9, "won_round", "PJ-12")]),
        ("125 . 134 3 2", [("A", -1, "won_barrage", "PJ-16")]),
        ("223", [("A", 1, "seven", "PJ-17")]),
        ("x23", [("A", 1, "die_outside", "PJ-18")]),
        ("145 . 223", [("B", 1, "seven", "PJ-17"), ("A", -1, "won_round", "PJ-14")]),
    ],
)
def test_every_change_says_why_and_by_which_rule(script: str, why: list[tuple[str, int, str, str]]) -> None:
    session = play(script, begin(wiped=WIPED))
    assert [(c.player, c.amount, c.why, c.rule) for c in session.view.changes] == why


def test_early_aces_and_stoef_say_why_too() -> None:
    early = play("111").view.changes
    assert [(c.player, c.amount, c.why, c.rule) for c in early] == [("A", 0, "three_aces_early", "PJ-13")]
    lost = play("123 . 145", begin(stoef="double", stoef_lost=1))
    assert [(c.player, c.amount, c.why) for c in lost.view.changes] == [("B", -1, "won_round"), ("A", 1, "stoef_lost")]
    won = play("145 . 123", begin(stoef="double"))
    assert [(c.amount, c.rule) for c in won.view.changes] == [(-2, "A28")]


def test_who_pays_a_round_is_told_until_the_next_throw() -> None:
    session = play("111", begin("ABC", early_aces_pay=True))
    assert session.state["pays_round"] == "A"
    assert "pays_round" in session.view.players[0].roles
    assert session.apply(Adjust(player="B", strokes=9)).state["pays_round"] == "A"
    assert play("145", session).state["pays_round"] is None


def test_the_state_in_the_middle_of_a_turn_is_the_contract_s() -> None:
    session = play("145 124 . 234", begin(chalk={"A": 8}))
    state = session.state
    wanted = {
        "game": "pietjesbak", "phase": "turn", "round": 1, "opener": "A", "to_throw": "B", "throws_used": 1,
        "throws_left": 1, "legal": ["throw", "stop"], "changes": [], "round_winner": None, "winner": None,
        "loser": None, "pays_round": None, "throws": 3,
        "to_beat": {"class": "plain", "points": 106, "rank": 26, "dice": [1, 2, 4]},
    }  # fmt: skip
    assert {key: state[key] for key in wanted} == wanted
    best, turn = state["best"], state["turn"]
    assert isinstance(best, dict)
    assert isinstance(turn, list)
    assert {key: best[key] for key in ("player", "dice", "class", "points", "rank")} == {
        "player": "A", "dice": [1, 2, 4], "class": "plain", "points": 106, "rank": 26,
    }  # fmt: skip
    assert {key: turn[0][key] for key in ("throw", "dice", "class", "points")} == {
        "throw": 3, "dice": [2, 3, 4], "class": "plain", "points": 9,
    }  # fmt: skip
    assert {key: value for key, value in players(session)[0].items() if key != "left"} == {
        "name": "A", "strokes": 8, "ever_wiped": True, "out": False, "lost": False, "place": None,
    }  # fmt: skip


def test_the_state_after_a_round_is_the_contract_s() -> None:
    state = play("145 . 234").state
    assert (state["round"], state["opener"], state["to_throw"], state["throws_used"], state["throws_left"]) == (
        2, "A", "A", 0, 3,
    )  # fmt: skip
    assert (state["turn"], state["best"], state["to_beat"]) == ([], None, None)
    assert state["changes"] == [{"player": "A", "strokes": -1, "why": "won_round", "rule": "PJ-14"}]
    assert (state["round_winner"], state["throws"]) == ("A", 2)


def test_seats_go_into_the_view() -> None:
    start = Start(game="pietjesbak", players=("A", "B"), opener="A", seats={"A": 90.0})
    assert [player.seat for player in Session().apply(start).view.players] == [90.0, None]


def test_three_aces_that_come_too_early_beat_nothing() -> None:
    assert play("456 .").view.prompt.args["beaten_by"] is None
    assert play("456 .").state["beaten_by"] is None
    assert play("456 .", begin(wiped=WIPED)).view.prompt.args["beaten_by"] == "1 1 1"
    assert play("666 .").view.prompt.args["beaten_by"] == "4 5 6"
