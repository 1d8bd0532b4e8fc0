"""Coming in by code and by PIN, as a browser does it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from at_the_door import CODE, START, Clock, browser, came_in, own_screen, post
from starlette.testclient import TestClient

from device.web.app import Web
from device.web.door import IDLE_S, Door
from device.web.pin import Pin
from device.web.rate import Rate
from tests.waiting import PATIENCE_S

HTML = {"accept": "text/html"}


def with_pin(door: Door, client: TestClient, pin: str = "2741") -> TestClient:
    door.pin.set(pin)
    assert client.post("/device/pin", data={"pin": pin}).status_code == 303
    return client


class TestCode:
    def test_the_qr_code_lets_in_and_leaves_the_address_bar(self, stranger: TestClient) -> None:
        answer = stranger.get(f"/play?code={CODE}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/play")
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert CODE not in cookie
        assert stranger.get("/play").status_code == 200
        assert "/play/code" not in stranger.get("/play").text

    @pytest.mark.parametrize("typed", [CODE, "482 913"])
    def test_typed_by_hand(self, stranger: TestClient, typed: str) -> None:
        assert "/play/code" in stranger.get("/play").text
        answer = stranger.post("/play/code", data={"code": typed})
        assert (answer.status_code, answer.headers["location"]) == (303, "/play")
        assert post(stranger, {**START, "seq": 0}).status_code == 200

    def test_a_wrong_one_asks_again(self, stranger: TestClient) -> None:
        for answer in (stranger.post("/play/code", data={"code": "000000"}), stranger.get("/play?code=000000")):
            assert answer.status_code == 403
            assert "Die code is het niet" in answer.text
            assert "set-cookie" not in answer.headers

    def test_too_many_are_told_to_wait(self, stranger: TestClient) -> None:
        told = [stranger.post("/play/code", data={"code": "1"}).status_code for _ in range(11)]
        assert told[-1] == 429

    def test_a_form_of_another_kind_is_refused(self, stranger: TestClient) -> None:
        assert stranger.post("/play/code", json={"code": CODE}).status_code == 400
        large = {"code": "x" * 5000}
        assert stranger.post("/play/code", data=large).status_code == 400

    def test_a_form_that_does_not_come_is_not_waited_for(self, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("device.web.asked.FORM_S", 0.02)
        parts: list[Any] = [{"type": "http.request", "body": b"code=", "more_body": True}]
        sent: list[Any] = []
        scope = {
            "type": "http", "method": "POST", "path": "/play/code", "query_string": b"", "http_version": "1.1",
            "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/x-www-form-urlencoded")],
            "client": ("127.0.0.1", 1),
        }  # fmt: skip

        async def receive() -> Any:
            return parts.pop(0) if parts else await asyncio.sleep(PATIENCE_S)

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(asyncio.wait_for(web.app(scope, receive, send), PATIENCE_S / 2))
        assert sent[0]["status"] == 400

    def test_another_page_cannot_send_the_form(self, stranger: TestClient) -> None:
        answer = stranger.post("/play/code", data={"code": CODE}, headers={"origin": "http://evil.example"})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers

    def test_after_six_idle_hours_everybody_comes_in_anew(self, client: TestClient, clock: Clock) -> None:
        post(client, {**START, "seq": 0})
        clock.now += IDLE_S
        assert post(client, {"do": "pause", "seq": 1}).status_code == 403
        assert "/play/code" in client.get("/play").text

    def test_play_keeps_the_code(self, client: TestClient, clock: Clock) -> None:
        post(client, {**START, "seq": 0})
        clock.now += IDLE_S - 1
        assert post(client, {"do": "pause", "seq": 1}).status_code == 200
        clock.now += IDLE_S - 1
        assert post(client, {"do": "resume", "seq": 2}).status_code == 200


class TestWhoSeesTheCode:
    def test_nobody_on_the_network(self, stranger: TestClient) -> None:
        for path in ("/", "/play", "/device", "/device/pin"):
            assert "482 913" not in stranger.get(path).text
            assert CODE not in stranger.get(path).text

    def test_the_devices_own_screen(self, web: Web) -> None:
        assert f'value="{CODE}"' in own_screen(web).get("/play").text

    @pytest.mark.parametrize(
        "headers",
        [{"x-forwarded-for": "192.168.1.7"}, {"forwarded": "for=192.168.1.7"}, {"host": "192.168.1.20:8080"}],
    )
    def test_not_who_comes_through_another_server(self, web: Web, headers: dict[str, str]) -> None:
        assert CODE not in own_screen(web).get("/play", headers=headers).text

    def test_the_own_screen_plays_with_the_code_only(self, web: Web) -> None:
        assert post(own_screen(web), {**START, "seq": 0}).status_code == 403
        assert post(came_in(own_screen(web)), {**START, "seq": 0}).status_code == 200


class TestPin:
    def test_the_first_is_set_by_whoever_has_the_code(self, client: TestClient, door: Door) -> None:
        assert client.get("/device", headers=HTML).headers["location"] == "/device/pin?then=/device"
        answer = client.post("/device/pin", data={"pin": "2741", "again": "2741"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/device")
        assert door.pin.fits("2741")
        assert client.get("/device", headers=HTML).status_code == 200

    def test_a_stranger_cannot_take_the_device(self, stranger: TestClient, door: Door) -> None:
        assert 'name="code"' in stranger.get("/device/pin").text
        assert stranger.post("/device/pin", data={"pin": "2741", "again": "2741"}).status_code == 403
        assert stranger.post("/device/pin", data={"pin": "2741", "code": "000000"}).status_code == 403
        assert not door.pin.is_set
        assert stranger.post("/device/pin", data={"pin": "2741", "code": CODE}).status_code == 303
        assert door.pin.fits("2741")

    @pytest.mark.parametrize(
        ("fields", "status", "said"),
        [
            ({"pin": "274", "again": "274"}, 400, "4 tot 12 cijfers"),
            ({"pin": "2741", "again": "2742"}, 403, "niet gelijk"),
            ({}, 400, "4 tot 12 cijfers"),
        ],
    )
    def test_what_is_no_pin_asks_again(
        self, client: TestClient, door: Door, fields: dict[str, str], status: int, said: str
    ) -> None:
        answer = client.post("/device/pin", data={"x": "", **fields})
        assert answer.status_code == status
        assert said in answer.text
        assert not door.pin.is_set

    def test_a_player_without_the_pin_sets_nothing(self, client: TestClient, door: Door) -> None:
        door.pin.set("2741")
        answer = client.post("/device/code")
        assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "no_pin")
        assert client.post("/device/pin", data={"pin": "9999", "again": "9999"}).status_code == 403
        assert door.pin.fits("2741")

    def test_the_owner_changes_code_and_pin(self, web: Web, door: Door) -> None:
        owner = with_pin(door, browser(web))
        assert "482 913" in owner.get("/device").text
        assert owner.post("/device/code").status_code == 303
        assert door.code != CODE
        new = {"pin": "9999", "again": "9999"}
        for old in ({}, {"old": "1111"}, {"old": ""}):
            owner.post("/device/pin", data={**new, **old})
            assert door.pin.fits("2741"), "the one before is asked for"
        other = browser(web, address="192.168.1.8")
        assert other.post("/device/pin", data={"pin": "2741"}).status_code == 303
        assert owner.post("/device/pin", data={**new, "old": "2741"}).headers["location"] == "/device?told=kept#pin"
        assert door.pin.fits("9999")
        assert owner.get("/device").status_code == 200
        assert other.get("/device").status_code == 403, "whoever entered the old one enters the new one"
        assert post(owner, {**START, "seq": 0}).status_code == 200

    def test_a_new_code_sends_the_players_out(self, web: Web, client: TestClient, door: Door) -> None:
        with_pin(door, browser(web)).post("/device/code")
        assert post(client, {**START, "seq": 0}).status_code == 403

    def test_five_wrong_ones_and_a_wait(self, client: TestClient, door: Door) -> None:
        door.pin.set("2741")
        told = [client.post("/device/pin", data={"pin": "0000"}).status_code for _ in range(6)]
        assert told == [403] * 5 + [429]
        assert client.post("/device/pin", data={"pin": "2741"}).status_code == 429

    def test_signing_out(self, web: Web, door: Door) -> None:
        owner = with_pin(door, browser(web))
        assert owner.post("/device/leave").headers["location"] == "/"
        assert owner.get("/device").status_code == 403

    @pytest.mark.parametrize("then", ["//evil.example", "http://evil.example", "/\\evil.example", "", "/a\nb"])
    def test_leads_nowhere_else(self, client: TestClient, door: Door, then: str) -> None:
        door.pin.set("2741")
        answer = client.post("/device/pin", data={"pin": "2741", "then": then})
        assert answer.headers["location"] == "/device"


def test_the_language_asked_for_is_remembered(stranger: TestClient) -> None:
    assert "Table code" in stranger.get("/play?lang=en").text
    assert "Table code" in stranger.get("/play").text
    assert "Tischcode" in stranger.get("/play?lang=de").text
    assert "Tischcode" in stranger.get("/play?lang=xx").text


class TestMeasure:
    @pytest.fixture(autouse=True)
    def few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("device.web.guard.ASKS", Rate(5, 1.0))
        monkeypatch.setattr("device.web.guard.CHANGES", Rate(3, 10.0))

    def test_pages_come_in_measure_from_one_address(self, web: Web, clock: Clock) -> None:
        stranger = browser(web)
        assert [stranger.get("/static/eye.svg").status_code for _ in range(6)] == [200] * 5 + [429]
        assert browser(web, address="192.168.1.8").get("/static/eye.svg").status_code == 200
        clock.now += 1
        assert stranger.get("/static/eye.svg").status_code == 200

    def test_changes_come_in_smaller_measure(self, web: Web) -> None:
        stranger = browser(web)
        answers = [post(stranger, {"do": "stop", "seq": 0}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [403] * 3 + [429]
        assert int(answers[-1].headers["retry-after"]) == 10

    def test_programs_on_the_device_are_not_counted(self, web: Web) -> None:
        assert {own_screen(web).get("/static/eye.svg").status_code for _ in range(9)} == {200}

    def test_what_another_server_passes_on_is_counted(self, web: Web) -> None:
        headers = {"x-forwarded-for": "203.0.113.9"}
        told = [own_screen(web).get("/static/eye.svg", headers=headers).status_code for _ in range(6)]
        assert told[-1] == 429


def test_a_file_for_the_pin_outlives_a_restart(tmp_path: Path) -> None:
    Door(Pin(tmp_path / "pin.json")).pin.set("2741")
    assert Door(Pin(tmp_path / "pin.json")).enter_pin("2741", "192.168.1.7") is not None


class TestLedOn:
    """Whoever mistyped, switched the language or was forgotten comes to where they were going."""

    def test_a_wrong_pin_does_not_forget_the_way(self, stranger: TestClient, door: Door) -> None:
        door.pin.set("2741")
        asked = stranger.post("/device/pin", data={"pin": "9999", "then": "/device/first"})
        assert asked.status_code == 403
        assert '<input type="hidden" name="then" value="/device/first">' in asked.text

    def test_two_first_pins_that_differ_do_not_forget_the_way(self, stranger: TestClient) -> None:
        told = {"code": CODE, "pin": "2741", "again": "2742", "then": "/device/first"}
        assert 'name="then" value="/device/first"' in stranger.post("/device/pin", data=told).text

    def test_another_language_does_not_forget_the_way(self, stranger: TestClient) -> None:
        asked = stranger.get("/device/pin?then=/device/first").text
        assert 'href="?lang=fr&amp;then=/device/first"' in asked
        assert 'href="?theme=dark&amp;then=/device/first"' in asked

    def test_the_page_of_a_wrong_code_can_be_loaded_anew_in_another_language(self, stranger: TestClient) -> None:
        answer = stranger.get("/play/code?lang=fr", headers=HTML)
        assert (answer.status_code, answer.headers["location"]) == (303, "/play?lang=fr")

    def test_a_form_sent_after_the_pin_ran_out_leads_by_the_pin_to_its_page(
        self, stranger: TestClient, door: Door
    ) -> None:
        door.pin.set("2741")
        came = {**HTML, "referer": "http://192.168.1.20:8080/device/board?x=1"}
        answer = stranger.post("/device/board/find", headers=came)
        assert (answer.status_code, answer.headers["location"]) == (303, "/device/pin?then=/device/board")
        assert stranger.post("/device/board/find").json()["error"]["reason"] == "no_pin", "a program is told"
