"""What a phone fetches before it shows anything: little, and little again the next time."""

from __future__ import annotations

import re

import pytest
from at_the_door import START
from starlette.testclient import TestClient

from device.table import Table

MOST = 100_000  # bytes


@pytest.mark.parametrize("path", ["/", "/play", "/play/new", "/rules", "/again"])
def test_a_page_with_all_it_needs_is_small(client: TestClient, table: Table, path: str) -> None:
    names = ["Ann", "Bob", "Cas", "Dré", "Eva", "Fons", "Godelieve", "Hilde"]
    table.say({**START, "players": names})
    for _ in range(8):
        table.saw_throw((2, 3, 6))
    page = client.get(path)
    assert page.status_code == 200
    needed = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text))
    assert any(one.endswith(".css") for one in needed)
    size = len(page.content) + sum(len(client.get(one).content) for one in needed)
    assert size < MOST, f"{size} bytes with {sorted(needed)}"


def test_the_second_time_the_browser_only_asks(client: TestClient) -> None:
    first = client.get("/static/page.css")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/static/page.css", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_pages_and_states_are_never_kept(client: TestClient) -> None:
    for path in ("/", "/play", "/api/v1/state"):
        assert client.get(path).headers["cache-control"] == "no-store"
