"""What cannot be read for sure is asked about once, and a camera that fails is told; nothing is booked on either."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest
from film_set import (
    FPS,
    LYING,
    THREE,
    Die,
    KnowingReader,
    Shot,
    board,
    draw,
    reach,
    roll,
    scooped,
    still,
    throw,
    throws,
    watch,
    words,
)

from vision.board import Board
from vision.frame import Frame
from vision.happenings import HandSeen, Trouble, Unsure
from vision.reader import SURE_AT
from vision.reading import BoardReading, Pose, Problem
from vision.watcher import State, ThrowWatcher

BEFORE = still(Shot(), 8)


def test_a_nudged_board_is_found_again_or_told() -> None:
    away = (214.0, 158.0)
    moved = Shot(tuple(replace(die, x=die.x + 14, y=die.y + 8) for die in THREE), board_at=away)
    slide = [
        replace(
            moved,
            board_at=(200 + 14 * n / 5, 150 + 8 * n / 5),
            dice=tuple(replace(die, x=die.x + 14 * n / 5, y=die.y + 8 * n / 5) for die in THREE),
        )
        for n in range(6)
    ]
    shots = [*still(LYING, 10), *slide, *still(moved, 40)]
    told = watch(shots)
    assert [one.what for one in told if isinstance(one, Trouble)] == ["board_moved"]
    assert throws(told) == []
    found = ThrowWatcher(KnowingReader(shots), board(), find_board=lambda _: board(away))
    told = watch(shots, watcher=found)
    assert throws(told) == []
    assert np.abs(np.array(found.board.rim) - np.array(board(away).rim)).max() < 2
    assert found.state is State.READ


# -- unsure


@pytest.mark.parametrize(("pose", "word"), [(Pose.COCKED, "cocked"), (Pose.STACKED, "stacked")])
def test_a_leaning_or_stacked_die_is_unsure_once_and_a_throw_if_it_settles_by_itself(pose: Pose, word: str) -> None:
    leaning = (*THREE[:2], replace(THREE[2], pose=pose))
    falls = [Shot((*THREE[:2], replace(THREE[2], x=250 + n, angle=70 + 15.0 * n, moves=True))) for n in range(5)]
    flat = Shot((*THREE[:2], replace(THREE[2], x=254, angle=130)))
    told = watch([*BEFORE, *throw(leaning, after=80)])
    assert [(one.event, one.why) for one in told if isinstance(one, Unsure)] == [("unsure", (word,))]
    assert throws(told) == []
    told = watch([*BEFORE, *throw(leaning, after=50), *falls, *still(flat, 40)])
    assert words(told) == ["unsure", "throw"]
    assert throws(told)[0].dice == (1, 3, 5)


def test_dice_dropped_in_a_heap_without_rolling_are_asked_about() -> None:
    over = (205.0, 150.0)
    heap = Shot((Die(190, 150, 2), Die(215, 150, None, pose=Pose.STACKED)))
    before = still(Shot(), 20)
    shots = [*before, *reach(Shot(), over), *still(replace(heap, hand=over), 6), *reach(heap, over, back=True)]
    [asked] = [one for one in watch([*shots, *still(heap, 60)]) if isinstance(one, Unsure)]
    assert (asked.why, asked.dice, asked.missing) == (("stacked",), (2, None), 1)


def test_a_leaning_die_put_flat_by_a_hand_is_no_throw() -> None:
    leaning = (*THREE[:2], replace(THREE[2], pose=Pose.COCKED))
    over = (250.0, 140.0)
    told = watch(
        [
            *BEFORE,
            *throw(leaning, after=50),
            *reach(Shot(leaning), over),
            *still(replace(LYING, hand=over), 4),
            *reach(LYING, over, back=True),
            *still(LYING, 60),
        ]
    )
    assert throws(told) == []
    assert words(told).count("unsure") == 1


def test_an_unsure_throw_that_is_lifted_and_thrown_again_tells_lifted_before_the_throw() -> None:
    leaning = (*THREE[:2], replace(THREE[2], pose=Pose.COCKED))
    told = watch([*BEFORE, *throw(leaning, after=45), *scooped(Shot(leaning)), *throw()])
    assert [word for word in words(told) if word != "hand"] == ["unsure", "lifted", "throw"]


def test_more_dice_than_expected_are_asked_about() -> None:
    told = watch([*BEFORE, *throw((*THREE, Die(205, 95, 2)), after=60)])
    assert throws(told) == []
    assert [one.why for one in told if isinstance(one, Unsure)] == [("count",)]


def test_dice_taken_up_before_they_could_be_read_are_asked_about() -> None:
    leaning = (*THREE[:2], replace(THREE[2], pose=Pose.COCKED))
    told = watch([*BEFORE, *throw(leaning, after=20), *scooped(Shot(leaning)), *still(Shot(), 30)])
    assert [word for word in words(told) if word != "hand"] == ["unsure", "lifted"]
    told = watch([*BEFORE, *throw(leaning, after=20), *scooped(Shot(leaning)), *throw()])
    assert [word for word in words(told) if word != "hand"] == ["unsure", "lifted", "throw"]


def test_a_face_that_is_told_but_not_surely_enough_is_unsure() -> None:
    """A leaning die may look like a flat one that is a little odd."""

    class Hesitant(KnowingReader):
        def read(
            self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
        ) -> BoardReading:
            reading = super().read(frame, board, die_px=die_px, expected=expected)
            return replace(reading, dice=tuple(replace(die, confidence=SURE_AT - 0.01) for die in reading.dice))

    shots = [*BEFORE, *throw(after=60)]
    told = watch(shots, watcher=ThrowWatcher(Hesitant(shots), board()))
    assert [one.why for one in told if isinstance(one, Unsure)] == [("unsure",)]
    assert throws(told) == []


def test_what_lay_there_and_was_never_read_belongs_to_no_throw() -> None:
    """A knot in the wood is taken for a die now and then, a die missed at first."""
    knot = Shot((Die(150, 90, None, unseen=True), Die(310, 150, None, unseen=True)))
    seen = replace(knot, dice=tuple(replace(die, unseen=False) for die in knot.dice))
    shots = [*still(knot, 12), *roll(THREE, knot), *still(replace(seen, dice=(*seen.dice, *THREE)), 30)]
    [told] = throws(watch(shots))
    assert (told.dice, told.rim) == ((1, 3, 5), 0)


class Fickle(KnowingReader):
    """Names another face for one die in every third reading."""

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        reading = super().read(frame, board, die_px=die_px, expected=expected)
        if len(self.reads) % 3 == 0 and reading.dice:
            first = replace(reading.dice[0], face=1 + (reading.dice[0].face or 1) % 6)
            return replace(reading, dice=(first, *reading.dice[1:]))
        return reading


def test_readings_that_contradict_each_other_are_unsure() -> None:
    shots = [*BEFORE, *throw(after=80)]
    told = watch(shots, watcher=ThrowWatcher(Fickle(shots), board()))
    assert throws(told) == []
    assert words(told) == ["unsure"]


@pytest.mark.parametrize("problem", [Problem.COVERED, Problem.BLURRED, Problem.HAND])
def test_a_problem_of_the_picture_is_told_and_nothing_booked(problem: Problem) -> None:
    shots = [*BEFORE, *roll(THREE), *still(replace(LYING, problems=(problem,)), 60)]
    told = watch(shots)
    assert [one.why for one in told if isinstance(one, Unsure)] == [(problem.value,)]
    assert throws(told) == []


def test_a_recording_that_ends_before_all_is_clear_tells_unsure() -> None:
    leaning = (*THREE[:2], replace(THREE[2], pose=Pose.COCKED))
    assert words(watch([*BEFORE, *throw(leaning, after=18)])) == ["unsure"]


# -- rows 16, 17, 20, 21: light and camera


def test_exposure_that_settles_is_waited_for() -> None:
    steps = [replace(LYING, light=0.4 + 0.9 * (1 - 0.9**n)) for n in range(45)]
    shots = [*BEFORE, *roll(THREE, replace(Shot(), light=0.4)), *steps, *still(replace(LYING, light=1.3), 30)]
    reader = KnowingReader(shots)
    [told] = throws(watch(shots, watcher=ThrowWatcher(reader, board())))
    assert told.dice == (1, 3, 5)
    first = len(BEFORE) + 20
    assert not [index for index in reader.reads if first <= index < first + 12], "read while the exposure moved"


def test_exposure_that_never_settles_is_told() -> None:
    shots = [replace(LYING, light=1.0 + 0.3 * (n // 3 % 2)) for n in range(200)]
    told = watch(shots)
    assert [one.what for one in told if isinstance(one, Trouble)] == ["exposure"]
    assert throws(told) == []


def test_bands_of_mains_flicker_are_no_motion() -> None:
    lying = [replace(LYING, bands=0.9 * n) for n in range(60)]
    shots = [
        *(replace(Shot(), bands=0.5 * n) for n in range(10)),
        *(replace(s, bands=0.7 * n) for n, s in enumerate(roll(THREE))),
        *lying,
    ]
    assert words(watch(shots)) == ["throw"]


def test_a_frozen_camera_is_told_and_what_changed_meanwhile_is_no_throw() -> None:
    watcher = ThrowWatcher(KnowingReader([*still(Shot(), 200), *still(LYING, 60)]), board())
    frozen, told = draw(Shot(), 0), []
    for n in range(260):
        picture = draw(Shot(), n) if n < 20 else frozen if n < 200 else draw(LYING, n)
        told += watcher.see(Frame(picture, n / FPS, index=n))
        if n == 150:
            assert watcher.state is State.CAMERA_TROUBLE
    assert [word for word in words(told) if word != "unsure"] == ["camera_trouble", "camera_well"]
    assert [one.what for one in told if isinstance(one, Trouble)] == ["frozen"]


def test_a_black_picture_is_told_and_is_not_read_as_lifted() -> None:
    dark = still(replace(LYING, light=0.0), 40)
    told = watch([*still(LYING, 10), *dark, *still(LYING, 30)])
    assert words(told) == ["camera_trouble", "camera_well"]


def test_a_gap_in_the_pictures_makes_no_throw() -> None:
    shots = [*still(Shot(), 10), *still(LYING, 60)]
    watcher = ThrowWatcher(KnowingReader(shots), board())
    told = []
    for n, shot in enumerate(shots):
        told += watcher.see(Frame(draw(shot, n), n / FPS + (30.0 if n >= 10 else 0.0), index=n))
    assert throws(told) == []


def test_a_throw_whose_end_was_not_seen_is_asked_about() -> None:
    shots = [*BEFORE, *BEFORE, *roll(THREE)[:12], *still(LYING, 60)]
    watcher = ThrowWatcher(KnowingReader(shots), board())
    told = []
    for n, shot in enumerate(shots):
        told += watcher.see(Frame(draw(shot, n), n / FPS + (30.0 if n >= 28 else 0.0), index=n))
    assert words(told) == ["unsure"]


# -- rates, sizes, misuse


@pytest.mark.parametrize("every", [2, 3])
def test_fewer_pictures_a_second_still_make_one_throw(every: int) -> None:
    shots = [*BEFORE, *throw(after=60)][::every]
    [told] = throws(watch(shots, fps=FPS / every))
    assert told.dice == (1, 3, 5)


def test_the_model_reads_at_most_eight_times_a_second() -> None:
    shots = [*BEFORE, *throw((*THREE[:2], replace(THREE[2], pose=Pose.COCKED)), after=60)]
    reader = KnowingReader(shots)
    watch(shots, watcher=ThrowWatcher(reader, board()))
    gaps = np.diff([index / FPS for index in reader.reads])
    assert gaps.min() >= 0.12


def test_a_whole_picture_of_felt_works_without_a_board() -> None:
    shots = [*BEFORE, *throw()]
    whole = Board.whole(400, 300, die_px=15)
    [told] = throws(watch(shots, watcher=ThrowWatcher(KnowingReader(shots), whole)))
    assert told.dice == (1, 3, 5)


def test_states_follow_the_throw() -> None:
    shots = [*BEFORE, *BEFORE, *throw(after=40), *scooped(LYING), *still(Shot(), 20)]
    watcher, states = ThrowWatcher(KnowingReader(shots), board()), []
    for n, shot in enumerate(shots):
        watcher.see(Frame(draw(shot, n), n / FPS, index=n))
        if not states or states[-1] is not watcher.state:
            states.append(watcher.state)
    seen = iter(states)
    for state in (State.READING, State.EMPTY, State.ROLLING, State.READING, State.READ, State.HAND, State.EMPTY):
        assert state in seen, f"no {state} in its turn: {states}"


@pytest.mark.parametrize("count", [-1, 7])
def test_no_throw_has_such_a_number(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        ThrowWatcher(KnowingReader([]), board()).expect(count)


def test_angles_of_the_hand_run_clockwise_from_the_right() -> None:
    for sleeve, tip, side in (((410.0, 150.0), (270.0, 90.0), 0.0), ((-10.0, 150.0), (140.0, 90.0), 180.0)):
        told = watch([*still(LYING, 10), *reach(LYING, tip, sleeve=sleeve)], end=False)
        [hand] = [one for one in told if isinstance(one, HandSeen)]
        assert hand.from_deg is not None
        assert abs((hand.from_deg - side + 180) % 360 - 180) < 30, f"{side}: {hand.from_deg} {pi}"
