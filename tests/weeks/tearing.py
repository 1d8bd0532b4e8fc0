"""What a power cut does to the last page that was on its way to the disk."""

from __future__ import annotations

from pathlib import Path
from random import Random

PAGE = 4096
FRAME = PAGE + 24


def tear(journal: Path, random: Random) -> str:
    """Tear the last page of one of the journal's files; tells which, and how."""
    which = random.choice(("file", "log", "second"))
    path = {
        "file": journal,
        "log": journal.with_name(f"{journal.name}-wal"),
        "second": journal.with_name(f"{journal.stem}.second"),
    }[which]
    if not path.exists() or path.stat().st_size == 0:
        which, path = "file", journal
    raw = bytearray(path.read_bytes())
    last = max(0, len(raw) - (FRAME if which == "log" else PAGE))
    at = random.randrange(last, len(raw))
    how = random.choice(("cut", "zeros", "noise"))
    if how == "cut" and which != "file":  # a file of pages keeps its length: the page was there before
        del raw[at:]
    else:
        rest = len(raw) - at
        raw[at:] = random.randbytes(rest) if how == "noise" else bytes(rest)
        how = "zeros" if how == "cut" else how
    path.write_bytes(raw)
    return f"{which}: {how}"
