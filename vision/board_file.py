"""A board on disk: the small TOML file that `calibrate` writes and `--board FILE` reads."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.board import ASSUMED_FELT_MM, DIE_MM, Board, Scale
from vision.board_scale import LEAST_DIE_MM, LEAST_FELT_MM, MOST_DIE_MM, MOST_FELT_MM
from vision.errors import VisionError
from vision.reading import Point

_MOST_SIDE = 100_000  # pixels of a picture
_LEAST_FELT = 20.0  # pixels across: on less nothing was ever calibrated
_LEAST_FOCAL, _MOST_FOCAL = 0.1, 100.0  # picture widths: no lens sees wider or narrower


def write(board: Board, path: Path, remarks: Sequence[str] = ()) -> None:
    """Writes the board beside `path` and moves it there, so that a power cut leaves the old file or the new one.

    `remarks` are lines for people, one sentence each.
    """
    if board.is_whole:
        raise VisionError("There is no board to save: the whole picture is taken for felt.")
    lines = [
        "# What Pietjesoog knows of the board and the camera above it; written by calibrate.",
        *(f"# {remark}" for remark in remarks),
        f"width = {board.width}",
        f"height = {board.height}",
        f"felt = {_corners(board.felt)}",
        f"rim = {_corners(board.rim)}",
        f"k1 = {float(board.k1)!r}",
        *([] if board.focal is None else [f"focal = {float(board.focal)!r}"]),
        *([] if board.rim_height is None else [f"rim_height = {float(board.rim_height)!r}"]),
        f"opening = {float(board.opening)!r}",
        f"felt_mm = {float(board.felt_mm)!r}",
        f"die_mm = {float(board.die_mm)!r}",
        f'scale = "{board.scale.value}"',
    ]
    path = Path(path)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")  # two may calibrate at once
    try:
        try:
            with fresh.open("w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise VisionError(f"The board cannot be written to {path}: {error.strerror}.") from error


def read(path: Path) -> Board:
    """Reads a board; raises VisionError, naming the file, if it is missing, broken or no board."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        told = tomllib.loads(text)
    except OSError as error:
        raise VisionError(f"The board file {path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise VisionError(f"The board file {path} is not a TOML file: {error}.") from error
    try:
        width, height = (_side(told, key) for key in ("width", "height"))
        board = Board(
            width,
            height,
            _points(told, "felt"),
            _points(told, "rim"),
            k1=_number(told, "k1", 0.0),
            focal=_number(told, "focal", 0.0, _LEAST_FOCAL * width, _MOST_FOCAL * width) if "focal" in told else None,
            rim_height=_number(told, "rim_height", 0.0) if "rim_height" in told else None,
            opening=_number(told, "opening", 1.0),
            felt_mm=_number(told, "felt_mm", ASSUMED_FELT_MM, LEAST_FELT_MM, MOST_FELT_MM),
            die_mm=_number(told, "die_mm", DIE_MM, LEAST_DIE_MM, MOST_DIE_MM),
            scale=_scale(told),
        )
        if np.ptp(np.array(board.felt), axis=0).min() < _LEAST_FELT:
            raise VisionError("Its felt is too small to see dice on.")
    except VisionError as error:
        raise VisionError(f"The board file {path} cannot be used: {error}") from error
    return board


def _corners(points: tuple[Point, ...]) -> str:
    return "[" + ", ".join(f"[{float(x)!r}, {float(y)!r}]" for x, y in points) + "]"


def _points(told: dict[str, object], key: str) -> tuple[Point, ...]:
    listed = told.get(key)
    if not isinstance(listed, list) or not listed:
        raise VisionError(f"It has no corners of the {key}.")
    points = []
    for corner in listed:
        if not (isinstance(corner, list) and len(corner) == 2):
            raise VisionError(f"A corner of the {key} is not two numbers.")
        x, y = (_float(value, f"A corner of the {key} is not two numbers.") for value in corner)
        points.append((x, y))
    return tuple(points)


def _number(
    told: dict[str, object], key: str, default: float, least: float | None = None, most: float | None = None
) -> float:
    """The number of that name; raises VisionError where it is none, or not from `least` to `most`."""
    value = _float(told.get(key, default), f"Its {key} is not a number.")
    if least is not None and most is not None and not least <= value <= most:
        raise VisionError(f"Its {key} must be {least:g} to {most:g}, not {value:g}.")
    return value


def _float(value: object, sentence: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:  # TOML knows whole numbers of any length
            pass
    raise VisionError(sentence)


def _side(told: dict[str, object], key: str) -> int:
    value = told.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise VisionError(f"It does not say the {key} of the picture as a whole number.")
    if not 0 < value <= _MOST_SIDE:
        raise VisionError(f"No picture has the size that it tells: look at its {key}.")
    return value


def _scale(told: dict[str, object]) -> Scale:
    try:
        return Scale(str(told.get("scale", Scale.ASSUMED.value)))
    except ValueError as error:
        raise VisionError(f'Its scale is "{told.get("scale")}"; it must be "assumed" or "told".') from error
