"""`pietjesoog calibrate`: from pictures, a recording, clicks or a camera to one small file."""

from __future__ import annotations

import json
from math import dist
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cameras.fake import FakeCamera
from device.cli import main
from device.commands import calibrate as command
from vision.board import Board, Scale

DATA = Path(__file__).parents[1] / "data"
CLIP = DATA / "throw_00001.mp4"
TRUTH: dict[str, Any] = json.loads((DATA / "throws.json").read_text("utf-8"))[0]
FELT = [tuple(corner) for corner in TRUTH["board_px"]["floor"]]


@pytest.fixture(scope="module")
def last_picture() -> np.ndarray:
    video, picture = cv2.VideoCapture(str(CLIP)), None
    while True:
        whole, shot = video.read()
        if not whole:
            assert picture is not None
            return picture
        picture = shot


@pytest.fixture
def photo(tmp_path: Path, last_picture: np.ndarray) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), last_picture)
    return path


def off(board: Board) -> float:
    """Largest distance of a true corner of the felt to the board's, in pixels."""
    return max(min(dist(corner, found) for found in board.felt) for corner in FELT)


def calibrated(capsys: pytest.CaptureFixture[str], tmp_path: Path, *args: object) -> tuple[dict[str, Any], Board]:
    out = tmp_path / "board.toml"
    assert main(["calibrate", "--out", str(out), "--json", *map(str, args)]) == 0
    return json.loads(capsys.readouterr().out), Board.load(out)


def test_a_die_told_gives_the_millimetres(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, board = calibrated(capsys, tmp_path, "--from", photo, "--die-mm", 16)
    assert off(board) < 0.2 * TRUTH["die_px"]
    assert board.scale is Scale.TOLD
    assert board.felt_mm == pytest.approx(320, rel=0.1)  # three dice, the edge of each told to about 9 %
    assert sorted(told["dice"]) == sorted(TRUTH["dice"])
    assert (told["light"], told["by_edges"]) == ("good", True)
    _, twice = calibrated(capsys, tmp_path, "--from", photo, "--die-mm", 32 * 0.9)
    assert twice.felt_mm == pytest.approx(1.8 * board.felt_mm, rel=0.02)


def test_a_felt_told_tells_how_large_the_dice_are(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, board = calibrated(capsys, tmp_path, "--from", photo, "--felt-mm", 320)
    assert (board.felt_mm, board.scale) == (320, Scale.TOLD)
    assert told["die_mm"] == pytest.approx(16, rel=0.1)


def test_nothing_told_is_assumed_and_said_so(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, board = calibrated(capsys, tmp_path, "--from", photo)
    assert (board.scale, board.die_mm) == (Scale.ASSUMED, 16)
    assert any("assumed" in remark for remark in told["remarks"])


def test_a_recording_will_do_and_several_pictures_are_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, board = calibrated(capsys, tmp_path, "--from", CLIP, "--felt-mm", 320)
    assert told["pictures"] > 1
    assert told["spread_px"] < 3
    assert off(board) < 0.2 * TRUTH["die_px"]


def test_a_video_is_known_whatever_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "clip").write_bytes(CLIP.read_bytes())
    assert calibrated(capsys, tmp_path, "--from", tmp_path / "clip", "--felt-mm", 320)[0]["pictures"] > 1


def test_pictures_that_cannot_be_used_are_told(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (photo.parent / "zz.png").write_bytes(b"")
    out = tmp_path / "board.toml"
    assert main(["calibrate", "--from", str(photo.parent), "--felt-mm", "320", "--out", str(out), "--json"]) == 1
    skipped, told = map(json.loads, capsys.readouterr().out.splitlines())
    assert (skipped["image"], skipped["error"]["reason"]) == ("zz.png", "empty")
    assert told["pictures"] == 1


def test_eight_clicks_near_the_corners_are_put_right_by_the_edges(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clicks = [f"{x + 4 * (-1) ** n},{y - 3}" for n, (x, y) in enumerate(FELT)]
    told, board = calibrated(capsys, tmp_path, "--from", photo, "--corners", *clicks[::-1])
    assert told["by_edges"]
    assert off(board) < 0.1 * TRUTH["die_px"]


def test_where_no_edge_is_seen_the_clicks_themselves_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), np.random.default_rng(0).integers(18, 22, (720, 960, 3), dtype=np.uint8))
    assert main(["calibrate", "--from", str(dark), "--out", str(tmp_path / "board.toml")]) == 2
    assert "--corners" in capsys.readouterr().err
    told, board = calibrated(capsys, tmp_path, "--from", dark, "--corners", *(f"{x},{y}" for x, y in FELT))
    assert not told["by_edges"]
    assert off(board) < 1.5
    rim = [f"{x},{y}" for x, y in TRUTH["board_px"]["rim_outer"]]
    _, board = calibrated(
        capsys, tmp_path, "--from", dark, "--corners", *(f"{x},{y}" for x, y in FELT), "--rim", *rim[3:], *rim[:3]
    )
    assert min(dist(board.rim[0], tuple(map(float, corner.split(",")))) for corner in rim) < 0.5


def test_the_picture_shows_what_was_found(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "seen.png"
    calibrated(capsys, tmp_path, "--from", photo, "--die-mm", 16, "--picture", drawn)
    before, after = cv2.imread(str(photo)).astype(int), cv2.imread(str(drawn)).astype(int)
    changed = np.abs(after - before).max(axis=2) > 40
    x, y = (round(v) for v in np.mean(FELT[:2], axis=0))
    assert changed[y - 4 : y + 5, x - 4 : x + 5].any()  # the octagon
    x1, y1, x2, y2 = (round(v) for v in TRUTH["last_boxes"][0])
    assert changed[y1:y2, x1:x2].any()  # a die


def test_a_camera_is_looked_at_and_closed(
    last_picture: np.ndarray, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = FakeCamera([last_picture] * 40, fps=30)
    monkeypatch.setattr(command, "camera_of", lambda config: camera)
    told, board = calibrated(capsys, tmp_path, "--felt-mm", 320)
    assert told["pictures"] == 4  # 1.3 s at 0.4 s apart
    assert camera._closed.is_set()
    assert off(board) < 0.2 * TRUTH["die_px"]


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--from", "nowhere.png"], "nowhere.png"),
        (["--from", "PHOTO", "--die-mm", "5"], "edge"),
        (["--from", "PHOTO", "--felt-mm", "60"], "felt"),
        (["--from", "PHOTO", "--felt-mm", "160"], "dice on it"),
        (["--from", "PHOTO", "--corners", "1,1", "2,2"], "8 corners"),
        (["--from", "PHOTO", "--corners", *["1,1"] * 8], "too close"),
        (["--from", "PHOTO", "--corners", *[f"{x},{y}" for x, y in [*FELT[:7], (400, 400)]]], "octagon"),
        (["--from", "PHOTO", "--rim", "1,1"], "--corners"),
        (["--from", "PHOTO", "--out", "no/such/folder/board.toml"], "folder"),
        (["--from", "PHOTO", "--picture", "seen.txt"], "picture"),
        (["--from", "PHOTO", "--picture", "PHOTO"], "itself"),
        (["--from", "PHOTO", "--out", "PHOTO"], "itself"),
        (["--config", "SETTINGS", "--from", "PHOTO", "--out", "SETTINGS"], "itself"),
        (["--from", "FOLDER", "--picture", "PHOTO"], "itself"),
        (["--from", "PHOTO", "--out", "seen.png", "--picture", "seen.png"], "twice"),
        (["--config", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    args: list[str], word: str, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("")
    named = {"PHOTO": photo, "FOLDER": photo.parent, "SETTINGS": settings}
    before = photo.read_bytes()
    told = [str(named.get(arg, arg)) for arg in args]
    out = [] if "--out" in told else ["--out", str(tmp_path / "board.toml")]
    assert main(["calibrate", *told, *out]) == 2
    error = capsys.readouterr().err
    assert error.startswith("pietjesoog calibrate: ")
    assert error.count("\n") == 1
    assert word in error
    assert (photo.read_bytes(), settings.read_text()) == (before, "")


@pytest.mark.parametrize("args", [["--die-mm", "much"], ["--corners", "1;2"], ["--felt-mm", "nan"]])
def test_what_is_no_number_is_told_by_its_name(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["calibrate", *args])
    assert ended.value.code == 2
    assert args[0] in capsys.readouterr().err
