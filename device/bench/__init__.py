"""What this machine can do: one file a room, each with `benches()`, its measurements by name.

A measurement takes `short` (a few seconds at most, for a machine that others share) and returns its `Figure`s.
"""

from __future__ import annotations

import importlib
import pkgutil
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2

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


def in_turns(ways: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Median milliseconds of a processor that each way takes, on one thread, all one after another in every round."""
    cv2.setNumThreads(1)
    for way in ways:
        way()
    spent: list[list[int]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, times in zip(ways, spent, strict=True):
            begun = time.process_time_ns()
            way()
            times.append(time.process_time_ns() - begun)
    return [statistics.median(times) / 1e6 for times in spent]
