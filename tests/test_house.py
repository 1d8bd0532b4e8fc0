"""The house stands as it was laid out: who may import whom, no file of many ideas, no path of a machine."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("scorer", "vision", "device", "models")
MAY_IMPORT: dict[str, set[str]] = {
    "scorer": set(),
    "vision": set(),
    "models": {"vision"},
    "device": {"scorer", "vision"},
}


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_the_rooms_it_may(room: str) -> None:
    assert modules(room), f"{room}/ holds no module"
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(room)
        for name in imported(path)
        if name in ROOMS and name != room and name not in MAY_IMPORT[room]
    ]
    assert not wrong


def test_the_scorer_needs_nothing_but_the_standard_library() -> None:
    outside = (
        {name for path in modules("scorer") for name in imported(path)} - set(sys.stdlib_module_names) - {"scorer"}
    )
    assert not outside


@pytest.mark.parametrize("room", ["scorer", "vision"])
def test_time_and_chance_come_in_as_arguments(room: str) -> None:
    clocks = {"time", "datetime", "random", "secrets"}
    wrong = [str(path.relative_to(ROOT)) for path in modules(room) if clocks & set(imported(path))]
    assert not wrong


def test_no_two_tests_have_one_name() -> None:
    """pytest takes a test's file by its bare name, so of two that share one it would run neither."""
    names = [path.name for path in sorted((ROOT / "tests").rglob("*.py")) if path.name != "conftest.py"]
    assert sorted(set(names)) == sorted(names)


def test_no_file_holds_many_ideas() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {lines} lines"
        for room in (*ROOMS, "tests")
        for path in modules(room)
        if (lines := path.read_text("utf-8").count("\n")) > 400
    ]
    assert not long
