"""What was set on the page: kept beside the scores, laid over the settings' file at each start."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path

from device.config import Config, Value, load
from device.errors import BadInput
from device.write_whole import write_whole

NAMES = frozenset(
    {
        "web.language",
        "web.colours",
        "sound.kind",
        "sound.volume",
        "lights.brightness",
        "camera.kind",
        "camera.device",
        "board.file",
        "network.access_point",
    }
)
"""The settings that the page may change; all others stand in the settings' file alone."""
_HEAD = "# Set on the page of the device; goes before the settings' file. Deleting this file takes it all back.\n"


class NotKept(BadInput):
    """The storage refuses; the setting holds until the next start."""


class Chosen:
    """The settings with what was chosen on the page; without a file that lives as long as the process does.

    >>> chosen = Chosen(None, Config())
    >>> chosen.set(sound__volume=30)
    >>> chosen.config.whole("sound.volume")
    30
    """

    def __init__(self, file: Path | None, config: Config) -> None:
        self.file, self._lock = file, threading.Lock()
        self._values: dict[str, Value] = {}
        self.config = config
        self.trouble: str | None = None
        if file is not None and os.access(file, os.F_OK):  # a folder that may not be looked into has none for us
            try:
                told = load(file).values
            except BadInput as fault:
                self.trouble = f"what was set on the page is left out: {fault}"
            else:
                self._values = {name: value for name, value in told.items() if name in NAMES}
                self.config = _over(config, self._values)

    @classmethod
    def beside(cls, scores: Path, config: Config) -> Chosen:
        """What was set on the page of the device that keeps its scores there."""
        return cls(scores.with_name("chosen.toml"), config)

    @property
    def names(self) -> tuple[str, ...]:
        """What was set on the page, by name."""
        return tuple(sorted(self._values))

    def set(self, **changed: Value) -> None:
        """Change some (``sound__volume=30``), on the disk before this returns.

        Raises `device.config.BadSetting` for a wrong value and changes nothing; `NotKept` where they hold only until
        the next start.
        """
        told = {key.replace("__", "."): value for key, value in changed.items()}
        if not told.keys() <= NAMES:
            raise BadInput(f"{', '.join(sorted(told.keys() - NAMES))} cannot be set on the page")
        with self._lock:
            self.config = self.config.with_values(**changed)
            self._values |= {name: self.config[name] for name in told}
            if self.file is not None:
                try:
                    write_whole(self.file, _HEAD + _toml(self._values), 0o600)
                except OSError as fault:
                    raise NotKept(f"{self.file} cannot be written: {fault.strerror}") from fault


def _over(config: Config, values: Mapping[str, Value]) -> Config:
    return config.with_values(**{name.replace(".", "__"): value for name, value in values.items()})


def _toml(values: Mapping[str, Value]) -> str:
    lines: list[str] = []
    section = ""
    for name, value in sorted(values.items()):
        part, _, key = name.partition(".")
        if part != section:
            section = part
            lines.append(f"\n[{part}]")
        lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")  # texts, numbers and truths read alike in TOML
    return "\n".join(lines) + "\n"
