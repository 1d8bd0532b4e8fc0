"""`pietjesoog record`: what a camera saw, at an even rate, in a folder that `replay` plays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from device.cameras.fake import FakeCamera
from device.cli import main
from device.commands import record as command
from device.errors import BadInput
from device.film_roll import EvenPlaces, Filmed, Ring
from tests.waiting import PATIENCE_S
from vision.frame import Frame, Picture
from vision.recording import Recording


def pictures(count: int) -> Iterator[Picture]:
    """Grey pictures, each as bright as its number."""
    for index in range(count):
        yield np.full((120, 160, 3), index, np.uint8)


def levels(folder: Path) -> list[int]:
    """How bright the pictures of a recording are."""
    return [round(float(frame.picture.mean())) for frame in Recording(folder)]


def camera(monkeypatch: pytest.MonkeyPatch, made: FakeCamera) -> None:
    monkeypatch.setattr(command, "camera_of", lambda config: made)


def test_a_camera_is_recorded_for_so_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = FakeCamera(pictures(200), fps=20)
    camera(monkeypatch, made)
    assert main(["record", str(tmp_path / "new"), "--seconds", "2", "--fps", "20", "--dice", "2"]) == 0
    assert levels(tmp_path / "new") == list(range(40))
    recording = Recording(tmp_path / "new")
    assert (recording.fps, recording.notes.dice, recording.notes.board) == (20, 2, "auto")
    assert made._closed.is_set()


def test_the_rate_is_even_whatever_the_cameras_is(tmp_path: Path) -> None:
    film = Filmed(tmp_path / "slow", 10, {})
    for index, t in enumerate((5.0, 5.02, 5.11, 5.2, 5.52)):  # two come early, three are missing
        film.add(Frame(np.full((120, 160, 3), 10 * index, np.uint8), t))
    assert levels(tmp_path / "slow") == [0, 20, 30, 40, 40, 40]


def test_a_long_gap_is_shortened() -> None:
    even = EvenPlaces(10)
    assert even.due(0.0) == 1
    assert even.due(3600.0) == 30
    assert even.due(3600.1) == 1


def test_a_ring_keeps_the_last_seconds_only(tmp_path: Path) -> None:
    ring = Ring(10, 2)
    for index, picture in enumerate(pictures(100)):
        ring.add(Frame(picture, index / 10))
    assert ring.save(tmp_path / "kept", {"dice": 3}) == 20
    assert levels(tmp_path / "kept") == list(range(80, 100))


def test_a_recording_is_recorded_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = Path(__file__).parents[1] / "data" / "throw_00001.mp4"
    args = ["record", str(tmp_path / "new"), "--from", str(clip), "--fps", "5", "--seconds", "2", "--json"]
    assert main(args) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["pictures"], told["fps"]) == (10, 5)
    assert len(levels(tmp_path / "new")) == 10


def test_the_board_goes_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camera(monkeypatch, FakeCamera(pictures(10), fps=20))
    board, settings = tmp_path / "mine.toml", tmp_path / "settings.toml"
    board.write_text("width = 1\n")
    settings.write_text(f'[board]\nfile = "{board}"\n')
    assert main(["record", str(tmp_path / "new"), "--config", str(settings)]) == 0
    assert (tmp_path / "new" / "board.toml").read_text() == "width = 1\n"
    assert Recording(tmp_path / "new").notes.board == "board.toml"


def test_what_there_was_of_a_lost_camera_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    camera(monkeypatch, FakeCamera(pictures(10), fps=20, lost="the camera went away"))
    assert main(["record", str(tmp_path / "new"), "--fps", "20", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["error"] == {"reason": "camera_lost", "message": "the camera went away"}
    assert len(levels(tmp_path / "new")) == told["pictures"] == 10


def test_a_camera_that_gives_nothing_leaves_the_folder_to_be_recorded_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera(monkeypatch, FakeCamera(pictures(0), fps=20, lost="the camera is asleep"))
    assert main(["record", str(tmp_path / "new")]) == 2
    camera(monkeypatch, FakeCamera(pictures(10), fps=20))
    assert main(["record", str(tmp_path / "new")]) == 0


def test_two_never_record_into_one_folder(tmp_path: Path) -> None:
    films = [Filmed(tmp_path / "new", 10, {"dice": dice}) for dice in (2, 3)]
    frame = Frame(np.zeros((120, 160, 3), np.uint8), 0.0)
    films[0].add(frame)
    with pytest.raises(BadInput, match="not empty"):
        films[1].add(frame)
    assert Recording(tmp_path / "new").notes.dice == 2


def test_pictures_of_another_recording_that_cannot_be_used_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = Filmed(tmp_path / "old", 10, {})
    for index, picture in enumerate(pictures(3)):
        film.add(Frame(picture, index / 10))
    (tmp_path / "old" / "000001.jpg").write_bytes(b"")
    assert main(["record", str(tmp_path / "new"), "--from", str(tmp_path / "old"), "--json"]) == 1
    skipped, done = map(json.loads, capsys.readouterr().out.splitlines())
    assert (skipped["image"], skipped["error"]["reason"]) == ("000001.jpg", "empty")
    assert done["folder"] == str(tmp_path / "new")
    assert main(["record", str(tmp_path / "newer"), "--from", str(tmp_path / "old")]) == 1
    assert "000001.jpg is an empty file" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_from_outside_a_ring_is_written(tmp_path: Path, number: signal.Signals) -> None:
    program = """
import sys, itertools, time
import numpy as np
from device.cameras.fake import FakeCamera
from device.cli import main
from device.commands import record
def pictures():
    for n in itertools.count():
        time.sleep(0.005)
        if n == 10:
            print("ten pictures", file=sys.stderr, flush=True)
        yield np.full((60, 80, 3), n % 250, np.uint8)
record.camera_of = lambda config: FakeCamera(pictures(), fps=50)
sys.exit(main(["record", sys.argv[1], "--ring", "1", "--fps", "50"]))
"""
    args = [sys.executable, "-c", program, str(tmp_path / "ring")]
    with subprocess.Popen(args, stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"}) as process:
        assert process.stderr is not None
        assert b"recording" in process.stderr.readline()
        assert b"ten pictures" in process.stderr.readline()
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 0
    assert 1 < len(levels(tmp_path / "ring")) <= 50


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["FULL"], "not empty"),
        (["NEW", "--from", "nowhere.mp4"], "nowhere.mp4"),
        (["NEW", "--config", "nowhere.toml"], "nowhere.toml"),
        (["FILE/under"], "cannot be written"),
        (["NEW", "--config", "NONE"], "no camera"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    args: list[str], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a.jpg").write_bytes(b"")
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "none.toml").write_text('[camera]\nkind = "none"\n')
    places = {"FULL": "full", "NEW": "new", "FILE/under": "file/under", "NONE": "none.toml"}
    assert main(["record", *(str(tmp_path / places[arg]) if arg in places else arg for arg in args)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("pietjesoog record: ")
    assert error.count("\n") == 1
    assert word in error


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = Filmed(tmp_path / "new", 10, {})

    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(BadInput, match="No space left"):
        film.add(Frame(next(pictures(1)), 0.0))
