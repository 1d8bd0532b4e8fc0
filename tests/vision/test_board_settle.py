"""Settling a board: one that was put on a wrong edge goes to the edges that the edge net tells."""

from __future__ import annotations

import numpy as np
import pytest
from board_drawing import HEIGHT, WIDTH, Scene, corner_error, draw

from vision import board_search
from vision.board_fit import Fit
from vision.board_model import DEPTH, FLOOR_EDGE, OUTER, OUTER_EDGE, SIZE, X, outlines
from vision.board_search import best_fit
from vision.board_settle import followed, settled
from vision.find_board import is_sure

SCENE = Scene()


@pytest.fixture(scope="module")
def found() -> tuple[np.ndarray, np.ndarray]:
    picture = draw(SCENE)
    fit = best_fit(picture)
    assert fit is not None
    return picture, fit.parameters


@pytest.mark.parametrize(("column", "off"), [(DEPTH, 0.09), (DEPTH, -0.09), (OUTER, 0.06), (SIZE, 0.04), (X, 12.0)])
def test_a_board_on_a_wrong_edge_goes_to_the_right_one(
    found: tuple[np.ndarray, np.ndarray], column: int, off: float
) -> None:
    picture, right = found
    wrong = right.copy()
    wrong[column] += off
    fit = settled(picture, followed(picture, followed(picture, wrong)))
    floor, rim = (outlines(fit.parameters[None], WIDTH, HEIGHT)[0, layer] for layer in (FLOOR_EDGE, OUTER_EDGE))
    assert corner_error(floor, SCENE.felt_px) < 0.2 * SCENE.die_px
    assert corner_error(rim, SCENE.rim_px) < 0.2 * SCENE.die_px
    assert min(fit.told) > 0.3


def test_where_nothing_is_seen_nothing_is_told(found: tuple[np.ndarray, np.ndarray]) -> None:
    _, right = found
    grey = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    assert min(settled(grey, right).told) < 0.1


def test_a_board_whose_edges_are_told_is_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def searched(*_: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr(board_search, "_searched", searched)
    fit = best_fit(draw(SCENE))
    assert fit is not None
    assert is_sure(fit)


@pytest.mark.parametrize(
    ("support", "agreed", "told", "sure"),
    [
        ((0.9, 0.9, 0.8), 0.7, 0.0, True),  # seen well, and where the board net has it
        ((0.9, 0.9, 0.8), 0.1, 0.0, False),  # not where either net has it
        ((0.9, 0.9, 0.8), 0.1, 0.9, True),  # the board net is mistaken
        ((0.75, 0.75, 0.65), 0.7, 0.5, False),  # seen poorly
        ((0.75, 0.75, 0.65), 0.7, 0.9, True),  # but each edge where it is told
        ((0.9, 0.9, 0.1), 0.7, 0.5, False),  # a floor that is not seen
        ((0.9, 0.9, 0.1), 0.7, 0.9, True),  # but told
        ((0.4, 0.4, 0.4), 0.7, 1.0, False),  # what no edge bears out
        ((0.68, 0.76, 0.84), 0.9, (0.5, 0.72, 0.65), False),  # a tray of twelve sides
        ((0.9, 0.9, 0.1), 0.7, (0.95, 0.9, 0.5), True),  # a floor that is told by half, in a rim that is surely one
        ((0.9, 0.9, 0.1), 0.7, (0.95, 0.9, 0.3), False),  # one that is hardly told
        ((0.9, 0.9, 0.1), 0.7, (0.95, 0.75, 0.5), False),  # or in a rim that may be none
        ((0.65, 0.6, 0.3), 0.7, (0.95, 0.9, 0.4), True),  # a hand over three sides, the rim told all round
        ((0.65, 0.6, 0.5), 0.7, (0.95, 0.76, 0.8), False),  # one edge of which is not: as trays of other shapes
    ],
)
def test_a_board_is_relied_on_by_what_is_seen_and_told(
    support: tuple[float, ...], agreed: float, told: float | tuple[float, ...], sure: bool
) -> None:
    told = told if isinstance(told, tuple) else (told, told, told)
    pieces = np.repeat(np.array(support)[:, None], 24, axis=1)
    fit = Fit(np.zeros(11), pieces, pieces > 0, 0.0, 0.1, agreed, told)
    assert is_sure(fit) is sure
