"""JPEG files as disks, cables and telephones make them: whole, cut off, with a hole, with more behind them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frame import Picture
from vision.jpeg_file import jpeg_size
from vision.picture_file import PictureError, load_picture

STILL = Path(__file__).parent.parent / "data" / "stills" / "closeup_0011519.jpg"
NOISE = np.random.default_rng(3).integers(0, 255, (200, 300, 3), dtype=np.uint8)
PROGRESSIVE = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
RESTARTING = [cv2.IMWRITE_JPEG_RST_INTERVAL, 4]


def jpeg(picture: Picture, params: list[int]) -> bytes:
    return cv2.imencode(".jpg", picture, params)[1].tobytes()


def turned(data: bytes, note: int) -> bytes:
    """With an EXIF note that says how the camera was held."""
    tiff = b"MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + bytes((note, 0, 0, 0, 0, 0, 0))
    body = b"Exif\x00\x00" + tiff
    return data[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + data[2:]


def loaded(folder: Path, data: bytes) -> Picture:
    file = folder / "picture.jpg"
    file.write_bytes(data)
    return load_picture(file)


@pytest.mark.parametrize("params", [[], PROGRESSIVE, RESTARTING])
def test_what_hangs_behind_a_picture_is_no_part_of_it(tmp_path: Path, params: list[int]) -> None:
    data = jpeg(NOISE, params)
    film = b"\x00\x00\x00\x18ftypmp42 \xff\xda and no end mark after it"
    assert np.array_equal(loaded(tmp_path, data + film), loaded(tmp_path, data))
    assert jpeg_size(data) == (300, 200)


@pytest.mark.parametrize("params", [[], PROGRESSIVE, RESTARTING])
def test_a_picture_of_any_kind_that_is_cut_off_is_refused(tmp_path: Path, params: list[int]) -> None:
    with pytest.raises(PictureError) as fault:
        loaded(tmp_path, jpeg(NOISE, params)[:-2000])
    assert (fault.value.reason, "cut off" in str(fault.value)) == ("broken", True)


@pytest.mark.parametrize("note", [1, 3, 6, 8])
@pytest.mark.parametrize("hole", [100, 1000, 5000])
def test_a_picture_that_lost_bytes_in_its_middle_is_refused(tmp_path: Path, hole: int, note: int) -> None:
    data = turned(STILL.read_bytes(), note)
    middle = len(data) // 2
    assert loaded(tmp_path, data).any()
    with pytest.raises(PictureError) as fault:
        loaded(tmp_path, data[:middle] + data[middle + hole :])
    assert (fault.value.reason, "broken inside" in str(fault.value)) == ("broken", True)


@pytest.mark.parametrize("note", [1, 3, 6, 8])
@pytest.mark.parametrize("kept", [0, 40, 190])
@pytest.mark.parametrize("params", [[], PROGRESSIVE, RESTARTING])
def test_a_picture_that_is_grey_itself_is_whole(tmp_path: Path, params: list[int], kept: int, note: int) -> None:
    picture = np.full_like(NOISE, 128)
    picture[8 : 8 + kept, 8:-8] = NOISE[8 : 8 + kept, 8:-8]
    assert sorted(loaded(tmp_path, turned(jpeg(picture, params), note)).shape) == [3, 200, 300]
