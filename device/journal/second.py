"""The running game once more, in a file of its own: what a torn page takes from one is still in the other."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path

from device.journal.rows import Row

MOST_BYTES = 512 * 1024
"""From here on it is written anew with the running game alone; a longer game makes it longer, to twice its length."""


class SecondCopy:
    """Lines of JSON, each with its checksum; a line that does not fit is none. Raises OSError where it cannot write.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     copy = SecondCopy(Path(folder) / "journal.second")
    ...     copy.append([Row(1, 1, "event", {"do": "stop"}, "1")])
    ...     copy.close()
    ...     [row.seq for row in SecondCopy(Path(folder) / "journal.second").rows()]
    [1]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd = -1
        self._size = 0
        self._most = MOST_BYTES

    def rows(self) -> list[Row]:
        """What is whole, in order of `seq`; nothing where there is no file."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except OSError:
            return []
        found: dict[int, Row] = {}
        for line in lines:
            check, _, told = line.partition(b" ")
            with contextlib.suppress(ValueError, RecursionError):
                if int(check, 16) == zlib.crc32(told):
                    row = Row.from_json(json.loads(told))
                    found[row.seq] = row
        return [found[seq] for seq in sorted(found)]

    @property
    def is_full(self) -> bool:
        return self._size > self._most

    def append(self, rows: Sequence[Row]) -> None:
        """Durable on return."""
        if self._fd < 0:
            self._fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            self._size = os.fstat(self._fd).st_size
            if self._size:
                self._write(b"\n")  # what was torn at its end stays a line of its own
        self._write(b"".join(map(_line, rows)))
        os.fdatasync(self._fd)

    def anew(self, rows: Sequence[Row]) -> None:
        """These rows and no others; the old ones are there until the new ones are durable."""
        self.close()
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.unlink(missing_ok=True)
        writing = SecondCopy(fresh)
        try:
            writing.append(rows)
            os.replace(fresh, self.path)
        finally:
            size = writing._size
            writing.close()
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        self._size, self._most = size, max(MOST_BYTES, 2 * size)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def _write(self, told: bytes) -> None:
        while told:
            written = os.write(self._fd, told)
            self._size += written
            told = told[written:]


def _line(row: Row) -> bytes:
    told = json.dumps(row.to_json()).encode()
    return b"%08x %s\n" % (zlib.crc32(told), told)
