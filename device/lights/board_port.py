"""Serial ports: which of them may be the light board, and how one is opened."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Protocol

from device.kept import PartLost

AUTO = "auto"
OURS = ("MicroPython", "Pico", "Pietjesoog")  # in the name that udev gives
READ_S = 0.02
WRITE_S = 1.0


class Port(Protocol):
    """What is used of a `serial.Serial`."""

    @property
    def in_waiting(self) -> int: ...

    def read(self, size: int) -> bytes: ...

    def write(self, data: bytes) -> int | None: ...

    def reset_output_buffer(self) -> None: ...

    def close(self) -> None: ...


def open_port(path: Path) -> Port:
    """A port of our own, that never waits for long; raises `PartLost`."""
    try:
        import serial
    except ImportError as fault:
        raise PartLost("no lights: the library pyserial is missing", "lights_software") from fault
    try:
        # USB knows no baud rate; a real serial port would need one that carries twenty frames a second
        port: Port = serial.Serial(str(path), 115200, timeout=READ_S, write_timeout=WRITE_S, exclusive=True)
    except serial.SerialException as fault:
        raise _explained(path, fault) from fault
    except (OSError, ValueError) as fault:
        raise PartLost(f"{path} cannot be opened as a serial port ({fault})", "lights_failed") from fault
    return port


def _explained(path: Path, fault: Exception) -> PartLost:
    why = getattr(fault, "errno", None)
    if why in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return PartLost(f"the light board is not plugged in at {path}", "lights_absent")
    if why in (errno.EACCES, errno.EPERM):
        return PartLost(
            f"the light board at {path} may not be used; add the user to the group dialout", "lights_forbidden"
        )
    if why in (errno.EAGAIN, errno.EBUSY) or "lock" in str(fault):
        return PartLost(f"another program uses the light board at {path}", "lights_busy")
    return PartLost(f"the light board at {path} cannot be opened ({fault})", "lights_failed")


class Ports:
    """Which port to try next. A path is tried as it is; ``auto`` looks for boards under whatever name they have now.

    Names of ``/dev/serial/by-id`` come first. A plain ``ttyACM*`` is taken only when it has been there for a moment
    without such a name, since udev makes the name a little later, and never where the name is another maker's.
    """

    def __init__(self, port: str, dev: Path, *, settle_s: float = 1.0) -> None:
        self._port, self._dev, self._settle_s = port, dev, settle_s
        self._since: dict[Path, float] = {}
        self._tries = 0
        self._last: Path | None = None

    def next(self, now: float) -> Path:
        """The next port to try, each in its turn, the one that was a board first; raises `PartLost` without any."""
        found = self._candidates(now)
        if not found:
            where = self._dev if self._port == AUTO else self._port
            raise PartLost(f"no light board is plugged in ({where})", "lights_absent")
        self._tries += 1
        last, self._last = self._last, None
        return last if last in found else found[self._tries % len(found)]

    def found(self, path: Path) -> None:
        """There is a board at `path`: try it first after it was lost."""
        self._last = path

    def _candidates(self, now: float) -> list[Path]:
        if self._port != AUTO:
            return [Path(self._port)] if Path(self._port).exists() else []
        named = sorted((self._dev / "serial" / "by-id").glob("*"))
        ours = [path for path in named if any(word in path.name for word in OURS) and path.exists()]
        taken = {path.resolve() for path in named}
        plain = [path for path in sorted(self._dev.glob("ttyACM*")) if path.exists() and path.resolve() not in taken]
        self._since = {path: self._since.get(path, now) for path in plain}
        return ours + [path for path in plain if now - self._since[path] >= self._settle_s]
