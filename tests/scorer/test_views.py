"""What the outputs are shown by azen, pig, sachsenkniffel and bataclan: players, dice, actions, news."""

from __future__ import annotations

from typing import Any

import pytest
from telling import END, Told, begin, cell, join, leave, player, refused, stop, tell, throw

from scorer.events import Start, Throw
from scorer.game import PlayerView, View
from scorer.games import game_named
from scorer.session import Session

SEATS = {"A": 10, "B": 130, "C": 250}
GAMES = {"azen": (1, 3), "pig": (2, 2), "sachsenkniffel": (2, 6), "bataclan": (1, 8)}
"""Dice of the roll-off, dice of the first turn with three players."""


def shown(view: View, name: str) -> PlayerView:
    return next(player for player in view.players if player.name == name)


def started(game: str, opener: str | None = "B") -> Session:
    options = {"starter": "roll_off"} if game == "sachsenkniffel" else {}
    return begin(game, "ABC", opener=opener, options=options, seats=SEATS)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_begins_with_everybody_in_his_seat_and_the_opener_to_throw(game: str) -> None:
    view = started(game).view
    assert (view.game, view.phase, view.throws, view.expected) == (game, "turn", 0, GAMES[game][1])
    assert (view.dice, view.outside, view.rim, view.throws_used, view.changes) == ((), 0, 0, 0, ())
    assert {p.name: p.seat for p in view.players} == SEATS
    assert [p.name for p in view.players if p.to_throw] == ["B"]
    assert [p.name for p in view.players if "opener" in p.roles] == ["B"]
    assert {p.place for p in view.players} == {None}
    throwing = next(action for action in view.actions if action.do == "throw")
    assert throwing.by == ("B",)


@pytest.mark.parametrize("game", GAMES)
def test_the_roll_off_is_asked_for_and_the_last_throw_shown(game: str) -> None:
    session = started(game, opener=None)
    dice = GAMES[game][0]
    assert (session.view.phase, session.view.expected, session.view.pattern) == ("roll_off", dice, "roll_off")
    assert session.view.prompt.args["player"] == "A"
    assert not any("opener" in p.roles for p in session.view.players)
    session = tell(session, throw(*(3,) * dice))
    assert (session.view.dice, session.view.throws) == ((3,) * dice, 1)
    assert [p.name for p in session.view.players if p.to_throw] == ["B"]
    session = tell(session, throw(*(2,) * (dice - 1), rim=1))
    assert (session.view.dice, session.view.rim, session.view.outside) == ((2,) * (dice - 1), 1, 0)
    session = tell(session, throw(*(2,) * (dice - 1), outside=1))
    assert (session.view.rim, session.view.outside, session.view.throws) == (0, 1, 3)
    assert session.state["last"] == {
        "player": "B",
        "throw": 3,
        "dice": [2] * (dice - 1),
        "outside": 1,
        "rim": 0,
    }


@pytest.mark.parametrize("game", GAMES)
def test_who_leaves_and_who_joins_is_told(game: str) -> None:
    session = tell(started(game, opener=None), leave("C"))
    (gone,) = session.view.changes
    assert (gone.player, gone.amount, gone.why) == ("C", 0, "left")
    assert shown(session.view, "C").roles == ("left",)
    assert {name: player(session, name)["left"] for name in "ABC"} == {"A": False, "B": False, "C": True}
    session = tell(session, join("C"))
    (back,) = session.view.changes
    assert (back.player, back.amount, back.why) == ("C", 0, "joined")
    assert shown(session.view, "C").roles == ()


@pytest.mark.parametrize("game", GAMES)
def test_what_the_table_may_do_is_offered(game: str) -> None:
    words = [action.do for action in started(game, opener=None).view.actions]
    assert {"throw", "end", "leave", "join"} <= set(words)
    over = tell(started(game), END).view
    assert (over.expected, over.phase, over.pattern, over.prompt.key) == (0, "over", "over", "game_over")
    assert [action.do for action in over.actions if action.do not in ("undo", "correct", "insert")] == ["next_game"]
    assert not any(p.to_throw for p in over.players)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_numbers_its_throws_also_without_a_session(game: str) -> None:
    rules = game_named(game)
    options = {"starter": "roll_off"} if game == "sachsenkniffel" else {}
    state = rules.start(Start(game=game, players=("A", "B"), options=options))
    for number in (1, 2):
        state = rules.apply(state, Throw(dice=(2,) * GAMES[game][0]))
        last = rules.to_json(state)["last"]
        assert isinstance(last, dict)
        assert (rules.view(state).throws, rules.to_json(state)["throws"], last["throw"]) == (number, number, number)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_out_or_lost_before_the_rules_say_so(game: str) -> None:
    for told in ("out", "lost"):
        assert not any(player(started(game), name)[told] for name in "ABC")


def test_pig_counts_the_throws_of_the_turn_and_tells_the_change() -> None:
    session = tell(begin("pig", "AB"), throw(3, 4), throw(2, 4))
    assert (session.view.throws_used, session.view.changes) == (2, ())
    session = tell(session, stop())
    (change,) = session.view.changes
    assert (change.player, change.amount, change.why, change.rule, change.what) == (
        "A",
        13,
        "banked",
        "PG-05",
        "points",
    )
    assert (session.view.throws_used, shown(session.view, "A").number) == (0, 13)


def test_pig_marks_the_winner_and_the_extra_round() -> None:
    session = begin("pig", "AB", scores={"A": 95, "B": 95})
    assert session.state["extra_round"] is False
    for _ in range(2):
        session = tell(session, throw(2, 3), stop())
    assert session.state["extra_round"] is True
    session = tell(session, throw(2, 3), stop(), throw(1, 4))
    assert [p.name for p in session.view.players if "winner" in p.roles] == ["A"]
    assert [p.place for p in session.view.players] == [1, 2]


def test_azen_shows_nine_at_most_and_asks_for_the_next_mark() -> None:
    session = tell(begin("azen", count=8, orderer="B"), throw(1, 1, 1))
    assert (session.state["count"], cell(session, "aces")) == (11, 9)
    after_third = tell(begin("azen", count=2), throw(1, 2, 3))
    assert after_third.view.prompt.args == {"player": "B", "missing": 3, "role": "taster"}
    assert shown(after_third.view, "A").number == 1
    assert (after_third.view.throws_left, session.view.throws_left) == (1, None)
    paid = tell(session, {"do": "glass_empty"})
    assert (shown(paid.view, "B").marks, shown(paid.view, "A").number) == (1, 0)
    assert "payer" in shown(paid.view, "B").roles


def test_azen_the_next_count_goes_on_from_whoever_opened_also_when_he_left() -> None:
    session = begin("azen", "ABCD", count=8, orderer="C", options={"next_round": "clockwise"})
    session = tell(session, throw(1, 2, 3), leave("B"), {"do": "glass_empty"})
    assert (session.state["opener"], session.state["to_throw"]) == ("C", "C")
    gone = tell(begin("azen", "ABCD"), throw(2, 2, 3), leave("A"))
    assert (gone.state["opener"], gone.state["to_throw"]) == ("A", "B")  # so that B begins the next count
    other = tell(begin("azen", "ABCD"), throw(2, 2, 3), leave("C"))
    assert (other.state["opener"], other.state["to_throw"]) == ("A", "B")


def test_azen_at_the_very_time_of_the_ninth_ace_a_glass_may_be_empty() -> None:
    session = tell(begin("azen", count=8, orderer="B"), throw(1, 2, 3, at=5.0))
    assert tell(session, {"do": "glass_empty", "at": 5.0}).state["race"] == "settling"


def test_sachsenkniffel_counts_down_throws_and_dice() -> None:
    session = begin("sachsenkniffel", "AB", crosses={"A": {"8": 4}, "B": {"1": 6, "2": 6}})
    assert (session.view.throws_used, session.view.throws_left) == (0, 3)
    session = tell(session, throw(4, 4, 1, 1, 1, 1), {"do": "choose", "number": 8})
    (change,) = session.view.changes
    assert (change.amount, change.why, change.rule, change.what) == (1, "hit", "SK-06", "crosses")
    assert (session.view.throws_used, session.view.throws_left, session.view.expected) == (1, 2, 4)
    assert session.view.prompt.key == "sachsen_number"
    assert session.view.prompt.args == {"player": "A", "dice": 4, "throws_left": 2, "number": 8, "missing": 1}
    assert (cell(session, "number", "A"), cell(session, "dice_left")) == (8, 4)
    assert (shown(session.view, "B").marks, shown(session.view, "B").number) == (2, 12)


def test_bataclan_offers_what_may_be_kept_and_what_may_fall() -> None:
    session = begin("bataclan", "AB", dice_left={"A": 3, "B": 2}, top=3)
    inputs: dict[str, Any] = {action.do: action.inputs for action in session.view.actions}
    assert (inputs["throw"], inputs["fallen"]) == ({}, {"dice": (1, 2, 3), "player": ("A", "B")})
    session = tell(session, throw(2, 2, 6), stop(), throw(2, 2), stop())
    inputs = {action.do: action.inputs for action in session.view.actions}
    assert inputs["throw"] == {"kept": (2, 2, 6)}
    assert (session.view.throws_left, session.view.throws_used) == (1, 0)
    thrown = tell(session, throw(2, 2, 2))
    assert (thrown.view.throws_left, thrown.view.throws_used) == (0, 1)
    assert thrown.view.pattern == "nothing_fits"
    assert thrown.view.prompt.key == "bataclan_nothing_fits"


def test_bataclan_shows_the_sizes_left() -> None:
    session = begin("bataclan", "AB")
    assert [cell(session, f"{size}_dice", "A") for size in ("large", "medium", "small")] == [2, 2, 10]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("told", [{"do": "glass_empty"}, {"do": "settled", "at": 1}])
def test_a_glass_belongs_to_azen_alone(game: str, told: Told) -> None:
    assert refused(started(game), told) == ("not_now" if game == "azen" else "not_in_this_game")
