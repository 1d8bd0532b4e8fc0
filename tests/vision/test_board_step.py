"""A step of boards towards their edges: what no edge tells stays what boards usually are."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board_model import BEFORE, DEPTH, FLOOR, INNER_EDGE, outlines, ratios
from vision.board_step import slopes, stepped
from vision.side_profiles import look_across

WIDTH, HEIGHT = 640, 480


def test_walls_that_are_not_seen_stand_upright() -> None:
    board = np.array([[0.2, 0.3, 0.1, -0.1, 330.0, 230.0, np.log(150.0), -0.03, 1.2, 0.985, 0.16]])
    profiles = look_across(np.zeros((HEIGHT, WIDTH, 3), np.uint8), outlines(board, WIDTH, HEIGHT)[0, INNER_EDGE])
    for _ in range(4):
        ratio = ratios(board, profiles, WIDTH, HEIGHT)
        slope = slopes(board, ratio, profiles, WIDTH, HEIGHT)
        board = stepped(board, slope, np.zeros_like(ratio), np.zeros_like(ratio))
    assert board[0, FLOOR] == pytest.approx(1.0, abs=0.003)  # of the rim's opening
    assert board[0, DEPTH] == pytest.approx(BEFORE[DEPTH][0], abs=1e-3)
