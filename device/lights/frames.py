"""Lines on the cable of the light board, ``$seq,WORD,hex*CRC16``: made, checked, found again after garbage.

The board's own side is ``hardware/firmware/frames.py``; the table of words is in ``hardware/firmware/README.md``.
"""

from __future__ import annotations

from binascii import crc_hqx, unhexlify
from typing import NamedTuple

PROTOCOL = 1
MOST_LINE = 2048  # bytes; what has no end by then is garbage


class Line(NamedTuple):
    seq: int
    word: str
    body: bytes


def line(seq: int, word: str, body: bytes = b"") -> bytes:
    """One line as bytes, its end included.

    >>> line(1, "HELLO")
    b'$1,HELLO,*E8BF\\n'
    """
    told = f"{seq & 0xFFFF},{word},{body.hex()}".encode()
    return b"$%s*%04X\n" % (told, crc_hqx(told, 0xFFFF))


def parsed(told: bytes) -> Line | None:
    """One line without its end; None for anything that is not one, to the last bit."""
    begin, end = told.rfind(b"$"), told.rfind(b"*")
    if begin < 0 or end < begin:
        return None
    inner = told[begin + 1 : end]
    try:
        if int(told[end + 1 :], 16) != crc_hqx(inner, 0xFFFF):
            return None
        seq, word, body = inner.split(b",")
        return Line(int(seq), word.decode(), unhexlify(body))
    except ValueError:
        return None


class Lines:
    """Bytes in, whole lines out; `bad` counts those that were thrown away."""

    def __init__(self) -> None:
        self.bad = 0
        self._rest = b""

    def feed(self, data: bytes) -> list[Line]:
        """What `data` completes."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        found: list[Line] = []
        for told in whole:
            got = parsed(told.rstrip(b"\r"))
            if got is not None:
                found.append(got)
            elif told.strip():
                self.bad += 1
        if len(self._rest) > MOST_LINE:
            self._rest = b""
            self.bad += 1
        return found


class Hello(NamedTuple):
    """How a board introduces itself; `boot` is another number after each start."""

    protocol: int
    pixels: int
    buttons: int
    seats: int
    boot: int
    version: str

    @classmethod
    def of(cls, body: bytes) -> Hello | None:
        if not body:
            return None
        if body[0] != PROTOCOL or len(body) < 7:
            return cls(body[0], 0, 0, 0, 0, "")
        version = body[7:].decode("ascii", "replace")
        return cls(body[0], _two(body, 1), body[3], body[4], _two(body, 5), version)


class Shown(NamedTuple):
    """The board's answer to a frame: which, what its pixels now draw by reckoning, how many lines were bad."""

    seq: int
    milliamps: int
    bad: int

    @classmethod
    def of(cls, body: bytes) -> Shown | None:
        return cls(_two(body, 0), _two(body, 2), _two(body, 4)) if len(body) == 6 else None


def frame(brightness: int, seats: int, pixels: bytes) -> bytes:
    """The body of ``SHOW``: the whole state, nothing that an earlier frame must have said."""
    return bytes((brightness & 0xFF, seats & 0xFF)) + pixels


def _two(body: bytes, at: int) -> int:
    return int.from_bytes(body[at : at + 2], "big")
