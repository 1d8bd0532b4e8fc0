"""Who threw, and when a stop counts: seats, presses between rest and read, dice that a person named."""

from __future__ import annotations

import pytest

from device.journal import MemoryJournal
from device.snapshot import Eye
from device.table import Table
from device.throws import latest

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob", "Cas"], "opener": "Ann"}
SEATS = {"Ann": 90, "Bob": 270, "Cas": 0}


def made(*, seats: bool = False, **how: object) -> Table:
    table = Table(MemoryJournal(), **how)  # type: ignore[arg-type]
    table.say({**START, **({"seats": SEATS} if seats else {})})
    return table


def throwers(table: Table) -> list[tuple[object, ...]]:
    return [(thrown.player, thrown.dice) for thrown in reversed(latest(table.now.session))]


def to_throw(table: Table) -> object:
    return table.now.session.state["to_throw"]


def restarted(table: Table) -> Table:
    return Table(MemoryJournal(list(table._journal.rows())))


class TestSeatsDecide:
    def test_a_throw_from_another_seat_is_that_players_and_the_one_to_throw_has_stopped(self) -> None:
        table = made(seats=True, seats_decide=True)
        table.saw_throw((1, 4, 5), from_deg=92.0)
        told = table.saw_throw((6, 6, 2), from_deg=266.0)
        assert [one.event.do for one in told if one.event] == ["stop", "throw"]
        assert throwers(table) == [("Ann", (1, 4, 5)), ("Bob", (6, 6, 2))]
        assert restarted(table).now.session.state == table.now.session.state

    def test_where_nobody_may_stop_yet_it_is_asked_all_the_same(self) -> None:
        table = made(seats=True, seats_decide=True)
        assert table.saw_throw((6, 6, 2), from_deg=266.0)[-1].error is not None
        assert table.now.pending is not None
        assert table.now.pending.player == "Bob"
        assert table.now.view.throws == 0

    def test_without_the_option_it_is_asked(self) -> None:
        table = made(seats=True)
        table.saw_throw((1, 4, 5), from_deg=92.0)
        assert table.saw_throw((6, 6, 2), from_deg=266.0)[-1].error is not None
        assert throwers(table) == [("Ann", (1, 4, 5))]

    def test_a_doubt_that_settles_is_asked_about_too(self) -> None:
        table = made(seats=True)
        table.saw_throw((1, 4, 5), at=5.0, from_deg=92.0)
        table.saw_unsure(["unsure"], (6, 6, None), at=9.0)
        table.saw_throw((6, 6, 2), at=9.0, from_deg=266.0)
        assert table.now.pending is not None
        assert (table.now.pending.kind, table.now.pending.player) == ("whose", "Bob")
        table.say({"do": "thrown_by", "player": "Bob"})
        assert throwers(table) == [("Ann", (1, 4, 5)), ("Bob", (6, 6, 2))]


class TestGivenOn:
    def test_one_tap_gives_the_last_throw_to_the_next_player(self) -> None:
        table = made()
        table.saw_throw((1, 4, 5))
        table.saw_throw((6, 6, 2))
        assert table.say({"do": "give_on"})[0].error is None
        assert throwers(table) == [("Ann", (1, 4, 5)), ("Bob", (6, 6, 2))]
        assert to_throw(table) == "Cas"  # Bob has as many throws as Ann took
        assert restarted(table).now.session.state == table.now.session.state

    def test_the_first_throw_of_a_turn_can_be_nobody_elses(self) -> None:
        table = made()
        table.saw_throw((1, 4, 5))
        error = table.say({"do": "give_on"})[0].error
        assert error is not None
        assert error.reason == "not_given_on"
        assert throwers(table) == [("Ann", (1, 4, 5))]

    def test_without_a_throw_it_is_refused(self) -> None:
        error = made().say({"do": "give_on"})[0].error
        assert error is not None
        assert Table(MemoryJournal()).say({"do": "give_on"})[0].error is not None


class TestStop:
    def test_said_between_rest_and_read_it_is_the_throwers(self) -> None:
        now = 12.6
        table = made(clock=lambda: now)
        table.saw_throw((1, 4, 5), at=10.0)
        table.look(Eye.READING)
        assert table.say({"do": "stop"})[0].error is None
        assert to_throw(table) == "Ann"
        table.saw_throw((6, 6, 2), at=12.4)
        assert throwers(table) == [("Ann", (1, 4, 5)), ("Ann", (6, 6, 2))]
        assert to_throw(table) == "Bob"

    def test_said_while_the_first_dice_still_rolled_it_is_meant_for_them(self) -> None:
        table = made(clock=lambda: 12.0)
        table.look(Eye.READING)
        table.say({"do": "stop"})
        table.saw_throw((6, 6, 2), at=12.4)
        assert throwers(table) == [("Ann", (6, 6, 2))]
        assert to_throw(table) == "Bob"

    def test_while_a_doubt_may_settle_it_is_held_not_refused(self) -> None:
        table = made()
        table.saw_unsure(["unsure"], (1, 4, None), at=9.0)
        assert table.say({"do": "stop"})[0].error is None
        assert table.say({"do": "stop"})[0].error is None  # the same wish
        assert to_throw(table) == "Ann"
        table.saw_throw((1, 4, 5), at=9.0)
        assert throwers(table) == [("Ann", (1, 4, 5))]
        assert to_throw(table) == "Bob"
        assert table.now.waiting.line == ()

    @pytest.mark.parametrize("lifted", [False, True])
    def test_held_it_waits_for_the_answer_and_survives_a_restart(self, lifted: bool) -> None:
        table = made()
        table.saw_unsure(["cocked"], (1, 4, None), at=9.0)
        table.say({"do": "stop"})
        if lifted:
            table.saw_lifted()
        table = restarted(table)
        table.say({"do": "throw", "dice": [1, 4, 6]})
        assert throwers(table) == [("Ann", (1, 4, 6))]
        assert to_throw(table) == "Bob"

    def test_held_it_stays_before_the_throw_that_comes_next(self) -> None:
        table = made()
        table.saw_unsure(["cocked"], (1, 4, None), at=9.0)
        table.say({"do": "stop"})
        table.saw_throw((2, 2, 4), at=15.0)  # nobody saw the dice go
        assert table.now.held == 1
        told = table.say({"do": "throw", "dice": [1, 4, 6]})
        assert all(one.error is None for one in told)
        assert throwers(table) == [("Ann", (1, 4, 6)), ("Bob", (2, 2, 4))]

    def test_held_for_no_throw_it_ends_the_turn_where_that_is_allowed(self) -> None:
        table = made()
        table.saw_throw((1, 4, 5), at=5.0)
        table.saw_unsure(["cocked"], (1, 4, None), at=9.0)
        table.say({"do": "stop"})
        table.say({"do": "no_throw"})
        assert throwers(table) == [("Ann", (1, 4, 5))]
        assert to_throw(table) == "Bob"
        table.saw_lifted()
        table.saw_unsure(["cocked"], (2, 2, None), at=19.0)
        table.say({"do": "stop"})
        told = table.say({"do": "no_throw"})
        assert all(one.error is None for one in told)
        assert to_throw(table) == "Bob"  # who has not thrown cannot stop
        assert table.now.refused is None

    def test_held_after_a_turns_last_throw_it_is_no_fault(self) -> None:
        table = made()
        table.saw_throw((1, 4, 5), at=1.0)
        table.saw_throw((1, 4, 5), at=5.0)
        table.saw_unsure(["unsure"], (2, 2, None), at=9.0)
        table.say({"do": "stop"})
        assert all(one.error is None for one in table.saw_throw((2, 2, 4), at=9.0))
        assert to_throw(table) == "Bob"
        assert table.now.refused is None

    def test_held_it_can_be_taken_back(self) -> None:
        table = made()
        table.saw_unsure(["unsure"], (1, 4, None), at=9.0)
        table.say({"do": "stop"})
        assert table.unpress()
        assert not table.unpress()
        table.saw_throw((1, 4, 5), at=9.0)
        assert to_throw(table) == "Ann"

    def test_once_the_dice_are_gone_the_question_comes_first(self) -> None:
        table = made()
        table.saw_unsure(["cocked"], (1, 4, None), at=9.0)
        table.saw_lifted()
        error = table.say({"do": "stop"})[0].error
        assert error is not None
        assert error.reason == "pending_throw"


class TestNamed:
    """Dice that a person named and that the eye reads afterwards are booked once, as the person said."""

    def test_an_answer_stands_whatever_is_read_later_and_however_often(self) -> None:
        table = made()
        table.saw_unsure(["unsure"], (1, 4, None), at=9.0)
        table.say({"do": "throw", "dice": [1, 4, 6]})
        table.saw_hand(90.0)  # the hand that typed goes back over the board
        assert table.saw_throw((1, 4, 5), at=9.0) == []
        table.saw_unsure(["unsure"], (1, 4, None), at=9.0)
        assert table.now.pending is None
        assert throwers(table) == [("Ann", (1, 4, 6))]
        table.saw_lifted()
        table.saw_throw((1, 4, 5), at=14.0)
        assert throwers(table) == [("Ann", (1, 4, 6)), ("Ann", (1, 4, 5))]

    @pytest.mark.parametrize("read", [(1, 4, 6), (1, 4, 5)])
    def test_typed_while_they_were_read(self, read: tuple[int, ...]) -> None:
        now = 12.6
        table = made(clock=lambda: now)
        table.look(Eye.READING)
        table.say({"do": "throw", "dice": [1, 4, 6]})
        assert table.saw_throw(read, at=12.4) == []
        assert throwers(table) == [("Ann", (1, 4, 6))]
        table.saw_throw((2, 2, 4), at=18.0)
        assert throwers(table) == [("Ann", (1, 4, 6)), ("Ann", (2, 2, 4))]

    def test_typed_while_they_were_read_they_are_not_asked_about(self) -> None:
        table = made(clock=lambda: 12.6)
        table.look(Eye.READING)
        table.say({"do": "throw", "dice": [1, 4, 6]})
        table.saw_unsure(["cocked"], (1, 4, None), at=12.4)
        assert table.now.pending is None
        assert table.saw_throw((1, 4, 5), at=12.4) == []
        assert throwers(table) == [("Ann", (1, 4, 6))]

    def test_typed_while_other_dice_still_rolled_both_count(self) -> None:
        table = made(clock=lambda: 12.0)
        table.look(Eye.READING)
        table.say({"do": "throw", "dice": [1, 4, 6]})
        table.saw_throw((2, 2, 4), at=12.4)
        assert throwers(table) == [("Ann", (1, 4, 6)), ("Ann", (2, 2, 4))]
