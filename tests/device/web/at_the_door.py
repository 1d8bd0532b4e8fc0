"""Browsers for the tests of the page: strangers, phones that came in, the device's own screen."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from device.web.app import Web

CODE = "482913"
START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def browser(web: Web, base: str = "http://192.168.1.20:8080", address: str = "192.168.1.7") -> TestClient:
    """One on the local network."""
    return TestClient(web.app, base_url=base, client=(address, 50000), follow_redirects=False)


def own_screen(web: Web) -> TestClient:
    """The browser of the device itself."""
    return browser(web, "http://127.0.0.1:8080", "127.0.0.1")


def came_in(who: TestClient, code: str = CODE) -> TestClient:
    """The same browser after it scanned the QR code."""
    assert who.get(f"/play?code={code}").status_code == 303
    return who


def post(client: TestClient, event: Any, **more: Any) -> Any:
    return client.post("/api/v1/events", json=event, **more)
