"""The parts that cameras are made of: shared pictures, kinds of pixels, a settling exposure, the choice, recordings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

import device.cameras
from device.cameras import CameraLost
from device.cameras.apart import ApartCamera
from device.cameras.choice import camera_of
from device.cameras.driver import Shot
from device.cameras.exposure import CHANGED_S, Exposure, Step
from device.cameras.formats import bgr
from device.cameras.recording import RecordingCamera
from device.cameras.slots import SLOTS, Slots
from device.config import Config
from device.errors import BadInput
from device.wording import wording
from vision.frame import Frame, Picture


def picture(n: int, height: int = 48, width: int = 64) -> Picture:
    return np.full((height, width, 3), n % 251, dtype=np.uint8)


class TestSlots:
    @pytest.fixture
    def pair(self) -> Iterator[tuple[Slots, Slots]]:
        fd = os.memfd_create("slots")
        writer, reader = Slots(fd), Slots(fd)
        yield writer, reader
        writer.close()
        reader.close()
        os.close(fd)

    def test_a_picture_comes_over_whole(self, pair: tuple[Slots, Slots]) -> None:
        writer, reader = pair
        noise = np.random.default_rng(1).integers(0, 256, (30, 41, 3), dtype=np.uint8)
        got = reader.read(writer.write(Shot(noise, 12.5, picture(3, 10, 12))))
        assert got is not None
        assert np.array_equal(got.picture, noise)
        assert got.t == 12.5
        assert got.small is not None
        assert got.small.shape == (10, 12, 3)

    def test_one_that_was_overwritten_is_none(self, pair: tuple[Slots, Slots]) -> None:
        writer, reader = pair
        numbers = [writer.write(Shot(picture(n), float(n))) for n in range(SLOTS + 1)]
        assert reader.read(numbers[0]) is None
        assert reader.read(numbers[1]) is not None

    def test_one_that_is_overwritten_while_it_is_read_is_none(
        self, pair: tuple[Slots, Slots], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        writer, reader = pair
        number, copied = writer.write(Shot(picture(1), 1.0)), Slots._copied

        def slow(self: Slots, *where: int) -> Picture:
            for n in range(SLOTS):
                writer.write(Shot(picture(9), 2.0 + n))
            return copied(self, *where)

        monkeypatch.setattr(Slots, "_copied", slow)
        assert reader.read(number) is None

    def test_larger_pictures_get_more_room(self, pair: tuple[Slots, Slots]) -> None:
        writer, reader = pair
        first = writer.write(Shot(picture(1), 1.0))
        assert reader.read(first) is not None
        large = writer.write(Shot(picture(2, 480, 640), 2.0))
        got = reader.read(large)
        assert got is not None
        assert got.picture.shape == (480, 640, 3)
        assert reader.read(first) is None

    def test_nothing_was_written(self, pair: tuple[Slots, Slots]) -> None:
        assert pair[1].read(1) is None

    def test_what_was_read_is_ones_own(self, pair: tuple[Slots, Slots]) -> None:
        writer, reader = pair
        got = reader.read(writer.write(Shot(picture(7), 1.0)))
        for n in range(SLOTS):
            writer.write(Shot(picture(8), 2.0 + n))
        assert got is not None
        assert got.picture.max() == 7


COLOURS = np.array([[[200, 60, 30], [30, 180, 60]], [[40, 50, 210], [128, 128, 128]]], np.uint8)
SCENE = np.repeat(np.repeat(COLOURS, 32, axis=0), 48, axis=1)  # 64 high, 96 wide


def planes(scene: Picture, stride: int, *, full: bool, interleaved: bool) -> Picture:
    """The scene as YUV420 or NV12 with rows of `stride` bytes, by the textbook formulas (BT.601)."""
    b, g, r = (scene[:, :, n].astype(float) for n in range(3))
    y = 0.299 * r + 0.587 * g + 0.114 * b
    u, v = (b - y) / 1.772 + 128, (r - y) / 1.402 + 128
    if not full:
        y, u, v = y * 219 / 255 + 16, (u - 128) * 224 / 255 + 128, (v - 128) * 224 / 255 + 128
    height, width = y.shape
    u, v = u[::2, ::2], v[::2, ::2]
    out = np.zeros((height * 3 // 2, stride), np.uint8)
    out[:height, :width] = np.rint(y)
    if interleaved:
        out[height:, :width] = np.rint(np.dstack([u, v]).reshape(height // 2, width))
    else:
        colour = np.zeros((2, height // 2, stride // 2), np.uint8)
        colour[0, :, : width // 2], colour[1, :, : width // 2] = np.rint(u), np.rint(v)
        out[height:] = colour.reshape(height // 2, stride)
    return out


class TestFormats:
    @pytest.mark.parametrize("full", [True, False])
    @pytest.mark.parametrize("stride", [96, 128])
    @pytest.mark.parametrize("pixels", ["YUV420", "NV12"])
    def test_planes_give_the_colours_that_were_seen(self, pixels: str, stride: int, full: bool) -> None:
        array = planes(SCENE, stride, full=full, interleaved=pixels == "NV12")
        got = bgr(array, pixels, (96, 64), full_range=full)
        assert got is not None
        inner = np.zeros((64, 96), bool)
        inner[4:28, 4:44] = inner[36:60, 52:92] = inner[4:28, 52:92] = inner[36:60, 4:44] = True
        assert np.abs(got.astype(int) - SCENE)[inner].max() <= 4

    def test_black_is_black_in_both_ranges(self) -> None:
        black = np.zeros((64, 96, 3), np.uint8)
        for full in (True, False):
            got = bgr(planes(black, 96, full=full, interleaved=False), "YUV420", (96, 64), full_range=full)
            assert got is not None
            assert got.max() <= 2

    def test_packed_pixels_in_either_order(self) -> None:
        rgb = np.ascontiguousarray(SCENE[:, :, ::-1])
        padded = np.dstack([SCENE, np.zeros(SCENE.shape[:2], np.uint8)])
        for array, pixels in ((SCENE, "RGB888"), (rgb, "BGR888"), (padded, "XRGB8888"), (rgb, "MJPEG")):
            got = bgr(array, pixels, (96, 64), full_range=True)
            assert got is not None
            assert np.array_equal(got, SCENE)

    def test_yuyv(self) -> None:
        grey = np.full((64, 96, 2), 128, np.uint8)
        got = bgr(grey, "YUYV", (96, 64), full_range=False)
        assert got is not None
        assert got.shape == (64, 96, 3)
        assert np.ptp(got) <= 1

    def test_unknown_ones_are_none(self) -> None:
        assert bgr(SCENE, "SRGGB10", (96, 64), full_range=True) is None


def steps(exposure: Exposure, levels: list[float], start: float = 0.0) -> list[tuple[str, bool]]:
    return [(exposure.see(start + n / 10, level).name, exposure.ready) for n, level in enumerate(levels)]


class TestExposure:
    def test_nothing_is_read_before_it_has_settled_and_proven_itself(self) -> None:
        got = steps(Exposure(settle_s=0.5), [10, 60, 120, 110, 100, *[100.0] * 20])
        held = next(n for n, (name, _) in enumerate(got) if name == "HOLD")
        ready = next(n for n, (_, is_ready) in enumerate(got) if is_ready)
        assert 8 <= held < ready <= held + 6
        assert {name for name, _ in got[held + 1 :]} == {"NOTHING"}

    def test_one_that_hunts_for_ever_is_held_after_some_seconds(self) -> None:
        got = steps(Exposure(settle_s=0.5), [80.0, 120.0] * 40)
        assert [n for n, (name, _) in enumerate(got) if name == "HOLD"][:1] == [30]

    def test_mains_flicker_is_settled(self) -> None:
        got = steps(Exposure(settle_s=0.5), [100.0, 103.0] * 8)
        assert ("HOLD", False) in got[:7]

    def test_a_camera_that_jumps_when_it_is_held_is_let_go_and_read_all_the_same(self) -> None:
        exposure = Exposure(settle_s=0.5)
        got = steps(exposure, [100.0] * 6 + [40.0] * 10)
        assert [name for name, _ in got if name != "NOTHING"] == ["HOLD", "LOOSEN"]
        assert got[-1] == ("NOTHING", True)
        assert not exposure.held
        assert {name for name, _ in steps(exposure, [5.0] * 300, 2.0)} == {"NOTHING"}

    def test_new_light_that_stays_is_settled_anew(self) -> None:
        exposure = Exposure(settle_s=0.5)
        steps(exposure, [100.0] * 15)
        assert exposure.ready
        got = steps(exposure, [200.0] * 130, 1.5)
        loosened = next(n for n, (name, _) in enumerate(got) if name == "LOOSEN")
        assert loosened == pytest.approx(CHANGED_S * 10, abs=2)
        assert got[loosened] == ("LOOSEN", False)
        assert got[-1] == ("NOTHING", True)

    def test_a_hand_over_the_board_changes_nothing(self) -> None:
        exposure = Exposure(settle_s=0.5)
        steps(exposure, [100.0] * 15)
        got = steps(exposure, [40.0] * 80 + [100.0] * 5 + [40.0] * 80, 1.5)
        assert set(got) == {("NOTHING", True)}

    def test_a_dark_room_is_settled_too(self) -> None:
        exposure = Exposure(settle_s=0.5)
        steps(exposure, [0.3, 0.5, 0.2, 0.4, 0.3, 0.5] * 3)
        assert exposure.ready

    def test_a_camera_that_cannot_hold_is_read_at_once(self) -> None:
        exposure = Exposure()
        exposure.cannot_hold()
        assert exposure.see(0.0, 50.0) is Step.NOTHING
        assert exposure.ready


class TestChoice:
    def camera(self, **told: str | int) -> object:
        return camera_of(Config().with_values(**{f"camera__{key}": value for key, value in told.items()}))

    def test_none(self) -> None:
        assert self.camera(kind="none") is None

    def test_usb_and_pi_with_what_was_set(self) -> None:
        usb = self.camera(device="3", focus_step=40, mains_hz="60")
        assert isinstance(usb, ApartCamera)
        assert usb.name == "USB camera 3"
        assert usb._options == {
            "device": "3",
            "width": 1280,
            "height": 720,
            "fps": 15,
            "focus_step": 40,
            "flicker_hz": 60,
        }
        pi = self.camera(kind="pi", device="1", mains_hz="off")
        assert isinstance(pi, ApartCamera)
        assert (pi._options["number"], pi._options["flicker_hz"]) == (1, 0)
        assert isinstance(self.camera(kind="pi"), ApartCamera)

    @pytest.mark.parametrize("url", ["rtsp://camera/stream", "http://10.0.0.4:8080/video"])
    def test_no_camera_of_a_network(self, url: str) -> None:
        for kind in ("usb", "pi", "recording"):
            with pytest.raises(BadInput, match="not a network"):
                self.camera(kind=kind, device=url)

    def test_a_pi_camera_is_a_number(self) -> None:
        with pytest.raises(BadInput, match='"auto" or a number'):
            self.camera(kind="pi", device="/dev/video0")

    def test_a_recording(self, tmp_path: Path) -> None:
        cv2.imwrite(str(tmp_path / "1.png"), picture(5))
        made = self.camera(kind="recording", device=str(tmp_path))
        assert isinstance(made, RecordingCamera)
        with pytest.raises(BadInput, match="There is no recording"):
            self.camera(kind="recording", device=str(tmp_path / "none"))


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

    def test_as_a_camera_it_has_the_time_of_now_and_ends_for_good(self) -> None:
        frames = [Frame(picture(n), 3 + n / 10) for n in range(3)]
        camera = RecordingCamera("r", frames, live=True, clock=lambda: 50.0, wait=lambda seconds: False)
        for expected in ([50.0, 50.1, 50.2], []):
            playing, times = camera.frames(), list[float]()
            with pytest.raises(CameraLost, match="has ended") as told:
                times.extend(round(frame.t, 3) for frame in playing)
            assert times == expected
            assert told.value.key == "ended"


def test_every_loss_has_a_sentence_in_the_texts() -> None:
    sources = "".join(path.read_text() for path in Path(device.cameras.__file__).parent.glob("*.py"))
    keys = set(re.findall(r'", "([a-z_]+)"\)?', sources)) & set(wording("nl").section("trouble"))
    assert {"absent", "busy", "silent", "frozen", "no_library", "stuck", "ended"} <= keys
    for lost in re.findall(r"CameraLost\((.*?)\)(?: from |\n)", sources, re.S):
        if keyed := re.search(r'"\s*,\s*"([a-z_]*)"\s*$', lost.strip().rstrip(",")):
            assert wording("nl").has("trouble", keyed[1]), keyed[1]
