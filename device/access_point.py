"""The device's own Wi-Fi, as `device.network` opened it: what phones need to get in."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from device.write_whole import write_whole

TOLD = Path("/run/pietjesoog-network/access_point.json")
_WIFI = re.compile(r"WIFI:T:WPA;S:(?P<ssid>(?:\\.|[^;\\])*);P:(?P<password>(?:\\.|[^;\\])*);;")
_ESCAPED = re.compile(r"\\(.)")
_SPECIAL = re.compile(r'([\\;,:"])')


@dataclass(frozen=True)
class AccessPoint:
    """An open access point: its name and password, and the address of the device in it.

    >>> AccessPoint("Pietjesoog", "drie-azen", "10.42.0.1").wifi
    'WIFI:T:WPA;S:Pietjesoog;P:drie-azen;;'
    """

    ssid: str
    password: str
    address: str

    @property
    def wifi(self) -> str:
        """The text of the QR code by which a phone joins."""
        ssid, password = (_SPECIAL.sub(r"\\\1", text) for text in (self.ssid, self.password))
        return f"WIFI:T:WPA;S:{ssid};P:{password};;"

    def tell(self, path: Path = TOLD) -> None:
        """For the service, which may read it and nobody else; raises OSError."""
        write_whole(path, json.dumps(asdict(self)), 0o640)


def joined(text: str) -> tuple[str, str] | None:
    """Name and password in the text of such a QR code; None where it is none.

    >>> joined(AccessPoint("De Bak; 2", "zand:zand", "10.42.0.1").wifi)
    ('De Bak; 2', 'zand:zand')
    """
    found = _WIFI.fullmatch(text)
    return None if found is None else (_ESCAPED.sub(r"\1", found["ssid"]), _ESCAPED.sub(r"\1", found["password"]))


def told(path: Path = TOLD) -> AccessPoint | None:
    """The access point that is open now, None where there is none."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return AccessPoint(str(found["ssid"]), str(found["password"]), str(found["address"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
