"""The parts lists of the three builds, read and added up.

    python -m hardware.shopping         # the tables of GUIDE.md

Prices are rough, in euro with tax: for knowing what one begins, not for ordering.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from math import isfinite
from pathlib import Path

from hardware.field_of_view import table
from hardware.printed import BUILDS, parts

HERE = Path(__file__).parent


class BadList(ValueError):
    """A parts list with a line that cannot be bought from; the text names it."""


@dataclass(frozen=True)
class Line:
    """`part`: its name in the wiring; `look_for`: how to tell the right one; `wired`: whether the wiring shows it."""

    part: str
    quantity: int
    unit: str
    what: str
    look_for: str
    euro_each: float
    wired: bool

    @property
    def euro(self) -> float:
        return self.quantity * self.euro_each


COLUMNS = [field.name for field in fields(Line)]
UNITS = ("piece", "set", "metre", "gram")


def lines(build: str) -> list[Line]:
    """The parts list of a build; raises `BadList`."""
    path = HERE / "builds" / build / "parts.csv"
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            raise BadList(f"{path.name} of {build} has not the columns {', '.join(COLUMNS)}")
        return [_line(build, number, told) for number, told in enumerate(reader, 2)]


def _line(build: str, number: int, told: dict[str, str]) -> Line:
    where = f"{build}, line {number}"
    if None in told or None in told.values() or not all(value.strip() for value in told.values()):
        raise BadList(f"{where}: every column has something, and there are {len(COLUMNS)}")
    try:
        quantity, euro = int(told["quantity"]), float(told["euro_each"])
    except ValueError:
        raise BadList(f"{where}: quantity is a whole number, euro_each a number") from None
    if quantity < 1 or not isfinite(euro) or not 0 < euro < 1000:
        raise BadList(f"{where}: at least one, and a price above nothing")
    if told["unit"] not in UNITS or told["wired"] not in ("yes", "no"):
        raise BadList(f"{where}: unit is one of {', '.join(UNITS)}; wired is yes or no")
    return Line(told["part"], quantity, told["unit"], told["what"], told["look_for"], euro, told["wired"] == "yes")


def cost_rows() -> Iterator[tuple[str, ...]]:
    """One row a build."""
    for build in BUILDS:
        listed = lines(build)
        yield build, f"{len(listed)}", f"{round(sum(line.euro for line in listed), -1):.0f}"


def printed_rows() -> Iterator[tuple[str, ...]]:
    """One row a printed part."""
    for part in parts().values():
        size = " × ".join(f"{length:g}" for length in part.size)
        yield part.name, size, *(f"{part.pieces[build] or '–'}" for build in BUILDS), part.how


def cost_table() -> str:
    """What each build costs, roughly."""
    return table(["build", "lines", "about euro"], cost_rows())


def printed_table() -> str:
    """What to print."""
    return table(["part", "size mm", *BUILDS, "how"], printed_rows())


if __name__ == "__main__":
    print(cost_table(), printed_table(), sep="\n\n")
    sys.exit(0)
