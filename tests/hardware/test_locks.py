"""The packages of the device image: all pinned, all with hashes, and they are what pyproject.toml asks for."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from hardware.image.lock import HERE, PROJECT, SYSTEMS, canonical, locked, wanted


def entries(name: str) -> list[str]:
    """Each package with its hashes, on one line."""
    text = (HERE / f"{name}.txt").read_text("utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith(("#", "--"))]


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_package_has_a_hash(name: str) -> None:
    lines = entries(name)
    assert len(lines) > 20
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[^ ]+( +--hash=sha256:[0-9a-f]{64})+ *", line), line
    assert "--only-binary :all:" in (HERE / f"{name}.txt").read_text("utf-8"), "nothing is built from source there"


@pytest.mark.parametrize("name", SYSTEMS)
def test_both_kinds_of_machine_are_served(name: str) -> None:
    for package in ("numpy", "opencv-python", "onnxruntime", "pillow"):
        line = next(line for line in entries(name) if line.startswith(f"{package}=="))
        assert line.count("--hash") == 2, line


@pytest.mark.parametrize("name", SYSTEMS)
def test_they_are_what_the_project_asks_for(name: str) -> None:
    pinned = locked((HERE / f"{name}.txt").read_text("utf-8"))
    for told in wanted():
        asked = Requirement(told)
        version = pinned.get(canonical(asked.name))
        assert version, f"{asked.name} is not pinned: python -m hardware.image.lock"
        assert asked.specifier.contains(version, prereleases=True), f"{asked.name} {version}"
    for package, version in SYSTEMS[name].fixed.items():
        assert pinned[package] == version


def test_the_device_installs_neither_training_nor_tests() -> None:
    heavy = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    named = {canonical(Requirement(told).name) for extra in ("train", "dev") for told in heavy[extra]} - {"pietjesoog"}
    for name in SYSTEMS:
        unwanted = named & locked((HERE / f"{name}.txt").read_text("utf-8")).keys()
        assert not unwanted - {"pillow"}
