"""The first evening's page, and the device's own Wi-Fi on the screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from at_the_door import CODE, browser, came_in, own_screen
from starlette.applications import Starlette
from starlette.testclient import TestClient

from device.access_point import AccessPoint
from device.chosen import Chosen
from device.config import Config, Value
from device.journal import MemoryJournal
from device.lights import FakeLights
from device.network import settings, wanted
from device.snapshot import Eye
from device.table import Table
from device.tongue import Tongue
from device.upkeep import Upkeep
from device.web.app import Web
from device.web.door import Door
from device.web.first import First, steps
from device.web.server import phone_address
from device.web.site import VISITOR, Site

OWN = AccessPoint("Pietjesoog", "bak7oog2ab", "10.42.0.1")


@pytest.fixture
def ours(table: Table, journal: MemoryJournal, door: Door) -> Web:
    """Reached over its own Wi-Fi."""
    return Web(table, journal, door=door, phone=lambda: "http://10.42.0.1/play", wifi=lambda: OWN)


def site(table: Table, **settings: Value) -> Site:
    config = Config().with_values(**settings)
    return Site(table, MemoryJournal(), Door(), upkeep=Upkeep(Chosen(None, config), Tongue("en")))


def ticked(of: Site) -> dict[str, str]:
    return {step.key: "done" if step.done else "spare" if step.spare else "open" for step in steps(of)}


def test_anybody_sees_what_is_to_be_done_before_there_is_a_pin(stranger: TestClient) -> None:
    answer = stranger.get("/device/first?lang=en")
    assert answer.status_code == 200
    assert answer.text.count("<li class=") == 4
    assert 'href="/device/pin?then=/device/first"' in answer.text
    assert CODE not in answer.text, "who came in by no code is told none"


def test_the_scoreboard_leads_there_and_the_pin_leads_back(web: Web) -> None:
    screen = own_screen(web)
    for address in ("/", "/?part"):
        assert 'href="/device/first"' in screen.get(address).text
    kept = screen.post("/device/pin", data={"pin": "2741", "again": "2741", "then": "/device/first"})
    assert (kept.status_code, kept.headers["location"]) == (303, "/device/first")
    for address in ("/", "/?part"):
        assert "/device/first" not in screen.get(address).text, "it is set up now"
    assert screen.get("/device/first").status_code == 200


def test_with_a_pin_it_is_the_owners(web: Web, stranger: TestClient) -> None:
    web.door.pin.set("2741")
    asked = stranger.get("/device/first", headers={"accept": "text/html"})
    assert (asked.status_code, asked.headers["location"]) == (303, "/device/pin?then=/device/first")


def test_steps_are_ticked_off_as_they_are_done(table: Table) -> None:
    here = site(table, lights__kind="gpio")
    assert ticked(here) == {"pin": "open", "camera": "open", "board": "open", "lights": "open"}
    here.door.pin.set("2741")
    lights = FakeLights()
    here.upkeep.lights = lights
    here.upkeep.chosen.set(board__file="board.toml")
    assert ticked(here) == {"pin": "done", "camera": "open", "board": "done", "lights": "done"}
    here.upkeep.eye = object()  # type: ignore[assignment]  # only whether there is one counts
    table.look(Eye.WAITING)
    assert ticked(here)["camera"] == "done"
    table.look(Eye.LOST)
    assert ticked(here)["camera"] == "open"


def test_what_the_device_does_without_is_no_duty(table: Table) -> None:
    assert ticked(site(table, camera__kind="none")) == {
        "pin": "open",
        "camera": "spare",
        "board": "spare",
        "lights": "spare",
    }


@pytest.mark.parametrize("language", ["nl", "fr", "en", "de"])
def test_the_owner_gets_both_codes_in_every_language(ours: Web, language: str) -> None:
    owner = own_screen(ours)
    owner.post("/device/pin", data={"pin": "2741", "again": "2741"})
    page = owner.get(f"/device/first?lang={language}").text
    assert page.count('<svg class="code"') == 2
    assert OWN.password in page
    assert f'lang="{language}"' in page


def test_the_wifi_is_shown_to_who_may_see_the_code_only(ours: Web) -> None:
    assert OWN.password not in browser(ours).get("/").text
    shown = came_in(browser(ours)).get("/").text
    assert OWN.password in shown
    assert shown.count('<svg class="code"') == 2
    assert own_screen(ours).get("/").text.count('<svg class="code"') == 2


def test_the_owner_chooses_when_it_opens(tmp_path: Path, table: Table, door: Door) -> None:
    unit = tmp_path / "pietjesoog-network.service"
    unit.touch()
    here = site(table)
    here.upkeep.chosen = Chosen(tmp_path / "chosen.toml", Config())
    first = First(here, unit)
    app = Starlette(routes=first.routes)
    owner = TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 1), follow_redirects=False)
    assert owner.post("/device/wifi", data={"mode": "always"}).status_code == 403
    here.door.pin.set("2741")
    owner.cookies.set(VISITOR, here.door.own(None).token)
    assert owner.get("/device/first?lang=en").text.count("<option") == 3
    kept = owner.post("/device/wifi", data={"mode": "always"})
    assert (kept.status_code, kept.headers["location"]) == (303, "/device/first?told=kept")
    (tmp_path / "pietjesoog.toml").write_text("")
    assert wanted(settings(tmp_path / "pietjesoog.toml").config, "own")[0] == "always", (
        "what opens the Wi-Fi hears of it"
    )
    assert owner.post("/device/wifi", data={"mode": "sometimes"}).status_code == 400
    unit.unlink()
    assert "<option" not in owner.get("/device/first").text


def test_without_an_own_wifi_there_is_one_code(web: Web) -> None:
    assert "codes" not in own_screen(web).get("/").text


def test_phones_in_the_own_wifi_are_sent_to_its_address() -> None:
    assert phone_address("0.0.0.0", 80, OWN) == "http://10.42.0.1/play"
    assert phone_address("0.0.0.0", 8080, OWN) == "http://10.42.0.1:8080/play"
    assert phone_address("127.0.0.1", 80, OWN) == "", "nobody but this machine may come in"
