"""Where dice lie: a die outside, on the rim, or out of the picture counts as that, and is not counted twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from film_set import (
    THREE,
    Die,
    KnowingReader,
    Shot,
    board,
    roll,
    still,
    throw,
    throws,
    watch,
)

from vision.board import Board
from vision.booking import Rest
from vision.frame import Frame
from vision.happenings import Unsure
from vision.judge import Verdict
from vision.reading import BoardReading, Pose
from vision.votes import Votes
from vision.watcher import ThrowWatcher

BEFORE = still(Shot(), 8)


def test_a_die_outside_and_one_on_the_rim_count_by_their_place() -> None:
    dice = (Die(160, 130, 4), Die(200, 265, None, 20, Pose.COCKED), Die(315, 150, None, 0))
    [told] = throws(watch([*BEFORE, *throw(dice)]))
    assert (told.dice, told.outside, told.rim) == ((4,), 0, 2) or (told.dice, told.outside, told.rim) == ((4,), 1, 1)
    assert told.outside + told.rim == 2


def test_a_die_beside_the_board_that_lay_there_before_is_nobodys_throw() -> None:
    spare = Shot((Die(40, 40, 6),))
    [told] = throws(watch([*still(spare, 10), *throw(THREE, spare)]))
    assert (told.dice, told.outside) == ((1, 3, 5), 0)
    [asked] = [one for one in watch([*still(spare, 10), *throw(THREE[:2], spare, after=50)]) if isinstance(one, Unsure)]
    assert "die_missing" in asked.why


class CountedReader(KnowingReader):
    """Remembers how many dice it was told to be there, with the frame."""

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        self.counts.append((frame.index, expected))
        return super().read(frame, board, die_px=die_px, expected=expected)

    def __init__(self, shots: list[Shot]) -> None:
        super().__init__(shots)
        self.counts: list[tuple[int, int | None]] = []


def test_the_reader_is_told_how_many_dice_of_the_throw_and_of_before_are_there() -> None:
    out = Die(45, 150, 6)
    first = (THREE[0], replace(THREE[1], pose=Pose.COCKED), out)
    shots = [*BEFORE, *throw(first, after=60)]
    reader = CountedReader(shots)
    told = watch(shots, watcher=ThrowWatcher(reader, board()))
    assert [(one.dice, one.outside) for one in told if isinstance(one, Unsure)] == [((1, None), 1)]
    assert {count for _, count in reader.counts} == {3}
    assert len(reader.counts) > 6
    spare = Shot((out,))
    shots = [*still(spare, 40), *throw(THREE, spare)]
    reader = CountedReader(shots)
    watch(shots, watcher=ThrowWatcher(reader, board()))
    assert {count for index, count in reader.counts if index > 40} == {4}


def test_a_die_the_reader_does_not_see_is_missing_and_never_outside() -> None:
    dice = (*THREE[:2], replace(THREE[2], unseen=True))
    told = watch([*BEFORE, *throw(dice, after=60)])
    [asked] = [one for one in told if isinstance(one, Unsure)]
    assert (asked.why, asked.missing, asked.outside, asked.dice) == (("die_missing",), 1, 0, (1, 3))
    assert throws(told) == []


def leaving(frames: int = 12) -> list[Shot]:
    """Two dice roll and rest; the third flies over the rim, over the table and out of the picture."""
    shots = []
    for n, shot in enumerate(roll(THREE, frames=20)):
        flying = (Die(200 + 22.0 * n, 230 - 9.0 * n, 1 + n % 6, 50.0 * n, moves=True),) if n < frames else ()
        shots.append(replace(shot, dice=shot.dice[:2] + flying))
    return shots


def test_a_die_seen_leaving_the_picture_over_the_rim_is_outside() -> None:
    [told] = throws(watch([*BEFORE, *leaving(), *still(Shot(THREE[:2]), 60)]))
    assert (told.dice, told.outside) == ((1, 3), 1)


def rolling_off(frames: int = 20) -> list[Shot]:
    """Two dice roll and rest; the third jumps over the rim and rolls out on the table."""
    shots = []
    for n, shot in enumerate(roll(THREE, frames=frames)):
        slow = 1 - 0.85 ** max(0, n - 4)
        x, y = 240 + 26.0 * min(n, 4) + 20 * slow, 120 + 3.0 * min(n, 4) + 40 * slow
        shots.append(replace(shot, dice=(*shot.dice[:2], Die(x, y, 1 + n % 6, 20.0 * n, moves=True, unseen=True))))
    return shots


def test_a_die_that_rolled_out_on_the_table_counts_even_if_the_reader_does_not_know_it() -> None:
    rolling = rolling_off()
    out = replace(rolling[-1].dice[2], moves=False)
    [told] = throws(watch([*BEFORE, *rolling, *still(Shot((*THREE[:2], out)), 60)]))
    assert (told.dice, told.outside, told.rim) == ((1, 3), 1, 0)


@pytest.mark.parametrize(
    ("verdict", "still", "rested", "waits"),
    [
        (Verdict(missing=1), 0.3, 1.5, True),
        (Verdict(missing=1), 0.7, 1.5, False),
        (Verdict(outside=1), 0.7, 1.5, True),
        (Verdict(outside=1), 1.1, 1.5, False),
        (Verdict(outside=1), 0.7, 4.5, False),
        (Verdict(), 0.3, 1.5, False),
    ],
)
def test_a_die_that_rolled_beside_the_board_is_waited_for_until_it_was_read_at_rest(
    verdict: Verdict, still: float, rested: float, waits: bool
) -> None:
    """The others may have lain still for longer than it takes to ask: it was read in one place after another."""
    nothing: Any = None
    rest = Rest(9.0, 9.0 - rested, 7.0, Votes(), nothing, nothing, 3, 30.0, (640, 480), beside_at=9.0 - still)
    assert rest.waits(verdict) is waits
    assert not replace(rest, last=True).waits(verdict)


def test_a_die_that_vanishes_over_the_felt_is_missing() -> None:
    told = watch([*BEFORE, *leaving(frames=3), *still(Shot(THREE[:2]), 60)])
    assert throws(told) == []
    assert [one.why for one in told if isinstance(one, Unsure)] == [("die_missing",)]
