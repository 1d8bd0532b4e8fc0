"""A drawn recording of throws and a reader that knows what was drawn, for tests without a model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.board import Board
from vision.frame import Frame, Picture
from vision.reading import BoardReading, DieReading, Point

WIDTH, HEIGHT, EDGE, FPS = 320, 240, 30, 20.0
ROLL, LIE, EMPTY = 10, 26, 14  # pictures: rolling in, lying, taken away
PLACES = ((90, 80), (160, 150), (230, 90))
Dice = tuple[int, ...]


@dataclass(frozen=True)
class Drawn:
    """One die at one moment."""

    face: int
    center: Point


def dice_at(throws: Sequence[Dice], index: int) -> tuple[Drawn, ...]:
    """What lies in picture `index`: dice roll in from the lower edge, lie, and are gone again."""
    number, step = divmod(index - EMPTY, ROLL + LIE + EMPTY)
    if index < EMPTY or number >= len(throws) or step >= ROLL + LIE:
        return ()
    away = max(0, ROLL - step) * 22
    return tuple(
        Drawn(face, (float(x + away * 0.4), float(y + away)))
        for face, (x, y) in zip(throws[number], PLACES, strict=False)
    )


def length(throws: Sequence[Dice]) -> int:
    return EMPTY + len(throws) * (ROLL + LIE + EMPTY)


def draw(dice: Sequence[Drawn], index: int) -> Picture:
    """White squares on green, with a sensor's noise and the index in the first pixels."""
    noise = np.random.default_rng(index)
    picture = np.full((HEIGHT, WIDTH, 3), (60, 110, 30), np.uint8)
    for die in dice:
        x, y = (round(value) for value in die.center)
        half = EDGE // 2
        cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), (235, 240, 240), -1)
        for n in range(die.face):
            cv2.circle(picture, (x - 8 + 8 * (n % 3), y - 6 + 12 * (n // 3)), 3, (20, 20, 20), -1)
    return (picture.astype(np.int16) + noise.integers(-2, 3, picture.shape)).clip(0, 255).astype(np.uint8)


def frames(throws: Sequence[Dice]) -> Iterator[Frame]:
    for index in range(length(throws)):
        yield Frame(draw(dice_at(throws, index), index), index / FPS, "drawn", index)


class ScriptedReader:
    """Reads what was drawn, by the time of the frame."""

    def __init__(self, throws: Sequence[Dice]) -> None:
        self._throws = throws

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        dice = dice_at(self._throws, round(frame.t * FPS))
        return BoardReading(tuple(_read(die, board) for die in dice))


def _read(die: Drawn, board: Board | None) -> DieReading:
    (x, y), half = die.center, EDGE / 2
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    where = None if board is None else board.where(die.center)
    return DieReading(die.face, 0.999, 1, (x - half, y - half, x + half, y + half), corners, where)


def record(folder: Path, throws: Sequence[Dice], **notes: object) -> Path:
    """A folder of pictures with its recording.json."""
    folder.mkdir(parents=True, exist_ok=True)
    for frame in frames(throws):
        cv2.imwrite(str(folder / f"{frame.index:04d}.bmp"), frame.picture)
    (folder / "recording.json").write_text(json.dumps({"fps": FPS, "board": "whole", **notes}))
    return folder
