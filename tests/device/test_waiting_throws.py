"""Throws that wait for a person: in doubt, from another seat, held back; never booked twice, never lost."""

from __future__ import annotations

import pytest

from device.journal import MemoryJournal
from device.snapshot import Eye
from device.table import Table

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
SEATED = {**START, "players": ["Ann", "Bob", "Cas"], "seats": {"Ann": 90, "Bob": 270, "Cas": 0}}


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def table(journal: MemoryJournal) -> Table:
    made = Table(journal)
    assert made.say(START)[0].error is None
    return made


def to_throw(table: Table) -> object:
    return table.now.session.state["to_throw"]


class TestDoubt:
    def test_settles_by_itself_while_the_dice_lie(self, table: Table) -> None:
        table.saw_unsure(["unsure"], (1, 4, None))
        assert table.now.pending is not None
        assert table.saw_throw((1, 4, 5))[0].error is None
        assert table.now.pending is None
        assert table.now.view.throws == 1

    def test_lifted_unread_waits_and_holds_the_next_throw_back(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        pending = table.now.pending
        assert pending is not None
        assert pending.lifted
        told = table.saw_throw((6, 6, 5))
        assert told[0].error is not None
        assert told[0].error.reason == "pending_throw"
        assert table.now.view.throws == 0
        assert table.now.held == 1

    def test_told_by_hand_is_booked_before_what_was_held(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        table.saw_throw((6, 6, 5))
        told = table.say({"do": "throw", "dice": [1, 3, 6]})
        assert [t.error for t in told] == [None, None]
        assert table.now.session.state["last"]["dice"] == [5, 6, 6]  # type: ignore[index]
        assert table.now.view.throws == 2
        assert table.now.pending is None

    def test_thrown_again_books_only_what_was_held(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        table.saw_throw((6, 6, 5))
        table.say({"do": "no_throw"})
        assert table.now.view.throws == 1
        assert table.now.view.dice == (6, 6, 5)

    def test_an_answered_throw_that_settles_after_all_is_not_booked_twice(self, table: Table) -> None:
        table.saw_unsure(["unsure"], (1, 4, None))
        table.say({"do": "throw", "dice": [1, 4, 5]})
        assert table.saw_throw((1, 4, 5)) == []
        assert table.now.view.throws == 1
        table.saw_lifted()
        assert table.saw_throw((6, 6, 5))[0].error is None
        assert table.now.view.throws == 2

    def test_thrown_again_while_it_lies_is_not_booked_when_it_settles(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 4, None))
        table.say({"do": "no_throw"})
        assert table.saw_throw((1, 4, 5)) == []
        table.saw_hand(90.0)
        assert table.saw_throw((6, 6, 5))[0].error is None
        assert table.now.view.throws == 1

    def test_a_stop_is_not_booked_past_a_throw_in_doubt(self, table: Table) -> None:
        table.saw_throw((2, 3, 4))
        table.saw_lifted()
        table.saw_unsure(["cocked"], (1, 4, None))
        table.saw_lifted()
        error = table.say({"do": "stop"})[0].error
        assert error is not None
        assert error.reason == "pending_throw"
        assert to_throw(table) == "Ann"
        table.say({"do": "throw", "dice": [1, 4, 6]})
        assert table.say({"do": "stop"})[0].error is None
        assert table.now.session.state["best"]["dice"] == [1, 4, 6]  # type: ignore[index]

    def test_the_end_of_the_game_ends_the_doubt(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 4, None))
        table.saw_lifted()
        assert table.say({"do": "end"})[0].error is None
        assert table.now.pending is None

    def test_typed_while_it_was_read_is_booked_once(self, table: Table) -> None:
        table.look(Eye.READING)
        table.say({"do": "throw", "dice": [5, 1, 4]})
        assert table.saw_throw((1, 4, 5)) == []
        assert table.now.view.throws == 1
        table.saw_lifted()
        assert table.saw_throw((1, 4, 5))[0].error is None
        assert table.now.view.throws == 2

    @pytest.mark.parametrize("eye", [Eye.READ, Eye.WAITING])
    def test_typed_with_nothing_being_read_hides_no_throw(self, table: Table, eye: Eye) -> None:
        table.look(eye)
        table.say({"do": "throw", "dice": [1, 4, 5]})
        assert table.saw_throw((1, 4, 5))[0].error is None
        assert table.now.view.throws == 2

    def test_two_doubts_are_asked_one_after_the_other(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        table.saw_unsure(["die_missing"], (2, 2), missing=1)
        table.saw_lifted()
        table.saw_throw((6, 6, 5))
        assert (table.now.held, table.now.pending and table.now.pending.why) == (2, ("cocked",))
        table.say({"do": "throw", "dice": [1, 3, 4]})
        assert (table.now.held, table.now.pending and table.now.pending.why) == (1, ("die_missing",))
        assert table.now.view.throws == 1
        told = table.say({"do": "throw", "dice": [2, 2, 6]})
        assert [t.error for t in told] == [None, None]
        assert table.now.view.dice == (6, 6, 5)

    def test_a_doubt_behind_a_doubt_may_settle_by_itself(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        table.saw_unsure(["unsure"], (6, 6, None))
        table.saw_throw((6, 6, 5))
        table.say({"do": "no_throw"})
        assert table.now.pending is None
        assert table.now.view.dice == (6, 6, 5)

    def test_another_throw_over_a_doubt_is_held_though_nobody_saw_the_dice_go(self, table: Table) -> None:
        table.saw_unsure(["unsure"], (2, 3, 4), at=2.5)
        told = table.saw_throw((1, 5, 6), at=8.1)
        assert told[0].error is not None
        assert told[0].error.reason == "pending_throw"
        assert (table.now.view.throws, table.now.held) == (0, 1)

    def test_the_same_rest_settles(self, table: Table) -> None:
        table.saw_unsure(["unsure"], (2, 3, None), at=2.5)
        assert table.saw_throw((2, 3, 4), at=2.5)[0].error is None
        assert table.now.pending is None

    def test_two_doubts_with_different_rests_are_two(self, table: Table) -> None:
        table.saw_unsure(["unsure"], (2, 3, None), at=2.5)
        table.saw_unsure(["cocked"], (1, 5, None), at=8.1)
        assert table.now.held == 1
        assert table.now.pending is not None
        assert table.now.pending.lifted

    def test_what_is_held_back_survives_a_restart(self, table: Table, journal: MemoryJournal) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        table.saw_throw((6, 6, 5), at=7.25)
        again = Table(MemoryJournal(list(journal.rows())))
        assert again.now.waiting == table.now.waiting
        again.say({"do": "no_throw"})
        assert again.now.view.dice == (6, 6, 5)

    def test_a_doubt_that_still_lay_there_is_asked_after_a_restart(self, table: Table, journal: MemoryJournal) -> None:
        table.saw_unsure(["unsure"], (1, 4, None))
        again = Table(MemoryJournal(list(journal.rows())))
        assert again.now.pending is not None
        assert again.now.pending.lifted  # a new eye cannot settle it
        assert again.saw_throw((6, 6, 5))[0].error is not None

    def test_a_flood_of_throws_is_bounded(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        for _ in range(100):
            table.saw_throw((6, 6, 5))
        assert table.now.held < 10

    def test_a_wrong_answer_leaves_it_pending(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        assert table.say({"do": "throw", "dice": [1, 3]})[0].error is not None
        assert table.now.pending is not None

    def test_survives_a_restart(self, table: Table, journal: MemoryJournal) -> None:
        table.saw_unsure(["cocked"], (1, 3, None), missing=0, at=4.5)
        table.saw_lifted()
        again = Table(MemoryJournal(list(journal.rows())))
        assert again.now.pending == table.now.pending
        again.say({"do": "no_throw"})
        assert Table(MemoryJournal(list(again._journal.rows()))).now.pending is None

    def test_without_a_game_nothing_waits(self) -> None:
        table = Table(MemoryJournal())
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        assert table.now.pending is None

    def test_nothing_pending_is_told(self, table: Table) -> None:
        told = table.say({"do": "no_throw"})
        assert told[0].error is not None
        assert told[0].error.reason == "nothing_pending"

    def test_a_new_game_forgets_it(self, table: Table) -> None:
        table.saw_unsure(["cocked"], (1, 3, None))
        table.saw_lifted()
        table.saw_throw((6, 6, 5))
        table.say(START)
        assert table.now.pending is None
        assert table.now.held == 0
        assert table.now.view.throws == 0


class TestWhose:
    @pytest.fixture
    def seated(self) -> Table:
        table = Table(MemoryJournal())
        assert table.say(SEATED)[0].error is None
        return table

    def test_a_throw_from_the_seat_of_the_player_to_throw_is_booked(self, seated: Table) -> None:
        seated.saw_hand(100.0)
        assert seated.saw_throw((1, 4, 5))[0].error is None

    def test_a_throw_from_another_seat_is_asked_about(self, seated: Table) -> None:
        seated.saw_throw((1, 4, 5))
        seated.saw_hand(265.0)
        told = seated.saw_throw((6, 6, 2))
        assert told[0].error is not None
        assert told[0].error.reason == "whose_throw"
        assert seated.now.view.throws == 1
        pending = seated.now.pending
        assert pending is not None
        assert (pending.kind, pending.player) == ("whose", "Bob")

    def test_the_side_that_the_dice_came_from_goes_before_the_last_hand(self, seated: Table) -> None:
        seated.saw_hand(270.0)  # Bob handed the dice over
        assert seated.saw_throw((1, 4, 5), from_deg=95.0)[0].error is None

    def test_one_tap_gives_it_to_the_other_with_the_stop_before_it(self, seated: Table) -> None:
        seated.saw_throw((1, 4, 5))
        seated.saw_hand(265.0)
        seated.saw_throw((6, 6, 2))
        told = seated.say({"do": "thrown_by", "player": "Bob"})
        assert [t.event.do for t in told if t.event] == ["stop", "throw"]
        assert all(t.error is None for t in told)
        assert to_throw(seated) == "Cas"

    def test_one_tap_gives_it_to_the_one_to_throw(self, seated: Table) -> None:
        seated.saw_throw((1, 4, 5))
        seated.saw_hand(265.0)
        seated.saw_throw((6, 6, 2))
        assert seated.say({"do": "thrown_by", "player": "Ann"})[0].error is None
        assert seated.now.view.throws == 2
        assert to_throw(seated) == "Ann"

    def test_who_cannot_have_thrown_is_refused_and_still_asked(self, seated: Table) -> None:
        seated.saw_throw((1, 4, 5))
        seated.saw_hand(265.0)
        seated.saw_throw((6, 6, 2))
        assert seated.say({"do": "thrown_by", "player": "Cas"})[0].error is not None
        assert seated.now.pending is not None
        assert seated.now.view.throws == 1

    def test_a_hand_from_between_is_not_asked_about(self, seated: Table) -> None:
        seated.saw_hand(180.0)
        assert seated.saw_throw((1, 4, 5))[0].error is None

    def test_seats_are_learned_in_the_roll_off(self) -> None:
        journal = MemoryJournal()
        table = Table(journal)
        table.say({"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"]})
        table.saw_hand(90.0)
        table.saw_throw((5,))
        table.saw_hand(275.0)
        table.saw_throw((2,))
        again = Table(MemoryJournal(list(journal.rows())))
        again.saw_hand(270.0)
        told = again.saw_throw((1, 4, 5))
        assert told[0].error is not None
        assert told[0].error.reason == "whose_throw"
