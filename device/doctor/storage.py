"""Where the scores are kept: writable, with room, on something that survives a power cut, and undamaged."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from device.doctor import Case, Finding, fault, ok, warning
from device.machine import nearest
from device.place import journal_file

FULL_MB, TIGHT_MB = 20, 200
MOUNTS = Path("/proc/mounts")
FLEETING = {"tmpfs": "memory", "ramfs": "memory", "overlay": "a layer in memory over a read-only system"}
Free = Callable[[Path], int]


def journal(case: Case, mounts: Path = MOUNTS, free: Free | None = None) -> Iterator[Finding]:
    """The file of the settings, and its folder."""
    path = journal_file(case.config)
    if told := (case.running.get("storage") or {}).get("message"):
        yield fault(
            "storage", str(told), "free some room, or mount the storage writable; scores are kept again by then"
        )
    folder = nearest(path.parent)
    if (why := _refuses(folder)) is not None:
        yield fault(
            "storage",
            f"{folder} cannot be written ({why}); scores would not survive a power cut",
            "set journal.file to a folder of this user, or make this one writable",
        )
        return
    free_mb = (free or (lambda where: shutil.disk_usage(where).free))(folder) // (1024 * 1024)
    if free_mb < FULL_MB:
        yield fault("storage", f"only {free_mb} MB are free in {folder}", "remove what is not needed")
    elif free_mb < TIGHT_MB:
        yield warning("storage", f"only {free_mb} MB are free in {folder}", "remove what is not needed")
    else:
        yield ok("storage", f"{folder} can be written, {free_mb} MB are free")
    kind = _kind(folder, mounts)
    if kind in FLEETING:
        yield warning(
            "storage",
            f"{folder} is in {FLEETING[kind]}: a power cut takes the scores",
            "set journal.file to a folder on the card or on a partition of its own",
        )
    yield from _whole(path)


def _refuses(folder: Path) -> str | None:
    """Why nothing can be written there, down to the card; None where it can."""
    try:
        with tempfile.TemporaryFile(dir=folder) as tried:
            tried.write(b"pietjesoog")
            tried.flush()
            os.fsync(tried.fileno())
    except OSError as told:
        return told.strerror or str(told)
    return None


def _kind(folder: Path, mounts: Path) -> str:
    """The kind of file system that the folder is on, empty where nobody tells."""
    best, kind = "", ""
    try:
        lines = mounts.read_text().splitlines()
    except OSError:
        return ""
    where = str(folder.resolve())
    for line in lines:
        fields = line.split()
        point = fields[1].replace("\\040", " ") if len(fields) > 2 else ""
        inside = where == point or where.startswith(point.rstrip("/") + "/")
        if point and inside and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind


def _whole(path: Path) -> Iterator[Finding]:
    """What is stored already, looked at without touching it."""
    if not path.exists():
        yield ok("journal", f"{path} is made when the first game starts")
        return
    try:
        opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2)
        try:
            said = str(opened.execute("PRAGMA quick_check(1)").fetchone()[0])
        finally:
            opened.close()
    except sqlite3.OperationalError as told:
        yield warning("journal", f"{path} cannot be looked at now ({told})", "run doctor as the user of the service")
        return
    except sqlite3.DatabaseError as told:
        said = str(told)
    if said == "ok":
        yield ok("journal", f"{path} is whole")
    else:
        yield fault(
            "journal", f"{path} is damaged ({said})", "start Pietjesoog: it sets the file aside and begins a new one"
        )
