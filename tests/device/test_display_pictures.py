"""What a small screen shows: golden pictures, looked at when they were made, and what must hold for every picture."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageChops

from device.access_point import AccessPoint
from device.buttons.menu import Shown
from device.config import LANGUAGES
from device.displays.ink import COLOUR, OLED, SQUARE, WIDE, Canvas, Format
from device.displays.letters import fitted, width, wrapped, write
from device.displays.marks import DICE, PIPS, die, strokes
from device.displays.screen import Around, paint, sleeping
from device.displays.sheet import FORMATS, pictures, place
from device.displays.states import NAMES, PHONE, STATES, begin, throw
from device.journal import MemoryJournal
from device.snapshot import Snapshot
from device.table import Table
from device.texts import sentences
from device.wording import wording
from scorer.game import Cell, PlayerView, Prompt, View
from scorer.session import Session

GOLDEN = Path(__file__).parents[1] / "data" / "displays"
DUTCH = wording("nl")


def shown(name: str, form: Format, language: str = "nl") -> Image.Image:
    now, around = STATES[name].shows(wording(language))
    return paint(now, wording(language), form, around)


def dots(picture: Image.Image) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray(picture.convert("L")) > 128


class TestGolden:
    @pytest.mark.parametrize("kind", FORMATS)
    def test_every_state_looks_as_it_did_when_it_was_looked_at(self, kind: str) -> None:
        form = FORMATS[kind]
        kept = Image.open(GOLDEN / f"nl-{kind}.png")
        different = []
        for n, (name, picture) in enumerate(pictures(form, DUTCH)):
            x, y = place(form, n)
            was = kept.crop((x, y, x + form.width, y + form.height))
            if ImageChops.difference(was.convert("RGB"), picture.convert("RGB")).getbbox() is not None:
                different.append(name)
        assert different == [], "look at them (python -m device.displays.sheet), then write the plain sheets anew"

    def test_states_differ(self) -> None:
        drawn = [picture.tobytes() for _, picture in pictures(OLED, DUTCH)]
        assert len(set(drawn)) == len(drawn)


class TestEveryPicture:
    @pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "nl"])
    def test_no_language_stumbles(self, language: str) -> None:
        for _, picture in pictures(OLED, wording(language)):
            assert picture.size == (128, 64)
            assert picture.mode == "1"

    def test_strokes_are_countable_up_to_nine_and_beyond_the_figure_tells(self) -> None:
        for marks in (0, 1, 3, 4, 9):
            canvas = Canvas(OLED)
            strokes(canvas, 0, 0, (60, 9), marks, 0, 1)
            row = dots(canvas.picture)[4].astype(int)
            assert int((np.diff(np.concatenate([[0], row])) == 1).sum()) == marks

    def test_wiped_strokes_are_seen_behind_those_that_stand(self) -> None:
        canvas = Canvas(OLED)
        strokes(canvas, 0, 0, (60, 9), 2, -3, 1)
        seen = dots(canvas.picture)[:9]
        columns = seen.sum(axis=0)
        assert (columns == 9).sum() == 4  # two strokes, two dots broad
        assert (columns == 3).sum() == 6

    def test_more_strokes_than_room_stay_in_their_room(self) -> None:
        canvas = Canvas(OLED)
        strokes(canvas, 10, 0, (40, 9), 90, 0, 1)
        assert not dots(canvas.picture)[:, 50:].any()

    @pytest.mark.parametrize(("edge", "face"), list(product(DICE, PIPS)))
    def test_a_die_shows_its_pips_apart(self, edge: int, face: int) -> None:
        canvas = Canvas(OLED)
        die(canvas, 2, 2, edge, face)
        inside = ~dots(canvas.picture)[3 : 1 + edge, 3 : 1 + edge]
        count, _, stats, _ = cv2.connectedComponentsWithStats(inside.astype(np.uint8), connectivity=8)
        assert count - 1 == face
        assert len({int(area) for area in stats[1:, cv2.CC_STAT_AREA]}) == 1

    @pytest.mark.parametrize("form", list(FORMATS.values()))
    def test_the_code_for_phones_can_be_scanned(self, form: Format) -> None:
        picture = np.asarray(shown("welcome", form).convert("L"))
        large = cv2.resize(picture, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
        text, _, _ = cv2.QRCodeDetector().detectAndDecode(large)
        assert text == (PHONE if form.height > 100 else PHONE.partition("?")[0])

    @pytest.mark.parametrize("form", list(FORMATS.values()))
    def test_the_own_wifi_can_be_joined_from_it(self, form: Format) -> None:
        now, around = STATES["welcome"].shows(DUTCH)
        wifi = AccessPoint("Pietjesoog", "bak7oog2ab", "10.42.0.1").wifi
        picture = dots(paint(now, DUTCH, form, replace(around, phone=wifi))).astype(np.uint8) * 255
        large = cv2.resize(picture, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
        assert cv2.QRCodeDetector().detectAndDecode(large)[0] == wifi

    def test_inks_are_readable_on_the_ground_and_the_ground_on_them(self) -> None:
        for ink in (COLOUR.text, COLOUR.quiet, COLOUR.strong, COLOUR.warning, *COLOUR.players):
            assert contrast(ink, COLOUR.ground) >= 4.5, ink
        assert len(set(COLOUR.players)) == len(NAMES)

    def test_whose_turn_it_is_shows_without_colour(self) -> None:
        ann, bob = (paint(_game(first), DUTCH, OLED) for first in ("Ann", "Bob"))
        rows = [dots(picture)[11:45, :44].sum(axis=1) for picture in (ann, bob)]
        assert rows[0][:17].max() > 35 > rows[0][17:].max()  # a lit bar behind the first name
        assert rows[1][17:].max() > 35 > rows[1][:17].max()

    def test_a_game_that_nobody_knows_here_shows_players_and_strokes(self) -> None:
        players = tuple(PlayerView(name, 4, 4, to_throw=n == 0) for n, name in enumerate(NAMES[:3]))
        view = View("pietjesbak", "turn", players, Prompt("throw", {"player": "Ann"}), board=(Cell("strange", 3),))

        class Sixth(Session):
            @property
            def view(self) -> View:
                return view

        picture = paint(Snapshot(1, Sixth()), DUTCH, OLED)
        assert dots(picture)[11:45].sum() > 200

    def test_a_menu_shows_the_chosen_line_wherever_it_is(self) -> None:
        now = STATES["menu"].shows(DUTCH)[0]
        lines = tuple(f"regel {n}" for n in range(12))
        for chosen in range(12):
            picture = paint(now, DUTCH, OLED, Around(Shown("Menu", lines, chosen, "kort: verder")))
            lit = dots(picture)[12:54].sum(axis=1)
            assert int((lit > 60).sum()) >= 5, chosen  # one bar, across

    def test_the_eye_that_is_left_wanders(self) -> None:
        places = {sleeping(OLED, step).getbbox() for step in range(20)}
        assert len(places) == 20
        for form in (SQUARE, WIDE):
            lit = np.asarray(sleeping(form, 5).convert("L")) > 60
            assert 0 < lit.mean() < 0.01


class TestLetters:
    def test_every_letter_of_every_text_for_screens_is_drawn(self) -> None:
        canvas = Canvas(OLED)
        write(canvas, 0, 0, "\N{CYRILLIC SMALL LETTER ZHE}", 1)
        box = canvas.picture.tobytes()
        shown: tuple[str, ...] = (
            "display",
            "prompt",
            "detail",
            "why",
            "role",
            "doubt",
            "eye",
            "trouble",
            "refused",
            "class",
            "menu",
        )
        shown += ("game", "cell", "fault", "figure")
        wanted = {
            char
            for language in LANGUAGES
            for key, text in sentences(language).items()
            if key.partition(".")[0] in shown
            for char in text
        }
        assert len(wanted) > 80
        boxes = []
        for char in sorted(wanted):
            canvas = Canvas(OLED)
            write(canvas, 0, 0, char, 1)
            if canvas.picture.tobytes() == box:
                boxes.append(char)
        assert boxes == []

    @pytest.mark.parametrize("name", ["Zoë", "Élodie", "François", "Łukasz", "Çağrı", "Dvořák", "Großmann", "Ærø"])
    def test_names_with_marks_differ_from_those_without(self, name: str) -> None:
        plain = name.encode("ascii", "ignore").decode()
        drawn = []
        for text in (name, plain):
            canvas = Canvas(OLED)
            write(canvas, 0, 10, text, 1)
            drawn.append(dots(canvas.picture).sum())
        assert drawn[0] > drawn[1]

    def test_letters_stay_apart(self) -> None:
        for pair in ("ij", "il", "mw", "AV", "11", "ïï"):
            first = Canvas(OLED)
            write(first, 0, 10, pair[0], 1)
            end = width(pair[0])
            assert not dots(first.picture)[:, end:].any(), pair
            both = Canvas(OLED)
            write(both, 0, 10, pair, 1)
            assert not dots(both.picture)[:, end].any(), pair

    def test_what_is_too_long_is_shortened_and_broken_between_words(self) -> None:
        for most in range(0, 80, 7):
            assert width(fitted("Guillaume van den Broeck", most)) <= most
        assert wrapped("", 50, 3) == []
        lines = wrapped("drie apen met alle streepjes: Guillaume verliest", 80, 3)
        assert len(lines) == 3
        assert all(width(line) <= 80 for line in lines)
        assert wrapped("Donaudampfschifffahrtsgesellschaft ja", 40, 2)[0].endswith("…")

    def test_what_no_screen_can_show_is_left_out(self) -> None:
        assert width("a\u200b\u202eb\n") == width("ab")


def contrast(one: object, other: object) -> float:
    """The contrast of two inks as the web's accessibility rules count it, 1 to 21."""

    def light(ink: object) -> float:
        assert isinstance(ink, tuple)
        parts: list[float] = [int(value) / 255 for value in ink]
        linear: list[float] = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _game(first: str) -> Snapshot:
    table = Table(MemoryJournal())
    table.say({**begin("pietjesbak", 2), "opener": first})
    table.say(throw(1, 2, 3))
    return replace(table.now)
