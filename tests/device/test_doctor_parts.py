"""`doctor` at the camera and at the parts beside it: each found well, and each with what can ail it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.cameras import CameraLost
from device.cameras.v4l import Plugged
from device.config import Config
from device.doctor import Case, Finding, State
from device.doctor.camera import camera
from device.doctor.parts import buttons, display, lights, nodes, pins, sound
from device.kept import PartLost
from vision.board import Board
from vision.frame import Frame, Picture


def sharp(level: int = 120) -> Picture:
    """Stripes with sharp edges, their mean about `level`, a sensor's noise."""
    picture = np.full((240, 320, 3), max(0, level - 30), np.uint8)
    for x in range(0, 320, 80):
        cv2.rectangle(picture, (x, 0), (x + 39, 240), (min(255, level + 30),) * 3, -1)
    return picture


class Played:
    """A camera that gives these pictures, one every `apart` seconds, then is lost or just ends."""

    name = "pretended"

    def __init__(self, pictures: Iterable[Picture], apart: float = 1 / 15, lost: CameraLost | None = None) -> None:
        self._pictures, self._apart, self._lost = list(pictures), apart, lost
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        for n, picture in enumerate(self._pictures):
            yield Frame(picture, n * self._apart)
        if self._lost is not None:
            raise self._lost

    def close(self) -> None:
        self.closed.set()


CONFIG = Config().with_values(camera__width=320, camera__height=240)


def look(made: Played, config: Config = CONFIG, **running: object) -> dict[str, Finding]:
    """The findings by what they are about, the worst of each."""
    told: dict[str, Finding] = {}
    for finding in camera(Case(config, running), lambda config: made, found=lambda: [Plugged("/dev/video0", "Webcam")]):
        if finding.state is not State.OK or finding.check not in told:
            told[finding.check] = finding
    return told


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> list[Board | None]:
    """The board that is found, in a list of one; looking for one takes a second."""
    found: list[Board | None] = [Board.whole(320, 240, 30.0)]
    monkeypatch.setattr("device.board_choice.find_board", lambda picture: found[0])
    return found


@pytest.mark.usefixtures("board")
class TestCamera:
    def test_one_that_is_well(self) -> None:
        made = Played([sharp()] * 30)
        told = look(made)
        assert {finding.state for finding in told.values()} == {State.OK}, told
        assert "15.0 pictures a second" in told["camera rate"].message
        assert "30 pixels" in told["board"].message
        assert made.closed.is_set()

    def test_what_is_plugged_in_is_told(self) -> None:
        found = camera(Case(CONFIG), lambda config: Played([sharp()] * 5), found=lambda: [Plugged("/dev/video0", "X")])
        assert "/dev/video0 (X)" in next(iter(found)).message

    @pytest.mark.parametrize("key", ["absent", "busy", "silent", "frozen", "no_library", "stuck", "odd"])
    def test_each_loss_says_what_to_do(self, key: str) -> None:
        told = look(Played([], lost=CameraLost(f"it is {key}", key)))
        assert told["camera"].state is State.FAULT
        assert told["camera"].message == f"it is {key}"
        assert told["camera"].do

    def test_one_that_is_lost_while_it_is_watched(self) -> None:
        told = look(Played([sharp()] * 4, lost=CameraLost("it went away", "absent")))
        assert told["camera"].message == "it went away after 4 pictures"

    def test_too_few_pictures(self) -> None:
        told = look(Played([sharp()] * 8, apart=0.5))
        assert told["camera rate"].state is State.WARNING
        assert "only 2.0 pictures a second of 15" in told["camera rate"].message

    def test_another_size_than_asked_for(self) -> None:
        told = look(Played([sharp()] * 20), Config())
        assert "asked for 1280 × 720, it gives 320 × 240" in told["camera size"].message

    @pytest.mark.parametrize(
        ("picture", "state"),
        [
            (np.zeros((240, 320, 3), np.uint8), State.FAULT),
            (np.full((240, 320, 3), 255, np.uint8), State.FAULT),
            (sharp(32), State.WARNING),
            (sharp(222), State.WARNING),
            (sharp(120), State.OK),
        ],
        ids=["black", "white", "dim", "glaring", "well"],
    )
    def test_light(self, picture: Picture, state: State) -> None:
        assert look(Played([picture] * 20))["light"].state is state

    @pytest.mark.parametrize(("blur", "state"), [(0.0, State.OK), (3.6, State.WARNING), (6.0, State.FAULT)])
    def test_focus(self, blur: float, state: State) -> None:
        picture = sharp() if not blur else np.asarray(cv2.GaussianBlur(sharp(), (0, 0), blur), np.uint8)
        told = look(Played([picture] * 20))
        assert told["focus"].state is state, told["focus"].message
        assert bool(told["focus"].do) == (state is not State.OK)

    def test_nothing_to_focus_on(self) -> None:
        assert look(Played([np.full((240, 320, 3), 90, np.uint8)] * 20))["focus"].state is State.WARNING

    def test_no_board(self, board: list[Board | None]) -> None:
        board[0] = None
        assert look(Played([sharp()] * 20))["board"].state is State.FAULT

    def test_dice_that_would_be_too_small(self, board: list[Board | None]) -> None:
        board[0] = Board.whole(320, 240, 12.0)
        told = look(Played([sharp()] * 20))["board"]
        assert told.state is State.WARNING
        assert "only 12 pixels" in told.message

    def test_a_board_file_that_is_none(self, tmp_path: Path) -> None:
        config = CONFIG.with_values(board__file=str(tmp_path / "none.json"))
        assert look(Played([sharp()] * 20), config)["board"].state is State.FAULT

    def test_none_is_set(self) -> None:
        told = look(Played([]), Config().with_values(camera__kind="none"))
        assert told["camera"].state is State.OK

    def test_settings_that_name_no_camera(self) -> None:
        (told,) = camera(Case(Config().with_values(camera__device="rtsp://x/y")), found=list)
        assert told.state is State.FAULT
        assert "not a network" in told.message

    def test_a_recording_may_end(self, tmp_path: Path) -> None:
        for n in range(4):
            cv2.imwrite(str(tmp_path / f"{n}.png"), sharp())
        config = Config().with_values(camera__kind="recording", camera__device=str(tmp_path))
        told = list(camera(Case(config)))
        assert told[0].message.endswith("gives pictures of 320 × 240")
        assert all(finding.check != "camera rate" or finding.state is State.OK for finding in told)

    def test_one_that_is_running_is_asked_and_not_opened(self) -> None:
        made = Played([])
        told = look(made, camera={"state": "lost", "trouble": "frozen", "frames": 9, "restarts": 2})
        assert told["camera"].state is State.FAULT
        assert "stands still" in told["camera"].message
        well = look(made, camera={"state": "waiting", "trouble": None, "frames": 9, "restarts": 0})
        assert well["camera"].state is State.OK
        assert not made.closed.is_set()


GPIO = Config().with_values(lights__kind="gpio", lights__pins=[[4, 17], [5, 6]])


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


class TestPins:
    def test_each_once(self) -> None:
        (told,) = pins(Case(GPIO))
        assert told.state is State.OK
        assert "4, 5, 6, 17" in told.message

    def test_one_pin_for_two_things(self) -> None:
        (told,) = pins(Case(GPIO.with_values(buttons__kind="gpio", buttons__stop_pin=17)))
        assert told.state is State.FAULT
        assert "pin 17 is claimed by lights.pins and buttons.stop_pin" in told.message

    def test_none(self) -> None:
        assert list(pins(Case(Config()))) == []


class TestNodes:
    CASES = (
        ("gpiochip0", {"lights__kind": "gpio"}),
        ("gpiochip0", {"buttons__kind": "gpio"}),
        ("spidev0.0", {"lights__kind": "spi"}),
        ("ttyACM0", {"lights__kind": "board"}),
        ("i2c-1", {"display__kind": "ssd1306"}),
        ("spidev0.0", {"display__kind": "st7789"}),
    )

    @pytest.mark.parametrize(("node", "told"), CASES)
    def test_missing_there_and_forbidden(
        self, tmp_path: Path, node: str, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        case = Case(Config().with_values(**told))
        (missing,) = nodes(case, tmp_path)
        assert missing.state is State.FAULT
        assert missing.do
        (tmp_path / node).touch()
        (there,) = nodes(case, tmp_path)
        assert there.state is State.OK
        monkeypatch.setattr(os, "access", lambda path, mode: False)
        (forbidden,) = nodes(case, tmp_path)
        assert forbidden.state is State.FAULT
        assert "may not use" in forbidden.message
        assert "usermod -aG" in forbidden.do

    def test_nothing_is_needed(self, tmp_path: Path) -> None:
        assert list(nodes(Case(Config()), tmp_path)) == []


class TestLights:
    def test_none(self) -> None:
        (told,) = lights(Case(Config()))
        assert told.state is State.OK

    def test_well_and_what_they_cannot_show(self, factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gpiozero.Device.pin_factory", factory)
        well, limit = lights(Case(GPIO), wait_s=0.0)
        assert well.state is limit.state is State.OK
        assert "whose turn it is" in limit.message

    def test_taken_pins(self, factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
        from gpiozero import LED

        monkeypatch.setattr("gpiozero.Device.pin_factory", factory)
        with LED(17):
            told = next(iter(lights(Case(GPIO), wait_s=0.0)))
        assert told.state is State.FAULT
        assert "17" in told.message
        assert "pins" in told.do

    def test_a_board_that_is_not_there(self) -> None:
        case = Case(Config().with_values(lights__kind="board", lights__port="/dev/no-such-board"))
        told = next(iter(lights(case, wait_s=0.3)))
        assert told.state is State.FAULT
        assert told.do

    def test_what_runs_is_asked(self) -> None:
        broken = {"ok": False, "message": "Lights: the cable is out.", "trouble": "lights_unplugged"}
        told = next(iter(lights(Case(GPIO, {"lights": broken}))))
        assert (told.state, told.message) == (State.FAULT, "Lights: the cable is out.")
        told = next(iter(lights(Case(GPIO, {"lights": {"ok": True}}))))
        assert told.state is State.OK
        told = next(iter(lights(Case(GPIO, {"lights": None}))))
        assert told.state is State.WARNING


class TestButtons:
    CONFIG = Config().with_values(buttons__kind="gpio", buttons__stop_pin=21)

    def test_none(self) -> None:
        (told,) = buttons(Case(Config()))
        assert told.state is State.OK

    def test_well(self, factory: MockFactory) -> None:
        (told,) = buttons(Case(self.CONFIG), pin_factory=factory)
        assert told.state is State.OK
        (again,) = buttons(Case(self.CONFIG), pin_factory=factory)
        assert again.state is State.OK, "the pins were given back"

    def test_a_taken_pin(self, factory: MockFactory) -> None:
        from gpiozero import LED

        with LED(21, pin_factory=factory):
            (told,) = buttons(Case(self.CONFIG), pin_factory=factory)
        assert told.state is State.FAULT
        assert "gpio" in told.do


class TestDisplayAndSound:
    def test_none(self) -> None:
        for check in (display, sound):
            (told,) = check(Case(Config()))
            assert told.state is State.OK

    def test_a_screen_that_is_not_there(self) -> None:
        (told,) = display(Case(Config().with_values(display__kind="ssd1306", display__port=22)))
        assert told.state is State.FAULT
        assert told.do

    def test_a_screen_without_its_software(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "device.displays.choice", None)
        (told,) = display(Case(Config().with_values(display__kind="ssd1306")))
        assert "pietjesoog[display]" in told.do

    def test_a_voice_and_a_card(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Well:
            def __init__(self, *told: object) -> None: ...
            def start(self, wave: object) -> Well:
                return self

            def wait(self) -> None: ...
            def speak(self, words: str, language: str) -> None: ...
            def close(self) -> None: ...

        class Failing(Well):
            def wait(self) -> None:
                raise PartLost("no sound: the sound card takes nothing", "sound_failed")

            def speak(self, words: str, language: str) -> None:
                raise PartLost("no speech: the program espeak-ng is missing", "speech_software")

        case = Case(Config().with_values(sound__kind="speech"))
        for kind, state in ((Well, State.OK), (Failing, State.FAULT)):
            monkeypatch.setattr("device.sound.aplay.AplaySpeaker", kind)
            monkeypatch.setattr("device.sound.espeak.EspeakVoice", kind)
            told = list(sound(case))
            assert [finding.check for finding in told] == ["sound", "speech"]
            assert {finding.state for finding in told} == {state}

    def test_what_runs_is_asked(self) -> None:
        running = {name: {"ok": False, "message": "gone", "trouble": None} for name in ("display", "sound", "buttons")}
        config = Config().with_values(display__kind="ssd1306", sound__kind="tones", buttons__kind="gpio")
        for check in (display, sound, buttons):
            (told,) = check(Case(config, running))
            assert (told.state, told.message) == (State.FAULT, "gone")
            assert told.do
