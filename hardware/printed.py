"""The printed parts: exports their STL files and checks each, one after the other.

    python -m hardware.printed                          # all parts into hardware/stl/
    python -m hardware.printed foot elbow               # some
    python -m hardware.printed --build table --set board=350 --set 'camera="hq"'

Needs openscad. A part is good if it is watertight, lies on the bed and has the size that printed.toml states.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hardware.stl import NoSolid, Solid, load

HERE = Path(__file__).parent
BUILDS = ("small", "table", "cafe")
LIMIT_S = 300
SIZE_OFF = 0.06  # millimetres between stated and exported
PETG = 1.27e-3  # grams a cubic millimetre


class NotPrintable(RuntimeError):
    """Why a part cannot be exported or must not be printed, for people."""


@dataclass(frozen=True)
class Part:
    """`given`: what scad/`file`.scad is given; `size`: x, y, z in millimetres; `pieces`: for each of `BUILDS`."""

    name: str
    file: str
    given: Mapping[str, str | float | bool]
    size: tuple[float, float, float]
    pieces: Mapping[str, int]
    how: str


@cache
def parts() -> Mapping[str, Part]:
    """Every part of printed.toml by name.

    >>> parts()["foot"].size
    (90, 90, 54)
    """
    told = tomllib.loads((HERE / "printed.toml").read_text("utf-8"))
    return {
        name: Part(
            name, part.get("file", name), part.get("set", {}), tuple(part["size"]),
            dict(zip(BUILDS, part["pieces"], strict=True)), part["how"],
        )
        for name, part in told.items()
    }  # fmt: skip


def export(part: Part, to: Path, more: Sequence[str] = ()) -> Solid:
    """Writes the part's STL file into the folder `to`; `more`: further ``name=value``; raises `NotPrintable`."""
    openscad = shutil.which("openscad")
    if not openscad:
        raise NotPrintable("openscad is not installed: sudo apt-get install openscad")
    given = [f"{name}={_scad(value)}" for name, value in part.given.items()] + list(more)
    path = to / f"{part.name}.stl"
    path.unlink(missing_ok=True)
    command = [openscad, "-q", "--hardwarnings", "-o", str(path)]
    for setting in given:
        command += ["-D", setting]
    try:
        done = subprocess.run(
            [*command, str(HERE / "scad" / f"{part.file}.scad")],
            capture_output=True, text=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise NotPrintable(f"{part.name}: openscad took more than {LIMIT_S} s") from None
    if done.returncode or not path.is_file():
        raise NotPrintable(f"{part.name}: openscad says: {_reason(done.stderr)}")
    try:
        return load(path)
    except NoSolid as fault:
        raise NotPrintable(f"{part.name}: {fault}") from fault


def faults(part: Part, solid: Solid) -> list[str]:
    """What is wrong with an exported part, as sentences; empty for a good one."""
    found = []
    if solid.open_edges:
        found.append(f"{part.name} is not watertight: {solid.open_edges} open edges")
    if solid.volume <= 0:
        found.append(f"{part.name} is inside out")
    if any(abs(is_ - stated) > SIZE_OFF for is_, stated in zip(solid.size, part.size, strict=True)):
        found.append(f"{part.name} is {_mm(solid.size)} mm, stated are {_mm(part.size)} mm")
    return found


def _mm(size: Iterable[float]) -> str:
    return " × ".join(f"{length:.4g}" for length in size)


def _scad(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def _reason(told: str) -> str:
    lines = [line for line in told.splitlines() if line.startswith(("ERROR", "WARNING"))]
    return (lines[0] if lines else told.strip()[-200:]) or "nothing"


def main(arguments: Sequence[str] | None = None) -> int:
    """0: all exported and good; 1: a part is wrong; 2: nothing could be done."""
    parser = argparse.ArgumentParser(
        prog="python -m hardware.printed",
        description="Exports and checks the printed parts.",
        epilog="example: python -m hardware.printed --build table --set board=350",
    )
    parser.add_argument("names", nargs="*", metavar="PART", help=f"of {', '.join(parts())}; all without")
    parser.add_argument("--build", choices=BUILDS, help="only what this build takes")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another number of sizes.scad")
    parser.add_argument("--out", type=Path, default=HERE / "stl", help="folder for the files (default hardware/stl)")
    told = parser.parse_args(arguments)
    unknown = sorted(set(told.names) - parts().keys())
    if unknown:
        print(f"there is no part {', '.join(unknown)}; there are: {', '.join(parts())}", file=sys.stderr)
        return 2
    chosen = [parts()[name] for name in told.names or parts()]
    if told.build:
        chosen = [part for part in chosen if part.pieces[told.build]]
    wrong = 0
    try:
        told.out.mkdir(parents=True, exist_ok=True)
        for part in chosen:
            solid = export(part, told.out, told.set)
            found = [] if told.set and not solid.open_edges and solid.volume > 0 else faults(part, solid)
            wrong += bool(found)
            grams = solid.volume * PETG
            print(
                f"{part.name}: {_mm(solid.size)} mm, {solid.volume / 1000:.1f} cm³, at most {grams:.0f} g",
                *found,
                sep="; ",
            )
    except OSError as fault:
        print(f"{told.out} cannot be written: {fault.strerror or fault}", file=sys.stderr)
        return 2
    except NotPrintable as fault:
        print(fault, file=sys.stderr)
        return 2
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
