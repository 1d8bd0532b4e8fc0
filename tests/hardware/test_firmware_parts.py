"""The firmware's parts under CPython: the same bytes as the host's, the same caps, buttons without bounce."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from device.lights import chain, fake_board, frames

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"


def part(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"firmware_{name}", FIRMWARE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


board_frames, glow, keys, pins = (part(name) for name in ("frames", "glow", "keys", "pins"))
CHANCE = random.Random(11)


def test_both_sides_make_and_read_the_same_lines() -> None:
    for seq in (0, 1, 65535, 65536, 70000):
        body = bytes(CHANCE.randrange(256) for _ in range(CHANCE.randrange(300)))
        told = frames.line(seq, "SHOW", body)
        assert board_frames.line(seq, "SHOW", body) == told
        assert board_frames.Lines().feed(told) == [(seq & 0xFFFF, "SHOW", body)]
        assert frames.Lines().feed(board_frames.line(seq, "KEY", body)) == [(seq & 0xFFFF, "KEY", body)]


def test_both_sides_throw_the_same_garbage_away() -> None:
    for _ in range(300):
        data = bytearray(frames.line(CHANCE.randrange(9), "SHOW", bytes(CHANCE.randrange(9))) * 2)
        for _ in range(CHANCE.randrange(3)):
            data[CHANCE.randrange(len(data))] = CHANCE.choice(b"$*\n\r,\x00\xff0aZ")
        here, there = frames.Lines(), board_frames.Lines()
        pieces = [bytes(data[n : n + 7]) for n in range(0, len(data), 7)]
        assert [tuple(got) for piece in pieces for got in here.feed(piece)] == [
            got for piece in pieces for got in there.feed(piece)
        ]


def test_both_sides_keep_to_the_same_current() -> None:
    for _ in range(200):
        count = CHANCE.choice((1, 12, 96))
        pixels = bytes(CHANCE.choice((0, 1, 90, 255)) for _ in range(3 * count))
        brightness, most_ma = CHANCE.randrange(256), CHANCE.randrange(100, 3000)
        told = glow.capped(pixels, brightness, 255, most_ma, count)
        assert told == chain.capped(pixels, brightness, most_ma)
        assert glow.milliamps(told, count) == chain.milliamps(told, count)
        assert chain.milliamps(told, count) <= most_ma or not any(told)


def test_the_cap_on_brightness_is_the_boards() -> None:
    assert max(glow.capped(bytes([255] * 3), 255, 160, 500, 1)) == 160
    assert (pins.MOST_BRIGHTNESS, pins.MOST_MA) == (fake_board.MOST_BRIGHTNESS, fake_board.MOST_MA)


def test_a_lonely_board_shows_one_faint_pixel_that_walks() -> None:
    seen = [glow.alone(ms, 12) for ms in range(0, 6000, 250)]
    assert all(sum(map(bool, pixels)) == 3 and max(pixels) < 10 for pixels in seen)
    assert len(set(seen)) == 12
    assert glow.alone(5, 0) == b""


def test_no_pin_does_two_things_and_all_are_on_a_pico() -> None:
    used = [pins.PIXEL_DATA, *(pin for _, pin in pins.BUTTONS), *pins.SEAT_BUTTONS, *pins.SEAT_LIGHTS]
    assert len(set(used)) == len(used) == 1 + 3 + 8 + 8
    assert set(used) <= {*range(23), 26, 27, 28}
    assert [name for name, _ in pins.BUTTONS] == ["stop", "undo", "menu"]
    assert pins.PIXELS == 96
    assert pins.LOST_MS == 3000


class TestKeys:
    """A contact, millisecond by millisecond."""

    def events(self, contacts: str, start: int = 0, step: int = 1) -> list[tuple[int, int, int]]:
        made = keys.Keys(2, lambda a, b: (a - b + 2**29) % 2**30 - 2**29)
        found = []
        for n, down in enumerate(contacts):
            found += made.look(int(down), (start + n * step) % 2**30)
        return found

    def test_a_press_and_its_release_at_the_times_of_the_contact(self) -> None:
        assert self.events("0" * 5 + "1" * 50 + "0" * 50) == [(0, keys.PRESSED, 5), (0, keys.RELEASED, 55)]

    def test_bounce_is_one_press(self) -> None:
        assert [kind for _, kind, _ in self.events("0" + "10110100" + "1" * 60 + "0101" + "0" * 60)] == [
            keys.PRESSED,
            keys.RELEASED,
        ]

    def test_a_disturbance_is_no_press(self) -> None:
        assert self.events("0" * 20 + "1" * 9 + "0" * 40) == []

    def test_held_long_is_told_once_while_it_is_held(self) -> None:
        events = self.events("1" * 2000 + "0" * 50)
        assert [kind for _, kind, _ in events] == [keys.PRESSED, keys.LONG, keys.RELEASED]
        assert events[1][2] == pytest.approx(keys.LONG_MS, abs=2)

    def test_the_clock_may_wrap_round(self) -> None:
        assert [kind for _, kind, _ in self.events("0" * 5 + "1" * 50 + "0" * 50, start=2**30 - 30)] == [
            keys.PRESSED,
            keys.RELEASED,
        ]

    def test_two_buttons_are_two(self) -> None:
        assert {key for key, _, _ in self.events("3" * 50)} == {0, 1}


def test_the_firmware_imports_nothing_that_a_pico_lacks() -> None:
    allowed = {"binascii", "array", "os", "time", "select", "sys", "machine", "micropython", "neopixel"}
    own = {path.stem for path in FIRMWARE.glob("*.py")}
    for path in FIRMWARE.glob("*.py"):
        names = {
            words[1].split(".")[0]
            for words in (told.split() for told in path.read_text().splitlines())
            if len(words) > 1 and words[0] in ("import", "from")
        }
        assert names <= allowed | own, path.name
    assert "machine" not in sys.modules
