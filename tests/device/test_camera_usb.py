"""The USB camera's driver on a pretended VideoCapture, and which cameras Video4Linux tells of."""

from __future__ import annotations

import os
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from fake_video import GOOD, FakeControls, FakedUsbDriver, FakeVideo

import device.cameras.usb
from device.cameras import CameraLost
from device.cameras.usb import UsbDriver, path_of
from device.cameras.v4l import Control, Controls, plugged


@pytest.fixture(autouse=True)
def pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeVideo, "fault", "")
    monkeypatch.setattr(cv2, "VideoCapture", FakeVideo)
    monkeypatch.setattr(device.cameras.usb, "Controls", FakeControls)
    monkeypatch.setattr(device.cameras.usb, "path_of", lambda told: "/dev/null")


def video(driver: UsbDriver) -> FakeVideo:
    made = driver._video
    assert isinstance(made, FakeVideo)
    return made


def controls(driver: UsbDriver) -> FakeControls:
    made = driver._controls
    assert isinstance(made, FakeControls)
    return made


def test_asks_for_motion_jpeg_before_the_size() -> None:
    driver = UsbDriver(width=1280, height=960, fps=15)
    asked = video(driver).asked
    assert asked[0] == (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
    assert (cv2.CAP_PROP_FRAME_WIDTH, 1280) in asked
    assert (cv2.CAP_PROP_FRAME_HEIGHT, 960) in asked
    assert (cv2.CAP_PROP_BUFFERSIZE, 1) in asked
    assert driver.about["pixels"] == "MJPG"


@pytest.mark.parametrize(("hz", "value"), [(50, 1), (60, 2), (0, 0)])
def test_the_flicker_of_the_mains_is_told_to_the_camera(hz: int, value: int) -> None:
    assert controls(UsbDriver(flicker_hz=hz)).values[Control.POWER_LINE] == value


def test_exposure_white_balance_and_focus_are_held_as_found() -> None:
    driver = UsbDriver()
    values = controls(driver).values
    assert (values[Control.EXPOSURE_AUTO], values[Control.FOCUS_AUTO]) == (3, 1)
    values |= {Control.EXPOSURE: 157, Control.FOCUS: 40}
    assert driver.hold()
    assert (values[Control.EXPOSURE_AUTO], values[Control.EXPOSURE]) == (1, 157)
    assert (values[Control.WHITE_BALANCE_AUTO], values[Control.FOCUS_AUTO], values[Control.FOCUS]) == (0, 0, 40)
    driver.loosen()
    assert (values[Control.EXPOSURE_AUTO], values[Control.WHITE_BALANCE_AUTO]) == (3, 1)
    assert values[Control.FOCUS_AUTO] == 0, "the focus does not hunt when the light has changed"


def test_a_focus_that_was_told_is_set() -> None:
    values = controls(UsbDriver(focus_step=35)).values
    assert (values[Control.FOCUS_AUTO], values[Control.FOCUS]) == (0, 35)


def test_a_camera_that_tells_no_exposure_is_left_to_itself() -> None:
    driver = UsbDriver()
    controls(driver).refuses.add(Control.EXPOSURE)
    assert not driver.hold()


def test_a_picture_has_the_kernels_time() -> None:
    driver = UsbDriver()
    shot = driver.grab()
    assert shot is not None
    assert shot.t == pytest.approx(video(driver).at)
    assert shot.picture.shape == (48, 64, 3)


def test_pictures_without_a_time_have_that_of_their_coming() -> None:
    FakeVideo.fault = "unstamped"
    driver, before = UsbDriver(), time.monotonic()
    shot = driver.grab()
    assert shot is not None
    assert before <= shot.t <= time.monotonic()


def test_success_with_the_last_picture_and_its_time_is_no_picture() -> None:
    FakeVideo.fault = "repeats"
    driver = UsbDriver()
    shots = [driver.grab() for _ in range(GOOD + 5)]
    assert None not in shots[:GOOD]
    assert shots[GOOD:] == [None] * 5


@pytest.mark.parametrize("fault", ["no", "empty", "raises"])
def test_no_picture_is_none_as_long_as_the_camera_is_there(fault: str) -> None:
    FakeVideo.fault = fault
    driver = UsbDriver()
    shots = [driver.grab() for _ in range(GOOD + 2)]
    assert shots[GOOD:] == [None, None]


@pytest.mark.parametrize("fault", ["unplugged", "lying"])
def test_unplugged_is_told_at_once_whatever_opencv_says(fault: str) -> None:
    driver = FakedUsbDriver(fault)
    for _ in range(GOOD):
        assert driver.grab() is not None
    with pytest.raises(CameraLost, match="went away") as told:
        driver.grab()
    assert told.value.key == "absent"


def test_grey_cameras_give_pictures_in_three_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeVideo, "read", lambda self: (True, np.full((48, 64), 9, np.uint8)))
    monkeypatch.setattr(FakeVideo, "fault", "unstamped")
    shot = UsbDriver().grab()
    assert shot is not None
    assert shot.picture.shape == (48, 64, 3)


def test_one_that_somebody_has() -> None:
    FakeVideo.fault = "busy"
    with pytest.raises(CameraLost, match="another program") as told:
        UsbDriver()
    assert told.value.key == "busy"


def test_one_that_may_not_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(device.cameras.usb, "Controls", refuse)
    with pytest.raises(CameraLost, match="group video"):
        UsbDriver()


class TestPath:
    def test_no_such_camera(self) -> None:
        with pytest.raises(CameraLost, match="there is no camera /dev/video97; is it plugged in"):
            path_of("97")

    def test_a_file_is_no_camera(self, tmp_path: Path) -> None:
        (tmp_path / "film.mp4").touch()
        with pytest.raises(CameraLost, match="is no camera"):
            path_of(str(tmp_path / "film.mp4"))

    def test_a_path_is_taken_as_it_is(self) -> None:
        assert path_of("/dev/null") == "/dev/null"

    def test_auto_is_the_first_usb_camera(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        usb, pci = tmp_path / "devices/usb1/1-1/1-1:1.0", tmp_path / "devices/pci"
        usb.mkdir(parents=True)
        pci.mkdir(parents=True)
        told = [("video10", "0", "decoder", pci), ("video4", "1", "Webcam", usb), ("video2", "0", "Webcam", usb)]
        for name, index, model, where in [*told, ("video12", "0", "Second", usb)]:
            entry = tmp_path / "class" / name
            entry.mkdir(parents=True)
            (entry / "index").write_text(index + "\n")
            (entry / "name").write_text(model + "\n")
            (entry / "device").symlink_to(where)
        found = plugged(tmp_path / "class")
        assert [(one.path, one.name) for one in found] == [("/dev/video2", "Webcam"), ("/dev/video12", "Second")]
        monkeypatch.setattr(device.cameras.usb, "plugged", lambda: found)
        assert path_of("auto") == "/dev/video2"
        monkeypatch.setattr(device.cameras.usb, "plugged", list)
        with pytest.raises(CameraLost, match="no USB camera was found"):
            path_of("auto")

    def test_no_video_at_all(self, tmp_path: Path) -> None:
        assert plugged(tmp_path / "nothing") == []


def test_a_node_that_knows_no_controls_has_none() -> None:
    made = Controls(os.devnull)
    assert made.get(Control.EXPOSURE) is None
    assert not made.set(Control.EXPOSURE, 3)
    made.close()
