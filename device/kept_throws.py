"""Throws that somebody asked to keep: recordings on the disk, few, listed, taken along as one file, or thrown away."""

from __future__ import annotations

import io
import json
import re
import shutil
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from device.chosen import NotKept
from device.errors import BadInput
from device.last_throws import LastThrows
from device.machine import LEAST_MB
from device.write_whole import settle
from vision.recording import NOTES

MOST = 40
MOST_BYTES = 160 * 2**20
_NAME = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9x]{1,12}(-[0-9]{1,2})?")


class Full(NotKept):
    """As many are kept as may be: somebody has to throw one away first."""


@dataclass(frozen=True)
class Kept:
    """One recording: its name, when it was kept (for people), its dice as they were read, and its size in bytes."""

    name: str
    at: str
    dice: tuple[int | None, ...]
    size: int


class KeptThrows:
    """The recordings in `folder`, made with the first; at most `MOST` and `MOST_BYTES`, and never the last of the disk.

    `wall` is the time of day, for names alone.
    """

    def __init__(self, folder: Path, *, wall: Callable[[], datetime] = datetime.now) -> None:
        self._folder, self._wall = folder, wall
        self._lock = threading.Lock()

    def keep(self, throws: LastThrows, number: int) -> str | None:
        """Write throw `number`, whole or not at all; its name, None where it is there no more.

        Raises `Full`, or `NotKept` where the storage refuses.
        """
        throw = throws.find(number)
        if throw is None:
            return None
        with self._lock:
            kept = self.all()
            if len(kept) >= MOST or sum(one.size for one in kept) + throw.size > MOST_BYTES or self._is_tight():
                raise Full("as many throws are kept as may be")
            faces = "".join(str(face or "x") for face in throw.dice) or "x"
            name = self._free(f"{self._wall():%Y%m%d-%H%M%S}-{faces}")
            fresh = self._folder / f".{name}.new"
            try:
                shutil.rmtree(fresh, ignore_errors=True)
                if not throws.save(number, fresh):
                    return None
                fresh.replace(self._folder / name)
                settle(self._folder)
            except (OSError, BadInput) as fault:
                shutil.rmtree(fresh, ignore_errors=True)
                raise NotKept(f"the throw cannot be kept: {fault}") from fault
            return name

    def all(self) -> list[Kept]:
        """What is kept, the latest first."""
        try:
            folders = [one for one in self._folder.iterdir() if _NAME.fullmatch(one.name) and one.is_dir()]
        except OSError:
            return []
        return [_told(one) for one in sorted(folders, key=lambda one: one.name, reverse=True)]

    def zipped(self, name: str) -> bytes | None:
        """The recording as one file, None where there is none of that name; a few megabytes at most."""
        folder = self._find(name)
        if folder is None:
            return None
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:  # JPEGs are small already
            for one in sorted(folder.iterdir()):
                archive.write(one, f"{name}/{one.name}")
        return packed.getvalue()

    def drop(self, name: str) -> bool:
        """Throw it away; false where there is none of that name."""
        with self._lock:
            folder = self._find(name)
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
        return folder is not None

    def _find(self, name: str) -> Path | None:
        folder = self._folder / name
        return folder if _NAME.fullmatch(name) and folder.is_dir() else None

    def _free(self, name: str) -> str:
        names = (name, *(f"{name}-{n}" for n in range(2, MOST + 2)))
        return next(one for one in names if not (self._folder / one).exists())

    def _is_tight(self) -> bool:
        there = self._folder if self._folder.exists() else self._folder.parent
        try:
            return shutil.disk_usage(there).free < LEAST_MB * 2**20
        except OSError:
            return False


def _told(folder: Path) -> Kept:
    size = sum(one.stat().st_size for one in folder.iterdir())
    try:
        dice = tuple(json.loads((folder / NOTES).read_text("utf-8"))["thrown"]["dice"])
    except (OSError, ValueError, KeyError, TypeError):
        dice = ()
    day, clock, *_ = folder.name.split("-")
    at = f"{day[:4]}-{day[4:6]}-{day[6:]} {clock[:2]}:{clock[2:4]}"
    return Kept(folder.name, at, tuple(face if isinstance(face, int) else None for face in dice), size)
