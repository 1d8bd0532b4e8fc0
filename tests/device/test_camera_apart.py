"""The process that a camera lives in: it ends with us, keeps its mouth shut, and cannot take us with it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import drawn_throws as drawn
import numpy as np
import pytest

from device.cameras import CameraLost
from device.cameras.apart import ApartCamera, Patience, _Repeats
from tests.waiting import PATIENCE_S, waited
from vision.frame import Frame
from vision.gate import Gate, shrink

FAKE = "device.cameras.fake:FakeDriver"
PATIENT = Patience(PATIENCE_S, PATIENCE_S, PATIENCE_S, PATIENCE_S, goodbye_s=0.2, burial_s=PATIENCE_S)


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def test_the_camera_goes_with_whoever_opened_it() -> None:
    """Killed outright, a service must not leave a process that still has the camera."""
    script = f"""
import sys, time
from device.cameras.apart import ApartCamera, Patience
camera = ApartCamera("c", {FAKE!r}, {{"fault": "deaf", "good": 3}}, patience={PATIENT!r})
frames = camera.frames()
next(frames)
print(camera.pid, flush=True)
time.sleep(60)
"""
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    assert is_alive(pid)
    owner.kill()
    owner.wait()
    assert waited(lambda: not is_alive(pid))
    owner.stdout.close()


def test_one_that_not_even_a_kill_ends_is_told_and_not_opened_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    class Stuck:
        """As a process that waits in the kernel for ever."""

        stdin, returncode, pid = None, None, 4242

        def poll(self) -> None:
            return None

        def wait(self, timeout: float) -> int:
            raise subprocess.TimeoutExpired("camera", timeout)

        def kill(self) -> None: ...

    camera = ApartCamera("Pi camera 0", FAKE, {}, patience=Patience(first_s=0.05, goodbye_s=0.01, burial_s=0.01))
    monkeypatch.setattr(camera, "_start", lambda memory, words: started.append(os.dup(words)) or Stuck())
    keys = []
    for _ in range(3):
        frames = camera.frames()
        with pytest.raises(CameraLost) as told:
            next(frames)
        keys.append((told.value.key, "take its power away" in str(told.value)))
    assert keys == [("silent", False), ("stuck", True), ("stuck", True)]
    assert len(started) == 1
    os.close(started[0])


def test_a_machine_without_room_for_a_process_loses_the_camera_not_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*told: object, **more: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", full)
    before = open_files()
    with pytest.raises(CameraLost, match="cannot be started"):
        next(ApartCamera("c", FAKE, {}).frames())
    assert waited(lambda: open_files() == before)


def test_losing_it_again_and_again_leaves_nothing_behind() -> None:
    camera = ApartCamera("c", FAKE, {"fault": "absent"}, patience=PATIENT)
    before = open_files()
    for _ in range(3):
        with pytest.raises(CameraLost):
            next(camera.frames())
    assert waited(lambda: open_files() == before)
    assert waited(lambda: camera.pid is None)


def test_slow_readers_get_the_newest() -> None:
    camera = ApartCamera("c", FAKE, {"fps": 100.0}, patience=PATIENT)
    frames = camera.frames()

    def skips() -> bool:
        """Not when the other process was held up as well: then there was nothing to skip."""
        before = next(frames).t
        time.sleep(0.3)
        return next(frames).t - before > 0.2

    assert waited(skips)
    assert camera.about["model"] == "pretended camera"
    camera.close()
    assert list(frames) == []


class TestRepeats:
    def test_the_same_picture_for_ever(self) -> None:
        watch = _Repeats(4.0)
        still = np.full((48, 64, 3), 90, np.uint8)
        assert [watch.is_frozen(still, t / 2) for t in range(10)] == [False] * 9 + [True]

    def test_a_still_scene_with_noise(self) -> None:
        watch, rng = _Repeats(1.0), np.random.default_rng(1)
        still = np.full((48, 64, 3), 90, np.uint8)
        noise = (rng.integers(0, 2, still.shape, dtype=np.uint8) for _ in range(50))
        assert not any(watch.is_frozen(still + one, t / 10) for t, one in enumerate(noise))

    def test_a_covered_lens_is_told_as_dark_elsewhere(self) -> None:
        watch = _Repeats(1.0)
        assert not any(watch.is_frozen(np.zeros((48, 64, 3), np.uint8), float(t)) for t in range(10))


def test_the_gate_finds_the_same_in_the_cameras_own_small_picture() -> None:
    alone, helped = Gate(), Gate()
    moving = 0
    for frame in drawn.frames([(1, 4, 5)]):
        large = np.repeat(np.repeat(frame.picture, 2, axis=0), 2, axis=1)
        small, _ = shrink(large)
        with_small = Frame(large, frame.t, small=small)
        expected = alone.see(large, frame.t)
        assert helped.see(with_small.picture, frame.t, with_small.small) == expected
        moving += bool(expected.moving)
    assert moving > 5
    assert helped.scale == alone.scale == 2.0
