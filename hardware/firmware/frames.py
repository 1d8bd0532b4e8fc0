"""Lines on the cable, ``$seq,WORD,hex*CRC16``: made, checked, and found again after garbage.

Runs under MicroPython and CPython alike. The check sum is CRC-16/CCITT-FALSE over all between ``$`` and ``*``.
"""

import binascii
from array import array

MOST_LINE = 2048  # bytes; what has no end by then is garbage


def _row(value: int) -> int:
    value <<= 8
    for _ in range(8):
        value = (value << 1 ^ 0x1021) if value & 0x8000 else value << 1
    return value & 0xFFFF


_TABLE = array("H", (_row(value) for value in range(256)))


def crc16(data: bytes) -> int:
    """The check sum of `data`.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    crc = 0xFFFF
    table = _TABLE
    for byte in data:
        crc = (crc << 8 & 0xFF00) ^ table[crc >> 8 ^ byte]
    return crc


def line(seq: int, word: str, body: bytes = b"") -> bytes:
    """One line as bytes, its end included."""
    told = b"%d,%s,%s" % (seq & 0xFFFF, word.encode(), binascii.hexlify(body))
    return b"$%s*%04X\n" % (told, crc16(told))


def parsed(told: bytes) -> tuple | None:
    """(seq, word, body) of one line without its end; None for anything that is not one, to the last bit."""
    begin = told.rfind(b"$")  # a line that was cut off, then a whole one: the last begin counts
    end = told.rfind(b"*")
    if begin < 0 or end < begin:
        return None
    inner = told[begin + 1 : end]
    try:
        if int(told[end + 1 :], 16) != crc16(inner):
            return None
        seq, word, body = inner.split(b",")
        return int(seq), word.decode(), binascii.unhexlify(body)
    except ValueError:
        return None


class Lines:
    """Bytes in, whole lines out; `bad` counts those that were thrown away."""

    def __init__(self) -> None:
        self.bad = 0
        self._rest = b""

    def feed(self, data: bytes) -> list:
        """What `data` completes, as a list of (seq, word, body)."""
        self._rest += data
        found = []
        if b"\n" in self._rest:
            whole = self._rest.split(b"\n")
            self._rest = whole[-1]
            for told in whole[:-1]:
                told = told.rstrip(b"\r")
                got = parsed(told)
                if got is not None:
                    found.append(got)
                elif told:
                    self.bad += 1
        if len(self._rest) > MOST_LINE:
            self._rest = b""
            self.bad += 1
        return found
