"""Evenings in a real browser: everything fits, is drawn, and can be read by everybody, without any script."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from a_browser import DESKTOP, PHONE, Open, Shoot
from a_table import EIGHT, Shown
from test_for_everybody import axe, opened, serious  # noqa: F401  # axe is a fixture

GAMES = {"pietjesbak": EIGHT[:4], "azen": EIGHT[:3], "pig": EIGHT[:2], "bataclan": EIGHT[:2], "sachsenkniffel": EIGHT}
NEEDED = 44  # px: a finger


def played(at: Shown) -> dict[str, str]:
    """A game of each kind, and where its page is."""
    chance, pages = Random(4), {"list": "/evenings", "all": "/evenings/all", "evening": "/evenings/1"}
    for game, names in GAMES.items():
        at.start(game, names)
        pages[game] = f"/evenings/1/{at.table.now.seq}"
        for _ in range(70):
            view, legal = at.table.now.view, at.table.now.session.legal
            if view.phase == "over":
                break
            if "place" in legal:
                fits = next(action.inputs["dice"] for action in view.actions if action.do == "place")
                at.say(do="place", dice=[fits[0]])
            elif "choose" in legal and "throw" not in legal:
                numbers = next(action.inputs["number"] for action in view.actions if action.do == "choose")
                at.say(do="choose", number=numbers[0])
            elif "stop" in legal and ((view.throws_used and chance.random() < 0.4) or "throw" not in legal):
                at.say(do="stop")
            else:
                faces = ("G", 2, 3, 4, 5, 6) if game == "bataclan" else range(1, 7)
                dice = [chance.choice(list(faces)) for _ in range(view.expected)]
                at.say(do="throw", dice=dice)
    return pages


def loaded(at: Shown) -> str:
    """Dice that are anything but fair."""
    at.start(players=EIGHT, strokes=dict.fromkeys(EIGHT, 60))
    for n in range(90):
        at.by_hand(*[6, 6, 1 + n % 5][: at.table.now.view.expected])
    return f"/evenings/1/{at.table.now.begun}"


def wide(page: Any) -> list[str]:
    """What sticks out on the right, but for tables that can be moved."""
    told: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter((one) =>
          !one.closest(".table, .said, svg") && one.getBoundingClientRect().right > innerWidth + 1
        ).map((one) => one.outerHTML.slice(0, 80))"""
    )
    return told


def cut(page: Any) -> list[str]:
    """Words of charts that lie outside their picture."""
    told: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("figure svg text")].filter((one) => {
          const word = one.getBoundingClientRect(), frame = one.ownerSVGElement.getBoundingClientRect();
          const aside = word.left < frame.left - 1 || word.right > frame.right + 1;
          return aside || word.bottom > frame.bottom + 1 || word.top < frame.top - 1;
        }).map((one) => one.textContent)"""
    )
    return told


def small(page: Any) -> list[str]:
    """Links and buttons too small for a finger, but those within a sentence or a line of a list."""
    told: list[str] = page.evaluate(
        """(least) => [...document.querySelectorAll("main :is(.button, .back a, summary, button, select)")]
          .filter((one) => one.getBoundingClientRect().height < least).map((one) => one.outerHTML.slice(0, 80))""",
        NEEDED,
    )
    return told


@pytest.mark.parametrize(("size", "name"), [(PHONE, "phone"), (DESKTOP, "desktop")], ids=["phone", "desktop"])
def test_everything_fits(visit: Open, at: Shown, shoot: Shoot, size: tuple[int, int], name: str) -> None:
    pages = played(at) | {"loaded": loaded(at)}
    page, faults = visit("/evenings", size, came_in=False, java_script_enabled=False), {}
    for key, path in pages.items():
        page.goto(f"{at.address}{path}", wait_until="load")
        shoot(page, f"whole_evenings_{key}_{name}")
        faults[key] = [*wide(page), *cut(page), *small(page)]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), key
    assert {key: told for key, told in faults.items() if told} == {}


def test_from_the_board_to_a_throw_and_back(visit: Open, at: Shown) -> None:
    at.start(players=EIGHT[:2], strokes={"Ann": 2, "Bob": 2})
    at.by_hand(6, 6, 6)
    at.say(do="stop")
    at.by_hand(2, 3, 4)
    page = visit("/rules?lang=en", PHONE, came_in=False)
    page.get_by_role("link", name="Evenings").click()
    page.get_by_role("heading", name="Evenings").wait_for()
    page.get_by_role("link", name="Pietjesbak").click()
    page.get_by_text("Ann wins, Bob loses").wait_for()
    page.get_by_text("All throws").click()
    rows = page.get_by_role("row")
    assert rows.filter(has_text="zand").filter(has_text="Ann").is_visible()
    page.get_by_role("link", name="The whole evening").click()
    page.get_by_role("heading", name="The dice").wait_for()
    with page.expect_download() as taken:
        page.get_by_role("link", name="Throws (CSV)").click()
    assert taken.value.suggested_filename == "pietjesoog-evening-1-throws.csv"
    assert "zand" in Path(taken.value.path()).read_text("utf-8")


def test_lines_and_players_are_told_apart_without_colours(visit: Open, at: Shown) -> None:
    at.start(players=EIGHT[:4])
    for _ in range(40):
        view = at.table.now.view
        if view.phase == "over":
            break
        at.by_hand(*[2, 3, 6][: view.expected])
    page = visit("/evenings/1/1", came_in=False)
    looks = page.evaluate(
        """() => [...document.querySelectorAll(".course .line")].map((one) => one.getAttribute("stroke-dasharray"))"""
    )
    shapes = page.evaluate("""() => [...document.querySelectorAll(".course .badge")].map((one) => one.innerHTML)""")
    assert len(looks) == len(set(looks)) == 4
    assert len(shapes) == len(set(shapes)) == 4


def test_a_name_is_forgotten_after_a_second_look(visit: Open, at: Shown, shoot: Shoot) -> None:
    at.start(players=["Ann", "Bob"])
    at.by_hand(6, 6, 6)
    at.door.pin.set("2580")
    page = visit("/evenings?lang=en", PHONE)
    page.get_by_role("link", name="Forget names").click()
    page.get_by_label("PIN").fill("2580")
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Which name?").select_option("Bob")
    shoot(page, "evenings_names_ask")
    page.get_by_role("button", name="Forget this name").click()
    page.get_by_text("Bob is then called Anoniem 1").wait_for()
    shoot(page, "evenings_names_sure")
    page.get_by_role("button", name="Yes, forget Bob").click()
    page.get_by_text("it is Anoniem 1 now").wait_for()
    shoot(page, "evenings_names_done")
    assert [player.name for player in at.table.now.view.players] == ["Ann", "Anoniem 1"]
    page.goto(f"{at.address}/evenings/1", wait_until="load")
    assert page.get_by_text("Anoniem 1").first.is_visible()
    assert page.get_by_text("Bob").count() == 0


def test_axe_finds_nothing_serious(visit: Open, at: Shown, axe: str) -> None:  # noqa: F811
    pages = played(at) | {"loaded": loaded(at)}
    page, found = visit("/", PHONE, came_in=False), {}
    for key in ("list", "all", "evening", "pietjesbak", "bataclan", "loaded"):
        page.goto(f"{at.address}{pages[key]}", wait_until="load")
        opened(page)
        found[key] = serious(page, axe)
    assert {key: told for key, told in found.items() if told} == {}


def test_axe_finds_nothing_serious_where_names_are_forgotten(visit: Open, at: Shown, axe: str) -> None:  # noqa: F811
    at.start(players=["Ann", "Bob"])
    at.by_hand(6, 6, 6)
    at.door.pin.set("2580")
    page, found = visit("/evenings?lang=en", PHONE, came_in=False), {}
    page.get_by_role("link", name="Forget names").click()
    page.get_by_label("PIN").fill("2580")
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Which name?").wait_for()
    found["ask"] = serious(page, axe)
    page.get_by_role("button", name="Forget this name").click()
    page.get_by_role("button", name="Yes, forget").wait_for()
    found["sure"] = serious(page, axe)
    page.get_by_role("button", name="Yes, forget").click()
    page.get_by_role("status").wait_for()
    found["done"] = serious(page, axe)
    assert {key: told for key, told in found.items() if told} == {}
