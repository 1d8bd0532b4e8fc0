"""Noticing that a known board was nudged, and that it was not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from board_drawing import Scene, draw

from vision.board import Board
from vision.board_moved import board_moved
from vision.find_board import find_board

SCENE = Scene(table="marble", felt=(30, 30, 150), wall=(60, 100, 140), tilt=10.0)


@pytest.fixture(scope="module")
def known() -> tuple[Board, np.ndarray]:
    picture = draw(SCENE)
    board = find_board(picture)
    assert board is not None
    return board, picture


def moved(picture: np.ndarray, right: float, down: float, turn: float = 0.0) -> np.ndarray:
    height, width = picture.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), -turn, 1.0)
    way[:, 2] += right, down
    return cv2.warpAffine(picture, way, (width, height), borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize(("mm", "angle"), [(5, 0.0), (5, 2.0), (8, 4.0), (15, 1.0), (22, 5.0)])
def test_a_nudge_is_noticed_and_measured(known: tuple[Board, np.ndarray], mm: float, angle: float) -> None:
    board, picture = known
    shift = board_moved(board, moved(picture, *(mm * board.px_per_mm * np.array([np.cos(angle), np.sin(angle)]))))
    assert shift.moved
    assert not shift.lost
    assert shift.mm == pytest.approx(mm, abs=1.5)


def test_a_turned_board_is_noticed(known: tuple[Board, np.ndarray]) -> None:
    board, picture = known
    shift = board_moved(board, moved(picture, 0, 0, turn=4.0))
    assert shift.moved
    assert shift.turn_deg == pytest.approx(4.0, abs=1.5)


def test_light_dice_and_an_arm_are_no_nudge(known: tuple[Board, np.ndarray]) -> None:
    board, picture = known
    for other in (
        picture,
        cv2.convertScaleAbs(picture, alpha=0.5),
        cv2.convertScaleAbs(picture, alpha=1.2, beta=10),
        draw(replace(SCENE, seed=5)),
        draw(replace(SCENE, seed=6, arm=True)),
        moved(picture, 1.0, -1.0),
    ):
        shift = board_moved(board, np.asarray(other, np.uint8))
        assert not shift.moved
        assert shift.seen > 0.5


def test_a_board_that_is_gone_is_lost(known: tuple[Board, np.ndarray]) -> None:
    board, picture = known
    for other in (np.full_like(picture, 90), np.zeros_like(picture)):
        shift = board_moved(board, other)
        assert shift.lost
        assert shift.moved


def test_where_all_is_felt_nothing_moves() -> None:
    assert not board_moved(Board.whole(64, 48), np.zeros((48, 64, 3), np.uint8)).moved
