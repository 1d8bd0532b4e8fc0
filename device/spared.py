"""What a command reads is never written over by what it writes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from device.errors import BadInput


def spare(read: Iterable[Path], written: Iterable[Path]) -> None:
    """Raises BadInput where a file to write is one that is read, under whatever name, or would be written twice.

    >>> from pathlib import Path
    >>> spare([Path("a.jpg")], [Path("board.toml"), Path("seen.png")])
    """
    kept, taken = {_file(path) for path in read}, set[object]()
    for path in written:
        if (file := _file(path)) in kept:
            raise BadInput(f"{path} is itself read: name another file to write.")
        if file in taken:
            raise BadInput(f"{path} would be written twice: name another file, or do the one after the other.")
        taken.add(file)


def _file(path: Path) -> object:
    """Equal for two names of one file."""
    try:
        there = path.stat()
    except (OSError, ValueError):  # not there yet, or no name that a file can have
        return os.path.abspath(path)
    return there.st_dev, there.st_ino
