"""The pages of what was played: everything in its language, nothing of a name taken for markup, anybody may look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from at_the_door import browser
from starlette.testclient import TestClient

from device.config import LANGUAGES
from device.journal import JournalError, MemoryJournal, Row
from device.table import Table
from device.web.app import Web
from device.web.dates import length
from device.wording import wording


class Clock:
    """A wall clock of a Saturday evening, five seconds later each time."""

    def __init__(self) -> None:
        self.now = datetime(2025, 11, 1, 20, 59, 55, tzinfo=timezone(timedelta(hours=1)))

    def __call__(self) -> str:
        self.now += timedelta(seconds=5)
        return self.now.isoformat(timespec="seconds")


@pytest.fixture
def wall() -> Clock:
    return Clock()


@pytest.fixture
def table(journal: MemoryJournal, wall: Clock) -> Table:
    return Table(journal, wall=wall)


def say(table: Table, do: str, **more: Any) -> None:
    told = table.say({"do": do, **more})
    assert told[0].error is None, told[0].error


def play(table: Table, names: tuple[str, ...] = ("Ann", "Bob")) -> None:
    """Ann opens with zand and is out after the round."""
    more = {"strokes": dict.fromkeys(names, 2), "options": {"finish": "first_out_wins"}}
    say(table, "start", game="pietjesbak", players=list(names), opener=names[0], **more)
    say(table, "throw", dice=[6, 6, 6])
    say(table, "stop")
    for _ in names[1:]:
        say(table, "throw", dice=[2, 3, 4])


class Failing(MemoryJournal):
    """Gives back so many readings, and then the card is gone."""

    readings_left = 10**9

    def rows(self, after: int = 0) -> Iterator[Row]:
        self._read()
        return super().rows(after)

    def back(self) -> Iterator[Row]:
        self._read()
        return super().back()

    def first(self) -> int:
        self._read()
        return super().first()

    def last(self) -> int:
        self._read()
        return super().last()

    def _read(self) -> None:
        self.readings_left -= 1
        if self.readings_left < 0:
            raise JournalError("the card is gone")


def text(html: str) -> str:
    """What a reader reads."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


class TestPages:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_page_in_every_language(self, stranger: TestClient, table: Table, language: str) -> None:
        play(table)
        say(table, "start", game="azen", players=["Ann", "Bob"], opener="Ann", count=8, orderer="Bob")
        say(table, "throw", dice=[1, 4, 4])
        for path in ("/evenings", "/evenings/all", "/evenings/1", "/evenings/1/1", "/evenings/1/5"):
            answer = stranger.get(f"{path}?lang={language}")
            assert answer.status_code == 200, path
            assert "_" not in text(answer.text).replace("_blank", ""), path  # a text that is missing shows its key
            assert f'<html lang="{language}"' in answer.text
            assert 'style="' not in answer.text
            assert "<script" not in answer.text

    def test_the_list_tells_who_won_how_long_and_how_many_throws(self, stranger: TestClient, table: Table) -> None:
        play(table)
        told = text(stranger.get("/evenings?lang=en").text)
        assert "Saturday 1 November 2025" in told
        assert "21:00–21:00 1 game Ann, Bob" in told
        assert "Pietjesbak Ann wins, Bob loses 15 s · 2 throws" in told
        assert "samedi 1er novembre 2025" in text(stranger.get("/evenings?lang=fr").text)

    def test_the_numbers_of_an_evening(self, stranger: TestClient, table: Table) -> None:
        play(table)
        play(table, ("Ann", "Bob", "Cas"))
        html = stranger.get("/evenings/1?lang=en").text
        tiles = dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+?) ?[<]", html))
        assert tiles["games"] == "2"
        assert tiles["throws"] == "5"
        assert tiles["zand"] == "2"
        assert tiles["strokes wiped"] == "4"
        assert (tiles["longest game"], tiles["shortest game"]) == ("20 s", "15 s")
        assert "15 dice read: too few to say anything" in html
        rows = dict(re.findall(r'<tr><th scope="row">([^<]+)</th>(.*?)</tr>', html))
        assert re.findall(r">(\d+)</td>", rows["won"]) == ["2", "0", "0"]
        assert re.findall(r">(\d+)</td>", rows["throws"]) == ["2", "2", "1"]

    def test_a_game_with_every_throw_as_it_stands(self, stranger: TestClient, table: Table) -> None:
        play(table)
        say(table, "correct", throw=1, dice=[1, 1, 6])
        say(table, "undo")
        say(table, "correct", throw=2, dice=[2, 3, 6])
        html = stranger.get("/evenings/1/1?lang=en").text
        assert re.findall(r'<td><svg[^>]+aria-label="([^"]+)"', html) == ["6 6 6", "2 3 6"]
        assert re.search(r"strokes at the end</th><td[^>]*>0</td><td>2</td>", html)
        assert "Ann 0, Bob 2" in html

    def test_a_game_that_goes_on_says_so(self, stranger: TestClient, table: Table) -> None:
        say(table, "start", game="pietjesbak", players=["Ann", "Bob"], opener="Ann")
        say(table, "throw", dice=[6, 6, 6])
        assert "still going on" in stranger.get("/evenings?lang=en").text
        say(table, "start", game="pietjesbak", players=["Ann", "Bob"], opener="Ann")
        assert "not played to the end" in stranger.get("/evenings?lang=en").text

    def test_names_are_text(self, stranger: TestClient, table: Table) -> None:
        play(table, ("<script>alert(1)</script>", '{{ 7*7 }} & "Bob"'))
        for path in ("/evenings", "/evenings/1", "/evenings/1/1"):
            html = stranger.get(path).text
            assert "<script>alert" not in html
            assert "&lt;script&gt;" in html
            assert "49" not in text(html)

    def test_before_anybody_played(self, stranger: TestClient) -> None:
        for path in ("/evenings", "/evenings/all"):
            html = stranger.get(f"{path}?lang=en").text
            assert "No evening yet" in html
            assert 'href="/play"' in html

    @pytest.mark.parametrize("path", ["/evenings/2", "/evenings/1/2", "/evenings/0/1", f"/evenings/{10**20}"])
    def test_what_is_not_there(self, stranger: TestClient, table: Table, path: str) -> None:
        play(table)
        answer = stranger.get(f"{path}?lang=en")
        assert answer.status_code == 404
        assert "not here" in answer.text

    @pytest.mark.parametrize("before", ["", "x", "-1", "1e9", "99999999999999999999", "²"])
    def test_a_strange_address_gives_the_list(self, stranger: TestClient, table: Table, before: str) -> None:
        play(table)
        assert stranger.get("/evenings", params={"before": before}).status_code == 200

    def test_every_page_leads_there(self, stranger: TestClient, table: Table) -> None:
        for path in ("/", "/rules"):
            assert 'href="/evenings"' in stranger.get(path).text

    def test_older_evenings_are_a_page_further_on(self, stranger: TestClient, table: Table, wall: Clock) -> None:
        for _ in range(23):
            play(table)
            wall.now += timedelta(days=1)
        seen: list[str] = []
        path: str | None = "/evenings"
        while path:
            for _ in range(100):
                html = stranger.get(path).text
                if "http-equiv" not in html:
                    break
            seen += re.findall(r'<h2><a href="(/evenings/\d+)"', html)
            more = re.search(r'href="(/evenings\?before=\d+)"', html)
            path = more[1] if more else None
        assert len(seen) == len(set(seen)) == 23
        assert len(stranger.get("/evenings").content) < 40_000

    @pytest.mark.parametrize("path", ["/evenings", "/evenings/all", "/evenings/1", "/evenings/1/1"])
    def test_a_journal_that_cannot_be_read(self, door: Any, path: str) -> None:
        """At whichever reading it fails first."""
        journal = Failing()
        table = Table(journal)
        say(table, "start", game="pietjesbak", players=["Ann", "Bob"], opener="Ann")
        say(table, "throw", dice=[6, 6, 6])
        readings = 0
        while True:
            journal.readings_left = readings
            answer = browser(Web(table, journal, door=door)).get(f"{path}?lang=en")
            if answer.status_code == 200:
                break
            assert (answer.status_code, "does not give the evenings back" in answer.text) == (503, True)
            readings += 1
        assert readings > 2

    def test_a_long_game_is_a_small_page(self, stranger: TestClient, table: Table) -> None:
        names = ("Ann", "Marie-Louise")
        say(table, "start", game="pietjesbak", players=list(names), opener="Ann", strokes=dict.fromkeys(names, 99))
        for n in range(300):
            dice = [1 + n % 6, 1 + n // 6 % 6, 2 + n // 36 % 5]
            say(table, "throw", dice=dice[: table.now.view.expected])
        page = stranger.get("/evenings/1/1")
        needed = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text))
        assert len(page.content) + sum(len(stranger.get(one).content) for one in needed) < 100_000
        assert "200 worpen" in text(page.text)
        assert page.text.count('<use href="#t') == 200


class TestDice:
    def test_loaded_dice_are_told_with_the_face_and_marked(self, stranger: TestClient, table: Table) -> None:
        say(table, "start", game="pietjesbak", players=["Ann", "Bob"], opener="Ann", strokes={"Ann": 99, "Bob": 99})
        for n in range(60):
            say(table, "throw", dice=[6, 6, 1 + n % 5])
        html = stranger.get("/evenings/1?lang=en").text
        assert "hardly chance any more" in html
        assert "Furthest off is the 6" in html
        assert html.count("col odd") == 1
        assert "▸" in html

    def test_the_picture_says_the_same_in_words(self, stranger: TestClient, table: Table) -> None:
        play(table)
        html = stranger.get("/evenings/1?lang=en").text
        assert "6: 3 times" in re.findall(r'role="img" aria-label="([^"]+)"', html)[0]

    def test_bataclans_dice_have_a_g(self, stranger: TestClient, table: Table) -> None:
        say(table, "start", game="bataclan", players=["Ann", "Bob"], opener="Ann")
        say(table, "throw", dice=["G", *[2] * (table.now.view.expected - 1)])
        html = stranger.get("/evenings/1/1?lang=en").text
        assert "G: 1 times" in html
        assert '<th scope="row">G</th>' in html


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.2, ""), (59.4, "59 s"), (59.6, "1 min"), (3599.0, "1 h 0 min"), (7260.0, "2 h 1 min")],
)
def test_how_long(seconds: float, told: str) -> None:
    assert length(wording("en"), seconds) == told
