"""The demo command on a drawn recording: same strokes in the journal's fold, the terminal and the page."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import drawn_throws as drawn
import pytest

from device.cli import main

THROWS = [(1, 4, 5), (6, 6, 6)]
NOTES = {"game": "pietjesbak", "players": ["Ann", "Bob"], "marks": [{"t": 2.2, "do": "stop"}]}


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty board; the first test fills it."""
    monkeypatch.setattr("device.upkeep.Reader", lambda: drawn.ScriptedReader(THROWS))
    return drawn.record(tmp_path / "game", [], **NOTES)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def test_plays_to_the_final_strokes(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn.record(recording, THROWS, **NOTES)
    assert main(["demo", "--fast", "--port", "0", "--language", "en", "--recording", str(recording)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("A played recording: simulated, no real camera. The score is at http://127.0.0.1:")
    assert any("Ann 9 ||| ||| |||" in line and "109" in line for line in out)
    assert out[-1] == "End of the recording. Score: Ann 9 ||| ||| ||| · Bob 7 ||| ||| |"


def test_a_recording_that_starts_its_game_itself(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = {"t": 0.0, "do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "strokes": {"Ann": 3}}
    drawn.record(recording, [], **{**NOTES, "marks": [start]})
    assert main(["demo", "--fast", "--port", "0", "--language", "en", "--recording", str(recording)]) == 0
    out = capsys.readouterr().out
    assert "Ann 3 |||" in out
    assert "Ann 9" not in out


def test_a_taken_port_is_one_sentence(recording: Path, taken: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--port", str(taken), "--recording", str(recording)]) == 2
    err = capsys.readouterr().err.strip()
    assert err == f"pietjesoog demo: port {taken} is in use by another program; choose another with --port"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--host", "no.such.host.invalid"], "--host"),
        (["--port", "99999"], "a port is a whole number"),
        (["--recording", "nowhere"], "nowhere"),
    ],
)
def test_wrong_use_is_a_sentence_and_status_2(
    given: list[str], said: str, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_recording = given if "--recording" in given else [*given, "--recording", str(recording)]
    try:
        status = main(["demo", *with_recording])
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert status == 2
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_a_recording_without_a_game_is_refused(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recording / "recording.json").write_text("{}")
    assert main(["demo", "--recording", str(recording)]) == 2
    assert "names a game and its players" in capsys.readouterr().err


def test_a_game_that_cannot_start_is_refused(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recording / "recording.json").write_text('{"game": "belote", "players": ["Ann", "Bob"]}')
    assert main(["demo", "--port", "0", "--recording", str(recording)]) == 2
    assert "cannot start" in capsys.readouterr().err
