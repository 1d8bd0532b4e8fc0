"""Small screens: one contract for all, luma's to the last byte, and the thread that never lets anybody wait."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from PIL import Image

from device.buttons.menu import Shown
from device.config import Config
from device.displays import FakePanel, Panel
from device.displays.choice import panel_of
from device.displays.ink import OLED, SQUARE, WIDE, Format
from device.displays.luma_panel import FORMATS, Backlight, LumaPanel, spi_wire
from device.displays.screen import Around, paint
from device.displays.showing import DIM, NEWS_S, SHIFT_S, Display
from device.errors import BadInput
from device.journal import MemoryJournal
from device.kept import PartLost
from device.snapshot import Eye
from device.table import Table
from device.wording import wording
from tests.waiting import PATIENCE_S, waited

WORDS = wording("nl")
START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


class Bus:
    """An I²C bus with an OLED of 128 × 64 on it: keeps what its memory would hold."""

    def __init__(self, columns: int = 128, first: int = 0) -> None:
        self.memory = np.zeros((8, 132), np.uint8)
        self.columns, self.first = columns, first
        self.page, self.column = 0, 0
        self.contrast = 0
        self.on = False
        self.gone = False

    def write_i2c_block_data(self, address: int, mode: int, block: list[int]) -> None:
        if self.gone or address != 0x3C:
            raise OSError(121, "Remote I/O error")
        if mode == 0x40:
            for byte in block:
                self.memory[self.page, self.column] = byte
                self.column += 1
                if self.column == self.first + self.columns:
                    self.column, self.page = self.first, (self.page + 1) % 8
        elif block[0] == 0x21:  # column and page address of an SSD1306
            self.column, self.page = block[1], block[4]
        elif 0xB0 <= block[0] <= 0xB7 and len(block) == 3:  # the page of an SH1106
            self.page, self.column = block[0] - 0xB0, (block[2] & 0x0F) << 4 | block[1]
        elif block[0] == 0x81:
            self.contrast = block[1]
        elif block[0] in (0xAE, 0xAF):
            self.on = block[0] == 0xAF

    def picture(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        bits = np.unpackbits(self.memory[:, self.first : self.first + 128, None], axis=2, bitorder="little")
        return bits.transpose(0, 2, 1).reshape(64, 128).astype(bool)


class Spi:
    """A `spidev.SpiDev` with a colour screen behind it, whose memory it keeps; `dc` tells data from commands."""

    def __init__(self, dc: Callable[[], bool]) -> None:
        self._dc = dc
        self._told: list[int] = []
        self._command = 0
        self._window = [0, 0, 0, 0]
        self.memory = np.zeros((320, 320, 3), np.uint8)
        self.max_speed_hz = 0
        self.opened: tuple[int, int] | None = None
        self.gone = False

    def open(self, port: int, device: int) -> None:
        self.opened = (port, device)

    def writebytes(self, data: Any) -> None:
        if self.gone:
            raise OSError(5, "Input/output error")
        if not self._dc():
            (self._command,), self._told = data, []
            return
        self._told += list(data)
        left, right, top, bottom = self._window
        if self._command in (0x2A, 0x2B) and len(self._told) == 4:
            high, low, high_end, low_end = self._told
            at = 0 if self._command == 0x2A else 2
            self._window[at : at + 2] = [high << 8 | low, (high_end << 8 | low_end) + 1]
        elif self._command == 0x2C and len(self._told) == (right - left) * (bottom - top) * 3:
            self.memory[top:bottom, left:right] = np.array(self._told, np.uint8).reshape(bottom - top, right - left, 3)

    def close(self) -> None:
        self.opened = None


@dataclass
class Made:
    """A screen under test, what it shows (None where that cannot be seen), how bright, and how it is unplugged."""

    panel: Panel
    seen: Callable[[], Image.Image]
    level: Callable[[], float]
    unplug: Callable[[], None]
    dark: Callable[[], bool]


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(revision="c04170", pin_class=MockPWMPin)
    yield made
    made.reset()


def fake(form: Format) -> Made:
    panel = FakePanel(form)

    def unplug() -> None:
        panel.lost = PartLost("the screen does not answer any more", "display_failed")

    return Made(panel, lambda: panel.shown[-1], lambda: panel.level, unplug, lambda: panel.closed)


def oled(kind: str) -> Made:
    from luma.core.interface.serial import i2c

    bus = Bus(first=2 if kind == "sh1106" else 0)
    panel = LumaPanel(kind, lambda: i2c(bus=bus, address=0x3C))
    return Made(
        panel,
        lambda: Image.fromarray(bus.picture()),
        lambda: bus.contrast / 0xCF,
        lambda: setattr(bus, "gone", True),
        lambda: not bus.on,
    )


def colour(kind: str, factory: MockFactory) -> Made:
    spi = Spi(lambda: bool(factory.pin(24).state))
    panel = LumaPanel(
        kind,
        lambda: spi_wire(0, 32, 24, 25, pin_factory=factory, spidev=spi),
        lamp=lambda: Backlight(18, pin_factory=factory),
    )
    return Made(
        panel,
        lambda: Image.fromarray(spi.memory[: panel.form.height, : panel.form.width]),
        lambda: float(factory.pin(18).state),
        lambda: setattr(spi, "gone", True),
        lambda: not factory.pin(18).state and spi.opened is None,
    )


class TestContract:
    @pytest.fixture(params=["fake", "ssd1306", "sh1106", "ssd1309", "st7789", "ili9341", "st7789-320"])
    def made(self, request: pytest.FixtureRequest, factory: MockFactory) -> Made:
        if request.param == "fake":
            return fake(OLED)
        return oled(request.param) if FORMATS[request.param].mono else colour(request.param, factory)

    def picture(self, made: Made) -> Image.Image:
        table = Table(MemoryJournal())
        table.say(START)
        table.say({"do": "throw", "dice": [1, 4, 5]})
        return paint(table.now, WORDS, made.panel.form)

    def test_shows_the_picture_dot_by_dot(self, made: Made) -> None:
        picture = self.picture(made)
        made.panel.show(picture)
        assert made.seen().convert("RGB").tobytes() == picture.convert("RGB").tobytes()

    def test_dims(self, made: Made) -> None:
        made.panel.bright(1.0)
        bright = made.level()
        made.panel.bright(DIM)
        assert 0.0 < made.level() < 0.5 * bright

    def test_unplugged_is_told_and_closing_is_no_trouble(self, made: Made) -> None:
        made.unplug()
        with pytest.raises(PartLost, match="does not answer"):
            made.panel.show(self.picture(made))
        made.panel.close()
        made.panel.close()

    def test_dark_after_close(self, made: Made) -> None:
        made.panel.show(self.picture(made))
        made.panel.close()
        made.panel.close()
        assert made.dark()


class TestLuma:
    def test_nothing_on_the_bus_is_told(self) -> None:
        from luma.core.interface.serial import i2c

        with pytest.raises(PartLost, match=r"no screen ssd1306: .*0x3D.*is it plugged in") as lost:
            LumaPanel("ssd1306", lambda: i2c(bus=Bus(), address=0x3D))
        assert lost.value.key == "display_absent"

    @pytest.mark.parametrize("kind", ["ssd1306", "st7789"])
    def test_a_machine_without_the_bus_is_told(self, kind: str) -> None:
        opened = panel_of(Config().with_values(display__kind=kind, display__port=22), pin_factory=MockFactory())
        assert opened is not None
        with pytest.raises(PartLost, match="no screen"):
            opened()

    def test_without_luma_the_missing_package_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "luma.core.device", None)
        with pytest.raises(PartLost, match=r"install pietjesoog\[display\]") as lost:
            LumaPanel("ssd1306", lambda: None)
        assert lost.value.key == "display_software"

    def test_pins_that_are_taken_are_told_and_all_is_given_back(self, factory: MockFactory) -> None:
        from gpiozero import LED

        taken = LED(18, pin_factory=factory)
        with pytest.raises(PartLost, match="no screen st7789"):
            colour("st7789", factory)
        taken.close()
        colour("st7789", factory).panel.close()
        LED(24, pin_factory=factory).close()  # free again

    def test_opening_again_and_again_keeps_nothing(self) -> None:
        import atexit

        from luma.core.interface.serial import i2c

        before = atexit._ncallbacks()
        for _ in range(5):
            LumaPanel("ssd1306", lambda: i2c(bus=Bus(), address=0x3C)).close()
        assert atexit._ncallbacks() == before

    def test_upside_down(self) -> None:
        from luma.core.interface.serial import i2c

        bus = Bus()
        panel = LumaPanel("ssd1306", lambda: i2c(bus=bus, address=0x3C), turned=2)
        picture = Image.new("1", (128, 64))
        picture.putpixel((0, 0), 1)
        panel.show(picture)
        assert bus.picture()[63, 127]

    @pytest.mark.parametrize(
        ("kind", "turned", "fits"), [("ssd1306", 1, False), ("st7789", 1, True), ("ili9341", 2, True)]
    )
    def test_only_a_square_screen_hangs_on_its_side(self, kind: str, turned: int, fits: bool) -> None:
        config = Config().with_values(display__kind=kind, display__turned=turned)
        if fits:
            assert panel_of(config) is not None
        else:
            with pytest.raises(BadInput, match=r"display\.turned"):
                panel_of(config)

    def test_every_kind_of_the_settings_has_a_format(self) -> None:
        assert panel_of(Config()) is None
        for kind, form in FORMATS.items():
            assert Config().with_values(display__kind=kind).text("display.kind") == kind
            assert form in (OLED, SQUARE, WIDE)


class Hung:
    """A display whose clock is moved by hand, over screens that a test makes."""

    def __init__(self, *panels: Any) -> None:
        self.table = Table(MemoryJournal())
        self.t = 1000.0
        self.opened = 0
        self._panels = list(panels) or [FakePanel(OLED)]
        self.display = Display(self.table, WORDS, self._open, clock=lambda: self.t)

    def _open(self) -> Panel:
        self.opened += 1
        made = self._panels.pop(0) if len(self._panels) > 1 else self._panels[0]
        if isinstance(made, Exception):
            raise made
        assert isinstance(made, FakePanel)
        self.panel = made
        return made

    def wait(self, seconds: float) -> None:
        self.t += seconds
        self.display.turn(self.t)


class TestDisplay:
    def test_shows_the_latest_moment_and_nothing_twice(self) -> None:
        hung = Hung()
        hung.wait(0.0)
        hung.table.say(START)
        hung.table.saw_throw((1, 4, 5))
        hung.wait(0.1)
        hung.wait(0.1)
        assert len(hung.panel.shown) == 2  # the welcome, and the throw
        news = paint(hung.table.now, WORDS, OLED)
        assert hung.panel.shown[-1].tobytes() == news.tobytes()
        hung.table.saw_throw((2, 2, 3))
        hung.wait(0.1)
        hung.wait(NEWS_S)
        calm = paint(hung.table.now, WORDS, OLED, Around(fresh=False))
        assert hung.panel.shown[-1].tobytes() == calm.tobytes() != hung.panel.shown[-2].tobytes()

    def test_dims_shifts_sleeps_and_wakes_on_dice(self) -> None:
        hung = Hung()
        hung.table.say(START)
        hung.wait(0.0)
        assert hung.panel.level == 1.0
        shown = {hung.panel.shown[-1].tobytes()}
        for _ in range(8):
            hung.wait(SHIFT_S)
            shown.add(hung.panel.shown[-1].tobytes())
        assert hung.panel.level == DIM
        assert len(shown) == 8  # in eight places by turns
        hung.wait(1800.0)
        lit = np.asarray(hung.panel.shown[-1]).mean()
        hung.wait(60.0)
        assert lit < 0.02
        assert hung.panel.shown[-1].tobytes() != hung.panel.shown[-2].tobytes()
        hung.table.look(Eye.READING)
        hung.wait(0.1)
        assert hung.panel.level == 1.0
        assert np.asarray(hung.panel.shown[-1]).mean() > 0.1

    def test_what_a_button_lays_over_is_shown_and_taken_away(self) -> None:
        hung = Hung()
        hung.table.say(START)
        hung.wait(NEWS_S)
        before = hung.panel.shown[-1].tobytes()
        hung.display.lay_over(Shown("Menu", ("Pauze", "Terug"), 1, "kort: verder"))
        hung.wait(0.1)
        assert hung.panel.shown[-1].tobytes() != before
        hung.display.lay_over(None)
        hung.wait(0.1)
        assert hung.panel.shown[-1].tobytes() == before

    def test_a_screen_that_comes_late_goes_and_comes_back(self) -> None:
        first, second = FakePanel(OLED), FakePanel(OLED)
        hung = Hung(PartLost("no screen", "display_absent"), first, second)
        hung.wait(0.0)
        assert hung.display.health() == {"ok": False, "message": "no screen", "trouble": "display_absent"}
        hung.wait(2.0)
        assert hung.display.health()["ok"] is True
        assert first.shown
        first.lost = PartLost("it does not answer", "display_failed")
        hung.table.say(START)
        hung.wait(1.0)
        assert hung.display.health()["message"] == "it does not answer"
        assert first.closed
        hung.wait(3.0)
        assert hung.display.health()["ok"] is True
        assert second.shown[-1].tobytes() == paint(hung.table.now, WORDS, OLED, Around(fresh=False)).tobytes()

    def test_tries_grow_rarer(self) -> None:
        hung = Hung(PartLost("no screen"))
        for _ in range(600):
            hung.wait(1.0)
        assert 8 < hung.opened < 20

    def test_a_screen_that_hangs_holds_up_nobody_and_is_told(self) -> None:
        let_go = threading.Event()

        class Stuck(FakePanel):
            def show(self, picture: Image.Image) -> None:
                let_go.wait()

        table = Table(MemoryJournal())
        now = [0.0]
        display = Display(table, WORDS, lambda: Stuck(OLED), clock=lambda: now[0])
        display.start()
        began = time.monotonic()
        for _ in range(50):
            table.say(START)
        assert time.monotonic() - began < PATIENCE_S / 2  # the screen takes for ever
        assert waited(lambda: display._entered is not None)
        now[0] += 60.0
        assert "hangs" in str(display.health()["message"])
        let_go.set()
        display.close()
        display.close()
