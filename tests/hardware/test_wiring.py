"""Every pin of every drawing is the pin of the settings and of the firmware, and every part drawn is on the list."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml
from gpiozero.pins.pi import PiBoardInfo

from device.config import Config, load
from device.pins import clashes, pins_of
from hardware.firmware import pins as firmware
from hardware.printed import BUILDS
from hardware.shopping import lines

FOLDER = Path(__file__).parents[2] / "hardware" / "builds"
PI_5 = PiBoardInfo.from_revision(0xC04170).headers["J8"].pins
PICO_GROUND = {3, 8, 13, 18, 23, 28, 33, 38}
STRAY = {"GPIO0", "GPIO1"}  # for the identity chip of add-on boards

Wire = tuple[tuple[str, str], tuple[str, str]]


@cache
def drawn(build: str) -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load((FOLDER / build / "wiring.yaml").read_text("utf-8"))
    return told


def config(build: str) -> Config:
    return load(FOLDER / build / "settings.toml")


def labels(build: str, connector: str) -> dict[str, str]:
    """Pin → what it is, as the drawing says."""
    told = drawn(build)["connectors"][connector]
    names = told["pinlabels"]
    return {str(pin): str(name) for pin, name in zip(told.get("pins", range(1, len(names) + 1)), names, strict=True)}


def several(told: object) -> list[str]:
    """The pins of one step of a connection: one, a list, or a range such as 1-10."""
    out: list[str] = []
    for pin in told if isinstance(told, list) else [told]:
        first, dash, last = str(pin).partition("-")
        if dash and first.isdecimal() and last.isdecimal():
            out += [str(n) for n in range(int(first), int(last) + 1)]
        else:
            out.append(str(pin))
    return out


def wires(build: str) -> Iterator[Wire]:
    """Both ends of every wire as (connector, pin)."""
    for path in drawn(build)["connections"]:
        steps = [next(iter(step.items())) for step in path] if isinstance(path[0], dict) else path
        (left, left_pins), (_, cores), (right, right_pins) = steps
        ends = zip(several(left_pins), several(cores), several(right_pins), strict=True)
        yield from (((left, a), (right, b)) for a, _, b in ends)


def far_end(build: str, connector: str, pin: str) -> list[tuple[str, str]]:
    """What a pin is wired to, as (connector, label of the pin there)."""
    found = []
    for one, other in wires(build):
        for here, there in ((one, other), (other, one)):
            if here == (connector, pin):
                found.append((there[0], labels(build, there[0])[there[1]]))
    return found


def gpio(number: object) -> str:
    return f"GPIO{number}"


def parts_drawn(build: str) -> Counter[str]:
    """How often each part is drawn; a strip of pixels counts its pixels, wire is left out."""
    count: Counter[str] = Counter()
    for told in drawn(build)["connectors"].values():
        if "pn" in told:
            count[told["pn"]] += firmware.PIXELS if told["pn"] == "pixels" else 1
        for more in told.get("additional_components", []):
            count[more["pn"]] += more["qty"]
    for told in drawn(build)["cables"].values():
        if "pn" in told and not told["pn"].startswith("wire"):
            count[told["pn"]] += 1
    return count


@pytest.mark.parametrize("build", BUILDS)
def test_pins_of_the_pi_are_what_the_drawing_calls_them(build: str) -> None:
    for pin, label in labels(build, "PI").items():
        if not pin.isdecimal():
            continue  # a socket
        name = PI_5[int(pin)].name
        assert label.split()[0] == {"3V3": "3V3", "5V": "5V", "GND": "GND"}.get(name, name), pin
        assert name not in STRAY


@pytest.mark.parametrize("build", ["table", "cafe"])
def test_pads_of_the_pico_are_what_the_drawing_calls_them(build: str) -> None:
    ground = 0
    expected = {}
    for pad in range(1, 30):  # GP0 to GP22 in order, with a ground at every fifth pad
        ground += pad in PICO_GROUND
        expected[pad] = "GND" if pad in PICO_GROUND else f"GP{pad - 1 - ground}"
    expected |= {38: "GND", 40: "VBUS 5 V"}
    for name, label in labels(build, "PICO").items():
        if name.isdecimal():
            assert label == expected[int(name)], name


@pytest.mark.parametrize("build", BUILDS)
def test_every_wire_has_two_ends_that_there_are(build: str) -> None:
    for ends in wires(build):
        for connector, pin in ends:
            assert pin in labels(build, connector), (connector, pin)


@pytest.mark.parametrize("build", BUILDS)
def test_every_pin_drawn_is_wired_and_only_grounds_twice(build: str) -> None:
    used = Counter(end for pair in wires(build) for end in pair)
    for connector in drawn(build)["connectors"]:
        for pin, label in labels(build, connector).items():
            assert used[(connector, pin)] >= 1, (connector, pin)
            assert used[(connector, pin)] == 1 or label == "GND", (connector, pin)


def test_rows_of_leds_are_on_the_pins_of_the_settings() -> None:
    rows = config("small")["lights.pins"]
    assert config("small").text("lights.kind") == "gpio"
    assert isinstance(rows, list)
    for row, pins in zip(("ROW_A", "ROW_B"), rows, strict=True):
        wired = [far_end("small", row, str(n)) for n in range(1, 10)]
        assert wired == [[("PI", gpio(pin))] for pin in pins]
        assert far_end("small", row, "10") == [("PI", "GND")]


def test_the_one_button_is_on_the_pin_of_the_settings() -> None:
    assert config("small").text("buttons.kind") == "gpio"
    assert {config("small").whole(f"buttons.{name}_pin") for name in ("undo", "menu")} == {-1}
    ends = far_end("small", "STOP", "1") + far_end("small", "STOP", "2")
    assert ends == [("PI", gpio(config("small").whole("buttons.stop_pin"))), ("PI", "GND")]


@pytest.mark.parametrize("build", BUILDS)
def test_no_pin_is_claimed_twice_and_every_claimed_one_is_drawn(build: str) -> None:
    assert clashes(config(build)) == []
    claimed = {gpio(pin) for pin, _ in pins_of(config(build))}
    assert {label.split()[0] for label in labels(build, "PI").values() if label.startswith("GPIO")} == claimed
    assert len(claimed) == {"small": 19, "table": 2, "cafe": 2}[build]


@pytest.mark.parametrize("build", ["table", "cafe"])
def test_the_oled_is_on_the_bus_of_the_settings(build: str) -> None:
    settings = config(build)
    assert settings.text("display.kind") in ("sh1106", "ssd1306", "ssd1309")
    assert (settings.text("display.bus"), settings.whole("display.port")) == ("i2c", 1)
    assert f"0x{settings.whole('display.address'):X}" in drawn(build)["connectors"]["OLED"]["subtype"]
    pin_of = {label: pin for pin, label in labels(build, "OLED").items()}
    # bus 1 of a Pi is on GPIO2 and GPIO3
    assert far_end(build, "OLED", pin_of["SDA"]) == [("PI", "GPIO2 (SDA)")]
    assert far_end(build, "OLED", pin_of["SCL"]) == [("PI", "GPIO3 (SCL)")]
    assert far_end(build, "OLED", pin_of["VCC"]) == [("PI", "3V3")]
    assert "i2c" in PI_5[3].interfaces


@pytest.mark.parametrize("build", ["table", "cafe"])
def test_the_light_board_is_wired_as_its_firmware_says(build: str) -> None:
    settings = config(build)
    assert settings.text("lights.kind") == "board"
    assert settings.whole("lights.strips") * settings.whole("lights.pixels") == firmware.PIXELS
    assert far_end(build, "ADAPTER", "2") == [("PICO", f"GP{firmware.PIXEL_DATA}")]
    assert far_end(build, "ADAPTER", "1") == [("PICO", "VBUS 5 V")]
    assert far_end(build, "PIXELS", "2") == [("ADAPTER", "data out")]
    for name, pin in firmware.BUTTONS:
        ends = far_end(build, name.upper(), "1") + far_end(build, name.upper(), "2")
        assert ends == [("PICO", f"GP{pin}"), ("PICO", "GND")]


def test_seats_are_wired_as_the_firmware_says() -> None:
    assert len(firmware.SEAT_BUTTONS) == len(firmware.SEAT_LIGHTS) == 8
    for n, (button, light) in enumerate(zip(firmware.SEAT_BUTTONS, firmware.SEAT_LIGHTS, strict=True), 1):
        ends = [far_end("cafe", f"SEAT{n}", pin) for pin in "123"]
        assert ends == [[("PICO", f"GP{button}")], [("PICO", f"GP{light}")], [("PICO", "GND")]]


@pytest.mark.parametrize("build", BUILDS)
def test_every_part_drawn_is_on_the_list_as_often_and_the_other_way_round(build: str) -> None:
    listed = {line.part: line for line in lines(build)}
    wired = {name: line.quantity for name, line in listed.items() if line.wired and not name.startswith("wire")}
    assert parts_drawn(build) == wired


@pytest.mark.parametrize("build", BUILDS)
def test_there_is_wire_enough(build: str) -> None:
    metres: dict[str, float] = defaultdict(float)
    for told in drawn(build)["cables"].values():
        if told.get("pn", "").startswith("wire"):
            metres[told["pn"]] += len(told["colors"]) * told["length"]
    if build != "small":
        metres["wire_thick"] += 7 * 3 * 0.2  # from strip to strip
    listed = {line.part: line.quantity for line in lines(build) if line.part.startswith("wire")}
    assert listed.keys() == metres.keys()
    for part, length in metres.items():
        assert length <= listed[part] <= 1.6 * length + 2, (part, length)


@pytest.mark.parametrize("build", BUILDS)
def test_the_drawing_shows_what_its_file_says(build: str) -> None:
    picture = unescape((FOLDER / build / "wiring.svg").read_text("utf-8"))
    shown = set(re.findall(r">([^<>]+)</text>", picture))
    told = [f"{where}:{pin}:{labels(build, where)[pin]}" for ends in wires(build) for where, pin in ends]
    told += drawn(build)["connectors"]
    told += [f"P/N: {part}" for part in parts_drawn(build)]
    stale = sorted(name for name in told if name not in shown)
    assert not stale, "draw it anew: make hardware HARDWARE=drawings"
