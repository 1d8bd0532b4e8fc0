"""How far a read is trusted, and what many finds of one die come to."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest

from vision.crops import FACES, KINDS, Kind
from vision.detector import DiceDetector, apart, die_px_of, of_one_size
from vision.errors import VisionError
from vision.faces import Face, credible, pip_count, told_corners
from vision.level import Lie
from vision.nets import Spot
from vision.reader import FACE_AT, SURE_AT
from vision.reading import Pose, Problem
from vision.trust import UNFITTED, Trust, second


def face(
    value: int = 4, share: float = 0.98, x: float = 50.0, y: float = 50.0, edge: float = 20.0, nothing: float = 0.005
) -> Face:
    shares = np.full(FACES + len(KINDS), (1 - share - nothing) / 8, np.float32)
    shares[value - 1] = share
    shares[Kind.NOTHING] = nothing
    h = edge / 2
    corners = np.array([[x - h, y - h], [x + h, y - h], [x + h, y + h], [x - h, y + h]])
    return Face(
        Spot((x, y), edge, 0.9), shares, np.stack([shares] * 4), (value,) * 4, corners, corners[None], np.zeros((4, 2))
    )


@pytest.mark.parametrize(
    "worse",
    [
        {"pips": (5, 5, 4, 6)},
        {"shares": face(share=0.6).shares},
    ],
)
def test_each_sign_against_a_read_makes_it_less_likely(worse: dict[str, object]) -> None:
    trust = UNFITTED
    assert trust.of_face(replace(face(), **worse)) < trust.of_face(face())  # type: ignore[arg-type]


def test_a_find_of_another_size_than_the_others_is_less_likely_a_die() -> None:
    assert UNFITTED.of_die(face(), 32.0) < UNFITTED.of_die(face(), 20.0)


def test_a_top_that_looks_off_level_or_stacked_is_less_likely_to_lie_level() -> None:
    trust, shares = UNFITTED, face().shares.copy()
    shares[Kind.STACKED] += 0.3
    assert trust.of_level(face(), Lie(0.3)) < trust.of_level(face(), Lie(0.1)) < trust.of_level(face())
    assert trust.of_level(face(), Lie(0.1, by_wall=1.0)) < trust.of_level(face(), Lie(0.1))
    assert trust.of_level(replace(face(), shares=shares)) < trust.of_level(face())


@pytest.mark.parametrize(
    "told",
    [None, [1.0], {"die": [1.0] * 5}, {**asdict(UNFITTED), "other": [1.0]}, {**asdict(UNFITTED), "face": [1.0, 2.0]}],
)
def test_weights_that_do_not_fit_are_refused(told: object) -> None:
    with pytest.raises(VisionError, match="made for another version"):
        Trust.told(told)
    assert Trust.told(asdict(UNFITTED)) == UNFITTED


@pytest.mark.parametrize("share", [0.85, 0.99])
@pytest.mark.parametrize(
    ("kind", "pose", "problem"),
    [
        (Kind.SYMBOL, Pose.FLAT, Problem.SYMBOL),
        (Kind.COCKED, Pose.COCKED, Problem.COCKED),
        (Kind.STACKED, Pose.STACKED, Problem.STACKED),
    ],
)
def test_what_the_nets_refuse_is_no_face_however_seldom_it_is(
    kind: Kind, pose: Pose, problem: Problem, share: float
) -> None:
    shares = np.full(FACES + len(KINDS), 1e-3, np.float32)
    shares[3], shares[kind] = 1 - share, share
    told = replace(face(), shares=shares / shares.sum())
    for on_board in (False, True):
        found = DiceDetector()._found(told, 20.0, Lie(), on_board)
        assert (found.confidence, found.pose, found.why) == (0.0, pose, (problem,))


def test_what_looks_stacked_but_is_likelier_level_is_read_and_not_sure() -> None:
    shares = np.full(FACES + len(KINDS), 1e-3, np.float32)
    shares[3], shares[Kind.STACKED] = 0.48, 0.52
    detector = DiceDetector()
    detector._trust = UNFITTED
    found = detector._found(replace(face(), shares=shares / shares.sum()), 20.0, Lie())
    assert (found.face, found.pose, found.why) == (4, Pose.FLAT, ())
    assert FACE_AT < found.confidence < SURE_AT


def test_second_is_the_next_likely_face() -> None:
    told = face(6)
    shares = told.shares.copy()
    shares[1] = 0.2
    assert second(replace(told, shares=shares)) == 2


def test_two_finds_of_one_die_are_one_and_touching_dice_are_two() -> None:
    kept = apart([face(2, 0.6, x=52), face(4, 0.98, x=50), face(3, 0.9, x=71)], lambda face, usual: 0.5, 20.0)
    assert [f.face for f in kept] == [4, 3]


def test_of_two_finds_of_one_die_that_counts_which_is_a_die_beyond_doubt() -> None:
    well_met, cut_from_within = face(4, 0.81, x=50), face(4, 0.95, x=52, edge=13)
    chances = {id(well_met): 0.99, id(cut_from_within): 0.79}
    kept = apart([cut_from_within, well_met], lambda face, usual: chances[id(face)], 20.0)
    assert kept == [well_met]


def test_what_most_dice_agree_on_is_their_size() -> None:
    dice = [face(edge=20), face(edge=22), face(edge=21), face(edge=6, share=0.4), face(edge=50, share=0.5)]
    assert die_px_of(dice) == pytest.approx(21, abs=0.5)
    assert [round(f.edge) for f in of_one_size(dice, lambda face, usual: 0.5)] == [20, 22, 21]


def test_what_is_a_die_beyond_doubt_stays_though_the_others_are_smaller() -> None:
    dice = [face(edge=20), face(edge=22), face(edge=21), face(edge=70, x=150)]
    kept = of_one_size(dice, lambda face, usual: 0.95 if face.edge > 60 else 0.5)
    assert [round(f.edge) for f in kept] == [20, 22, 21, 70]


def test_without_dice_there_is_no_size() -> None:
    assert die_px_of([]) is None
    assert of_one_size([], lambda face, usual: 0.5) == []


@pytest.mark.parametrize("wrong", [face(x=62.0).corners, face(edge=40.0).corners, np.full((4, 2), np.nan)])
def test_a_top_found_far_from_where_it_was_looked_for_is_not_believed(wrong: np.ndarray) -> None:
    spot = Spot((50.0, 50.0), 20.0, 0.9)
    right = face(x=52.0, edge=22.0).corners
    assert np.array_equal(credible(right, spot), right)
    assert np.array_equal(credible(wrong, spot), face().corners)


def test_pips_are_counted_one_by_one() -> None:
    heat = np.zeros((32, 32), np.float32)
    for y, x in ((5, 5), (5, 8), (20, 20)):
        heat[y, x] = 0.9
    heat[25, 25] = 0.2
    assert pip_count(heat) == 3


def test_corners_are_the_later_looks_and_begin_where_the_first_one_s_do() -> None:
    first, second, third = (face(x=x, edge=edge).corners for x, edge in ((50.0, 20.0), (52.0, 24.0), (54.0, 26.0)))
    told = told_corners(np.stack([first, np.roll(second, 3, axis=0), np.roll(third, 1, axis=0)]))
    assert told == pytest.approx(face(x=53.0, edge=25.0).corners)
