"""What a reading says, given what was found: sure only where every die is believed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.board import Board
from vision.detector import Corners, Detection, Found
from vision.frame import Frame, Picture
from vision.reader import LEAST_PX, Reader
from vision.reading import BoardReading, Pose, Problem, Where


def corners(x: float, y: float, edge: float) -> Corners:
    h = edge / 2
    return ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))


GOOD = Found(face=5, confidence=0.995, second=3, is_die=0.999, edge=30.0, corners=corners(100, 80, 30))


class Told:
    """A detector that finds what it was told to; it remembers the size it was asked for."""

    def __init__(self, *found: Found, hand: float = 0.0) -> None:
        self.detection = Detection(found, hand)
        self.asked: list[float | None] = []
        self.guessed: list[bool] = []
        self.expected: list[int | None] = []

    def detect(
        self,
        picture: Picture,
        die_px: float | None = None,
        ground: object = None,
        *,
        guessed: bool = False,
        expected: int | None = None,
    ) -> Detection:
        self.asked.append(die_px)
        self.guessed.append(guessed)
        self.expected.append(expected)
        return self.detection


def sharp_picture() -> Picture:
    picture = np.full((240, 320, 3), 90, np.uint8)
    cv2.rectangle(picture, (85, 65), (115, 95), (230, 230, 230), -1)
    return picture


def read(*found: Found, hand: float = 0.0, picture: Picture | None = None, **more: object) -> BoardReading:
    frame = Frame(sharp_picture() if picture is None else picture, t=0.0)
    return Reader(Told(*found, hand=hand)).read(frame, **more)  # type: ignore[arg-type]


def test_a_die_that_is_believed_is_told_and_sure() -> None:
    reading = read(GOOD)
    (die,) = reading.dice
    assert (die.face, die.second, die.pose, die.where) == (5, 3, Pose.FLAT, None)
    assert die.center == pytest.approx((100, 80))
    assert die.box[0] < 85 < 115 < die.box[2]
    assert reading.sure


@pytest.mark.parametrize(
    ("change", "problem", "face"),
    [
        ({"confidence": 0.92}, Problem.UNSURE, 5),
        ({"confidence": 0.60}, Problem.UNSURE, None),
        ({"is_die": 0.4}, Problem.UNSURE, "gone"),
        ({"edge": 9.0}, Problem.TOO_SMALL, 5),
        ({"pose": Pose.COCKED, "why": (Problem.COCKED,)}, Problem.COCKED, None),
        ({"pose": Pose.STACKED, "why": (Problem.STACKED,)}, Problem.STACKED, None),
        ({"why": (Problem.SYMBOL,)}, Problem.SYMBOL, None),
    ],
)
def test_a_doubtful_die_makes_the_whole_reading_unsure(
    change: dict[str, object], problem: Problem, face: int | str | None
) -> None:
    other = replace(GOOD, corners=corners(200, 80, 30), **change)  # type: ignore[arg-type]
    reading = read(GOOD, other)
    assert not reading.sure
    assert problem in reading.problems
    assert reading.dice[0].face == 5
    if face == "gone":
        assert len(reading.dice) == 1
    else:
        assert reading.dice[1].face == face


@pytest.mark.parametrize(("expected", "sure"), [(2, True), (1, False), (3, False), (None, False)])
def test_a_die_that_may_lie_on_a_hidden_one_is_sure_where_none_is_missing(expected: int | None, sure: bool) -> None:
    """As many dice as are told to be there are seen: none can be hidden under another."""
    may_be_stacked = replace(GOOD, pose=Pose.STACKED, why=(Problem.STACKED,), confidence=0.0, alone=GOOD)
    reading = read(may_be_stacked, replace(GOOD, corners=corners(200, 80, 30)), expected=expected)
    assert reading.sure is sure
    assert (reading.dice[0].face == 5) is sure


@pytest.mark.parametrize("expected", [None, 1])
def test_the_number_told_makes_no_die_surer_than_it_may_be(expected: int | None) -> None:
    doubted = replace(GOOD, confidence=0.86, is_die=0.88)
    assert read(replace(doubted, most=0.86), expected=expected).dice[0].confidence <= 0.86
    assert read(doubted, expected=1).sure


@pytest.mark.parametrize(("expected", "dark"), [(None, True), (1, False)])
def test_what_the_dark_hides_may_be_missed_unless_the_number_is_told(expected: int | None, dark: bool) -> None:
    reading = read(GOOD, picture=np.full((240, 320, 3), 6, np.uint8), expected=expected)
    assert (Problem.TOO_DARK in reading.problems) is dark
    assert reading.sure is not dark


@pytest.mark.parametrize(("blur", "problem"), [(12.0, True), (0.8, False)])
def test_no_dice_in_a_blurred_picture_are_not_sure(blur: float, problem: bool) -> None:
    """Nobody told how large they are, and what is no die tells it neither."""
    picture = np.asarray(cv2.GaussianBlur(sharp_picture(), (0, 0), blur), dtype=np.uint8)
    blot = replace(GOOD, is_die=0.1, edge=200.0)
    assert (Problem.BLURRED in read(picture=picture).problems) is problem
    assert (Problem.BLURRED in read(blot, picture=picture).problems) is problem


@pytest.mark.parametrize(("shape", "sure"), [((240, 320, 3), True), ((2, 320, 3), False), ((1, 1, 3), False)])
def test_a_picture_smaller_than_a_die_shows_none(shape: tuple[int, ...], sure: bool) -> None:
    reading = read(picture=np.full(shape, 90, np.uint8))
    assert reading.sure is sure
    assert (Problem.TOO_SMALL in reading.problems) is not sure


def test_a_hand_is_a_problem() -> None:
    assert Problem.HAND in read(GOOD, hand=0.9).problems
    assert not read(GOOD, hand=0.1).problems


@pytest.mark.parametrize("expected", [None, 3])
def test_the_number_expected_is_told_to_the_detector(expected: int | None) -> None:
    detector = Told(GOOD)
    Reader(detector).read(Frame(sharp_picture(), t=0.0), expected=expected)
    assert detector.expected == [expected]


@pytest.mark.parametrize(("expected", "sure"), [(1, True), (2, False), (0, False), (None, True)])
def test_another_number_than_expected_is_a_problem(expected: int | None, sure: bool) -> None:
    reading = read(GOOD, expected=expected)
    assert reading.sure is sure
    assert (Problem.COUNT in reading.problems) is not sure


@pytest.mark.parametrize(("level", "problem"), [(3, Problem.TOO_DARK), (252, Problem.TOO_BRIGHT)])
def test_a_picture_without_light_is_not_an_empty_board(level: int, problem: Problem) -> None:
    reading = read(picture=np.full((120, 160, 3), level, np.uint8))
    assert problem in reading.problems
    assert not reading.sure


@pytest.mark.parametrize(
    ("is_die", "doubt", "expected", "sure"),
    [
        (0.99, 0.4, 1, True),  # as many as are due, and of these none is doubtful
        (0.99, 0.4, None, False),
        (0.99, 0.4, 2, False),
        (0.93, 0.55, 1, False),  # the one that is due may be the other one
        (0.93, 0.31, 1, True),
    ],
)
def test_a_doubtful_spot_matters_less_where_as_many_dice_lie_as_are_due(
    is_die: float, doubt: float, expected: int | None, sure: bool
) -> None:
    one = replace(GOOD, is_die=is_die, confidence=0.985 * is_die)
    beside = tuple((x + 60, y) for x, y in GOOD.corners)
    spot = replace(GOOD, is_die=doubt, confidence=0.3, corners=beside)  # type: ignore[arg-type]
    assert read(one, spot, expected=expected).sure is sure


def test_an_empty_board_in_good_light_is_sure() -> None:
    assert read(picture=sharp_picture(), die_px=30.0).sure


def test_where_dice_are_too_small_to_be_seen_an_empty_board_is_not_sure() -> None:
    assert read(die_px=LEAST_PX).sure
    assert read(die_px=LEAST_PX - 1).problems == (Problem.TOO_SMALL,)


def test_a_picture_out_of_focus_says_so_where_nothing_is_found() -> None:
    blurred = np.asarray(cv2.GaussianBlur(sharp_picture(), (0, 0), 6.0), dtype=np.uint8)
    assert Problem.BLURRED in read(picture=blurred, die_px=30.0).problems


def test_the_board_tells_the_size_unless_somebody_does() -> None:
    detector = Told()
    reader, frame = Reader(detector), Frame(sharp_picture(), t=0.0)
    reader.read(frame)
    reader.read(frame, Board.whole(320, 240, die_px=25.0))
    reader.read(frame, Board.whole(320, 240, die_px=25.0), die_px=31.0)
    assert detector.asked == [None, 25.0, 31.0]
    assert not any(detector.guessed)


def test_the_size_that_a_board_of_unknown_width_tells_is_a_guess() -> None:
    detector, board, frame = Told(), octagons(), Frame(sharp_picture(), t=0.0)
    reader = Reader(detector)
    reader.read(frame, board)
    reader.read(frame, board.told_die(25.0))
    reader.read(frame, board, die_px=31.0)
    assert detector.guessed == [True, False, False]


def test_a_die_on_the_whole_picture_is_inside() -> None:
    assert read(GOOD, board=Board.whole(320, 240)).dice[0].where is Where.INSIDE


def octagons() -> Board:
    felt = tuple((160 + 70 * np.cos(a), 120 + 70 * np.sin(a)) for a in np.arange(8) * np.pi / 4)
    rim = tuple((160 + 85 * np.cos(a), 120 + 85 * np.sin(a)) for a in np.arange(8) * np.pi / 4)
    return Board(320, 240, felt, rim)


@pytest.mark.parametrize(
    ("is_die", "expected", "dice", "unsure"),
    [(0.3, None, 1, False), (0.7, None, 1, True), (0.7, 1, 1, False), (0.7, 2, 1, True), (0.95, None, 2, False)],
)
def test_beside_the_board_only_a_likely_die_counts(
    is_die: float, expected: int | None, dice: int, unsure: bool
) -> None:
    inside = replace(GOOD, corners=corners(160, 120, 16), edge=16.0)
    beside = replace(GOOD, corners=corners(30, 30, 16), edge=16.0, is_die=is_die, confidence=0.3)
    reading = read(inside, beside, board=octagons(), expected=expected)
    assert len(reading.dice) == dice
    assert (Problem.UNSURE in reading.problems) is unsure
    assert [d.where for d in reading.dice][1:] == [Where.OUTSIDE] * (dice - 1)


def test_what_is_hardly_a_die_is_none() -> None:
    assert read(GOOD, replace(GOOD, corners=corners(200, 80, 30), is_die=0.1)).sure


@pytest.mark.parametrize(("expected", "sure"), [(None, False), (1, False), (2, True)])
def test_the_number_told_and_found_settles_whether_each_is_a_die(expected: int | None, sure: bool) -> None:
    faint = replace(GOOD, is_die=0.85, confidence=0.85 * 0.97, corners=corners(200, 80, 30))
    reading = read(GOOD, faint, expected=expected)
    assert reading.sure is sure
    assert len(reading.dice) == 2


def test_the_number_settles_nothing_about_the_face() -> None:
    blurry = replace(GOOD, is_die=0.85, confidence=0.85 * 0.9, corners=corners(200, 80, 30))
    assert not read(GOOD, blurry, expected=2).sure
