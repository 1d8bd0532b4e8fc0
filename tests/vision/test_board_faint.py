"""Boards of which a part is hidden or hardly seen, in rendered pictures: each was once lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from board_drawing import corner_error

from vision import board_search
from vision.board_fit import Fit
from vision.board_net import BoardMaps
from vision.board_search import best_fit
from vision.find_board import find_board

FOLDER = Path(__file__).parents[1] / "data" / "boards"
BOARDS: dict[str, dict[str, Any]] = {
    label["image"]: label for label in json.loads((FOLDER / "labels.json").read_text("utf-8"))["images"]
}


def picture_of(name: str) -> np.ndarray:
    picture = cv2.imread(str(FOLDER / name))
    assert picture is not None
    return np.asarray(picture, np.uint8)


@pytest.mark.parametrize(
    "name",
    [
        "board_0390108.jpg",  # a hand and a gleam: the outline of all that may be a board lies far off
        "board_0600173.jpg",  # the floor and the wall are both black, and a hand: only the rim is surely seen
    ],
)
def test_every_corner_of_the_felt_is_found_within_a_fifth_of_a_die(name: str) -> None:
    label = BOARDS[name]
    board = find_board(picture_of(name))
    assert board is not None
    assert corner_error(board.felt, np.array(label["floor"])) < 0.2 * label["die_px"]


def test_only_what_is_surely_a_board_counts_in_raised_maps() -> None:
    maps = BoardMaps(np.array([[[5.0, 1.0]]] * 3, np.float32), (8.0, 8.0))
    assert (maps.raised(2.0).logits > 0).tolist() == [[[True, False]]] * 3
    assert maps.raised(2.0).scale == maps.scale


@pytest.mark.parametrize(
    ("told", "is_searched"),
    [
        ((0.95, 0.93, 0.75), False),
        ((0.95, 0.91, 0.5), False),  # the floor is told by half, as where it is black: a search finds none better
        ((0.95, 0.91, 0.3), True),
        ((0.95, 0.88, 0.75), True),
    ],
)
def test_a_board_that_is_told_well_but_seen_faintly_is_not_searched_for(
    monkeypatch: pytest.MonkeyPatch, told: tuple[float, ...], is_searched: bool
) -> None:
    faint = np.full((3, 24), 0.65)
    fit = Fit(np.zeros(11), faint, faint > 0, 0.6, 0.1, 0.7, told)
    searched: list[bool] = []
    monkeypatch.setattr(board_search, "_followed", lambda *_: iter([fit]))
    monkeypatch.setattr(board_search, "_searched", lambda *_: searched.append(True) or iter(()))
    monkeypatch.setattr(board_search, "corners_of", lambda *_: None)
    assert best_fit(picture_of("board_0390108.jpg")) is fit
    assert bool(searched) is is_searched
