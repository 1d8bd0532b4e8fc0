"""The machine itself, as far as it tells: heat, supply, room on the card, how long it runs, what it is."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LEAST_MB = 200  # free on the card; a throw that is kept takes up to five
UPTIME = Path("/proc/uptime")
MODEL = Path("/proc/device-tree/model")
_ASK_S = 20.0  # the firmware is asked no more often
_NOW_LOW, _WAS_LOW, _NOW_SLOW = 1 << 0, 1 << 16, (1 << 1) | (1 << 2) | (1 << 3)  # bits of `vcgencmd get_throttled`


def released() -> str:
    """The version of this program, '' where it is not installed as a package."""
    try:
        return version("pietjesoog")
    except PackageNotFoundError:
        return ""


def up_s(path: Path = UPTIME) -> float | None:
    """Seconds since the machine started; None where it does not tell."""
    try:
        return float(path.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def model(path: Path = MODEL) -> str | None:
    """What the machine calls itself (``Raspberry Pi 5 Model B Rev 1.0``); None where it does not."""
    try:
        return path.read_text("utf-8", "replace").strip("\0 \n")[:80] or None
    except OSError:
        return None


def nearest(folder: Path) -> Path:
    """The folder, or where it would be made."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def room(folder: Path) -> Mapping[str, object] | None:
    """Free and whole megabytes of the file system that holds `folder`; None where nobody tells."""
    try:
        told = shutil.disk_usage(nearest(folder))
    except OSError:
        return None
    free = told.free // 2**20
    return {"free_mb": free, "total_mb": told.total // 2**20, "ok": free >= LEAST_MB}


def throttled() -> int | None:
    """The firmware's word on supply and heat (``vcgencmd get_throttled``); None on other machines."""
    try:
        told = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=2.0, check=False)
        return int(told.stdout.strip().partition("=")[2], 16)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


class Supply:
    """Whether the supply is, or since the start was, too weak, and whether the machine slows down for it.

    >>> told = Supply(lambda: 0x50005).told()
    >>> told["under_voltage_now"], told["under_voltage_seen"], told["slowed"]
    (True, True, True)
    """

    def __init__(
        self, ask: Callable[[], int | None] = throttled, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ask, self._clock = ask, clock
        self._lock = threading.Lock()
        self._asked = float("-inf")
        self._bits: int | None = None

    def told(self) -> dict[str, bool | None]:
        """None for each where the machine has no such firmware."""
        with self._lock:
            if self._clock() - self._asked >= _ASK_S:
                self._asked, self._bits = self._clock(), self._ask()
            bits = self._bits
        if bits is None:
            return dict.fromkeys(("under_voltage_now", "under_voltage_seen", "slowed"))
        return {
            "under_voltage_now": bool(bits & _NOW_LOW),
            "under_voltage_seen": bool(bits & (_NOW_LOW | _WAS_LOW)),
            "slowed": bool(bits & _NOW_SLOW),
        }
