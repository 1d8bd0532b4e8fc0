"""Measures how well the board is found in labelled pictures: `python -m models.measure_board FOLDER…`.

A folder has a `labels.json` with `images`: [{"image", "die_px", "board_px": {"floor": 8 corners, "rim_outer": …}}];
pictures without `board_px` show no board, and finding one there is a false find.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.board import ASSUMED_FELT_MM, DIE_MM, Board
from vision.find_board import find_board
from vision.octagon import signed_area

WITHIN = 0.2  # of a die's edge: what a corner of the felt may be off


class NotLabelled(ValueError):
    """A folder that cannot be measured; the message says why."""


@dataclass(frozen=True)
class Measured:
    """One picture: the largest error of a corner of felt and rim in edges of a die; None where no board was found."""

    image: str
    felt: float | None
    rim: float | None
    seconds: float
    hand: bool

    @property
    def good(self) -> bool:
        return self.felt is not None and self.felt < WITHIN


def corner_error(found: Sequence[tuple[float, float]], true: Sequence[Sequence[float]]) -> float:
    """Largest distance between corners over the best turn, both octagons taken clockwise, in pixels."""
    here, there = (np.array(corners, np.float64) for corners in (found, true))
    here, there = (corners if signed_area(corners) > 0 else corners[::-1] for corners in (here, there))
    return min(float(np.hypot(*(np.roll(here, turn, axis=0) - there).T).max()) for turn in range(len(there)))


def measure(folder: Path) -> Iterator[tuple[Measured, bool]]:
    """Each labelled picture of a folder, and whether it shows a board; raises NotLabelled.

    Labels of pictures that are not there are passed over, unless none is there.
    """
    there = 0
    for label in labels_of(folder):
        picture = cv2.imread(str(folder / label["image"]))
        if picture is None:
            continue
        there += 1
        began = time.process_time()
        board = find_board(np.asarray(picture, np.uint8))
        seconds = time.process_time() - began
        corners = label.get("board_px")
        yield _compared(label, board, corners, seconds), bool(corners)
    if not there:
        raise NotLabelled(f"{folder} holds none of the pictures that its labels.json tells of.")


def labels_of(folder: Path) -> list[dict[str, Any]]:
    """What the folder's labels.json tells of each picture; raises NotLabelled."""
    file = folder / "labels.json"
    try:
        images = json.loads(file.read_text(encoding="utf-8"))["images"]
    except OSError as fault:
        raise NotLabelled(f"{file} cannot be read: {fault.strerror}.") from fault
    except (ValueError, KeyError, TypeError) as fault:
        raise NotLabelled(f"{file} does not tell of pictures: it needs a list named images.") from fault
    if not isinstance(images, list) or not all(_is_label(one) for one in images):
        raise NotLabelled(
            f"{file} does not tell of each picture its image, its dice and the board's floor in board_px."
        )
    return images


def _is_label(told: object) -> bool:
    """Whether it names a picture and, where it shows a board, the 8 corners of its floor and what dice lie there."""
    if not isinstance(told, dict) or not isinstance(told.get("image"), str):
        return False
    corners = told.get("board_px")
    if not corners:
        return True
    if not isinstance(corners, dict) or not isinstance(told.get("dice"), list):
        return False
    rings = [corners.get("floor"), corners.get("rim_outer", corners.get("floor"))]
    try:
        return np.array(rings, np.float64).shape == (2, 8, 2)
    except (TypeError, ValueError):
        return False


def _compared(label: dict[str, Any], board: Board | None, corners: dict[str, Any] | None, seconds: float) -> Measured:
    name, hand = str(label["image"]), bool(label.get("hand"))
    if board is None:
        return Measured(name, None, None, seconds, hand)
    if not corners:
        return Measured(name, np.inf, None, seconds, hand)
    die_px = die_px_of(label, corners["floor"])
    rim = corner_error(board.rim, corners["rim_outer"]) / die_px if "rim_outer" in corners else None
    return Measured(name, corner_error(board.felt, corners["floor"]) / die_px, rim, seconds, hand)


def die_px_of(label: dict[str, Any], floor: Sequence[Sequence[float]]) -> float:
    """A die's edge: told for the picture, or by its dice, or that of 16 mm on an average floor."""
    told = [float(one["die_px"]) for one in (label, *label["dice"]) if one.get("die_px")]
    if told:
        return float(np.median(told))
    return (
        float(np.sqrt(abs(signed_area(np.array(floor, np.float64))) / (8 * (np.sqrt(2) - 1) / 4)))
        * DIE_MM
        / ASSUMED_FELT_MM
    )


def main(argv: list[str] | None = None) -> int:
    """0 measured, 2 a folder could not be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    cv2.setNumThreads(1)
    told = parser.parse_args(argv)
    try:
        measured = [pair for folder in told.folders for pair in measure(folder)]
    except NotLabelled as fault:
        print(f"models.measure_board: {fault}", file=sys.stderr)
        return 2
    boards = [one for one, shown in measured if shown]
    false = [one for one, shown in measured if not shown and one.felt is not None]
    for one in (*sorted((b for b in boards if not b.good), key=lambda b: b.felt or 0), *false):
        off = "not found" if one.felt is None else f"felt off by {one.felt:.2f}, rim by {one.rim or 0:.2f} of a die"
        print(f"{one.image}{' (hand)' if one.hand else ''}: {off}")
    wrong = sum(one.felt is not None and not one.good for one in boards)
    good = [one.felt for one in boards if one.good and one.felt is not None]
    bare = [one for one in boards if not one.hand]
    print(
        f"boards {len(boards)}: all corners of the felt within {WITHIN} of a die {len(good)}, further off {wrong}, "
        f"not found {len(boards) - len(good) - wrong}; of those found good "
        f"{100 * len(good) / max(1, len(good) + wrong):.1f} % "
        f"(without a hand good {sum(one.good for one in bare)} of {len(bare)}); "
        f"found where there is none {len(false)} of "
        f"{len(measured) - len(boards)}; median error of the good {np.median(good or [0.0]):.3f}, "
        f"median {1000 * float(np.median([one.seconds for one, _ in measured] or [0.0])):.0f} ms"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
