"""How large dice are taken to be, and at what sizes they are looked for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from film_set import DIE, THREE, KnowingReader, Shot, board, still, throw, throws, watch
from test_votes import read

from vision.board import Board, Scale
from vision.die_size import SIZES, DieSize
from vision.frame import Frame
from vision.reading import BoardReading
from vision.votes import Votes
from vision.watcher import ThrowWatcher

USUAL = board().expected_die_px() or 0.0


def votes(reads: int, *edges: float) -> Votes:
    told = Votes()
    for _ in range(reads):
        told.add(BoardReading(tuple(read(1 + k, at=60.0 * k, edge=edge) for k, edge in enumerate(edges))))
    return told


def test_a_board_of_no_told_scale_only_gives_a_guess_until_dice_were_read() -> None:
    size = DieSize()
    assert (size.known(board()), size.px(board())) == (None, USUAL)
    assert (size.largest(board()) or 0.0) > 1.25 * USUAL
    size.read = 21.0
    assert (size.known(board()), size.px(board()), size.largest(board())) == (21.0, 21.0, None)


@pytest.mark.parametrize(
    ("size", "here"),
    [
        (DieSize(USUAL), board()),
        (DieSize(), replace(board(), scale=Scale.TOLD)),
        (DieSize(), Board.whole(40, 30, USUAL)),
    ],
    ids=["told", "a board of a told scale", "a whole picture of a told scale"],
)
def test_what_is_told_is_known(size: DieSize, here: Board) -> None:
    assert (size.known(here), size.largest(here)) == (pytest.approx(USUAL), None)


def test_every_further_look_is_at_another_size_about_that_of_the_dice_read() -> None:
    looked = [DieSize().searched(board(), votes(reads, 20.0, 21.0, 21.0), (), 3) for reads in range(6)]
    assert looked[0] is None, "the board tells of the first"
    assert looked[1:] == pytest.approx([21.0 * SIZES[look % len(SIZES)] for look in range(1, 6)])
    assert len(set(SIZES)) == len(SIZES)


def test_dice_that_do_not_agree_on_their_size_tell_none() -> None:
    assert DieSize().searched(board(), votes(1, 12.0, 21.0), (), 3) is None
    assert DieSize().searched(board(), votes(1, 21.0), (), 3) is None
    assert DieSize().searched(board(), votes(1, 21.0), (), 1) == pytest.approx(21.0 * SIZES[1])


class Asked(KnowingReader):
    """Remembers what sizes it was told."""

    def __init__(self, shots: list[Shot]) -> None:
        super().__init__(shots)
        self.sizes: list[float | None] = []

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        self.sizes.append(die_px)
        return super().read(frame, board, die_px=die_px, expected=expected)


def test_the_looks_at_one_throw_are_no_copies_and_no_more_than_before() -> None:
    shots = [*still(Shot(), 20), *throw()]
    reader = Asked(shots)
    [told] = throws(watch(shots, watcher=ThrowWatcher(reader, board())))
    last = reader.sizes[-3:]
    assert last == [None, pytest.approx(DIE * SIZES[1]), pytest.approx(DIE * SIZES[2])]
    assert told.dice == (1, 3, 5)


def test_large_dice_that_roll_close_together_on_a_small_board_are_no_hand() -> None:
    small = replace(board(), felt_mm=1.4 * board().felt_mm)  # a usual board with usual dice would show smaller ones
    close = tuple(replace(die, x=205 + 17 * k, y=140 + 3 * k) for k, die in enumerate(THREE))
    shots = [*still(Shot(), 20), *throw(close, after=45)]
    [told] = throws(watch(shots, watcher=ThrowWatcher(KnowingReader(shots), small)))
    assert told.dice == (1, 3, 5)
