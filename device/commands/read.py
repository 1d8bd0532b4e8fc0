"""`pietjesoog read`: the dice in pictures, one line each."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from device.board_choice import BoardChoice
from device.errors import BadInput
from device.numbers import dice_seen, length_px
from device.one_line import one_line
from device.spared import spare
from vision.annotate import annotated
from vision.board import Board
from vision.errors import VisionError
from vision.frame import Frame, Picture
from vision.picture_file import SUFFIXES, load_picture
from vision.reader import Reader
from vision.reading import BoardReading, DieReading, Problem

EXAMPLE = """example:
  pietjesoog read --board whole --dice 3 --json table.jpg
  pietjesoog read --annotate drawn/ evening/*.jpg

A picture that cannot be used gets a line with "error"; the exit status is then 1, or 2 if none could be used."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLE
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="picture files: JPEG, PNG, BMP, WebP, TIFF")
    parser.add_argument(
        "--board", default="auto", metavar="auto|whole|FILE", help="find it (default), all is felt, or as calibrated"
    )
    parser.add_argument("--die-px", type=length_px, metavar="N", help="about how long a die's edge is in the picture")
    parser.add_argument("--dice", type=dice_seen, metavar="N", help="how many dice are expected")
    parser.add_argument("--annotate", metavar="OUT", help="draw what was read: a picture, or a folder for many")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a sentence")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read every picture in the order given; returns 1 if some could not be used, 2 if none could."""
    choice = BoardChoice(args.board, args.die_px)
    drawn = _drawn(args.annotate, [Path(name) for name in args.images])
    try:
        reader = Reader()
    except VisionError as fault:
        raise BadInput(str(fault)) from fault
    unusable = 0
    for name in args.images:
        path = Path(name)
        try:
            picture = load_picture(path)
            told, board, reading = _read(reader, picture, choice, args.die_px, args.dice)
            if path in drawn:
                _write(drawn[path], annotated(picture, reading, board))
        except VisionError as fault:
            unusable += 1
            told = {"error": {"reason": getattr(fault, "reason", "board"), "message": str(fault)}}
        line = {"image": name, **told}
        print(json.dumps(line) if args.json else in_words(line), flush=True)
    return 0 if not unusable else 2 if unusable == len(args.images) else 1


def _read(
    reader: Reader, picture: Picture, choice: BoardChoice, die_px: float | None, dice: int | None
) -> tuple[dict[str, object], Board | None, BoardReading]:
    board = choice.board_for(picture)
    began = time.perf_counter()
    reading = reader.read(Frame(picture, 0.0), board, die_px=die_px, expected=dice)
    spent = time.perf_counter() - began
    if board is None:
        reading = replace(reading, problems=tuple(dict.fromkeys((*reading.problems, Problem.NO_BOARD))))
    told: dict[str, object] = {
        "sure": reading.sure,
        "problems": [problem.value for problem in reading.problems],
        "dice": [die_to_json(die) for die in reading.dice],
        "board": None if board is None else board.to_json(),
        "ms": round(1000 * spent, 1),
    }
    return told, board, reading


def die_to_json(die: DieReading) -> dict[str, object]:
    """One die in the words of the contract; pixels of the picture, to a tenth."""
    return {
        "face": die.face,
        "confidence": round(die.confidence, 4),
        "second": die.second,
        "box": [round(v, 1) for v in die.box],
        "corners": [[round(x, 1), round(y, 1)] for x, y in die.corners],
        "where": None if die.where is None else die.where.value,
        "pose": die.pose.value,
    }


def in_words(line: Mapping[str, Any]) -> str:
    """One readable line for a picture.

    >>> in_words({"image": "a.jpg", "error": {"reason": "missing", "message": "There is no file a.jpg."}})
    'a.jpg: There is no file a.jpg.'
    """
    name = one_line(str(line["image"]))
    if "error" in line:
        return f"{name}: {one_line(line['error']['message'])}"
    dice = ", ".join(_die_in_words(die) for die in line["dice"]) or "no dice"
    problems = " ".join(problem.replace("_", " ") for problem in line["problems"])
    return f"{name}: {dice} – {'sure' if line['sure'] else 'not sure'}{f' ({problems})' if problems else ''}"


def _die_in_words(die: Mapping[str, Any]) -> str:
    words = ["?" if die["face"] is None else str(die["face"]), f"{die['confidence']:.3f}"]
    if die["where"] in ("rim", "outside"):
        words.append({"rim": "on the rim", "outside": "outside"}[die["where"]])
    if die["pose"] != "flat":
        words.append(die["pose"])
    return " ".join(words)


def _drawn(told: str | None, pictures: Sequence[Path]) -> dict[Path, Path]:
    """What each picture is drawn to: into a folder that is made, or to one picture for one picture."""
    if told is None:
        return {}
    out = Path(told)
    if out.suffix.lower() in SUFFIXES and not out.is_dir():
        if len(pictures) > 1:
            raise BadInput(f"{out} is one picture, but {len(pictures)} are read: give a folder to --annotate.")
        if not out.parent.is_dir():
            raise BadInput(f"There is no folder {out.parent} to draw to.")
        drawn = {pictures[0]: out}
    else:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise BadInput(f"The folder {out} cannot be made: {fault.strerror}.") from fault
        drawn = {path: out / f"{path.stem}.png" for path in pictures}
    spare(pictures, drawn.values())
    return drawn


def _write(path: Path, picture: Picture) -> None:
    done, data = cv2.imencode(path.suffix, picture)
    if not done:
        raise BadInput(f"{path} cannot be written: no such kind of picture.")
    try:
        path.write_bytes(data.tobytes())
    except OSError as fault:
        raise BadInput(f"{path} cannot be written: {fault.strerror}.") from fault
