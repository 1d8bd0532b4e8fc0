"""Pins every package of the device image, with its hash, for each Raspberry Pi OS.

    python -m hardware.image.lock                # writes hardware/image/bookworm.txt and trixie.txt anew
    python -m hardware.image.lock --check        # tells whether they still fit pyproject.toml

pip then takes exactly these files (``--require-hashes``), whatever an index offers on that day. numpy is the release
that the system's own camera library was built against, so that apt's copy satisfies it and none is laid over it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parents[1] / "pyproject.toml"
MACHINES = ("aarch64", "x86_64")
PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_27", "manylinux_2_28")
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ \\]+)")


@dataclass(frozen=True)
class System:
    """One system: its Python (``311``), and what must be no other release than this."""

    python: str
    fixed: Mapping[str, str]


SYSTEMS = {
    "bookworm": System("311", {"numpy": "1.24.2", "opencv-python": "4.11.0.86"}),
    "trixie": System("313", {"numpy": "2.2.4", "opencv-python": "4.11.0.86"}),
}
"""numpy: python3-numpy of that system. opencv-python: the last that runs on numpy 1."""

HEAD = """# Every package of the device image on {system} (Python {python}), with the hashes of its wheels.
# Made by `python -m hardware.image.lock`; do not edit.
--only-binary :all:
"""


class NotPinned(RuntimeError):
    """A package cannot be pinned; the text says which."""


def canonical(name: str) -> str:
    """A package's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def wanted() -> list[str]:
    """What pyproject.toml asks for on a device: the program, small screens, and what builds the program."""
    told = tomllib.loads(PROJECT.read_text("utf-8"))
    project = told["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["display"], *told["build-system"]["requires"]]


def pins(system: System, machine: str) -> dict[tuple[str, str], str]:
    """(name, version) → sha256 of the wheel that pip takes on this machine; raises `NotPinned`."""
    command = [
        *(sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed", "--report", "-"),
        *("--target", "nowhere", "--only-binary", ":all:", "--implementation", "cp"),
        *("--python-version", system.python),
        *(word for name in PLATFORMS for word in ("--platform", f"{name}_{machine}")),
        *(f"{name}=={version}" for name, version in system.fixed.items()),
        *wanted(),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise NotPinned(f"pip finds no set of packages for {machine}: {done.stderr.strip().splitlines()[-1:]}")
    found = {}
    for item in json.loads(done.stdout)["install"]:
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        found[canonical(name), version] = item["download_info"]["archive_info"]["hashes"]["sha256"]
    return found


def lines(name: str, system: System) -> Iterable[str]:
    """The file's lines; raises `NotPinned` where the machines would get different releases."""
    yield HEAD.format(system=name, python=f"{system.python[0]}.{system.python[1:]}")
    each = [pins(system, machine) for machine in MACHINES]
    if len({frozenset(found) for found in each}) != 1:
        raise NotPinned(f"the machines of {name} would get different releases")
    for package, version in sorted(each[0]):
        hashes = sorted({found[package, version] for found in each})
        yield f"{package}=={version} \\\n" + " \\\n".join(f"    --hash=sha256:{told}" for told in hashes) + "\n"


def locked(text: str) -> dict[str, str]:
    """Name → version of a written file."""
    found = (PIN.match(line) for line in text.splitlines())
    return {canonical(pin["name"]): pin["version"] for pin in found if pin}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="hardware.image.lock", description="Pin the packages of the device image with their hashes."
    )
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 where a pin no longer fits")
    asked = parser.parse_args(argv)
    status = 0
    for name, system in SYSTEMS.items():
        file = HERE / f"{name}.txt"
        try:
            fresh = "".join(lines(name, system))
        except NotPinned as told:
            print(f"hardware.image.lock: {told}", file=sys.stderr)
            return 2
        if asked.check:
            before, after = locked(file.read_text("utf-8")), locked(fresh)
            for package in sorted(before.keys() | after.keys()):
                if before.get(package) != after.get(package):
                    print(f"{name}: {package} {before.get(package)} → {after.get(package)}")
                    status = 1
        else:
            file.write_text(fresh, "utf-8")
            print(f"{file.name}: {len(locked(fresh))} packages")
    return status


if __name__ == "__main__":
    sys.exit(main())
