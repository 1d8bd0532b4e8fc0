"""A part that may be missing now and there later: opened when it can be, given up when it fails, tried again."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from device.errors import DeviceError

LOG = logging.getLogger("pietjesoog")
RETRY_S = 2.0
MOST_RETRY_S = 60.0


class PartLost(DeviceError):
    """A part of the device cannot be used; the text says what and why, `key` its words in the texts (``fault``)."""

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key


class Closes(Protocol):
    def close(self) -> None: ...


P = TypeVar("P", bound=Closes)


class Kept(Generic[P]):
    """Holds one part for one thread; `fault` is the sentence while it cannot be used, `trouble` its key.

    The wait between two tries doubles up to a minute, and is short again once the part has worked.
    """

    def __init__(
        self,
        name: str,
        open_part: Callable[[], P],
        *,
        clock: Callable[[], float] = time.monotonic,
        retry_s: float = RETRY_S,
        most_retry_s: float = MOST_RETRY_S,
    ) -> None:
        self.name = name
        self._open, self._clock = open_part, clock
        self._retry_s, self._most_retry_s = retry_s, most_retry_s
        self._part: P | None = None
        self._due, self._pause = clock(), retry_s
        self.fault: str | None = None
        self.trouble: str | None = None

    def get(self) -> P | None:
        """The part, opened now if it is due; None while it cannot be had."""
        if self._part is None and self._clock() >= self._due:
            try:
                self._part = self._open()
            except Exception as fault:
                self._lose(fault)
            else:
                if self.fault is not None:
                    LOG.info("%s works again", self.name)
                self.fault = self.trouble = None
        return self._part

    def use(self, how: Callable[[P], None]) -> bool:
        """Do this with the part; false, and the part given up for a while, where it is missing or fails."""
        part = self.get()
        if part is None:
            return False
        try:
            how(part)
        except Exception as fault:
            self._lose(fault)
            return False
        self._pause = self._retry_s
        return True

    def close(self) -> None:
        """Any number of times; it is not opened again."""
        self._due = float("inf")
        self._let_go()

    def _lose(self, fault: Exception) -> None:
        self._let_go()
        if isinstance(fault, DeviceError):
            sentence, key = str(fault), getattr(fault, "key", "")
        else:
            LOG.debug("%s", self.name, exc_info=fault)
            sentence, key = f"{self.name} stumbled ({type(fault).__name__}: {fault}) and is tried again", ""
        if sentence != self.fault:
            LOG.warning("%s", sentence)
        self.fault, self.trouble = sentence, key or None
        self._due = self._clock() + self._pause
        self._pause = min(self._pause * 2, self._most_retry_s)

    def _let_go(self) -> None:
        part, self._part = self._part, None
        if part is not None:
            with contextlib.suppress(Exception):
                part.close()
