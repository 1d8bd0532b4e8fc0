"""The scoreboard in a real browser: everything in its place and large enough, whatever stands on the table."""

from __future__ import annotations

import pytest
from a_browser import HERE, PHONE, Open, Shoot, settled, until
from a_table import EIGHT, MOMENTS, Shown

LEAST_PX = 26  # of 720 lines: on a screen of one metre read from four
FAULTS = (HERE / "faults.js").read_text("utf-8").partition("\n")[2]


def test_every_moment_fits_and_can_be_read_across_the_room(visit: Open, at: Shown, shoot: Shoot) -> None:
    page = visit("/")
    faults: dict[str, list[str]] = {"nothing yet": page.evaluate(FAULTS, LEAST_PX)}
    shoot(page, "board_idle")
    for moment, play in MOMENTS.items():
        play(at)
        settled(page, at)
        faults[moment] = page.evaluate(FAULTS, LEAST_PX)
        shoot(page, f"board_{moment}")
    assert {moment: told for moment, told in faults.items() if told} == {}


@pytest.mark.parametrize("language", ["fr", "de"])
def test_longer_words_fit_too(visit: Open, at: Shown, language: str) -> None:
    page = visit(f"/?lang={language}")
    faults = {}
    for moment in ("eight", "unsure", "azen_begins", "sachsenkniffel", "race"):
        MOMENTS[moment](at)
        settled(page, at)
        faults[moment] = page.evaluate(FAULTS, LEAST_PX)
    assert {moment: told for moment, told in faults.items() if told} == {}


def test_strokes_stand_on_the_side_where_they_sit(visit: Open, at: Shown) -> None:
    page = visit("/")
    degrees = [225, 270, 315, 0, 45, 90, 135, 180]
    at.start(players=EIGHT, seats=dict(zip(EIGHT, degrees, strict=True)))
    settled(page, at)
    middles = page.evaluate(
        """() => [...document.querySelectorAll(".player")].map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const name = one.querySelector(".name").textContent;
          return [name, (left + right - innerWidth) / 2, (top + bottom - innerHeight) / 2];
        })"""
    )
    where = {name: (x, y) for name, x, y in middles}
    assert where["Dré"][0] > 300 > -300 > where["Hilde"][0]
    assert where["Fons"][1] > 250 > -250 > where["Bob"][1]
    assert where["Ann"][0] < 0 > where["Ann"][1]
    assert where["Eva"][0] > 0 < where["Eva"][1]
    assert where["Ann"][1] < where["Hilde"][1] < where["Godelieve"][1]


def test_motion_stops_where_it_is_not_wanted(visit: Open, at: Shown) -> None:
    page = visit("/", reduced_motion="reduce")
    MOMENTS["two"](at)
    settled(page, at)
    at.table.look(at.table.now.eye.READING)
    page.wait_for_selector(".e-reading")
    assert page.evaluate("document.getAnimations().length") == 0


def test_dims_when_nobody_plays_and_wakes_with_the_dice(visit: Open, at: Shown) -> None:
    page = visit("/")
    at.start()
    settled(page, at)
    page.evaluate("dimAfter(50)")
    page.wait_for_selector("body.dim")
    page.evaluate("dimMs = 60_000")
    at.throw(1, 4, 5)
    page.wait_for_selector("body:not(.dim)")


def test_on_a_phone_held_upright(visit: Open, at: Shown, shoot: Shoot) -> None:
    page = visit("/", PHONE)
    for moment in ("eight", "sachsenkniffel", "unsure"):
        MOMENTS[moment](at)
        settled(page, at)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        shoot(page, f"whole_board_phone_{moment}")


def test_without_script_it_is_still_a_board(visit: Open, at: Shown, shoot: Shoot) -> None:
    MOMENTS["two"](at)
    page = visit("/", java_script_enabled=False)
    assert page.locator(".player .number").all_inner_texts() == ["5", "6"]
    assert page.locator(".tally line").count() > 10
    assert page.locator("noscript").inner_text()
    page.goto(f"{at.address}/play")
    assert page.locator("h1.headline").inner_text() == "Jef gooit"
    assert [one for one in page.locator("button").all() if one.is_visible()] == []
    shoot(page, "whole_play_without_script")


def test_the_camera_pictures_stand_beside_the_faces(visit: Open, at: Shown) -> None:
    page = visit("/")
    at.start()
    at.throw(1, 4, 5)
    loaded = "[...document.querySelectorAll('.seen img')].filter((one) => one.complete && one.naturalWidth > 50)"
    until(page, f"{loaded}.length === 3")


def test_an_idle_screen_invites_nobody_any_more_once_there_is_a_pin(visit: Open) -> None:
    screen = visit("/", came_in=False)
    invited = screen.get_by_role("link", name="Eerste keer")
    invited.wait_for()
    phone = visit("/device/pin", PHONE, came_in=False)
    for field in ("#pin", "#again"):
        phone.locator(field).fill("2741")
    phone.locator("button.main").click()
    phone.wait_for_url("**/device")
    invited.wait_for(state="detached")
