"""Recordings as folders and videos, and what is wrong with them in one sentence."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import VisionError
from vision.frame import Picture
from vision.picture_file import PictureError, load_picture
from vision.recording import Recording, Skipped


def picture(grey: int = 90, size: tuple[int, int] = (48, 64)) -> Picture:
    return np.full((*size, 3), grey, np.uint8)


def folder(path: Path, names: list[str], notes: object = None) -> Path:
    for n, name in enumerate(names):
        cv2.imwrite(str(path / name), picture(10 * n))
    if notes is not None:
        (path / "recording.json").write_text(notes if isinstance(notes, str) else json.dumps(notes), "utf-8")
    return path


def video(path: Path, frames: int = 12, fps: float = 25.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (64, 48))
    for n in range(frames):
        writer.write(picture(20 * n))
    writer.release()
    return path


def test_pictures_come_in_natural_order_with_their_times(tmp_path: Path) -> None:
    names = ["frame10.png", "frame9.png", "frame2.jpg"]
    recording = Recording(folder(tmp_path, names, {"fps": 10}))
    frames = list(recording)
    assert [frame.source for frame in frames] == ["frame2.jpg", "frame9.png", "frame10.png"]
    assert [frame.t for frame in frames] == [0.0, 0.1, 0.2]
    assert [frame.index for frame in recording] == [0, 1, 2], "iterating again starts again"


def test_without_a_word_a_folder_has_thirty_pictures_a_second(tmp_path: Path) -> None:
    frames = list(Recording(folder(tmp_path, ["a.png", "b.png"])))
    assert frames[1].t == pytest.approx(1 / 30)


def test_pictures_are_decoded_one_by_one(tmp_path: Path) -> None:
    frames = iter(Recording(folder(tmp_path, ["a.png", "b.png", "c.png"])))
    next(frames)
    (tmp_path / "b.png").unlink()
    assert next(frames).source == "c.png"


def test_a_broken_picture_is_skipped_told_and_keeps_its_time(tmp_path: Path) -> None:
    folder(tmp_path, ["a.png", "b.png", "c.png"])
    (tmp_path / "b.png").write_bytes(b"no picture")
    told: list[Skipped] = []
    recording = Recording(tmp_path, told.append)
    assert [frame.index for frame in recording] == [0, 2]
    assert recording.skipped == 1
    assert (told[0].source, told[0].reason) == ("b.png", "broken")
    assert "b.png" in told[0].message


def test_a_picture_of_another_size_is_skipped(tmp_path: Path) -> None:
    folder(tmp_path, ["a.png", "c.png"])
    cv2.imwrite(str(tmp_path / "b.png"), picture(5, (50, 50)))
    told: list[Skipped] = []
    assert [frame.source for frame in Recording(tmp_path, told.append)] == ["a.png", "c.png"]
    assert told[0].reason == "other_size"


def test_notes_are_read(tmp_path: Path) -> None:
    notes = {
        "fps": 15,
        "board": "whole",
        "dice": 2,
        "game": "pig",
        "players": ["Ann", "Bob"],
        "opener": "Bob",
        "options": {"target": 50},
        "marks": [{"t": 3.2, "do": "stop"}, {"t": 1, "do": "throw", "dice": [1, 2]}],
    }
    read = Recording(folder(tmp_path, ["a.png"], notes)).notes
    assert (read.fps, read.board, read.dice, read.game, read.players, read.opener) == (
        15,
        "whole",
        2,
        "pig",
        ("Ann", "Bob"),
        "Bob",
    )
    assert read.options == {"target": 50}
    assert [(mark.t, mark.event) for mark in read.marks] == [
        (1, {"do": "throw", "dice": [1, 2]}),
        (3.2, {"do": "stop"}),
    ]


@pytest.mark.parametrize(
    "notes",
    [
        "{",
        "[1]",
        '{"fps": 0}',
        '{"fps": "fast"}',
        '{"fps": NaN}',
        f'{{"fps": 1{"0" * 400}}}',
        f'{{"marks": [{{"t": 1{"0" * 400}, "do": "stop"}}]}}',
        '{"dice": 7}',
        '{"dice": 2.5}',
        '{"dice": true}',
        '{"players": "Ann"}',
        '{"players": [1]}',
        '{"options": []}',
        '{"marks": {}}',
        '{"marks": [{"do": "stop"}]}',
        '{"marks": [{"t": "x", "do": "stop"}]}',
        '{"marks": [{"t": 1}]}',
        '{"board": 3}',
        '{"game": ["pig"]}',
        "\ufeff\x00",
    ],
)
def test_broken_notes_are_one_sentence(tmp_path: Path, notes: str) -> None:
    with pytest.raises(VisionError) as fault:
        Recording(folder(tmp_path, ["a.png"], notes))
    assert "recording.json" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_video_has_its_own_times(tmp_path: Path) -> None:
    recording = Recording(video(tmp_path / "dice.mp4"))
    frames = list(recording)
    assert (recording.fps, len(frames)) == (25.0, 12)
    assert [frame.t for frame in frames] == pytest.approx([n / 25 for n in range(12)], abs=1e-3)
    assert frames[0].picture.shape == (48, 64, 3)


def test_a_folder_may_hold_one_video_and_its_notes(tmp_path: Path) -> None:
    video(tmp_path / "dice.mp4")
    (tmp_path / "recording.json").write_text('{"dice": 1}', "utf-8")
    recording = Recording(tmp_path)
    assert (recording.notes.dice, len(list(recording))) == (1, 12)


def test_times_always_rise(tmp_path: Path) -> None:
    times = [frame.t for frame in Recording(video(tmp_path / "dice.avi", fps=7.0))]
    assert all(b > a for a, b in pairwise(times))


@pytest.mark.parametrize("name", ["nothing.mp4", "empty", "text.mp4", "zero.mp4", "cut.mp4", "a.png"])
def test_what_is_no_recording_is_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("this is no video")
    (tmp_path / "a.png").write_bytes(cv2.imencode(".png", np.zeros((20, 30, 3), np.uint8))[1].tobytes())
    (tmp_path / "zero.mp4").write_bytes(b"")
    whole = video(tmp_path / "whole.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 3])
    with pytest.raises(VisionError) as fault:
        list(Recording(tmp_path / name))
    assert name in str(fault.value)
    assert "\n" not in str(fault.value)


# -- single pictures


def saved(path: Path, suffix: str, array: np.ndarray, params: tuple[int, ...] = ()) -> Path:
    file = path / f"picture{suffix}"
    file.write_bytes(cv2.imencode(suffix, array, params)[1].tobytes())
    return file


def test_grey_alpha_and_sixteen_bits_become_plain_pictures(tmp_path: Path) -> None:
    grey = np.full((20, 30), 77, np.uint8)
    for array, value in (
        (grey, 77),
        (np.dstack([grey, grey, grey, np.zeros_like(grey)]), 77),
        (np.full((20, 30, 3), 77 * 257, np.uint16), 77),
    ):
        loaded = load_picture(saved(tmp_path, ".png", array))
        assert (loaded.shape, loaded.dtype) == ((20, 30, 3), np.uint8)
        assert abs(int(loaded.mean()) - value) <= 1


def test_a_picture_is_turned_by_its_exif_note(tmp_path: Path) -> None:
    file = saved(tmp_path, ".jpg", np.zeros((20, 30, 3), np.uint8))
    data = file.read_bytes()
    tiff = b"MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
    body = b"Exif\x00\x00" + tiff
    file.write_bytes(data[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + data[2:])
    assert load_picture(file).shape == (30, 20, 3)


def test_names_in_any_script_and_the_smallest_picture(tmp_path: Path) -> None:
    file = tmp_path / "dobbelstenen – δύο 骰子.png"
    file.write_bytes(cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1].tobytes())
    assert load_picture(file).shape == (1, 1, 3)


def png_header(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"GIF89a no", "broken"),
        (png_header(60_000, 60_000), "too_large"),
        (b"BM" + bytes(16) + (9000).to_bytes(4, "little") + (9000).to_bytes(4, "little"), "too_large"),
    ],
)
def test_what_is_no_picture_has_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    file = tmp_path / "x.png"
    file.write_bytes(data)
    with pytest.raises(PictureError) as fault:
        load_picture(file)
    assert fault.value.reason == reason


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_picture_that_is_cut_off_is_not_half_read(tmp_path: Path, suffix: str) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (200, 300, 3), dtype=np.uint8)
    file = saved(tmp_path, suffix, noise)
    file.write_bytes(file.read_bytes()[:-2000])
    with pytest.raises(PictureError) as fault:
        load_picture(file)
    assert fault.value.reason == "broken"


def test_a_jpeg_too_large_is_refused_by_its_header(tmp_path: Path) -> None:
    file = saved(tmp_path, ".jpg", np.zeros((16, 16, 3), np.uint8))
    data = bytearray(file.read_bytes())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = (30_000).to_bytes(2, "big") * 2
    file.write_bytes(bytes(data))
    with pytest.raises(PictureError) as fault:
        load_picture(file)
    assert fault.value.reason == "too_large"


def test_missing_files_and_folders_are_told_apart(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "no.jpg", "missing"), (tmp_path, "not_a_file")):
        with pytest.raises(PictureError) as fault:
            load_picture(path)
        assert fault.value.reason == reason
