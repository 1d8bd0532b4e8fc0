"""The device's own page: what it shows, what it sets, that it holds at once and after a restart, and who may."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from an_owner import Device, a_die
from at_the_door import Clock, browser, came_in
from starlette.testclient import TestClient

from device.board_choice import BoardChoice
from device.cameras import Camera
from device.cameras.v4l import Plugged
from device.chosen import Chosen
from device.config import LANGUAGES, Config
from device.errors import BadInput
from device.journal import MemoryJournal
from device.table import Table
from device.upkeep import UPDATE_UNIT, awaited_by
from device.web.app import Web
from device.web.door import Door
from device.web.health_told import decimal, lasting
from device.wording import wording
from tests.waiting import waited
from vision.reading import BoardReading, Problem

GETS = ("/device", "/device/camera.jpg", "/device/seen", "/device/log.txt", "/device/board", "/device/board/hand",
        "/device/board/proposal", "/device/throws")  # fmt: skip
SHIPPED = Path(__file__).parents[3] / "hardware" / "service" / "pietjesoog-update.path"
POSTS = ("lights", "brightness", "sound", "sound/try", "language", "eye", "update", "restart", "board/look",
         "board/keep", "board/drop", "board/find")  # fmt: skip


def told(client: TestClient, path: str, **fields: Any) -> str:
    """The key of the sentence that the form comes back with."""
    answer = client.post(f"/device/{path}", data=fields or {"x": ""})
    assert answer.status_code == 303, answer.text
    return re.search(r"told=([a-z_]*)", answer.headers["location"])[1]  # type: ignore[index]


class TestWho:
    def test_nothing_of_it_is_for_anybody_else(self, device: Device) -> None:
        device.sees()
        player = came_in(browser(device.web))
        for path in GETS:
            assert player.get(path).status_code == 403, path
        for path in POSTS:
            assert player.post(f"/device/{path}", data={}).status_code == 403, path
        assert device.eye.anew == 0
        assert device.lights.tried is None

    def test_no_page_elsewhere_can_post_to_it(self, owner: TestClient, device: Device) -> None:
        for path in POSTS:
            answer = owner.post(f"/device/{path}", data={"row": "0"}, headers={"origin": "http://evil.example"})
            assert answer.status_code == 403
        assert device.lights.tried is None

    @pytest.mark.parametrize("path", [path for path in POSTS if path not in ("restart", "board/find", "board/drop")])
    def test_what_is_no_form_is_refused(self, owner: TestClient, path: str) -> None:
        answer = owner.post(f"/device/{path}", content=b"\xff" * 100, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 303)
        assert "told=kept" not in answer.headers.get("location", "")


class TestPage:
    def test_a_device_that_has_nothing_tells_so(self, clock: Clock) -> None:
        door = Door(clock=clock)
        door.pin.set("2741")
        client = browser(Web(Table(MemoryJournal()), MemoryJournal(), door=door))
        client.post("/device/pin", data={"pin": "2741"})
        for language in LANGUAGES:
            page = client.get(f"/device?lang={language}")
            assert page.status_code == 200
            assert wording(language).say("settings", "no_camera") in page.text
            assert wording(language).say("health", "unknown") in page.text
        assert client.get("/device/camera.jpg").status_code == 404
        assert client.post("/device/lights", data={"row": "0"}).status_code == 400

    def test_what_is_seen_is_a_picture_and_words(self, device: Device, owner: TestClient) -> None:
        reading = BoardReading((a_die(5, 0), a_die(2, 1)), (Problem.COCKED,))
        device.sees(reading=reading)
        answer = owner.get("/device/camera.jpg")
        assert answer.headers["content-type"] == "image/jpeg"
        assert answer.headers["cache-control"] == "no-store"
        picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.shape == (720, 960, 3)
        assert (
            owner.get("/device/seen").text
            == "bak gevonden · 2 (99,4 % zeker) · 5 (99,4 % zeker) · een steen ligt scheef"
        )
        device.clock.now += 60
        assert owner.get("/device/camera.jpg").status_code == 404
        assert owner.get("/device/seen?lang=en").text == "The camera gives no picture now."

    def test_the_health_is_told_in_words(self, device: Device, owner: TestClient) -> None:
        device.health = {
            "ok": False, "uptime_s": 93_784.0, "rules": 3,
            "camera": {"state": "lost", "trouble": "silent"},
            "storage": {"ok": True, "set_aside": "journal.db.damaged-1"},
            "lights": {"ok": False, "trouble": "lights_unplugged", "message": "pulled out"},
            "sound": {"ok": False, "trouble": "of another world", "message": "a <b>sentence</b>"},
            "machine": {"temperature_c": 81.5, "hot": True, "under_voltage": True, "memory_mb": 96.4},
        }  # fmt: skip
        device.upkeep.faults.look()  # type: ignore[union-attr]
        device.clock.now += 125
        text = owner.get("/device").text
        for words in (
            "camera: geen beeld – De camera antwoordt niet", "journal.db.damaged-1", "de kabel is eruit", "81,5 °C",
            "De voeding is te zwak", "1 dag 2 uur", "a &lt;b&gt;sentence&lt;/b&gt;", "al 2 minuten", "96 MB",
        ):  # fmt: skip
            assert words in text
        health = owner.get("/api/v1/health").json()
        assert health["camera"] == {"state": "lost", "trouble": "silent", "fps": None}
        assert health["faults"][0]["began_s_ago"] == 125.0
        assert health["machine"]["disk"]["free_mb"] > 0
        assert {"version", "faults"} <= health.keys()

    def test_the_log_is_taken_along_without_the_code(self, device: Device, owner: TestClient) -> None:
        logger = logging.getLogger("pietjesoog.test")
        logger.addHandler(device.upkeep.log)
        logger.setLevel(logging.INFO)
        logger.info("the table's code is now %s, said <b>An</b>", device.door.code)
        logger.removeHandler(device.upkeep.log)
        answer = owner.get("/device/log.txt")
        assert answer.headers["content-type"].startswith("text/plain")
        assert "attachment" in answer.headers["content-disposition"]
        assert device.door.code not in answer.text
        assert "said <b>An</b>" in answer.text


class TestSetting:
    def test_sound_holds_at_once_and_after_a_restart(self, device: Device, owner: TestClient, tmp_path: Path) -> None:
        assert told(owner, "sound/try") == "sound_off"
        assert told(owner, "sound", kind="tones", volume="35") == "kept"
        sound = device.upkeep.sound
        assert sound is not None
        assert (sound.kind, sound.volume) == ("tones", 35)
        again = Chosen(tmp_path / "chosen.toml", Config()).config
        assert (again.text("sound.kind"), again.whole("sound.volume")) == ("tones", 35)
        assert told(owner, "sound/try") == "sounds"
        assert sound.turn()
        assert len(device.speaker.played) == 1
        assert told(owner, "sound", kind="tones", volume="0") == "kept"
        assert told(owner, "sound/try") == "sound_off"

    def test_lamps_are_tried_out_and_dimmed(self, device: Device, owner: TestClient) -> None:
        assert "Rij 1 · Ann" in owner.get("/device").text
        assert told(owner, "lights", row="1") == "lit"
        assert device.lights.tried == 1
        assert "Nu hoort rij 2 te branden: 12 lampjes" in owner.get("/device").text
        told(owner, "lights", row="")
        assert device.lights.tried is None
        assert told(owner, "brightness", percent="15") == "kept"
        assert (device.lights.percent, device.upkeep.config.whole("lights.brightness")) == (15, 15)

    def test_language_and_colours_of_the_device(self, device: Device, owner: TestClient) -> None:
        stranger = browser(device.web, address="192.168.1.9")
        assert 'lang="nl"' in stranger.get("/").text
        assert told(owner, "language", language="de", colours="light") == "kept"
        page = stranger.get("/").text
        assert 'lang="de"' in page
        assert 'data-theme="light"' in page
        assert device.upkeep.tongue.say("page", "board") == wording("de").say("page", "board")
        assert device.refreshed == 1
        assert 'lang="fr"' in stranger.get("/?lang=fr").text
        assert told(owner, "language", language="nl", colours="") == "kept", "a browser sends an empty choice too"
        assert "data-theme" not in stranger.get("/?lang=nl").text

    @pytest.mark.parametrize(
        ("path", "fields"),
        [
            ("sound", {"kind": "loud", "volume": "10"}),
            ("sound", {"kind": "tones", "volume": "101"}),
            ("sound", {"kind": "tones", "volume": "-1"}),
            ("sound", {"kind": "tones", "volume": "²"}),
            ("sound", {}),
            ("brightness", {"percent": "0"}),
            ("brightness", {"percent": "x" * 500}),
            ("lights", {"row": "2"}),
            ("lights", {"row": "-1"}),
            ("language", {"language": "xx", "colours": ""}),
            ("language", {"language": "nl", "colours": "pink"}),
            ("eye", {"camera": "7"}),
            ("eye", {}),
            ("update", {}),
        ],
    )
    def test_what_cannot_be_is_refused_and_changes_nothing(
        self, device: Device, owner: TestClient, path: str, fields: dict[str, str]
    ) -> None:
        before = device.upkeep.config
        answer = owner.post(f"/device/{path}", data=fields or {"x": ""})
        assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "bad_value")
        assert len(answer.json()["error"]["message"]) < 200
        assert device.upkeep.config == before

    def test_a_storage_that_refuses_is_told_and_it_holds_all_the_same(self, clock: Clock, tmp_path: Path) -> None:
        (tmp_path / "taken").write_text("")
        device = Device(tmp_path / "taken", clock)
        assert told(device.owner(), "sound", kind="tones", volume="20") == "not_kept"
        assert device.upkeep.sound is not None
        assert device.upkeep.sound.volume == 20

    def test_another_camera_where_there_are_several(
        self, device: Device, owner: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert 'action="/device/eye"' not in owner.get("/device").text
        there = [Plugged("/dev/video0", "one"), Plugged("/dev/video2", 'two "<b>"')]
        monkeypatch.setattr("device.upkeep.plugged", lambda: there)
        text = owner.get("/device").text
        assert "two &#34;&lt;b&gt;&#34;" in text
        assert told(owner, "eye", camera="2") == "kept"
        assert device.upkeep.config.text("camera.device") == "/dev/video2"
        assert [camera.name for camera in device.eye.cameras] == ["USB camera /dev/video2"]
        assert device.upkeep.cameras()[0][1] == "/dev/video2", "the one in use stands first"

    def test_the_first_camera_of_a_device_without_one_is_opened_once_and_at_once(
        self, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        device = Device(tmp_path, clock, camera__kind="none", board__file="old.toml")
        upkeep, owner, opened = device.upkeep, device.owner(), list[tuple[str, bool]]()
        monkeypatch.setattr("device.upkeep.plugged", lambda: [Plugged("/dev/video0", "one")])
        eye, upkeep.eye = upkeep.eye, None
        assert 'action="/device/eye"' not in owner.get("/device").text, "nobody here could look through it"

        def refuse(camera: Camera, board: BoardChoice) -> None:
            raise BadInput("there is no model")

        upkeep.open_eye = refuse
        assert "geen: alles met de hand" in owner.get("/device").text
        assert owner.post("/device/eye", data={"camera": "1"}).status_code == 400
        assert not (tmp_path / "chosen.toml").exists(), "or the next start would fail"

        def open_eye(camera: Camera, board: BoardChoice) -> None:
            opened.append((camera.name, board.finds))
            upkeep.eye = eye

        upkeep.open_eye = open_eye
        assert told(owner, "eye", camera="1") == "kept"
        assert told(owner, "eye", camera="0") == "kept"
        assert opened == [("USB camera /dev/video0", True)]
        assert (upkeep.config.text("camera.kind"), upkeep.config.text("board.file")) == ("usb", "")


class TestService:
    def test_who_starts_it_again_is_told_before_it_ends(
        self, device: Device, owner: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ended: list[int] = []
        monkeypatch.setattr("device.upkeep.os.kill", lambda pid, signal: ended.append(signal))
        monkeypatch.setattr("device.upkeep._PAUSE_S", 0.0)
        monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
        monkeypatch.delenv("SYSTEMD_EXEC_PID", raising=False)
        assert "Niemand start het daarna vanzelf" in owner.get("/device").text
        monkeypatch.setenv("NOTIFY_SOCKET", "/run/systemd/notify")
        assert "Niemand start het daarna vanzelf" not in owner.get("/device").text
        answer = owner.post("/device/restart")
        assert "Het toestel herstart" in answer.text
        assert waited(lambda: ended == [15])

    def test_an_update_is_asked_for_where_something_here_does_it(
        self, device: Device, owner: TestClient, tmp_path: Path
    ) -> None:
        assert 'action="/device/update"' not in owner.get("/device").text
        assert Path("/etc/systemd/system") / SHIPPED.name == UPDATE_UNIT
        device.upkeep.update_unit = tmp_path / SHIPPED.name
        (tmp_path / "elsewhere").mkdir()  # the scores may lie in a folder that no unit watches
        device.upkeep.update_unit.write_text(
            SHIPPED.read_text().replace("/var/lib/pietjesoog", str(tmp_path / "elsewhere"))
        )
        assert 'action="/device/update"' in owner.get("/device").text
        assert told(owner, "update") == "update_asked"
        assert (tmp_path / "elsewhere" / "update.asked").exists()

    def test_the_unit_that_is_shipped_waits_where_the_service_may_write_and_its_script_clears_away(self) -> None:
        asked = awaited_by(SHIPPED)
        assert asked == Path("/var/lib/pietjesoog/update.asked")
        assert "\nStateDirectory=pietjesoog\n" in (SHIPPED.parent / "pietjesoog.service").read_text()
        script = (SHIPPED.parent / "update.sh").read_text()
        assert f"ASKED=${{1:-{asked}}}" in script
        assert script.index('rm -f "$ASKED"') < script.index("install.sh"), "or a fault asks again for ever"

    @pytest.mark.parametrize("text", [b"", b"[Path]\n", b"\xff\xfe", b"PathExists=relative\n"])
    def test_a_unit_that_waits_for_nothing_offers_no_update(
        self, device: Device, owner: TestClient, tmp_path: Path, text: bytes
    ) -> None:
        device.upkeep.update_unit = tmp_path / "unit"
        device.upkeep.update_unit.write_bytes(text)
        assert 'action="/device/update"' not in owner.get("/device").text
        assert owner.post("/device/update", data={"x": ""}).status_code == 400


class TestWords:
    @pytest.mark.parametrize(
        ("seconds", "words"),
        [(0, "0 seconden"), (1, "1 seconde"), (59.9, "59 seconden"), (60, "1 minuut"), (3_725, "1 uur 2 minuten"),
         (86_400, "1 dag"), (200_000, "2 dagen 7 uur")],
    )  # fmt: skip
    def test_how_long(self, seconds: float, words: str) -> None:
        assert lasting(seconds, wording("nl")) == words

    def test_numbers_as_each_language_writes_them(self) -> None:
        assert [decimal(-1.25, wording(one), 2) for one in LANGUAGES] == ["−1,25", "−1,25", "−1.25", "−1,25"]
        assert decimal(-0.01, wording("nl")) == "0,0"
