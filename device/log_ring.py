"""The last lines of the log, in memory, for whoever has to help: no code and no name steers what is read there."""

from __future__ import annotations

import logging
import re
import threading
from collections import deque
from collections.abc import Callable

from device.clock_watch import wall
from device.one_line import one_line

MOST_LINES = 600
MOST_LETTERS = 400  # of a line; with `MOST_LINES` under half a megabyte
_SECRET = re.compile(r"(?<!\d)\d{3} ?\d{3}(?!\d)")  # the table's code, also where it has changed since


class LogRing(logging.Handler):
    """Keeps the last lines with six digits in a row blotted out: such is the table's code. PINs are never logged.

    >>> ring = LogRing(wall=lambda: "noon")
    >>> ring.emit(logging.makeLogRecord({"levelname": "INFO", "name": "door", "msg": "the code is now 482913"}))
    >>> ring.lines()
    ['noon INFO door: the code is now ······']
    """

    def __init__(self, most: int = MOST_LINES, *, wall: Callable[[], str] = wall) -> None:
        super().__init__()
        self._wall = wall
        self._guard = threading.Lock()
        self._lines: deque[str] = deque(maxlen=most)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            told = [record.getMessage()]
            if record.exc_info:
                told += logging.Formatter().formatException(record.exc_info).splitlines()
        except Exception:  # a record that cannot be put into words stops nobody
            told = ["a line that could not be written"]
        head = f"{self._wall()} {record.levelname} {record.name}: "
        with self._guard:
            self._lines.extend(_SECRET.sub("······", one_line(head + line))[:MOST_LETTERS] for line in told)

    def lines(self) -> list[str]:
        """What is kept, the oldest first."""
        with self._guard:
            return list(self._lines)
