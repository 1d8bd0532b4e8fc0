"""Command line: `python -m models.render stills` and `sheet`."""

import argparse
import pathlib
import sys

import cv2

from models.render.draw import QUALITIES, NoGraphics
from models.render.sampling import KINDS
from models.render.stills import BadFolder, contact_sheet, render_stills

EXAMPLE = """example:
  python -m models.render stills --kind closeup --count 4000 --seed 0 --out work/render/v1 --resume
  python -m models.render sheet --kind board --count 4 --seed 7 --labels --out sheet.png
"""


class BadInput(ValueError):
    """Something on the command line cannot be done; the message says what."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status, 2 for bad input."""
    try:
        options = _parser().parse_args(arguments)
        size = _size(options.size)
        if options.count < 1:
            raise BadInput(f"--count must be at least 1, not {options.count}.")
        if options.seed < 0:
            raise BadInput(f"--seed must be 0 or more, not {options.seed}.")
        if options.command == "stills":
            if options.out.exists() and not options.out.is_dir():
                raise BadInput(f"--out {options.out} is a file; a folder is wanted.")
            render_stills(options.out, options.kind, options.seed, options.count, size, options.resume, options.quality)
        else:
            if options.out.suffix.lower() not in (".png", ".jpg", ".jpeg"):
                raise BadInput(f"--out {options.out} must end in .png or .jpg.")
            sheet = contact_sheet(options.kind, options.seed, options.count, size, options.labels)
            if not options.out.parent.is_dir() or not cv2.imwrite(str(options.out), sheet):
                raise BadInput(f"Cannot write {options.out}.")
    except (BadInput, BadFolder, NoGraphics, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(p.isdigit() for p in parts):
        raise BadInput(f"--size {text} is not WIDTHxHEIGHT, such as 512x512.")
    width, height = int(parts[0]), int(parts[1])
    if not (64 <= width <= 4096 and 64 <= height <= 4096):
        raise BadInput(f"--size {text}: width and height must lie between 64 and 4096.")
    return width, height


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m models.render",
        description="Render seeded pictures of dice with exact labels.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    raw = argparse.RawDescriptionHelpFormatter
    stills = commands.add_parser(
        "stills", help="a folder of pictures and labels.json", epilog=EXAMPLE, formatter_class=raw
    )
    sheet = commands.add_parser("sheet", help="one contact sheet to look at", epilog=EXAMPLE, formatter_class=raw)
    for command in (stills, sheet):
        command.add_argument("--kind", choices=KINDS, default="closeup")
        command.add_argument("--seed", type=int, default=0, help="seed of the first picture")
        command.add_argument("--size", help="WIDTHxHEIGHT px; 512x512, smallboard 640x480, board 1280x960 unless given")
    stills.add_argument("--count", type=int, required=True, help="pictures; seeds count up from --seed")
    stills.add_argument("--out", type=pathlib.Path, required=True, help="folder to write into")
    stills.add_argument("--resume", action="store_true", help="keep the pictures that are there")
    stills.add_argument("--quality", choices=list(QUALITIES), default="normal")
    sheet.add_argument("--count", type=int, default=12)
    sheet.add_argument("--out", type=pathlib.Path, required=True, help="picture to write (.png or .jpg)")
    sheet.add_argument("--labels", action="store_true", help="draw the labels too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
