"""Measuring the board finder: what is counted, and what is said of folders that cannot be measured."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import measure_board
from models.measure_board import main
from vision.board import Board
from vision.octagon import regular_octagon

WIDTH, HEIGHT = 640, 480
FELT = 360.0
CORNERS = (regular_octagon(FELT) + np.array([WIDTH / 2, HEIGHT / 2])).tolist()
RIM = (regular_octagon(430.0) + np.array([WIDTH / 2, HEIGHT / 2])).tolist()
SHOWN = {"image": "a.png", "dice": [], "board_px": {"floor": CORNERS, "rim_outer": RIM}}
BARE = {"image": "b.png", "dice": [], "board_px": None}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), np.full((HEIGHT, WIDTH, 3), 90, np.uint8))
    return tmp_path


def tell(folder: Path, text: str) -> None:
    (folder / "labels.json").write_text(text, "utf-8")


def test_boards_found_missed_and_seen_where_none_is_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(folder, json.dumps({"images": [SHOWN, BARE]}))
    felt, rim = (tuple((float(x), float(y)) for x, y in ring) for ring in (CORNERS, RIM))
    monkeypatch.setattr(measure_board, "find_board", lambda _: Board(WIDTH, HEIGHT, felt, rim))
    assert main([str(folder)]) == 0
    assert "within 0.2 of a die 1, further off 0, not found 0" in (told := capsys.readouterr().out)
    assert "found where there is none 1 of 1" in told
    monkeypatch.setattr(measure_board, "find_board", lambda _: None)
    assert main([str(folder)]) == 0
    assert "a.png: not found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "labels.json cannot be read: No such file"),
        ("{", "needs a list named images"),
        ("[]", "needs a list named images"),
        ('{"pictures": []}', "needs a list named images"),
        ('{"images": 3}', "does not tell of each picture"),
        ('{"images": [{"dice": []}]}', "does not tell of each picture"),
        (json.dumps({"images": [{**SHOWN, "board_px": {"rim_outer": RIM}}]}), "does not tell of each picture"),
        (json.dumps({"images": [{**SHOWN, "board_px": {"floor": CORNERS[:7]}}]}), "does not tell of each picture"),
        (json.dumps({"images": [{"image": "a.png", "board_px": SHOWN["board_px"]}]}), "does not tell of each picture"),
        (json.dumps({"images": [{**BARE, "image": "gone.png"}]}), "none of the pictures"),
        ('{"images": []}', "none of the pictures"),
    ],
)
def test_a_folder_that_cannot_be_measured_is_said_to_be(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str | None, said: str
) -> None:
    if text is not None:
        tell(folder, text)
    assert main([str(folder)]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert str(folder) in told.err
    assert told.out == ""


def test_a_folder_that_is_not_there_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err
