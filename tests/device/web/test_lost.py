"""Addresses at which nothing is, and pages that could not be made: a person gets a page, a program a reason."""

from __future__ import annotations

import pytest
from at_the_door import browser
from starlette.testclient import TestClient

from device.web.app import Web

HTML = {"accept": "text/html"}


@pytest.mark.parametrize("path", ["/scores", "/device/restart", "/evenings/x", "/%ff"])
def test_no_such_page_leads_a_person_on(stranger: TestClient, path: str) -> None:
    answer = stranger.get(f"{path}?lang=de", headers=HTML)
    assert answer.status_code == 404
    assert "Diese Seite gibt es nicht." in answer.text
    assert 'href="/play"' in answer.text


def test_a_program_is_told_the_reason(stranger: TestClient) -> None:
    assert stranger.get("/scores").json()["error"]["reason"] == "not_found"
    assert stranger.get("/device/restart").json()["error"]["reason"] == "not_allowed"


def test_a_page_that_could_not_be_made_says_so_to_a_person(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    client = browser(web)
    client._transport.raise_server_exceptions = False
    monkeypatch.setattr(web.door, "visitor", None)
    answer = client.get("/play?lang=en", headers=HTML)
    assert answer.status_code == 500
    assert "Something went wrong here." in answer.text
    assert client.get("/play").json()["error"]["reason"] == "fault"


@pytest.mark.parametrize("known", [False, True])
def test_the_first_field_is_the_one_to_type_in(stranger: TestClient, client: TestClient, known: bool) -> None:
    asked = (client if known else stranger).get("/device/pin").text
    fields = [part.partition(">")[0] for part in asked.split("<input ")[1:] if 'type="hidden"' not in part]
    assert ["autofocus" in field for field in fields] == [True] + [False] * (len(fields) - 1)
