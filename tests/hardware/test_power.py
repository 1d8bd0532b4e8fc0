"""The current budgets hold, and they are those of the firmware."""

from __future__ import annotations

import pytest

from hardware import power
from hardware.firmware import glow, pins
from hardware.power import LIMITS, LOADS, MOST_USED, PINS_MA, drawn, led_ma, pixels_white_ma
from hardware.printed import BUILDS
from hardware.shopping import lines


@pytest.mark.parametrize("build", BUILDS)
def test_nothing_draws_more_than_is_allowed(build: str) -> None:
    for way, limit in LIMITS[build].items():
        assert 0 < drawn(build, way) <= limit * (MOST_USED if way == "supply" else 1), way


@pytest.mark.parametrize("build", BUILDS)
def test_everything_ends_at_the_supply(build: str) -> None:
    assert all("supply" in load.ways for load in LOADS[build])
    assert drawn(build, "supply") == sum(load.total for load in LOADS[build])


def test_all_pixels_white_would_draw_nearly_six_amperes() -> None:
    # 96 × 3 × 20 mA and 1 mA for each chip
    assert pixels_white_ma() == 96 * 61 == pytest.approx(5800, abs=100)


def test_the_firmware_keeps_white_pixels_within_what_is_budgeted() -> None:
    white = b"\xff" * 3 * pins.PIXELS
    shown = glow.capped(white, 255, pins.MOST_BRIGHTNESS, pins.MOST_MA, pins.PIXELS)
    assert any(shown)
    budgeted = next(load.total for load in LOADS["table"] if load.name.startswith("pixels"))
    assert glow.milliamps(shown, pins.PIXELS) <= budgeted == pins.MOST_MA
    assert pins.MOST_MA < power.FUSE_MA


def test_a_budget_follows_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    white = b"\xff" * 3 * pins.PIXELS
    monkeypatch.setattr(pins, "MOST_MA", 200)
    shown = glow.capped(white, 255, pins.MOST_BRIGHTNESS, pins.MOST_MA, pins.PIXELS)
    assert glow.milliamps(shown, pins.PIXELS) <= 200


def test_a_kiloohm_is_right_and_330_ohm_too_little() -> None:
    assert 18 * led_ma(power.LED_OHM) <= PINS_MA < 18 * led_ma(330)
    assert {line.part for line in lines("small")} >= {"resistor_1k"}


def test_loads_are_as_many_as_the_parts_lists_say() -> None:
    for build, part, start in (("small", "led", "LEDs"), ("cafe", "seat_button", "seat lamps")):
        count = next(load.count for load in LOADS[build] if load.name.startswith(start))
        assert count == next(line.quantity for line in lines(build) if line.part == part)
