"""What can be read of a journal whose file SQLite does not open: the rows of every page that is still one.

Nothing is written, so it also reads from a disk that has become read-only. Formats: sqlite.org/fileformat2.html,
"B-tree Pages", "Record Format" and "The Write-Ahead Log".
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from device.journal.packed import unpacked
from device.journal.rows import Row, row_of

_LEAF = 0x0D
_LOG_MAGIC = (0x377F0682, 0x377F0683)
_SIZES = frozenset(2**n for n in range(9, 17))
_USUAL_SIZE = 4096
Value = int | str | bytes | None


@dataclass(frozen=True)
class Found:
    """Single rows in order of `seq`, and packed pieces, each with its first and last number, as they were stored."""

    rows: tuple[Row, ...] = ()
    pieces: tuple[tuple[int, int, bytes], ...] = ()


def found_in(path: Path) -> Found:
    """All that can be made out; nothing where the file is not there or holds none.

    A page that was not yet moved out of the log counts as it stands in the log, if that was committed.
    """
    try:
        main = path.read_bytes()
    except OSError:
        return Found()
    try:
        log = path.with_name(f"{path.name}-wal").read_bytes()
    except OSError:
        log = b""
    size = _page_size(main, log)
    pages = {n + 1: main[n * size : (n + 1) * size] for n in range(len(main) // size)}
    pages |= _logged(log, size)
    rows: dict[int, Row] = {}
    pieces: dict[int, tuple[int, int, bytes]] = {}
    for number, page in sorted(pages.items()):
        for record in _records(page, 100 if number == 1 else 0, pages):
            with contextlib.suppress(ValueError, RecursionError):
                match record:
                    case (int(seq), int(boot), str(kind), str(body), str(rules), str(wall)):
                        rows[seq] = row_of(seq, boot, kind, body, rules, wall)
                    case (int(first), int(last), bytes(piece)) if [r.seq for r in unpacked(piece)][-1:] == [last]:
                        pieces[first] = (first, last, piece)
    over = max((last for _, last, _ in pieces.values()), default=0)
    return Found(
        tuple(rows[seq] for seq in sorted(rows) if seq > over),  # what was packed may still stand on a page given up
        tuple(pieces[first] for first in sorted(pieces)),
    )


def _page_size(main: bytes, log: bytes) -> int:
    for told in (int.from_bytes(main[16:18], "big"), int.from_bytes(log[8:12], "big")):
        size = 65536 if told == 1 else told
        if size in _SIZES:
            return size
    return _USUAL_SIZE


def _logged(log: bytes, size: int) -> dict[int, bytes]:
    """The last committed picture of each page in the log; what follows a frame that does not fit counts no more."""
    if len(log) < 32 or int.from_bytes(log[:4], "big") not in _LOG_MAGIC:
        return {}
    order = ">" if log[3] & 1 else "<"
    salt, sums = log[16:24], _checksum(log[:24], (0, 0), order)
    if sums != struct.unpack(">II", log[24:32]):
        return {}
    committed: dict[int, bytes] = {}
    open_: dict[int, bytes] = {}
    for at in range(32, len(log) - size - 23, size + 24):
        head, page = log[at : at + 24], log[at + 24 : at + 24 + size]
        sums = _checksum(page, _checksum(head[:8], sums, order), order)
        if head[8:16] != salt or sums != struct.unpack(">II", head[16:24]):
            break
        number, after_commit = struct.unpack(">II", head[:8])
        open_[number] = page
        if after_commit:
            committed |= open_
            open_ = {}
    return committed


def _checksum(data: bytes, start: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = start
    for x, y in struct.iter_unpack(f"{order}II", data):
        one = (one + x + two) & 0xFFFFFFFF
        two = (two + y + one) & 0xFFFFFFFF
    return one, two


def _records(page: bytes, at: int, pages: dict[int, bytes]) -> Iterator[tuple[Value, ...]]:
    """The records of a table's leaf, the row number in place of its first column; nothing of any other page."""
    if len(page) < at + 8 or page[at] != _LEAF:
        return
    for n in range(int.from_bytes(page[at + 3 : at + 5], "big")):
        place = page[at + 8 + 2 * n : at + 10 + 2 * n]
        try:
            yield _record(page, int.from_bytes(place, "big"), pages)
        except (IndexError, ValueError):
            continue


def _record(page: bytes, at: int, pages: dict[int, bytes]) -> tuple[Value, ...]:
    """Raises IndexError or ValueError where there is none."""
    length, at = _varint(page, at)
    row, at = _varint(page, at)
    payload = _payload(page, at, length, pages)
    head, place = _varint(payload, 0)
    kinds = []
    while place < head:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        value, place = _value(payload, place, kind)
        values.append(value)
    if not values or values[0] is not None:
        raise ValueError("the first column is the row's number")
    return (row, *values[1:])


def _payload(page: bytes, at: int, length: int, pages: dict[int, bytes]) -> bytes:
    usable = len(page)
    if length <= usable - 35:
        whole = page[at : at + length]
    else:
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= usable - 35 else least
        whole, next_ = page[at : at + local], int.from_bytes(page[at + local : at + local + 4], "big")
        for _ in range(len(pages)):
            if len(whole) >= length or next_ not in pages:
                break
            more = pages[next_]
            whole, next_ = whole + more[4:], int.from_bytes(more[:4], "big")
        whole = whole[:length]
    if len(whole) != length:
        raise ValueError("a part of the record is missing")
    return whole


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if 1 <= kind <= 6:
        size = (1, 2, 3, 4, 6, 8)[kind - 1]
        return int.from_bytes(payload[at : at + size], "big", signed=True), at + size
    if kind < 12:
        raise ValueError("no journal holds this")
    size = (kind - 12) // 2
    raw = payload[at : at + size]
    if len(raw) != size:
        raise ValueError("the record ends too early")
    return (raw.decode() if kind % 2 else raw), at + size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """One to nine bytes, seven bits each, the ninth whole."""
    value = 0
    for n in range(9):
        byte = data[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    raise ValueError("unreachable")
