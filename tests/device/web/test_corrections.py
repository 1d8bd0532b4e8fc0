"""Any die of any throw in two taps: what the sheet offers, tried against the rules."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from at_the_door import START, browser, came_in, post
from starlette.testclient import TestClient

from device.cutouts import Cutouts
from device.journal import MemoryJournal
from device.table import Table
from device.web.app import Web
from device.web.corrections import Choice, Sheet, sheet
from device.web.door import Door
from device.wording import wording
from vision.frame import Frame
from vision.reading import BoardReading, DieReading

NL = wording("nl")
BOX = (10.0, 10.0, 40.0, 40.0)
CORNERS = ((10.0, 10.0), (40.0, 10.0), (40.0, 40.0), (10.0, 40.0))


def opened(table: Table, number: int, at: int | None = None, cutouts: Cutouts | None = None) -> Sheet:
    found = sheet(table.now, number, at, NL, cutouts)
    assert found is not None
    return found


def used(table: Table) -> int:
    return table.now.view.throws_used


def labels(choices: tuple[Choice, ...]) -> list[str]:
    return [choice.label for choice in choices]


@pytest.fixture
def table() -> Table:
    made = Table(MemoryJournal())
    made.say(START)
    made.saw_throw((1, 4, 5))
    return made


class TestADie:
    def test_six_faces_the_booked_one_marked(self, table: Table) -> None:
        found = opened(table, 1, 1)
        assert [(choice.face, choice.is_now, bool(choice.why)) for choice in found.faces] == [
            (face, face == 4, False) for face in range(1, 7)
        ]

    def test_every_choice_does_what_it_says(self, table: Table) -> None:
        for choice in opened(table, 1, 1).faces:
            if not choice.is_now:
                table.say(choice.event)
                assert table.now.view.dice == (1, choice.face, 5)
                table.say({"do": "undo"})

    def test_outside_on_the_rim_or_missing(self, table: Table) -> None:
        outside, rim, missing = opened(table, 1, 0).places
        for choice, shown in ((outside, ((4, 5), 1, 0)), (rim, ((4, 5), 0, 1))):
            table.say(choice.event)
            assert (table.now.view.dice, table.now.view.outside, table.now.view.rim) == shown
            table.say({"do": "undo"})
        assert missing.event == {"do": "correct", "throw": 1, "void": True}

    def test_a_die_outside_was_on_the_felt_after_all(self, table: Table) -> None:
        table.saw_throw((2, 3), outside=1)
        found = opened(table, 2, 2)
        assert found.places[0].is_now
        assert not any(choice.is_now for choice in found.faces)
        table.say(found.faces[5].event)
        assert (table.now.view.dice, table.now.view.outside) == ((2, 3, 6), 0)

    def test_one_on_the_rim_comes_before_those_outside(self, table: Table) -> None:
        table.saw_throw((2,), outside=1, rim=1)
        assert [choice.is_now for choice in opened(table, 2, 1).places] == [False, True, False]
        assert [choice.is_now for choice in opened(table, 2, 2).places] == [True, False, False]

    def test_what_a_later_event_forbids_says_so(self, table: Table) -> None:
        table.say({"do": "stop"})
        found = opened(table, 1, 0)
        assert not any(choice.why for choice in found.faces)
        assert found.places[0].why == "Dan klopt een latere worp niet meer: herstel eerst verder terug."

    def test_four_dice_have_no_fifth(self, table: Table) -> None:
        assert sheet(table.now, 1, 3, NL, None) is None
        assert sheet(table.now, 2, None, NL, None) is None
        assert sheet(table.now, 0, None, NL, None) is None


class TestSecondGuess:
    @pytest.fixture
    def cutouts(self, table: Table) -> Cutouts:
        kept = Cutouts()
        dice = [DieReading(face, 0.99, second, BOX, CORNERS) for face, second in ((5, 6), (1, None), (4, 6))]
        kept.keep(table.now.throw, Frame(np.zeros((60, 60, 3), np.uint8), 0.0), BoardReading(tuple(dice)))
        return kept

    def test_comes_first_with_the_picture(self, table: Table, cutouts: Cutouts) -> None:
        found = opened(table, 1, 1, cutouts)
        assert found.guess is not None
        assert found.guess.face == 6
        assert found.picture == cutouts.names((1, 1))[1]

    def test_none_where_the_reader_had_none(self, table: Table, cutouts: Cutouts) -> None:
        assert opened(table, 1, 0, cutouts).guess is None

    def test_none_for_what_was_corrected_to_it(self, table: Table, cutouts: Cutouts) -> None:
        table.say({"do": "correct", "throw": 1, "dice": [1, 6, 5]})
        assert opened(table, 1, 1, cutouts).guess is None

    def test_two_taps_on_the_page(self, table: Table, cutouts: Cutouts) -> None:
        web = Web(table, MemoryJournal(), door=Door(draw=lambda below: 482913), cutouts=cutouts)
        client = came_in(browser(web))
        first = re.findall(r'data-sheet="([^"]+)"', client.get("/play").text)[1]
        second = re.findall(r"data-event='([^']+)'", client.get(first.replace("&amp;", "&")).text)[0]
        assert post(client, {**json.loads(second), "seq": table.now.seq}).status_code == 200
        assert table.now.view.dice == (1, 6, 5)


class TestTheWholeThrow:
    def test_whose_it_can_have_been(self, table: Table) -> None:
        table.say({"do": "stop"})
        table.saw_throw((2, 3, 4))
        found = opened(table, 2)
        assert labels(found.whole)[0] == "Was van Ann"
        table.say(found.whole[0].event)
        assert [turn["throw"] for turn in table.now.session.state["turn"]] == [1, 2]  # type: ignore[attr-defined]

    def test_not_whose_it_cannot_have_been(self) -> None:
        table = Table(MemoryJournal())
        table.say({**START, "players": ["Ann", "Bob", "Cas"]})
        table.saw_throw((1, 4, 5))
        assert "Was van Cas" not in labels(opened(table, 1).whole)

    def test_no_throw_and_back_again(self, table: Table) -> None:
        void = next(choice for choice in opened(table, 1).whole if choice.event.get("void"))
        table.say(void.event)
        assert used(table) == 0
        found = opened(table, 1, 1)
        assert not any(choice.is_now for choice in (*found.faces, *found.places))
        table.say(found.faces[3].event)
        assert used(table) == 1

    def test_back_to_here_takes_several_back(self, table: Table) -> None:
        table.saw_throw((2, 3, 4))
        table.saw_throw((3, 3, 4))
        back = next(choice for choice in opened(table, 1).whole if choice.event["do"] == "undo")
        table.say(back.event)
        assert table.now.view.throws == 1
        assert all(choice.event["do"] != "undo" for choice in opened(table, 1).whole)

    def test_a_throw_that_was_missed(self, table: Table) -> None:
        assert opened(table, 1).missing == 3
        table.say({"do": "insert", "after": 1, "dice": [6, 6, 6]})
        assert table.now.session.state["throws_used"] == 2


def test_a_sheet_that_is_gone(client: TestClient) -> None:
    answer = client.get("/play/throw/7?at=x")
    assert answer.status_code == 404
    assert client.get(f"/play/throw/{10**30}").status_code == 404


def test_a_long_game_opens_its_first_throw(table: Table) -> None:
    for n in range(300):
        table.say({"do": "throw", "dice": [[1, 4, 5], [2, 3, 6]][n % 2]})
        table.say({"do": "stop"})
        if table.now.view.phase == "over":
            break
    found = opened(table, 1, 0)
    assert len(found.faces) == 6
