"""Where everybody sits: told, picked or learned, kept over a restart, and shown to every output."""

from __future__ import annotations

import pytest

from device.journal import MemoryJournal, Row
from device.seats import Seats
from device.table import Table
from scorer.wire import WireError

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def table(journal: MemoryJournal) -> Table:
    made = Table(journal)
    made.say({**START, "seats": {"Ann": 90}})
    return made


def seats(table: Table) -> dict[str, float | None]:
    return {player.name: player.seat for player in table.now.view.players}


def test_told_at_the_start(table: Table) -> None:
    assert seats(table) == {"Ann": 90, "Bob": None}


def test_a_picked_one_goes_before_one_told(table: Table) -> None:
    told = table.say({"do": "seat", "player": "Ann", "degrees": 180}, seen=1)
    assert told[0].error is None
    assert seats(table) == {"Ann": 180, "Bob": None}
    table.say({"do": "seat", "player": "Ann", "degrees": None})
    assert seats(table) == {"Ann": None, "Bob": None}


def test_is_asked_about_from_then_on(table: Table) -> None:
    table.say({"do": "seat", "player": "Bob", "degrees": 270})
    assert table.saw_throw((1, 4, 5), from_deg=268)[0].error is not None
    assert table.now.pending is not None
    assert table.now.pending.player == "Bob"


def test_undo_leaves_it(table: Table) -> None:
    table.saw_throw((1, 4, 5))
    table.say({"do": "seat", "player": "Bob", "degrees": 270})
    table.say({"do": "undo"})
    assert seats(table) == {"Ann": 90, "Bob": 270}


def test_a_restart_knows_them_all(table: Table, journal: MemoryJournal) -> None:
    table.say({"do": "seat", "player": "Bob", "degrees": 270})
    assert seats(Table(journal)) == {"Ann": 90, "Bob": 270}
    table.say(START)
    assert seats(Table(journal)) == {"Ann": None, "Bob": None}


def test_what_an_older_version_learned_is_read(table: Table, journal: MemoryJournal) -> None:
    journal.append([Row(2, 1, "note", {"seats": {"Bob": 265.5}}, "1")])
    assert seats(Table(journal))["Bob"] == 265.5


def test_a_strange_note_is_told_and_ends_nothing_else(table: Table, journal: MemoryJournal) -> None:
    journal.append([Row(2, 1, "note", {"seats": "everywhere"}, "1")])
    assert "entry 2" in (Table(journal).trouble_on_start or "")


def test_learned_in_the_roll_off_where_none_was_told() -> None:
    table = Table(MemoryJournal())
    table.say({"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "seats": {"Ann": 90}})
    table.saw_throw((6,), from_deg=80)
    table.saw_throw((1,), from_deg=271)
    assert seats(table) == {"Ann": 90, "Bob": 271}


def test_the_view_is_the_same_object_while_nothing_changes(table: Table) -> None:
    before = table.now
    table.refresh()
    assert table.now is not before
    assert table.now.view is before.view


@pytest.mark.parametrize(
    "event", [{}, {"player": 3}, {"player": "Ann", "degrees": 361}, {"player": "Ann", "degrees": True}]
)
def test_what_is_no_seat(table: Table, event: dict[str, object]) -> None:
    with pytest.raises(WireError):
        table.say({"do": "seat", **event})


def test_nobody_else_sits_here(table: Table, journal: MemoryJournal) -> None:
    told = table.say({"do": "seat", "player": "Cas", "degrees": 10})
    assert told[0].error is not None
    assert told[0].error.reason == "unknown_player"
    assert journal.last() == 1


def test_json_and_back() -> None:
    kept = Seats({"Ann": 90.0}, {"Bob": 10.0})
    assert Seats.from_json(kept.to_json()) == kept
