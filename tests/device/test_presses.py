"""What a press does at the table, in every game and with one, three or seat buttons; and the thread that hears them."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from device.buttons import Buttons, Edge, FakeButtons
from device.buttons.gestures import Gestures, How
from device.buttons.meaning import lamps
from device.buttons.menu import OPEN_S, Shown
from device.buttons.presses import Presses
from device.journal import MemoryJournal
from device.kept import Kept, PartLost
from device.snapshot import Eye
from device.table import Table
from device.wording import wording
from tests.waiting import PATIENCE_S, waited

NEW = {"do": "start", "game": "pietjesbak", "players": ["Speler 1", "Speler 2"]}
ANN_BOB = {"players": ["Ann", "Bob"], "opener": "Ann"}
PIETJESBAK = {"do": "start", "game": "pietjesbak", **ANN_BOB}
HELD = {How.SHORT: 0.1, How.LONG: 1.0, How.VERY_LONG: 3.0}


class Board:
    """A table with buttons, whose clock is moved by hand."""

    def __init__(self, *events: Mapping[str, object], menu_button: bool = False, menus: bool = True) -> None:
        self.table = Table(MemoryJournal())
        for event in events:
            assert self.table.say(event)[0].error is None, event
        self.t = 100.0
        self.heard: list[str] = []
        self.shown: list[Shown | None] = []
        self.presses = Presses(
            self.table,
            wording("en"),
            start=NEW,
            gestures=Gestures(),
            menus=menus,
            has_menu_button=menu_button,
            heard=self.heard.append,
            shows=self.shown.append,
        )

    def press(self, button: str = "stop", how: How = How.SHORT) -> None:
        for down in (True, False):
            self.presses._gestures.edge(Edge(button, down, self.t))
            self.t += HELD[how] if down else 0.1
            self.presses.turn(self.t)

    def wait(self, seconds: float) -> None:
        self.t += seconds
        self.presses.turn(self.t)

    @property
    def state(self) -> Mapping[str, Any]:
        return self.table.now.session.state

    @property
    def screen(self) -> Shown | None:
        return self.shown[-1] if self.shown else None

    @property
    def chosen(self) -> str:
        assert self.screen is not None
        return self.screen.lines[self.screen.chosen]


def throw(*dice: object) -> dict[str, object]:
    return {"do": "throw", "dice": list(dice)}


class TestOneButton:
    def test_short_begins_a_game_stops_a_turn_and_long_takes_it_back(self) -> None:
        board = Board()
        board.press()
        assert board.state["phase"] == "roll_off"
        assert [player["name"] for player in board.state["players"]] == ["Speler 1", "Speler 2"]
        board = Board(PIETJESBAK, throw(1, 4, 5))
        board.press()
        assert board.state["to_throw"] == "Bob"
        board.press(how=How.LONG)
        assert board.state["to_throw"] == "Ann"
        assert board.heard == ["press", "undo"]

    def test_what_is_not_possible_is_refused_in_words_for_a_while(self) -> None:
        board = Board(PIETJESBAK)
        board.press()
        assert board.heard == ["refused"]
        assert board.screen == Shown("Throw first, then stop.")
        board.wait(5.0)
        assert board.screen is None

    def test_short_goes_on_after_a_pause_and_after_the_game(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5), {"do": "pause"})
        board.press()
        assert board.state["paused"] is False
        board = Board(PIETJESBAK, {"do": "end"})
        board.press()
        assert board.state["phase"] != "over"

    def test_the_press_of_the_race_carries_its_time(self) -> None:
        board = Board({"do": "start", "game": "azen", **ANN_BOB, "count": 8, "orderer": "Bob"}, throw(1, 2, 3))
        assert board.state["race"] == "open"
        pressed = board.t
        board.press(how=How.SHORT)
        assert board.state["race"] == "settling"
        board.table.saw_throw((1, 2, 3), at=pressed - 0.5)  # rested before: too late for the drinker
        assert board.state["payer"] == "Ann"

    def test_short_answers_a_doubt_with_throw_again(self) -> None:
        board = Board(PIETJESBAK)
        board.table.saw_unsure(("cocked",), (1, 4, None), at=1.0)
        board.press()
        assert board.table.now.pending is None
        assert board.state["throws"] == 0

    @pytest.mark.parametrize(("how", "thrower"), [(How.SHORT, "Bob"), (How.LONG, "Ann")])
    def test_who_threw_is_answered_by_next_or_by_the_same_again(self, how: How, thrower: str) -> None:
        board = Board({**PIETJESBAK, "seats": {"Ann": 90, "Bob": 270}}, throw(1, 4, 5))
        board.table.saw_throw((6, 6, 5), at=2.0, from_deg=270.0)
        assert board.table.now.pending is not None
        board.press(how=how)
        assert board.table.now.pending is None
        assert board.state["last"]["player"] == thrower

    def test_a_stop_while_dice_are_read_waits_and_long_forgets_it(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5))
        board.table.look(Eye.READING)
        board.press()
        board.press(how=How.LONG)
        board.table.saw_throw((6, 6, 6), at=board.t)
        assert board.state["throws"] == 2  # nothing was undone, nobody had stopped
        assert board.state["to_throw"] == "Ann"

    def test_a_slow_thumb_still_stops_before_the_throw_that_followed(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5))
        board.presses._gestures.edge(Edge("stop", True, 100.0))
        board.table.saw_throw((6, 6, 6), at=100.2)
        board.presses._gestures.edge(Edge("stop", False, 100.6))
        board.presses.turn(100.7)
        assert board.state["last"]["player"] == "Bob"


class TestMenu:
    def test_one_button_opens_walks_and_takes(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5), throw(6, 6, 5))
        board.press(how=How.VERY_LONG)
        assert board.chosen == "Throw was Bob's"
        assert board.screen is not None
        assert "short: next" in board.screen.hint
        board.press()
        assert board.chosen == "Throw does not count"
        board.press(how=How.LONG)
        assert board.screen is None
        assert [thrown["dice"] for thrown in board.state["turn"]] == [[1, 4, 5]]
        assert board.state["to_throw"] == "Ann"

    def test_a_throw_is_given_to_the_next_player(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5), throw(6, 6, 5))
        board.press(how=How.VERY_LONG)
        board.press(how=How.LONG)
        assert board.state["last"]["player"] == "Bob"

    def test_three_buttons(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5), menu_button=True)
        board.press("menu")
        board.press("menu")
        assert board.chosen == "Pause"
        board.press("undo")
        assert board.screen is None
        assert board.state["throws"] == 1  # it only closed the menu
        board.press("menu")
        board.press("menu")
        board.press("stop")
        assert board.state["paused"] is True

    def test_the_menu_closes_by_itself_and_when_the_game_goes_on(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5))
        board.press(how=How.VERY_LONG)
        board.wait(OPEN_S + 0.1)
        assert board.screen is None
        board.wait(1.5)
        board.press(how=How.VERY_LONG)
        board.table.saw_throw((6, 6, 5), at=board.t)
        board.press()  # meant for the menu, which has just closed: no stop
        assert board.screen is None
        assert board.state["to_throw"] == "Ann"
        board.wait(1.0)
        board.press()
        assert board.state["to_throw"] == "Bob"

    def test_the_last_item_closes(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5))
        seq = board.table.now.seq
        board.press(how=How.VERY_LONG)
        while board.chosen != "Back":
            board.press()
        board.press(how=How.LONG)
        assert board.screen is None
        assert board.table.now.seq == seq

    def test_another_game_begins_with_the_same_players(self) -> None:
        board = Board(PIETJESBAK, {"do": "end"})
        board.press(how=How.VERY_LONG)
        while board.chosen != "New: Azen jagen":
            board.press()
        board.press(how=How.LONG)
        assert board.state["game"] == "azen"
        assert [player["name"] for player in board.state["players"]] == ["Ann", "Bob"]

    def test_a_number_is_chosen_with_one_button(self) -> None:
        board = Board({"do": "start", "game": "sachsenkniffel", **ANN_BOB}, throw(3, 5, 3, 3, 2, 1))
        board.press()
        assert board.chosen == "Choose 1"
        board.press()
        board.press()
        board.press(how=How.LONG)
        assert board.state["number"] == 3

    def test_a_die_is_put_on_the_pile_with_one_button(self) -> None:
        dice = ("G", 2, 2, 3, 4, 5, 6, 6, 6, 6, 5, 5, 5, 5)
        board = Board({"do": "start", "game": "bataclan", **ANN_BOB}, throw(*dice))
        board.press()
        assert board.chosen == "Put G on the pile"
        board.press(how=How.LONG)
        assert board.state["pile"] == 1

    def test_without_a_screen_or_a_voice_there_is_no_menu(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5), menus=False)
        board.press(how=How.VERY_LONG)
        assert board.heard == ["refused"]
        assert board.screen is None
        assert board.state["throws"] == 1

    def test_what_letting_go_would_do_is_shown(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5))
        board.presses._gestures.edge(Edge("stop", True, board.t))
        board.wait(1.0)
        assert board.screen == Shown("Let go: undo. Keep holding: menu.")

    @pytest.mark.parametrize(
        "events",
        [
            [],
            [PIETJESBAK],
            [PIETJESBAK, throw(1, 4, 5)],
            [PIETJESBAK, throw(1, 4, 5), throw(6, 6, 5)],
            [PIETJESBAK, {"do": "end"}],
            [{"do": "start", "game": "azen", **ANN_BOB, "count": 8}, throw(1, 2, 3)],
            [{"do": "start", "game": "pig", **ANN_BOB}, throw(3, 5)],
            [{"do": "start", "game": "sachsenkniffel", **ANN_BOB}, throw(3, 5, 3, 3, 2, 1)],
            [{"do": "start", "game": "bataclan", **ANN_BOB}, throw("G", 2, 2, 3, 4, 5, 6, 6, 6, 6, 5, 5, 5, 5)],
        ],
    )
    def test_everything_that_a_menu_offers_is_allowed(self, events: Sequence[Mapping[str, object]]) -> None:
        board = Board(*events)
        board.press(how=How.VERY_LONG)
        assert board.screen is not None
        for n in range(len(board.screen.lines)):
            board = Board(*events)
            board.press(how=How.VERY_LONG)
            for _ in range(n):
                board.press()
            label = board.chosen
            board.press(how=How.LONG)
            assert "refused" not in board.heard, label


class TestSeats:
    def test_the_player_to_throw_stops_and_nobody_else(self) -> None:
        board = Board(PIETJESBAK, throw(1, 4, 5))
        board.press("seat 2")
        assert board.heard == ["refused"]
        assert board.state["to_throw"] == "Ann"
        board.press("seat 1")
        assert board.state["to_throw"] == "Bob"
        board.press("seat 7")
        assert board.heard[-1] == "refused"

    @pytest.mark.parametrize(("button", "thrower"), [("seat 1", "Ann"), ("seat 2", "Bob")])
    def test_whoever_threw_says_so(self, button: str, thrower: str) -> None:
        board = Board({**PIETJESBAK, "seats": {"Ann": 90, "Bob": 270}}, throw(1, 4, 5))
        board.table.saw_throw((6, 6, 5), at=2.0, from_deg=270.0)
        board.press(button)
        assert board.state["last"]["player"] == thrower

    def test_the_drinker_says_that_the_glass_is_empty(self) -> None:
        board = Board({"do": "start", "game": "azen", **ANN_BOB, "count": 8}, throw(1, 2, 3))
        board.press("seat 2")  # to throw, nothing to stop
        assert board.state["race"] == "open"
        board.press("seat 1")
        assert board.state["race"] == "settling"

    def test_lamps_tell_whose_turn_it_is_and_who_should_press(self) -> None:
        board = Board({**PIETJESBAK, "seats": {"Ann": 90, "Bob": 270}}, throw(1, 4, 5))
        assert lamps(board.table.now, 0.0, 3) == (1.0, 0.0, 0.0)
        board.table.saw_throw((6, 6, 5), at=2.0, from_deg=270.0)
        assert {lamps(board.table.now, t / 10, 2) for t in range(20)} == {(1.0, 0.0), (0.0, 1.0)}
        race = Board({"do": "start", "game": "azen", **ANN_BOB, "count": 8}, throw(1, 2, 3))
        assert {lamps(race.table.now, t / 10, 2) for t in range(20)} == {(1.0, 1.0), (0.0, 1.0)}
        assert lamps(Board().table.now, 0.0, 2) == (0.0, 0.0)


class TestThread:
    def test_buttons_that_come_late_and_fail_are_opened_again(self) -> None:
        table = Table(MemoryJournal())
        table.say(PIETJESBAK)
        table.say(throw(1, 4, 5))
        made: list[FakeButtons] = []

        class Failing(FakeButtons):
            def light(self, levels: Sequence[float]) -> None:
                if len(made) == 1:
                    raise PartLost("the lamps went dark", "buttons_pins")
                super().light(levels)

        tries = [PartLost("the pins are taken", "buttons_pins")]

        def opened() -> Buttons:
            if tries:
                raise tries.pop()
            made.append(Failing(presses.edge))
            return made[-1]

        source = Kept("the buttons", opened, retry_s=0.01)
        presses = Presses(table, wording("en"), start=NEW, gestures=Gestures(), sources={"gpio": source})
        presses.start()
        assert waited(lambda: len(made) == 2)
        assert made[0].closed
        assert waited(lambda: presses.health()["ok"] is True)
        t = time.monotonic()
        made[1].press("stop", t - 0.4, held_s=0.0)
        made[1].press("stop", t - 0.3, held_s=0.1)
        assert waited(lambda: table.now.session.state["to_throw"] == "Bob")
        presses.close()
        presses.close()
        assert made[1].closed

    def test_what_is_wrong_is_told(self) -> None:
        def opened() -> Buttons:
            raise PartLost("the pins are taken", "buttons_pins")

        source = Kept("the buttons", opened)
        presses = Presses(
            Table(MemoryJournal()), wording("en"), start=NEW, gestures=Gestures(), sources={"gpio": source}
        )
        presses.turn(time.monotonic())
        assert presses.health() == {
            "ok": False,
            "message": "the pins are taken",
            "trouble": "buttons_pins",
            "presses": 0,
        }

    def test_a_stuck_button_is_told(self) -> None:
        board = Board(PIETJESBAK)
        board.presses._gestures.edge(Edge("stop", True, board.t))
        board.wait(60.0)
        assert "stop is held down" in str(board.presses.health()["message"])

    def test_a_press_that_stumbles_is_the_last_of_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = Table(MemoryJournal())
        table.say(PIETJESBAK)
        presses = Presses(table, wording("en"), start=NEW, gestures=Gestures())
        stumbled = threading.Event()

        def stumble(*args: object) -> None:
            stumbled.set()
            raise ValueError("what nobody expected")

        with monkeypatch.context() as patch:
            patch.setattr(presses, "_act", stumble)
            presses.start()
            presses.edge(Edge("undo", True, time.monotonic() - 1.0))
            presses.edge(Edge("undo", False, time.monotonic() - 0.5))
            assert stumbled.wait(PATIENCE_S)
        table.say(throw(1, 4, 5))
        presses.edge(Edge("undo", True, time.monotonic() - 0.4))
        presses.edge(Edge("undo", False, time.monotonic() - 0.2))
        assert waited(lambda: table.now.session.state["throws"] == 0)
        presses.close()
