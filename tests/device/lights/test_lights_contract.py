"""One contract for all lights: pins, SPI, the light board and its real firmware, and the fakes beside them."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.config import LANGUAGES
from device.journal import MemoryJournal
from device.kept import PartLost
from device.lights import FakeLights, Lights
from device.lights.board import BoardLamps
from device.lights.board_link import BoardLink
from device.lights.chain import Chain
from device.lights.driven import MOST_RETRY_S, TRY_S, DrivenLights, FakeLamps
from device.lights.fake_board import FakeBoard
from device.lights.gpio import GpioLamps, shape_of
from device.lights.scene import Shape
from device.lights.spi import FakeSpi, SpiLamps
from device.lights.states import STOP, every_state, game, played, throw
from device.service import Outputs
from device.table import Table
from device.wording import wording
from scorer.game import View
from tests.waiting import PATIENCE_S, waited

BARS = [[4, 17, 27, 22, 5, 6, 13, 19, 26], [14, 15, 18, 23, 24, 25, 12, 16, 20]]
STATUS = [[4], [17], [27]]
STRIPS = Shape(8, 12, side_by_side=True)
KINDS = ("fake", "fake lamps", "bars", "status LEDs", "spi", "board", "firmware")
STATES = every_state(4)


@dataclass
class Rig:
    """Lights, what their lamps show, and how to break and mend them; `t` is their clock."""

    lights: Lights
    seen: Callable[[], tuple[float, ...] | None]
    cut: Callable[[], None]
    mend: Callable[[], None]
    most_strokes: int = 24
    t: float = 996.0

    def show(self, view: View | None, pattern: str = "turn") -> tuple[float, ...] | None:
        """Show it until the motions of its beginning have ended, then look when every breath is at its low."""
        self.lights.show(view, pattern, self.t)
        return self.later(12.0 * (self.t // 12.0 + 1.0) - self.t)

    def later(self, seconds: float) -> tuple[float, ...] | None:
        self.t += seconds
        self.lights.tick(self.t)
        return self.seen()

    def wait_for(self, true: Callable[[], bool]) -> bool:
        """Tick on, a second of its clock each time, until it comes true."""

        def comes_true() -> bool:
            if true():
                return True
            self.t += 1.0
            self.lights.tick(self.t)
            return False

        return waited(comes_true)

    def is_dark(self) -> bool:
        """Soon, where the lamps are at the other end of a cable."""
        return waited(lambda: not any(self.seen() or ()))


def strokes(first: int, second: int = 2) -> View:
    return played(game("pietjesbak", 2, strokes={"Ann": first, "Bob": second}))[0]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def rig(kind: str, tmp_path: Path) -> Iterator[Rig]:
    with_end = _RIGS[kind](tmp_path)
    made = next(with_end)
    yield made
    made.lights.close()
    next(with_end, None)


def _fake(folder: Path, there: bool = True) -> Iterator[Rig]:
    lights = FakeLights()
    if not there:
        lights.fail("the lights are out")
    yield Rig(lights, lambda: None, lambda: lights.fail("the lights are out"), lambda: lights.fail(None))


def _fake_lamps(folder: Path, there: bool = True) -> Iterator[Rig]:
    lamps = FakeLamps()

    def opened() -> FakeLamps:
        if lamps.broken is not None:
            raise lamps.broken
        return lamps

    def cut() -> None:
        lamps.broken = PartLost("the lights went dark: the wire is cut", "lights_failed")

    def mend() -> None:
        lamps.broken = None

    if not there:
        cut()
    lights = DrivenLights(Shape(2, 9), opened)
    yield Rig(lights, lambda: tuple(lamp.level for row in lamps.rows for lamp in row), cut, mend, 18)


def _pins(pins: list[list[int]], most: int) -> Callable[..., Iterator[Rig]]:
    def rig(folder: Path, there: bool = True) -> Iterator[Rig]:
        factory = MockFactory(revision="c04170", pin_class=MockPWMPin)
        others: list[GpioLamps] = []
        lamps: list[GpioLamps] = []

        def opened() -> GpioLamps:
            lamps.append(GpioLamps(pins, pin_factory=factory))
            return lamps[-1]

        def cut() -> None:
            for one in lamps:
                one.close()  # as if its pins had been taken from it
            others.append(GpioLamps(pins, pin_factory=factory))

        def mend() -> None:
            for one in others:
                one.close()

        def seen() -> tuple[float, ...]:
            return tuple(round(float(factory.pin(pin).state), 3) for row in pins for pin in row)

        if not there:
            cut()
        yield Rig(DrivenLights(shape_of(pins), opened), seen, cut, mend, most)
        mend()
        factory.reset()

    return rig


def _spi(folder: Path, there: bool = True) -> Iterator[Rig]:
    spi = FakeSpi()

    def cut() -> None:
        spi.missing, spi.failing = FileNotFoundError(2, "No such file"), OSError(5, "Input/output error")

    def mend() -> None:
        spi.missing = spi.failing = None

    if not there:
        cut()
    lights = DrivenLights(STRIPS, lambda: SpiLamps(Chain(), make=lambda: spi))
    yield Rig(lights, lambda: tuple(spi.pixels), cut, mend)


def _linked(link: BoardLink, pixels: Callable[[], bytes], cut: Callable[[], None], mend: Callable[[], None]) -> Rig:
    lights = DrivenLights(STRIPS, lambda: BoardLamps(link, Chain(), pixels=96, brightness=255))
    rig = Rig(lights, lambda: (), cut, mend)

    def seen() -> tuple[float, ...]:
        assert waited(lambda: link.is_shown or not link.is_running), "the board does not show the newest frame"
        return tuple(pixels())

    rig.seen = seen
    return rig


def _board(folder: Path, there: bool = True) -> Iterator[Rig]:
    board = FakeBoard()
    board.is_plugged = there
    link = BoardLink(board.port, open_port=board.open_port, retry_s=0.02, patience_s=PATIENCE_S)
    yield _linked(link, lambda: board.pixels, board.unplug, board.plug)


def _firmware(folder: Path, there: bool = True) -> Iterator[Rig]:
    desk = _desk()
    if desk.micropython() is None:
        pytest.skip(desk.MISSING)
    board = desk.DeskBoard(folder / "desk", settings=desk.PATIENT)
    if there:
        board.plug()
    link = BoardLink(dev=board.dev, retry_s=0.05, patience_s=PATIENCE_S)
    yield _linked(link, lambda: board.pixels, board.unplug, lambda: board.plug("ttyACM1"))
    board.close()


def _desk() -> Any:
    """tests/hardware/desk_board.py, which is on the path only for the tests beside it."""
    path = Path(__file__).parents[2] / "hardware" / "desk_board.py"
    if "desk_board" not in sys.modules:
        spec = importlib.util.spec_from_file_location("desk_board", path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules["desk_board"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["desk_board"])
    return sys.modules["desk_board"]


_RIGS: dict[str, Callable[..., Iterator[Rig]]] = {
    "fake": _fake,
    "fake lamps": _fake_lamps,
    "bars": _pins(BARS, most=18),
    "status LEDs": _pins(STATUS, most=0),
    "spi": _spi,
    "board": _board,
    "firmware": _firmware,
}


def test_no_state_of_any_game_ever_raises_or_makes_a_fault(rig: Rig) -> None:
    rig.show(strokes(9, 9))  # a light board has been met by then, while "no fault yet" only means not looked yet
    assert rig.lights.fault is None
    for state in STATES:
        rig.lights.show(state.view, state.pattern, rig.t)
        for _ in range(3):
            rig.t += 0.4
            rig.lights.tick(rig.t)
            assert rig.lights.fault is None
    rig.lights.show(STATES[5].view, "a pattern that nobody knows", rig.t)
    rig.lights.tick(rig.t + 1.0)
    assert rig.lights.fault is None
    assert rig.lights.trouble is None


def test_all_is_dark_after_close_which_may_come_twice(rig: Rig) -> None:
    lit = rig.show(strokes(9, 9))
    assert lit is None or any(lit)
    rig.lights.close()
    rig.lights.close()
    assert rig.is_dark()
    rig.lights.tick(rig.t + 1.0)
    rig.lights.show(strokes(1), "turn", rig.t + 2.0)
    dark = rig.seen()
    assert dark is None or not any(dark)


def test_whose_turn_it_is_can_be_seen(rig: Rig) -> None:
    anns, bobs = (
        played({**game("pietjesbak", 2, strokes={"Ann": 4, "Bob": 4}), "opener": name})[0] for name in ("Ann", "Bob")
    )
    first = rig.show(anns)
    assert first is None or first != rig.show(bobs)


def test_every_number_of_strokes_has_its_form(rig: Rig) -> None:
    numbers = range(1, rig.most_strokes + 1) if rig.most_strokes else (9, 10)
    forms = [(rig.show(strokes(number)), rig.later(1.0)) for number in numbers]
    if forms[0][0] is None:
        pytest.skip("this fake keeps views, it has no lamps")
    assert len(set(forms)) == len(forms)


def test_lamps_that_fail_are_told_in_a_sentence_and_come_back(rig: Rig) -> None:
    before = rig.show(strokes(4))
    rig.cut()
    assert rig.wait_for(lambda: rig.lights.fault is not None)
    fault, key = rig.lights.fault, rig.lights.trouble
    assert fault is not None
    assert len(fault) > 15
    assert "\n" not in fault
    assert "Traceback" not in fault
    assert key == "failed" or all(wording(language).has("fault", str(key)) for language in LANGUAGES)
    rig.lights.show(strokes(7), "turn", rig.t)  # the game goes on in the dark
    rig.mend()
    assert rig.wait_for(lambda: rig.lights.fault is None)
    after = rig.later(12.0 * (rig.t // 12.0 + 1.0) - rig.t)
    assert after is None or (any(after) and (after != before or not rig.most_strokes))


def test_lamps_that_are_missing_at_the_start_are_told_and_come_later(kind: str, tmp_path: Path) -> None:
    with_end = _RIGS[kind](tmp_path, there=False)
    rig = next(with_end)
    rig.lights.show(strokes(4), "turn", rig.t)
    assert rig.wait_for(lambda: rig.lights.fault is not None)
    for _ in range(3):
        rig.t += 100.0
        rig.lights.tick(rig.t)
        assert rig.lights.fault is not None
    rig.mend()
    assert rig.wait_for(lambda: rig.lights.fault is None)
    lit = rig.later(1.0)
    assert lit is None or any(lit)
    rig.lights.close()
    next(with_end, None)


def test_the_score_is_the_same_whatever_the_lights_do(rig: Rig) -> None:
    events = [
        game("pietjesbak", 2, strokes={"Ann": 7}),
        throw(1, 4, 5),
        STOP,
        throw(2, 3, 4),
        throw(6, 5, 4),
        STOP,
        throw(2, 2, 3),
        throw(1, 1, 6),
    ]
    table = Table(MemoryJournal())
    outputs = Outputs(table, rig.lights, None)
    for n, event in enumerate(events):
        if n in (2, 6):
            rig.cut()
        if n == 4:
            rig.mend()
        told = table.say(event)
        assert told[0].error is None
        rig.t += 7.0
        outputs.tick(rig.t)
    assert table.now.view == played(*events)[-1]
    assert rig.wait_for(lambda: rig.lights.fault is not None)
    rig.mend()


def test_showing_never_keeps_the_table_waiting(rig: Rig) -> None:
    rig.show(strokes(4))
    rig.cut()
    for step in (0.05, MOST_RETRY_S + 1.0):  # between two tries, and with a try each time
        took = []
        for _ in range(25):
            rig.t += step
            began = time.perf_counter()
            rig.lights.tick(rig.t)
            took.append(time.perf_counter() - began)
        assert median(took) < 0.5  # this machine may stand still now and then


def test_one_row_is_tried_out_and_the_strokes_come_back(kind: str, rig: Rig) -> None:
    if kind == "fake":
        rig.lights.try_out(1)
        assert rig.lights.tried == 1
        return
    before = rig.show(strokes(4))
    rows, many = len(rig.lights.rows), rig.lights.lamps
    assert "Ann" in rig.lights.rows
    which = rows - 1
    rig.lights.try_out(which)
    assert rig.lights.tried == which
    winks = set()
    for _ in range(4):
        seen = rig.later(0.3)
        if kind in ("board", "firmware"):
            assert rig.wait_for(lambda: any(rig.seen() or ()))
            seen = rig.seen()
        assert seen is not None
        lit = [any(seen[len(seen) // rows * n : len(seen) // rows * (n + 1)]) for n in range(rows)]
        assert not any(lit[:which]), "every other row is dark"
        winks.add(lit[which])
    assert many == 1 or winks == {True}
    rig.lights.try_out(None)
    assert rig.lights.tried is None
    assert rig.show(strokes(4)) == before


def test_a_trial_ends_by_itself(kind: str, rig: Rig) -> None:
    if kind == "fake":
        return
    rig.show(strokes(4))
    rig.lights.try_out(0)
    rig.later(TRY_S + 0.1)
    assert rig.lights.tried is None
