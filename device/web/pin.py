"""The PIN of the settings: set at the first start, kept as a salted hash in the state folder."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
from pathlib import Path

from device.errors import BadInput
from device.write_whole import write_whole

SHORTEST, LONGEST = 4, 12  # digits
COST = {"n": 2**14, "r": 8, "p": 1}  # 16 MiB and about a tenth of a second on a Pi 4


class BadPin(BadInput):
    """What was given is no PIN, or it cannot be kept; `key` is the sentence for people in the texts."""

    def __init__(self, key: str, sentence: str) -> None:
        super().__init__(sentence)
        self.key = key


class Pin:
    """The PIN in `file`; without a file it lives as long as the process does.

    Whoever forgot it deletes the file and sets another at the next start.

    >>> pin = Pin(None)
    >>> pin.set("2741")
    >>> pin.is_set, pin.fits("2741"), pin.fits("2742")
    (True, True, False)
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self.damaged = False
        self._kept = self._read()

    @property
    def is_set(self) -> bool:
        return self._kept is not None

    def fits(self, told: str) -> bool:
        """Whether `told` is the PIN; takes a tenth of a second, so that trying all of them takes long."""
        kept = self._kept
        return kept is not None and hmac.compare_digest(_hashed(told, kept[0]), kept[1])

    def set(self, told: str) -> None:
        """A new PIN, on the disk before this returns; raises `BadPin`."""
        if not (told.isascii() and told.isdecimal() and SHORTEST <= len(told) <= LONGEST):
            raise BadPin("pin_digits", f"a PIN has {SHORTEST} to {LONGEST} digits")
        salt = secrets.token_bytes(16)
        kept = (salt, _hashed(told, salt))
        with self._lock:
            try:
                self._write(kept)
            except OSError as fault:
                raise BadPin("pin_storage", f"the PIN cannot be kept in {self._file}: {fault.strerror}") from fault
            self._kept, self.damaged = kept, False

    def _read(self) -> tuple[bytes, bytes] | None:
        if self._file is None:
            return None
        try:
            told = json.loads(self._file.read_text("utf-8"))
            return bytes.fromhex(told["salt"]), bytes.fromhex(told["scrypt"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError):
            self.damaged = True
            return secrets.token_bytes(16), b""  # nothing fits: a damaged file opens no door

    def _write(self, kept: tuple[bytes, bytes]) -> None:
        if self._file is not None:
            write_whole(self._file, json.dumps({"salt": kept[0].hex(), "scrypt": kept[1].hex()}), 0o600)


def _hashed(told: str, salt: bytes) -> bytes:
    return hashlib.scrypt(told.encode("utf-8", "replace"), salt=salt, **COST)
