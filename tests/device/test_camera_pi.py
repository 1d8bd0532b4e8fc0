"""The Pi camera's driver on a pretended picamera2: what it asks for, what it gives back, how it is lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest
from fake_picamera2 import ADVERTISED, FakePicamera2, module

from device.cameras import CameraLost
from device.cameras.pi import PiDriver, small_size
from vision.gate import shrink

FOCUSES = (*ADVERTISED, "AfMode", "AfTrigger", "LensPosition")


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakePicamera2]]:
    FakePicamera2.made.clear()
    for name, value in (("fault", ""), ("advertised", ADVERTISED), ("small", None), ("good", 3)):
        monkeypatch.setattr(FakePicamera2, name, value)
    monkeypatch.setitem(sys.modules, "picamera2", module())
    yield FakePicamera2
    FakePicamera2.made.clear()


def test_asks_for_bgr_full_range_and_a_small_stream_of_the_gates_size(library: type[FakePicamera2]) -> None:
    driver = PiDriver(width=640, height=480, fps=20)
    made = library.made[0]
    assert made._set["main"]["size"] == (640, 480)
    assert made._set["lores"]["size"] == (320, 240)
    shot = driver.grab()
    assert shot is not None
    assert shot.picture.shape == (480, 640, 3)
    assert shot.small is not None
    assert shot.small.shape == (240, 320, 3)
    assert made.controls["FrameDurationLimits"] == (50_000, 50_000)
    assert driver.about["model"] == "imx708"


@pytest.mark.parametrize("size", [(1280, 720), (1280, 960), (1920, 1080), (640, 480), (2304, 1296)])
def test_the_small_stream_is_as_small_as_the_gate_makes_it(size: tuple[int, int]) -> None:
    width, height = small_size(*size)
    ours = shrink(np.zeros((size[1], size[0], 3), np.uint8))[0]
    assert abs(ours.shape[1] - width) <= 1
    assert abs(ours.shape[0] - height) <= 1
    assert width % 2 == height % 2 == 0


def test_a_small_stream_of_another_size_or_shape_is_left_aside(library: type[FakePicamera2]) -> None:
    for small in ((1280, 720), (320, 320), (64, 48)):
        library.small = small
        driver = PiDriver()
        shot = driver.grab()
        assert shot is not None
        assert shot.small is None
        driver.close()


def test_every_request_is_given_back_and_the_camera_closed(library: type[FakePicamera2]) -> None:
    driver = PiDriver()
    for _ in range(5):
        driver.grab()
    driver.close()
    made = library.made[0]
    assert made.released == made.n == 5
    assert made.closed


def test_the_flicker_of_the_mains_is_told_to_the_camera(library: type[FakePicamera2]) -> None:
    for hz, period in ((50, 10_000), (60, 8_333)):
        driver = PiDriver(flicker_hz=hz)
        assert library.made[-1].controls["AeFlickerPeriod"] == period
        assert library.made[-1].controls["AeFlickerMode"] == 1
        driver.close()
    PiDriver(flicker_hz=0)
    assert "AeFlickerMode" not in library.made[-1].controls


def test_exposure_is_held_as_it_was_found_and_let_go_again(library: type[FakePicamera2]) -> None:
    driver = PiDriver()
    driver.grab()
    assert driver.hold()
    controls = library.made[0].controls
    assert (controls["ExposureTime"], controls["AnalogueGain"]) == (9000, 2.0)
    driver.loosen()
    assert (controls["ExposureTime"], controls["AnalogueGain"]) == (0, 0.0)


def test_newer_libraries_want_time_and_gain_each_set_by_hand(library: type[FakePicamera2]) -> None:
    library.advertised = (*ADVERTISED, "AeEnable", "ExposureTimeMode", "AnalogueGainMode")
    driver = PiDriver()
    driver.grab()
    driver.hold()
    controls = library.made[0].controls
    assert (controls["ExposureTimeMode"], controls["AnalogueGainMode"], controls["AeEnable"]) == (1, 1, False)
    driver.loosen()
    assert (controls["ExposureTimeMode"], controls["AnalogueGainMode"], controls["AeEnable"]) == (0, 0, True)


def test_a_camera_without_such_controls_is_left_to_itself(library: type[FakePicamera2]) -> None:
    library.advertised = ()
    driver = PiDriver(focus_m=0.5)
    driver.grab()
    assert not driver.hold()
    assert library.made[0].controls == {}
    assert not driver.about["adjusts"]


def test_a_known_focus_is_set_once_and_for_all(library: type[FakePicamera2]) -> None:
    library.advertised = FOCUSES
    PiDriver(focus_m=0.4)
    assert library.made[0].controls["LensPosition"] == 2.5
    assert library.made[0].controls["AfMode"] == 0
    assert "AfTrigger" not in library.made[0].controls


def test_an_unknown_focus_is_searched_once_and_then_held(library: type[FakePicamera2]) -> None:
    library.advertised = FOCUSES
    driver = PiDriver()
    made = library.made[0]
    assert [told.get("AfMode") for told in made.asked if "AfMode" in told] == [1, 0]
    assert made.controls["LensPosition"] == 2.0
    assert made.released == made.n
    shot = driver.grab()
    assert shot is not None
    assert shot.about["focus_m"] == 0.5


def test_the_time_is_when_the_sensor_had_it(library: type[FakePicamera2]) -> None:
    library.fault = "one_old"
    driver = PiDriver()
    for age in (0.0, 0.0, 5.0, 0.0):
        before = time.monotonic()
        shot = driver.grab()
        assert shot is not None
        assert before <= shot.t + age <= time.monotonic()


@pytest.mark.parametrize(
    ("fault", "key", "words"),
    [
        ("none", "absent", "flat cable"),
        ("taken", "busy", "another program"),
        ("unset", "absent", "Invalid camera configuration"),
    ],
)
def test_one_that_cannot_be_opened(library: type[FakePicamera2], fault: str, key: str, words: str) -> None:
    library.fault = fault
    with pytest.raises(CameraLost, match=words) as told:
        PiDriver()
    assert told.value.key == key
    assert all(made.closed for made in library.made), "nobody could open it again"


def test_a_number_that_there_is_not(library: type[FakePicamera2]) -> None:
    with pytest.raises(CameraLost, match="there is no Pi camera 2; there is 0"):
        PiDriver(2)


def test_opened_twice_is_told_as_taken(library: type[FakePicamera2]) -> None:
    PiDriver()
    with pytest.raises(CameraLost) as told:
        PiDriver()
    assert told.value.key == "busy"


def test_no_picture_in_time_is_none_and_an_error_is_a_loss(library: type[FakePicamera2]) -> None:
    library.fault = "stall"
    driver = PiDriver()
    assert [driver.grab() is None for _ in range(5)] == [False, False, False, True, True]
    library.fault = "error"
    with pytest.raises(CameraLost, match="camera went away"):
        driver.grab()


def test_pictures_of_an_unknown_kind(library: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "pixels", ("SRGGB10", "YUV420"))
    with pytest.raises(CameraLost, match="SRGGB10"):
        PiDriver().grab()


def test_without_picamera2_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLost, match="sudo apt install python3-picamera2") as told:
        PiDriver()
    assert told.value.key == "no_library"
