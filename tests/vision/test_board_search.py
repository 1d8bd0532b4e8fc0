"""Searching for a board: what ends it, and what is not looked at again."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from board_drawing import Scene, draw

from vision import board_search
from vision.board_fit import Fit
from vision.board_net import board_maps
from vision.board_search import best_fit

SCENE = Scene()
DOUBTFUL = (0.82, 0.81, 0.5)  # how its edges are told, of a board that may not be the best that is seen


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return draw(SCENE)


@pytest.fixture(scope="module")
def right(picture: np.ndarray) -> np.ndarray:
    fit = best_fit(picture)
    assert fit is not None
    return fit.parameters


def fit_told(p: np.ndarray, told: tuple[float, float, float], support: float = 0.75) -> Fit:
    return Fit(p, np.full((3, 24), support), np.ones((3, 24), bool), support, 0.1, 0.8, told)


def test_a_search_ends_with_the_first_board_that_is_well_told(
    picture: np.ndarray, right: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(*_: object) -> Iterator[Fit]:
        yield fit_told(right, DOUBTFUL)
        raise AssertionError("searched on")

    monkeypatch.setattr(board_search, "_followed", lambda *_: iter([]))
    monkeypatch.setattr(board_search, "_searched", search)
    fit = best_fit(picture)
    assert fit is not None
    assert fit.rim_told > 0.9


def test_a_search_goes_on_until_one_is_well_told(
    picture: np.ndarray, right: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = right + np.array([0, 0.2, 0, 0, 90, 60, -0.4, 0, 0, 0, 0])
    monkeypatch.setattr(board_search, "_followed", lambda *_: iter([]))
    monkeypatch.setattr(
        board_search, "_searched", lambda *_: iter([fit_told(nowhere, DOUBTFUL), fit_told(right, DOUBTFUL)])
    )
    fit = best_fit(picture)
    assert fit is not None
    assert fit.rim_told > 0.9


def test_of_two_boards_seen_alike_the_one_that_is_told_better_by_all_its_edges_is_chosen(
    picture: np.ndarray, right: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = fit_told(right, (0.81, 0.67, 0.66), support=0.6)
    found = fit_told(right, (0.82, 0.91, 0.64), support=0.6)  # its worst edge is a hair's breadth worse
    monkeypatch.setattr(board_search, "_followed", lambda *_: iter([begun]))
    monkeypatch.setattr(board_search, "_searched", lambda *_: iter([found]))
    monkeypatch.setattr(board_search, "_settled", lambda *_: found)
    assert best_fit(picture) is found


def test_an_outline_that_gives_the_same_board_again_is_followed_no_further(
    picture: np.ndarray, right: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_search, "_settled", lambda *_: fit_told(right, DOUBTFUL))
    given = list(board_search._followed(picture, board_maps(picture)))
    assert len(given) == 5  # of the first outline two, of each of the others one


def test_where_the_net_sees_an_outline_few_others_are_looked_at(
    picture: np.ndarray, right: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    poor = fit_told(right, (0.0, 0.0, 0.0), support=0.2)
    looked: list[int] = []

    def near(*_: object) -> Fit:
        looked.append(1)
        return poor

    monkeypatch.setattr(board_search, "_fit_near", near)
    monkeypatch.setattr(board_search, "_bred", lambda *_: poor)
    monkeypatch.setattr(board_search, "guess_boards", lambda _: [SimpleNamespace(corners=right)] * 3)
    monkeypatch.setattr(board_search, "_blind_guesses", lambda _: pytest.fail("looked blindly"))
    list(board_search._guessed(picture, board_maps(picture), np.array(SCENE.rim_px)))
    assert len(looked) == 2  # what the net sees, and one guess
