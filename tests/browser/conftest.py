"""The system's chromium, a table behind a real server, and pages that may not complain."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from a_browser import DESKTOP, HERE, PATIENCE_MS, Open, Shoot
from a_table import Shown, shown

from device import evenings
from tests.waiting import PATIENCE_S

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
BAD = ("error", "warning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def _evenings_are_counted_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evenings, "PATIENCE_S", PATIENCE_S)


@pytest.fixture(scope="module")  # its driver keeps an event loop running, which other tests must not find
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is missing: pip install -e .[dev]")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE_MS)
        yield browser
        browser.close()


@pytest.fixture
def at() -> Iterator[Shown]:
    """A table on a port of its own."""
    with shown() as made:
        yield made


@pytest.fixture
def visit(chromium: Any, at: Shown) -> Iterator[Open]:
    """Opens a page in a browser of its own; what a page complains about fails the test."""
    contexts, complaints = [], []

    def complain(text: str, where: Any) -> None:
        complaints.append(f"{text} {where}")

    def opened(path: str = "/", size: tuple[int, int] = DESKTOP, *, came_in: bool = True, **more: Any) -> Any:
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, **more)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("console", lambda said: complain(said.text, said.location) if said.type in BAD else None)
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        if came_in:
            page.goto(f"{at.address}/play?code={at.code}", wait_until="commit")
        page.goto(f"{at.address}{path}", wait_until="load")
        return page

    yield opened
    for context in contexts:
        context.close()
    expected = ("ERR_INTERNET_DISCONNECTED", "403 (Forbidden)", "409 (Conflict)", "/dice/")  # a die may be gone by then
    assert [one for one in complaints if not any(word in one for word in expected)] == []


@pytest.fixture
def shoot() -> Shoot:
    """Keeps pictures of a page, dark and light, in the folder $PIETJESOOG_SCREENS where somebody wants to look."""
    told = os.environ.get("PIETJESOOG_SCREENS")

    def taken(page: Any, name: str) -> None:
        if told is None:
            return
        Path(told).mkdir(parents=True, exist_ok=True)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=str(Path(told) / f"{name}_{scheme}.png"), full_page=name.startswith("whole_"))

    return taken
