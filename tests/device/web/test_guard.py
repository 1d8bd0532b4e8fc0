"""What no page elsewhere may do, whatever it knows."""

from __future__ import annotations

from typing import Any

import pytest
from at_the_door import START, post
from starlette.testclient import TestClient

from device.journal import MemoryJournal
from device.table import Table
from device.web.app import Web


def test_another_origin_is_refused(client: TestClient, table: Table) -> None:
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"sec-fetch-site": "cross-site"},
    ):
        answer = post(client, {**START, "seq": 0}, headers=headers)
        assert answer.status_code == 403
    assert table.now.seq == 0


def test_our_own_page_may(client: TestClient) -> None:
    headers = {"origin": "http://192.168.1.20:8080", "sec-fetch-site": "same-origin"}
    assert post(client, {**START, "seq": 0}, headers=headers).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", ""])
def test_a_name_that_is_not_ours_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:8080", "localhost.", "192.168.1.20:8080", "[::1]:8080", "[fe80::1]"])
def test_addresses_and_own_names_are_ours(client: TestClient, host: str) -> None:
    assert client.get("/api/v1/state", headers={"host": host}).status_code == 200


def test_names_that_are_set_are_ours(table: Table, journal: MemoryJournal) -> None:
    app = Web(table, journal, names=("Bak.example",)).app
    assert TestClient(app, base_url="http://bak.example").get("/").status_code == 200


def test_a_large_body_is_refused(client: TestClient) -> None:
    large = {"do": "stop", "seq": 0, "by": "x" * 20_000}
    assert post(client, large).status_code == 413

    def drip() -> Any:
        for _ in range(40):
            yield b" " * 1000

    headers = {"content-type": "application/json"}
    assert client.post("/api/v1/events", content=drip(), headers=headers).status_code == 413


def test_the_browser_is_told_to_run_nothing_else(client: TestClient) -> None:
    for path in ("/", "/play", "/static/page.js", "/api/v1/state"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
