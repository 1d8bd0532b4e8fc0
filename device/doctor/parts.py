"""Lights, screen, buttons and sound: what each needs of the machine, and whether it answers."""

from __future__ import annotations

import grp
import os
import pwd
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from device.config import Config
from device.doctor import Case, Finding, fault, ok, warning
from device.kept import PartLost
from device.wording import wording

BOARD_S = 4.0  # a light board answers within so long
TICK_S = 0.05
_DO = {
    "absent": "plug its cable in; look at both ends",
    "busy": "stop the other program: one program alone has the pins (is Pietjesoog running under another port?)",
    "forbidden": "add this user to its group (sudo usermod -aG dialout,gpio,spi,i2c USER), then log in again",
    "sound_failed": "`aplay -L` lists the sound cards for sound.device; plug the loudspeaker in",
    "software": "install what is missing, as said",
    "firmware": "copy the firmware of hardware/firmware onto it again",
    "pins": "look at the pins in the settings; add this user to the group gpio; stop other programs that use them",
}


def pins(case: Case) -> Iterator[Finding]:
    """Pins that two settings claim."""
    from device.pins import clashes, pins_of

    found = clashes(case.config)
    for sentence in found:
        yield fault("pins", sentence.partition(";")[0], "give one of them another pin in the settings")
    if not found and (used := sorted({pin for pin, _ in pins_of(case.config)})):
        yield ok("pins", f"in use: {', '.join(map(str, used))}, each once")


def nodes(case: Case, dev: Path = Path("/dev")) -> Iterator[Finding]:
    """The entries in /dev that the settings need: there, and this user may use them."""
    for patterns, needed_by, how in _needed(case.config):
        there = sorted(path for pattern in patterns for path in dev.glob(pattern))
        if not there:
            yield fault("access", f"{needed_by}: there is no {dev / patterns[0]}", how)
        for path in there:
            if os.access(path, os.R_OK | os.W_OK):
                yield ok("access", f"{needed_by}: {path}")
                break
        else:
            if there:
                group, user = _group(there[0]), _user()
                yield fault(
                    "access",
                    f"{needed_by}: {user} may not use {there[0]}",
                    f"sudo usermod -aG {group} {user}, then log in again",
                )


def _needed(config: Config) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Patterns in /dev, what needs one of them, and what to do where there is none."""
    kind, screen = config.text("lights.kind"), config.text("display.kind")
    on_i2c = screen.startswith(("ssd", "sh")) and config.text("display.bus") == "i2c"
    if kind == "gpio" or config.text("buttons.kind") == "gpio":
        yield ("gpiochip*",), "pins", "a Raspberry Pi has pins; on another machine set lights and buttons to none"
    if kind == "spi":
        yield (f"spidev{config.text('lights.spi')}",), "lights", "sudo raspi-config nonint do_spi 0, then start it anew"
    if kind == "board" and config.text("lights.port") == "auto":
        yield ("serial/by-id/*", "ttyACM*"), "lights", "plug the light board in by a cable that carries data"
    if screen != "none" and on_i2c:
        bus = config.whole("display.port")
        yield (f"i2c-{bus}",), "display", "sudo raspi-config nonint do_i2c 0, then start it anew"
    elif screen != "none":
        chip = config.whole("display.chip")
        yield (f"spidev0.{chip}",), "display", "sudo raspi-config nonint do_spi 0, then start it anew"


def lights(case: Case, *, wait_s: float = BOARD_S, clock: Callable[[], float] = time.monotonic) -> Iterator[Finding]:
    kind = case.config.text("lights.kind")
    if kind == "none":
        yield ok("lights", "none are set")
        return
    from device.lights.choice import lights_of, limit, link_of

    if "lights" in case.running:
        yield from _told("lights", case.running["lights"])
    else:
        link = link_of(case.config) if kind == "board" else None
        made = lights_of(case.config, link)
        if made is None:
            yield fault("lights", f"lights.kind {kind} cannot be made with these settings", "look at lights.pins")
            return
        until = clock() + wait_s
        try:
            while link is not None and link.hello is None and clock() < until:
                made.tick(clock())
                time.sleep(TICK_S)
            message, trouble = made.fault, "pins" if kind == "gpio" else made.trouble
            if message is None and link is not None and link.hello is None:
                message, trouble = "the light board does not answer", "firmware"
        finally:
            made.close()
        yield from _told("lights", {"ok": message is None, "message": message, "trouble": trouble})
    if (key := limit(case.config)) is not None:
        yield ok("lights", wording("en").say("lights", key))


def display(case: Case, *, pin_factory: Any = None) -> Iterator[Finding]:
    if case.config.text("display.kind") == "none":
        yield ok("display", "none is set")
        return
    if "display" in case.running:
        yield from _told("display", case.running["display"])
        return
    try:
        from device.displays.choice import panel_of
    except ImportError as missing:
        yield fault("display", f"its software is missing ({missing})", "pip install 'pietjesoog[display]'")
        return
    opened = panel_of(case.config, pin_factory=pin_factory)
    yield from _tried("display", opened)


def buttons(case: Case, *, pin_factory: Any = None) -> Iterator[Finding]:
    config = case.config
    if config.text("buttons.kind") == "none":
        yield ok("buttons", "none are set")
        return
    if "buttons" in case.running:
        yield from _told("buttons", case.running["buttons"])
        return
    from device.buttons.gpio import GpioButtons, seat_pins
    from device.pins import in_rows

    named = {name: config.whole(f"buttons.{name}_pin") for name in ("stop", "undo", "menu")}
    named = {name: pin for name, pin in named.items() if pin >= 0} | seat_pins(config["buttons.seat_pins"])
    lamps = in_rows(config["buttons.seat_light_pins"])
    yield from _tried("buttons", lambda: GpioButtons(named, lambda edge: None, lamps=lamps, pin_factory=pin_factory))


def sound(case: Case) -> Iterator[Finding]:
    kind = case.config.text("sound.kind")
    if kind == "none":
        yield ok("sound", "none is set")
        return
    if "sound" in case.running:
        yield from _told("sound", case.running["sound"])
        return
    from device.sound import RATE, Wave
    from device.sound.aplay import AplaySpeaker
    from device.sound.espeak import EspeakVoice

    def played() -> AplaySpeaker:
        speaker = AplaySpeaker(case.config.text("sound.device"))
        speaker.start(Wave(bytes(RATE // 5 * 2))).wait()  # silence: the card is tried, nobody is startled
        return speaker

    yield from _tried("sound", played)
    if kind == "speech":

        def spoken() -> EspeakVoice:
            voice = EspeakVoice()
            voice.speak("een", "nl")
            return voice

        yield from _tried("speech", spoken)


def _tried(name: str, open_part: Callable[[], Any] | None) -> Iterator[Finding]:
    """Opened and closed again."""
    if open_part is None:
        return
    try:
        open_part().close()
    except PartLost as lost:
        yield from _told(name, {"ok": False, "message": str(lost), "trouble": lost.key})
    else:
        yield ok(name, "answers")


def _told(name: str, health: Any) -> Iterator[Finding]:
    """What a part tells of itself: ``ok``, else ``message`` and its key ``trouble``; None where it is not in use."""
    if not health:
        yield warning(name, "the Pietjesoog that runs has none", "start it with these settings")
    elif health.get("ok"):
        yield ok(name, "answer" if name.endswith("s") else "answers")
    else:
        trouble = str(health.get("trouble") or "")
        do = next((text for word, text in _DO.items() if word in trouble), "look at its wiring and its supply")
        tell = warning if trouble == "lights_few" else fault
        yield tell(name, str(health.get("message")), do)


def _group(path: Path) -> str:
    try:
        return grp.getgrgid(path.stat().st_gid).gr_name
    except (KeyError, OSError):
        return "of the device"


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return "this user"
