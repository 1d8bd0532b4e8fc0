"""Lamps: levels as arithmetic, mock pins of gpiozero, and what happens where there are no pins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.lights import FakeLights, Lights
from device.lights.gpio import GpioLights
from device.lights.patterns import DIM, ONCE, ONCE_S, bar, levels
from scorer.game import Change, PlayerView, Prompt, View

PINS = [[4, 17, 27, 22, 5, 6, 13, 19, 26], [14, 15, 18, 23, 24, 25, 12, 16, 20]]


def view(first: int, second: int, **more: Any) -> View:
    players = (PlayerView("Ann", first, first, to_throw=True), PlayerView("Bob", second, second))
    return View(game="pietjesbak", phase="turn", players=players, prompt=Prompt("throw"), **more)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(revision="c04170", pin_class=MockPWMPin)
    yield made
    made.reset()


def lit(row: tuple[float, ...]) -> int:
    return sum(level > 0 for level in row)


class TestLevels:
    @pytest.mark.parametrize("marks", range(10))
    def test_as_many_lamps_as_strokes(self, marks: int) -> None:
        assert bar(marks, 9, 0.0) == (1.0,) * marks + (0.0,) * (9 - marks)

    @pytest.mark.parametrize(("marks", "breathing"), [(9, 0), (10, 1), (12, 3), (18, 9), (40, 9)])
    def test_above_nine_all_are_lit_and_the_rest_breathe(self, marks: int, breathing: int) -> None:
        low, high = bar(marks, 9, 0.0), bar(marks, 9, 1.0)
        assert lit(low) == 9
        assert sum(a != b for a, b in zip(low, high, strict=True)) == breathing

    def test_the_turn_is_bright_and_the_other_dim(self) -> None:
        first, second = levels(view(3, 2), "turn", 0.0, 2, 9)
        assert first[:3] == (1.0, 1.0, 1.0)
        assert second[:2] == (DIM, DIM)
        assert (lit(first), lit(second)) == (3, 2)

    @pytest.mark.parametrize("pattern", sorted(ONCE))
    def test_a_pattern_moves_then_gives_the_strokes_back(self, pattern: str) -> None:
        now = view(3, 2)
        steady = levels(now, "turn", 0.0, 2, 9)
        during = {levels(now, pattern, part * ONCE_S / 12, 2, 9) for part in range(12)}
        assert len(during) > 1
        assert during != {steady}
        assert levels(now, pattern, ONCE_S, 2, 9) == steady

    def test_patterns_differ(self) -> None:
        now = view(3, 2)
        shows = {name: tuple(levels(now, name, part / 5, 2, 9) for part in range(11)) for name in ONCE}
        assert len(set(shows.values())) == len(ONCE)

    def test_only_the_bar_of_the_player_concerned_plays(self) -> None:
        now = view(3, 2, changes=(Change("Bob", 1, "seven", "PJ-17"),))
        first, second = levels(now, "seven", 0.3, 2, 9)
        steady = levels(now, "turn", 0.3, 2, 9)
        assert first == steady[0]
        assert second != steady[1]

    def test_unsure_and_trouble_stay_as_long_as_they_hold(self) -> None:
        for pattern in ("unsure", "camera_trouble"):
            shows = {levels(view(3, 2), pattern, t / 20, 2, 9) for t in range(2000, 2040)}
            assert len(shows) > 1

    def test_trouble_leaves_the_strokes_readable(self) -> None:
        assert levels(view(3, 2), "camera_trouble", 1.0, 2, 9)[0][1:3] == (1.0, 1.0)

    def test_with_more_players_than_bars_the_one_to_throw_comes_first(self) -> None:
        players = tuple(PlayerView(name, n, n, to_throw=name == "C") for n, name in enumerate("ABCD", start=1))
        now = View(game="pietjesbak", phase="turn", players=players, prompt=Prompt("throw"))
        assert [lit(row) for row in levels(now, "turn", 0.0, 2, 9)] == [3, 4]

    def test_every_level_is_a_brightness(self) -> None:
        for pattern in (*ONCE, "turn", "unsure", "camera_trouble", "idle", "something_new"):
            for now in (None, view(0, 30)):
                for t in range(60):
                    rows = levels(now, pattern, t / 20, 2, 9)
                    assert [len(row) for row in rows] == [9, 9]
                    assert all(0.0 <= level <= 1.0 for row in rows for level in row)


class TestContract:
    @pytest.fixture(params=["fake", "mock pins", "no pins"])
    def lights(self, request: pytest.FixtureRequest, factory: MockFactory) -> Lights:
        if request.param == "fake":
            return FakeLights()
        return GpioLights(PINS if request.param == "mock pins" else [[99], [98]], pin_factory=factory)

    def test_show_tick_and_close_never_raise(self, lights: Lights) -> None:
        lights.show(None, "idle", 0.0)
        for pattern in (*ONCE, "unsure", "camera_trouble", "something_new"):
            lights.show(view(3, 12), pattern, 1.0)
            lights.tick(1.5)
        lights.close()
        lights.close()
        lights.tick(2.0)


class TestGpio:
    def test_pins_carry_the_levels(self, factory: MockFactory) -> None:
        lights = GpioLights(PINS, pin_factory=factory)
        lights.show(view(3, 2), "turn", 0.0)
        assert lights.fault is None
        states = [[round(float(factory.pin(pin).state), 2) for pin in row] for row in PINS]
        assert states[0] == [1.0] * 3 + [0.0] * 6
        assert states[1] == [DIM] * 2 + [0.0] * 7
        lights.close()

    def test_all_dark_after_close(self, factory: MockFactory) -> None:
        lights = GpioLights(PINS, pin_factory=factory)
        lights.show(view(9, 9), "turn", 0.0)
        lights.close()
        assert all(not factory.pin(pin).state for row in PINS for pin in row)

    def test_busy_pins_are_told_and_given_back(self, factory: MockFactory) -> None:
        first = GpioLights(PINS, pin_factory=factory)
        second = GpioLights([PINS[1][::-1], PINS[0]], pin_factory=factory)
        assert second.fault is not None
        assert "the pins cannot be used" in second.fault
        assert second.bars == []
        assert first.fault is None
        first.close()

    def test_a_machine_without_pins_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Device, "pin_factory", None)
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nothing_of_that_name")
        lights = GpioLights(PINS)
        assert lights.fault is not None
        assert "no lights" in lights.fault

    def test_pins_that_fail_later_go_dark_and_are_told(self, factory: MockFactory) -> None:
        lights = GpioLights(PINS, pin_factory=factory)
        lights.bars[0].close()  # as if another program had taken them
        lights.show(view(3, 2), "turn", 0.0)
        assert lights.fault is not None
        lights.show(view(3, 2), "turn", 0.0)
