"""Where a device keeps its scores; all else that it keeps lies beside them."""

from __future__ import annotations

import os
from pathlib import Path

from device.config import Config


def journal_file(config: Config, state: Path | None = None) -> Path:
    """The journal: as set, else in the folder `state`, else in systemd's or the user's state folder.

    >>> journal_file(Config(), Path("/var/lib/pietjesoog"))
    PosixPath('/var/lib/pietjesoog/journal.db')
    """
    if told := config.text("journal.file"):
        return Path(told).expanduser()
    return (state or _state()) / "journal.db"


def _state() -> Path:
    if told := os.environ.get("STATE_DIRECTORY"):  # systemd makes it and names it after the service
        return Path(told.partition(":")[0])
    return Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state").expanduser() / "pietjesoog"
