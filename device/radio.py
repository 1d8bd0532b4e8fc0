"""The machine's ways into a network, and its own Wi-Fi: what NetworkManager is asked, and a fake that does the same."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from device.errors import DeviceError
from device.write_whole import write_whole

NAME = "pietjesoog-access-point"
ADDRESS = "10.42.0.1"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
KEYFILE = f"""[connection]
id={NAME}
type=wifi
autoconnect=false
interface-name={{device}}

[wifi]
mode=ap
band=bg
ssid={{ssid}}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
group=ccmp
psk={{password}}

[ipv4]
method=shared
address1={ADDRESS}/24

[ipv6]
method=disabled
"""


class RadioFault(DeviceError):
    """NetworkManager does not do what it was asked; the text says what."""


@dataclass(frozen=True)
class Link:
    """One way into a network: its device, what it is (``wifi``, ``ethernet``), and the connection that is up on it."""

    device: str
    kind: str
    connection: str = ""


class Radio(Protocol):
    """What can be asked of the machine's networks; each raises `RadioFault`."""

    def links(self) -> list[Link]:
        """Wi-Fi and cable, connected or not."""

    def open(self, device: str, ssid: str, password: str) -> None:
        """Our own network is up on `device` when this returns."""

    def close(self) -> None:
        """Our own is down; known ones are joined again by themselves."""

    def guests(self, device: str) -> int:
        """How many phones are in it; at least one where nobody can tell."""


@dataclass
class FakeRadio:
    """The fake: links as set, what was done to them in `done`; `broken` makes it refuse."""

    there: list[Link] = field(default_factory=list)
    phones: int = 0
    broken: str | None = None
    done: list[str] = field(default_factory=list)

    def links(self) -> list[Link]:
        self._may()
        return list(self.there)

    def open(self, device: str, ssid: str, password: str) -> None:
        self._may()
        self.done.append(f"open {device} {ssid}")
        self.there = [
            Link(one.device, one.kind, NAME if one.device == device else one.connection) for one in self.there
        ]

    def close(self) -> None:
        self._may()
        self.done.append("close")
        self.there = [Link(one.device, one.kind, one.connection.replace(NAME, "")) for one in self.there]

    def guests(self, device: str) -> int:
        return self.phones

    def _may(self) -> None:
        if self.broken is not None:
            raise RadioFault(self.broken)


class NetworkManager:
    """The real one, through nmcli; the connection lives in `keyfiles`, in memory only."""

    def __init__(
        self,
        keyfiles: Path = Path("/run/NetworkManager/system-connections"),
        run: Callable[[Sequence[str]], str] | None = None,
    ) -> None:
        self._file = keyfiles / f"{NAME}.nmconnection"
        self._run = run or _run

    def links(self) -> list[Link]:
        told = self._run(["nmcli", "-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device"])
        found = []
        for line in told.splitlines():
            device, kind, state, connection = [*_fields(line), "", "", ""][:4]
            if kind in ("wifi", "ethernet"):
                up = state.startswith("connected")
                found.append(Link(device, kind, connection if up else ""))
        return found

    def open(self, device: str, ssid: str, password: str) -> None:
        # a keyfile, so that the password stands on no command line
        text = KEYFILE.format(
            device=device, ssid="".join(f"{byte};" for byte in ssid.encode()), password=_escaped(password)
        )
        try:
            write_whole(self._file, text, 0o600)
        except OSError as fault:
            raise RadioFault(f"{self._file} cannot be written: {fault.strerror}") from fault
        self._run(["nmcli", "connection", "load", str(self._file)])
        self._run(["nmcli", "--wait", "30", "connection", "up", NAME])

    def close(self) -> None:
        self._run(["nmcli", "--wait", "15", "connection", "down", NAME])

    def guests(self, device: str) -> int:
        try:
            return self._run(["iw", "dev", device, "station", "dump"]).count("Station ")
        except RadioFault:
            return 1


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=45, env=ENVIRONMENT, check=False)
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise RadioFault(f"{command[0]} does not answer: {fault}") from fault
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise RadioFault(f"{' '.join(command)}: {said[-1] if said else f'status {done.returncode}'}")
    return done.stdout


def _fields(line: str) -> list[str]:
    """nmcli's terse line: colons between, a backslash before those within.

    >>> _fields(r"wlan0:wifi:connected:Caf\\:x")
    ['wlan0', 'wifi', 'connected', 'Caf:x']
    """
    found, escaped = [""], False
    for letter in line:
        if escaped or letter not in ":\\":
            found[-1] += letter
            escaped = False
        elif letter == "\\":
            escaped = True
        else:
            found.append("")
    return found


def _escaped(text: str) -> str:
    """As keyfiles want it: backslashes doubled, a first blank as ``\\s``."""
    doubled = text.replace("\\", "\\\\")
    return f"\\s{doubled[1:]}" if doubled.startswith(" ") else doubled
