"""Cameras: one contract for each class, and each way in which a camera goes away."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import device.cameras
from device.cameras import Camera, CameraLost
from device.cameras.fake import FakeCamera
from device.cameras.pi import PiCamera
from device.cameras.pump import Pump
from device.cameras.recording import RecordingCamera
from device.cameras.usb import UsbCamera
from device.wording import wording
from vision.frame import Frame, Picture

Make = Callable[[], Camera]


def picture(n: int) -> Picture:
    return np.full((48, 64, 3), n % 251, dtype=np.uint8)


class Driver:
    """Gives pictures as told: None for a try that gave none."""

    def __init__(self, grab: Callable[[int], Picture | None]) -> None:
        self._grab, self._n = grab, 0
        self.closed = threading.Event()

    def grab(self) -> Picture | None:
        self._n += 1
        time.sleep(0.001)
        return self._grab(self._n)

    def close(self) -> None:
        self.closed.set()


class FakePicamera2:
    """As much of picamera2 as a camera here uses."""

    made: list[FakePicamera2]
    stall = False

    def __init__(self, number: int = 0) -> None:
        type(self).made.append(self)
        self.camera_controls = {"ExposureTime": (), "AeEnable": (), "AnalogueGain": (), "FrameRate": ()}
        self.controls: dict[str, Any] = {}
        self.released = self.n = 0
        self.closed = False

    def create_video_configuration(self, **told: Any) -> dict[str, Any]:
        return told

    def configure(self, told: dict[str, Any]) -> None:
        self.configured = told

    def start(self) -> None: ...

    def set_controls(self, told: dict[str, Any]) -> None:
        for name in told:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls |= told

    def capture_request(self, wait: float) -> FakePicamera2:
        time.sleep(0.001)
        if self.stall:
            raise TimeoutError
        self.n += 1
        return self

    def get_metadata(self) -> dict[str, Any]:
        age = 5.0 if self.n == 2 else 0.0  # one old picture, as after a stall
        stamp = int((time.clock_gettime(time.CLOCK_BOOTTIME) - age) * 1e9)
        return {"SensorTimestamp": stamp, "ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.0, 2.0)}

    def make_array(self, name: str) -> Picture:
        return picture(self.n)

    def release(self) -> None:
        self.released += 1

    def stop(self) -> None: ...

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    FakePicamera2.made, FakePicamera2.stall = [], False
    module = ModuleType("picamera2")
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return FakePicamera2


@pytest.fixture(params=["fake", "recording", "pump", "pi"])
def camera(request: pytest.FixtureRequest, picamera2: type[FakePicamera2]) -> Iterator[Camera]:
    frames = [Frame(picture(n), n / 30) for n in range(200)]
    makes: dict[str, Make] = {
        "fake": lambda: FakeCamera([frame.picture for frame in frames]),
        "recording": lambda: RecordingCamera("a recording", frames, speed=None),
        "pump": lambda: Pump("driven", lambda: Driver(picture)),
        "pi": PiCamera,
    }
    made = makes[request.param]()
    yield made
    made.close()


class TestContract:
    def test_frames_are_pictures_with_rising_times(self, camera: Camera) -> None:
        frames = camera.frames()
        got = [next(frames) for _ in range(12)]
        assert all(frame.picture.shape == (48, 64, 3) and frame.picture.dtype == np.uint8 for frame in got)
        assert all(a.t < b.t for a, b in pairwise(got))
        assert camera.name

    def test_close_from_another_thread_ends_the_frames(self, camera: Camera) -> None:
        frames = camera.frames()
        next(frames)
        closing = threading.Timer(0.05, camera.close)
        closing.start()
        began = time.monotonic()
        for _ in frames:
            pass
        assert time.monotonic() - began < 1.0
        closing.join()

    def test_close_twice(self, camera: Camera) -> None:
        camera.close()
        camera.close()
        assert list(camera.frames()) == []


def lost(camera: Camera) -> str:
    with pytest.raises(CameraLost) as told:
        for _ in camera.frames():
            pass
    return str(told.value)


class TestPump:
    def test_a_camera_that_hangs(self) -> None:
        never = threading.Event()

        def grab(n: int) -> Picture | None:
            if n > 3:
                never.wait(5)
            return picture(n)

        assert "gives no picture" in lost(Pump("hung", lambda: Driver(grab), silence_s=0.15))
        never.set()

    def test_a_camera_that_says_no(self) -> None:
        assert "stopped giving pictures" in lost(Pump("failing", lambda: Driver(lambda n: None)))

    def test_a_camera_that_repeats_its_last_picture(self) -> None:
        pump = Pump("frozen", lambda: Driver(lambda n: picture(min(n, 5))), frozen_s=0.1)
        assert "same picture" in lost(pump)

    def test_a_still_scene_with_noise_is_not_frozen(self) -> None:
        rng = np.random.default_rng(1)
        still = picture(90)

        def grab(n: int) -> Picture:
            return still + rng.integers(0, 2, still.shape, dtype=np.uint8)

        pump = Pump("still", lambda: Driver(grab), frozen_s=0.05)
        frames = pump.frames()
        began = time.monotonic()
        while time.monotonic() - began < 0.2:
            next(frames)
        pump.close()

    def test_a_camera_that_cannot_be_opened(self) -> None:
        def refuse() -> Driver:
            raise CameraLost("somebody has it")

        assert lost(Pump("busy", refuse)) == "somebody has it"

    def test_the_slow_get_the_newest(self) -> None:
        pump = Pump("fast", lambda: Driver(picture))
        frames = pump.frames()
        first = next(frames).picture[0, 0, 0]
        time.sleep(0.06)
        next(frames)  # may have waited in the one place since
        assert next(frames).picture[0, 0, 0] > first + 5
        pump.close()

    def test_opened_anew_after_a_loss(self) -> None:
        drivers = [Driver(lambda n: None), Driver(picture)]
        made = iter(drivers)
        pump = Pump("again", lambda: next(made))
        lost(pump)
        assert next(pump.frames()).picture.shape == (48, 64, 3)
        assert drivers[0].closed.wait(1)
        pump.close()

    def test_one_that_hangs_is_not_opened_a_second_time(self) -> None:
        never, opened = threading.Event(), list[int]()

        def open_it() -> Driver:
            opened.append(1)
            never.wait()
            return Driver(picture)

        pump = Pump("stuck", open_it, silence_s=0.02)
        lost(pump)
        assert "hangs" in lost(pump)
        assert "hangs" in lost(pump)
        assert len(opened) == 1
        pump.close()
        never.set()

    def test_what_a_library_throws_ends_one_try(self) -> None:
        def grab(n: int) -> Picture:
            raise ValueError("what nobody expected")

        driver = Driver(grab)
        assert "ValueError: what nobody expected" in lost(Pump("odd", lambda: driver))
        assert driver.closed.wait(1)


def test_every_loss_has_a_sentence_in_the_texts() -> None:
    sources = "".join(path.read_text() for path in Path(device.cameras.__file__).parent.glob("*.py"))
    keys = set(re.findall(r'", "([a-z_]+)"\)', sources)) | set(re.findall(r'^ +"([a-z_]+)",$', sources, re.M))
    assert {"absent", "busy", "silent", "frozen", "no_library"} <= keys
    assert all(wording("nl").has("trouble", key) for key in keys)


class TestUsb:
    def test_no_such_camera_is_a_sentence(self) -> None:
        assert lost(UsbCamera("/dev/no-such-video")) == "there is no camera /dev/no-such-video; is it plugged in?"


class TestPi:
    def test_without_picamera2_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "picamera2", None)
        assert "sudo apt install python3-picamera2" in lost(PiCamera())

    def test_asks_for_bgr_and_gives_every_request_back(self, picamera2: type[FakePicamera2]) -> None:
        camera = PiCamera(width=640, height=480)
        frames = camera.frames()
        for _ in range(4):
            next(frames)
        camera.close()
        assert list(frames) == []
        made = picamera2.made[0]
        assert made.configured["main"] == {"size": (640, 480), "format": "RGB888"}
        deadline = time.monotonic() + 1
        while not made.closed and time.monotonic() < deadline:
            time.sleep(0.005)
        assert made.closed
        assert made.released == made.n

    def test_exposure_is_held_once_settled_and_unknown_controls_are_left_out(
        self, picamera2: type[FakePicamera2]
    ) -> None:
        camera = PiCamera(focus_m=0.5)
        frames = camera.frames()
        next(frames)
        made = picamera2.made[0]
        deadline = time.monotonic() + 2
        while made.n < 60 and time.monotonic() < deadline:
            next(frames)
        camera.close()
        assert made.controls == {"AeEnable": False, "ExposureTime": 9000, "AnalogueGain": 2.0}

    def test_one_that_cannot_be_set_up_is_given_back(
        self, picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(self: FakePicamera2, told: dict[str, Any]) -> None:
            raise RuntimeError("no such mode")

        monkeypatch.setattr(picamera2, "configure", refuse)
        assert "no such mode" in lost(PiCamera())
        assert picamera2.made[0].closed

    def test_a_stall_is_noticed(self, picamera2: type[FakePicamera2]) -> None:
        picamera2.stall = True
        assert "stopped giving pictures" in lost(PiCamera())


class TestRecording:
    def test_plays_at_its_own_speed(self) -> None:
        now, waited = 0.0, []

        def wait(seconds: float) -> bool:
            nonlocal now
            waited.append(round(seconds, 3))
            now += seconds
            return False

        frames = [Frame(picture(n), 10 + n / 10) for n in range(4)]
        camera = RecordingCamera("r", frames, clock=lambda: now, wait=wait)
        assert [round(frame.t, 1) for frame in camera.frames()] == [10.0, 10.1, 10.2, 10.3]
        assert waited == [0.1, 0.1, 0.1]

    def test_loses_nothing_when_it_falls_behind(self) -> None:
        now = 0.0
        frames = [Frame(picture(n), n / 10) for n in range(5)]
        camera = RecordingCamera("r", frames, clock=lambda: now, wait=lambda seconds: False)
        seen = 0
        for _ in camera.frames():
            now += 1.0
            seen += 1
        assert seen == 5
