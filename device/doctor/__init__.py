"""What is wrong with this device, in words: one finding a line, each with what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import Any

from device.config import Config
from device.errors import DeviceError


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"  # it works, not as well as it could
    FAULT = "fault"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `do` is what helps, empty where all is well."""

    check: str
    state: State
    message: str
    do: str = ""

    def to_json(self) -> dict[str, str]:
        return {"check": self.check, "state": self.state.value, "message": self.message, "do": self.do}


def ok(check: str, message: str) -> Finding:
    return Finding(check, State.OK, message)


def warning(check: str, message: str, do: str) -> Finding:
    return Finding(check, State.WARNING, message, do)


def fault(check: str, message: str, do: str) -> Finding:
    return Finding(check, State.FAULT, message, do)


@dataclass(frozen=True)
class Case:
    """What is examined: the settings, and what a Pietjesoog that runs here now tells of itself (its health).

    That one has camera, pins and ports, so they are asked of it and not opened.
    """

    config: Config
    running: Mapping[str, Any] = field(default_factory=dict)


Check = Callable[[Case], Iterable[Finding]]

CHECKS = (
    "device.doctor.software:python",
    "device.doctor.software:packages",
    "device.doctor.software:picamera2",
    "device.doctor.software:model",
    "device.doctor.machine:heat",
    "device.doctor.machine:voltage",
    "device.doctor.machine:memory",
    "device.doctor.machine:clock",
    "device.doctor.storage:journal",
    "device.doctor.page:port",
    "device.doctor.camera:camera",
    "device.doctor.parts:pins",
    "device.doctor.parts:nodes",
    "device.doctor.parts:lights",
    "device.doctor.parts:display",
    "device.doctor.parts:buttons",
    "device.doctor.parts:sound",
)
"""Module and function, in the order in which they are told; each is loaded on its own, so that none needs another's."""


def examine(case: Case, checks: Iterable[str] = CHECKS) -> Iterator[Finding]:
    """Everything that was found; a check that cannot be made is a finding too."""
    for name in checks:
        module, _, function = name.partition(":")
        try:
            check: Check = getattr(import_module(module), function)
            yield from check(case)
        except DeviceError as told:
            yield fault(function, str(told), "put this right and run doctor again")
        except ImportError as missing:
            yield fault(function, f"could not be looked at: {missing}", "mend the software first, as said above")
        except Exception as stumble:
            yield fault(
                function,
                f"could not be looked at ({type(stumble).__name__}: {stumble})",
                "the other lines stand; please tell the makers of this one",
            )
