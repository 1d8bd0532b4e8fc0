"""Pixels to the last bit on SPI, LEDs on mock pins, and the choice between them by the settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.config import LANGUAGES, BadSetting, Config
from device.kept import PartLost
from device.lights.board import BoardLamps
from device.lights.board_link import BoardLink
from device.lights.chain import Chain, capped, milliamps
from device.lights.choice import lights_of, limit, strips
from device.lights.driven import DrivenLights
from device.lights.gpio import GpioLamps, duty, shape_of
from device.lights.lamp import DARK, GAMMA, Hue, Lamp, Row, rgb
from device.lights.scene import Shape
from device.lights.sheet import main
from device.lights.spi import BIT_HZ, RESET, FakeSpi, SpiLamps, encoded
from device.wording import wording

PINS = [[4, 17, 27, 22, 5, 6, 13, 19, 26], [14, 15, 18, 23, 24, 25, 12, 16, 20]]
BRIGHT: Row = (Lamp(1.0),) * 9
NONE: Row = (DARK,) * 9


class TestSpi:
    def test_every_bit_of_light_is_three_bits_of_spi(self) -> None:
        for pixel in ((0, 0, 0), (255, 255, 255), (1, 2, 4), (170, 85, 240)):
            red, green, blue = pixel
            bits = "".join(f"{byte:08b}" for byte in (green, red, blue))
            wanted = "".join("110" if bit == "1" else "100" for bit in bits)
            sent = "".join(f"{byte:08b}" for byte in encoded(bytes(pixel))[: -len(RESET)])
            assert sent == wanted

    def test_the_wires_of_one_red_pixel_to_the_byte(self) -> None:
        assert encoded(bytes((255, 0, 0)))[:9].hex() == "924924" + "db6db6" + "924924"

    def test_ninety_six_pixels_are_954_bytes_with_a_silence_of_300_microseconds(self) -> None:
        sent = encoded(bytes(288))
        assert len(sent) == 954
        assert len(RESET) * 8 / BIT_HZ == pytest.approx(300e-6)
        assert sent.endswith(RESET)

    def test_the_bus_is_set_as_the_pixels_want_it(self) -> None:
        spi = FakeSpi()
        SpiLamps(Chain(), make=lambda: spi)
        assert (spi.max_speed_hz, spi.mode) == (2_400_000, 0)

    def test_pixels_come_in_the_order_of_the_chain(self) -> None:
        spi = FakeSpi()
        lamps = SpiLamps(Chain(), brightness=255, most_ma=5000, make=lambda: spi)
        lamps.put(((Lamp(1.0, Hue.ROSE), DARK), (DARK, Lamp(1.0, Hue.SKY))))
        assert spi.pixels == bytes(Hue.ROSE.value) + bytes(6) + bytes(Hue.SKY.value)

    def test_a_panel_wired_in_zigzag_is_turned_row_by_row(self) -> None:
        rows = ((Lamp(1.0), DARK), (Lamp(1.0), DARK), (Lamp(1.0), DARK))
        lit = [any(Chain(zigzag=True).pixels(rows)[3 * n : 3 * n + 3]) for n in range(6)]
        assert lit == [True, False, False, True, True, False]

    def test_the_same_is_sent_again_every_second(self) -> None:
        spi = FakeSpi()
        lamps = SpiLamps(Chain(), make=lambda: spi)
        for _ in range(41):
            lamps.put((BRIGHT,))
        assert len(spi.sent) == 3

    @pytest.mark.parametrize(
        ("error", "words", "key"),
        [
            (FileNotFoundError(2, "No such file"), "is SPI switched on", "lights_absent"),
            (PermissionError(13, "Permission denied"), "group spi", "lights_forbidden"),
            (OSError(16, "Device or resource busy"), "resource busy", "lights_failed"),
        ],
    )
    def test_why_it_cannot_be_used_is_told(self, error: OSError, words: str, key: str) -> None:
        with pytest.raises(PartLost) as lost:
            SpiLamps(Chain(), make=lambda: FakeSpi(missing=error))
        assert words in str(lost.value)
        assert lost.value.key == key

    def test_without_the_library_one_sentence(self) -> None:
        try:
            import spidev  # noqa: F401
        except ImportError:
            with pytest.raises(PartLost, match="spidev is missing"):
                SpiLamps(Chain())
        else:
            pytest.skip("spidev is installed here")


class TestCurrent:
    def test_all_white_stays_below_the_cap(self) -> None:
        white = bytes([255]) * 288
        assert milliamps(white, 96) == 96 + 288 * 20 == 5856
        for cap in (150, 300, 500, 900, 6000):
            assert milliamps(capped(white, 255, cap), 96) <= cap

    def test_what_is_lit_stays_lit(self) -> None:
        pixels = bytes([255, 1, 0] * 96)
        told = capped(pixels, 255, 300)
        assert [value > 0 for value in told] == [value > 0 for value in pixels]

    def test_below_the_cap_nothing_but_the_brightness_counts(self) -> None:
        assert capped(bytes((200, 100, 0)), 255, 500) == bytes((200, 100, 0))
        assert capped(bytes((200, 100, 0)), 128, 500) == bytes((101, 51, 0))

    def test_a_budget_too_small_for_anything_leaves_all_dark(self) -> None:
        assert capped(bytes([255]) * 288, 255, 96) == bytes(288)


class TestColour:
    def test_half_the_level_is_far_less_than_half_the_light(self) -> None:
        assert rgb(Lamp(0.5, Hue.SKY))[2] == round(255 * 0.5**GAMMA)

    def test_a_faint_lamp_never_goes_out(self) -> None:
        for hue in Hue:
            assert max(rgb(Lamp(0.001, hue))) == 1
            assert rgb(Lamp(0.0, hue)) == (0, 0, 0)


class TestPins:
    @pytest.fixture
    def factory(self) -> Iterator[MockFactory]:
        made = MockFactory(revision="c04170", pin_class=MockPWMPin)
        yield made
        made.reset()

    def states(self, factory: MockFactory) -> list[list[float]]:
        return [[float(factory.pin(pin).state) for pin in row] for row in PINS]

    def test_pins_carry_the_levels(self, factory: MockFactory) -> None:
        lamps = GpioLamps(PINS, pin_factory=factory)
        lamps.put(((Lamp(1.0),) * 3 + (DARK,) * 6, (Lamp(0.5),) * 2 + (DARK,) * 7))
        assert self.states(factory)[0] == [1.0] * 3 + [0.0] * 6
        assert self.states(factory)[1] == pytest.approx([duty(Lamp(0.5))] * 2 + [0.0] * 7)
        lamps.close()

    def test_all_dark_after_close(self, factory: MockFactory) -> None:
        lamps = GpioLamps(PINS, pin_factory=factory)
        lamps.put((BRIGHT, BRIGHT))
        lamps.close()
        assert not any(map(any, self.states(factory)))

    def test_busy_pins_are_told_and_those_taken_already_given_back(self, factory: MockFactory) -> None:
        other = GpioLamps([PINS[1]], pin_factory=factory)
        with pytest.raises(PartLost) as lost:
            GpioLamps(PINS, pin_factory=factory)
        assert lost.value.key == "lights_busy"
        GpioLamps([PINS[0]], pin_factory=factory).close()
        other.close()

    def test_a_machine_without_pins_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Device, "pin_factory", None)
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nothing_of_that_name")
        with pytest.raises(PartLost, match="no lights") as lost:
            GpioLamps(PINS)
        assert lost.value.key == "lights_absent"

    def test_pins_that_fail_later_are_told(self, factory: MockFactory) -> None:
        lamps = GpioLamps(PINS, pin_factory=factory)
        lamps.bars[0].close()
        with pytest.raises(PartLost, match="went dark"):
            lamps.put((BRIGHT, NONE))
        lamps.close()

    def test_rows_of_one_pin_are_status_leds(self) -> None:
        assert shape_of([[4], [17], [27]]).lamps == 1
        assert shape_of([[4, 5, 6], [17, 18]]).lamps == 2


class TestChoice:
    def test_the_settings_name_the_lights(self) -> None:
        assert lights_of(Config()) is None
        lights = lights_of(Config().with_values(lights__kind="spi"))
        assert isinstance(lights, DrivenLights)
        assert lights.fault is not None  # no SPI on this machine, or no library
        assert "no lights" in lights.fault

    def test_the_board_is_looked_for_at_its_port(self, tmp_path: Path) -> None:
        lights = lights_of(Config().with_values(lights__kind="board", lights__port=str(tmp_path / "gone")))
        assert isinstance(lights, DrivenLights)
        assert isinstance(lights._lamps, BoardLamps)
        lights.close()

    def test_strips_around_the_board_begin_where_the_settings_say(self) -> None:
        assert strips(Config()).ring_deg is None
        around = strips(Config().with_values(lights__around=True, lights__first_deg=90.0, lights__strips=6))
        assert (around.rows, around.lamps, around.ring_deg) == (6, 12, 90.0)

    @pytest.mark.parametrize(
        ("kind", "players", "told"),
        [("gpio", 2, None), ("gpio", 3, "turn_only"), ("board", 8, None), ("spi", 8, None), ("none", 8, None)],
    )
    def test_what_they_cannot_show_is_told(self, kind: str, players: int, told: str | None) -> None:
        assert limit(Config().with_values(lights__kind=kind), players) == told
        assert told is None or all(wording(language).has("lights", told) for language in LANGUAGES)

    def test_so_is_what_status_leds_cannot_show(self) -> None:
        config = Config().with_values(lights__kind="gpio", lights__pins=[[4], [17]])
        assert limit(config, 2) == "no_strokes"
        assert limit(config, 3) == "turn_winked"
        for language in LANGUAGES:
            assert wording(language).has("lights", "no_strokes")
            assert wording(language).has("lights", "turn_winked")

    @pytest.mark.parametrize(
        "wrong", [{"lights__kind": "neon"}, {"lights__strips": 9}, {"lights__brightness": 0}, {"lights__spi": "3.1"}]
    )
    def test_a_wrong_setting_is_told(self, wrong: dict[str, object]) -> None:
        with pytest.raises(BadSetting, match="lights"):
            Config().with_values(**wrong)  # type: ignore[arg-type]


class TestSheet:
    def test_every_state_is_drawn(self, tmp_path: Path) -> None:
        out = tmp_path / "lights.png"
        assert main(["--out", str(out)]) == 0
        picture = cv2.imread(str(out))
        assert picture.shape[0] > 1500
        assert picture.max() > 200

    def test_a_picture_that_cannot_be_written_is_told(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["--out", str(tmp_path / "no" / "lights.png")]) == 2
        assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("made", [SpiLamps, BoardLamps])
def test_they_are_dimmed_while_they_shine(made: type) -> None:
    spi, shown = FakeSpi(), list[int]()

    class Link(BoardLink):
        def start(self) -> None: ...

        def show(self, brightness: int, pixels: bytes) -> None:
            shown.append(brightness)

    chain = Chain()
    lights = DrivenLights(
        Shape(1, 4),
        lambda: (
            SpiLamps(chain, brightness=200, make=lambda: spi)
            if made is SpiLamps
            else BoardLamps(Link(), chain, pixels=4, brightness=200)
        ),
    )
    lights.try_out(0)
    lights.tick(0.1)
    bright = max(spi.pixels, default=0), shown[-1:]
    lights.dim(20)
    lights.tick(0.2)
    dark = max(spi.pixels, default=0), shown[-1:]
    assert bright > dark > (0, [0])
    lights.close()
