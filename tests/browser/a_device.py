"""A device with a real eye on a filmed throw, lamps, a loudspeaker and a folder: what an owner's page is about."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from a_table import CODE, Shown

from device.board_choice import BoardChoice
from device.chosen import Chosen
from device.config import Config
from device.cutouts import Cutouts
from device.eye import EyeThread
from device.faults import FaultWatch
from device.journal import MemoryJournal
from device.last_throws import LastThrows
from device.lights import FakeLights
from device.sound import FakeSpeaker, FakeVoice
from device.sound.sounding import Sound
from device.table import Table
from device.tongue import Tongue
from device.upkeep import Upkeep, reader_of
from device.watching import watching
from device.web.app import Web
from device.web.door import Door
from device.web.server import WebServer, bound
from tests.waiting import PATIENCE_S
from vision.frame import Frame, Picture
from vision.recording import Recording

CLIP = Path(__file__).parents[1] / "data" / "throw_00001.mp4"
PIN = "2741"
FPS = 30.0


class Filmed:
    """A throw as fast as it is read, and then its last picture as a camera would give it: never twice the same."""

    name = "filmed"

    def __init__(self) -> None:
        self._closed, self.rests = threading.Event(), threading.Event()
        self.last: Picture | None = None

    def frames(self) -> Iterator[Frame]:
        index = 0
        for frame in Recording(CLIP):
            if self._closed.is_set():
                return
            self.last, index = frame.picture, index + 1
            yield Frame(frame.picture, index / FPS, self.name, index)
        self.rests.set()
        while not self._closed.wait(0.15):
            noise = np.random.default_rng(index).integers(0, 2, (4, 4, 3), np.uint8)
            picture = self.last.copy()
            picture[:4, :4] = noise
            index += 5
            yield Frame(picture, index / FPS, self.name, index)

    def close(self) -> None:
        self._closed.set()


@dataclass(kw_only=True)
class Standing(Shown):
    """Where its page is, and what stands behind it."""

    upkeep: Upkeep
    lights: FakeLights
    speaker: FakeSpeaker
    folder: Path


@contextmanager
def standing(folder: Path) -> Iterator[Standing]:
    """It has seen one throw of Ann's and goes on looking at the dice."""
    table, cutouts, last = Table(MemoryJournal()), Cutouts(), LastThrows()
    config = Config().with_values(lights__kind="board", web__language="nl")
    words = Tongue("nl")
    upkeep = Upkeep(Chosen(folder / "chosen.toml", config), words, folder, refresh=table.refresh)
    upkeep.board, upkeep.reader = BoardChoice("auto"), reader_of()
    camera, lights, speaker = Filmed(), FakeLights(), FakeSpeaker()
    table.say({"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"})
    watch = watching(upkeep.board, table, reader=upkeep.reader)
    upkeep.eye = EyeThread(camera, watch, table, cutouts=cutouts, last_throws=last, sight=upkeep.sight)
    upkeep.lights = lights
    upkeep.sound = Sound(table, words, lambda: speaker, FakeVoice, kind="none")
    health = {
        "ok": True, "uptime_s": 93_784.0, "rules": 1,
        "camera": {"state": "read", "trouble": None}, "storage": {"ok": True},
        "lights": {"ok": False, "trouble": "lights_unplugged"}, "machine": {"temperature_c": 54.2, "hot": False},
    }  # fmt: skip
    upkeep.faults = FaultWatch(lambda: health)
    upkeep.faults.look()
    door = Door(draw=lambda below: int(CODE))
    door.pin.set(PIN)
    web = Web(
        table,
        MemoryJournal(),
        door=door,
        cutouts=cutouts,
        phone=lambda: "http://192.168.1.20:8080/play",
        health=lambda: upkeep.health(health),
        last_throws=last,
        upkeep=upkeep,
    )
    server = WebServer(web, bound("127.0.0.1", 0))
    server.start()
    upkeep.sound.start()
    upkeep.eye.start()
    assert camera.rests.wait(PATIENCE_S)
    try:
        address = f"http://127.0.0.1:{server.port}"
        yield Standing(table, cutouts, door, address, upkeep=upkeep, lights=lights, speaker=speaker, folder=folder)
    finally:
        upkeep.eye.stop()
        upkeep.sound.close()
        server.stop()
