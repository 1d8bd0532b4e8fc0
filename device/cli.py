"""The command `pietjesoog`: finds the subcommand's file, turns every known fault into one sentence."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence

from device.errors import DeviceError
from device.one_line import one_line

COMMANDS = {
    "read": "read the dice in pictures",
    "replay": "play a recording and tell what was thrown",
    "score": "play events, print the state after each",
    "rules": "print the rule card of a game",
    "demo": "play the recorded game on lights and page",
    "run": "watch the board and keep the score",
    "calibrate": "find the board under the camera and keep where it lies",
    "record": "keep what the camera sees as a recording",
    "config": "print the settings, explained",
    "doctor": "tell what is wrong with this device, and what to do",
    "bench": "measure this machine",
    "evaluate": "measure the reader on a folder of labelled pictures",
}
"""Each name is a module of `device.commands`."""

TRACE = "PIETJESOOG_TRACE"
QUIET = {"OPENCV_LOG_LEVEL": "SILENT", "OPENCV_FFMPEG_LOGLEVEL": "-8"}
"""OpenCV and FFmpeg tell on standard error what every caller here tells in a sentence; −8 is FFmpeg's ``quiet``."""

EXIT_DONE, EXIT_SOME_UNUSABLE, EXIT_NOTHING = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; returns the exit status of the contract (0 done, 1 some input unusable, 2 nothing done).

    With ``PIETJESOOG_TRACE`` in the environment a fault of the program itself is raised instead of told.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    _make_ready()
    try:
        with _ended_by_ctrl_c():
            parser = _parser(args[0] if args else None)
    except ImportError as fault:
        if os.environ.get(TRACE):
            raise
        return _told(args[0], f"a library is missing or cannot be loaded ({fault}); `make test` sets all up")
    parsed = parser.parse_args(args)
    if getattr(parsed, "run", None) is None:
        parser.print_help(sys.stderr)
        return EXIT_NOTHING
    try:
        status = int(parsed.run(parsed))
        sys.stdout.flush()
        return status
    except DeviceError as fault:
        return _told(args[0], str(fault))
    except BrokenPipeError:  # the reader of our output went away (`| head`): that is no fault of ours
        _drop_output()
        return EXIT_DONE
    except KeyboardInterrupt:
        return 130
    except OSError as fault:
        if os.environ.get(TRACE):
            raise
        _drop_output()
        where = f"{fault.filename} cannot be used" if fault.filename else "what it has to say cannot be written"
        return _told(args[0], f"{where}: {fault.strerror or fault}")
    except Exception as fault:
        if os.environ.get(TRACE):
            raise
        return _told(args[0], f"a fault of its own ({type(fault).__name__}: {fault}); {TRACE}=1 tells where")


def _make_ready() -> None:
    """Streams that are there and take every character, libraries that keep their chatter to themselves."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)


@contextlib.contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """While libraries load, Ctrl-C ends the program at once: one interrupted half loaded raises what it likes."""
    ours = threading.current_thread() is threading.main_thread()
    ours = ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _told(command: str, sentence: str) -> int:
    print(f"pietjesoog {command}: {one_line(sentence)}", file=sys.stderr)
    return EXIT_NOTHING


def _drop_output() -> None:
    """Nothing more can be written: what is buffered must not fail again at the end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    from importlib.metadata import PackageNotFoundError, version  # loads a lot itself

    try:
        return version("pietjesoog")
    except PackageNotFoundError:
        return "0 (not installed)"


if __name__ == "__main__":
    sys.exit(main())
