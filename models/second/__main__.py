"""Command line: `python -m models.second stills` and `sheet`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2

from models.second.album import SAMPLES, FolderUnusable, fill, sheet
from models.second.trace import NoTracer

EXAMPLE = """example:
  python -m models.second stills --count 600 --seed 0 --out work/render/second --resume
  python -m models.second sheet --count 12 --seed 3 --labels --out sheet.jpg
"""


class BadInput(ValueError):
    """Something on the command line cannot be done; the message says what."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status, 2 for bad input."""
    try:
        options = _parser().parse_args(arguments)
        size = _size(options.size)
        for name, least in (("count", 1), ("seed", 0), ("spp", 1)):
            if getattr(options, name) < least:
                raise BadInput(f"--{name} must be {least} or more, not {getattr(options, name)}.")
        if options.command == "stills":
            if options.out.exists() and not options.out.is_dir():
                raise BadInput(f"--out {options.out} is a file; a folder is wanted.")
            fill(options.out, options.seed, options.count, size, options.spp, options.resume)
        else:
            _write_sheet(options, size)
    except (BadInput, FolderUnusable, NoTracer, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _write_sheet(options: argparse.Namespace, size: tuple[int, int] | None) -> None:
    if options.out.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise BadInput(f"--out {options.out} must end in .png or .jpg.")
    if not options.out.parent.is_dir():
        raise BadInput(f"--out {options.out}: there is no folder {options.out.parent}.")
    made = sheet(options.seed, options.count, size, options.spp, options.labels)
    if not cv2.imwrite(str(options.out), made):
        raise BadInput(f"Cannot write {options.out}.")


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise BadInput(f"--size {text} is not WIDTHxHEIGHT, such as 1280x960.")
    width, height = int(parts[0]), int(parts[1])
    if not (160 <= width <= 4096 and 120 <= height <= 4096):
        raise BadInput(f"--size {text}: the least is 160x120, the most 4096x4096.")
    return width, height


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m models.second",
        description="Trace seeded pictures of boards with dice, for a test that was never trained on.",
        epilog=EXAMPLE,
        formatter_class=raw,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    stills = commands.add_parser(
        "stills", help="a folder of pictures and labels.json", epilog=EXAMPLE, formatter_class=raw
    )
    one = commands.add_parser("sheet", help="one contact sheet to look at", epilog=EXAMPLE, formatter_class=raw)
    for command in (stills, one):
        command.add_argument("--seed", type=int, default=0, help="seed of the first picture")
        command.add_argument("--size", help="WIDTHxHEIGHT px; drawn by seed from 1280x960 and 960x720 unless given")
        command.add_argument("--spp", type=int, default=SAMPLES, help="paths of light for each pixel")
        command.add_argument("--out", type=Path, required=True, help="folder, or picture for a sheet")
    stills.add_argument("--count", type=int, required=True, help="pictures; seeds count up from --seed")
    stills.add_argument("--resume", action="store_true", help="keep the pictures that are there")
    one.add_argument("--count", type=int, default=12)
    one.add_argument("--labels", action="store_true", help="draw the labels too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
