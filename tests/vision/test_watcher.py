"""Exactly one throw for each throw, and none for anything else that hands and light do at a table."""

from __future__ import annotations

from dataclasses import replace
from math import cos, sin

import pytest
from film_set import (
    FPS,
    LYING,
    THREE,
    Die,
    KnowingReader,
    Shot,
    board,
    reach,
    roll,
    scooped,
    still,
    throw,
    throws,
    watch,
    words,
)

from vision.happenings import HandSeen, Lifted, Touched
from vision.watcher import ThrowWatcher

BEFORE = still(Shot(), 8)


# -- a throw


def test_dice_that_rolled_and_rest_are_one_throw_soon_after() -> None:
    shots = [*BEFORE, *throw(after=45)]
    [told] = throws(watch(shots))
    assert (told.dice, told.outside, told.rim) == ((1, 3, 5), 0, 0)
    rest = (len(BEFORE) + 20) / FPS
    assert told.settled_at == pytest.approx(rest, abs=0.1)
    assert told.t - rest < 0.7


def test_the_same_dice_lying_for_minutes_are_one_throw() -> None:
    shots = [*BEFORE, *throw(after=30), *still(LYING, 150)]
    reader = KnowingReader(shots)
    told = watch(shots, watcher=ThrowWatcher(reader, board()))
    assert words(told) == ["throw"]
    assert len(reader.reads) <= 8, "the model ran while nothing happened"


def test_two_throws_with_the_dice_taken_up_between_are_two() -> None:
    second = (Die(180, 160, 2, 5), Die(230, 130, 2, 30), Die(205, 100, 6, 60))
    told = watch([*BEFORE, *throw(), *scooped(LYING), *still(Shot(), 12), *throw(second)])
    assert [one.dice for one in throws(told)] == [(1, 3, 5), (2, 2, 6)]
    assert words(told).count("lifted") == 1


def test_a_quick_second_throw_without_a_calm_board_between_counts_and_tells_lifted_first() -> None:
    told = watch(
        [*BEFORE, *throw(), *scooped(LYING), *throw((Die(180, 160, 2, 5), Die(230, 130, 2), Die(205, 100, 6)))]
    )
    assert [word for word in words(told) if word != "hand"] == ["throw", "lifted", "throw"]


def test_the_same_faces_on_the_same_places_again_count_when_they_were_thrown_again() -> None:
    told = watch([*BEFORE, *throw(), *scooped(LYING), *still(Shot(), 10), *throw()])
    assert [one.dice for one in throws(told)] == [(1, 3, 5), (1, 3, 5)]


@pytest.mark.parametrize("count", [1, 2, 6])
def test_the_caller_says_how_many_dice_a_throw_has(count: int) -> None:
    dice = tuple(Die(150 + 36 * (k % 3), 110 + 60 * (k // 3), 1 + k, 15 * k) for k in range(count))
    [told] = throws(watch([*BEFORE, *throw(dice)], expected=count))
    assert told.dice == tuple(range(1, count + 1))


def test_no_throw_is_due_no_throw_is_told() -> None:
    assert "throw" not in words(watch([*BEFORE, *throw()], expected=0))


def test_dice_set_aside_on_the_felt_do_not_count_with_those_thrown() -> None:
    aside = Shot((Die(150, 90, 6), Die(170, 90, 6)))
    [told] = throws(watch([*still(aside, 10), *throw(THREE, aside)]))
    assert told.dice == (1, 3, 5)


def test_dice_that_lie_there_at_the_start_are_no_throw() -> None:
    assert words(watch(still(LYING, 40))) == []


# -- row 9: a die that spins, a camera that sways


def test_a_die_that_spins_on_its_corner_is_not_read_before_it_rests() -> None:
    others = THREE[:2]
    spin = [Shot((*others, replace(THREE[2], angle=37.0 * n, face=1 + n % 6, moves=True))) for n in range(40)]
    shots = [*BEFORE, *roll(THREE), *spin, *still(LYING, 30)]
    [told] = throws(watch(shots))
    assert told.dice == (1, 3, 5)
    assert told.t > (len(shots) - 30) / FPS


def test_a_slow_spin_is_motion_too() -> None:
    spin = [Shot((*THREE[:2], replace(THREE[2], angle=70 + 6.0 * n, face=6, moves=True))) for n in range(30)]
    shots = [*BEFORE, *roll(THREE), *spin, *still(replace(LYING, dice=(*THREE[:2], replace(THREE[2], angle=250))), 30)]
    [told] = throws(watch(shots))
    assert told.t > (len(shots) - 30) / FPS


def test_a_swaying_camera_is_no_throw() -> None:
    sway = [replace(LYING, shift=(5 * sin(n / 3), 4 * cos(n / 4))) for n in range(60)]
    assert throws(watch([*still(LYING, 10), *sway, *still(LYING, 20)])) == []


def test_a_throw_that_shakes_the_camera_is_still_one() -> None:
    after = [replace(LYING, shift=(3 * sin(n) * 0.85**n, 2 * cos(n) * 0.85**n)) for n in range(30)]
    [told] = throws(watch([*BEFORE, *roll(THREE), *after, *still(LYING, 30)]))
    assert told.dice == (1, 3, 5)


# -- row 10: what happens beside a throw


def test_a_hand_in_and_out_is_told_with_its_side_and_is_no_throw() -> None:
    over = (200.0, 190.0)
    told = watch(
        [
            *still(LYING, 10),
            *reach(LYING, over),
            *still(replace(LYING, hand=over), 10),
            *reach(LYING, over, back=True),
            *still(LYING, 25),
        ]
    )
    assert words(told) == ["hand"]
    [hand] = [one for one in told if isinstance(one, HandSeen)]
    assert hand.from_deg == pytest.approx(90, abs=20)


def test_dice_lifted_are_told_and_are_no_throw() -> None:
    told = watch([*BEFORE, *throw(), *scooped(LYING), *still(Shot(), 25)])
    assert [word for word in words(told) if word != "hand"] == ["throw", "lifted"]


def test_a_glass_put_down_on_the_felt_or_beside_it_is_no_throw() -> None:
    for place, sleeve in (((250.0, 180.0), (200.0, 310.0)), ((350.0, 240.0), (400.0, 310.0))):
        with_glass = replace(LYING, glass=place)
        told = watch(
            [
                *still(LYING, 10),
                *reach(LYING, place, sleeve=sleeve),
                *reach(with_glass, place, back=True, sleeve=sleeve),
                *still(with_glass, 40),
            ]
        )
        assert throws(told) == []
        assert not [one for one in told if isinstance(one, Touched | Lifted)]


@pytest.mark.parametrize("lights", [(0.4,), (1.4,), (0.3, 1.3, 0.6)])
def test_lights_switched_are_no_event(lights: tuple[float, ...]) -> None:
    shots = [*still(LYING, 10), *(shot for light in lights for shot in still(replace(LYING, light=light), 20))]
    assert words(watch(shots)) == []


def test_lights_that_are_switched_while_dice_roll_do_not_hide_the_throw() -> None:
    rolling = [replace(shot, light=1.0 if n < 8 else 0.5) for n, shot in enumerate(roll(THREE))]
    [told] = throws(watch([*BEFORE, *rolling, *still(replace(LYING, light=0.5), 40)]))
    assert told.dice == (1, 3, 5)


def test_people_beside_the_board_do_not_matter() -> None:
    walkers = [replace(LYING, glass=(30 + 2.0 * n % 40, 40 + 4.0 * n % 240)) for n in range(60)]
    assert throws(watch([*still(LYING, 10), *walkers])) == []
    passing = [replace(shot, glass=(30.0, 40 + 5.0 * n)) for n, shot in enumerate(throw(after=40))]
    assert [one.dice for one in throws(watch([*BEFORE, *passing]))] == [(1, 3, 5)]


# -- row 11: hands that hold, turn and push


def test_dice_held_still_in_a_hand_above_the_board_are_not_counted() -> None:
    palm = (200.0, 160.0)
    held = Shot(hand=palm, held=(Die(190, 165, 6), Die(208, 165, 6), Die(200, 182, 6)))
    told = watch([*BEFORE, *reach(Shot(), palm), *still(held, 90), *reach(Shot(), palm, back=True), *still(Shot(), 20)])
    assert [word for word in words(told) if word != "hand"] == []


def test_dice_put_down_by_hand_are_asked_about_and_never_booked() -> None:
    over = (205.0, 150.0)
    told = watch(
        [
            *BEFORE,
            *reach(Shot(), over),
            *still(replace(LYING, hand=over), 6),
            *reach(LYING, over, back=True),
            *still(LYING, 50),
        ]
    )
    assert throws(told) == []


def test_no_throw_while_a_hand_is_over_the_board() -> None:
    over = (300.0, 190.0)
    sleeve = (390.0, 310.0)
    held = replace(LYING, hand=over, sleeve=sleeve)
    rolling = [replace(shot, hand=over, sleeve=sleeve) for shot in roll(THREE, side=(200, 100))]
    shots = [
        *BEFORE,
        *reach(Shot(), over, sleeve=sleeve),
        *rolling,
        *still(held, 45),
        *reach(LYING, over, back=True, sleeve=sleeve),
        *still(LYING, 30),
    ]
    [told] = throws(watch(shots))
    assert told.t > (len(shots) - 38) / FPS


@pytest.mark.parametrize("face", [5, 2])
def test_a_die_pushed_or_turned_by_a_hand_is_touched_and_no_throw(face: int) -> None:
    over = (250.0, 140.0)
    pushed = Shot((*THREE[:2], replace(THREE[2], x=262.0, y=133.0, angle=20, face=face)))
    told = watch(
        [
            *BEFORE,
            *throw(),
            *reach(LYING, over),
            *still(replace(pushed, hand=over), 4),
            *reach(pushed, over, back=True),
            *still(pushed, 40),
        ]
    )
    assert [word for word in words(told) if word != "hand"] == ["throw", "touched"]


def test_a_die_turned_in_its_place_is_touched() -> None:
    over = (250.0, 140.0)
    turned = Shot((*THREE[:2], replace(THREE[2], face=6)))
    told = watch(
        [
            *BEFORE,
            *throw(),
            *reach(LYING, over),
            *still(replace(turned, hand=over), 4),
            *reach(turned, over, back=True),
            *still(turned, 40),
        ]
    )
    assert [word for word in words(told) if word != "hand"] == ["throw", "touched"]


def test_a_die_flicked_away_rolls_and_is_touched_and_no_throw() -> None:
    over, end = (262.0, 160.0), Die(170.0, 90.0, 6, 15)
    away = [Shot((*THREE[:2], Die(244 - 7.0 * n, 118 - 2.8 * n, 1 + n % 6, 40.0 * n, moves=True))) for n in range(10)]
    flicked = Shot((*THREE[:2], end))
    told = watch(
        [
            *BEFORE,
            *throw(),
            *reach(LYING, over),
            *(replace(shot, hand=over) for shot in away),
            *reach(flicked, over, back=True),
            *still(flicked, 40),
        ]
    )
    assert [word for word in words(told) if word != "hand"] == ["throw", "touched"]
