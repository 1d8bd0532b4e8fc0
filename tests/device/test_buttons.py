"""Buttons: one contract for all of them, own debouncing, and pins that are taken or not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from device.buttons import NAMES, Buttons, Edge, FakeButtons
from device.buttons.gestures import STUCK_S, Gestures, How, Press
from device.buttons.gpio import GpioButtons, seat_pins
from device.kept import PartLost

PINS = {"stop": 21, "undo": 20, "seat 1": 5, "seat 2": 6}
LAMPS = [12, 13]


@dataclass
class Set:
    """One set of buttons under test: how to press it, what it told, and which lamps shine."""

    buttons: Buttons
    press: Callable[[str, bool], None]
    lit: Callable[[], list[bool]]
    told: list[Edge]
    now: list[float] = field(default_factory=lambda: [1.0])


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(revision="c04170")
    yield made
    made.reset()


def gpio_set(factory: MockFactory) -> Set:
    told: list[Edge] = []
    now = [1.0]
    buttons = GpioButtons(PINS, told.append, lamps=LAMPS, pin_factory=factory, clock=lambda: now[0])

    def press(name: str, down: bool) -> None:
        pin = factory.pin(PINS[name])
        pin.drive_low() if down else pin.drive_high()

    return Set(buttons, press, lambda: [bool(factory.pin(pin).state) for pin in LAMPS], told, now)


def fake_set() -> Set:
    told: list[Edge] = []
    now = [1.0]
    fake = FakeButtons(told.append)
    return Set(
        fake,
        lambda name, down: fake.edge(name, down, now[0]),
        lambda: [level >= 0.5 for level in fake.lit[:2]],
        told,
        now,
    )


class TestContract:
    @pytest.fixture(params=["fake", "gpio"])
    def made(self, request: pytest.FixtureRequest, factory: MockFactory) -> Set:
        return fake_set() if request.param == "fake" else gpio_set(factory)

    def test_what_is_pressed_is_told_with_its_time(self, made: Set) -> None:
        made.press("stop", True)
        made.now[0] = 1.5
        made.press("stop", False)
        made.press("seat 2", True)
        assert made.told == [Edge("stop", True, 1.0), Edge("stop", False, 1.5), Edge("seat 2", True, 1.5)]
        assert {edge.button for edge in made.told} <= set(made.buttons.names) <= set(NAMES)

    def test_lamps_follow(self, made: Set) -> None:
        made.buttons.light((1.0, 0.0))
        assert made.lit() == [True, False]
        made.buttons.light((0.0, 1.0, 1.0, 0.0))
        assert made.lit() == [False, True]

    def test_after_close_nothing_is_told(self, made: Set) -> None:
        made.buttons.close()
        made.buttons.close()
        made.press("stop", True)
        assert made.told == []
        made.buttons.light((1.0, 1.0))


class TestGpio:
    def test_lamps_go_dark_and_pins_are_free_after_close(self, factory: MockFactory) -> None:
        made = gpio_set(factory)
        made.buttons.light((1.0, 1.0))
        made.buttons.close()
        assert made.lit() == [False, False]
        gpio_set(factory).buttons.close()

    def test_a_button_that_is_down_already_is_silent_until_it_was_let_go(self, factory: MockFactory) -> None:
        factory.pin(21).drive_low()
        made = gpio_set(factory)
        made.press("stop", False)
        assert made.told == []
        made.press("stop", True)
        assert made.told == [Edge("stop", True, 1.0)]

    def test_a_taken_pin_is_told_and_the_others_are_given_back(self, factory: MockFactory) -> None:
        first = GpioButtons({"menu": 6}, lambda edge: None, pin_factory=factory)
        with pytest.raises(PartLost, match="no buttons: the pins cannot be used"):
            gpio_set(factory)
        GpioButtons({"stop": 21}, lambda edge: None, pin_factory=factory).close()
        first.close()

    def test_a_machine_without_pins_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Device, "pin_factory", None)
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nothing_of_that_name")
        with pytest.raises(PartLost, match="no buttons") as lost:
            GpioButtons(PINS, lambda edge: None)
        assert lost.value.key == "buttons_pins"

    def test_lamps_that_fail_are_told(self, factory: MockFactory) -> None:
        buttons = GpioButtons(PINS, lambda edge: None, lamps=LAMPS, pin_factory=factory)
        buttons._lamps[0].close()
        with pytest.raises(PartLost, match="went dark"):
            buttons.light((1.0, 1.0))
        buttons.close()

    def test_seats_by_their_pins(self) -> None:
        assert seat_pins([]) == {}
        assert seat_pins([[5], [6]]) == {"seat 1": 5, "seat 2": 6}


def presses(gestures: Gestures, edges: list[tuple[float, bool]], until: float, step: float = 0.01) -> list[Press]:
    """What comes of these edges on the button stop when somebody looks every `step` seconds."""
    told: list[Press] = []
    t = edges[0][0]
    while t < until:
        while edges and edges[0][0] <= t:
            at, down = edges.pop(0)
            gestures.edge(Edge("stop", down, at))
        told += gestures.tick(t)
        t += step
    return told


class TestGestures:
    def test_a_bouncing_contact_is_one_press_with_the_time_of_the_first_touch(self) -> None:
        edges = [(1.0, True), (1.001, False), (1.003, True), (1.004, False), (1.009, True)]
        edges += [(1.2, False), (1.202, True), (1.205, False)]
        assert presses(Gestures(), edges, 2.0) == [Press("stop", How.SHORT, 1.0)]

    def test_a_tremble_is_no_press(self) -> None:
        assert presses(Gestures(), [(1.0, True), (1.008, False)], 2.0) == []
        held = [(1.0, True), (1.3, False), (1.31, True), (1.5, False)]  # a loose contact while it is down
        assert presses(Gestures(), held, 2.0) == [Press("stop", How.SHORT, 1.0)]

    @pytest.mark.parametrize(
        ("held", "how"), [(0.05, How.SHORT), (0.6, How.SHORT), (0.75, How.LONG), (2.4, How.LONG), (3.0, How.VERY_LONG)]
    )
    def test_how_long_it_was_held(self, held: float, how: How) -> None:
        assert presses(Gestures(), [(1.0, True), (1.0 + held, False)], 5.0) == [Press("stop", how, 1.0)]

    def test_two_presses_one_after_the_other(self) -> None:
        edges = [(1.0, True), (1.08, False), (1.2, True), (1.28, False)]
        assert presses(Gestures(), edges, 2.0) == [Press("stop", How.SHORT, 1.0), Press("stop", How.SHORT, 1.2)]

    def test_a_very_long_press_is_told_while_it_is_down_and_once(self) -> None:
        gestures = Gestures()
        gestures.edge(Edge("stop", True, 1.0))
        assert gestures.tick(3.4) == []
        assert gestures.holding(3.4) == "stop"
        assert gestures.tick(3.6) == [Press("stop", How.VERY_LONG, 1.0)]
        assert gestures.holding(3.6) is None
        gestures.edge(Edge("stop", False, 4.0))
        assert gestures.tick(4.5) == []

    def test_an_instant_button_is_told_as_it_goes_down(self) -> None:
        gestures = Gestures(instant=["stop"])
        gestures.edge(Edge("stop", True, 1.0))
        assert gestures.tick(1.03) == [Press("stop", How.SHORT, 1.0)]
        gestures.edge(Edge("stop", False, 3.0))
        assert gestures.tick(4.0) == []

    def test_late_news_is_understood_by_its_times(self) -> None:
        gestures = Gestures()
        for at, down in ((1.0, True), (1.9, False), (2.5, True), (2.6, False)):  # nobody looked meanwhile
            gestures.edge(Edge("stop", down, at))
        assert gestures.tick(9.0) == [Press("stop", How.LONG, 1.0), Press("stop", How.SHORT, 2.5)]

    def test_a_button_that_never_comes_up_is_stuck(self) -> None:
        gestures = Gestures()
        gestures.edge(Edge("stop", True, 1.0))
        gestures.tick(2.0)
        assert gestures.stuck(STUCK_S) == ()
        assert gestures.stuck(STUCK_S + 2.0) == ("stop",)
        gestures.edge(Edge("stop", False, 50.0))
        gestures.tick(51.0)
        assert gestures.stuck(51.0) == ()
