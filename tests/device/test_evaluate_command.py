"""`pietjesoog evaluate` as a person uses it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import pytest

from device.cli import main
from device.commands.evaluate import EXAMPLE
from vision.evaluation import GROWN, load_labels

STILLS = Path(__file__).parent.parent / "data" / "stills"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One picture whose labels say that a die shows another face than it does."""
    told = json.loads((STILLS / "labels.json").read_text())
    record = told["images"][0]
    record["dice"][0]["face"] = 7 - record["dice"][0]["face"]
    shutil.copy(STILLS / record["image"], tmp_path)
    (tmp_path / "labels.json").write_text(json.dumps({**told, "images": [record]}))
    return tmp_path


def test_json_lines_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--json", "--with-count", str(STILLS)]) == 0
    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    told = json.loads((STILLS / "labels.json").read_text())["images"]
    assert line["pictures"] == len(told)
    assert line["dice"] == sum(len(r["dice"]) for r in told)
    assert line["right"] + line["wrong"] + line["refused"] + line["missed"] == line["dice"]
    assert line["silent"] == 0
    assert sum(sum(row.values()) for row in line["confusion"].values()) == line["dice"]


def test_the_line_for_all_has_the_time_of_all(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--json", str(folder), str(folder)]) == 0
    *each, every = map(json.loads, capsys.readouterr().out.splitlines())
    assert min(line["ms"] for line in each) <= every["ms"] <= max(line["ms"] for line in each)
    assert every["ms"] > 0


def test_what_is_not_right_is_shown(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, sheet = tmp_path / "out.html", tmp_path / "out.png"
    assert main(["evaluate", str(folder), "--html", str(page), "--png", str(sheet)]) == 0
    out = capsys.readouterr().out
    assert "true face, read as" in out
    assert "SILENT" in out
    text = page.read_text()
    assert text.count("<figure>") == 1
    assert "closeup" in text
    picture = cv2.imread(str(sheet))
    assert picture is not None
    assert picture.any()


def test_a_sure_picture_that_is_not_right_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = json.loads((folder / "labels.json").read_text())["images"][0]["image"]
    assert main(["evaluate", "--with-count", str(folder)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[told.index("SILENT, sure and not all right:") + 1].strip() == str(folder / name)
    assert main(["evaluate", "--with-count", str(STILLS)]) == 0
    assert "SILENT, sure" not in capsys.readouterr().out


@pytest.mark.parametrize("at_terminal", [True, False])
def test_a_terminal_shows_how_far_it_is(
    at_terminal: bool, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: at_terminal)
    assert main(["evaluate", str(folder)]) == 0
    assert ("1 of 1: " in capsys.readouterr().err) is at_terminal


def test_the_labels_that_the_help_shows_are_labels(tmp_path: Path) -> None:
    shown = EXAMPLE[EXAMPLE.index("{") : EXAMPLE.index("\nA box")]
    (tmp_path / "labels.json").write_text(shown)
    told = load_labels(tmp_path)
    assert [die.face for die in told.pictures[0].dice] == [5, None]
    assert f'"{json.loads(shown)["box_means"]}"' in EXAMPLE
    assert all(f'"{means}"' in EXAMPLE for means in GROWN)


def test_a_folder_without_labels_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "labels.json" in told.err
    assert "Traceback" not in told.err


def test_a_broken_picture_is_told_and_the_others_are_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads((folder / "labels.json").read_text())
    told["images"].append({"image": "gone.jpg", "dice": []})
    (folder / "labels.json").write_text(json.dumps(told))
    assert main(["evaluate", "--json", str(folder)]) == 1
    out, err = capsys.readouterr()
    broken, line = map(json.loads, out.splitlines())
    assert broken["error"]["reason"] == "missing"
    assert broken["image"].endswith("gone.jpg")
    assert line["pictures"] == 1
    assert "gone.jpg" in err


@pytest.mark.parametrize("option", ["--html", "--png"])
def test_what_is_measured_is_never_written_over(option: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in sorted(folder.iterdir()):
        before = file.read_bytes()
        assert main(["evaluate", str(folder), option, str(file)]) == 2
        assert "itself read" in capsys.readouterr().err
        assert file.read_bytes() == before


def test_with_a_board_to_be_found_a_picture_without_one_is_asked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "--json", "--board", "auto", str(folder)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["asked"] == line["pictures"] == 1


def test_a_size_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["evaluate", "--die-px", "-3", str(STILLS)])
    assert left.value.code == 2
    assert "Traceback" not in capsys.readouterr().err
