"""How this device fares: heat, voltage, memory, and whether the loop still turns."""

from __future__ import annotations

import resource
from pathlib import Path

HOT_C = 80.0  # a Pi slows down from here
THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
HWMON = Path("/sys/class/hwmon")


def machine() -> dict[str, object]:
    """Temperature in °C and under-voltage where the machine tells them (None where not), memory in MiB."""
    heat = temperature()
    return {
        "temperature_c": heat,
        "hot": heat is not None and heat >= HOT_C,
        "under_voltage": under_voltage(),
        "memory_mb": memory_mb(),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


def temperature(path: Path = THERMAL) -> float | None:
    try:
        return round(int(path.read_text()) / 1000, 1)
    except (OSError, ValueError):
        return None


def under_voltage(hwmon: Path = HWMON) -> bool | None:
    """The Pi's own alarm, kept by the kernel's rpi_volt driver; None on other machines."""
    try:
        for folder in sorted(hwmon.iterdir()):
            if (folder / "name").read_text().strip() == "rpi_volt":
                return (folder / "in0_lcrit_alarm").read_text().strip() == "1"
    except OSError:
        return None
    return None


def memory_mb() -> float | None:
    """Resident memory now."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return round(pages * resource.getpagesize() / 1024 / 1024, 1)
