"""Rows of games long over, many in one piece: nothing is lost, and it takes a tenth of the room."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from device.journal.rows import Row

MOST_LOOSE = 8000
"""Rows that are left as they are; from there on what was before the running game is packed, two nights or so."""
IN_ONE = 1000  # rows in one piece
_MOST_UNPACKED = 64 * 2**20


def packed(rows: Sequence[Row]) -> bytes:
    """
    >>> rows = [Row(n, 1, "event", {"do": "stop"}, "1", "") for n in range(1, 101)]
    >>> unpacked(packed(rows)) == rows, len(packed(rows)) < 1000
    (True, True)
    """
    return zlib.compress(json.dumps([row.to_json() for row in rows]).encode(), 9)


def unpacked(piece: object) -> list[Row]:
    """The inverse of `packed`; raises ValueError for anything else."""
    if not isinstance(piece, bytes):
        raise ValueError("this is no packed piece")
    opener = zlib.decompressobj()
    try:
        told = json.loads(opener.decompress(piece, _MOST_UNPACKED))
    except zlib.error as fault:
        raise ValueError(f"this is no packed piece ({fault})") from fault
    if not isinstance(told, list):
        raise ValueError("a packed piece holds rows")
    return [Row.from_json(row) for row in told]


def mentions(piece: object, words: Sequence[str]) -> bool:
    """Whether any of these words stands in a piece; looked for without reading its rows.

    >>> mentions(packed([Row(1, 1, "event", {"do": "stop"}, "1")]), ["Ann", "stop"])
    True
    """
    if not isinstance(piece, bytes):
        return False
    try:
        told = zlib.decompressobj().decompress(piece, _MOST_UNPACKED)
    except zlib.error as fault:
        raise ValueError(f"this is no packed piece ({fault})") from fault
    return any(word.encode() in told for word in words)
