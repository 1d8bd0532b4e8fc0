"""Small pictures of the latest throws: which belong to which die, and when they are let go."""

from __future__ import annotations

import numpy as np
import pytest

from device.cutouts import MOST_THROWS, Cut, Cutouts, paired
from device.journal import MemoryJournal
from device.table import Table
from vision.frame import Frame
from vision.reading import BoardReading, DieReading

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
FRAME = Frame(np.zeros((60, 60, 3), np.uint8), 0.0)
BOX = (10.0, 10.0, 40.0, 40.0)
CORNERS = ((10.0, 10.0), (40.0, 10.0), (40.0, 40.0), (10.0, 40.0))


def reading(*faces: int | None) -> BoardReading:
    return BoardReading(tuple(DieReading(face, 0.99, face and 7 - face, BOX, CORNERS) for face in faces))


@pytest.fixture
def cutouts() -> Cutouts:
    return Cutouts()


@pytest.fixture
def table(cutouts: Cutouts) -> Table:
    made = Table(MemoryJournal())
    made.say(START)
    made.listen(cutouts.follow)
    return made


def test_kept_in_the_order_of_the_faces_with_the_second_guess(cutouts: Cutouts) -> None:
    cutouts.keep((1, 1), FRAME, reading(5, None, 1))
    assert [(cut.face, cut.second) for cut in cutouts.cuts((1, 1))] == [(1, 6), (5, 2), (None, None)]
    for name in cutouts.names((1, 1)):
        assert (cutouts.get(name) or b"").startswith(b"\xff\xd8")


def test_the_oldest_goes_first_and_no_name_comes_back(cutouts: Cutouts) -> None:
    names = set()
    for number in range(1, MOST_THROWS + 3):
        cutouts.keep((1, number), FRAME, reading(1, 2, 3))
        names |= set(cutouts.names((1, number)))
    assert len(names) == 3 * (MOST_THROWS + 2)
    assert cutouts.names((1, 2)) == ()
    assert cutouts.names((1, 3)) != ()
    assert sum(cutouts.get(name) is not None for name in names) == 3 * MOST_THROWS


def test_a_doubt_has_the_number_that_its_throw_will_have(table: Table, cutouts: Cutouts) -> None:
    table.saw_throw((1, 4, 5))
    cutouts.keep(table.now.throw, FRAME, reading(1, 4, 5))
    table.saw_unsure(["cocked"], (2, None, 3))
    assert table.now.throw[1] == 2
    cutouts.keep(table.now.throw, FRAME, reading(2, None, 3))
    table.say({"do": "throw", "dice": [2, 2, 3]})
    assert table.now.throw[1] == 2
    assert [cut.face for cut in cutouts.cuts(table.now.throw)] == [2, 3, None]
    assert len(cutouts.cuts((1, 1))) == 3


def test_a_doubt_that_was_no_throw_is_let_go(table: Table, cutouts: Cutouts) -> None:
    table.saw_unsure(["cocked"], (2, None, 3))
    cutouts.keep(table.now.throw, FRAME, reading(2, None, 3))
    table.say({"do": "no_throw"})
    assert cutouts.cuts((1, 1)) == ()


def test_what_was_undone_is_let_go(table: Table, cutouts: Cutouts) -> None:
    table.saw_throw((1, 4, 5))
    cutouts.keep(table.now.throw, FRAME, reading(1, 4, 5))
    table.say({"do": "undo"})
    table.say({"do": "throw", "dice": [2, 2, 3]})
    assert cutouts.names(table.now.throw) == ()


def test_another_game_has_none_of_the_old(table: Table, cutouts: Cutouts) -> None:
    table.saw_throw((1, 4, 5))
    old = table.now.throw
    cutouts.keep(old, FRAME, reading(1, 4, 5))
    table.say(START)
    assert cutouts.names(old) == ()


@pytest.mark.parametrize(
    ("dice", "names"),
    [
        ((1, 4, 5), ["a", "b", "c"]),
        ((5, 4, 1), ["c", "b", "a"]),
        ((1, 6, 5), ["a", "b", "c"]),  # corrected: the 4 was a 6
        ((1, 4), ["a", "b"]),
        ((1, 1, 1, 1), ["a", "b", "c", None]),
        ((None, 4, 5), ["a", "b", "c"]),
    ],
)
def test_every_die_beside_its_own_picture(dice: tuple[int | None, ...], names: list[str | None]) -> None:
    cuts = [Cut("a", 1, None), Cut("b", 4, None), Cut("c", 5, None)]
    assert [cut and cut.name for cut in paired(cuts, dice)] == names
