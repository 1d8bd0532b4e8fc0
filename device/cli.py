"""The command `pietjesoog`: finds the subcommand's file, turns every known fault into one sentence."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from device.errors import DeviceError

COMMANDS = {
    "read": "read the dice in pictures",
    "replay": "play a recording and tell what was thrown",
    "score": "play events, print the state after each",
    "rules": "print the rule card of a game",
    "demo": "play the recorded game on lights and page",
    "run": "watch the board and keep the score",
    "config": "print the settings, explained",
    "bench": "measure this machine",
    "evaluate": "measure the reader on a folder of labelled pictures",
}
"""Each name is a module of `device.commands`."""

EXIT_DONE, EXIT_SOME_UNUSABLE, EXIT_NOTHING = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; returns the exit status of the contract (0 done, 1 some input unusable, 2 nothing done)."""
    args = list(sys.argv[1:] if argv is None else argv)
    parser = _parser(args[0] if args else None)
    parsed = parser.parse_args(args)
    if getattr(parsed, "run", None) is None:
        parser.print_help(sys.stderr)
        return EXIT_NOTHING
    try:
        return int(parsed.run(parsed))
    except DeviceError as fault:
        print(f"pietjesoog {args[0]}: {fault}", file=sys.stderr)
        return EXIT_NOTHING
    except BrokenPipeError:  # the reader of our output went away (`| head`): that is no fault of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    except KeyboardInterrupt:
        return 130


def _parser(wanted: str | None) -> argparse.ArgumentParser:
    """All names, but only the wanted command's module is imported: `score` needs no camera library."""
    parser = argparse.ArgumentParser(
        prog="pietjesoog",
        description="The eye above a pietjesbak: reads the dice, keeps the strokes, shows them.",
        epilog="example: pietjesoog read --board whole table.jpg",
    )
    parser.add_argument("--version", action="version", version=f"pietjesoog {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name, help=summary, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == wanted:
            importlib.import_module(f"device.commands.{name}").add(command)
    return parser


def _version() -> str:
    try:
        return version("pietjesoog")
    except PackageNotFoundError:
        return "0 (not installed)"


if __name__ == "__main__":
    sys.exit(main())
