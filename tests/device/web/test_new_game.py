"""The form of a new game and the rule card: all that a table can choose is there, and starts."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from at_the_door import START, browser, came_in, post
from starlette.testclient import TestClient

from device.table import Table
from device.web.app import Web
from device.web.chalk import CHALK, Field
from scorer.games import NAMES, game_named
from scorer.presets import PRESETS


def data(html: str, name: str) -> Any:
    found = re.search(f"data-{name}='([^']*)'", html)
    assert found is not None
    return json.loads(found[1])


def test_is_for_players(stranger: TestClient) -> None:
    assert stranger.get("/play/new").headers["location"] == "/play"


@pytest.mark.parametrize("game", NAMES)
def test_every_preset_and_every_option_with_its_reason(client: TestClient, game: str) -> None:
    html = client.get(f"/play/new?game={game}").text
    assert f'value="{game}" checked' in html
    for preset in PRESETS[game]:
        assert f'name="preset" value="{preset}"' in html
    for option in game_named(game).options:
        assert f'data-option="{option.name}"' in html
    assert html.count("herkomst:") == len(game_named(game).options)


def test_a_preset_fills_the_options_in(client: TestClient) -> None:
    html = client.get("/play/new?part=rules&game=pietjesbak&preset=lepastis").text
    assert "<html" not in html
    assert re.search(r'data-option="strokes" data-chosen=\'12\'', html)
    assert re.search(r"<option value='\"tied_only\"' selected>", html)


@pytest.mark.parametrize("query", ["game=belote", "game=pig&preset=buffalo", "preset=%00"])
def test_what_there_is_not_gives_what_there_is(client: TestClient, query: str) -> None:
    assert client.get(f"/play/new?{query}").status_code == 200


def test_who_played_last_and_who_came_since(client: TestClient, table: Table) -> None:
    table.say({**START, "players": ["Ann", "Bob", "Cas"], "seats": {"Ann": 90}})
    table.say({"do": "leave", "player": "Cas"})
    client.post("/api/v1/me", json={"name": "Dré", "seat": 180})
    html = client.get("/play/new").text
    players = [(one["name"], one["seat"]) for one in data(html, "players")]
    assert players == [("Ann", 90), ("Bob", None), ("Dré", 180)]


def test_a_running_game_is_asked_about(client: TestClient, table: Table) -> None:
    assert "data-sure" not in client.get("/play/new").text
    table.say(START)
    assert "data-sure" in client.get("/play/new").text


def filled(field: Field) -> object:
    """Something that this field may hold, as the script would send it."""
    value: object = "Ann" if field.choices == ("player",) else field.choices[0] if field.choices else 2
    return {"": value, "player": {"Ann": value}, "number": {"Ann": {"3": value}}}[field.by]


@pytest.mark.parametrize("game", NAMES)
def test_what_stands_in_chalk_starts_so(client: TestClient, table: Table, game: str) -> None:
    joined = {field.key: filled(field) for field in CHALK[game]}
    if game == "azen":
        joined["count"] = 7
    if game == "bataclan":  # only of five or six players some take a large die
        del joined["sizes"]
    assert data(client.get(f"/play/new?game={game}").text, "chalk")[0]["key"] in joined
    event = {"do": "start", "game": game, "players": ["Ann", "Bob"], "opener": "Ann", "preset": "rulebook", **joined}
    answer = post(client, {**event, "options": {}, "seq": 0})
    assert answer.status_code == 200, answer.text


def test_azen_comes_with_its_caution(client: TestClient) -> None:
    assert "wees matig" in client.get("/play/new?game=azen").text
    assert "wees matig" not in client.get("/play/new?game=pig").text


class TestRuleCard:
    def test_anybody_may_read_it(self, stranger: TestClient) -> None:
        html = stranger.get("/rules").text
        assert "PJ-12" in html
        assert "Niet voor kinderen" in html

    def test_the_running_table_shows_what_it_chose(self, stranger: TestClient, table: Table) -> None:
        table.say({**START, "preset": "vlaams", "options": {"strokes": 7}})
        html = stranger.get("/rules").text
        assert "Zoals deze tafel nu speelt." in html
        assert re.search(r"Met hoeveel streepjes begint iedereen\?<br><b>7</b>", html)
        assert re.search(r"Welke worp van een beurt telt\?<br><b>de beste</b>", html)

    @pytest.mark.parametrize("game", NAMES)
    def test_of_every_game(self, stranger: TestClient, game: str) -> None:
        assert stranger.get(f"/rules?game={game}").status_code == 200


def test_two_phones_that_begin_at_once_begin_one_game(web: Web, client: TestClient) -> None:
    other = came_in(browser(web, address="192.168.1.8"))
    assert post(client, {**START, "seq": 0}).status_code == 200
    assert post(other, {**START, "seq": 0}).json()["error"]["reason"] == "stale"
