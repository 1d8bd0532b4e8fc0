"""The remote as a phone gets it: who it is, what may be tapped now, and why not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from at_the_door import START, browser, came_in, post
from starlette.testclient import TestClient

from device.config import LANGUAGES
from device.journal import MemoryJournal
from device.snapshot import Eye
from device.table import Table
from device.web.app import Web
from device.web.door import Door
from scorer.games import NAMES


def buttons(html: str) -> dict[str, bool]:
    """The events that the page offers as JSON, and whether each can be pressed."""
    found: dict[str, bool] = {}
    for attributes in re.findall(r"<button([^>]*)>", html):
        if event := re.search(r"data-event='([^']*)'", attributes):
            told = json.loads(event[1])
            key = json.dumps(told, sort_keys=True)
            found[key] = found.get(key, False) or " disabled" not in attributes
    return found


def may(html: str, event: dict[str, Any]) -> bool | None:
    """Whether that event can be pressed on the page; None where it is not there."""
    return buttons(html).get(json.dumps(event, sort_keys=True))


def i_am(client: TestClient, name: str, seat: float | None = None) -> TestClient:
    assert client.post("/api/v1/me", json={"name": name, "seat": seat}).status_code == 200
    return client


class TestWhatMayBeTapped:
    def test_nothing_but_a_new_game_before_the_first(self, client: TestClient) -> None:
        html = client.get("/play").text
        assert buttons(html) == {}
        assert 'href="/play/new"' in html

    def test_stop_only_after_a_throw_and_it_says_why(self, client: TestClient, table: Table) -> None:
        table.say(START)
        html = client.get("/play").text
        assert may(html, {"do": "stop"}) is False
        assert "Eerst gooien, dan stoppen." in html
        table.saw_throw((1, 4, 5))
        assert may(client.get("/play").text, {"do": "stop"}) is True

    def test_no_stop_in_the_roll_off_and_none_in_azen(self, client: TestClient, table: Table) -> None:
        table.say({"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"]})
        assert may(client.get("/play").text, {"do": "stop"}) is None
        table.say({**START, "game": "azen"})
        assert may(client.get("/play").text, {"do": "stop"}) is None

    def test_a_pause_leaves_going_on_and_undoing(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.say({"do": "pause"})
        html = client.get("/play").text
        assert may(html, {"do": "resume"})
        assert may(html, {"do": "undo"})
        assert may(html, {"do": "stop"}) is None
        assert 'data-do="throw"' not in html

    def test_after_the_end_the_next_game(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.say({"do": "end"})
        html = client.get("/play").text
        assert may(html, {"do": "next_game"})
        assert may(html, {"do": "pause"}) is None
        assert may(html, {"do": "end"}) is None

    def test_a_next_game_needs_somebody_to_play_with(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.say({"do": "leave", "player": "Bob"})
        html = client.get("/play").text
        assert may(html, {"do": "next_game"}) is False

    def test_stop_here_comes_forward_when_somebody_is_out(self, client: TestClient, table: Table) -> None:
        table.say({**START, "players": ["Ann", "Bob", "Cas"], "strokes": {"Ann": 1}})
        assert '<div class="key quiet"><button class="quiet" data-event=\'{"do": "end"}\'' in client.get("/play").text
        for dice in ((6, 6, 6), (1, 4, 5), (2, 3, 4)):
            table.saw_throw(dice)
            table.say({"do": "stop"})
        assert table.now.session.state["winner"] == "Ann"
        assert '<div class="key plain"><button class="plain" data-event=\'{"do": "end"}\'' in client.get("/play").text

    def test_undo_of_nothing_says_so(self, client: TestClient, table: Table) -> None:
        table.say(START)
        html = client.get("/play").text
        assert may(html, {"do": "undo"}) is False
        assert "Er is niets om te herstellen." in html

    def test_numbers_to_choose(self, client: TestClient, table: Table) -> None:
        table.say({**START, "game": "sachsenkniffel"})
        table.saw_throw((1, 1, 2, 5, 5, 6))
        html = client.get("/play").text
        assert may(html, {"do": "choose", "number": 1})
        assert may(html, {"do": "choose", "number": 4}) is None

    def test_the_last_throw_was_the_next_players(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.saw_throw((1, 4, 5))
        assert may(client.get("/play").text, {"do": "give_on"}) is None  # there was nothing before it to stop after
        table.saw_throw((2, 3, 4))
        html = client.get("/play").text
        assert "Laatste worp was van Bob" in html
        assert may(html, {"do": "give_on"})

    def test_a_glass_for_the_drinker(self, client: TestClient, table: Table) -> None:
        table.say({**START, "game": "azen", "count": 8, "orderer": "Bob", "taster": "Bob"})
        table.saw_throw((1, 2, 3))
        assert may(client.get("/play").text, {"do": "glass_empty"})
        assert may(i_am(client, "Ann").get("/play").text, {"do": "glass_empty", "by": "Ann"})

    @pytest.mark.parametrize("game", NAMES)
    def test_whatever_can_be_pressed_is_accepted(self, web: Web, client: TestClient, game: str) -> None:
        """Every enabled button of some moments, pressed on a table of its own."""
        for throws in ([], [1], [1, 2]):
            table = Table(MemoryJournal())
            fresh = came_in(browser(Web(table, MemoryJournal(), door=Door(draw=lambda below: 482913))))
            table.say({**START, "game": game})
            for _ in throws:
                dice = [3, 4, 1, 2, 5, 6, 1, 1, 1, 1, 1, 1, 1, 1][: table.now.view.expected]
                table.say({"do": "throw", "dice": dice})
            for event, enabled in buttons(fresh.get("/play").text).items():
                if not enabled:
                    continue
                before = table.now.seq
                answer = post(fresh, {**json.loads(event), "seq": before})
                assert answer.status_code == 200, (event, answer.text)
                if "undo" not in event and table.now.seq > before:
                    table.say({"do": "undo"})


class TestWhoseItIs:
    def test_asked_first_then_out_of_the_way(self, client: TestClient, table: Table) -> None:
        table.say(START)
        html = client.get("/play").text
        assert html.index('class="me"') < html.index('class="keys"')
        html = i_am(client, "Ann").get("/play").text
        assert html.index('class="me"') > html.index('class="keys"')
        assert "Deze gsm: Ann" in html

    def test_acts_by_its_name(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.saw_throw((1, 4, 5))
        assert may(i_am(client, "Ann").get("/play").text, {"do": "stop", "by": "Ann"})

    def test_acts_for_who_has_no_phone_here(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.saw_throw((1, 4, 5))
        assert may(i_am(client, "Bob").get("/play").text, {"do": "stop"})

    def test_not_for_who_has_one_but_there_is_a_way_round(self, web: Web, table: Table, client: TestClient) -> None:
        table.say(START)
        table.saw_throw((1, 4, 5))
        i_am(came_in(browser(web)), "Ann")
        html = i_am(client, "Bob").get("/play").text
        assert "Ann heeft hier zelf een gsm." in html
        assert "Toch voor Ann" in html
        assert re.search(r"<button class=\"main\" data-event='{\"do\": \"stop\"}' disabled>", html)

    def test_the_tables_phone_acts_for_everybody(self, web: Web, table: Table, client: TestClient) -> None:
        table.say(START)
        table.saw_throw((1, 4, 5))
        i_am(came_in(browser(web)), "Ann")
        assert may(i_am(client, "").get("/play").text, {"do": "stop"})

    def test_joins_a_running_game_late(self, client: TestClient, table: Table) -> None:
        table.say(START)
        html = i_am(client, "Cas").get("/play").text
        assert may(html, {"do": "join", "player": "Cas"})
        post(client, {"do": "join", "player": "Cas", "seq": table.now.seq})
        assert [player.name for player in table.now.view.players] == ["Ann", "Bob", "Cas"]
        assert may(client.get("/play").text, {"do": "join", "player": "Cas"}) is None

    def test_late_where_the_game_is_closed_it_says_why(self, client: TestClient, table: Table) -> None:
        table.say({**START, "game": "pig", "players": ["Ann", "Bob", "Dré", "Eva"]})
        html = i_am(client, "Cas").get("/play").text
        assert may(html, {"do": "join", "player": "Cas"}) is False
        assert "Dat aantal spelers past niet" in html

    def test_waits_for_the_next_start(self, client: TestClient) -> None:
        assert "op de lijst" in i_am(client, "Cas").get("/play").text
        assert '"name": "Cas"' in client.get("/play/new").text

    @pytest.mark.parametrize("name", ["x" * 41, " Ann", "\u202eAnn", "\u200b", 7])
    def test_what_is_no_name(self, client: TestClient, name: object) -> None:
        answer = client.post("/api/v1/me", json={"name": name})
        assert answer.status_code == 400
        assert answer.json()["error"]["told"] == "Zo’n naam kan niet."

    def test_a_program_with_the_code_alone_is_nobody(self, stranger: TestClient) -> None:
        assert stranger.post("/api/v1/me", json={"name": "Ann"}).status_code == 403

    def test_names_are_escaped_everywhere(self, client: TestClient, table: Table) -> None:
        evil = "<b onclick=x>'\"&"
        i_am(client, evil)
        assert table.say({**START, "players": [evil, "Bob"], "opener": evil})[0].error is None
        table.saw_throw((1, 4, 5), from_deg=10)
        for path in ("/play", "/play/new", "/play/throw/1", "/play/throw/1?at=0", "/", f"/play/seat?player={evil}"):
            html = client.get(path).text
            assert "<b onclick" not in html, path
        assert may(client.get("/play").text, {"do": "stop", "by": evil})


class TestSeats:
    def test_all_eight_sides_and_who_sits_there(self, client: TestClient, table: Table) -> None:
        table.say({**START, "seats": {"Bob": 92}})
        html = client.get("/play/seat?player=Ann").text
        assert re.findall(r'data-seat="(\d+)"', html) == ["0", "45", "90", "135", "180", "225", "270", "315"]
        assert 'aria-label="onder: Bob"' in html

    def test_is_for_players_only(self, stranger: TestClient) -> None:
        assert stranger.get("/play/seat?player=Ann").status_code == 403
        assert stranger.get("/play/throw/1").status_code == 403


class TestByHand:
    def test_open_where_no_camera_sees(self, client: TestClient, table: Table) -> None:
        table.say(START)
        assert re.search(r'data-key="by_hand" open', client.get("/play").text)
        table.look(Eye.WAITING)
        assert not re.search(r'data-key="by_hand" open', client.get("/play").text)

    def test_as_many_dice_as_the_game_expects(self, client: TestClient, table: Table) -> None:
        table.say({"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"]})
        assert 'data-do="throw" data-count="1"' in client.get("/play").text

    def test_a_doubt_is_filled_in_as_far_as_it_is_known(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.saw_unsure(["die_missing"], (4, None), outside=1)
        html = client.get("/play").text
        assert "data-dice='[4, null, \"outside\"]'" in html
        assert may(html, {"do": "no_throw"})
        assert may(html, {"do": "stop"}) is False

    def test_again_or_the_other(self, client: TestClient, table: Table) -> None:
        table.say({**START, "seats": {"Ann": 90, "Bob": 270}})
        table.saw_throw((1, 4, 5))
        table.saw_throw((2, 4, 5), from_deg=270)
        html = client.get("/play").text
        assert may(html, {"do": "thrown_by", "player": "Ann"})
        assert may(html, {"do": "thrown_by", "player": "Bob"})

    def test_dice_for_the_pile_and_dice_that_fell(self, client: TestClient, table: Table) -> None:
        table.say({**START, "game": "bataclan"})
        table.say({"do": "throw", "dice": ["G", 2, 3, 4, 5, 6, 2, 2, 2, 2, 2, 2, 2, 2]})
        assert 'data-do="place"' in client.get("/play").text
        table.say({"do": "place", "dice": ["G", 2]})
        assert 'data-form="fallen"' in client.get("/play").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_in_every_language(client: TestClient, table: Table, language: str) -> None:
    table.say({**START, "seats": {"Ann": 90}})
    table.saw_throw((1, 4, 5))
    for path in ("/play/throw/1", "/play/throw/1?at=2", "/play/seat?player=Ann", "/play/new", "/rules"):
        answer = client.get(f"{path}{'&' if '?' in path else '?'}lang={language}")
        assert answer.status_code == 200
        assert "{" not in re.sub(r"data-[a-z]+='[^']*'", "", answer.text), path


def test_a_phone_whose_code_is_old_is_sent_to_the_door(stranger: TestClient) -> None:
    assert stranger.get("/play?part=play").status_code == 403


def test_every_throw_of_the_game_can_be_reached(client: TestClient, table: Table) -> None:
    table.say({**START, "players": ["Ann", "Bob", "Cas"]})
    assert "/play/throws" not in client.get("/play").text
    for _ in range(5):
        for dice in ((1, 4, 5), (2, 3, 6), (2, 4, 6)):
            table.saw_throw(dice)
            table.say({"do": "stop"})
    assert 'data-sheet="/play/throws"' in client.get("/play").text
    html = client.get("/play/throws").text
    assert [int(n) for n in re.findall(r'data-key="t(\d+)"', html)] == list(range(15, 0, -1))
    assert 'data-sheet="/play/throw/1?at=2"' in html


def test_a_screen_may_choose_its_colours(client: TestClient) -> None:
    assert "data-theme" not in client.get("/").text
    assert 'data-theme="light"' in client.get("/?theme=light").text
    assert 'data-theme="light"' in client.get("/play").text
    assert 'data-theme="dark"' in client.get("/?theme=dark").text
    assert 'data-theme="x' not in client.get("/?theme=x%22").text


def test_the_device_may_choose_them_for_all(table: Table, journal: MemoryJournal) -> None:
    html = browser(Web(table, journal, colours="dark")).get("/").text
    assert 'data-theme="dark"' in html
