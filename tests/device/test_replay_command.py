"""`pietjesoog replay`: what happened in a recording, and what became of the score."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cli import main
from device.commands import replay as command
from device.film import Film
from tests.waiting import PATIENCE_S
from vision.board import Board
from vision.frame import Frame, Picture
from vision.reading import BoardReading, DieReading, Where

SIZE = (240, 180)
EDGE = 14.0
Place = tuple[float, float]
FIRST: tuple[Place, ...] = ((70.0, 60.0), (120.0, 100.0), (170.0, 70.0))
SECOND: tuple[Place, ...] = ((60.0, 120.0), (130.0, 50.0), (180.0, 120.0))


def drawn(places: tuple[Place, ...], index: int) -> Picture:
    """Felt with light squares for dice; each has a mark in its middle, so that it is seen to turn."""
    noise = np.random.default_rng(index).normal(0, 1.5, (SIZE[1], SIZE[0], 1))
    canvas = np.full((SIZE[1], SIZE[0], 3), (70, 110, 50), np.uint8)
    for x, y in places:
        angle = (x + 2 * y) * pi / 90
        c, s = cos(angle) * EDGE / 1.42, sin(angle) * EDGE / 1.42
        corners = np.array([(x + c, y + s), (x - s, y + c), (x - c, y - s), (x + s, y - c)])
        cv2.fillPoly(canvas, [np.round(corners * 16).astype(np.int32)], (215, 230, 235), cv2.LINE_AA, 4)
        cv2.circle(canvas, (round(x), round(y)), 2, (20, 20, 20), -1)
    return np.clip(canvas + noise, 0, 255).astype(np.uint8)


def rolling(places: tuple[Place, ...], frames: int = 14) -> list[tuple[Place, ...]]:
    shots = []
    for n in range(frames):
        rest = (1 - (n + 1) / (frames + 1)) ** 2
        shots.append(tuple((x + (110 + 20 * k - x) * rest, y + (165 - y) * rest) for k, (x, y) in enumerate(places)))
    return shots


SHOTS: list[tuple[Place, ...]] = [
    *[()] * 14,
    *rolling(FIRST),
    *[FIRST] * 22,
    *[()] * 22,
    *rolling(SECOND),
    *[SECOND] * 22,
]
FACES: dict[tuple[Place, ...], tuple[int, ...]] = {FIRST: (1, 4, 5), SECOND: (2, 2, 3)}


class Knowing:
    """Reads what the shot of the frame shows."""

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        shot = SHOTS[frame.index]
        faces = FACES.get(shot, (6,) * len(shot))
        return BoardReading(tuple(self._die(place, face) for place, face in zip(shot, faces, strict=True)))

    def _die(self, place: Place, face: int) -> DieReading:
        (x, y), h = place, EDGE / 2
        corners = ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))
        return DieReading(face, 0.999, None, (x - h, y - h, x + h, y + h), corners, Where.INSIDE)


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of pictures: two throws, 1 4 5 and 2 2 3."""
    monkeypatch.setattr(command, "Reader", Knowing)
    folder = tmp_path / "evening"
    folder.mkdir()
    for index, shot in enumerate(SHOTS):
        (folder / f"{index}.png").write_bytes(
            cv2.imencode(".png", drawn(shot, index), [cv2.IMWRITE_PNG_COMPRESSION, 0])[1].tobytes()
        )
    return folder


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, list[Any]]:
    status = main(["replay", *map(str, args)])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_throws_are_told_in_the_words_of_the_contract(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, "--board", "whole", "--dice", 3, "--json", evening)
    assert status == 0
    throws = [line for line in lines if line["event"] == "throw"]
    assert [(line["dice"], line["outside"], line["rim"], line["sure"]) for line in throws] == [
        ([1, 4, 5], 0, 0, True),
        ([2, 2, 3], 0, 0, True),
    ]
    assert throws[0]["settled_at"] == pytest.approx(28 / 30, abs=0.1)
    assert 0 < throws[0]["t"] - throws[0]["settled_at"] < 0.7
    assert [line["event"] for line in lines].count("lifted") == 1
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)


def test_another_number_of_dice_is_unsure(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, "--board", "whole", "--dice", 2, "--json", evening)
    assert status == 0
    assert not [line for line in lines if line["event"] == "throw"]
    assert [line["why"] for line in lines if line["event"] == "unsure"] == [["count"], ["count"]]


def test_with_a_game_each_throw_has_its_state(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--board", "whole", "--game", "pietjesbak", "--players", "Ann,Bob", "--json", evening)
    status, lines = run(capsys, *args)
    assert status == 0
    after = [lines[n + 1] for n, line in enumerate(lines) if line["event"] == "throw"]
    assert [line["event"] for line in after] == ["state", "state"]
    assert after[0]["state"]["turn"][0]["dice"] == [1, 4, 5]
    assert (after[0]["state"]["opener"], after[0]["state"]["to_throw"]) == ("Ann", "Ann")
    assert after[1]["state"]["throws"] == 2


def test_marks_are_pressed_at_their_time_and_a_refused_one_is_told(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = {
        "board": "whole",
        "game": "pietjesbak",
        "players": ["Ann", "Bob"],
        "marks": [{"t": 0.1, "do": "stop"}, {"t": 1.6, "do": "stop"}, {"t": 1.7, "do": "dance"}],
    }
    (evening / "recording.json").write_text(json.dumps(notes), "utf-8")
    status, lines = run(capsys, "--json", evening)
    assert status == 0
    early, late = [line for line in lines if line["event"] == "error"]
    assert 0.1 <= early["t"] < 0.5  # it waits for the first look at the board
    assert (late["t"], late["error"]["reason"]) == (1.7, "unknown_event")
    assert early["error"]["reason"]
    [stopped] = [line for line in lines if line["event"] == "state" and line["t"] == 1.6]
    assert stopped["state"]["to_throw"] == "Bob"


def test_the_command_line_beats_the_notes(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = {"board": "auto", "game": "pig", "players": ["X", "Y"], "fps": 30, "dice": 1, "opener": "Y"}
    (evening / "recording.json").write_text(json.dumps(notes), "utf-8")
    args = ("--board", "whole", "--game", "pietjesbak", "--players", "Ann,Bob", "--opener", "Bob", "--json", evening)
    status, lines = run(capsys, *args)
    assert status == 0
    assert lines[0]["state"]["game"] == "pietjesbak"
    assert lines[0]["state"]["opener"] == "Bob"


def test_options_are_json_or_words_and_the_roll_off_can_be_asked_for(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ("--board", "whole", "--game", "pietjesbak", "--players", "Ann,Bob", "--opener", "roll-off", "--json")
    _, lines = run(capsys, *args, evening)
    assert lines[0]["state"]["phase"] == "roll_off"
    assert main(["replay", *args, "--option", "no_such_rule=1", str(evening)]) == 2
    assert "no_such_rule" in capsys.readouterr().err


@pytest.mark.parametrize(
    "args",
    [
        ["nowhere.mp4"],
        ["--players", "A,B", "."],
        ["--game", "pietjesbak", "EVENING"],
        ["--game", "ludo", "--players", "A,B", "EVENING"],
        ["--game", "pietjesbak", "--players", "A,A", "EVENING"],
        ["--game", "pietjesbak", "--players", "A,B", "--option", "strange", "EVENING"],
        ["--board", "nowhere.toml", "EVENING"],
        ["--annotate", "out.txt", "EVENING"],
        ["--annotate", "", "EVENING"],
        ["--board", "no\0file", "EVENING"],
        ["--game", "pietjesbak", "--players", "A,B", "--option", "strokes=" + "[" * 5000, "EVENING"],
        ["--annotate", "no/such/folder/out.mp4", "EVENING"],
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    args: list[str], evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", *[str(evening) if arg == "EVENING" else arg for arg in args]]) == 2
    error = capsys.readouterr().err
    assert error.startswith("pietjesoog replay: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize("suffix", [".mp4", ".avi"])
def test_a_film_that_the_disk_had_no_room_for_is_told(
    suffix: str, evening: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    film = evening.parent / f"drawn{suffix}"
    args = ["replay", "--board", "whole", "--annotate", str(film), "--json", str(evening)]
    assert main(args) == 0
    close = Film.close

    def cut_off(self: Film) -> None:
        close(self)
        film.write_bytes(film.read_bytes()[:3000])

    monkeypatch.setattr(Film, "close", cut_off)
    assert main(args) == 2
    assert "not written whole" in capsys.readouterr().err


def test_a_recording_is_never_written_over(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = evening.parent / "drawn.mp4"
    assert run(capsys, "--board", "whole", "--annotate", film, "--json", evening)[0] == 0
    before = film.read_bytes()
    assert main(["replay", "--board", "whole", "--annotate", str(film), str(film)]) == 2
    assert "the recording itself" in capsys.readouterr().err
    assert film.read_bytes() == before


def test_a_video_that_cannot_be_decoded_is_one_sentence_and_no_chatter(evening: Path) -> None:
    (evening.parent / "text.mp4").write_text("hello")
    args = [sys.executable, "-m", "device.cli", "replay", str(evening.parent / "text.mp4")]
    done = subprocess.run(args, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_recording_and_is_not_waited_for(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(evening.parent / "pipe.mp4")
    assert main(["replay", str(evening.parent / "pipe.mp4")]) == 2
    assert "neither a file nor a folder" in capsys.readouterr().err


def test_a_broken_picture_has_its_line_and_the_rest_is_played(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (evening / "40.png").write_bytes(b"broken")
    status, lines = run(capsys, "--board", "whole", "--json", evening)
    assert status == 1
    assert [line["error"]["reason"] for line in lines if "error" in line] == ["broken"]
    assert [line["dice"] for line in lines if line.get("event") == "throw"] == [[1, 4, 5], [2, 2, 3]]


def test_where_no_board_is_found_that_is_said(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, "--board", "auto", "--json", evening)
    assert status == 1
    assert [line["error"]["reason"] for line in lines] == ["no_board"]


def test_the_film_shows_every_picture_with_what_was_read(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = evening.parent / "drawn.mp4"
    args = ("--board", "whole", "--game", "pietjesbak", "--players", "Ann,Bob", "--annotate", film, "--json", evening)
    assert run(capsys, *args)[0] == 0
    capture = cv2.VideoCapture(str(film))
    pictures = [capture.read()[1] for _ in range(int(capture.get(cv2.CAP_PROP_FRAME_COUNT)))]
    assert len(pictures) == len(SHOTS)
    lying = pictures[45].astype(int)
    green = (lying[..., 1] > 150) & (lying[..., 0] < 140) & (lying[..., 2] < 140)
    assert green.sum() > 40, "the dice read for sure are not outlined"


def test_without_json_people_get_sentences(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--board", "whole", str(evening)]) == 0
    out = capsys.readouterr().out
    assert "throw 1 4 5" in out
    assert "{" not in out


def test_where_nothing_happens_that_is_said(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for index in range(3, len(SHOTS)):
        (evening / f"{index}.png").unlink()
    for args in ([], ["--json"]):
        assert main(["replay", "--board", "whole", *args, str(evening)]) == 0
        out, err = capsys.readouterr()
        assert out == ""
        assert err == "Nothing happened in this recording (3 pictures): no throw, no hand.\n"


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["replay", "--help"])
    assert "pietjesoog replay --board whole" in capsys.readouterr().out
