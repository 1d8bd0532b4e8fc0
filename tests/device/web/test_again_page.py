"""A disputed throw on the page: looked at by the table, put right, and kept by the owner alone."""

from __future__ import annotations

import io
import json
import re
import zipfile
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from an_owner import SIZE, Device
from at_the_door import START, Clock, browser, came_in
from starlette.testclient import TestClient

from device import kept_throws
from device.config import LANGUAGES
from vision.reading import DieReading

CAPITAL = 0.73  # of the size of letters: how high a figure is


@pytest.fixture
def device(tmp_path: Path, clock: Clock) -> Device:
    device = Device(tmp_path, clock)
    device.table.say({**START, "players": ["An <b>", "Bob"], "opener": "An <b>"})
    device.throws((1, 4, 5))
    return device


@pytest.fixture
def player(device: Device) -> TestClient:
    return came_in(browser(device.web))


def shots(page: str) -> list[dict[str, Any]]:
    found = re.search(r"data-shots='([^']+)'", page)
    assert found is not None
    told: list[dict[str, Any]] = json.loads(unescape(found[1]))
    return told


@pytest.mark.parametrize("top", [0, 20, 40, 60, 300, 690])
def test_what_is_written_over_a_die_hides_none_and_lies_within_the_picture(
    device: Device, player: TestClient, monkeypatch: pytest.MonkeyPatch, top: float
) -> None:
    corners = ((400.0, top), (428.0, top), (428.0, top + 28), (400.0, top + 28))
    monkeypatch.setattr("an_owner.a_die", lambda face, n: DieReading(face, 0.99, 1, (400, top, 428, top + 28), corners))
    device.throws((5,), at=40.0, sure=False)
    written = re.search(r'<text x="[^"]+" y="([^"]+)" font-size="([^"]+)"', player.get("/again/2").text)
    assert written is not None
    foot, size = map(float, written.groups())
    head = foot - CAPITAL * size
    assert 0 <= head < foot <= SIZE[1]
    gap = size / 10
    assert foot < top - gap or head > top + 28 + gap


class TestWho:
    def test_a_stranger_is_asked_for_the_code(self, device: Device) -> None:
        stranger = browser(device.web)
        for path in ("/again", "/again/1", "/again/1/0.jpg"):
            answer = stranger.get(path)
            assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "no_code")
            page = stranger.get(path, headers={"accept": "text/html"})
            assert page.status_code == 403
            assert 'action="/play/code"' in page.text

    def test_keeping_needs_the_pin(self, player: TestClient, tmp_path: Path) -> None:
        page = player.get("/again/1").text
        assert "/device/pin?then=/again/1" in page
        assert 'action="/again/1/keep"' not in page
        assert player.post("/again/1/keep").status_code == 403
        for path in ("/device/throws", "/device/throws/20310504-210709-145.zip"):
            assert player.get(path).status_code == 403
        assert player.post("/device/throws/20310504-210709-145/drop", data={"x": ""}).status_code == 403
        assert not (tmp_path / "throws").exists()

    def test_after_the_pin_one_is_back_at_the_throw(self, device: Device, player: TestClient) -> None:
        answer = player.post("/device/pin", data={"pin": "2741", "then": "/again/1"})
        assert answer.headers["location"] == "/again/1"
        assert 'action="/again/1/keep"' in player.get("/again/1").text


class TestShown:
    def test_the_throw_with_its_pictures_and_what_was_read(self, player: TestClient) -> None:
        page = player.get("/again").text
        assert "worp 1 van An &lt;b&gt;: 1-4-5" in page
        one = player.get("/again/1").text
        assert one.count("99,4 % zeker") == 3
        assert "zoals gelezen" in one
        told = shots(one)
        assert [shot["moment"] for shot in told] == ["before", *["during"] * 5, "rest"]
        for shot in told:
            picture = player.get(shot["src"])
            assert picture.content[:2] == b"\xff\xd8"
            assert picture.headers["cache-control"].startswith("private")
        assert one.count("<figure") == len(told), "a strip of stills for who has no script"
        assert player.get("/again/1/99.jpg").status_code == 404

    def test_a_correction_shows_beside_what_was_read(self, device: Device, player: TestClient) -> None:
        device.table.say({"do": "correct", "throw": 1, "dice": [1, 4, 6]})
        page = player.get("/again/1").text
        assert "met de hand verbeterd" in page
        assert "1-4-5" in page
        assert re.search(r">6</span>", page)
        assert "met de hand verbeterd" in player.get("/again").text
        device.table.say({"do": "undo"})
        device.table.say({"do": "correct", "throw": 1, "void": True})
        assert "geschrapt: geen worp" in player.get("/again/1").text

    def test_the_way_to_the_correction_and_back(self, player: TestClient) -> None:
        assert 'href="/play#throw-1"' in player.get("/again/1").text
        assert 'href="/again/1"' in player.get("/play/throw/1").text
        assert 'href="/again"' in player.get("/play").text

    def test_one_of_another_game_counts_for_nothing_here(self, device: Device, player: TestClient) -> None:
        device.table.say({**START, "players": ["Cas", "Bob"], "opener": "Cas"})
        device.throws((2, 2, 3), 40.0)
        assert "telt niet in het lopende spel" in player.get("/again/1").text
        assert "/play#throw" not in player.get("/again/1").text
        assert "worp 1 van Cas: 2-2-3" in player.get("/again").text
        assert player.get("/play/throw/1").text.count("/again/2") == 1

    def test_one_that_nobody_is_sure_of(self, device: Device, player: TestClient) -> None:
        device.throws((2, 3, 6), 40.0, sure=False)
        page = player.get("/again/2").text
        assert "een steen ligt scheef" in page
        assert "telt niet in het lopende spel" in page

    def test_one_that_is_gone(self, player: TestClient) -> None:
        answer = player.get("/again/77")
        assert answer.status_code == 404
        assert "Die worp is er niet meer." in answer.text

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_in_every_language(self, player: TestClient, language: str) -> None:
        for path in ("/again", "/again/1"):
            assert player.get(f"{path}?lang={language}").status_code == 200

    def test_without_a_camera_there_is_none(self, tmp_path: Path, clock: Clock) -> None:
        device = Device(tmp_path, clock)
        player = came_in(browser(device.web))
        assert "Er is nog geen worp gezien." in player.get("/again").text
        assert "/again" not in player.get("/play").text


class TestKept:
    def test_kept_listed_taken_along_deleted(self, device: Device, tmp_path: Path) -> None:
        owner = device.owner()
        where = owner.post("/again/1/keep").headers["location"]
        name = where.partition("#")[2]
        page = owner.get("/device/throws").text
        assert f'id="{name}"' in page
        assert "1-4-5" in page
        packed = owner.get(f"/device/throws/{name}.zip")
        assert packed.headers["content-type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
            names = archive.namelist()
        assert f"{name}/recording.json" in names
        assert owner.post(f"/device/throws/{name}/drop", data={"x": ""}).status_code == 303
        assert "Er is geen worp bewaard." in owner.get("/device/throws").text
        assert not list(tmp_path.rglob("*.jpg"))
        assert owner.get(f"/device/throws/{name}.zip").status_code == 404

    def test_a_page_elsewhere_cannot_have_one_kept(self, device: Device, tmp_path: Path) -> None:
        answer = device.owner().post("/again/1/keep", headers={"origin": "http://evil.example"})
        assert answer.status_code == 403
        assert not (tmp_path / "throws").exists()

    def test_full_is_a_sentence(self, device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kept_throws, "MOST", 0)
        owner = device.owner()
        where = owner.post("/again/1/keep").headers["location"]
        assert "wis eerst een bewaarde worp" in owner.get(where).text

    def test_a_storage_that_refuses_is_a_sentence(self, device: Device, tmp_path: Path) -> None:
        (tmp_path / "throws").write_text("")
        owner = device.owner()
        where = owner.post("/again/1/keep").headers["location"]
        assert "de opslag weigert" in owner.get(where).text

    def test_what_is_gone_cannot_be_kept(self, device: Device) -> None:
        owner = device.owner()
        assert owner.get(owner.post("/again/9/keep").headers["location"]).status_code == 404

    def test_where_nothing_is_kept_nothing_is_offered(self, clock: Clock) -> None:
        device = Device(None, clock)
        device.table.say(START)
        device.throws((1, 4, 5))
        owner = device.owner()
        assert "/again/1/keep" not in owner.get("/again/1").text
        assert owner.post("/again/1/keep").status_code == 404
        assert "Er is geen worp bewaard." in owner.get("/device/throws").text


class TestVolume:
    def test_louder_and_softer_at_the_table(self, tmp_path: Path, clock: Clock) -> None:
        device = Device(tmp_path, clock, sound__kind="tones")
        player = came_in(browser(device.web))
        assert 'action="/play/volume"' in player.get("/play").text
        assert player.post("/play/volume", data={"volume": "30"}).status_code == 303
        assert device.upkeep.sound is not None
        assert device.upkeep.sound.volume == 30
        assert 'value="30" aria-pressed="true"' in player.get("/play").text
        for wrong in ("31", "", "loud", "1000"):
            assert player.post("/play/volume", data={"volume": wrong, "x": ""}).status_code == 400
        assert browser(device.web).post("/play/volume", data={"volume": "0"}).status_code == 403
        assert device.upkeep.sound.volume == 30

    def test_where_sound_is_off_only_the_owner_switches_it_on(self, device: Device, player: TestClient) -> None:
        assert "/play/volume" not in player.get("/play").text
        assert player.post("/play/volume", data={"volume": "30"}).status_code == 400
