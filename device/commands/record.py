"""`pietjesoog record`: keep what the camera sees as a recording that `replay` plays."""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from device.board_choice import AUTO, WHOLE
from device.cameras import Camera, CameraLost
from device.cameras.choice import camera_of
from device.config import Config, load
from device.errors import BadInput
from device.film_roll import Filmed, Ring, fresh_folder
from device.numbers import dice_count, length_s, rate_fps
from device.skipped import teller
from vision.errors import VisionError
from vision.recording import Recording, Skipped

EXAMPLE = """example:
  pietjesoog record evening --seconds 60
  pietjesoog record disputed --ring 20

Writes pictures and a recording.json into a new folder, until --seconds have passed or Ctrl-C. With --ring only the
last seconds are kept, in memory, and written at Ctrl-C: for what has just happened."""

DEFAULT_S = 30.0
BOARD = "board.toml"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLE
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder, or an empty one")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings that name the camera and the board file")
    parser.add_argument("--from", dest="source", type=Path, metavar="RECORDING", help="another recording as the camera")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=length_s, default=DEFAULT_S, metavar="N", help="how long (30)")
    length.add_argument("--ring", type=length_s, metavar="N", help="keep the last N seconds, write them at Ctrl-C")
    parser.add_argument("--fps", type=rate_fps, metavar="N", help="pictures a second (the camera's, as set)")
    parser.add_argument("--dice", type=dice_count, default=3, metavar="N", help="dice of a throw, noted down (3)")
    parser.add_argument("--json", action="store_true", help="one JSON object at the end instead of a sentence")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Record until the time is over, Ctrl-C, or the camera ends; raises `BadInput` for what cannot be.

    Returns 1 where the camera was lost, or pictures of another recording could not be used.
    """
    config = load(args.config) if args.config else Config()
    source = _source(args.source, config, teller("record", args.json))
    camera = None if isinstance(source, Recording) else source
    fps = args.fps or (source.fps if isinstance(source, Recording) else config.number("camera.fps"))
    fresh_folder(args.folder)
    board = _board(config)
    notes: dict[str, object] = {"dice": args.dice, "board": BOARD if board is not None else AUTO}
    film: Filmed | Ring = Filmed(args.folder, fps, notes) if args.ring is None else Ring(fps, args.ring)
    lost = ""
    with _until_stopped(camera) as stopped:
        if args.ring is not None:
            print("recording; Ctrl-C writes the last seconds", file=sys.stderr, flush=True)
        began: float | None = None
        frames = iter(source) if isinstance(source, Recording) else source.frames()
        try:
            for frame in frames:
                began = frame.t if began is None else began
                if stopped() or (args.ring is None and frame.t - began >= args.seconds):
                    break
                film.add(frame)
        except CameraLost as fault:
            lost = str(fault)
        finally:
            if camera is not None:
                camera.close()
            if isinstance(frames, Generator):
                frames.close()
    if not film.count:
        raise BadInput(lost or "no picture came: nothing is recorded")
    if isinstance(film, Ring):
        film.save(args.folder, notes)
    if board is not None:
        shutil.copyfile(board, args.folder / BOARD)
    _say(args, film.count, fps, lost)
    return 1 if lost or (isinstance(source, Recording) and source.skipped) else 0


def _say(args: argparse.Namespace, count: int, fps: float, lost: str) -> None:
    told: dict[str, object] = {"folder": str(args.folder), "pictures": count, "fps": fps}
    if lost:
        told["error"] = {"reason": "camera_lost", "message": lost}
    if args.json:
        print(json.dumps(told), flush=True)
        return
    print(f"{args.folder}: {count} pictures, {count / fps:.1f} s", flush=True)
    if lost:
        print(f"pietjesoog record: {lost}", file=sys.stderr)


@contextmanager
def _until_stopped(camera: Camera | None) -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM end the recording, not the program; a second one does."""
    asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        if camera is not None:
            camera.close()  # or a camera that gives nothing would be waited for

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _source(path: Path | None, config: Config, tell: Callable[[Skipped], None]) -> Recording | Camera:
    """What gives the pictures."""
    if path is not None:
        try:
            return Recording(path, tell)
        except VisionError as fault:
            raise BadInput(str(fault)) from fault
    camera = camera_of(config)
    if camera is None:
        raise BadInput('the settings name no camera (camera.kind is "none")')
    return camera


def _board(config: Config) -> Path | None:
    """The board file that goes with the recording."""
    named = config.text("board.file")
    if named in ("", AUTO, WHOLE):
        return None
    path = Path(named).expanduser()
    if not path.is_file():
        raise BadInput(f"the board file {path} is not there: calibrate, or leave board.file empty")
    return path
