"""`pietjesoog read`: one line a picture, whatever the picture is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cli import main
from device.commands import read as command
from vision.board import Board
from vision.frame import Frame
from vision.octagon import regular_octagon
from vision.reading import BoardReading, DieReading, Pose, Problem, Where


class Told:
    """A reader that says what a test told it, and keeps what it was asked."""

    def __init__(self, reading: BoardReading) -> None:
        self.reading = reading
        self.asked: list[tuple[Frame, Board | None, float | None, int | None]] = []

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        self.asked.append((frame, board, die_px, expected))
        return self.reading


def die(x: float, face: int | None, where: Where = Where.INSIDE, pose: Pose = Pose.FLAT) -> DieReading:
    corners = ((x, 10.0), (x + 20, 10.0), (x + 20, 30.0), (x, 30.0))
    return DieReading(face, 0.99876, 3, (x - 1.04, 9.0, x + 21.0, 31.0), corners, where, pose)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Told:
    told = Told(BoardReading((die(10, 5), die(50, 2, Where.OUTSIDE, Pose.COCKED))))
    monkeypatch.setattr(command, "Reader", lambda: told)
    return told


def picture(path: Path, name: str = "a.png", size: tuple[int, int] = (60, 80)) -> Path:
    (path / name).write_bytes(cv2.imencode(Path(name).suffix, np.full((*size, 3), 120, np.uint8))[1].tobytes())
    return path / name


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, list[Any]]:
    status = main(["read", *map(str, args)])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_line_has_the_words_of_the_contract(reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = picture(tmp_path)
    status, [line] = run(capsys, "--json", "--board", "whole", "--dice", 2, "--die-px", 20, file)
    assert status == 0
    assert line["image"] == str(file)
    assert set(line) >= {"image", "sure", "problems", "dice", "board", "ms"}
    assert line["board"] is None
    assert line["dice"][0] == {
        "face": 5,
        "confidence": 0.9988,
        "second": 3,
        "box": [9.0, 9.0, 31.0, 31.0],
        "corners": [[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [10.0, 30.0]],
        "where": "inside",
        "pose": "flat",
    }
    assert (line["dice"][1]["where"], line["dice"][1]["pose"]) == ("outside", "cocked")
    assert line["ms"] >= 0
    frame, board, die_px, expected = reader.asked[0]
    assert (frame.picture.shape, die_px, expected) == ((60, 80, 3), 20.0, 2)
    assert board is not None
    assert board.is_whole


def test_pictures_come_in_the_order_given_and_a_bad_one_has_its_own_line(
    reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = picture(tmp_path)
    (tmp_path / "zero.jpg").write_bytes(b"")
    (tmp_path / "text.png").write_text("hello")
    images = [tmp_path / "missing.png", good, tmp_path / "zero.jpg", tmp_path, tmp_path / "text.png", good]
    status, lines = run(capsys, "--json", "--board", "whole", *images)
    assert status == 1
    assert [line["image"] for line in lines] == [str(image) for image in images]
    reasons = [line.get("error", {}).get("reason") for line in lines]
    assert reasons == ["missing", None, "empty", "not_a_file", "broken", None]
    assert all(line["error"]["message"] for line in lines if "error" in line)


def test_nothing_usable_is_two(reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, [line] = run(capsys, "--json", "--board", "whole", tmp_path / "missing.png")
    assert (status, line["error"]["reason"]) == (2, "missing")


def test_where_no_board_is_found_the_reading_is_not_sure(
    reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reader.reading = BoardReading(())
    status, [line] = run(capsys, "--json", picture(tmp_path))
    assert status == 0
    assert (line["sure"], line["problems"], line["board"]) == (False, ["no_board"], None)
    assert reader.asked[0][1] is None


def test_a_calibrated_board_is_loaded_and_told(
    reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    felt = tuple((float(x), float(y)) for x, y in regular_octagon(300) + 240)
    rim = tuple((float(x), float(y)) for x, y in regular_octagon(360) + 240)
    Board(480, 480, felt, rim).save(tmp_path / "board.toml")
    file = picture(tmp_path, size=(480, 480))
    odd = picture(tmp_path, "odd.png", size=(100, 480))
    status, [line, other] = run(capsys, "--json", "--board", tmp_path / "board.toml", file, odd)
    assert status == 1
    assert [len(line["board"][key]) for key in ("felt", "rim")] == [8, 8]
    assert line["board"]["scale"] == "assumed"
    assert line["board"]["px_per_mm"] > 0
    assert other["error"]["reason"] == "board"


@pytest.mark.parametrize(("problems", "sure"), [((), False), ((Problem.HAND,), False)])
def test_a_refused_face_or_a_problem_is_not_sure(
    reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str], problems: tuple[Problem, ...], sure: bool
) -> None:
    reader.reading = BoardReading((die(10, None),), problems)
    _, [line] = run(capsys, "--json", "--board", "whole", picture(tmp_path))
    assert (line["sure"], line["dice"][0]["face"]) == (sure, None)
    assert line["problems"] == [problem.value for problem in problems]


def test_drawings_go_to_a_file_or_a_folder(reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = picture(tmp_path)
    assert run(capsys, "--json", "--board", "whole", "--annotate", tmp_path / "out.png", file)[0] == 0
    drawn = cv2.imread(str(tmp_path / "out.png"))
    assert drawn.shape == (60, 80, 3)
    assert (drawn != 120).any(), "nothing was drawn"
    assert run(capsys, "--json", "--board", "whole", "--annotate", tmp_path / "many", file)[0] == 0
    assert (tmp_path / "many" / "a.png").is_file()


def test_a_picture_is_never_drawn_over(reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = picture(tmp_path)
    before = file.read_bytes()
    for out in (file, tmp_path):
        assert main(["read", "--board", "whole", "--annotate", str(out), str(file)]) == 2
        assert "itself read" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_no_picture_is_lost_by_drawing_those_of_one_name(
    reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    files = [picture(tmp_path / "one", "a.bmp"), picture(tmp_path / "one"), picture(tmp_path / "two")]
    before = [file.read_bytes() for file in files]
    for out, some, word in (("one", files[:2], "itself read"), ("drawn", files[1:], "written twice")):
        assert main(["read", "--board", "whole", "--annotate", str(tmp_path / out), *map(str, some)]) == 2
        told = capsys.readouterr()
        assert word in told.err
        assert not told.out
    assert [file.read_bytes() for file in files] == before
    assert main(["read", "--board", "whole", "--annotate", str(tmp_path / "drawn"), *[str(files[1])] * 2]) == 0


def test_a_drawing_that_cannot_be_written_is_told_by_the_status(
    reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out" / "a.png").mkdir(parents=True)
    assert main(["read", "--board", "whole", "--annotate", str(tmp_path / "out"), str(picture(tmp_path))]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_name_with_a_new_line_stays_on_its_line(
    reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--board", "whole", str(picture(tmp_path, "new\nline.png")), str(tmp_path / "no\nne")]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("command", [["read"], ["calibrate", "--from"]])
def test_what_a_phone_keeps_is_told_how_to_be_used(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "IMG_0001.HEIC").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(400))
    assert main([*command, str(tmp_path / "IMG_0001.HEIC")]) == 2
    assert "save it as JPEG" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "args",
    [
        ["--board", "nowhere.toml", "a.png"],
        ["--board", "no\0file", "a.png"],
        ["--annotate", "one.png", "a.png", "b.png"],
        ["--annotate", "no/such/folder/one.png", "a.png"],
    ],
)
def test_options_that_cannot_be_used_are_one_sentence(
    reader: Told, args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", *args]) == 2
    error = capsys.readouterr().err
    assert error.startswith("pietjesoog read: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize("args", [["--dice", "0", "a.png"], ["--dice", "x", "a.png"], ["--die-px", "-3", "a.png"], []])
def test_wrong_usage_is_two(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["read", *args])
    assert stop.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_without_json_people_get_a_sentence(reader: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = picture(tmp_path)
    assert main(["read", "--board", "whole", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: 5 0.999, 2 0.999 outside cocked – not sure\n"


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["read", "--help"])
    assert "pietjesoog read --board whole" in capsys.readouterr().out
