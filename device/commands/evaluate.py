"""`pietjesoog evaluate`: how well the reader does on folders of labelled pictures."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from device.board_choice import WHOLE, BoardChoice
from device.errors import BadInput
from device.numbers import length_px
from device.one_line import one_line
from device.spared import spare
from vision.errors import VisionError
from vision.evaluation import (
    LABELS,
    Labels,
    PictureOutcome,
    Verdict,
    compare,
    confusion,
    load_labels,
    reliability,
    tally,
)
from vision.failure_sheet import html_sheet, png_sheet
from vision.frame import Frame
from vision.picture_file import load_picture
from vision.reader import Reader
from vision.reading import Problem

EXAMPLE = """\
FOLDER holds pictures and a labels.json:
  {"box_means": "whole die",
   "images": [{"image": "a.jpg", "dice": [{"face": 5, "box": [310, 205, 352, 248]},
                                          {"face": null, "box": [400, 90, 441, 133]}]}]}
A box is left, top, right, bottom in pixels; "box_means" is "whole die", "top face" or "pips of the top face only". A
picture whose dice have no boxes is judged by its faces alone. A die that leans or shows no pips has the face null.

The table counts dice that were read right, refused, wrong or missed, and finds that are none (extra); then pictures:
all ok, asked (not sure), and SILENT (sure, and not all right: the worst). A picture that cannot be used is told; the
exit status is then 1.

example: pietjesoog evaluate my-photos --html failures.html"""
_WIDTH = 70  # characters of a line that shows how far it is


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="pictures and a labels.json")
    parser.add_argument("--board", default=WHOLE, metavar="auto|whole|FILE", help="where the dice lie (whole)")
    parser.add_argument("--die-px", type=length_px, metavar="N", help="about how long a die's edge is, where known")
    parser.add_argument("--with-count", action="store_true", help="tell the reader how many dice there are")
    parser.add_argument("--json", action="store_true", help="one JSON line a folder and one for all")
    parser.add_argument("--html", type=Path, metavar="OUT", help="write what is not right as one HTML page")
    parser.add_argument("--png", type=Path, metavar="OUT", help="write what is not right as one picture")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    for out in filter(None, (args.html, args.png)):
        if out.is_dir() or not out.parent.is_dir():
            raise BadInput(f"{out} cannot be written: {'it is a folder' if out.is_dir() else 'its folder is missing'}.")
    try:
        folders = [load_labels(folder) for folder in args.folders]
        choice = BoardChoice(args.board, args.die_px)
        reader = Reader()
    except VisionError as fault:
        raise BadInput(f"{fault}.") from fault
    read = [picture.path for labels in folders for picture in labels.pictures]
    spare([*read, *(folder / LABELS for folder in args.folders)], filter(None, (args.html, args.png)))
    every: list[PictureOutcome] = []
    all_times: list[float] = []
    unusable = 0
    if not args.json:
        print(_HEAD)
    for folder, labels in zip(args.folders, folders, strict=True):
        outcomes, times, broken = _read_all(reader, choice, labels, args)
        unusable += broken
        every += outcomes
        all_times += times
        _tell(folder.resolve().name, outcomes, times, args.json)
    if not every:
        raise BadInput("None of the pictures could be read.")
    if len(folders) > 1 or not args.json:
        _tell("all", every, all_times, args.json)
    if not args.json:
        _print_tables(every)
    failures = [outcome for outcome in every if not outcome.all_right or outcome.silent]
    try:
        if args.html:
            args.html.write_text(html_sheet(failures), encoding="utf-8")
        if args.png:
            args.png.write_bytes(png_sheet(failures))
    except OSError as fault:
        raise BadInput(f"the sheet of failures cannot be written: {fault.strerror}.") from fault
    return 1 if unusable else 0


def _read_all(
    reader: Reader, choice: BoardChoice, labels: Labels, args: argparse.Namespace
) -> tuple[list[PictureOutcome], list[float], int]:
    outcomes, times, broken = [], [], 0
    for number, picture in enumerate(labels.pictures, 1):
        _show(f"{number} of {len(labels.pictures)}: {picture.path.name}")
        try:
            pixels = load_picture(picture.path)
            board = choice.board_for(pixels)
        except VisionError as fault:
            _show("")
            print(f"pietjesoog evaluate: {one_line(str(fault))}", file=sys.stderr)
            if args.json:
                error = {"reason": getattr(fault, "reason", "board"), "message": str(fault)}
                print(json.dumps({"image": str(picture.path), "error": error}), flush=True)
            broken += 1
            continue
        began = time.perf_counter()
        expected = len(picture.dice) if args.with_count else None
        reading = reader.read(Frame(pixels, 0.0, str(picture.path)), board, die_px=args.die_px, expected=expected)
        times.append((time.perf_counter() - began) * 1000)
        if board is None:
            reading = replace(reading, problems=(*reading.problems, Problem.NO_BOARD))
        outcomes.append(compare(picture, reading, labels.grown))
    _show("")
    return outcomes, times, broken


def _show(how_far: str) -> None:
    """Tell a person at a terminal how far it is, on a line that the next one takes."""
    if sys.stderr.isatty():
        print(f"\r\033[K{how_far[:_WIDTH]}", end="", file=sys.stderr, flush=True)


_HEAD = (
    f"{'source':44} {'dice':>5} {'right':>6} {'refus':>5} {'wrong':>5} {'miss':>5} {'extra':>5}"
    f" | {'pics':>4} {'all ok':>6} {'asked':>5} {'SILENT':>6} {'ms':>6}"
)


def _tell(name: str, outcomes: Sequence[PictureOutcome], times: Sequence[float], as_json: bool) -> None:
    sums = tally(outcomes)
    ms = sorted(times)[len(times) // 2] if times else 0.0
    count = {verdict: sums.verdicts.get(verdict, 0) for verdict in Verdict}
    if as_json:
        line = {
            "folder": name, "pictures": sums.pictures, "all_right": sums.all_right, "asked": sums.asked,
            "silent": sums.silent, "dice": sums.dice, **{v.value: n for v, n in count.items()},
            "right_share": round(sums.right_share, 4), "ms": round(ms, 1), "confusion": confusion(outcomes),
            "reliability": [[low, high, n, round(share, 4)] for low, high, n, share in reliability(outcomes)],
        }  # fmt: skip
        print(json.dumps(line), flush=True)
        return
    numbers = " ".join(f"{count[v]:{6 if v is Verdict.RIGHT else 5}}" for v in Verdict)
    print(
        f"{name[:44]:44} {sums.dice:5} {numbers} | {sums.pictures:4} {sums.all_right:6} {sums.asked:5}"
        f" {sums.silent:6} {ms:6.1f}",
        flush=True,
    )


def _print_tables(outcomes: Sequence[PictureOutcome]) -> None:
    table = confusion(outcomes)
    columns = list(table[1])
    print("\ntrue face, read as" + "".join(f"{column:>9}" for column in columns))
    for face, row in table.items():
        print(f"{face:18}" + "".join(f"{row[column]:9}" for column in columns))
    print("\nconfidence told     faces   right")
    for low, high, number, share in reliability(outcomes):
        if number:
            print(f"{low:5.3f} to {high:5.3f}  {number:9}  {share:6.4f}")
    print(f"\nright {tally(outcomes).right_share:.4f} of all dice")
    silent = [outcome for outcome in outcomes if outcome.silent]
    if silent:
        print("\nSILENT, sure and not all right:")
    for outcome in silent:
        print(f"  {outcome.picture.path}")
