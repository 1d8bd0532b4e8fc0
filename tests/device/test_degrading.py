"""A recorded game on the whole service while one device after another fails and comes back: the same strokes."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import drawn_throws as drawn
import pytest
from PIL import Image

from device import service as service_module
from device.buttons import FakeButtons
from device.buttons.gestures import Gestures
from device.buttons.presses import Presses
from device.cameras import CameraLost
from device.displays import FakePanel
from device.displays.ink import OLED
from device.displays.screen import Around, paint
from device.displays.showing import Display
from device.eye import EyeThread
from device.journal import JournalError, KeptJournal, Row, SqliteJournal
from device.journal import kept as kept_module
from device.kept import Kept, PartLost
from device.lights import FakeLights
from device.service import Service
from device.snapshot import Eye
from device.sound import FakeSpeaker, FakeVoice, sounding
from device.sound.sounding import Sound
from device.table import Table
from device.terminal import Terminal
from device.wording import wording
from scorer.events import Start, Stop, Throw
from scorer.session import Session
from tests.waiting import PATIENCE_S, waited
from vision.board import Board
from vision.frame import Frame
from vision.watcher import ThrowWatcher

WORDS = wording("nl")
THROWS = [(1, 4, 5), (6, 6, 6), (2, 2, 3), (4, 5, 6), (1, 1, 2), (3, 3, 4), (1, 6, 6), (2, 4, 5), (5, 5, 5), (1, 2, 6)]
START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
FAULTS = ("camera", "lights", "display", "buttons", "sound", "speech", "storage", "terminal", "all")


def by_the_rules() -> Session:
    """What the scorer alone makes of the game: whoever may stop after a throw does."""
    session = Session().apply(Start(game="pietjesbak", players=("Ann", "Bob"), opener="Ann"))
    for dice in THROWS:
        session = session.apply(Throw(dice=dice))
        if "stop" in session.legal:
            session = session.apply(Stop())
    return session


class Camera:
    """Films one throw each time it is let `go`; unplugged it loses every picture until it is plugged in again."""

    name = "a camera that comes and goes"

    def __init__(self) -> None:
        self._pictures = list(drawn.frames(THROWS))
        self._next = 0
        self._upto = 0
        self._closed = threading.Event()
        self.unplugged = threading.Event()

    def go(self, throw: int) -> None:
        self._upto = drawn.length(THROWS[:throw])

    def missed(self, throw: int) -> None:
        """Nobody filmed that throw; a few pictures of the bare board come after it."""
        self._next, self._upto = drawn.length(THROWS[:throw]) - 4, drawn.length(THROWS[:throw])

    def is_through(self) -> bool:
        """Whether all that it was let go for was filmed, to the bare board after the throw."""
        return self._next >= self._upto

    def frames(self) -> Iterator[Frame]:
        while not self._closed.is_set():
            if self.unplugged.is_set():
                raise CameraLost("there is no camera; is it plugged in?", "absent")
            if self._next < self._upto:
                self._next += 1
                yield self._pictures[self._next - 1]
            else:
                self._closed.wait(0.002)

    def close(self) -> None:
        self._closed.set()


class Rig:
    """The service with every device there is, each of which can be broken and mended."""

    def __init__(self, folder: Path, broken: set[str]) -> None:
        self.journal = KeptJournal(folder / "journal.db")
        self.table = Table(self.journal)
        self.camera, self.lights = Camera(), FakeLights()
        self.panels: list[FakePanel] = []
        self.boards: list[FakeButtons] = []
        self.speakers: list[FakeSpeaker] = []
        self.voices: list[FakeVoice] = []
        self.broken = broken
        self.written = _Stream(self.broken)
        board = Board.whole(drawn.WIDTH, drawn.HEIGHT, drawn.EDGE)

        def watch(frame: Frame) -> ThrowWatcher:
            return ThrowWatcher(drawn.ScriptedReader(THROWS), board)

        self.display = Display(
            self.table, WORDS, lambda: self._opened("display", self.panels, _Panel(self)), retry_s=0.02
        )
        sources: dict[str, Kept[Any]] = {}
        self.presses = Presses(self.table, WORDS, start=START, gestures=Gestures(), sources=sources)
        sources["pins"] = Kept(
            "the buttons",
            lambda: self._opened("buttons", self.boards, _Buttons(self)),
            retry_s=0.02,
        )
        self.sound = Sound(
            self.table,
            WORDS,
            lambda: self._opened("sound", self.speakers, _Speaker(self)),
            lambda: self._opened("speech", self.voices, _Voice(self)),
            retry_s=0.02,
        )
        self.service = Service(
            self.table,
            self.journal,
            eye=EyeThread(self.camera, watch, self.table, restart_s=0.01),
            lights=self.lights,
            terminal=Terminal(self.written, WORDS),
            parts={"sound": self.sound, "display": self.display, "buttons": self.presses},
        )
        self._thread = threading.Thread(target=self.service.run, name="the service", daemon=True)
        self._thread.start()

    def _opened(self, name: str, made: list[Any], part: Any) -> Any:
        self.check(name)
        made.append(part)
        return part

    def check(self, name: str) -> None:
        if name in self.broken:
            raise PartLost(f"the {name} was pulled out", f"{name}_failed")

    def break_(self, name: str) -> None:
        names = [one for one in FAULTS if one != "all"] if name == "all" else [name]
        self.broken.update(names)
        if "camera" in names:
            self.camera.unplugged.set()
        if "lights" in names:
            self.lights.fail("the lights were pulled out")

    def mend(self) -> None:
        self.broken.clear()
        self.camera.unplugged.clear()
        self.lights.fail(None)

    def stop(self) -> None:
        """Whoever may stop presses the button, or a phone where there is none."""
        if "buttons" in self.broken:
            self.table.say({"do": "stop"})
            return
        t = time.monotonic()
        self.boards[-1].edge("stop", True, t - 0.3)
        self.boards[-1].edge("stop", False, t - 0.2)

    def told(self, name: str) -> str | None:
        """What health says is wrong with it."""
        health: Any = self.service.health()
        if name == "camera":
            return str(health["camera"]["trouble"]) if health["camera"]["state"] == "lost" else None
        message: str | None = health["sound" if name == "speech" else name]["message"]
        return message

    def ails(self, name: str) -> bool:
        return self.told(name) is not None

    def is_well(self, name: str) -> bool:
        return self.told(name) is None

    def has_thrown(self, count: int) -> bool:
        return self.table.now.view.throws == count

    def end(self) -> None:
        self.service.stop()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


class _Panel(FakePanel):
    def __init__(self, rig: Rig) -> None:
        super().__init__(OLED)
        self._rig = rig

    def show(self, picture: Image.Image) -> None:
        self._rig.check("display")
        super().show(picture)


class _Buttons(FakeButtons):
    def __init__(self, rig: Rig) -> None:
        super().__init__(rig.presses.edge)
        self._rig = rig

    def light(self, levels: Any) -> None:
        self._rig.check("buttons")
        super().light(levels)


class _Speaker(FakeSpeaker):
    def __init__(self, rig: Rig) -> None:
        super().__init__()
        self._rig = rig

    def start(self, wave: Any) -> Any:
        self._rig.check("sound")
        return super().start(wave)


class _Voice(FakeVoice):
    def __init__(self, rig: Rig) -> None:
        super().__init__()
        self._rig = rig

    def speak(self, ssml: str, language: str) -> Any:
        self._rig.check("speech")
        return super().speak(ssml, language)


class _Stream(io.StringIO):
    def __init__(self, broken: set[str]) -> None:
        super().__init__()
        self._broken = broken

    def write(self, text: str) -> int:
        if "terminal" in self._broken:
            raise OSError("the terminal was closed")
        return super().write(text)


def test_strokes_come_out_the_same_while_every_device_fails_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "RETRY_S", 0.02)
    monkeypatch.setattr(kept_module, "RETRY_S", 0.02)
    monkeypatch.setattr(sounding, "STALE_S", dict.fromkeys(sounding.STALE_S, PATIENCE_S))
    broken: set[str] = set()
    append = SqliteJournal.append

    def flaky(journal: SqliteJournal, rows: Sequence[Row]) -> None:
        if "storage" in broken:
            raise JournalError("the card is read-only")
        append(journal, rows)

    monkeypatch.setattr(SqliteJournal, "append", flaky)
    rig = Rig(tmp_path, broken)
    named: dict[str, str] = {}
    try:
        rig.table.say(START)
        assert waited(lambda: bool(rig.panels and rig.boards and rig.speakers and rig.voices))
        for n, dice in enumerate(THROWS):
            fault = FAULTS[n] if n < len(FAULTS) else ""
            assert waited(rig.camera.is_through), (n, fault)  # or the eye would not see the last dice being taken
            if fault:
                rig.break_(fault)
            if fault in ("camera", "all"):  # nothing is seen: a thumb tells the throw
                assert waited(lambda: rig.table.now.eye is Eye.LOST), fault
                rig.table.say({"do": "throw", "dice": list(dice)})
                rig.camera.missed(n + 1)
            else:
                rig.camera.go(n + 1)
            assert waited(partial(rig.has_thrown, n + 1)), (n, fault, rig.table.now.eye)
            if "stop" in rig.table.now.session.legal:
                rig.stop()
                assert waited(lambda: "stop" not in rig.table.now.session.legal), (n, fault)
            for name in rig.broken - {"terminal", "speech" if fault == "all" else ""}:
                assert waited(partial(rig.ails, name)), name
                named[name] = str(rig.told(name))
            rig.mend()
            rig.sound.heard("press")  # sound fails and comes back when there is something to hear
            for name in FAULTS[:7]:
                assert waited(partial(rig.is_well, name)), (name, rig.told(name))
        expected = by_the_rules()
        assert rig.table.now.session.state == expected.state
        assert rig.table.now.session.view.players == expected.view.players
        last = paint(rig.table.now, WORDS, OLED, Around())
        assert waited(lambda: rig.panels[-1].shown[-1].tobytes() == last.tobytes())
        assert waited(lambda: rig.lights.shown[-1][0] is rig.table.now.view)
        assert rig.speakers[-1].played
        assert rig.voices[-1].spoken
    finally:
        rig.end()
    assert set(named) == set(FAULTS) - {"terminal", "all"}
    assert named["display"] == "the display was pulled out"
    assert named["storage"]
    assert waited(lambda: rig.lights.closed)  # the service waits for none of them for long
    assert waited(lambda: rig.panels[-1].closed)
    assert waited(lambda: rig.boards[-1].closed)
    again = KeptJournal(tmp_path / "journal.db")  # nothing was lost either
    assert Table(again).now.session.state == expected.state
    again.close()
