"""What can be set: one TOML file, every setting with its default, its bounds and a sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from device.errors import BadInput
from device.one_line import one_line

LANGUAGES = ("nl", "fr", "en", "de")
Value = str | int | float | bool | list[list[int]]


class BadSetting(BadInput):
    """A value that is not allowed; the text names the setting and what is allowed."""


@dataclass(frozen=True)
class Setting:
    """One line of the file. `allowed`: the words a text may be; `low` and `high`: bounds of a number, both included."""

    default: Value
    sentence: str
    allowed: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    @property
    def expects(self) -> str:
        """What may stand here, for people."""
        if self.allowed:
            return "one of " + ", ".join(f'"{word}"' for word in self.allowed)
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int | float):
            kind = "a whole number" if isinstance(self.default, int) else "a number"
            return f"{kind} from {self.low:g} to {self.high:g}"
        if isinstance(self.default, list):
            rows = "rows of pin numbers from 0 to 27, each pin once"
            return rows if self.default else f"[], or {rows}"
        return "a text without control characters"

    def check(self, name: str, value: object) -> Value:
        """`value` in the type of the default; raises `BadSetting`."""
        if isinstance(self.default, bool):
            good = isinstance(value, bool)
        elif isinstance(self.default, int):
            good = isinstance(value, int) and not isinstance(value, bool) and self._is_within(value)
        elif isinstance(self.default, float):
            good = isinstance(value, int | float) and not isinstance(value, bool) and self._is_within(value)
            value = float(value) if good else value  # type: ignore[arg-type]  # good says that it is a number
        elif isinstance(self.default, list):
            good = _are_pins(value) or value == self.default
        else:
            good = isinstance(value, str) and (value in self.allowed if self.allowed else one_line(value) == value)
        if not good:
            raise BadSetting(f"{name} must be {self.expects}, not {_shown(value)}")
        return value  # type: ignore[return-value]  # good says that it is of the default's type

    def _is_within(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


SETTINGS: Mapping[str, Mapping[str, Setting]] = {
    "web": {
        "host": Setting("0.0.0.0", "The address to listen on; 127.0.0.1 lets nobody else in."),
        "port": Setting(8080, "The port of the page; 0 takes a free one.", low=0, high=65535),
        "language": Setting("nl", "The language of the page, unless a phone asks for another.", allowed=LANGUAGES),
        "names": Setting(
            "", "Names, separated by spaces, by which this device is reached beside its own and its address."
        ),
        "colours": Setting(
            "", "Colours of the page: empty follows each screen's own wish; a phone may choose.", ("", "dark", "light")
        ),
        "odds": Setting(False, "Show on the scoreboard what stopping and throwing on are worth."),
    },
    "network": {
        "access_point": Setting(
            "auto",
            "The device's own Wi-Fi: auto opens it where no known network is in reach; always: beside one too, such as "
            "a café's that keeps its guests apart.",
            ("auto", "always", "never"),
        ),
        "ssid": Setting("Pietjesoog", "The name of that Wi-Fi."),
        "password": Setting("", "Its password, 8 to 63 signs; empty: one of its own, which the screens show."),
    },
    "camera": {
        "kind": Setting(
            "usb",
            "Which camera looks down on the board; recording plays a recorded one; none: all is entered by hand.",
            ("usb", "pi", "recording", "none"),
        ),
        "device": Setting(
            "auto", "auto: the first that is found; or its number; or a path, such as /dev/v4l/by-id/…, or a recording."
        ),
        "width": Setting(1280, "Width of the pictures in pixels.", low=320, high=4096),
        "height": Setting(720, "Height of the pictures in pixels.", low=240, high=3072),
        "fps": Setting(15, "Pictures a second.", low=2, high=60),
        "focus_m": Setting(
            0.0,
            "Metres from the lens to the felt for a Pi camera that can focus; 0: it finds it once, at the start.",
            low=0.0,
            high=5.0,
        ),
        "focus_step": Setting(
            -1,
            "The focus of a USB camera in its own steps, as `doctor` tells it; -1: it finds it once, at the start.",
            low=-1,
            high=4095,
        ),
        "mains_hz": Setting("50", "Lamps flicker at twice the mains frequency, in Hz.", ("50", "60", "off")),
        "restart_s": Setting(2.0, "Seconds to wait before a lost camera is tried again.", low=0.2, high=60.0),
    },
    "board": {
        "file": Setting("", "What `calibrate` wrote; empty: the board is found in the picture."),
    },
    "table": {
        "seats_decide": Setting(
            False, "Where seats are known: a throw from another seat is that player's, without a question."
        ),
    },
    "journal": {
        "file": Setting("", "Where the scores are kept; empty: pietjesoog/journal.db in the state directory."),
    },
    "lights": {
        "kind": Setting(
            "none",
            "Lamps for the strokes: none, the light board on USB, pixels on SPI, or LEDs on the Pi's own pins.",
            ("none", "board", "spi", "gpio"),
        ),
        "pins": Setting(
            [[4, 17, 27, 22, 5, 6, 13, 19, 26], [14, 15, 18, 23, 24, 25, 12, 16, 20]],
            "For gpio: BCM pin numbers, one row a player, first stroke first; rows of one pin are status LEDs.",
        ),
        "port": Setting("auto", "For board: its port, such as /dev/serial/by-id/…; auto looks for it by itself."),
        "spi": Setting("0.0", "For spi: which bus and chip select.", ("0.0", "0.1", "1.0", "1.1", "1.2")),
        "strips": Setting(8, "For board and spi: rows of pixels, one a player.", low=1, high=8),
        "pixels": Setting(12, "Pixels in a row.", low=1, high=60),
        "zigzag": Setting(False, "Whether every second row runs backwards, as on a panel wired in one go."),
        "around": Setting(False, "Whether the rows lie around the board, each in front of the player who sits there."),
        "first_deg": Setting(
            0.0,
            "Then: where the first row lies, degrees clockwise as the camera sees it, 0 right.",
            low=0.0,
            high=360.0,
        ),
        "brightness": Setting(40, "How bright, in percent; the light board has a cap of its own.", low=1, high=100),
        "most_ma": Setting(500, "For spi: what all pixels together may draw, in mA.", low=150, high=6000),
    },
    "display": {
        "kind": Setting(
            "none",
            "A small screen at the board: none, an OLED, or a colour screen; a large one on HDMI shows the page.",
            ("none", "ssd1306", "sh1106", "ssd1309", "st7789", "st7789-320", "ili9341"),
        ),
        "bus": Setting("i2c", "How an OLED is wired; colour screens are always on spi.", ("i2c", "spi")),
        "address": Setting(60, "I²C address of an OLED, 60 (0x3C) or 61 (0x3D).", low=8, high=119),
        "port": Setting(1, "Number of the I²C bus (/dev/i2c-1).", low=0, high=22),
        "chip": Setting(0, "Which chip select of SPI 0 an SPI screen uses: 0 (pin 8) or 1 (pin 7).", low=0, high=1),
        "mhz": Setting(32, "Speed of the SPI bus in MHz; less for long wires.", low=1, high=52),
        "dc_pin": Setting(24, "BCM number of the pin that tells an SPI screen data from commands.", low=0, high=27),
        "reset_pin": Setting(25, "BCM number of the pin that resets an SPI screen; -1: not wired.", low=-1, high=27),
        "light_pin": Setting(18, "BCM number of the pin of a colour screen's light; -1: always on.", low=-1, high=27),
        "turned": Setting(0, "Quarter turns clockwise, for a screen that hangs another way up.", low=0, high=3),
        "dim_s": Setting(120, "Seconds without anything new until the screen dims.", low=10, high=86400),
        "dark_min": Setting(
            30, "Minutes without anything new until only a small wandering eye is left.", low=1, high=1440
        ),
    },
    "buttons": {
        "kind": Setting("none", "Push buttons: none, or between the Pi's own pins and ground.", ("none", "gpio")),
        "stop_pin": Setting(21, "BCM number of the pin of the button stop/next.", low=0, high=27),
        "undo_pin": Setting(-1, "Likewise of undo; -1: none, then a long press on stop undoes.", low=-1, high=27),
        "menu_pin": Setting(
            -1, "Likewise of menu; -1: none, then a very long press on stop opens it.", low=-1, high=27
        ),
        "seat_pins": Setting([], "BCM numbers of a button for each player, in one row; [] for none."),
        "seat_light_pins": Setting([], "BCM numbers of the lamps in those buttons, in one row; [] for none."),
        "long_s": Setting(0.7, "Seconds from which a press is a long one.", low=0.3, high=3.0),
        "players": Setting(2, "Players of a game that the button begins where none was played before.", low=2, high=8),
    },
    "sound": {
        "kind": Setting(
            "none", "Sound: none, short tones, or tones and speech (espeak-ng).", ("none", "tones", "speech")
        ),
        "volume": Setting(60, "How loud, in percent.", low=0, high=100),
        "language": Setting("page", "Which language is spoken; page: that of the page.", ("page", *LANGUAGES)),
        "device": Setting("default", "ALSA's name of the sound card, as `aplay -L` lists them."),
    },
    "terminal": {
        "show": Setting(True, "Show the strokes in the terminal too."),
    },
}
"""Section → name → setting, in the order of the printed file."""


@dataclass(frozen=True)
class Config:
    """All settings, checked: ``config["web.port"]``.

    >>> Config().text("web.language"), Config().number("web.port")
    ('nl', 8080.0)
    """

    values: Mapping[str, Value] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        section, _, key = name.partition(".")
        return self.values.get(name, SETTINGS[section][key].default)

    def text(self, name: str) -> str:
        return str(self[name])

    def number(self, name: str) -> float:
        value = self[name]
        assert isinstance(value, int | float)
        return float(value)

    def whole(self, name: str) -> int:
        return int(self.number(name))

    def with_values(self, **changed: Value | None) -> Config:
        """With some replaced (``web__port=9000``), None left as they are; raises `BadSetting`."""
        told = {key.replace("__", "."): value for key, value in changed.items() if value is not None}
        return Config({**self.values, **{name: _setting(name).check(name, value) for name, value in told.items()}})


def load(path: Path) -> Config:
    """The settings of a file; raises `BadInput` for an unreadable one, `BadSetting` for a wrong line."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise BadInput(f"the settings {path} cannot be read: {fault.strerror or fault}") from fault
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise BadInput(f"the settings {path} are not TOML: {fault}") from fault
    values: dict[str, Value] = {}
    for section, lines in told.items():
        if section in SETTINGS and not isinstance(lines, Mapping):
            raise BadSetting(f"{path}: {section} is a section: write [{section}], and its settings below")
        if section not in SETTINGS:
            raise BadSetting(f"{path}: there is no section [{section}]; there are: {', '.join(SETTINGS)}")
        for key, value in lines.items():
            name = f"{section}.{key}"
            try:
                values[name] = _setting(name).check(name, value)
            except BadSetting as fault:
                raise BadSetting(f"{path}: {fault}") from None
    return Config(values)


def printed(config: Config) -> str:
    """The file that gives these settings, every line explained."""
    lines: list[str] = []
    for section, settings in SETTINGS.items():
        lines.append(f"[{section}]")
        for key, setting in settings.items():
            lines += [
                f"# {setting.sentence}",
                f"# {setting.expects}",
                f"{key} = {_toml(config[f'{section}.{key}'])}",
                "",
            ]
    return "\n".join(lines).rstrip() + "\n"


def _setting(name: str) -> Setting:
    section, _, key = name.partition(".")
    try:
        return SETTINGS[section][key]
    except KeyError:
        raise BadSetting(f"there is no setting {name}; [{section}] has: {', '.join(SETTINGS[section])}") from None


def _are_pins(value: object) -> bool:
    if not isinstance(value, list) or not value or not all(isinstance(row, list) and row for row in value):
        return False
    pins = [pin for row in value for pin in row]
    return all(type(pin) is int and 0 <= pin <= 27 for pin in pins) and len(set(pins)) == len(pins)


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
