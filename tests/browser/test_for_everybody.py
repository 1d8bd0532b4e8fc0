"""Axe finds nothing serious on any page, in the dark and in the light."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from a_browser import PHONE, Open, settled
from a_table import CODE, MOMENTS, Shown

RUN = "(only) => axe.run(document, { resultTypes: ['violations'], ...only }).then((told) => told.violations)"


@pytest.fixture(scope="module")
def axe() -> str:
    """The library's script; it is run through the debugger, which no policy of the page forbids."""
    found = find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("axe is missing: pip install -e .[dev]")
    return (Path(found.origin).parent / "axe.min.js").read_text("utf-8")


def serious(page: Any, axe: str) -> list[str]:
    """What axe finds serious or worse in both colour schemes."""
    found = []
    page.evaluate(axe)
    for scheme, only in (("dark", {}), ("light", {"runOnly": ["color-contrast"]})):  # the rest is the same in both
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for told in page.evaluate(RUN, only):
            if told["impact"] in ("serious", "critical"):
                where = [node["target"] for node in told["nodes"]][:3]
                found.append(f"{scheme}: {told['id']}: {told['help']} {where}")
    return found


def test_the_scoreboard(visit: Open, at: Shown, axe: str) -> None:
    page, found = visit("/"), {}
    for moment in ("eight", "unsure", "azen", "sachsenkniffel"):
        MOMENTS[moment](at)
        settled(page, at)
        found[moment] = serious(page, axe)
    assert {moment: told for moment, told in found.items() if told} == {}


def test_the_remote(visit: Open, at: Shown, axe: str) -> None:
    page, found = visit("/play", PHONE), {}
    for moment in ("four", "unsure", "bataclan"):
        MOMENTS[moment](at)
        settled(page, at)
        opened(page)
        found[moment] = serious(page, axe)
    assert {moment: told for moment, told in found.items() if told} == {}


def test_the_sheets_of_the_remote(visit: Open, at: Shown, axe: str) -> None:
    MOMENTS["four"](at)
    page, found = visit("/play", PHONE), {}
    for path in ("/play/throw/1?at=0", "/play/throw/1", "/play/seat?player=Ann"):
        page.evaluate(f"open('{path}')")
        page.locator("dialog[open]").wait_for()
        found[path] = serious(page, axe)
        page.keyboard.press("Escape")
    assert {path: told for path, told in found.items() if told} == {}


def test_the_other_pages(visit: Open, at: Shown, axe: str) -> None:
    page, found = visit("/", PHONE, came_in=False), {}
    for path in ("/", "/play", f"/play?code={CODE}", "/play/new", "/rules", "/device/pin", "/device/first"):
        page.goto(f"{at.address}{path}", wait_until="load")
        opened(page)
        found[path] = serious(page, axe)
    assert {path: told for path, told in found.items() if told} == {}


def opened(page: Any) -> None:
    """With everything folded unfolded."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
