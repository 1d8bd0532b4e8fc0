"""The table: apply, store, show; doubts wait for people; a restart shows the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.journal import MemoryJournal
from device.snapshot import Eye, Snapshot
from device.table import Table
from scorer.events import Start, Stop, Throw
from scorer.session import Session
from scorer.wire import WireError

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


def test_a_throw_is_booked_as_the_session_would(table: Table) -> None:
    told = table.saw_throw((1, 4, 5), at=3.0)
    assert told[0].error is None
    by_hand = Session().apply(Start(game="pietjesbak", players=("Ann", "Bob"), opener="Ann"))
    assert table.now.session.state == by_hand.apply(Throw(dice=(1, 4, 5), at=3.0)).state


def test_stored_before_it_is_shown(table: Table, journal: MemoryJournal) -> None:
    stored_when_shown: list[tuple[int, int]] = []
    table.listen(lambda now: stored_when_shown.append((now.seq, journal.last())))
    table.saw_throw((1, 4, 5))
    table.say({"do": "stop"})
    assert stored_when_shown == [(2, 2), (3, 3)]
    assert [row.body["do"] for row in journal.rows()] == ["start", "throw", "stop"]
    assert {row.rules for row in journal.rows()} == {"1"}


def test_what_the_rules_refuse_is_told_and_not_stored(table: Table, journal: MemoryJournal) -> None:
    told = table.saw_throw((1, 4))
    assert told[0].error is not None
    assert table.now.refused is told[0].error
    assert journal.last() == 1
    table.saw_throw((1, 4, 5))
    assert table.now.refused is None


def test_what_a_person_pressed_in_vain_is_told_to_that_person_only(table: Table) -> None:
    seen: list[Snapshot] = []
    table.listen(seen.append)
    told = table.say({"do": "stop"})
    assert told[0].error is not None
    assert seen == []
    assert table.now.refused is None


def test_a_wrong_number_of_dice_is_refused(table: Table) -> None:
    told = table.saw_throw((1, 4))
    assert told[0].error is not None
    assert told[0].error.reason == "dice_count"


def test_words_that_are_no_event_raise(table: Table) -> None:
    with pytest.raises(WireError):
        table.say({"do": "fly"})


def test_a_press_on_an_old_picture_is_stale(table: Table) -> None:
    seen = table.now.seq
    table.saw_throw((1, 4, 5))
    told = table.say({"do": "stop"}, seen=seen)
    assert told[0].error is not None
    assert told[0].error.reason == "stale"
    assert to_throw(table) == "Ann"
    assert table.say({"do": "stop"}, seen=table.now.seq)[0].error is None


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


class TestComingBack:
    def test_the_same_state_after_any_number_of_events(self, journal: MemoryJournal) -> None:
        table = Table(journal)
        seen: list[Snapshot] = []
        table.listen(seen.append)
        table.say(START)
        for dice in ((1, 4, 5), (2, 2, 3), (6, 5, 4)):
            table.saw_throw(dice)
        table.say({"do": "undo"})
        table.say({"do": "correct", "throw": 1, "dice": [1, 1, 6]})
        table.saw_throw((4, 5), outside=1)
        rows = list(journal.rows())
        for now in seen:
            again = Table(MemoryJournal([row for row in rows if row.seq <= now.seq]))
            assert again.now.seq == now.seq
            assert again.now.session.state == now.session.state
            assert again.now.view == now.view

    def test_goes_on_counting(self, table: Table, journal: MemoryJournal) -> None:
        table.saw_throw((1, 4, 5))
        again = Table(journal)
        again.say({"do": "stop"})
        assert [row.seq for row in journal.rows()] == [1, 2, 3]

    def test_only_the_running_game_is_folded(self, journal: MemoryJournal) -> None:
        table = Table(journal)
        table.say(START)
        table.saw_throw((1, 4, 5))
        table.say({**START, "players": ["Cas", "Dirk"], "opener": "Dirk"})
        again = Table(journal)
        assert to_throw(again) == "Dirk"
        assert len(again.now.session.events) == 1

    def test_an_entry_that_cannot_be_replayed_is_told_and_play_goes_on(self, journal: MemoryJournal) -> None:
        table = Table(journal)
        table.say(START)
        rows = list(journal.rows())
        broken = MemoryJournal([*rows, rows[0].__class__(2, 1, "event", {"do": "stop"}, "1")])
        again = Table(broken)
        assert again.trouble_on_start is not None
        assert "entry 2" in again.trouble_on_start
        assert again.say(START)[0].error is None
        assert again.now.seq == 3
        assert Table(broken).trouble_on_start is None

    def test_rules_that_are_not_known_here_are_told(self, journal: MemoryJournal) -> None:
        Table(journal).say(START)
        other = MemoryJournal([replace(row, rules="99") for row in journal.rows()])
        again = Table(other)
        assert again.trouble_on_start is not None
        assert "version 99 of the rules" in again.trouble_on_start
        assert again.now.view.phase == "idle"


class TestEye:
    def test_only_a_change_is_published(self, table: Table) -> None:
        seen: list[Eye] = []
        table.listen(lambda now: seen.append(now.eye))
        for eye in (Eye.READING, Eye.READING, Eye.READ):
            table.look(eye)
        assert seen == [Eye.READING, Eye.READ]

    def test_trouble_goes_before_what_the_game_shows(self, table: Table) -> None:
        table.saw_throw((1, 1, 1))
        assert table.now.lights != "camera_trouble"
        table.look(Eye.LOST, "unplugged")
        assert table.now.lights == "camera_trouble"

    def test_a_race_is_settled_only_when_nothing_is_unread(self) -> None:
        table = Table(MemoryJournal())
        table.say({"do": "start", "game": "azen", "players": ["Ann", "Bob"], "opener": "Ann", "count": 8})
        table.saw_throw((1, 2, 3), at=10.0)
        table.say({"do": "glass_empty", "at": 12.0})
        assert "settled" in table.now.session.legal
        table.saw_unsure(["unsure"], (1, None, None), at=11.5)
        assert table.quiet(12.5) == []
        table.say({"do": "no_throw"})
        assert table.quiet(12.5)[0].error is None
        assert table.now.session.state["race"] == "none"


def test_acts_on_events_too(table: Table) -> None:
    table.saw_throw((1, 4, 5))
    assert table.act(Stop())[0].error is None


def test_bataclan_is_not_watched_but_played_by_hand() -> None:
    table = Table(MemoryJournal())
    table.say({"do": "start", "game": "bataclan", "players": ["Ann", "Bob"], "opener": "Ann"})
    assert table.now.view.expected > 6
    assert table.expected == 0
