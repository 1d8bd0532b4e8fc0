"""The owner's pages and the disputed throw in a real browser: seen, set, tried out, measured by eight taps, kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from a_browser import DESKTOP, PHONE, Open, Shoot, soon, until
from a_device import PIN, Standing, standing
from test_for_everybody import axe, opened, serious  # noqa: F401  # axe is a fixture

from device import sight
from tests.waiting import PATIENCE_S, waited
from vision.board import Board

DARK = "[...document.querySelectorAll('img.live')].some((one) => one.complete && one.naturalWidth > 400)"

NOTES_LIT = """() => {
  const lit = document.getElementById("lit");
  window.wasLit = [];
  new MutationObserver(() => window.wasLit.push(lit.textContent)).observe(lit, { childList: true });
}"""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    """One for the whole file: its eye takes some seconds to see the throw, and beside a browser to see anything."""
    with pytest.MonkeyPatch.context() as patch, standing(tmp_path_factory.mktemp("state")) as made:
        patch.setattr(sight, "STALE_S", PATIENCE_S)
        yield made


@pytest.fixture
def owner(visit: Open, at: Standing) -> Open:
    """Opens pages in a browser whose owner entered the PIN."""

    def opened(path: str, size: tuple[int, int] = DESKTOP, **more: Any) -> Any:
        page = visit("/device/pin", size, came_in=False, **more)
        page.get_by_label("Pincode").fill(PIN)
        page.get_by_role("button", name="Open").click()
        page.wait_for_url("**/device")
        page.goto(f"{at.address}{path}", wait_until="load")
        return page

    return opened


def fits(page: Any) -> bool:
    page.wait_for_load_state("load")  # a page is wider before its style sheet is there
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize(("size", "name"), [(DESKTOP, "desk"), (PHONE, "phone")])
def test_the_page_of_the_device(owner: Open, at: Standing, shoot: Shoot, size: tuple[int, int], name: str) -> None:
    page = owner("/device", size)
    until(page, DARK)
    until(page, "document.getElementById('seen').textContent.includes('bak gevonden')")
    first = page.locator("#live").get_attribute("src")
    until(page, f"document.getElementById('live').src.split('/').pop() !== '{str(first).rpartition('/')[2]}'")
    assert page.locator("dt", has_text="Temperatuur").locator("xpath=following-sibling::dd").inner_text() == "54,2 °C"
    assert "de kabel is eruit" in page.locator(".lately").inner_text()
    assert fits(page)
    shoot(page, f"whole_owner_{name}")


def test_the_picture_is_fetched_only_while_it_is_looked_at(owner: Open) -> None:
    page = owner("/device", PHONE)
    until(page, DARK)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    def is_fetched() -> bool:
        return any("camera.jpg" in url for url in asked)

    def is_quiet() -> bool:
        asked.clear()
        page.wait_for_timeout(1200)
        return not is_fetched()

    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert waited(is_quiet)
    page.evaluate("scrollTo(0, 0)")
    assert soon(page, is_fetched)


def test_sound_lamps_and_language_hold_at_once(owner: Open, at: Standing, shoot: Shoot) -> None:
    page = owner("/device")
    page.locator("select[name=kind]").select_option("tones")
    page.locator("#told:not([hidden])").wait_for()
    page.get_by_label("Volume (%)").fill("25")
    sound = at.upkeep.sound
    assert sound is not None
    assert soon(page, lambda: (sound.kind, sound.volume) == ("tones", 25))
    page.get_by_role("button", name="Laat horen").click()
    page.get_by_text("Hoor je het?").first.wait_for()
    assert at.speaker.played
    page.get_by_role("button", name="Rij 2").click()
    page.locator("#lit", has_text="Nu hoort rij 2").wait_for()
    shoot(page, "whole_owner_lamps")
    assert soon(page, lambda: at.lights.tried == 1)
    page.evaluate("ROW_MS")  # the page's own script is there
    page.evaluate(NOTES_LIT)
    page.get_by_role("button", name="Alle rijen om de beurt").click()
    until(page, "window.wasLit.some((told) => told.includes('Nu hoort rij 1 (Ann)'))")
    page.get_by_role("button", name="Terug naar het spel").click()
    page.locator("#lit", has_text="Kies een rij").wait_for()
    page.get_by_label("Taal van bord").select_option("en")
    page.locator("#language").get_by_role("button", name="Bewaar").click()
    page.get_by_text("Kept.").first.wait_for()
    assert at.upkeep.tongue.language == "en"
    at.upkeep.speak("nl", "")


def test_without_script_it_is_a_still_and_forms(owner: Open, shoot: Shoot) -> None:
    page = owner("/device", PHONE, java_script_enabled=False)
    assert page.get_by_role("link", name="Nieuw beeld").is_visible()
    page.locator("select[name=kind]").select_option("speech")
    page.locator("#sound").get_by_role("button", name="Bewaar").click()
    assert "Bewaard." in page.locator("#told").inner_text()
    page.get_by_role("button", name="Rij 1").click()
    assert "Nu hoort rij 1 (Ann)" in page.locator("#lit").inner_text()
    assert fits(page)
    assert not page.locator("#each").is_visible()
    shoot(page, "whole_owner_without_script")


def test_the_pin_is_changed_with_the_old_one(owner: Open, at: Standing) -> None:
    page = owner("/device")
    form = page.locator("#pin form").first
    for old, told in (("0000", "Dat is de pincode niet."), (PIN, "Bewaard.")):
        form.get_by_label("Huidige").fill(old)
        form.get_by_label("Nieuwe").fill(PIN)
        form.get_by_label("Nog eens").fill(PIN)
        form.get_by_role("button", name="Bewaar").click()
        page.get_by_text(told).first.wait_for()
    assert at.door.pin.fits(PIN)


def corners(at: Standing) -> list[tuple[float, float]]:
    glance = at.upkeep.sight.now()
    assert glance is not None
    assert glance.board is not None
    return list(glance.board.felt)


def test_the_board_by_eight_taps(owner: Open, at: Standing, shoot: Shoot) -> None:
    where = corners(at)
    page = owner("/device", PHONE, has_touch=True)
    page.get_by_role("link", name="Bak instellen").click()
    shoot(page, "whole_board_phone")
    page.get_by_role("link", name="Hoeken aantikken").click()
    picture = page.locator("#picture")
    picture.locator("img").wait_for()
    until(page, "document.querySelector('#picture img').complete")
    box = picture.bounding_box()
    tapped = [(x * box["width"] / 960, y * box["height"] / 720) for x, y in where]
    for x, y in [*tapped[::2], (5, 5)]:
        picture.tap(position={"x": x, "y": y})
    page.get_by_role("button", name="Laatste terug").click()
    assert page.locator("#count").inner_text() == "4 van 8 hoeken"
    page.evaluate("window.scrollTo(0, 0)")
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 140, box["y"] + 120)
    assert page.locator(".loupe").is_visible()
    shoot(page, "phone_corners")
    page.mouse.up()
    page.get_by_role("button", name="Laatste terug").click()
    picture.focus()
    far = page.evaluate("STEP * 3")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    assert page.evaluate("points.at(-1)") == [480 + 2 * far, 359]
    page.keyboard.press("Backspace")
    for x, y in tapped[1::2]:
        picture.tap(position={"x": x, "y": y})
    assert page.locator("#count").inner_text() == "8 van 8 hoeken"
    page.get_by_label("Ribbe van een steen").fill("16")
    page.get_by_role("button", name="Zoek de bak").click()
    page.get_by_text("Klopt dit?").wait_for()
    until(page, DARK)
    assert fits(page)
    shoot(page, "whole_proposal_phone")
    page.get_by_role("button", name="Klopt niet").click()
    page.wait_for_url(re.compile("hand"))
    page.get_by_label("Of als getallen").fill(" ".join(f"{x:.0f},{y:.0f}" for x, y in where))
    page.get_by_role("button", name="Zoek de bak").click()
    page.get_by_role("button", name="Klopt: bewaar").click()
    page.get_by_text("De bak is ingesteld").first.wait_for()
    assert Board.load(at.folder / "board.toml").scale.value == "told"


def test_the_board_by_itself(owner: Open, at: Standing, shoot: Shoot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.web.calibrating.PICTURES", 1)
    page = owner("/device/board")
    until(page, DARK)
    shoot(page, "board_setup_desk")
    page.get_by_label("Ribbe van een steen").fill("3")
    page.get_by_role("button", name="Zoek de bak").click()
    page.get_by_role("alert").get_by_text("8 tot 30 mm").wait_for()
    page.get_by_label("Ribbe van een steen").fill("16")
    page.get_by_role("button", name="Zoek de bak").click()
    page.get_by_text("Klopt dit?").wait_for()
    until(page, DARK)
    assert "2, 4, 6" in ", ".join(sorted(page.locator("dd").nth(2).inner_text().split(", ")))
    shoot(page, "proposal_desk")


@pytest.mark.parametrize(("size", "name"), [(DESKTOP, "desk"), (PHONE, "phone")])
def test_a_throw_is_looked_at_again(visit: Open, at: Standing, shoot: Shoot, size: tuple[int, int], name: str) -> None:
    page = visit("/again", size)
    page.get_by_text("worp 1 van Ann").wait_for()
    shoot(page, f"again_{name}")
    page.get_by_text("worp 1 van Ann").click()
    page.locator("#player:not([hidden])").wait_for()
    until(page, "document.querySelector('.shown img').naturalWidth > 400")
    assert "stil: hier werd gelezen" in page.locator("#moment").inner_text()
    assert page.locator("#player polygon").count() == 3
    assert fits(page)
    shoot(page, f"whole_again_one_{name}")
    page.get_by_role("button", name="Eén beeld terug").click()
    assert "de worp" in page.locator("#moment").inner_text()
    assert not page.locator("#player svg").is_visible(), "what was read is drawn only where it was read"
    page.get_by_role("button", name="Traag").click()
    page.get_by_role("button", name="Speel af").click()
    until(page, "at > 0 && at < 8")
    page.get_by_role("button", name="Pauze").click()
    place = page.evaluate("at")
    page.wait_for_timeout(300)
    assert page.evaluate("at") == place
    page.get_by_role("link", name="Verbeter deze worp").click()
    page.locator("dialog[open]").wait_for()
    assert "worp 1" in page.locator("dialog h2").inner_text()
    page.locator("dialog").get_by_role("link", name="Toon nog eens").click()
    page.wait_for_url(re.compile("/again/"))


def test_without_script_a_throw_is_a_strip_of_stills(visit: Open, shoot: Shoot) -> None:
    page = visit("/again", PHONE, java_script_enabled=False)
    page.get_by_text("worp 1 van Ann").click()
    page.wait_for_url("**/again/1", wait_until="load")
    assert page.locator(".strip img").count() > 8
    assert not page.locator("#player").is_visible()
    assert fits(page)
    shoot(page, "whole_again_without_script")


def test_a_throw_is_kept_taken_along_and_deleted(owner: Open, at: Standing, shoot: Shoot) -> None:
    page = owner("/again/1")
    page.get_by_role("button", name="Bewaar deze worp").click()
    page.wait_for_url(re.compile("/device/throws"))
    shoot(page, "kept_desk")
    assert len(list((at.folder / "throws").iterdir())) == 1
    with page.expect_download() as taken:
        page.get_by_role("link", name="Ophalen").click()
    assert Path(taken.value.path()).stat().st_size > 10_000
    page.get_by_text("Wissen", exact=True).click()
    page.get_by_role("button", name="Ja, voorgoed wissen").click()
    page.get_by_text("Er is geen worp bewaard.").wait_for()
    assert list((at.folder / "throws").iterdir()) == []


def test_the_restart_says_what_comes(owner: Open, at: Standing, monkeypatch: pytest.MonkeyPatch, shoot: Shoot) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(type(at.upkeep), "end", lambda self: ended.append(True))
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere")
    page = owner("/device", PHONE)
    page.get_by_text("Herstarten").click()
    assert ended == [], "it is asked first"
    page.get_by_role("button", name="Ja, herstart").click()
    page.get_by_text("Het toestel herstart").wait_for()
    assert soon(page, lambda: ended == [True])
    shoot(page, "restart_phone")


def test_axe_finds_nothing_serious(owner: Open, at: Standing, axe: str) -> None:  # noqa: F811
    at.upkeep.speak("nl", "")
    page, found = owner("/again/1"), {}
    page.get_by_role("button", name="Bewaar deze worp").click()
    page.wait_for_url(re.compile("/device/throws"))
    for path in ("/device/throws", "/device", "/device/board", "/device/board/hand", "/again", "/again/1"):
        page.goto(f"{at.address}{path}", wait_until="load")
        opened(page)
        found[path] = serious(page, axe)
    assert {path: told for path, told in found.items() if told} == {}


def test_who_has_only_the_code_gets_no_further(visit: Open) -> None:
    page = visit("/device", PHONE)
    page.get_by_label("Pincode").wait_for()
    assert page.locator("#live").count() == 0
