"""What nobody saw is asked about or told as touched, and never booked: gaps, still pictures, hands, dice set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from film_set import (
    FPS,
    LYING,
    SECOND,
    THREE,
    Die,
    KnowingReader,
    Shot,
    asked_or_told,
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

from vision.frame import Frame
from vision.happenings import Happening, Unsure
from vision.reading import Pose, Problem
from vision.watcher import ThrowWatcher

BEFORE = still(Shot(), 25)
ASIDE = Shot((Die(135, 105, 6), Die(140, 195, 6)))


def filmed(shots: Sequence[Shot | None], *, expected: int = 3) -> list[Happening]:
    """What is told where a camera gives its last picture again for each None."""
    known = [shot or Shot() for shot in shots]
    watcher, told = ThrowWatcher(KnowingReader(known), board(), expected=expected), list[Happening]()
    given = Frame(draw(known[0], 0), 0.0)
    for index, shot in enumerate(shots):
        if shot is not None:
            given = Frame(draw(shot, index), 0.0, index=index)
        told += watcher.see(replace(given, t=index / FPS))
    return told


# -- pictures that are given again, or lost


@pytest.mark.parametrize("at", [5, 9, 13])
@pytest.mark.parametrize("frames", [6, 15, 45])
def test_a_picture_given_again_while_dice_roll_is_no_rest(at: int, frames: int) -> None:
    """A die in the air shows a face in it as well, the same one in every reading."""
    rolling = roll(THREE)
    shots = [*BEFORE, *rolling[:at], *[None] * frames, *rolling[at:], *still(LYING, 45)]
    assert asked_or_told(filmed(shots)) == [("throw", (1, 3, 5))]


def test_a_camera_that_gives_every_picture_twice_reads_as_ever() -> None:
    twice = [one for shot in [*BEFORE, *throw(after=60)][::2] for one in (shot, None)]
    assert asked_or_told(filmed(twice)) == [("throw", (1, 3, 5))]


def test_a_recording_whose_still_pictures_are_all_alike_is_read() -> None:
    shots = [BEFORE[0], *[None] * 24, *roll(THREE), LYING, *[None] * 60]
    assert asked_or_told(filmed(shots)) == [("throw", (1, 3, 5))]


def lost(shots: Sequence[Shot], begin: int, frames: int, *, expected: int = 3) -> list[Happening]:
    """What is told where the camera gives no pictures for a while."""
    watcher, told = ThrowWatcher(KnowingReader(shots), board(), expected=expected), list[Happening]()
    for index, shot in enumerate(shots):
        if not begin <= index < begin + frames:
            told += watcher.see(Frame(draw(shot, index), index / FPS, index=index))
    return told


@pytest.mark.parametrize("frames", [20, 60])
@pytest.mark.parametrize("begin", [20, 32, 44, 48])
def test_pictures_lost_around_a_throw_lose_no_throw(begin: int, frames: int) -> None:
    told = lost([*BEFORE, *throw(after=100)], begin, frames)
    assert [dice for _, dice in asked_or_told(told)] == [(1, 3, 5)]


def test_a_throw_in_a_gap_while_others_lie_aside_is_asked_about() -> None:
    end = replace(ASIDE, dice=(*ASIDE.dice, *THREE))
    told = lost([*still(ASIDE, 25), *roll(THREE, ASIDE), *still(end, 110)], 20, 60)
    assert asked_or_told(told) == [("unsure", (1, 3, 5))]


@pytest.mark.parametrize("every", [5, 6])
def test_five_pictures_a_second_lose_no_throw(every: int) -> None:
    film = [*BEFORE, *throw(after=60), *scooped(LYING), *still(Shot(), 30), *throw(SECOND, after=60)]
    for first in range(every):
        told = watch(film[first::every], fps=FPS / every)
        dice = [dice for _, dice in asked_or_told(told)]
        assert dice == [(1, 3, 5), (2, 2, 6)], (first, words(told))


# -- hands between rest and reading


@pytest.mark.parametrize("rested", [10, 14, 20])
def test_dice_that_a_hand_moved_before_they_were_told_are_asked_about(rested: int) -> None:
    """Two lie and a third has gone over the rim; a hand puts that one in between."""
    two, over = Shot(THREE[:2]), (250.0, 140.0)
    shots = [*BEFORE, *roll(THREE[:2]), *still(two, rested), *reach(two, over), *still(replace(LYING, hand=over), 3)]
    told = watch([*shots, *reach(LYING, over, back=True), *still(LYING, 60)])
    assert throws(told) == []
    assert [one.event for one in told if isinstance(one, Unsure)] == ["unsure"]


def test_a_hand_that_only_passes_before_dice_are_told_changes_nothing() -> None:
    over = (250.0, 140.0)
    shots = [*BEFORE, *roll(THREE), *still(LYING, 8), *reach(LYING, over), *reach(LYING, over, back=True)]
    assert asked_or_told(watch([*shots, *still(LYING, 60)])) == [("throw", (1, 3, 5))]


@pytest.mark.parametrize("back", [THREE[2], replace(THREE[2], x=240, y=150, face=4)])
def test_a_die_lifted_and_put_back_is_no_throw(back: Die) -> None:
    over, fewer, after = (250.0, 140.0), Shot(THREE[:2]), Shot((*THREE[:2], back))
    shots = [*BEFORE, *throw(), *reach(LYING, over), *still(replace(fewer, hand=over), 3)]
    shots += [*reach(fewer, over, back=True), *still(fewer, 4), *reach(fewer, over)]
    told = watch([*shots, *still(replace(after, hand=over), 3), *reach(after, over, back=True), *still(after, 60)])
    assert asked_or_told(told) == [("throw", (1, 3, 5))]


def test_a_throw_while_a_hand_leaves_that_had_lain_there_for_long_is_not_waited_for() -> None:
    rest, side = (320.0, 200.0), (390.0, 310.0)
    lies = Shot(hand=rest, sleeve=side)
    shots = [
        *BEFORE,
        *reach(Shot(), rest, sleeve=side),
        *still(lies, 400),
        *reach(Shot(), rest, back=True, sleeve=side),
    ]
    told = watch([*shots, *still(Shot(), 10), *throw(after=45)])
    assert asked_or_told(told) == [("throw", (1, 3, 5))]


def test_a_throw_beside_a_hand_that_lies_there_for_minutes_counts() -> None:
    rest, side = (320.0, 200.0), (390.0, 310.0)
    lies = Shot(hand=rest, sleeve=side)
    shots = [*BEFORE, *reach(Shot(), rest, sleeve=side), *still(lies, 400)]
    end = (Die(160, 110, 1, 20), Die(200, 90, 3, 45), Die(170, 170, 5, 70))
    told = watch([*shots, *roll(end, lies, side=(120, 100)), *still(replace(lies, dice=end), 45)])
    assert asked_or_told(told) == [("throw", (1, 3, 5))]


@pytest.mark.parametrize("problem", [Problem.HAND, Problem.BLURRED, Problem.COVERED])
def test_dice_that_a_hand_hid_while_they_rolled_are_asked_about_whatever_the_reader_finds_amiss(
    problem: Problem,
) -> None:
    """The arm lies over them until they rest, then goes: the reader takes something for a hand that is none."""
    over, leaning = (205.0, 150.0), Shot((*THREE[:2], replace(THREE[2], face=None)))
    shots = [*BEFORE, *reach(Shot(), over), *still(replace(leaning, hand=over), 6), *reach(leaning, over, back=True)]
    told = watch([*shots, *still(replace(leaning, problems=(problem,)), 120)])
    assert asked_or_told(told) == [("unsure", (1, 3, None))]
    [asked] = [one for one in told if isinstance(one, Unsure)]
    assert (asked.why, asked.missing, asked.unseen) == ((problem.value,), 0, True)


@pytest.mark.parametrize("found", [2, 4], ids=["one lies under another", "a shadow is taken for one"])
def test_other_dice_than_are_due_that_a_hand_hid_while_they_rolled_are_asked_about(found: int) -> None:
    over, four = (205.0, 150.0), (*THREE, Die(205.0, 200.0, 2))
    lies = Shot(four[:found])
    shots = [*BEFORE, *reach(Shot(), over), *still(replace(lies, hand=over), 6), *reach(lies, over, back=True)]
    told = watch([*shots, *still(lies, 180)])
    [asked] = [one for one in told if isinstance(one, Unsure)]
    assert (asked.missing, asked.unseen, len(asked.dice)) == (max(0, 3 - found), True, found)
    assert asked.why == (("die_missing",) if found < 3 else ("count",))
    assert not throws(told)


@pytest.mark.parametrize("pause", [12, 60])
def test_dice_that_a_hand_puts_down_one_after_another_are_asked_about_once(pause: int) -> None:
    """Each is there within seconds after the last."""
    over, shots = (205.0, 150.0), [*BEFORE]
    for n in range(3):
        before, after = Shot(THREE[:n]), Shot(THREE[: n + 1])
        shots += [*reach(before, over), *still(replace(after, hand=over), 3), *reach(after, over, back=True)]
        shots += still(after, pause)
    told = watch([*shots, *still(LYING, 90)])
    assert [(one.dice, one.missing) for one in told if isinstance(one, Unsure)] == [((1, 3, 5), 0)]
    assert not throws(told)


@pytest.mark.parametrize("shakes", [False, True])
def test_dice_in_a_palm_in_which_the_reader_sees_a_hand_are_not_asked_about(shakes: bool) -> None:
    """It has lain there for so long that it seems to belong there, then it moves a little."""
    palm = (200.0, 160.0)
    held = (Die(190, 165, 6), Die(208, 165, 6), Die(200, 182, 6))
    lies = Shot(hand=palm, held=held, problems=(Problem.HAND,))
    aside = replace(lies, held=tuple(replace(die, x=die.x + 3, y=die.y - 3) for die in held))
    shots = [*BEFORE, *reach(Shot(), palm), *still(lies, 300), *still(aside if shakes else lies, 90), *still(lies, 90)]
    told = watch([*shots, *reach(Shot(), palm, back=True), *still(Shot(), 40)])
    assert set(words(told)) == {"hand"}


@pytest.mark.parametrize(("always", "told"), [(True, "throw"), (False, "unsure")], ids=["always", "only now"])
def test_what_looks_like_a_hand_though_none_came_asks_nobody(always: bool, told: str) -> None:
    """A picture on the felt, or the cloth beside the board, would have every throw asked about."""
    seems = (Problem.HAND,)
    before = [replace(shot, problems=seems if always else ()) for shot in still(Shot(), 60)]
    lies = Shot(THREE, problems=seems)
    shots = [*before, *roll(THREE), *still(lies, 600)]
    assert asked_or_told(watch(shots)) == [(told, (1, 3, 5))]


def test_a_thing_without_a_face_that_a_hand_puts_down_is_no_throw() -> None:
    over = (205.0, 150.0)
    lies = Shot((Die(205.0, 150.0, None),))
    shots = [*BEFORE, *reach(Shot(), over), *still(replace(lies, hand=over), 6), *reach(lies, over, back=True)]
    assert asked_or_told(watch([*shots, *still(lies, 240)])) == []


def test_once_it_no_longer_looks_like_a_hand_it_is_told_when_it_does() -> None:
    seems = (Problem.HAND,)
    shots = [*still(Shot(problems=seems), 60), *throw(THREE, after=60)]
    shots += [*reach(LYING, (205.0, 150.0)), *still(Shot(hand=(205.0, 150.0)), 3)]
    shots += [*reach(Shot(), (205.0, 150.0), back=True), *still(Shot(), 60)]
    shots += [*roll(THREE), *still(Shot(THREE, problems=seems), 400)]
    assert asked_or_told(watch(shots)) == [("throw", (1, 3, 5)), ("unsure", (1, 3, 5))]


# -- dice one after another, aside, over the rim and back


def test_dice_thrown_one_after_another_within_a_second_are_one_throw() -> None:
    shots = [*BEFORE]
    for n in range(3):
        base = Shot(THREE[:n])
        shots += [*roll(THREE[n : n + 1], base, frames=14), *still(Shot(THREE[: n + 1]), 8)]
    assert asked_or_told(watch([*shots, *still(LYING, 45)])) == [("throw", (1, 3, 5))]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_dice_set_aside_are_none_of_those_thrown_again(count: int) -> None:
    """All are thrown, some are taken up and thrown again at once, the others lie on."""
    places = [(140, 100), (140, 190), (200, 85), (250, 130), (190, 150)]
    five = tuple(Die(x, y, 1 + n, 15 * n) for n, (x, y) in enumerate(places))
    kept, again = five[: 5 - count], five[5 - count :]
    new = tuple(replace(die, x=die.x + 24, y=die.y + 30, face=7 - (die.face or 1), angle=40) for die in again)
    stay = Shot(kept)
    first = [*BEFORE, *throw(five, after=45)]
    told = throws(watch(first, expected=5))
    assert [one.dice for one in told] == [(1, 2, 3, 4, 5)]
    over = (sum(die.x for die in again) / count, sum(die.y for die in again) / count)
    lift = [*reach(Shot(five), over), *still(replace(stay, hand=over), 3), *reach(stay, over, back=True)]
    shots = [*first, *lift, *still(stay, 40), *throw(new, stay, after=60)]
    watcher = ThrowWatcher(KnowingReader(shots), board(), expected=5)
    happened = list[Happening]()
    for index, shot in enumerate(shots):
        happened += watcher.see(Frame(draw(shot, index), index / FPS, index=index))
        if throws(happened):
            watcher.expect(count)
    assert [one.dice for one in throws(happened)][1:] == [tuple(sorted(die.face or 0 for die in new))], words(happened)


def test_a_die_that_jumps_over_the_rim_and_comes_back_lies_where_it_lies() -> None:
    rolling = []
    for n, shot in enumerate(roll(THREE, frames=24)):
        way = min(1.0, n / 9)
        x, y = 240 + 95 * way, 150 + 20 * way
        if n > 14:
            back = min(1.0, (n - 14) / 9)
            x, y = x + (THREE[2].x - x) * back, y + (THREE[2].y - y) * back
        rolling.append(replace(shot, dice=(*shot.dice[:2], Die(x, y, 1 + n % 6, 30.0 * n, moves=True))))
    assert asked_or_told(watch([*BEFORE, *rolling, *still(LYING, 60)])) == [("throw", (1, 3, 5))]
    leaning = Shot((*THREE[:2], replace(THREE[2], unseen=True)))
    told = watch([*BEFORE, *rolling, *still(leaning, 150)])
    assert asked_or_told(told) == [("unsure", (1, 3))]
    assert [(one.outside, one.missing) for one in told if isinstance(one, Unsure)] == [(0, 1)]


def test_a_throw_in_a_gap_of_which_a_die_lies_outside_is_asked_about() -> None:
    end = (*THREE[:2], Die(40.0, 150.0, 4))
    told = lost([*BEFORE, *roll(end), *still(Shot(end), 110)], 20, 60)
    [asked] = [one for one in told if isinstance(one, Unsure)]
    assert (asked.dice, asked.outside, asked.missing) == ((1, 3), 1, 0)


@pytest.mark.parametrize("left", [0, 1, 2], ids=["none lay there", "one was taken", "both were taken"])
def test_a_throw_in_a_gap_of_which_all_dice_lie_outside_is_asked_about(left: int) -> None:
    """No die is due on the felt then: that is neither nothing nor dice lifted."""
    lay = ASIDE.dice if left else ()
    end = (*lay[left:], Die(40.0, 150.0, 4))
    told = lost([*still(Shot(lay), 25), *roll(end[-1:], Shot(lay)), *still(Shot(end), 110)], 20, 60, expected=1)
    assert [(one.dice, one.outside, one.missing) for one in told if isinstance(one, Unsure)] == [((), 1, 0)]
    assert not [one for one in told if one.event == "lifted"]


@pytest.mark.parametrize(("face", "told"), [(None, "throw"), (4, "unsure")], ids=["no face", "a die"])
def test_what_showed_no_face_and_went_as_dice_rolled_was_none_of_them(face: int | None, told: str) -> None:
    """A hand or a cup in the first pictures; where a die lay that nobody saw being lifted, it is asked."""
    first = Shot((Die(140.0, 200.0, face, pose=Pose.FLAT if face else Pose.STACKED),))
    covered = Shot(glass=(140.0, 200.0))
    happened = watch([*still(first, 25), *roll(THREE, covered), *still(replace(covered, dice=THREE), 150)])
    assert asked_or_told(happened) == [(told, (1, 3, 5))]


# -- light, and things beside the dice


@pytest.mark.parametrize("at", [6, 12, 18])
@pytest.mark.parametrize("lights", [(1.0, 0.45), (0.5, 1.2), (1.0, 0.1), (1.0, 0.02)])
def test_light_that_is_switched_while_dice_roll_hides_no_throw(at: int, lights: tuple[float, float]) -> None:
    rolling = [replace(shot, light=lights[n >= at]) for n, shot in enumerate(roll(THREE))]
    before = still(Shot(light=lights[0]), 25)
    dim = still(replace(LYING, light=lights[1]), 50)
    told = watch([*before, *rolling, *dim, *still(replace(LYING, light=1.0), 60)])
    assert [dice for _, dice in asked_or_told(told)] == [(1, 3, 5)]


def test_a_glass_put_down_while_dice_come_to_rest_is_none_of_them() -> None:
    place, side = (262.0, 186.0), (390.0, 310.0)
    comes = reach(Shot(), place, sleeve=side, frames=12)
    arm = [*comes, *reach(Shot(glass=place), place, sleeve=side, frames=12, back=True)]
    rolling = [
        replace(shot, hand=hand.hand, sleeve=side, glass=hand.glass)
        for shot, hand in zip(roll(THREE, frames=24), arm, strict=True)
    ]
    end = replace(LYING, glass=place)
    told = watch([*BEFORE, *rolling, *still(end, 60)])
    assert [dice for _, dice in asked_or_told(told)] == [(1, 3, 5)]


@pytest.mark.parametrize(("every", "bare"), [(1, 9), (3, 9), (3, 15), (5, 15)])
def test_dice_swept_off_and_thrown_again_after_one_short_look_are_two_throws(every: int, bare: int) -> None:
    """The felt is seen bare for a moment, read once or twice, and not every picture shows it without the hand."""
    over, gone = (205.0, 150.0), Shot()
    swept = [*reach(LYING, over, frames=4), replace(gone, hand=over), *reach(gone, over, frames=1, back=True)]
    film = [*BEFORE, *throw(after=45), *swept, *still(gone, bare), *throw(SECOND, after=60)]
    told = watch(film[::every], fps=FPS / every)
    assert [word for word in words(told) if word != "hand"] == ["throw", "lifted", "throw"]
