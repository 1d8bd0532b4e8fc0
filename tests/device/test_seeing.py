"""What the watcher tells becomes what the table books, asks and shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from device.journal import MemoryJournal
from device.seeing import Seeing
from device.snapshot import Eye
from device.table import Table
from vision.frame import Frame
from vision.happenings import HandSeen, Happening, Lifted, ThrowSeen, Touched, Trouble, TroubleOver, Unsure
from vision.lay import Lay
from vision.watcher import State

FRAME = Frame(np.zeros((8, 8, 3), np.uint8), 1.0)
SEATED = {
    "do": "start",
    "game": "pietjesbak",
    "players": ["Ann", "Bob"],
    "opener": "Ann",
    "seats": {"Ann": 90, "Bob": 270},
}


class Scripted:
    """A watcher that tells what it was given, and remembers what it was told to expect."""

    def __init__(self) -> None:
        self.state = State.EMPTY
        self.lay = Lay()
        self.expected: list[int] = []
        self.happenings: Sequence[Happening] = ()

    def expect(self, dice: int) -> None:
        self.expected.append(dice)

    def see(self, frame: Frame) -> Sequence[Happening]:
        return self.happenings


@pytest.fixture
def table() -> Table:
    table = Table(MemoryJournal())
    assert table.say(SEATED)[0].error is None
    return table


def seen(table: Table, *happenings: Happening, state: State = State.READ) -> Scripted:
    watcher = Scripted()
    watcher.happenings, watcher.state = happenings, state
    Seeing(watcher, table).see(FRAME)  # type: ignore[arg-type]  # as much of a watcher as this needs
    return watcher


def test_a_throw_is_booked_with_its_time_of_rest(table: Table) -> None:
    watcher = seen(table, ThrowSeen(t=1.8, dice=(1, 4), outside=1, settled_at=1.4))
    assert table.now.session.events[-1].at == 1.4
    assert (table.now.view.dice, table.now.view.outside) == ((1, 4), 1)
    assert watcher.expected == [3, 3]


def test_the_side_that_it_came_from_is_asked_about(table: Table) -> None:
    seen(table, ThrowSeen(t=1.8, dice=(1, 4, 5), settled_at=1.4, from_deg=268.0))
    assert table.now.pending is not None
    assert table.now.pending.player == "Bob"


@pytest.mark.parametrize("gone", [Lifted(t=4.0), Touched(t=4.0)])
def test_dice_taken_away_in_doubt_are_asked_about(table: Table, gone: Happening) -> None:
    seen(table, Unsure(t=3.0, why=("cocked",), dice=(1, None), missing=1, settled_at=2.0), state=State.UNSURE)
    assert table.now.pending is not None
    assert not table.now.pending.lifted
    seen(table, gone)
    assert table.now.pending is not None
    assert table.now.pending.lifted


def test_dice_that_were_only_touched_are_not(table: Table) -> None:
    seen(table, Unsure(t=3.0, why=("cocked",), dice=(1, None, 2), settled_at=2.0), state=State.UNSURE)
    seen(table, Touched(t=4.0, dice=(1, 2, 3)))
    assert table.now.pending is not None
    assert not table.now.pending.lifted


@pytest.mark.parametrize(
    ("happening", "eye"),
    [
        (HandSeen(t=1.0, from_deg=90.0), Eye.HAND),
        (Trouble(t=1.0, what="board_moved"), Eye.BOARD_MOVED),
        (Trouble(t=1.0, what="frozen"), Eye.LOST),
    ],
)
def test_what_the_eye_does_is_shown(table: Table, happening: Happening, eye: Eye) -> None:
    seen(table, happening, state=State.HAND if eye is Eye.HAND else State.CAMERA_TROUBLE)
    assert table.now.eye is eye


def test_trouble_ends(table: Table) -> None:
    seen(table, Trouble(t=1.0, what="black"), state=State.CAMERA_TROUBLE)
    seen(table, TroubleOver(t=2.0), state=State.EMPTY)
    assert table.now.eye is Eye.WAITING
    assert table.now.trouble is None
