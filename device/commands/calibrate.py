"""`pietjesoog calibrate`: find the board, measure it, and keep what is known of it in one small file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import cv2

from device.board_choice import AUTO, WHOLE
from device.calibration import MOST_PICTURES, Calibrated, Clicks, calibrated
from device.cameras import Camera
from device.cameras.choice import camera_of
from device.config import Config, load
from device.errors import BadInput
from device.numbers import length_mm, point_px
from device.skipped import teller
from device.spared import spare
from vision.annotate import annotated
from vision.board_file import write
from vision.errors import VisionError
from vision.frame import Picture
from vision.picture_file import SUFFIXES, PictureError, load_picture
from vision.reader import Reader
from vision.recording import NOTES, VIDEO_SUFFIXES, Recording, Skipped
from vision.scale_bar import with_scale_bar

EXAMPLE = """example:
  pietjesoog calibrate --die-mm 16 --picture seen.png
  pietjesoog calibrate --from table.jpg --felt-mm 350 --out board.toml

Lay the board empty, or with a few dice flat on its felt, under the camera. With --die-mm the dice on the felt tell the
millimetres; with --felt-mm (the floor, from side to opposite side) the felt does; with both both are believed.
Where the board is not found, tell the corners of its felt in pixels, in any order:
  pietjesoog calibrate --corners 910,280 680,145 420,215 290,450 360,710 600,845 855,770 985,535"""

APART_S = 0.4
"""Pictures of a camera or a recording that are looked at lie so far apart."""
DEFAULT = "board.toml"
_SHOTS = SUFFIXES | VIDEO_SUFFIXES


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLE
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings that name the camera and the board file")
    parser.add_argument(
        "--from",
        dest="source",
        metavar="PICTURE|FOLDER|RECORDING",
        help="pictures to look at, on a machine without a camera",
    )
    parser.add_argument("--die-mm", type=length_mm, metavar="N", help="edge of a die (16 unless told)")
    parser.add_argument("--felt-mm", type=length_mm, metavar="N", help="width of the felt's floor, side to side")
    parser.add_argument("--corners", type=point_px, nargs="+", metavar="X,Y", help="the felt's eight corners, by hand")
    parser.add_argument("--rim", type=point_px, nargs="+", metavar="X,Y", help="the rim's eight outer corners, by hand")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write (as set, else board.toml)")
    parser.add_argument("--picture", type=Path, metavar="OUT", help="draw octagon, scale and dice into a picture")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Find, measure, write and show; returns 1 if some pictures could not be used.

    Raises `BadInput` where no board comes of it.
    """
    config = load(args.config) if args.config else Config()
    out = _out(args.out, config)
    _check(args, out)
    skipped: list[Skipped] = []
    pictures, camera = _pictures(args.source, config, skipped.append)
    for one in skipped:
        teller("calibrate", args.json)(one)
    try:
        reader = Reader()
    except VisionError as fault:
        raise BadInput(str(fault)) from fault
    die_mm = args.die_mm if args.die_mm or args.felt_mm or args.json else _asked()
    clicks = Clicks(args.corners, args.rim or ()) if args.corners else None
    found = calibrated(pictures, reader, die_mm=die_mm, felt_mm=args.felt_mm, clicks=clicks)
    if args.picture is not None:
        _draw(found, args.picture)
    try:
        write(found.board, out, _remarks(found))
    except VisionError as fault:
        raise BadInput(str(fault)) from fault
    if args.json:
        print(json.dumps(to_json(found, out, camera)), flush=True)
    else:
        _say(found, out, camera, config)
    return 1 if skipped else 0


def to_json(found: Calibrated, out: Path | None = None, camera: Camera | None = None) -> dict[str, object]:
    """What was found, for programs; `board` as in the lines of `read`."""
    how, board = found.conditions, found.board
    return {
        "board": board.to_json(),
        "file": None if out is None else str(out),
        "felt_mm": round(board.felt_mm, 1),
        "die_mm": round(board.die_mm, 1),
        "die_px": None if found.sizes.die_px is None else round(found.sizes.die_px, 1),
        "dice": [die.face for die in found.reading.dice],
        "light": how.light.value,
        "focus": how.focus.value,
        "pictures": found.pictures,
        "spread_px": round(found.spread_px, 2),
        "by_edges": found.by_edges,
        "remarks": list(found.remarks),
        "camera": _camera_now(camera),
    }


def _say(found: Calibrated, out: Path, camera: Camera | None, config: Config) -> None:
    board, how = found.board, found.conditions
    told = "" if board.scale == "told" else " (assumed)"
    dice = ", ".join("?" if die.face is None else str(die.face) for die in found.reading.dice) or "none"
    print(f"board: felt {board.felt_mm:.0f} mm across{told}, {board.px_per_mm:.2f} pixels to a millimetre")
    print(f"dice:  {dice}; an edge is {board.die_mm:.1f} mm, {board.expected_die_px() or 0:.0f} pixels")
    print(f"light: {how.light.value}")
    print(f"focus: {how.focus.value}")
    for name, value in _camera_now(camera).items():
        print(f"{name}: {value}")
    for remark in found.remarks:
        print(f"note:  {remark}")
    print(f"written to {out}")
    if config.text("board.file") != str(out):
        print(f'In the settings: [board] file = "{out}"')


def _remarks(found: Calibrated) -> list[str]:
    how = found.conditions
    return [f"Light: {how.light.value}. Focus: {how.focus.value}.", *(f"Note: {one}." for one in found.remarks)]


def _camera_now(camera: Camera | None) -> dict[str, object]:
    """Focus and exposure that the camera tells of itself."""
    about = getattr(camera, "about", {})
    return {name: about[name] for name in ("focus_step", "focus_m", "exposure", "gain") if name in about}


def _asked() -> float | None:
    """The edge of a die, asked of a person; None where nobody sits there, or nobody knows."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    told = input("How long is a die's edge in millimetres? (return: 16) ").strip()
    try:
        return length_mm(told) if told else None
    except argparse.ArgumentTypeError as fault:
        raise BadInput(str(fault)) from fault


def _out(told: Path | None, config: Config) -> Path:
    named = config.text("board.file")
    return told or Path(named if named not in ("", AUTO, WHOLE) else DEFAULT).expanduser()


def _check(args: argparse.Namespace, out: Path) -> None:
    """Faults that are seen before a picture is taken."""
    if args.rim and not args.corners:
        raise BadInput("--rim needs --corners: the felt's corners come first")
    for path in filter(None, (out, args.picture)):
        if path.is_dir() or not path.parent.is_dir():
            raise BadInput(
                f"{path} cannot be written: {'it is a folder' if path.is_dir() else 'its folder is missing'}"
            )
    if args.picture is not None and args.picture.suffix.lower() not in SUFFIXES:
        raise BadInput(f"{args.picture} is no kind of picture: end it in .png or .jpg")
    read = [*filter(None, [args.config]), *([] if args.source is None else _files(Path(args.source)))]
    spare(read, filter(None, (out, args.picture)))


def _files(source: Path) -> list[Path]:
    """What of a picture, a video or a folder is read."""
    try:
        files = list(source.iterdir()) if source.is_dir() else [source]
    except OSError:  # told when it is opened
        return []
    return [file for file in files if file == source or file.name == NOTES or file.suffix.lower() in _SHOTS]


def _pictures(
    source: str | None, config: Config, skip: Callable[[Skipped], None]
) -> tuple[list[Picture], Camera | None]:
    """Some pictures, and the camera that they came from, if any."""
    if source is None:
        camera = camera_of(config)
        if camera is None:
            raise BadInput('the settings name no camera (camera.kind is "none"): use --from PICTURE')
        frames = camera.frames()
        try:
            return _spaced((frame.picture, frame.t) for frame in frames), camera
        finally:
            camera.close()
            if isinstance(frames, Generator):
                frames.close()
    path = Path(source)
    try:
        if path.is_file() and path.suffix.lower() not in VIDEO_SUFFIXES:
            try:
                return [load_picture(path)], None
            except PictureError as fault:
                if path.suffix.lower() in SUFFIXES or not _is_video(path):
                    raise BadInput(str(fault)) from fault
        return _evenly(Recording(path, skip)), None
    except VisionError as fault:
        raise BadInput(str(fault)) from fault


def _is_video(path: Path) -> bool:
    try:
        Recording(path)
    except VisionError:
        return False
    return True


def _spaced(shots: Iterator[tuple[Picture, float]]) -> list[Picture]:
    """The first few pictures that lie `APART_S` apart."""
    kept: list[Picture] = []
    last = -APART_S
    for picture, t in shots:
        if not kept or t - last >= APART_S:
            kept.append(picture)
            last = t
        if len(kept) == MOST_PICTURES:
            break
    return kept


def _evenly(recording: Recording) -> list[Picture]:
    """A few pictures from all over a recording; only so many are held at any time."""
    kept: list[Picture] = []
    every = 1
    for index, frame in enumerate(recording):
        if index % every == 0:
            kept.append(frame.picture)
        if len(kept) == 2 * MOST_PICTURES:
            kept, every = kept[::2], every * 2
    return kept[:: max(1, len(kept) // MOST_PICTURES)][:MOST_PICTURES]


def _draw(found: Calibrated, path: Path) -> None:
    how = found.conditions
    lines = [f"light: {how.light.value}, focus: {how.focus.value}", f"die: {found.board.die_mm:.1f} mm"]
    drawn = annotated(with_scale_bar(found.picture, found.board), found.reading, found.board, lines)
    done, data = cv2.imencode(path.suffix, drawn)
    if not done:
        raise BadInput(f"{path} cannot be written: no such kind of picture")
    try:
        path.write_bytes(data.tobytes())
    except OSError as fault:
        raise BadInput(f"{path} cannot be written: {fault.strerror}") from fault
