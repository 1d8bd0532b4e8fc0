"""What an owner can do to a Pietjesoog that runs: settings that hold at once, trying out, starting anew."""

from __future__ import annotations

import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from device.board_choice import AUTO, BoardChoice
from device.cameras import Camera
from device.cameras.choice import camera_of
from device.cameras.v4l import plugged
from device.chosen import Chosen, NotKept
from device.config import Config
from device.errors import BadInput
from device.eye import EyeThread
from device.faults import FaultWatch
from device.lights import Lights
from device.log_ring import LogRing
from device.machine import Supply, model, released, room, up_s
from device.sight import Sight
from device.sound.sounding import Sound
from device.tongue import Tongue
from vision.board import Board
from vision.board_file import write
from vision.errors import VisionError
from vision.reader import Reader

LOG = logging.getLogger("pietjesoog")
BOARD_FILE = "board.toml"
UPDATE_UNIT = Path("/etc/systemd/system/pietjesoog-update.path")
"""There where something here updates: it waits for a file, and what an update is, it knows alone."""
_PAUSE_S = 0.4  # so that the answer is out before all ends


def reader_of() -> Reader:
    """The one that eye and calibration share; raises `device.errors.BadInput` without a model."""
    try:
        return Reader()
    except VisionError as fault:
        raise BadInput(str(fault)) from fault


def awaited_by(unit: Path) -> Path | None:
    """The file for which a unit of systemd waits; None where there is no such unit."""
    try:
        told = re.search(r"^PathExists=(/.+)$", unit.read_text("utf-8"), re.MULTILINE)
    except (OSError, UnicodeDecodeError):
        return None
    return None if told is None else Path(told[1].strip())


@dataclass
class Upkeep:
    """All that can be set, tried out and asked; what a device has not is None.

    `folder` holds the scores and all that is kept beside them, None where nothing is kept.
    """

    chosen: Chosen
    tongue: Tongue
    folder: Path | None = None
    sight: Sight = field(default_factory=Sight)
    log: LogRing = field(default_factory=LogRing)
    supply: Supply = field(default_factory=Supply)
    eye: EyeThread | None = None
    board: BoardChoice | None = None
    reader: Reader | None = None
    lights: Lights | None = None
    sound: Sound | None = None
    faults: FaultWatch | None = None
    refresh: Callable[[], None] = lambda: None
    update_unit: Path = UPDATE_UNIT
    open_eye: Callable[[Camera, BoardChoice], None] | None = None
    """Gives a device that was started without a camera its `eye`, `board` and `reader`; raises `BadInput`."""
    _looks: threading.Lock = field(default_factory=threading.Lock)

    @property
    def config(self) -> Config:
        return self.chosen.config

    # -- settings that hold at once; each raises `BadInput` for a wrong value, `NotKept` where it is lost at the end

    def speak(self, language: str, colours: str) -> None:
        """The device's own language, and the colours of its page where a screen chose none."""

        def hold() -> None:
            self.tongue.speak(language)
            self.refresh()

        self._set(hold, web__language=language, web__colours=colours)

    def sound_so(self, kind: str, volume: int) -> None:
        def hold() -> None:
            if self.sound is not None:
                self.sound.kind, self.sound.volume = kind, volume

        self._set(hold, sound__kind=kind, sound__volume=volume)

    def light_so(self, percent: int) -> None:
        def hold() -> None:
            if self.lights is not None:
                self.lights.dim(percent)

        self._set(hold, lights__brightness=percent)

    def look_through(self, kind: str, device: str) -> None:
        """Another camera, or the first one; the board is looked for anew in its pictures."""
        wanted: dict[str, str | int] = {"camera__kind": kind, "camera__device": device, "board__file": ""}
        camera = camera_of(self.config.with_values(**wanted))

        def hold() -> None:
            if camera is not None and self.eye is not None and self.board is not None:
                self.board.choose(AUTO)
                self.eye.look_through(camera)

        with self._looks:  # two that open the first one would open two
            if camera is not None and self.eye is None and self.open_eye is not None:
                self.open_eye(camera, BoardChoice(AUTO))  # first: what cannot be opened is not kept either
                self._set(lambda: None, **wanted)
            else:
                self._set(hold, **wanted)

    def find_board(self) -> None:
        """What was calibrated counts no more: the board is looked for in the picture."""
        self._set(lambda: self._look_for(AUTO), board__file="")

    def keep_board(self, board: Board, remarks: list[str]) -> None:
        """The board as it was measured, on the disk and in use from the next picture on."""
        if self.folder is None:
            raise NotKept("this one keeps nothing")
        path = self.folder / BOARD_FILE
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(board, path, remarks)
        except (OSError, VisionError) as fault:
            raise NotKept(str(fault)) from fault
        self._set(lambda: self._look_for(str(path)), board__file=str(path))

    def _look_for(self, word: str) -> None:
        if self.board is not None and self.eye is not None:
            self.board.choose(word)
            self.eye.begin_anew()

    def _set(self, hold: Callable[[], None], **changed: str | int) -> None:
        """Keep it and have it hold; what cannot be kept holds all the same, until the next start."""
        lost: NotKept | None = None
        try:
            self.chosen.set(**changed)
        except NotKept as fault:
            lost = fault
        hold()
        if lost is not None:
            raise lost
        LOG.info("set on the page: %s", ", ".join(name.replace("__", ".") for name in changed))

    # -- what there is to choose from

    def cameras(self) -> list[tuple[str, str, str]]:
        """Kind, device and name of each camera that is there, the one in use first; none where nobody can look."""
        if self.eye is None and self.open_eye is None:
            return []
        there = [("usb", one.path, one.name) for one in plugged()]
        if find_spec("picamera2") is not None:
            there.append(("pi", "auto", "Raspberry Pi"))
        now = (self.config.text("camera.kind"), self.config.text("camera.device"))
        mine = next((one for one in there if one[:2] == now), (*now, now[1]))
        return [mine, *(one for one in there if one != mine)]

    # -- the whole device

    @property
    def is_brought_back(self) -> bool:
        """Whether somebody starts this program again when it ends: it was started by systemd itself."""
        return "NOTIFY_SOCKET" in os.environ or os.environ.get("SYSTEMD_EXEC_PID") == str(os.getpid())

    @property
    def can_update(self) -> bool:
        return awaited_by(self.update_unit) is not None

    def update(self) -> None:
        """Ask for an update; raises `BadInput` where nothing here does one, `NotKept` where nobody can be asked."""
        asked = awaited_by(self.update_unit)
        if asked is None:
            raise BadInput("there is nothing here that updates")
        try:
            asked.touch()
        except OSError as fault:
            raise NotKept(f"the update cannot be asked for: {fault.strerror}") from fault
        LOG.info("an update was asked for on the page")

    def end(self) -> None:
        """As `systemctl restart` would: cleanly, a moment after this returned."""
        LOG.info("to be started anew, as asked for on the page")
        threading.Timer(_PAUSE_S, os.kill, (os.getpid(), signal.SIGTERM)).start()

    def health(self, told: Mapping[str, object]) -> dict[str, object]:
        """The service's health with what the machine tells, the camera's rate, and what went wrong lately."""
        camera, machine = told.get("camera"), told.get("machine")
        more: dict[str, object] = {"disk": None if self.folder is None else room(self.folder)}
        more |= {"up_s": up_s(), "model": model(), **self.supply.told()}
        return {
            **told,
            "version": released(),
            "camera": {**camera, "fps": self.sight.rate()} if isinstance(camera, Mapping) else camera,
            "machine": {**machine, **more} if isinstance(machine, Mapping) else more,
            "faults": [] if self.faults is None else self.faults.told(),
        }
