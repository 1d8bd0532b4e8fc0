"""The contract over HTTP: its words, what is malformed, stale or forbidden."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from at_the_door import CODE, START, Clock, browser, came_in, post
from starlette.testclient import TestClient

from device.journal import KeptJournal
from device.table import Table
from device.web.app import Web
from tests.waiting import PATIENCE_S


def test_state_before_a_game(client: TestClient) -> None:
    told = client.get("/api/v1/state").json()
    assert (told["game"], told["phase"], told["seq"]) == (None, "idle", 0)


def test_an_event_gives_the_state_of_the_rules(client: TestClient) -> None:
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
def test_malformed(client: TestClient, event: Any, table: Table) -> None:
    answer = post(client, event)
    assert answer.status_code == 400
    assert set(answer.json()["error"]) >= {"reason", "message"}
    assert table.now.seq == 0


@pytest.mark.parametrize("body", [b"", b"{", b'{"do": NaN, "seq": 0}', b"[" * 5000, b"\xff"])
def test_no_json(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/v1/events", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["reason"] == "not_json"


def test_a_form_of_another_page_cannot_post_plain_text(client: TestClient) -> None:
    answer = client.post("/api/v1/events", content=json.dumps({**START, "seq": 0}))
    assert answer.status_code == 400


def test_forbidden_by_the_rules(client: TestClient, table: Table) -> None:
    post(client, {**START, "seq": 0})
    answer = post(client, {"do": "stop", "seq": 1})
    assert answer.status_code == 409
    error = answer.json()["error"]
    assert error["reason"] == "no_throw"
    assert error["told"] == "Eerst gooien, dan stoppen."
    assert table.now.seq == 1


def test_stale(client: TestClient, table: Table) -> None:
    post(client, {**START, "seq": 0})
    table.saw_throw((1, 4, 5))
    answer = post(client, {"do": "stop", "seq": 1})
    assert answer.status_code == 409
    assert answer.json()["error"]["reason"] == "stale"
    assert post(client, {"do": "stop", "seq": 2}).status_code == 200


def test_history_tells_what_was_stored(client: TestClient) -> None:
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
def test_history_after_any_number(tmp_path: Path, after: str) -> None:
    journal = KeptJournal(tmp_path / "j.db")
    client = TestClient(Web(Table(journal), journal).app, base_url="http://127.0.0.1")
    assert client.get(f"/api/v1/history?after={after}").status_code == 200
    journal.close()


def test_the_kind_of_content_in_any_case(client: TestClient) -> None:
    headers = {"content-type": "Application/JSON; charset=utf-8"}
    answer = client.post("/api/v1/events", content=json.dumps({**START, "seq": 0}), headers=headers)
    assert answer.status_code == 200


def test_the_head_of_the_stream_ends(client: TestClient) -> None:
    answer = client.head("/api/v1/stream")
    assert answer.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("leaves", [True, False])
def test_a_body_that_does_not_come_is_not_waited_for(web: Web, monkeypatch: pytest.MonkeyPatch, leaves: bool) -> None:
    monkeypatch.setattr("device.web.api.BODY_S", 0.02)
    scope = {
        "type": "http", "method": "POST", "path": "/api/v1/events", "query_string": b"", "http_version": "1.1",
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")], "client": ("127.0.0.1", 1),
    }  # fmt: skip
    parts: list[Any] = [{"type": "http.request", "body": b"{", "more_body": True}]
    parts += [{"type": "http.disconnect"}] if leaves else []
    sent: list[Any] = []

    async def receive() -> Any:
        return parts.pop(0) if parts else await asyncio.sleep(PATIENCE_S)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(web.app(scope, receive, send), PATIENCE_S / 2))
    assert sent[0]["status"] == 408


def test_health(client: TestClient) -> None:
    assert client.get("/api/v1/health").json() == {"seq": 0, "ok": True}


def test_what_is_not_there_is_json_too(client: TestClient) -> None:
    assert client.get("/api/v1/nothing").json()["error"]["reason"] == "not_found"
    assert client.get("/api/v1/events").status_code == 405


def test_playing_needs_the_code(stranger: TestClient, table: Table) -> None:
    answer = post(stranger, {**START, "seq": 0})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "no_code")
    assert post(stranger, {"do": "fly"}).status_code == 403
    assert post(stranger, []).status_code == 403
    assert table.now.seq == 0


@pytest.mark.parametrize("code", ["", "482914", "０482913", 482914, ["482913"], None, "4" * 5000])
def test_a_wrong_code_plays_nothing(stranger: TestClient, table: Table, code: object) -> None:
    answer = post(stranger, {**START, "seq": 0, "code": code})
    assert answer.status_code == 403
    assert table.now.seq == 0


@pytest.mark.parametrize(
    "how",
    [
        {"event": {"code": CODE}},
        {"event": {"code": "482 913"}},
        {"headers": {"authorization": f"Bearer {CODE}"}},
        {"params": {"code": CODE}},
    ],
)
def test_programs_tell_the_code_with_each_event(stranger: TestClient, how: dict[str, Any]) -> None:
    event = {**START, "seq": 0, **how.pop("event", {})}
    assert post(stranger, event, **how).status_code == 200


def test_the_code_is_no_part_of_what_is_stored(stranger: TestClient) -> None:
    post(stranger, {**START, "seq": 0, "code": CODE})
    assert CODE not in stranger.get("/api/v1/history").text


def test_anybody_may_look(stranger: TestClient) -> None:
    for path in ("/", "/api/v1/state", "/api/v1/history", "/api/v1/health", "/api/v1/openapi.json"):
        assert stranger.get(path).status_code == 200
        assert CODE not in stranger.get(path).text


def test_whoever_guesses_is_slowed_down(stranger: TestClient, web: Web, clock: Clock) -> None:
    told = [post(stranger, {**START, "seq": 0, "code": f"{n:06}"}).status_code for n in range(12)]
    assert told == [403] * 10 + [429] * 2
    late = post(stranger, {**START, "seq": 0, "code": CODE})
    assert late.status_code == 429
    assert int(late.headers["retry-after"]) >= 1
    assert post(came_in(browser(web, address="192.168.1.9")), {**START, "seq": 0}).status_code == 200
    clock.now += 6.1
    assert post(stranger, {"do": "pause", "seq": 1, "code": CODE}).status_code == 200
