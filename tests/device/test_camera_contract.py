"""What every camera keeps to: pictures, their times, an end within a second, and a loss noticed within seconds.

Runs on the fakes at every test run; in the camera lab (`make camera-lab`) also on the real picamera2 ("lab") and on the
real OpenCV with a pretended Video4Linux camera ("v4l").
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import Camera, CameraLost
from device.cameras.apart import ApartCamera, Patience
from device.cameras.fake import FakeCamera
from device.cameras.recording import RecordingCamera
from tests.waiting import PATIENCE_S
from vision.frame import Frame
from vision.gate import SMALL_PIXELS, shrink

IN_LAB = "PIETJESOOG_CAMERA_LAB" in os.environ
PATIENT = Patience(2 * PATIENCE_S, PATIENCE_S, PATIENCE_S, PATIENCE_S, goodbye_s=0.3)  # where nothing is to be noticed
QUICK = {
    "silent": replace(PATIENT, silence_s=2.0, stale_s=1.5),
    "frozen": replace(PATIENT, frozen_s=1.2),
}
"""By what is to be noticed: all else may take its time on a laden machine."""
AS_IT_IS = Patience(first_s=60.0)  # for the real ones: everything but the start as on a table
PROVEN_S = 0.05  # for a camera to prove its exposure; seconds on a table

DRIVERS = {
    "apart": "device.cameras.fake:FakeDriver",
    "pi": "fake_picamera2:FakedPiDriver",
    "usb": "fake_video:FakedUsbDriver",
    **({"lab": "virtual_pi:VirtualPiDriver", "v4l": "virtual_usb:VirtualUsbDriver"} if IN_LAB else {}),
}
FAULTS = {
    "apart": {
        "absent": "absent",
        "busy": "busy",
        "hang": "silent",
        "deaf": "silent",
        "no": "silent",
        "frozen": "frozen",
        "old": "silent",
        "dies": "silent",
        "raises": "silent",
    },
    "pi": {"taken": "busy", "blocks": "silent", "stall": "silent"},
    "usb": {"unplugged": "absent", "hang": "silent", "frozen": "frozen"},
    "lab": {"stall": "silent", "hang": "silent", "dies": "silent"},
    "v4l": {
        "busy": "busy",
        "gone": "absent",
        "stall": "silent",
        "hang": "silent",
        "repeats": "silent",
        "frozen": "frozen",
    },
}
"""By camera: ways to fail, and the key of the words in which each is told. More of them, without a process of their
own, in test_camera_pi.py and test_camera_usb.py."""

OPENS = {"absent", "busy", "taken"}
"""Faults that stand in the way from the start."""

CASES = [(kind, fault) for kind in DRIVERS for fault in FAULTS[kind]]


def camera(kind: str, fault: str = "") -> ApartCamera:
    patience = AS_IT_IS if kind in ("lab", "v4l") else QUICK.get(FAULTS[kind].get(fault, ""), PATIENT)
    return ApartCamera(kind, DRIVERS[kind], {"fault": fault}, patience=patience, settle_s=PROVEN_S)


@dataclass
class Seen:
    """What a camera gave until it was lost or had given enough."""

    frames: list[Frame] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    lost: CameraLost | None = None
    waited: float = 0.0

    def take(self, camera: Camera, enough: int = 100_000) -> None:
        heard = time.monotonic()
        try:
            for frame in camera.frames():
                heard = time.monotonic()
                self.at.append(heard)
                self.frames.append(frame if len(self.frames) < 40 else self.frames[0])
                if len(self.frames) >= enough:
                    break
        except CameraLost as fault:
            self.lost = fault
        self.waited = time.monotonic() - heard


@pytest.fixture(scope="module")
def failed() -> dict[tuple[str, str], Seen]:
    """Every camera with every fault, all at once: they wait together and not one after the other."""
    seen = {case: Seen() for case in CASES}
    at_once = 1 if IN_LAB else 8
    for some in (CASES[n : n + at_once] for n in range(0, len(CASES), at_once)):
        threads = [threading.Thread(target=seen[case].take, args=(camera(*case),), daemon=True) for case in some]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(4 * PATIENCE_S)
    return seen


@pytest.mark.parametrize(("kind", "fault"), CASES, ids=[f"{kind}-{fault}" for kind, fault in CASES])
def test_each_way_to_fail_is_noticed_within_seconds_and_told(
    failed: dict[tuple[str, str], Seen], kind: str, fault: str
) -> None:
    seen = failed[kind, fault]
    assert seen.lost is not None, "nobody noticed"
    assert seen.lost.key == FAULTS[kind][fault]
    assert len(str(seen.lost)) > 20
    assert bool(seen.frames) == (fault not in OPENS)
    if seen.frames:
        assert seen.waited < PATIENCE_S / 2


Make = Callable[[], Camera]
ENOUGH = 20
PICTURES = [np.full((48, 64, 3), n % 251, dtype=np.uint8) for n in range(200)]
RECORDED = [Frame(picture, n / 200, index=n) for n, picture in enumerate(PICTURES)]
MAKES: dict[str, Make] = {
    "fake": lambda: FakeCamera(PICTURES),
    "recording": lambda: RecordingCamera("a recording", RECORDED, speed=None),
    "live recording": lambda: RecordingCamera("a recording", RECORDED, live=True),
    **{kind: (lambda kind=kind: camera(kind)) for kind in DRIVERS},
}
LIVE = {"live recording", *DRIVERS}


@pytest.fixture(scope="module", params=list(MAKES))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def played(kind: str) -> Iterator[tuple[str, list[Frame], list[float], float]]:
    """Some frames, when each came, and how long the end took after `close` from another thread."""
    made, closed_at = MAKES[kind](), 0.0

    def close() -> None:
        nonlocal closed_at
        closed_at = time.monotonic()
        made.close()

    frames, at = [], []
    for frame in made.frames():
        frames.append(frame)
        at.append(time.monotonic())
        if len(frames) == ENOUGH:
            closing = threading.Thread(target=close)
            closing.start()
            closing.join()
    yield kind, frames, at, time.monotonic() - closed_at
    made.close()
    assert list(made.frames()) == []


class TestPictures:
    def test_they_are_in_colour_and_of_one_size(self, played: tuple[str, list[Frame], list[float], float]) -> None:
        shapes = {(frame.picture.shape, frame.picture.dtype.str) for frame in played[1]}
        assert len(shapes) == 1
        ((_, _, colours), kind), *_ = shapes
        assert (colours, kind) == (3, "|u1")

    def test_times_rise_and_pictures_are_counted(self, played: tuple[str, list[Frame], list[float], float]) -> None:
        frames = played[1]
        assert all(a.t < b.t for a, b in pairwise(frames))
        assert [frame.index for frame in frames] == list(range(len(frames)))

    def test_a_live_one_has_the_time_at_which_it_was_taken(
        self, played: tuple[str, list[Frame], list[float], float]
    ) -> None:
        kind, frames, at, _ = played
        if kind in LIVE:
            assert all(0 <= came - frame.t < PATIENCE_S for frame, came in zip(frames, at, strict=True))

    def test_pictures_differ(self, played: tuple[str, list[Frame], list[float], float]) -> None:
        means = {round(float(frame.picture.mean()), 2) for frame in played[1]}
        assert len(means) > 5

    def test_close_ends_them_at_once(self, played: tuple[str, list[Frame], list[float], float]) -> None:
        """Without another picture, and soon: within a second where nothing else runs."""
        assert len(played[1]) == ENOUGH
        assert played[3] < PATIENCE_S / 4

    def test_a_small_picture_shows_the_same(self, played: tuple[str, list[Frame], list[float], float]) -> None:
        kind, frames, _, _ = played
        with_small = [frame for frame in frames if frame.small is not None]
        assert bool(with_small) == (kind in ("pi", "lab"))
        for frame in with_small[:3]:
            assert frame.small is not None
            height, width = frame.small.shape[:2]
            assert 0.7 < height * width / SMALL_PIXELS < 1.4
            ours = shrink(frame.picture)[0]
            assert ours.shape == frame.small.shape
            assert float(np.abs(ours.astype(float) - frame.small).mean()) < 12


@pytest.mark.skipif(not IN_LAB, reason="needs the camera lab: make camera-lab")
class TestRealPicamera2:
    """What only the real library can show; the lab plays pictures of ours as its camera."""

    def test_colours_are_those_of_the_pictures_that_were_shown(self) -> None:
        made, seen = camera("lab"), Seen()
        seen.take(made, enough=4)
        assert made.about["model"] == "imx708_virtual"
        assert made.about["small"] == "370x208"
        shown = [cv2.imread(str(path)).astype(float) for path in sorted(Path("/opt/lab/frames").glob("*.jpg"))]
        for frame in seen.frames:
            off, nearest = min(((abs(one - frame.picture).mean(), n) for n, one in enumerate(shown)))
            by_colour = abs(shown[nearest] - frame.picture).mean(axis=(0, 1))
            assert off < 3.0, by_colour

    def test_a_camera_that_is_not_there(self) -> None:
        seen = Seen()
        seen.take(ApartCamera("lab", DRIVERS["lab"], {"number": 3}, patience=AS_IT_IS))
        assert seen.lost is not None
        assert (seen.lost.key, str(seen.lost)) == ("absent", "there is no Pi camera 3; there is 0")


class TestAgain:
    @pytest.mark.parametrize("kind", [kind for kind in DRIVERS if kind in ("apart", "lab")])
    def test_a_camera_that_was_lost_is_opened_anew(self, kind: str) -> None:
        fault = {"apart": "dies", "lab": "stall"}[kind]
        made, first, second = camera(kind, fault), Seen(), Seen()
        first.take(made)
        second.take(made, enough=3)
        assert first.lost is not None
        assert second.lost is None
        assert len(second.frames) == 3
        assert second.frames[0].t > first.frames[-1].t
        made.close()
