"""Screen, buttons and sound of the settings, joined: each of its own thread, none that the game waits for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from device.buttons import MENU, SEATS, STOP, UNDO, Buttons
from device.buttons.board import BoardButtons
from device.buttons.gestures import Gestures
from device.buttons.gpio import GpioButtons, seat_pins
from device.buttons.menu import Shown
from device.buttons.presses import Presses
from device.config import Config
from device.kept import Kept
from device.lights.board_link import BoardLink
from device.pins import in_rows
from device.sound.aplay import AplaySpeaker, proved
from device.sound.espeak import EspeakVoice
from device.sound.sounding import Sound
from device.table import Table
from device.wording import Wording, wording

if TYPE_CHECKING:
    from device.displays.showing import Display

NAMES = ("display", "buttons", "sound")


class Part(Protocol):
    """Something that runs beside the table and may fail without it."""

    def start(self) -> None: ...

    def close(self) -> None:
        """Any number of times; within a second or so."""

    def health(self) -> Mapping[str, object]:
        """``ok``, and where not ``message`` and its key ``trouble`` (section ``fault`` of the texts)."""


class Missing:
    """Stands for a part whose software is not there."""

    def __init__(self, message: str, trouble: str) -> None:
        self._told = {"ok": False, "message": message, "trouble": trouble}

    def start(self) -> None: ...

    def close(self) -> None: ...

    def health(self) -> Mapping[str, object]:
        return self._told


def parts_of(
    config: Config,
    table: Table,
    words: Wording,
    *,
    phone: Callable[[], str] = lambda: "",
    link: BoardLink | None = None,
    pin_factory: Any = None,
    switched: bool = False,
) -> dict[str, Part]:
    """The parts that the settings name; raises `device.errors.BadInput` for settings that no part can have.

    `switched`: sound is there in any case, silent where the settings name none, so that the page can switch it on.
    `link`: the light board, whose buttons are heard too. `phone`: the address that a screen offers to phones.
    """
    parts: dict[str, Part] = {}
    sound = _sound(config, table, words, switched=switched)
    if sound is not None:
        parts["sound"] = sound
    has_gpio = config.text("buttons.kind") == "gpio"
    listening: list[Callable[[Shown | None], None]] = [] if sound is None else [sound.lay_over]
    if config.text("display.kind") != "none":
        try:
            display = _display(config, table, words, phone, pin_factory, buttons=has_gpio or link is not None)
        except ImportError as fault:
            sentence = f"no screen: {fault}; install pietjesoog[display]"
            parts["display"] = Missing(sentence, "display_software")
        else:
            parts["display"] = display
            listening.append(display.lay_over)
    if has_gpio or link is not None:
        speaks = sound is not None and config.text("sound.kind") == "speech"
        parts["buttons"] = _buttons(
            config,
            table,
            words,
            link,
            pin_factory,
            menus=speaks or ("display" in parts and not isinstance(parts["display"], Missing)),
            heard=(lambda key: None) if sound is None else sound.heard,
            shows=lambda shown: [listen(shown) for listen in listening],
        )
    return parts


def health_of(parts: Mapping[str, Part]) -> dict[str, object]:
    """What ``/api/v1/health`` tells of each; null for a part that the settings do not name."""
    return {name: None if name not in parts or _is_off(parts[name]) else parts[name].health() for name in NAMES}


def _is_off(part: Part) -> bool:
    return isinstance(part, Sound) and part.is_off


def _display(
    config: Config, table: Table, words: Wording, phone: Callable[[], str], pin_factory: Any, *, buttons: bool
) -> Display:
    """Raises ImportError where the software of screens is not installed: it is an extra."""
    from device.displays.choice import panel_of
    from device.displays.showing import Display

    panel = panel_of(config, pin_factory=pin_factory)
    assert panel is not None
    return Display(
        table,
        words,
        panel,
        phone=phone,
        buttons=buttons,
        dim_s=config.number("display.dim_s"),
        sleep_s=60.0 * config.number("display.dark_min"),
    )


def _sound(config: Config, table: Table, words: Wording, *, switched: bool) -> Sound | None:
    kind = config.text("sound.kind")
    if kind == "none" and not switched:
        return None
    language = config.text("sound.language")
    return Sound(
        table,
        words if language == "page" else wording(language),
        lambda: proved(AplaySpeaker(config.text("sound.device"))),
        EspeakVoice if kind == "speech" or switched else None,
        kind=kind,
        volume=config.whole("sound.volume"),
    )


def _buttons(
    config: Config, table: Table, words: Wording, link: BoardLink | None, pin_factory: Any, **around: Any
) -> Presses:
    pins = {STOP: config.whole("buttons.stop_pin")}
    pins |= {name: config.whole(f"buttons.{name}_pin") for name in (UNDO, MENU)}
    pins = {name: pin for name, pin in pins.items() if pin >= 0} | seat_pins(config["buttons.seat_pins"])
    has_menu_button = MENU in pins or link is not None
    lamps = in_rows(config["buttons.seat_light_pins"])
    players = [words.say("remote", "player", n=n) for n in range(1, config.whole("buttons.players") + 1)]
    sources: dict[str, Kept[Buttons]] = {}
    presses = Presses(
        table,
        words,
        start={"do": "start", "game": "pietjesbak", "players": players},
        gestures=Gestures(long_s=config.number("buttons.long_s"), instant=(UNDO, MENU, *SEATS)),
        sources=sources,
        has_menu_button=has_menu_button,
        **around,
    )
    if config.text("buttons.kind") == "gpio":
        sources["gpio"] = Kept(
            "the buttons", lambda: GpioButtons(pins, presses.edge, lamps=lamps, pin_factory=pin_factory)
        )
    if link is not None:
        sources["board"] = Kept("the board's buttons", lambda: BoardButtons(link, presses.edge))
    return presses
