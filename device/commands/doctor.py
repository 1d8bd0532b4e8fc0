"""`pietjesoog doctor`: what is wrong with this device, in words, and what to do."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from device.chosen import Chosen
from device.config import Config, load
from device.doctor import Case, Finding, State, examine, fault, ok, warning
from device.doctor.page import running
from device.errors import DeviceError
from device.one_line import one_line
from device.place import journal_file

EXAMPLE = """example:
  pietjesoog doctor
  pietjesoog doctor --config pietjesoog.toml --json

Each line is ok, a warning (it works, not as well as it could) or a fault, with what to do.
Exit status 0 when nothing is at fault, 1 otherwise. While Pietjesoog runs it is asked;
stop it to have camera, light and focus looked at."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, as `pietjesoog config` prints them")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at everything; returns 1 where something is at fault. Wrong settings are a fault too, not an error."""
    logging.basicConfig(level=logging.CRITICAL, stream=sys.stderr)
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:FATAL")  # what it says is told in words
    counts = dict.fromkeys(State, 0)
    for finding in found(args.config):
        counts[finding.state] += 1
        print(json.dumps(finding.to_json()) if args.json else in_words(finding), flush=True)
    if not args.json:
        print(summed_up(counts[State.FAULT], counts[State.WARNING]))
    return 1 if counts[State.FAULT] else 0


def found(path: Path | None) -> Iterator[Finding]:
    """Everything about the settings in that file with what was set on the page over them.

    Where the file is wrong, about the settings that come with this program.
    """
    config = Config()
    if path is not None:
        try:
            config = load(path)
        except DeviceError as told:
            yield fault("settings", str(told), "`pietjesoog config` prints all settings, explained; go on with those")
        else:
            yield ok("settings", f"{path} is well")
    chosen = Chosen.beside(journal_file(config), config)
    if chosen.trouble is not None:
        yield warning("settings", chosen.trouble, f"set it on the page anew, or delete {chosen.file}")
    yield from examine(Case(chosen.config, running(chosen.config)))


def in_words(finding: Finding) -> str:
    """One or two lines for a person.

    >>> print(in_words(fault("camera", "no USB camera was found", "plug it in")))
    FAULT    camera       no USB camera was found
                          → plug it in
    """
    state = finding.state.value if finding.state is State.OK else finding.state.value.upper()
    line = f"{state:<8} {finding.check:<12} {one_line(finding.message)}"
    return f"{line}\n{'':<22}→ {one_line(finding.do)}" if finding.do else line


def summed_up(faults: int, warnings: int) -> str:
    """The last line.

    >>> summed_up(0, 1), summed_up(2, 0)
    ('nothing is at fault, 1 warning', '2 faults')
    """
    parts: Iterable[tuple[int, str]] = ((faults, "fault"), (warnings, "warning"))
    told = [f"{count} {word}{'s' if count > 1 else ''}" for count, word in parts if count]
    return ", ".join(told if faults else ["nothing is at fault", *told])
