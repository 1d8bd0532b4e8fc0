"""The device's own Wi-Fi, as `device.network` opened it: what phones need to get in."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from device.write_whole import write_whole

TOLD = Path("/run/pietjesoog-network/access_point.json")
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


def told(path: Path = TOLD) -> AccessPoint | None:
    """The access point that is open now, None where there is none."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return AccessPoint(str(found["ssid"]), str(found["password"]), str(found["address"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
