"""The scoreboard's and the remote's HTML: what they show, and that no name becomes markup."""

from __future__ import annotations

import json
import re

import cv2
import numpy as np
import pytest
from at_the_door import CODE, START, browser, came_in, own_screen
from starlette.testclient import TestClient

from device.config import LANGUAGES
from device.cutouts import Cutouts
from device.journal import MemoryJournal
from device.snapshot import Eye
from device.table import Table
from device.web.app import Web
from device.web.door import Door
from vision.frame import Frame
from vision.reading import BoardReading, DieReading


class TestPage:
    def test_shows_everybody_with_strokes_figure_and_shape(self, client: TestClient, table: Table) -> None:
        table.say({**START, "strokes": {"Ann": 3, "Bob": 11}})
        html = client.get("/").text
        for name, number in (("Ann", 3), ("Bob", 11)):
            part = html[html.index(f'aria-label="{name}: {number} ') :]
            part = part[: part.index("</section>")]
            assert f'<span class="number">{number}</span>' in part
            assert part.count("<line ") == number
            assert 'class="badge' in part

    def test_whose_turn_and_what_to_beat(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.saw_throw((1, 4, 5))
        table.say({"do": "stop"})
        html = client.get("/?lang=en").text
        assert html.count(" turn") >= 1
        assert re.search(r'class="player k1 turn"', html)
        assert "109" in html
        assert "1 throw" in html

    @pytest.mark.parametrize("path", ["/", "/play", "/?part=board", "/play?part=play"])
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_language_renders_every_moment(self, web: Web, table: Table, path: str, language: str) -> None:
        client = came_in(browser(web))
        joined = path + ("&" if "?" in path else "?") + f"lang={language}"
        for do in (
            lambda: None,
            lambda: table.say(START),
            lambda: table.saw_throw((2, 2, 3)),
            lambda: table.saw_throw((4, 5), outside=1),
            lambda: table.saw_unsure(["cocked"], (1, None), missing=1),
            lambda: table.say({"do": "stop"}),
            lambda: table.look(Eye.LOST, "frozen"),
            lambda: table.say({**START, "game": "pig"}),
            lambda: table.say({**START, "game": "azen"}),
            lambda: table.say({**START, "game": "sachsenkniffel"}),
            lambda: table.say({**START, "game": "bataclan"}),
        ):
            do()
            answer = client.get(joined)
            assert answer.status_code == 200
            assert "{" not in re.sub(r"data-[a-z]+='[^']*'", "", answer.text).replace("{{", "")

    def test_works_without_a_script_as_a_board_to_read(self, client: TestClient, table: Table) -> None:
        table.say({**START, "strokes": {"Ann": 4}})
        html = client.get("/").text
        assert "<noscript>" in html
        assert '<span class="number">4</span>' in html

    def test_a_name_is_never_markup(self, client: TestClient, table: Table) -> None:
        evil = "<img src=x>'\"&"
        told = table.say({**START, "players": [evil, "Bob"], "opener": evil})
        assert told[0].error is None
        table.saw_throw((1, 4, 5))
        for path in ("/", "/play"):
            html = client.get(path).text
            assert "<img" not in html
            assert "&lt;img src=x&gt;" in html
            for told_json in re.findall(r"data-players='([^']*)'", html):
                assert json.loads(_unescaped(told_json)) == [evil, "Bob"]

    def test_nothing_comes_from_elsewhere(self, client: TestClient) -> None:
        for path in ("/", "/play", "/static/page.css", "/static/page.js"):
            text = client.get(path).text.replace("http://www.w3.org/2000/svg", "")
            assert "//" not in re.sub(r"(?m)^\s*// .*$", "", text).replace("<!doctype html>", "") or path.endswith("js")
            assert "http" not in text

    def test_no_style_or_script_in_the_markup(self, client: TestClient, table: Table) -> None:
        table.say(START)
        for path in ("/", "/play"):
            html = client.get(path).text
            assert "style=" not in html
            assert "<style" not in html
            assert not re.search(r"\son[a-z]+=", html)
            assert not re.search(r"<script(?! src=)", html)

    def test_doubt_is_asked_on_board_and_remote(self, client: TestClient, table: Table) -> None:
        table.say(START)
        table.saw_unsure(["cocked"], (1, 3, None))
        assert 'class="notice doubt"' in client.get("/").text
        remote = client.get("/play").text
        assert '"no_throw"' in remote
        assert 'class="builder"' in remote

    def test_the_idle_board_shows_the_way_to_the_remote(self, table: Table, journal: MemoryJournal, door: Door) -> None:
        address = "http://192.168.1.20:8080/play"
        web = Web(table, journal, door=door, phone=lambda: address)
        assert 'class="code"' not in browser(web).get("/").text
        client = own_screen(web)
        size = int(re.findall(r'class="code" viewBox="0 0 (\d+)', client.get("/").text)[0])
        drawn = np.full((size, size), 255, np.uint8)
        for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", client.get("/").text):
            drawn[int(y), int(x)] = 0
        large = cv2.copyMakeBorder(
            cv2.resize(drawn, None, fx=8, fy=8, interpolation=0), 32, 32, 32, 32, 0, value=(255.0,)
        )
        assert cv2.QRCodeDetector().detectAndDecode(large)[0] == f"{address}?code={CODE}"
        table.say(START)
        assert 'class="code"' not in client.get("/").text

    def test_dice_are_shown_as_the_camera_saw_them(self, table: Table, journal: MemoryJournal) -> None:
        cutouts = Cutouts()
        client = TestClient(Web(table, journal, cutouts=cutouts).app, base_url="http://127.0.0.1")
        table.say(START)
        table.saw_throw((1, 4, 5))
        assert "<img" not in client.get("/").text
        box = (10.0, 10.0, 40.0, 40.0)
        corners = ((10.0, 10.0), (40.0, 10.0), (40.0, 40.0), (10.0, 40.0))
        dice = tuple(DieReading(face, 0.99, None, box, corners) for face in (5, 1, 4))
        cutouts.keep(table.now.throw, Frame(np.zeros((60, 60, 3), np.uint8), 0.0), BoardReading(dice))
        paths = re.findall(r'<img src="([^"]+)"', client.get("/").text)
        assert len(paths) == 3
        for path in paths:
            assert client.get(path).headers["content-type"] == "image/jpeg"
        assert client.get("/dice/9-9.jpg").status_code == 404

    def test_says_that_it_is_simulated(self, client: TestClient) -> None:
        assert "no real camera" in client.get("/?lang=en").text


def _unescaped(text: str) -> str:
    return text.replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&")


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``, WCAG 2."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def palettes(css: str) -> dict[str, dict[str, str]]:
    dark = dict(re.findall(r"--([\w-]+): (#\w{6})", css[: css.index("@media")]))
    light = css[css.index("prefers-color-scheme: light") :]
    return {"dark": dark, "light": dark | dict(re.findall(r"--([\w-]+): (#\w{6})", light[: light.index("* {")]))}


RIM_WORDS = ["chalk", "soft", "fresh", "good", *(f"k{n}" for n in range(8))]
PAIRS = [(word, wood) for word in RIM_WORDS for wood in ("rim", "rim-2")]
PAIRS += [(word, felt) for word in ("on-felt", "on-felt-soft", "glow") for felt in ("felt", "felt-2")]
PAIRS += [("bad", "bad-room"), ("doubt-ink", "doubt-room"), ("chalk", "room"), ("soft", "room"), ("pip", "ivory")]


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_word_stands_out_by_four_and_a_half_to_one(client: TestClient, scheme: str) -> None:
    colours = palettes(client.get("/static/page.css").text)[scheme]
    poor = {(a, b): round(contrast(colours[a], colours[b]), 2) for a, b in PAIRS}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}
