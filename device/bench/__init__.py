"""What this machine can do: one file a room, each with `benches()`, its measurements by name.

A measurement takes `short` (a few seconds at most, for a machine that others share) and returns its `Figure`s.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Bench = Callable[[bool], "list[Figure]"]


@dataclass(frozen=True)
class Figure:
    """One measured number; `limit` is what it should stay under, where something was promised."""

    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def kept(self) -> bool:
        """Whether the promise is kept; a figure without one keeps it."""
        return self.limit is None or self.value <= self.limit

    def to_json(self) -> dict[str, object]:
        """One line of ``bench --json``."""
        return {"bench": self.name, "value": self.value, "unit": self.unit, "limit": self.limit, "kept": self.kept}


def all_benches() -> Mapping[str, Bench]:
    """Every measurement of every file in this folder."""
    found: dict[str, Bench] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        found |= importlib.import_module(f"{__name__}.{module.name}").benches()
    return found
