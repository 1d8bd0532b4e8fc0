"""Forgetting a name on the page: behind the PIN, asked twice, gone for everybody at once."""

from __future__ import annotations

import pytest
from at_the_door import START, browser, came_in, own_screen
from starlette.testclient import TestClient

from device.forgetting import names_in
from device.journal import MemoryJournal
from device.table import Table
from device.web.app import Web

PAGE = "/evenings/names"


@pytest.fixture
def owner(web: Web, table: Table) -> TestClient:
    who = own_screen(web)
    assert who.post("/device/pin", data={"pin": "2580", "again": "2580"}).status_code == 303
    table.say(START)
    table.say({"do": "throw", "dice": [1, 4, 5]})
    return who


@pytest.mark.parametrize("who", ["stranger", "client"])
def test_nobody_without_the_pin(who: str, owner: TestClient, request: pytest.FixtureRequest, table: Table) -> None:
    other: TestClient = request.getfixturevalue(who)
    asked = other.get(PAGE, headers={"accept": "text/html"})
    assert (asked.status_code, asked.headers["location"]) == (303, "/device/pin?then=/evenings/names")
    refused = other.post(PAGE, data={"name": "Ann", "sure": "yes"})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (403, "no_pin")
    assert table.now.view.players[0].name == "Ann"


def test_asks_first_and_says_what_will_happen(owner: TestClient, journal: MemoryJournal) -> None:
    page = owner.get(f"{PAGE}?lang=en").text
    assert "<option>Ann</option>" in page
    asked = owner.post(PAGE, data={"name": "Ann"})
    assert asked.status_code == 200
    assert "Ann is then called Anoniem 1 everywhere" in asked.text
    assert names_in(journal) == ["Ann", "Bob"]


def test_then_it_is_done_everywhere(web: Web, owner: TestClient, journal: MemoryJournal, table: Table) -> None:
    phone = came_in(browser(web))
    assert phone.post("/api/v1/me", json={"name": "Ann"}).status_code == 200
    assert "Ann" in phone.get("/evenings").text
    done = owner.post(PAGE, data={"name": "Ann", "sure": "yes"})
    assert (done.status_code, done.headers["location"]) == (303, f"{PAGE}?now=Anoniem 1".replace(" ", "%20"))
    assert "the name is forgotten: it is anoniem 1 now" in owner.get(f"{PAGE}?now=Anoniem 1&lang=en").text.lower()
    for path in ("/", "/play", "/evenings", "/evenings/1", "/evenings/1/1", "/api/v1/state", "/api/v1/history"):
        told = phone.get(path).text
        assert "Ann" not in told, path
        assert "Anoniem 1" in told or path == "/evenings/1/1"
    assert web.door.here == {}
    missed = [moment.told for _, moment in web._site.stream._kept]
    assert len(missed) == 1
    assert "Ann" not in missed[0]
    assert table.say({"do": "stop", "by": "Anoniem 1"})[0].error is None


@pytest.mark.parametrize("name", ["", "Eva", "<b>", "Ann "])
def test_a_name_that_nobody_has(owner: TestClient, name: str, journal: MemoryJournal) -> None:
    rows = list(journal.rows())
    answer = owner.post(f"{PAGE}?lang=en", data={"name": name, "sure": "yes"})
    assert answer.status_code == 404
    assert "stands nowhere" in answer.text
    assert list(journal.rows()) == rows


def test_what_is_no_form(owner: TestClient) -> None:
    assert owner.post(PAGE, json={"name": "Ann", "sure": "yes"}).status_code == 400
    assert owner.post(PAGE, data={"name": "Ann", "sure": "yes"}, headers={"origin": "http://evil"}).status_code == 403


def test_a_storage_that_refuses(owner: TestClient, journal: MemoryJournal) -> None:
    journal.broken = "the card is full"
    answer = owner.post(f"{PAGE}?lang=en", data={"name": "Ann", "sure": "yes"})
    assert answer.status_code == 503
    assert "could not be forgotten everywhere" in answer.text
    journal.broken = None
    assert names_in(journal) == ["Ann", "Bob"]


def test_nothing_made_up_is_called_forgotten(owner: TestClient) -> None:
    assert "Guy" not in owner.get(f"{PAGE}?now=Guy").text
