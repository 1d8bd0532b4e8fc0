"""Labelled photographs made into a set to train on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.train import canvases, chips, labels, photos
from vision.crops import FACES, KINDS, Kind
from vision.faces import Face
from vision.nets import Spot

EDGE = 40.0


def seen(x: float, y: float, number: int) -> Face:
    """A face read at a place."""
    shares = np.full(FACES + len(KINDS), 0.01, np.float32)
    shares[number - 1] = 1.0
    half = EDGE / 2
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + np.array((x, y))
    shares /= shares.sum()
    return Face(Spot((x, y), EDGE, 0.9), shares, shares[None], (number,), corners, corners[None], np.zeros((1, 2)))


class Reader:
    """Finds what it is told, believes dice of which it is told how much."""

    faces_there: tuple[tuple[Face, float], ...] = ()

    def __init__(self, folder: Path) -> None:
        del folder

    def faces(self, picture: object, die_px: float | None = None) -> tuple[list[Face], float]:
        return [face for face, _ in self.faces_there], 0.0

    def of_die(self, face: Face, usual: float) -> float:
        return next(p for known, p in self.faces_there if known is face)

    def of_face(self, face: Face) -> float:
        return 0.99


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a set of one photograph with these labels, in which these faces are found with these likelihoods."""

    def make(dice: list[dict[str, Any]], found: list[tuple[Face, float]], name: str = "cafe", **meta: str) -> Path:
        folder, out = tmp_path / name, tmp_path / "out" / name
        folder.mkdir()
        cv2.imwrite(str(folder / "a.png"), np.full((400, 400, 3), 90, np.uint8))
        told = {"source": "us", "licence": "MIT", "box_means": "whole die", **meta}
        (folder / "labels.json").write_text(json.dumps({**told, "images": [{"image": "a.png", "dice": dice}]}))
        monkeypatch.setattr(photos, "DiceDetector", type("Told", (Reader,), {"faces_there": tuple(found)}))
        photos.photos(folder, out, tmp_path)
        return out

    return make


def box(x: float, y: float, side: float = 50.0) -> list[float]:
    return [x - side / 2, y - side / 2, x + side / 2, y + side / 2]


def test_a_die_that_was_found_has_the_found_top_and_the_labelled_face(made: Any) -> None:
    out = made([{"face": 4, "box": box(100, 100)}], [(seen(103, 98, 4), 0.99)])
    (die,) = labels.load(out)[0].dice
    assert die.kind == 3
    assert die.center == (103.0, 98.0)
    assert die.shaped
    assert die.edge == EDGE


def test_a_die_that_was_not_found_is_learnt_from_without_a_shape(made: Any, tmp_path: Path) -> None:
    out = made([{"face": 4, "box": box(100, 100)}], [])
    (die,) = labels.load(out)[0].dice
    assert (die.kind, die.visible, die.shaped) == (3, 1.0, False)
    stock = chips.gather(out, tmp_path / "cache")
    batch = next(chips.batches(stock, 32, np.random.default_rng(1)))
    assert (batch.kind == 3).any()
    assert not batch.has_shape.any()
    assert not batch.has_pips[batch.kind == 3].any()


def test_a_pip_is_not_taken_for_the_die_that_is_labelled(made: Any) -> None:
    out = made([{"face": 1, "box": box(100, 100, 160.0)}], [(seen(100, 100, 1), 0.99)])
    (die,) = labels.load(out)[0].dice
    assert not die.shaped
    assert die.edge > 100


def test_what_is_surely_read_otherwise_than_labelled_is_not_learnt_from(made: Any, tmp_path: Path) -> None:
    out = made([{"face": 4, "box": box(100, 100)}], [(seen(100, 100, 6), 0.99)])
    (die,) = labels.load(out)[0].dice
    assert die.visible == 0.0
    assert not (chips.gather(out, tmp_path / "cache").kind < FACES).any()


@pytest.mark.parametrize(
    ("place", "likely", "ground"),
    [
        ((300.0, 300.0), 0.4, True),
        ((300.0, 300.0), 0.97, False),  # perhaps a die that nobody labelled
        ((130.0, 130.0), 0.4, False),  # a part of the labelled die
    ],
)
def test_what_nobody_labelled_is_ground_or_left_alone(
    made: Any, place: tuple[float, float], likely: float, ground: bool
) -> None:
    out = made([{"face": 4, "box": box(100, 100)}], [(seen(100, 100, 4), 0.99), (seen(*place, 2), likely)])
    told = labels.load(out)[0]
    assert [place.kind for place in told.ground] == [Kind.NOTHING] * ground
    assert sum(die.visible == 0.0 for die in told.dice) == (not ground)


def test_where_dice_with_symbols_lie_unlabelled_nothing_is_ground(made: Any) -> None:
    dice = [{"face": 4, "box": box(100, 100)}]
    out = made(dice, [(seen(100, 100, 4), 0.99), (seen(300, 300, 2), 0.4)], name="x__lens_gray_overhead")
    assert labels.load(out)[0].ground == ()


def test_faces_without_places_are_given_to_what_was_found_where_they_agree(made: Any) -> None:
    dice = [{"face": 4, "box": None}, {"face": 2, "box": None}]
    values = "none: values only"
    agreed = made(dice, [(seen(100, 100, 2), 0.99), (seen(300, 300, 4), 0.99)], box_means=values)
    assert sorted(die.kind for die in labels.load(agreed)[0].dice) == [1, 3]
    assert labels.load(made(dice, [(seen(100, 100, 2), 0.99)], name="other", box_means=values)) == []


def test_ground_is_searched_as_ground(made: Any, tmp_path: Path) -> None:
    found = [(seen(100, 100, 4), 0.99), (seen(300, 300, 2), 0.4)]
    stock = canvases.gather(made([{"face": 4, "box": box(100, 100)}], found), tmp_path / "cache")
    assert len(stock.dice[0]) == 1
