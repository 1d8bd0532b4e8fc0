"""The page and its JSON: the contract's words, what is refused, and that no name becomes markup."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from device.config import LANGUAGES
from device.cutouts import Cutouts
from device.journal import KeptJournal, MemoryJournal
from device.snapshot import Eye
from device.table import Table
from device.web.app import Web
from vision.frame import Frame
from vision.reading import BoardReading, DieReading

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def table(journal: MemoryJournal) -> Table:
    return Table(journal, wall=lambda: "noon")


@pytest.fixture
def web(table: Table, journal: MemoryJournal) -> Web:
    return Web(table, journal, note="simulated", health=lambda: {"ok": True})


@pytest.fixture
def client(web: Web) -> TestClient:
    return TestClient(web.app, base_url="http://127.0.0.1:8080")


def post(client: TestClient, event: Any, **more: Any) -> Any:
    return client.post("/api/v1/events", json=event, **more)


class TestContract:
    def test_state_before_a_game(self, client: TestClient) -> None:
        told = client.get("/api/v1/state").json()
        assert (told["game"], told["phase"], told["seq"]) == (None, "idle", 0)

    def test_an_event_gives_the_state_of_the_rules(self, client: TestClient) -> None:
        answer = post(client, {**START, "seq": 0})
        assert answer.status_code == 200
        assert answer.json()["seq"] == 1
        answer = post(client, {"do": "throw", "dice": [1, 4, 5], "seq": 1})
        told = answer.json()
        assert (told["to_throw"], told["throws_used"], told["throws"]) == ("Ann", 1, 1)
        state = client.get("/api/v1/state").json()
        assert state == told
        assert state["view"]["dice"] == [1, 4, 5]

    @pytest.mark.parametrize(
        "event",
        [
            {"do": "fly", "seq": 0},
            {"do": "throw", "seq": 0},
            {"do": "throw", "dice": [7], "seq": 0},
            {"do": "stop"},
            {"do": "stop", "seq": "0"},
            {"do": "stop", "seq": True},
            {"do": "stop", "seq": -1},
            [],
            None,
            "stop",
        ],
    )
    def test_malformed(self, client: TestClient, event: Any, table: Table) -> None:
        answer = post(client, event)
        assert answer.status_code == 400
        assert set(answer.json()["error"]) >= {"reason", "message"}
        assert table.now.seq == 0

    @pytest.mark.parametrize("body", [b"", b"{", b'{"do": NaN, "seq": 0}', b"[" * 5000, b"\xff"])
    def test_no_json(self, client: TestClient, body: bytes) -> None:
        answer = client.post("/api/v1/events", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 400
        assert answer.json()["error"]["reason"] == "not_json"

    def test_a_form_of_another_page_cannot_post_plain_text(self, client: TestClient) -> None:
        answer = client.post("/api/v1/events", content=json.dumps({**START, "seq": 0}))
        assert answer.status_code == 400

    def test_forbidden_by_the_rules(self, client: TestClient, table: Table) -> None:
        post(client, {**START, "seq": 0})
        answer = post(client, {"do": "stop", "seq": 1})
        assert answer.status_code == 409
        error = answer.json()["error"]
        assert error["reason"] == "no_throw"
        assert error["told"] == "Eerst gooien, dan stoppen."
        assert table.now.seq == 1

    def test_stale(self, client: TestClient, table: Table) -> None:
        post(client, {**START, "seq": 0})
        table.saw_throw((1, 4, 5))
        answer = post(client, {"do": "stop", "seq": 1})
        assert answer.status_code == 409
        assert answer.json()["error"]["reason"] == "stale"
        assert post(client, {"do": "stop", "seq": 2}).status_code == 200

    def test_history_tells_what_was_stored(self, client: TestClient) -> None:
        post(client, {**START, "seq": 0})
        post(client, {"do": "throw", "dice": [1, 4, 5], "seq": 1})
        post(client, {"do": "throw", "dice": [1, 4], "seq": 2})
        told = client.get("/api/v1/history").json()
        assert [(e["seq"], e["event"]["do"], e["time"]) for e in told["entries"]] == [
            (1, "start", "noon"),
            (2, "throw", "noon"),
        ]
        assert [e["seq"] for e in client.get("/api/v1/history?after=1").json()["entries"]] == [2]
        assert len(client.get("/api/v1/history?limit=1").json()["entries"]) == 1
        assert client.get("/api/v1/history?after=x").status_code == 400

    @pytest.mark.parametrize("after", ["9" * 30, "-" + "9" * 30])
    def test_history_after_any_number(self, tmp_path: Path, after: str) -> None:
        journal = KeptJournal(tmp_path / "j.db")
        client = TestClient(Web(Table(journal), journal).app, base_url="http://127.0.0.1")
        assert client.get(f"/api/v1/history?after={after}").status_code == 200
        journal.close()

    def test_the_kind_of_content_in_any_case(self, client: TestClient) -> None:
        headers = {"content-type": "Application/JSON; charset=utf-8"}
        answer = client.post("/api/v1/events", content=json.dumps({**START, "seq": 0}), headers=headers)
        assert answer.status_code == 200

    def test_the_head_of_the_stream_ends(self, client: TestClient) -> None:
        answer = client.head("/api/v1/stream")
        assert answer.headers["content-type"].startswith("text/event-stream")

    @pytest.mark.parametrize("leaves", [True, False])
    def test_a_body_that_does_not_come_is_not_waited_for(
        self, web: Web, monkeypatch: pytest.MonkeyPatch, leaves: bool
    ) -> None:
        monkeypatch.setattr("device.web.app.BODY_S", 0.02)
        scope = {
            "type": "http", "method": "POST", "path": "/api/v1/events", "query_string": b"", "http_version": "1.1",
            "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
        }  # fmt: skip
        parts: list[Any] = [{"type": "http.request", "body": b"{", "more_body": True}]
        parts += [{"type": "http.disconnect"}] if leaves else []
        sent: list[Any] = []

        async def receive() -> Any:
            return parts.pop(0) if parts else await asyncio.sleep(60)

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(asyncio.wait_for(web.app(scope, receive, send), 5))
        assert sent[0]["status"] == 408

    def test_health(self, client: TestClient) -> None:
        assert client.get("/api/v1/health").json() == {"seq": 0, "ok": True}

    def test_what_is_not_there_is_json_too(self, client: TestClient) -> None:
        assert client.get("/api/v1/nothing").json()["error"]["reason"] == "not_found"
        assert client.get("/api/v1/events").status_code == 405


class TestGuard:
    def test_another_origin_is_refused(self, client: TestClient, table: Table) -> None:
        for headers in (
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"origin": "http://["},
            {"sec-fetch-site": "cross-site"},
        ):
            answer = post(client, {**START, "seq": 0}, headers=headers)
            assert answer.status_code == 403
        assert table.now.seq == 0

    def test_our_own_page_may(self, client: TestClient) -> None:
        headers = {"origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-origin"}
        assert post(client, {**START, "seq": 0}, headers=headers).status_code == 200

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", ""])
    def test_a_name_that_is_not_ours_is_refused(self, client: TestClient, host: str) -> None:
        assert client.get("/", headers={"host": host}).status_code == 403

    @pytest.mark.parametrize("host", ["localhost:8080", "localhost.", "192.168.1.20:8080", "[::1]:8080", "[fe80::1]"])
    def test_addresses_and_own_names_are_ours(self, client: TestClient, host: str) -> None:
        assert client.get("/api/v1/state", headers={"host": host}).status_code == 200

    def test_names_that_are_set_are_ours(self, table: Table, journal: MemoryJournal) -> None:
        app = Web(table, journal, names=("Bak.example",)).app
        assert TestClient(app, base_url="http://bak.example").get("/").status_code == 200

    def test_a_large_body_is_refused(self, client: TestClient) -> None:
        large = {"do": "stop", "seq": 0, "by": "x" * 20_000}
        assert post(client, large).status_code == 413

        def drip() -> Any:
            for _ in range(40):
                yield b" " * 1000

        headers = {"content-type": "application/json"}
        assert client.post("/api/v1/events", content=drip(), headers=headers).status_code == 413

    def test_the_browser_is_told_to_run_nothing_else(self, client: TestClient) -> None:
        for path in ("/", "/play", "/static/page.js", "/api/v1/state"):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"


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
        client = TestClient(web.app, base_url="http://localhost")
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

    def test_the_idle_board_shows_the_way_to_the_remote(self, table: Table, journal: MemoryJournal) -> None:
        address = "http://192.168.1.20:8080/play"
        client = TestClient(Web(table, journal, phone=address).app, base_url="http://127.0.0.1")
        size = int(re.findall(r'class="code" viewBox="0 0 (\d+)', client.get("/").text)[0])
        drawn = np.full((size, size), 255, np.uint8)
        for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", client.get("/").text):
            drawn[int(y), int(x)] = 0
        large = cv2.copyMakeBorder(
            cv2.resize(drawn, None, fx=8, fy=8, interpolation=0), 32, 32, 32, 32, 0, value=(255.0,)
        )
        assert cv2.QRCodeDetector().detectAndDecode(large)[0] == address
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
