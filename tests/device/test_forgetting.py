"""A name that is to be forgotten: gone from every place it stood in, on the disk too, and every figure as before."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from an_evening import AnEvening

from device.counts import Counts
from device.evenings import Past
from device.forgetting import anonymous, forget, names_in, renamed
from device.journal import JournalError, KeptJournal, MemoryJournal, Row
from device.table import Table

NAME, OTHER = "Dré", "Anoniem 1"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptJournal]:
    journal = KeptJournal(tmp_path / "journal.db")
    yield journal
    journal.close()


def played(journal: MemoryJournal | KeptJournal, name: str = NAME) -> AnEvening:
    """Games in a row with a basis stored, seats, corrections, and one that goes on."""
    at, chance = AnEvening(journal), Random(1)
    at.start(players=("Ann", name), strokes={"Ann": 2, name: 2}, seats={"Ann": 0, name: 180})
    for _ in range(3):
        at.play(chance)
        at.say("next_game")
    at.play(chance, throws=4)
    at.start("azen", (name, "Ann"), count=4, orderer=name)
    at.throw(1, 2, 3, by=name)
    at.say("seat", player=name, degrees=90)
    return at


def figures(at: AnEvening) -> list[Counts]:
    return [
        counts
        for evening in Past(at.journal).each()
        for game in evening.games
        for counts in game.counted.people.values()
    ]


@pytest.mark.parametrize("body", [row.body for row in played(MemoryJournal()).journal.rows()])
def test_no_entry_speaks_of_the_name_any_more(body: dict[str, Any]) -> None:
    row = renamed(Row(7, 1, "event", body, "1", "noon"), NAME, OTHER)
    assert NAME not in str(row.body)
    assert str(row.body) == str(body).replace(NAME, OTHER)
    assert (row.seq, row.wall) == (7, "noon")


@pytest.mark.parametrize("name", ["stop", "throw", "pietjesbak", "told", "learned", "large", "G", "3", "by", "seats"])
def test_a_name_that_is_a_word_of_the_journal_too_changes_nothing_else(name: str) -> None:
    at = AnEvening()
    at.start("bataclan", (name, "Ann", "Bob", "Cas", "Eva"), sizes={name: "large"}, seats={name: 90})
    at.say("seat", player=name, degrees=45)
    before: Any = at.table.now.session.state
    assert forget(at.table, at.journal, name) == OTHER
    assert at.table.trouble_on_start is None
    after: Any = at.table.now.session.state
    assert [player["name"] for player in after["players"]] == [OTHER, "Ann", "Bob", "Cas", "Eva"]
    assert after["sizes"] == {OTHER if one == name else one: sizes for one, sizes in before["sizes"].items()}
    assert (after["game"], after["phase"], after["top"]) == (before["game"], before["phase"], before["top"])
    assert at.table.now.view.players[0].seat == 45


def test_every_figure_stays_and_the_game_goes_on() -> None:
    at = played(MemoryJournal())
    before, throws = figures(at), at.table.now.view.throws
    assert forget(at.table, at.journal, NAME) == OTHER
    assert figures(at) == before
    assert names_in(at.journal) == ["Ann", OTHER]
    assert at.table.now.view.throws == throws
    assert [player.name for player in at.table.now.view.players] == [OTHER, "Ann"]
    assert {player.seat for player in at.table.now.view.players} == {90, None}
    at.throw(2, 3, 4, by="Ann")
    at.say("undo")


def test_whoever_listens_is_told_at_once() -> None:
    at = played(MemoryJournal())
    told: list[str] = []
    at.table.listen(lambda now: told.append(str(now.to_json())))
    forget(at.table, at.journal, NAME)
    assert told
    assert NAME not in told[-1]


def test_it_is_gone_from_the_disk(kept: KeptJournal) -> None:
    at = played(kept)
    assert kept._inner is not None
    assert kept._inner.pack(20, 15)
    (kept.path.parent / "journal.db.damaged-1").write_bytes(NAME.encode())
    before = figures(at)
    assert forget(at.table, kept, NAME) == OTHER
    assert (kept.fault, figures(at)) == (None, before)
    kept.close()
    found = {file.name: file.read_bytes() for file in kept.path.parent.iterdir()}
    assert "journal.second" in found
    assert any(OTHER.encode() in piece for piece in pieces(found["journal.db"]))
    for name, held in found.items():
        held += b"".join(pieces(held))
        for spelt in (NAME.encode(), b"Dr\\u00e9", b"Dr\\\\u00e9"):
            assert spelt not in held, name
    again = KeptJournal(kept.path)
    table = Table(again)
    assert table.trouble_on_start is None
    assert [player.name for player in table.now.view.players] == [OTHER, "Ann"]
    again.close()


def pieces(held: bytes) -> Iterator[bytes]:
    """What can be unpacked anywhere in a file."""
    at = held.find(b"\x78\xda")
    while at >= 0:
        with suppress(zlib.error):
            yield zlib.decompressobj().decompress(held[at:])
        at = held.find(b"\x78\xda", at + 1)


def test_a_storage_that_refuses_is_told_and_the_game_stays_as_it_is() -> None:
    journal = MemoryJournal()
    at = played(journal)
    journal.broken = "the card is full"
    with pytest.raises(JournalError, match="full"):
        forget(at.table, journal, NAME)
    assert NAME in str(at.table.now.session.state)
    assert NAME in names_in(journal)


def test_a_name_that_nobody_has_is_not_forgotten() -> None:
    at = played(MemoryJournal())
    rows = list(at.journal.rows())
    assert forget(at.table, at.journal, "Eva") is None
    assert list(at.journal.rows()) == rows


def test_the_next_one_forgotten_is_another() -> None:
    at = played(MemoryJournal())
    assert [forget(at.table, at.journal, name) for name in (NAME, "Ann")] == ["Anoniem 1", "Anoniem 2"]
    assert anonymous(["Anoniem 2", "Anoniem x", "Anoniem 12a"]) == "Anoniem 3"
