"""The remote in a real browser the size of a phone: from the door to the next game."""

from __future__ import annotations

from typing import Any

from a_browser import PHONE, Open, Shoot, settled, until
from a_table import CODE, MOMENTS, Shown


def to_throw(at: Shown) -> object:
    return at.table.now.session.state.get("to_throw")


def booked(page: Any, at: Shown, seq: int) -> None:
    """Wait until something came after `seq`, and the page shows it."""
    until(page, f"seq > {seq}")
    settled(page, at)


def press(page: Any, at: Shown, what: str) -> None:
    """Tap a button by its words and wait for what it does."""
    seq = at.table.now.seq
    page.get_by_role("button", name=what, exact=True).click()
    booked(page, at, seq)


def undo(page: Any, at: Shown, what: str = "") -> None:
    """Take back what the button says that it takes back."""
    press(page, at, f"Neem terug: {what}")


def test_from_the_door_to_the_first_stroke(visit: Open, at: Shown, shoot: Shoot) -> None:
    page = visit("/play", PHONE, came_in=False, has_touch=True)
    page.get_by_label("Tafelcode").fill("111111")
    page.get_by_role("button", name="Meespelen").click()
    assert "Die code is het niet" in page.get_by_role("alert").inner_text()
    shoot(page, "phone_wrong_code")
    page.get_by_label("Tafelcode").fill(f"{CODE[:3]} {CODE[3:]}")
    page.get_by_role("button", name="Meespelen").click()
    page.get_by_label("Naam").fill("Ann")
    page.get_by_role("button", name="Dat ben ik").click()
    page.get_by_text("Deze gsm: Ann").wait_for()
    page.get_by_role("link", name="Nieuw spel").first.click()
    for name in ("Bob", "Cas"):
        page.get_by_label("Naam").fill(name)
        page.get_by_label("Naam").press("Enter")
    page.get_by_role("button", name="Cas omhoog").click()
    assert "Cas is nu speler 2" in page.locator("#moved").inner_text()
    handle, first = page.get_by_label("Bob verslepen").bounding_box(), page.locator("#order li").first.bounding_box()
    page.mouse.move(handle["x"] + 10, handle["y"] + 10)
    page.mouse.down()
    page.mouse.move(first["x"] + 20, first["y"] + 5, steps=6)
    page.mouse.up()
    assert page.eval_on_selector_all("#order li", "all => all.map((one) => one.dataset.name)") == ["Bob", "Ann", "Cas"]
    page.get_by_label("Vlaams").check()
    until(page, "JSON.parse(document.querySelector('[data-option=counting]').value) === 'best'")
    page.get_by_text("Wat je vooraf afspreekt").click()
    page.locator("#o-strokes").fill("7")
    page.get_by_text("Het spel staat al in krijt").click()
    page.get_by_label("Cas – streepjes").fill("3")
    page.locator("select[name=opener]").select_option("Bob")
    shoot(page, "whole_phone_new_game")
    page.get_by_role("button", name="Begin", exact=True).click()
    until(page, "location.pathname === '/play'")
    options = at.table.now.session.options
    assert (options["strokes"], options["counting"], to_throw(at)) == (7, "best", "Bob")
    assert [(p.name, p.number) for p in at.table.now.view.players] == [("Bob", 7), ("Ann", 7), ("Cas", 3)]
    by_hand(page, at, [1, 4, 5])
    shoot(page, "whole_phone_playing")
    press(page, at, "Stop – volgende speler")
    assert to_throw(at) == "Ann"


def by_hand(page: Any, at: Shown, dice: list[int]) -> None:
    """Tell a throw with the builder."""
    seq = at.table.now.seq
    page.locator("[data-key=by_hand]").wait_for(state="attached")
    page.evaluate("document.querySelector('[data-key=by_hand]').open = true")
    builder = page.locator("[data-key=by_hand] .builder")
    for face in dice:
        builder.locator(f".faces button[aria-label='{face}']").click()
    builder.get_by_role("button", name="Boek deze worp").click()
    booked(page, at, seq)


def test_any_die_of_any_throw_in_two_taps(visit: Open, at: Shown, shoot: Shoot) -> None:
    page = visit("/play", PHONE)
    at.start(players=["Ann", "Bob", "Cas"])
    at.throw(1, 4, 5)
    at.say(do="stop")
    at.throw(2, 3, 6)
    settled(page, at)
    heights = page.eval_on_selector_all(".thrown", "all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(heights) < 80, "a throw stands on one line"
    seq = at.table.now.seq
    page.get_by_label("worp 1: 4").click()
    shoot(page, "phone_which_face")
    page.locator("dialog .guess button").click()
    booked(page, at, seq)
    assert at.table.now.session.state["best"]["dice"] == [1, 5, 5]  # type: ignore[index]
    assert not page.locator("dialog").is_visible()
    seq = at.table.now.seq
    page.get_by_label("worp 2: 6").click()
    page.get_by_role("button", name="Lag buiten").click()
    booked(page, at, seq)
    assert [p.number for p in at.table.now.view.players] == [9, 10, 9]
    assert "verbeterd: Bob +1" in page.locator(".now").inner_text()
    undo(page, at, "verbetering van worp 2")
    undo(page, at, "verbetering van worp 1")
    assert at.table.now.session.state["best"]["dice"] == [1, 4, 5]  # type: ignore[index]
    page.get_by_label("worp 1: 5").click()
    assert page.get_by_role("button", name="Lag buiten").is_disabled()
    assert "herstel eerst verder terug" in page.locator("dialog .why").inner_text()
    page.keyboard.press("Escape")
    seq = at.table.now.seq
    page.get_by_label("worp 2: meer").click()
    page.get_by_role("button", name="Was van Ann").click()
    booked(page, at, seq)
    assert to_throw(at) == "Ann"


def test_a_question_is_answered_with_one_tap(visit: Open, at: Shown, shoot: Shoot) -> None:
    page = visit("/play", PHONE)
    MOMENTS["whose"](at)
    page.get_by_role("button", name="Het was Bob").wait_for()
    shoot(page, "phone_whose")
    press(page, at, "Het was Bob")
    assert at.table.now.session.state["last"]["player"] == "Bob"  # type: ignore[index]


def test_a_doubt_is_settled_with_the_missing_die(visit: Open, at: Shown, shoot: Shoot) -> None:
    page = visit("/play", PHONE)
    at.start()
    at.table.saw_unsure(["cocked"], (2, None, 3))
    builder = page.locator(".answer .builder")
    builder.get_by_role("button", name="Boek deze worp").wait_for()
    assert builder.get_by_role("button", name="Boek deze worp").is_disabled()
    shoot(page, "phone_doubt")
    seq = at.table.now.seq
    builder.locator(".faces button[aria-label='2']").click()
    builder.get_by_role("button", name="Boek deze worp").click()
    booked(page, at, seq)
    assert at.table.now.session.state["last"]["class"] == "seven"  # type: ignore[index]


def test_what_is_refused_says_why_and_what_is_not_allowed_is_not_there(visit: Open, at: Shown) -> None:
    page = visit("/play", PHONE)
    at.start()
    settled(page, at)
    assert page.get_by_role("button", name="Stop – volgende speler").is_disabled()
    assert page.get_by_text("Eerst gooien, dan stoppen.").is_visible()
    at.throw(1, 4, 5)
    settled(page, at)
    stop = page.get_by_role("button", name="Stop – volgende speler")
    stop.evaluate("one => { seq = 0; one.click(); }")  # as if a throw had just come in between
    page.get_by_text("Het bord was al verder – kijk nog eens.").wait_for()
    assert to_throw(at) == "Ann"


def test_two_phones_and_who_may_press(visit: Open, at: Shown) -> None:
    ann, bob = visit("/play", PHONE), visit("/play", PHONE)
    at.start()
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        settled(page, at)
        page.locator(f"[data-me='{name}']").click()
        page.get_by_text(f"Deze gsm: {name}").wait_for()
    at.throw(1, 4, 5)
    settled(bob, at)
    bob.get_by_text("Ann heeft hier zelf een gsm.").wait_for()
    assert bob.get_by_role("button", name="Stop – volgende speler").is_disabled()
    settled(ann, at)
    press(ann, at, "Stop – volgende speler")
    settled(bob, at)
    assert bob.locator("h1").inner_text() == "Bob gooit"


def test_seats_leaving_pausing_and_the_end(visit: Open, at: Shown, shoot: Shoot) -> None:
    page = visit("/play", PHONE)
    at.start(players=["Ann", "Bob", "Cas"])
    settled(page, at)
    page.get_by_text("Aan tafel").click()
    page.get_by_label("Waar zit Bob?").click()
    page.get_by_label("links", exact=True).wait_for()
    shoot(page, "phone_seat")
    seq = at.table.now.seq
    page.get_by_label("links", exact=True).click()
    booked(page, at, seq)
    assert {p.name: p.seat for p in at.table.now.view.players}["Bob"] == 180
    page.get_by_label("Ann: één eraf").wait_for()
    press(page, at, "Ann: één eraf")
    assert at.table.now.view.players[0].number == 8
    page.get_by_label("Cas stopt").click()
    seq = at.table.now.seq
    page.get_by_role("button", name="Ja", exact=True).click()
    booked(page, at, seq)
    assert "left" in at.table.now.view.players[2].roles
    press(page, at, "Pauze")
    press(page, at, "Verder")
    page.get_by_role("button", name="Hier stoppen").click()
    seq = at.table.now.seq
    page.get_by_role("button", name="Ja", exact=True).click()
    booked(page, at, seq)
    press(page, at, "Volgend spel")
    assert [p.name for p in at.table.now.view.players] == ["Ann", "Bob"]


def test_what_is_typed_stays_while_others_play(visit: Open, at: Shown) -> None:
    page = visit("/play", PHONE)
    at.start()
    settled(page, at)
    field = page.locator("form[data-form=me] input")
    field.fill("Godelie")
    at.throw(1, 4, 5)
    settled(page, at)
    assert field.input_value() == "Godelie"
    assert page.evaluate("document.activeElement.name") == "player"
    builder = page.locator("[data-key=by_hand]")
    builder.locator("summary").click()
    at.table.look(at.table.now.eye.HAND)
    page.locator(".e-hand").wait_for()
    assert builder.get_attribute("open") is not None


def test_the_other_games_by_hand(visit: Open, at: Shown, shoot: Shoot) -> None:
    page = visit("/play", PHONE)
    at.start("bataclan")
    at.by_hand("G", 2, 3, 4, 5, 6, 2, 2, 2, 2, 2, 2, 2, 2)
    settled(page, at)
    pile = page.locator("[data-do=place]")
    pile.get_by_label("G").click()
    pile.get_by_label("2").first.click()
    shoot(page, "phone_pile")
    seq = at.table.now.seq
    pile.get_by_role("button", name="Boek deze worp").click()
    booked(page, at, seq)
    assert at.table.now.session.state["pile"] == 2
    at.start("sachsenkniffel")
    at.throw(1, 1, 2, 5, 5, 6)
    settled(page, at)
    press(page, at, "Kies 1")
    assert at.table.now.session.state["number"] == 1
    at.start("azen", count=8, orderer="Bob", taster="Bob")
    at.throw(1, 4, 5)
    settled(page, at)
    press(page, at, "Glas leeg")
    assert at.table.now.session.state["payer"] == "Bob"


def test_a_phone_that_slept_shows_the_truth(visit: Open, at: Shown) -> None:
    page = visit("/play", PHONE)
    at.start()
    settled(page, at)
    page.context.set_offline(True)
    page.evaluate("look()")
    page.locator(".offline:not([hidden])").wait_for()
    at.throw(1, 4, 5)
    at.say(do="stop")
    page.context.set_offline(False)
    page.locator(".offline[hidden]").wait_for(state="attached")
    settled(page, at)
    assert page.locator("h1").inner_text() == "Bob gooit"


def test_by_keyboard_alone(visit: Open, at: Shown) -> None:
    page = visit("/play")
    at.start()
    at.throw(1, 4, 5)
    settled(page, at)
    stop = page.get_by_role("button", name="Stop – volgende speler")
    for _ in range(30):
        page.keyboard.press("Tab")
        if stop.evaluate("one => one === document.activeElement"):
            break
    seq = at.table.now.seq
    page.keyboard.press("Enter")
    booked(page, at, seq)
    assert to_throw(at) == "Bob"


def test_a_new_code_shows_the_door(visit: Open, at: Shown) -> None:
    page = visit("/play", PHONE)
    at.start()
    settled(page, at)
    codes = iter([111111])
    at.door._draw = lambda below: next(codes)
    at.door.renew()
    at.throw(1, 4, 5)
    page.get_by_label("Tafelcode").wait_for()
