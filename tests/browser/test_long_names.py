"""Names of one long word on the narrowest phone: nothing runs off the screen, and none is cut short where it counts."""

from __future__ import annotations

import pytest
from a_browser import Open, settled, until
from a_table import Shown

NARROW = (360, 740)
LONG = ("W" * 24, "Wolfeschlegelsteinhausen", "M" * 24)
TOO_WIDE = """[...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth+1
  || ["H1", "H2", "P"].includes(one.tagName) && one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""


@pytest.mark.parametrize("path", ["/", "/play", "/play/new"])
def test_a_long_name_stays_on_a_narrow_phone(visit: Open, at: Shown, path: str) -> None:
    at.start(players=LONG)
    at.throw(6, 6, 6)
    at.say(do="stop")
    page = visit(path, NARROW)
    if path != "/play/new":
        settled(page, at)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW[0]


def test_a_long_name_stays_in_what_is_asked_about_a_throw(visit: Open, at: Shown) -> None:
    at.start(players=LONG)
    at.throw(6, 6, 6)
    page = visit("/play", NARROW)
    settled(page, at)
    page.get_by_label("worp 1: meer").click()
    until(page, "document.querySelector('dialog h2')")
    assert page.evaluate(f"{TOO_WIDE}.filter((told) => told.startsWith('H2'))") == []
