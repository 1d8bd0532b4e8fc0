"""Measuring nudges: a painted board that jumps is noticed and followed, one that lies still is not."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import measure_nudge
from models.measure_nudge import Nudge, follow, nudges
from vision.board import Board
from vision.octagon import regular_octagon

WIDTH, HEIGHT = 960, 720
FELT = 500.0
DIE_PX = FELT / 360 * 16


def corners(across: float) -> np.ndarray:
    return regular_octagon(across, 0.2) + np.array([WIDTH / 2, HEIGHT / 2])


def painted() -> np.ndarray:
    """A board from straight above: brown rim on grey, grey wall, green floor."""
    picture = np.full((HEIGHT, WIDTH, 3), 140, np.uint8)
    for across, colour in ((600.0, (60, 90, 140)), (520.0, (90, 90, 90)), (FELT, (30, 110, 40))):
        cv2.fillPoly(picture, [np.round(corners(across) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return picture


@pytest.fixture
def board() -> Board:
    felt, rim = (tuple((float(x), float(y)) for x, y in corners(across)) for across in (FELT, 600.0))
    return Board(WIDTH, HEIGHT, felt, rim, rim_height=0.1, opening=1.0)


@pytest.mark.parametrize("nudge", [Nudge(9.0, 30.0, 0.0), Nudge(15.0, 200.0, 3.0)])
def test_a_nudge_is_noticed_and_the_board_right_again(board: Board, nudge: Nudge) -> None:
    told = follow(painted(), board, corners(FELT), DIE_PX, nudge, within_s=600)
    assert told.noticed
    assert told.right_after is not None
    assert not told.false_alarm
    assert not told.wrong


def test_what_the_watch_never_sees_is_told(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_nudge, "find_board", lambda picture: None)
    still = follow(painted(), board, corners(FELT), DIE_PX, Nudge(0.0, 0.0, 0.0))
    assert not still.noticed
    assert still.right_after is None
    assert not still.wrong
    far = follow(painted(), board, corners(FELT), DIE_PX, Nudge(40.0, 0.0, 10.0))
    assert far.noticed
    assert far.right_after is None


def test_a_nudge_moves_by_its_millimetres(board: Board) -> None:
    matrix = Nudge(20.0, 90.0, 0.0).matrix(board)
    assert matrix @ np.array([100.0, 50.0, 1.0]) == pytest.approx([100.0, 50.0 + 20 * board.px_per_mm])
    turned = Nudge(0.0, 0.0, 5.0).matrix(board)
    assert turned @ np.array([WIDTH / 2, HEIGHT / 2, 1.0]) == pytest.approx([WIDTH / 2, HEIGHT / 2])


def test_nudges_are_as_wide_as_told_and_every_other_turns() -> None:
    told = list(nudges(40, 3))
    assert all(5 <= one.mm <= 40 for one in told)
    assert [abs(one.turn_deg) >= 1 for one in told] == [False, True] * 20


def test_folders_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), painted())
    cv2.imwrite(str(tmp_path / "b.png"), np.full((HEIGHT, WIDTH, 3), 90, np.uint8))
    told = [
        {"image": "a.png", "dice": [], "board_px": {"floor": corners(FELT).tolist()}},
        {"image": "b.png", "dice": [], "board_px": None},
    ]
    (tmp_path / "labels.json").write_text(json.dumps({"images": told}), "utf-8")
    felt, rim = (tuple((float(x), float(y)) for x, y in corners(across)) for across in (FELT, 600.0))
    known = Board(WIDTH, HEIGHT, felt, rim, rim_height=0.1, opening=1.0)
    monkeypatch.setattr(measure_nudge, "find_board", lambda picture: known)
    monkeypatch.setattr("sys.argv", ["measure_nudge", str(tmp_path), "--nudges", "2"])
    assert measure_nudge.main() == 0
    assert "nudges 2: noticed 2" in capsys.readouterr().out


def test_a_folder_without_labels_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure_nudge.main([str(tmp_path / "nowhere")]) == 2
    assert "labels.json cannot be read" in capsys.readouterr().err
