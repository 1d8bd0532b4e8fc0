"""Dice that lie there stay what they are: lamps, shadows, sleeves and knocks between two throws change nothing."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from film_set import (
    FPS,
    LYING,
    THREE,
    Die,
    KnowingReader,
    Shot,
    asked_or_told,
    board,
    draw,
    reach,
    roll,
    still,
    throw,
    throws,
    watch,
    words,
)

from vision.frame import Frame, Picture
from vision.gate import Gate
from vision.judge import Attempt, judge
from vision.lying import Lying
from vision.reading import BoardReading, DieReading, Pose, Where
from vision.scene import Scene
from vision.votes import VotedDie, Votes
from vision.watcher import ThrowWatcher

KNOCK = (24.0, 12.0)
PATCH = (243, 113, 258, 128)  # where the third die lies


def without(shot: Shot, which: int) -> Shot:
    """The same picture, in which the reader does not make out one of the dice."""
    return replace(shot, dice=tuple(replace(die, unseen=die.unseen or n == which) for n, die in enumerate(shot.dice)))


def test_a_die_that_is_not_made_out_once_the_lamp_is_low_was_not_taken_away() -> None:
    dark, dim = replace(LYING, light=0.0), without(replace(LYING, light=0.35), 1)
    told = watch([*still(LYING, 15), *still(dark, 40), *still(dim, 50), *still(dark, 40), *still(LYING, 50)])
    assert set(words(told)) == {"camera_trouble", "camera_well"}


@pytest.mark.parametrize("frames", [4, 11, 18])
def test_a_lamp_that_goes_out_for_a_moment_lets_no_dice_leave_the_picture(frames: int) -> None:
    """In the dark there is nothing but noise, and all of it moves."""
    lying = Shot((Die(193, 178, 4), Die(227, 222, 3), Die(332, 112, 5)), light=1.14)
    assert words(watch([*still(lying, 30), *still(replace(lying, light=0.02), frames), *still(lying, 50)])) == []


def test_a_die_that_a_hand_took_away_is_told_even_if_the_lamp_is_low() -> None:
    over, fewer = (215.0, 170.0), Shot((THREE[0], THREE[2]), light=0.5)
    told = watch(
        [
            *still(replace(LYING, light=0.5), 15),
            *reach(replace(LYING, light=0.5), over),
            *still(replace(fewer, hand=over), 3),
            *reach(fewer, over, back=True),
            *still(fewer, 40),
        ]
    )
    assert [word for word in words(told) if word != "hand"] == ["touched"]


@pytest.mark.parametrize("taken_for", [0, 1, 2])
def test_a_die_that_lies_as_it_lay_is_not_touched_though_the_reader_takes_it_for_others(taken_for: int) -> None:
    """A hand has passed; a die is not made out any more, or halves of it are taken for dice without a face."""
    over, die = (215.0, 160.0), THREE[2]
    halves = (replace(die, x=die.x - 8, pose=Pose.STACKED), replace(die, x=die.x + 8, pose=Pose.STACKED))
    read = replace(LYING, dice=(*THREE[:2], *halves[:taken_for]))
    shots = [*still(LYING, 25), *reach(LYING, over), *reach(LYING, over, back=True)]
    drawn, told = [*shots, *still(LYING, 40), *reach(LYING, over), *reach(LYING, over, back=True)], []
    drawn += still(LYING, 60)
    known = [replace(shot, dice=read.dice) if n >= len(shots) else shot for n, shot in enumerate(drawn)]
    known[-60:] = still(LYING, 60)
    watcher = ThrowWatcher(KnowingReader(known), board())
    for index, shot in enumerate(drawn):
        told += watcher.see(Frame(draw(shot, index), index / FPS, index=index))
    assert set(words(told)) == {"hand"}


def test_what_is_taken_for_a_die_without_a_face_beside_lying_dice_is_no_touch() -> None:
    """The shadow of a glass, a coin, a crumb: the reader refuses it."""
    over, shadow = (170.0, 175.0), replace(LYING, dice=(*THREE, Die(170, 170, None)))
    told = watch(
        [
            *still(LYING, 15),
            *reach(LYING, over),
            *still(replace(shadow, hand=over), 4),
            *reach(shadow, over, back=True),
            *still(shadow, 60),
        ]
    )
    assert words(told) == ["hand"]


def test_a_throw_after_a_thing_was_put_down_has_only_the_dice_thrown() -> None:
    over, crumb = (170.0, 175.0), Shot((Die(120, 150, None),))
    told = watch(
        [
            *still(Shot(), 15),
            *reach(Shot(), over),
            *still(replace(crumb, hand=over), 4),
            *reach(crumb, over, back=True),
            *still(crumb, 40),
            *throw(THREE, crumb),
        ]
    )
    assert [one.dice for one in throws(told)] == [(1, 3, 5)]


def knocked(dice: tuple[Die, ...], *before: Shot) -> list[Shot]:
    """What was before, and then the camera is knocked so that all is seen elsewhere."""
    across, down = KNOCK
    swings = [Shot(dice, shift=(across * n / 3, down * n / 3)) for n in (1, 2)]
    return [*before, *swings, *still(Shot(dice, shift=KNOCK), 60)]


def test_a_camera_knocked_while_dice_are_read_counts_each_die_once() -> None:
    """What was read before the knock lies elsewhere in the picture."""
    shots = knocked(THREE, *still(Shot(), 25), *roll(THREE), *still(LYING, 9))
    told = watch(shots, find_board=lambda _: board((200.0 + KNOCK[0], 150.0 + KNOCK[1])))
    assert [dice for _, dice in asked_or_told(told)] == [(1, 3, 5)]


def lying_die(place: tuple[float, float], face: int) -> DieReading:
    (x, y), h = place, 8.0
    corners = ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))
    return DieReading(face, 0.999, 7 - face, (x - h, y - h, x + h, y + h), corners, Where.INSIDE)


def test_a_die_that_a_finger_hid_and_that_lies_as_it_lay_was_not_touched() -> None:
    dice = tuple(lying_die((100.0 + 40 * n, 100.0), face) for n, face in enumerate((1, 4, 6)))
    votes = Votes()
    for _ in range(3):
        votes.add(BoardReading(dice))
    before = Lying(dice, (5, 0, 0))  # the first one's place seemed bare
    attempt = Attempt(before, None, 0.0)
    assert judge(votes.dice(), votes, attempt, 3, 16.0, lambda voted: voted.die.face == 1) is None


def test_a_die_that_is_not_read_this_time_lies_where_it_was_read() -> None:
    """What shows no face may be half of a die; the next reading would find the die moved."""
    known = Lying((lying_die((100.0, 100.0), 6),), (0,))
    half = VotedDie(replace(lying_die((106.0, 100.0), 6), face=None), steady=True)
    after = known.updated((half,), 16.0)
    assert (after.dice[0].face, after.dice[0].center) == (6, (100.0, 100.0))
    read = VotedDie(lying_die((103.0, 100.0), 6), steady=True)
    assert after.updated((read,), 16.0).dice[0].center == (103.0, 100.0)


@pytest.fixture
def scene() -> tuple[Gate, Scene]:
    gate = Gate()
    gate.see(draw(LYING, 0), 0.0)
    return gate, Scene(board(), gate)


def test_dice_of_which_none_is_seen_are_no_throw_for_sure() -> None:
    """Three tracks that end at the picture's border may be anything."""
    attempt = Attempt(Lying(), None, 0.0, left=3)
    votes = Votes()
    votes.add(BoardReading(()))
    told = judge((), votes, attempt, 3, 16.0, lambda voted: True)
    assert told is not None
    assert (told.outside, told.sure) == (3, False)


def covered(colour: tuple[int, int, int], light: float = 1.0) -> Picture:
    """The lying dice, over the third of which there is an even surface."""
    picture = draw(LYING, 1)
    cv2.rectangle(picture, (232, 102), (268, 138), colour, cv2.FILLED)
    return np.asarray(cv2.convertScaleAbs(picture, alpha=light), np.uint8)


@pytest.mark.parametrize(
    ("colour", "light", "bare"),
    [
        ((70, 110, 50), 1.0, True),
        ((70, 110, 50), 0.5, True),
        ((50, 79, 36), 1.0, True),
        ((120, 150, 205), 1.0, False),
        ((60, 75, 102), 1.0, False),
        ((70, 110, 50), 0.1, False),
    ],
    ids=["felt", "felt in dim light", "felt in a shadow", "a hand", "a hand in a shadow", "no light at all"],
)
def test_a_place_is_bare_if_it_shows_felt(
    scene: tuple[Gate, Scene], colour: tuple[int, int, int], light: float, bare: bool
) -> None:
    gate, seen = scene
    gate.see(covered(colour, light), 0.1)
    assert seen.is_bare(PATCH) is bare
    gate.see(draw(LYING, 2), 0.2)
    assert not seen.is_bare(PATCH), "the die is back"


def test_a_picture_gone_black_shows_no_hand(scene: tuple[Gate, Scene]) -> None:
    gate, _ = scene
    rough = np.kron(np.random.default_rng(1).integers(60, 200, (75, 100), dtype=np.uint8), np.ones((4, 4), np.uint8))
    gate.see(np.repeat(rough[:, :, None], 3, axis=2), 0.1)
    seen = Scene(board(), gate)
    gate.see(np.zeros((300, 400, 3), np.uint8), 0.2)
    assert not [thing for thing in seen.things(15.0, swayed=False) if thing.hand]
    gate.see(np.full((300, 400, 3), (125, 155, 212), np.uint8), 0.3)
    assert [thing for thing in seen.things(15.0, swayed=False) if thing.hand], "a palm before the lens"


def test_a_die_beside_another_leaves_its_place_bare_too() -> None:
    near = Shot((Die(235, 120, 1, 0), Die(250, 120, 5, 0), Die(250, 105, 3, 0)))
    gate = Gate()
    gate.see(draw(near, 0), 0.0)
    seen = Scene(board(), gate)
    gate.see(draw(Shot(), 1), 0.1)
    assert seen.is_bare(PATCH)
