"""A journal opened whatever became of its file: set aside where it is damaged, and filled with what can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from device.journal.file import SqliteJournal, refill
from device.journal.pages import Found, found_in
from device.journal.rows import JournalDamaged, JournalError, Row, that_stand
from device.journal.second import SecondCopy

MOST_ASIDE = 4
"""Damaged files that are kept; a card that dies damages one after another, and the disk is not theirs."""
_PARTS = ("", "-wal", "-shm")


@dataclass(frozen=True)
class Opened:
    """A journal ready to be written; `set_aside` is where the damaged file lies, `lost` how many entries of the
    running game could not be had back.
    """

    journal: SqliteJournal
    set_aside: Path | None = None
    lost: int = 0


def second_of(path: Path) -> SecondCopy:
    """The copy of the running game that lies beside the journal at `path`."""
    return SecondCopy(path.with_name(f"{path.stem}.second"))


def readable(path: Path) -> Found:
    """All that can be read without writing, the copy's rows included."""
    found = found_in(path)
    rows = {row.seq: row for row in (*found.rows, *second_of(path).rows())}
    return replace(found, rows=tuple(rows[seq] for seq in sorted(rows)))


def opened(path: Path) -> Opened:
    """Raises `JournalError` where nothing can be opened or written there now."""
    if not path.exists() and _mended_of(path).exists():  # it ended between the two names
        _mended_of(path).rename(path)
    copied, log = second_of(path).rows(), _bytes(_log_of(path))
    try:
        journal = SqliteJournal(path)
    except JournalDamaged:
        return _mended(path, log)
    try:
        missing = _missing(journal, copied)
        if missing and missing[0].seq <= journal.last():
            journal.close()
            return _mended(path, log)
        journal.append(missing)
    except JournalDamaged:
        journal.close()
        return _mended(path, log)
    except BaseException:
        journal.close()
        raise
    return Opened(journal)


def drop_aside(path: Path) -> None:
    """Throw damaged files away that were set aside; raises `JournalError`."""
    try:
        for aside in path.parent.glob(f"{path.name}.damaged-*"):
            aside.unlink(missing_ok=True)
    except OSError as fault:
        raise JournalError(f"{path.name}.damaged cannot be thrown away: {fault.strerror or fault}") from fault


def _missing(journal: SqliteJournal, copied: Sequence[Row]) -> list[Row]:
    """The rows of the copy that the journal should have; none where the two tell of different evenings.

    Those beyond the journal's end count as long as they follow it without a gap: its last page was torn.
    """
    if not copied:
        return []
    last = journal.last()
    own = {row.seq: row for row in journal.rows(copied[0].seq - 1)}
    if any(own[row.seq] != row for row in copied if row.seq in own):
        return []
    missing = [row for row in copied if row.seq not in own]
    beyond = [row.seq for row in missing if row.seq > last]
    first = last + 1 if last else copied[0].seq
    if beyond != list(range(first, first + len(beyond))):
        return []
    return missing


def _mended(path: Path, log: bytes) -> Opened:
    """`log`: what the log held before SQLite looked at it, which may take it away."""
    found = readable(path)
    kept, lost = _unbroken(found.rows)
    filling = path.with_name(f"{path.name}.filling")
    try:
        for part in _PARTS:
            filling.with_name(filling.name + part).unlink(missing_ok=True)
        refill(filling, kept, found.pieces)
        filling.rename(_mended_of(path))
        aside = _set_aside(path)
        _mended_of(path).rename(path)
        if log and not _log_of(aside).exists():
            _log_of(aside).write_bytes(log)
    except JournalError:
        raise
    except OSError as fault:
        raise JournalError(f"the damaged journal {path} cannot be set aside: {fault.strerror or fault}") from fault
    return Opened(SqliteJournal(path), aside, lost)


def _unbroken(rows: Sequence[Row]) -> tuple[list[Row], int]:
    """The rows without those of the running game that come after a gap: what they did is not known for sure.

    Beside them how many of that game's entries are given up or missing.
    """
    stand = that_stand(reversed(rows))
    seq = stand[0].seq if stand else 0
    for n, row in enumerate(stand):
        if row.seq != seq + n:
            return [*rows[: len(rows) - len(stand)], *stand[:n]], stand[-1].seq - (seq + n) + 1
    return list(rows), 0


def _set_aside(path: Path) -> Path:
    """Keep the damaged file with its log under another name, for somebody to look at."""
    names = sorted(
        (aside for aside in path.parent.glob(f"{path.name}.damaged-*") if aside.suffix[9:].isdecimal()),
        key=lambda aside: int(aside.suffix[9:]),
    )
    number = int(names[-1].suffix[9:]) + 1 if names else 1
    aside = path.with_name(f"{path.name}.damaged-{number}")
    for old in names[1 : max(1, len(names) + 2 - MOST_ASIDE)]:  # the first tells most, the last is of today
        for part in _PARTS:
            old.with_name(old.name + part).unlink(missing_ok=True)
    for part in reversed(_PARTS):
        there = path.with_name(path.name + part)
        if there.exists():
            there.rename(aside.with_name(aside.name + part))
    return aside


def _mended_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.mended")


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
