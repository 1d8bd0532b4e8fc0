"""Screen, buttons and sound as the settings name them, joined with the table; pins that two of them want."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory

from device.buttons.presses import Presses
from device.config import Config, load, printed
from device.errors import BadInput
from device.journal import MemoryJournal
from device.lights.board_link import BoardLink, Press
from device.parts import NAMES, Missing, health_of, parts_of
from device.pins import clashes, pins_of
from device.table import Table
from device.wording import wording
from tests.waiting import PATIENCE_S, waited

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(revision="c04170")
    yield made
    made.reset()


@pytest.fixture
def table() -> Table:
    table = Table(MemoryJournal())
    table.say(START)
    table.say({"do": "throw", "dice": [1, 4, 5]})
    return table


def everything(**more: str | int) -> Config:
    return Config().with_values(
        display__kind="ssd1306",
        display__port=22,
        buttons__kind="gpio",
        sound__kind="speech",
        sound__device="no such card",
        **more,
    )


class TestSettings:
    def test_nothing_is_on_by_itself(self, table: Table) -> None:
        parts = parts_of(Config(), table, wording("nl"))
        assert parts == {}
        assert health_of(parts) == dict.fromkeys(NAMES)

    def test_all_three_are_named_in_health_while_none_is_there(
        self, table: Table, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        taken = LED(21, pin_factory=factory)
        parts = parts_of(everything(), table, wording("nl"), pin_factory=factory)
        for part in parts.values():
            part.start()
        assert waited(lambda: not any(told["ok"] for told in health_of(parts).values() if isinstance(told, dict)))
        told = health_of(parts)
        for part in parts.values():
            part.close()
            part.close()
        taken.close()
        keys = {name: one["trouble"] for name, one in told.items() if isinstance(one, dict)}
        assert keys == {"display": "display_absent", "buttons": "buttons_pins", "sound": "sound_software"}
        for key in keys.values():
            for language in ("nl", "fr", "en", "de"):
                assert wording(language).has("fault", str(key))

    def test_a_screen_without_its_software_leaves_the_rest(
        self, table: Table, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "device.displays.choice", None)  # as where Pillow is not installed
        parts = parts_of(everything(), table, wording("nl"), pin_factory=factory)
        assert isinstance(parts["display"], Missing)
        assert "install pietjesoog[display]" in str(parts["display"].health()["message"])
        assert set(parts) == set(NAMES)

    def test_a_screen_that_cannot_hang_so_is_a_wrong_setting(self, table: Table) -> None:
        with pytest.raises(BadInput, match=r"display\.turned"):
            parts_of(everything(display__turned=1), table, wording("nl"))

    def test_a_press_on_the_pins_reaches_the_table(self, table: Table, factory: MockFactory) -> None:
        config = Config().with_values(buttons__kind="gpio", buttons__stop_pin=16)
        parts = parts_of(config, table, wording("nl"), pin_factory=factory)
        parts["buttons"].start()
        buttons = parts["buttons"]
        assert isinstance(buttons, Presses)
        assert waited(lambda: buttons._sources["gpio"]._part is not None)
        buttons._gestures._long_s = buttons._gestures._very_long_s = PATIENCE_S  # however long this machine holds it
        factory.pin(16).drive_low()
        time.sleep(0.06)
        factory.pin(16).drive_high()
        assert waited(lambda: table.now.session.state["to_throw"] == "Bob")
        parts["buttons"].close()

    def test_the_buttons_of_the_light_board_are_heard_and_its_lamps_lit(self, table: Table) -> None:
        class Link(BoardLink):
            lit = 0
            begun = False

            def start(self) -> None:
                self.begun = True

            def light_seats(self, lit: int) -> None:
                self.lit = lit

        link = Link()
        buttons = parts_of(Config(), table, wording("nl"), link=link)["buttons"]
        assert isinstance(buttons, Presses)
        buttons.turn(1.0)
        assert link.begun
        assert link.lit == 0b01  # Ann is to throw
        for kind, at in (("press", 2.0), ("long", 2.8), ("release", 2.1)):
            for listener in link._listeners:
                listener(Press("stop", kind, at))
        while not buttons._edges.empty():
            buttons._gestures.edge(buttons._edges.get())
        buttons.turn(3.0)
        assert table.now.session.state["to_throw"] == "Bob"
        buttons.turn(3.1)
        assert link.lit == 0b10
        buttons.close()


class TestPins:
    def test_each_build_has_pins_of_its_own(self) -> None:
        small = Config().with_values(lights__kind="gpio", buttons__kind="gpio")
        table = Config().with_values(
            lights__kind="spi",
            lights__spi="1.0",
            display__kind="ssd1306",
            buttons__kind="gpio",
            buttons__stop_pin=5,
            buttons__undo_pin=6,
            buttons__menu_pin=13,
        )
        for config in (Config(), small, table):
            assert clashes(config) == []
        assert dict(pins_of(table)) == {
            20: "lights.spi",
            21: "lights.spi",
            2: "display.port",
            3: "display.port",
            5: "buttons.stop_pin",
            6: "buttons.undo_pin",
            13: "buttons.menu_pin",
        }

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            (
                {"lights__kind": "gpio", "display__kind": "st7789"},
                ["pin 18 is claimed by lights.pins and display.light_pin", "pin 24", "pin 25"],
            ),
            ({"lights__kind": "spi", "display__kind": "ili9341"}, ["pin 10", "pin 11"]),
            ({"buttons__kind": "gpio", "buttons__undo_pin": 21}, ["pin 21 is claimed by buttons.stop_pin and"]),
            (
                {"buttons__kind": "gpio", "buttons__seat_pins": [[5, 6]], "buttons__seat_light_pins": [[6]]},
                ["pin 6 is claimed by buttons.seat_pins and buttons.seat_light_pins"],
            ),
        ],
    )
    def test_pins_that_two_want_are_told(
        self, settings: dict[str, int | str | list[list[int]]], said: list[str]
    ) -> None:
        told = clashes(Config().with_values(**settings))
        assert len(told) == len(said)
        for sentence, start in zip(told, said, strict=True):
            assert sentence.startswith(start)
            assert sentence.endswith("give one of them another")

    def test_seats_are_rows_of_pins_or_none(self, tmp_path: Path) -> None:
        path = tmp_path / "p.toml"
        path.write_text(printed(Config().with_values(buttons__seat_pins=[[5, 6, 13]])))
        assert load(path)["buttons.seat_pins"] == [[5, 6, 13]]
        assert load(path)["buttons.seat_light_pins"] == []
