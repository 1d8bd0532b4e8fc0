"""A stop and a throw in the order in which they happened, whatever was told first."""

from __future__ import annotations

import pytest

from device.journal import MemoryJournal
from device.snapshot import Eye
from device.table import Table
from device.throws import latest
from scorer.events import Stop

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


@pytest.fixture
def table() -> Table:
    """Ann has thrown once and may stop."""
    table = Table(MemoryJournal())
    table.say(START)
    table.saw_throw((1, 4, 5), at=10.0)
    return table


def throwers(table: Table) -> list[tuple[object, ...]]:
    """Who threw what, the first first."""
    return [(thrown.player, thrown.dice) for thrown in reversed(latest(table.now.session))]


def to_throw(table: Table) -> object:
    return table.now.session.state["to_throw"]


def test_a_stop_while_nothing_is_read_is_booked_at_once(table: Table) -> None:
    assert table.press(Stop(), 12.0)[0].error is None
    assert to_throw(table) == "Bob"


def test_a_stop_pressed_before_the_dice_came_to_rest_goes_first(table: Table) -> None:
    table.look(Eye.READING)
    assert table.press(Stop(), 12.0)[0].error is None
    assert to_throw(table) == "Ann"  # not known yet
    table.saw_throw((6, 6, 6), at=12.4)
    assert throwers(table) == [("Ann", (1, 4, 5)), ("Bob", (6, 6, 6))]


def test_a_stop_pressed_after_the_dice_came_to_rest_goes_behind_them(table: Table) -> None:
    table.look(Eye.READING)
    table.press(Stop(), 12.6)
    table.saw_throw((6, 6, 6), at=12.4)
    assert throwers(table) == [("Ann", (1, 4, 5)), ("Ann", (6, 6, 6))]
    assert to_throw(table) == "Bob"


def test_a_stop_told_late_still_goes_before_the_throw(table: Table) -> None:
    table.saw_throw((6, 6, 6), at=12.4)
    told = table.press(Stop(), 12.2)  # the finger came off the button only now
    assert told[-1].error is None
    assert throwers(table) == [("Ann", (1, 4, 5)), ("Bob", (6, 6, 6))]
    assert Table(table._journal).now.session.state == table.now.session.state  # stored so too


@pytest.mark.parametrize(("by", "thrower"), [("Ann", "Bob"), ("Bob", "Ann")])
def test_a_stop_told_late_by_a_seat_counts_only_from_the_player_who_threw_then(
    table: Table, by: str, thrower: str
) -> None:
    table.saw_throw((6, 6, 6), at=12.4)
    table.press(Stop(by=by), 12.2)
    assert throwers(table)[-1] == (thrower, (6, 6, 6))


def test_a_stop_told_late_that_was_not_allowed_then_changes_nothing() -> None:
    table = Table(MemoryJournal())
    table.say(START)
    table.saw_throw((1, 4, 5), at=10.0)
    told = table.press(Stop(), 9.0)
    assert told[-1].error is not None
    assert throwers(table) == [("Ann", (1, 4, 5))]
    assert to_throw(table) == "Ann"


def test_a_stop_after_the_last_throw_of_a_turn_is_not_the_next_players(table: Table) -> None:
    table.saw_throw((2, 4, 5), at=11.0)
    table.look(Eye.READING)
    table.press(Stop(), 12.6)
    table.saw_throw((6, 6, 6), at=12.4)  # the third: Ann's turn is over anyway
    assert to_throw(table) == "Bob"
    table.saw_throw((2, 2, 4), at=14.0)
    assert throwers(table)[-1] == ("Bob", (2, 2, 4))
    assert table.now.session.state["throws"] == 4


@pytest.mark.parametrize("eye", [Eye.WAITING, Eye.HAND, Eye.LOST])
def test_a_stop_is_let_go_when_nothing_came_of_the_reading(table: Table, eye: Eye) -> None:
    table.look(Eye.READING)
    table.press(Stop(), 12.0)
    table.look(eye)
    assert to_throw(table) == "Bob"


def test_before_a_doubt_the_stop_goes_first_and_behind_it_it_waits_for_the_answer(table: Table) -> None:
    table.look(Eye.READING)
    table.press(Stop(), 12.6)
    table.saw_unsure(("cocked",), (6, 6, None), at=12.4)
    assert to_throw(table) == "Ann"
    table.say({"do": "throw", "dice": [6, 6, 5]})
    assert to_throw(table) == "Bob"
    table.saw_throw((2, 2, 4), at=16.0)
    table.look(Eye.READING)
    table.press(Stop(), 20.0)
    table.saw_unsure(("cocked",), (2, 2, None), at=20.4)
    assert table.now.session.state["round"] == 2  # both have stopped


def test_a_stop_that_waits_can_be_taken_back(table: Table) -> None:
    table.look(Eye.READING)
    table.press(Stop(), 12.6)
    assert table.unpress()
    assert not table.unpress()
    table.saw_throw((6, 6, 6), at=12.4)
    assert to_throw(table) == "Ann"
