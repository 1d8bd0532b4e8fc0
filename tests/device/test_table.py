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

    def test_a_new_game_keeps_nothing_of_the_old(self, table: Table) -> None:
        table.say({"do": "throw", "dice": [1, 4, 5]})
        table.say(START)
        assert len(table.now.session.events) == 1

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
        assert again.now.view.phase == "turn"  # what came before it stands
        assert again.say({"do": "throw", "dice": [1, 4, 5]})[0].error is None
        third = Table(broken)
        assert third.trouble_on_start is None
        assert third.now.session.state == again.now.session.state
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
