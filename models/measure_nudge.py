"""Measures whether a nudge is noticed and the board found again: `python -m models.measure_nudge FOLDER…`.

A folder is one of rendered boards, as `models.measure_board` takes it. Each scene is seen still for a while, then as a
camera sees it that was knocked: shifted by 5 to 40 mm, and every other time turned by 1 to 10 degrees too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.measure_board import WITHIN, NotLabelled, corner_error, die_px_of, labels_of
from vision.board import Board
from vision.board_watch import BoardWatch, Lies
from vision.find_board import find_board
from vision.frame import Picture
from vision.octagon import Points

WITHIN_S = 3.0
"""Seconds from the nudge until the board must be known where it lies now."""
_FRAME_S = 0.1
_BEFORE = 3  # frames before the nudge
_LEAST_MM, _MOST_MM = 5.0, 40.0
_LEAST_DEG, _MOST_DEG = 1.0, 10.0
_NOISE = 4  # grey levels at most by which a frame of a still scene is off


@dataclass(frozen=True)
class Nudge:
    """How a view jumps: millimetres of the board, along which way (degrees), and turned by how many degrees."""

    mm: float
    way_deg: float
    turn_deg: float

    def matrix(self, board: Board) -> Points:
        """The map (2 × 3) of pixels before to pixels after."""
        turned = cv2.getRotationMatrix2D((board.width / 2, board.height / 2), self.turn_deg, 1.0)
        way = np.radians(self.way_deg)
        shift = self.mm * board.px_per_mm * np.array([[0, 0, np.cos(way)], [0, 0, np.sin(way)]])
        return np.asarray(turned + shift, np.float64)


@dataclass(frozen=True)
class Followed:
    """What came of one nudge: whether it was noticed, and seconds until the board was right, None if it never was.

    `wrong` is whether another place than the right one was believed at the end.
    """

    image: str
    nudge: Nudge
    false_alarm: bool
    noticed: bool
    right_after: float | None
    wrong: bool

    @property
    def soon(self) -> bool:
        return self.right_after is not None and self.right_after <= WITHIN_S


def nudges(count: int, seed: int) -> Iterator[Nudge]:
    rng = np.random.default_rng(seed)
    for number in range(count):
        turn = float(rng.uniform(_LEAST_DEG, _MOST_DEG) * rng.choice((-1, 1))) if number % 2 else 0.0
        yield Nudge(float(rng.uniform(_LEAST_MM, _MOST_MM)), float(rng.uniform(0, 360)), turn)


def follow(
    picture: Picture,
    board: Board,
    floor: Points,
    die_px: float,
    nudge: Nudge,
    image: str = "",
    within_s: float = WITHIN_S,
) -> Followed:
    """Shows a still scene, nudges it and watches; looking takes the time that it takes on this machine."""
    rng = np.random.default_rng(1)
    watch = BoardWatch(board, find_board)
    false_alarm = False
    for number in range(_BEFORE):
        false_alarm |= watch.look(_noisy(picture, rng), number * _FRAME_S) is not Lies.THERE
    matrix = nudge.matrix(board)
    after = cv2.warpAffine(picture, matrix, (board.width, board.height), borderMode=cv2.BORDER_REPLICATE)
    wanted = floor @ matrix[:, :2].T + matrix[:, 2]

    def off() -> float:
        return corner_error(watch.board.felt, wanted.tolist()) / die_px

    began, t, noticed = _BEFORE * _FRAME_S, _BEFORE * _FRAME_S, False
    right_after: float | None = None
    while right_after is None and t - began < within_s:
        frame = _noisy(np.asarray(after, np.uint8), rng)
        started = time.process_time()
        lies = watch.look(frame, t)
        took = time.process_time() - started
        noticed |= lies is not Lies.THERE
        if lies is Lies.FOUND and off() < WITHIN:
            right_after = t + took - began
        t += max(_FRAME_S, took)
    wrong = right_after is None and watch.board is not board
    return Followed(image, nudge, false_alarm, noticed, right_after, wrong)


def _noisy(picture: Picture, rng: np.random.Generator) -> Picture:
    noise = rng.integers(-_NOISE, _NOISE + 1, picture.shape, np.int8)
    return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)


def scenes(folder: Path, count: int) -> Iterator[tuple[dict[str, Any], Picture, Board]]:
    """The first so many pictures of a folder in which the board is found where it lies; raises NotLabelled."""
    for label in labels_of(folder):
        picture = cv2.imread(str(folder / label["image"]))
        if picture is None or not label.get("board_px"):
            continue
        board = find_board(np.asarray(picture, np.uint8))
        floor = label["board_px"]["floor"]
        if board is None or corner_error(board.felt, floor) / die_px_of(label, floor) >= WITHIN:
            continue
        yield label, np.asarray(picture, np.uint8), board
        count -= 1
        if count <= 0:
            return


def main(argv: list[str] | None = None) -> int:
    """0 measured, 2 a folder could not be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--scenes", type=int, default=20, help="of each folder (default 20)")
    parser.add_argument("--nudges", type=int, default=6, help="of each scene (default 6)")
    told = parser.parse_args(argv)
    cv2.setNumThreads(1)
    try:
        every = [one for folder in told.folders for one in followed(folder, told.scenes, told.nudges)]
    except NotLabelled as fault:
        print(f"models.measure_nudge: {fault}", file=sys.stderr)
        return 2
    right = [one.right_after for one in every if one.right_after is not None]
    soon, late = sum(one.soon for one in every), sum(not one.soon for one in every if one.right_after is not None)
    print(
        f"nudges {len(every)}: noticed {sum(one.noticed for one in every)}, right within {WITHIN_S:.0f} s {soon}, "
        f"later {late}, wrong {sum(one.wrong for one in every)}, alarm before the nudge "
        f"{sum(one.false_alarm for one in every)}; right after a median of {np.median(right or [0.0]):.2f} s, at most "
        f"{max(right, default=0.0):.2f} s"
    )
    return 0


def followed(folder: Path, count: int, each: int) -> Iterator[Followed]:
    """What came of `each` nudges in each of `count` scenes; tells of those that were not followed as wanted."""
    for number, (label, picture, board) in enumerate(scenes(folder, count)):
        floor = np.array(label["board_px"]["floor"], np.float64)
        for nudge in nudges(each, number):
            one = follow(picture, board, floor, die_px_of(label, floor.tolist()), nudge, label["image"])
            if not one.soon or one.false_alarm:
                print(f"{one.image}: {told_of(one)}", flush=True)
            yield one


def told_of(one: Followed) -> str:
    """One line about a nudge that was not followed as wanted."""
    nudge = f"{one.nudge.mm:.0f} mm, {one.nudge.turn_deg:+.1f} degrees"
    if one.false_alarm:
        return f"alarm before the nudge ({nudge})"
    if one.right_after is not None:
        return f"{nudge}: right only after {one.right_after:.1f} s"
    return f"{nudge}: {'noticed' if one.noticed else 'not noticed'}, {'wrong' if one.wrong else 'not found'} after it"


if __name__ == "__main__":
    sys.exit(main())
