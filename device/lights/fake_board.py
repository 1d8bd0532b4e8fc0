"""A light board in memory, for tests and for trying things out: speaks the protocol, can be unplugged or get stuck."""

from __future__ import annotations

import threading
from pathlib import Path

from device.kept import PartLost
from device.lights.chain import capped, milliamps
from device.lights.frames import PROTOCOL, Lines, line

MOST_BRIGHTNESS, MOST_MA = 160, 500  # as in the firmware's pins.py


class FakeBoard:
    """Give `open_port` to a `BoardLink`; `pixels` is what the board shows, caps applied.

    >>> from device.lights.board_link import BoardLink
    >>> board = FakeBoard()
    >>> link = BoardLink(board.port, open_port=board.open_port)
    """

    def __init__(self, pixels: int = 96, *, protocol: int = PROTOCOL, version: str = "1.0.0") -> None:
        self.port = "/dev/null"  # a port that is always there, so that `open_port` decides
        self.count, self.protocol, self.version = pixels, protocol, version
        self.pixels = bytes(3 * pixels)
        self.seats = 0
        self.frames = 0
        self.is_plugged, self.is_stuck, self.is_mute = True, False, False
        self.opened = 0
        self._boot = 1
        self._seq = 0
        self._lines = Lines()
        self._out = b""
        self._there = threading.Condition()

    def open_port(self, path: Path) -> FakePort:
        if not self.is_plugged:
            raise PartLost(f"the light board is not plugged in at {path}", "lights_absent")
        self.opened += 1
        return FakePort(self)

    def press(self, key: int, kind: int, age_ms: int = 0, *, times: int = 1) -> None:
        """Send a button event, as often as a board would whose host took it late."""
        self._seq += 1
        for _ in range(times):
            self._say(line(self._seq, "KEY", bytes((key, kind)) + age_ms.to_bytes(2, "big")))

    def plug(self) -> None:
        self.is_plugged = True

    def unplug(self) -> None:
        """Out; it has no power then, and begins anew when it is plugged in again."""
        self.is_plugged = False
        self.pixels, self.seats, self._out = bytes(3 * self.count), 0, b""
        self._boot += 1
        self._seq = 0

    def garbage(self, data: bytes) -> None:
        self._say(data)

    def take(self, data: bytes) -> None:
        """Bytes from the host."""
        for got in self._lines.feed(data):
            if got.word == "HELLO":
                told = bytes((self.protocol,)) + self.count.to_bytes(2, "big") + bytes((3, 8))
                self._answer("HELLO", told + self._boot.to_bytes(2, "big") + self.version.encode())
            elif got.word == "SHOW" and len(got.body) >= 2:
                self.frames += 1
                pixels = got.body[2 : 2 + 3 * self.count].ljust(3 * self.count, b"\0")
                self.pixels = capped(pixels, min(got.body[0], MOST_BRIGHTNESS), MOST_MA)
                self.seats = got.body[1]
                told = got.seq.to_bytes(2, "big") + milliamps(self.pixels, self.count).to_bytes(2, "big")
                self._answer("SHOWN", told + self._lines.bad.to_bytes(2, "big"))

    def give(self, size: int, wait_s: float) -> bytes:
        with self._there:
            if not self._out:
                self._there.wait(wait_s)
            told, self._out = self._out[:size], self._out[size:]
            return told

    @property
    def waiting(self) -> int:
        return len(self._out)

    def _answer(self, word: str, body: bytes) -> None:
        self._seq += 1
        self._say(line(self._seq, word, body))

    def _say(self, data: bytes) -> None:
        if not self.is_mute:
            with self._there:
                self._out += data
                self._there.notify()


class SerialTimeoutException(OSError):
    """Named as pyserial's own: what a stuck board makes of a write."""


class FakePort:
    """One end of the cable; fails as a real one does."""

    def __init__(self, board: FakeBoard) -> None:
        self._board = board
        self.is_open = True

    @property
    def in_waiting(self) -> int:
        self._check()
        return self._board.waiting

    def read(self, size: int) -> bytes:
        self._check()
        return self._board.give(size, 0.01)

    def write(self, data: bytes) -> int:
        self._check()
        if self._board.is_stuck:
            raise SerialTimeoutException("Write timeout")
        self._board.take(data)
        return len(data)

    def reset_output_buffer(self) -> None:
        self._check()

    def close(self) -> None:
        self.is_open = False

    def _check(self) -> None:
        if not self._board.is_plugged:
            raise OSError(5, "Input/output error")
