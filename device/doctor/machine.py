"""Heat, voltage, memory and the clock of the machine itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from device.doctor import Case, Finding, fault, ok, warning
from device.health import HOT_C, HWMON, THERMAL, temperature, under_voltage

THROTTLES_C = 85.0
LEAST_MEMORY_MB = 150
MEMINFO = Path("/proc/meminfo")
SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
LEAST_TIME = 1_735_689_600.0  # the first of January 2025: this program is younger


def heat(case: Case, thermal: Path = THERMAL) -> Iterator[Finding]:
    degrees = temperature(thermal)
    if degrees is None:
        yield ok("heat", "this machine does not tell its temperature")
    elif degrees >= THROTTLES_C:
        yield fault("heat", f"{degrees:g} °C: it slows down", "give it air and a heat sink, keep it off lamps and sun")
    elif degrees >= HOT_C:
        yield warning("heat", f"{degrees:g} °C is hot", "give it air and a heat sink, keep it off lamps and sun")
    else:
        yield ok("heat", f"{degrees:g} °C")


def voltage(case: Case, hwmon: Path = HWMON) -> Iterator[Finding]:
    low = under_voltage(hwmon)
    if low is None:
        yield ok("voltage", "this machine does not tell its voltage")
    elif low:
        yield fault(
            "voltage",
            "the supply is too weak, now or since the start: pictures and lights may fail",
            "use the Pi's own power supply and a short cable, and feed the lights from a supply of their own",
        )
    else:
        yield ok("voltage", "the supply is strong enough")


def memory(case: Case, meminfo: Path = MEMINFO) -> Iterator[Finding]:
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
        free_mb = int(lines["MemAvailable"].split()[0]) // 1024
    except (OSError, KeyError, ValueError):
        yield ok("memory", "this machine does not tell its memory")
        return
    if free_mb < LEAST_MEMORY_MB:
        yield warning("memory", f"only {free_mb} MB are free", "stop other programs; smaller pictures need less")
    else:
        yield ok("memory", f"{free_mb} MB are free")


def clock(case: Case, synchronised: Path = SYNCHRONISED, now: Callable[[], float] = time.time) -> Iterator[Finding]:
    """Play needs no time of day; the history shows it."""
    told = time.strftime("%Y-%m-%d %H:%M", time.localtime(now()))
    if now() < LEAST_TIME:
        yield warning(
            "clock",
            f"it says {told}, which cannot be; the history will show wrong times, play is not touched",
            "connect it to a network once, or: sudo timedatectl set-time '2030-12-31 20:00'",
        )
    elif not synchronised.exists():
        yield ok("clock", f"{told}, not confirmed by a time server; only the history shows it")
    else:
        yield ok("clock", f"{told}, confirmed by a time server")
