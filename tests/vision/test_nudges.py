"""A camera or a board that was nudged: noticed, found again within three seconds, and nothing booked meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from board_drawing import Scene, corner_error, draw

from vision.board import Board, Scale
from vision.board_again import board_again
from vision.board_moved import Shift, board_moved
from vision.board_watch import BoardWatch, Lies
from vision.find_board import find_board
from vision.frame import Frame, Picture
from vision.happenings import Happening, ThrowSeen, Touched, Trouble, TroubleOver, Unsure
from vision.reading import BoardReading, DieReading, Where
from vision.watcher import ThrowWatcher

SCENE = Scene(table="marble", felt=(30, 30, 150), wall=(60, 100, 140), tilt=10.0)
FPS = 10.0


@pytest.fixture(scope="module")
def known() -> tuple[Board, Picture]:
    picture = draw(SCENE)
    board = find_board(picture)
    assert board is not None
    return board.told_width(396.0), picture


def nudged(picture: Picture, right: float, down: float, turn: float = 0.0) -> tuple[Picture, np.ndarray]:
    height, width = picture.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), -turn, 1.0)
    way[:, 2] += right, down
    shown = cv2.warpAffine(picture, way, (width, height), borderMode=cv2.BORDER_REFLECT_101)
    return shown, cv2.transform(SCENE.felt_px[None], way)[0]


def filmed(*parts: tuple[Picture, float], begin: float = 0.0) -> Iterator[Frame]:
    """Each picture for so many seconds, with a sensor's noise."""
    rng, index = np.random.default_rng(0), round(begin * FPS)
    for picture, seconds in parts:
        for _ in range(round(seconds * FPS)):
            noise = rng.integers(-3, 4, picture.shape, dtype=np.int16)
            yield Frame(np.clip(picture + noise, 0, 255).astype(np.uint8), index / FPS, index=index)
            index += 1


class OneDie:
    """Reads one die in the middle of the felt, wherever that is seen now."""

    def __init__(self) -> None:
        self.felt = SCENE.felt_px

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        x, y = self.felt.mean(axis=0)
        h = SCENE.die_px / 2
        corners = ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))
        return BoardReading((DieReading(4, 0.999, 3, (x - h, y - h, x + h, y + h), corners, Where.INSIDE),))


def run(watcher: ThrowWatcher, frames: Iterator[Frame]) -> list[Happening]:
    return [one for frame in frames for one in watcher.see(frame)]


@pytest.mark.parametrize(("mm", "way", "turn"), [(5.0, 0.3, 0.0), (6.0, 2.0, 1.0), (14.0, 4.0, -2.0)])
def test_a_camera_that_was_knocked_finds_the_board_again(
    known: tuple[Board, Picture], mm: float, way: float, turn: float
) -> None:
    board, picture = known
    step = mm * board.px_per_mm * np.array([np.cos(way), np.sin(way)])
    after, felt = nudged(picture, *step, turn=turn)
    between, _ = nudged(picture, *(0.5 * step), turn=turn / 2)
    reader = OneDie()
    watcher = ThrowWatcher(reader, board, expected=3, find_board=find_board)
    before = run(watcher, filmed((picture, 2.0)))
    reader.felt = felt
    told = run(watcher, filmed((between, 0.1), (after, 3.0), begin=2.0))
    assert corner_error(watcher.board.felt, felt) < 0.2 * SCENE.die_px
    assert (watcher.board.scale, watcher.board.felt_mm) == (Scale.TOLD, board.felt_mm)
    assert not [one for one in (*before, *told) if isinstance(one, ThrowSeen | Unsure | Touched)]


def test_without_a_finder_it_is_told_and_nothing_is_booked(known: tuple[Board, Picture]) -> None:
    board, picture = known
    away, _ = nudged(picture, 8 * board.px_per_mm, 0.0)
    watcher = ThrowWatcher(OneDie(), board, expected=1)
    run(watcher, filmed((picture, 2.0)))
    told = run(watcher, filmed((away, 3.0), begin=2.0))
    assert [(one.what, one.t < 5.0) for one in told if isinstance(one, Trouble)] == [("board_moved", True)]
    assert not [one for one in told if isinstance(one, ThrowSeen | Unsure)]
    back = run(watcher, filmed((picture, 3.0), begin=5.0))
    assert [type(one) for one in back] == [TroubleOver]


def test_a_sway_that_ends_where_it_began_is_no_nudge(known: tuple[Board, Picture]) -> None:
    board, picture = known
    watcher = ThrowWatcher(OneDie(), board, expected=3, find_board=find_board)
    swing = [(nudged(picture, 9 * np.sin(n), 5 * np.cos(n))[0], 0.1) for n in range(8)]
    told = run(watcher, filmed((picture, 2.0), *swing, (picture, 2.0)))
    assert told == []
    assert watcher.board is board


def test_a_known_board_is_put_where_it_lies_now_with_its_millimetres_kept(known: tuple[Board, Picture]) -> None:
    board, picture = known
    after, felt = nudged(picture, 18.0, -11.0, turn=1.5)
    again = board_again(board, after)
    assert again is not None
    assert corner_error(again.felt, felt) < 0.12 * SCENE.die_px
    assert again.felt_mm == board.felt_mm
    assert board_again(board, np.full_like(picture, 90)) is None
    assert board_again(Board.whole(960, 720), picture) is None


@pytest.mark.parametrize(("seen", "is_looked_for"), [(0.9, False), (0.6, True)], ids=["well seen", "seen less"])
def test_a_board_whose_edges_are_seen_less_than_before_is_looked_for_afresh(
    known: tuple[Board, Picture], monkeypatch: pytest.MonkeyPatch, seen: float, is_looked_for: bool
) -> None:
    """It may have been nudged farther than it can be followed; its millimetres stay what they were told to be."""
    board, picture = known
    board = board.told_width(400.0)
    after, felt = nudged(picture, 18.0, -11.0)
    shifts = iter([Shift(0.0, 0.0, 0.95), *[replace(board_moved(board, after), seen=seen)] * 2])
    monkeypatch.setattr("vision.board_watch.board_moved", lambda *_: next(shifts))
    looked: list[Picture] = []

    def find(shown: Picture) -> Board | None:
        looked.append(shown)
        return find_board(shown)

    watch = BoardWatch(board, find)
    assert watch.look(picture, 0.0) is Lies.THERE
    assert watch.look(after, 1.0) is Lies.SWAYING
    assert watch.look(after, 2.0) is Lies.FOUND
    assert bool(looked) is is_looked_for
    assert corner_error(watch.board.felt, felt) < 0.2 * SCENE.die_px
    assert (watch.board.felt_mm, watch.board.scale) == (board.felt_mm, board.scale)
