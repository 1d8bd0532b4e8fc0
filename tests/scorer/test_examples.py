"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import scorer

MODULES = [f"scorer.{module.name}" for module in pkgutil.iter_modules(scorer.__path__)]


@pytest.mark.parametrize("name", [*MODULES, "device.commands.score", "device.commands.bench"])
def test_the_examples_of_a_module(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.failed == 0
