"""A camera knocked between a throw and its reading: the throw is asked about, what lies there stays known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from film_set import (
    DIE,
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
from vision.gate import Gate
from vision.happenings import Trouble, Unsure
from vision.lying import Lying
from vision.reading import Pose
from vision.scene import Scene
from vision.votes import VotedDie, Votes

KNOCK = (14.0, 8.0)
AFTER = board((200.0 + KNOCK[0], 150.0 + KNOCK[1]))
FAR = (0.0, -60.0)  # beyond where a board is looked for near its old place


def shifted(shots: Sequence[Shot], by: tuple[float, float] = KNOCK) -> list[Shot]:
    return [replace(shot, shift=by) for shot in shots]


def knock(shot: Shot, to: tuple[float, float] = KNOCK) -> list[Shot]:
    """Two pictures in which the camera swings to where it looks from then on."""
    return [replace(shot, shift=(to[0] * n / 3, to[1] * n / 3)) for n in (1, 2)]


@pytest.mark.parametrize("rested", [0, 3, 6, 9, 11])
def test_a_throw_whose_reading_is_cut_short_by_a_knock_is_asked_about_once(rested: int) -> None:
    """Whether the last throw still lay there or was taken up."""
    for before in ((), still(LYING, 25)):
        lifted = scooped(LYING) if before else still(Shot(), 25)
        shots = [*before, *lifted, *roll(SECOND), *still(Shot(SECOND), rested), *knock(Shot(SECOND))]
        told = watch([*shots, *shifted(still(Shot(SECOND), 70))], find_board=lambda _: AFTER)
        assert asked_or_told(told) == [("unsure", (2, 2, 6))], (rested, words(told))
        assert "touched" not in words(told)


@pytest.mark.parametrize("rested", [0, 5])
@pytest.mark.parametrize("little", [(4.5, 2.0), (-3.0, 4.0), (0.0, 6.0)])
def test_a_little_knock_loses_no_throw(little: tuple[float, float], rested: int) -> None:
    """Dice that lie less than half of one elsewhere are still the same dice."""
    at = board((200.0 + little[0], 150.0 + little[1]))
    end = Shot(SECOND)
    shots = [*still(LYING, 25), *scooped(LYING), *still(Shot(), 25), *roll(SECOND), *still(end, rested)]
    after = shifted([*still(end, 70), *scooped(end), *still(Shot(), 25), *throw(THREE)], little)
    told = watch([*shots, *knock(end, little), *after], find_board=lambda _: at)
    assert [dice for _, dice in asked_or_told(told)] == [(2, 2, 6), (1, 3, 5)], words(told)


@pytest.mark.parametrize("third", [Die(45, 150, 6), replace(SECOND[2], unseen=True)], ids=["outside", "not made out"])
@pytest.mark.parametrize("rested", [0, 5])
def test_a_throw_that_a_knock_cuts_short_is_asked_about_with_fewer_dice_on_the_felt(third: Die, rested: int) -> None:
    end = Shot((*SECOND[:2], third))
    shots = [*still(Shot(), 25), *roll(end.dice), *still(end, rested), *knock(end), *shifted(still(end, 90))]
    told = watch(shots, find_board=lambda _: AFTER)
    assert asked_or_told(told) == [("unsure", (2, 2))]


@pytest.mark.parametrize("at", [4, 10, 16])
def test_a_throw_during_which_the_camera_is_knocked_is_asked_about_and_the_next_one_counts(at: int) -> None:
    rolling = []
    for n, shot in enumerate(roll(SECOND)):
        way = min(1.0, max(0.0, (n - at + 1) / 3))
        rolling.append(replace(shot, shift=(KNOCK[0] * way, KNOCK[1] * way)))
    shots = [*still(LYING, 25), *scooped(LYING), *rolling, *shifted(still(Shot(SECOND), 70))]
    told = watch(shots, find_board=lambda _: AFTER)
    assert asked_or_told(told) == [("unsure", (2, 2, 6))]


@pytest.mark.parametrize("found", [0, 22], ids=["before the board is found", "after it"])
def test_a_throw_that_a_knock_cuts_short_and_that_is_taken_up_and_thrown_anew_is_asked_about_too(found: int) -> None:
    """Both are asked about: neither was read often enough where it lay."""
    shots = [*still(Shot(), 25), *roll(THREE), *still(LYING, 11), *knock(LYING), *shifted(still(LYING, found))]
    after = [*scooped(LYING), *roll(SECOND), *still(Shot(SECOND), 90)]
    told = watch([*shots, *shifted(after)], find_board=lambda _: AFTER)
    assert [dice for _, dice in asked_or_told(told)] == [(1, 3, 5), (2, 2, 6)]
    assert [word for word in words(told) if word not in ("hand", "throw")] == ["unsure", "lifted", "unsure"]


@pytest.mark.parametrize("found", [0, 22], ids=["before the board is found", "after it"])
def test_a_throw_that_a_knock_cuts_short_is_asked_about_once_though_a_hand_passes(found: int) -> None:
    over = (250.0, 140.0)
    shots = [*still(Shot(), 25), *roll(THREE), *still(LYING, 11), *knock(LYING), *shifted(still(LYING, found))]
    after = [*reach(LYING, over), *still(replace(LYING, hand=over), 4), *reach(LYING, over, back=True)]
    told = watch([*shots, *shifted([*after, *still(LYING, 90)])], find_board=lambda _: AFTER)
    assert asked_or_told(told) == [("unsure", (1, 3, 5))], words(told)


@pytest.mark.parametrize("dice", [THREE, THREE[:1]], ids=["three", "one"])
@pytest.mark.parametrize("found", [(5.5, 5.5), (2.5, 2.5)], ids=["well", "badly"])
def test_dice_that_are_seen_almost_half_of_one_elsewhere_after_a_knock_were_not_touched(
    dice: tuple[Die, ...], found: tuple[float, float]
) -> None:
    shot, by = Shot(dice), (5.5, 5.5)
    at = board((200.0 + found[0], 150.0 + found[1]))
    told = watch([*still(shot, 25), *knock(shot, by), *shifted(still(shot, 90), by)], find_board=lambda _: at)
    assert "touched" not in words(told)
    assert asked_or_told(told) == []


def test_a_throw_after_a_knock_counts_as_ever() -> None:
    shots = [*still(LYING, 25), *knock(LYING), *shifted(still(LYING, 60))]
    again = [*scooped(LYING), *still(Shot(), 25), *throw(SECOND)]
    told = watch([*shots, *shifted(again)], find_board=lambda _: AFTER)
    assert [one.dice for one in throws(told)] == [(2, 2, 6)]
    assert not [one for one in told if isinstance(one, Unsure)]


def test_a_leaning_die_that_falls_once_the_camera_was_knocked_settles_nothing_by_itself() -> None:
    leaning = (*THREE[:2], replace(THREE[2], pose=Pose.COCKED))
    shots = [*still(Shot(), 25), *throw(leaning, after=50), *knock(LYING), *shifted(still(LYING, 90))]
    told = watch(shots, find_board=lambda _: AFTER)
    assert asked_or_told(told) == [("unsure", (1, 3, None))]


def test_a_die_that_lay_beside_the_board_is_none_of_the_throw_after_a_knock_either() -> None:
    spare = Shot((Die(45, 150, 6),))
    end = Shot((*spare.dice, *SECOND))
    shots = [*still(spare, 25), *roll(SECOND, spare), *still(end, 6), *knock(end), *shifted(still(end, 70))]
    told = watch(shots, find_board=lambda _: AFTER)
    assert asked_or_told(told) == [("unsure", (2, 2, 6))]
    [asked] = [one for one in told if isinstance(one, Unsure)]
    assert (asked.outside, asked.why) == (0, ("unsure",))


@pytest.mark.parametrize("far", [8.0, 16.0, 26.0, 45.0])
def test_a_hard_sway_that_ends_where_it_began_makes_no_second_throw(far: float) -> None:
    swings = [replace(LYING, shift=(far * (-1) ** n * 0.9**n, 0.5 * far * (-1) ** n * 0.9**n)) for n in range(25)]
    told = watch([*still(Shot(), 25), *throw(), *swings, *still(LYING, 60)], find_board=lambda _: board())
    assert [word for word in words(told) if word not in ("hand", "camera_trouble", "camera_well")] == ["throw"]


def lain(dice: Sequence[Die], x: float = 0.0, y: float = 0.0) -> tuple[VotedDie, ...]:
    """These dice as three readings agree on them, moved by so many pixels."""
    shots = [Shot(tuple(replace(die, x=die.x + x, y=die.y + y) for die in dice))] * 3
    reader, votes = KnowingReader(shots), Votes()
    for index in range(3):
        votes.add(reader.read(Frame(draw(shots[0], index), index / FPS, index=index), board()))
    return votes.dice()


def test_dice_are_known_again_though_the_board_was_not_found_to_the_pixel() -> None:
    known = Lying.of(lain(THREE))
    moved = lain(THREE, 13.0, -9.0)
    assert known.compared(moved, DIE).changed
    assert not known.fitted(moved, DIE).compared(moved, DIE).changed
    others = lain((*THREE[:2], replace(THREE[2], x=260.0)), 13.0, -9.0)
    assert known.fitted(others, DIE) == known, "they lie otherwise to one another"
    assert known.fitted(lain(THREE, 40.0, 0.0), DIE) == known, "no board is found so badly"


def test_a_lone_die_is_known_again_by_its_face_and_by_lying_near() -> None:
    lone, shown = Lying.of(lain(THREE[:1])), lain(THREE[:1], 9.0, -6.0)
    assert lone.compared(shown, DIE).changed
    assert not lone.fitted(shown, DIE).compared(shown, DIE).changed
    assert lone.fitted(lain((replace(THREE[0], face=2),), 9.0, -6.0), DIE) == lone, "another face"
    assert lone.fitted(lain(THREE[:1], 14.0, -9.0), DIE) == lone, "farther off than a lone die is looked for"


def test_what_was_calm_moves_with_the_board_unless_that_only_seemed_to_move() -> None:
    for shown, at in ((KNOCK, AFTER), ((0.0, 0.0), board((212.0, 141.0)))):
        gate = Gate()
        gate.see(draw(LYING, 0), 0.0)
        before = Scene(board(), gate)
        gate.see(draw(replace(LYING, hand=(250.0, 140.0), shift=shown), 1), 0.1)
        after = Scene(at, gate)
        after.follow(before)
        [hand] = [thing for thing in after.things(DIE, swayed=False) if thing.hand]
        assert hand.area < 0.2 * 400 * 300
        assert after.is_covered(DIE)
        gate.see(draw(replace(Shot(THREE[:2]), shift=shown), 2), 0.2)
        assert not [thing for thing in after.things(DIE, swayed=False) if thing.hand]
        x, y = THREE[2].x + shown[0], THREE[2].y + shown[1]
        assert after.is_bare((x - 8, y - 8, x + 8, y + 8))


@pytest.mark.parametrize("thrown_again", [False, True])
def test_what_lies_there_once_a_lost_board_is_found_is_known_or_asked_about(thrown_again: bool) -> None:
    """Nothing is read while the board is lost, for however long hands are at work."""
    now = Shot(SECOND) if thrown_again else LYING
    busy = [replace(now, hand=(200.0 + n % 7, 190.0 + n % 5)) for n in range(420)] if thrown_again else still(now, 60)
    away = [*scooped(LYING), *throw(SECOND, after=3)] if thrown_again else []
    blocked = shifted([*still(LYING, 30), *away, *busy, *still(now, 30)], FAR)
    shots = [*still(LYING, 25), *knock(LYING, FAR), *blocked, *still(now, 60)]
    told = watch(shots, find_board=lambda _: None)
    assert [one.what for one in told if isinstance(one, Trouble)] == ["board_moved"]
    assert asked_or_told(told) == ([("unsure", (2, 2, 6))] if thrown_again else [])


@pytest.mark.parametrize("seconds", [2.0, 12.0])
def test_a_hand_that_lies_still_after_a_nudge_has_touched_nothing(seconds: float) -> None:
    """It leans on the table and covers a die, while the board is found again."""
    over = (250.0, 140.0)
    covered = replace(LYING, hand=over)
    shots = [
        *still(LYING, 25),
        *reach(LYING, over),
        *knock(covered),
        *shifted(still(covered, round(seconds * FPS))),
        *shifted(reach(LYING, over, back=True)),
        *shifted(still(LYING, 60)),
    ]
    told = watch(shots, find_board=lambda _: AFTER)
    assert set(words(told)) <= {"hand", "camera_trouble", "camera_well"}


def test_a_hand_that_lies_still_for_long_has_touched_nothing() -> None:
    over = (250.0, 140.0)
    covered = replace(LYING, hand=over)
    shots = [
        *still(LYING, 25),
        *reach(LYING, over),
        *still(covered, 360),
        *reach(LYING, over, back=True),
        *still(LYING, 60),
    ]
    assert set(words(watch(shots))) == {"hand"}


def test_a_die_that_a_lying_hand_took_away_is_told_once_the_hand_goes() -> None:
    over, fewer = (250.0, 140.0), Shot(THREE[:2])
    shots = [
        *still(LYING, 25),
        *reach(LYING, over),
        *still(replace(LYING, hand=over), 300),
        *reach(fewer, over, back=True),
        *still(fewer, 60),
    ]
    assert [word for word in words(watch(shots)) if word != "hand"] == ["touched"]


def test_dice_in_a_palm_that_lies_there_for_long_are_not_asked_about() -> None:
    palm = (200.0, 160.0)
    held = Shot(hand=palm, held=(Die(190, 165, 6), Die(208, 165, 6), Die(200, 182, 6)))
    shots = [*still(Shot(), 20), *reach(Shot(), palm), *still(held, 400), *reach(Shot(), palm, back=True)]
    assert set(words(watch([*shots, *still(Shot(), 40)]))) == {"hand"}
