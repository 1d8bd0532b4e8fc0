"""What was not read right, to look at: each picture with its labels and reads, as one page or one picture."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape

import cv2
import numpy as np

from vision.errors import VisionError
from vision.evaluation import PictureOutcome, Verdict
from vision.frame import Picture
from vision.picture_file import load_picture

TILE = 480
"""Pixels along the longer side of a picture in the sheet."""
COLUMNS = 4
MOST = 400
"""Pictures in a sheet; more are left out, those that were sure first."""
_COLOUR = {
    Verdict.RIGHT: (80, 200, 80),
    Verdict.REFUSED: (0, 200, 255),
    Verdict.WRONG: (0, 0, 255),
    Verdict.MISSED: (255, 0, 255),
    Verdict.EXTRA: (255, 160, 0),
}


def html_sheet(failures: Sequence[PictureOutcome]) -> str:
    """One HTML page with everything in it, silent errors first."""
    rows = [
        f'<figure><img alt="" src="data:image/jpeg;base64,{base64.b64encode(_jpeg(tile)).decode()}">'
        f"<figcaption>{escape(_caption(failure))}</figcaption></figure>"
        for failure, tile in _tiles(failures)
    ]
    style = "body{font:14px sans-serif;background:#222;color:#eee}figure{display:inline-block;margin:6px;width:480px}"
    note = "green right, yellow refused, red wrong, purple missed, blue where there is no die; true face > read face"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>What was not read right</title>'
        f"<style>{style}</style><h1>{len(failures)} pictures not read right</h1><p>{note}</p>{''.join(rows)}</html>\n"
    )


def png_sheet(failures: Sequence[PictureOutcome]) -> bytes:
    """One PNG, silent errors first."""
    tiles = []
    for failure, tile in _tiles(failures):
        square = np.zeros((TILE + 24, TILE, 3), np.uint8)
        square[: tile.shape[0], : tile.shape[1]] = tile
        cv2.putText(square, _caption(failure)[:64], (4, TILE + 16), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255,) * 3)
        tiles.append(square)
    blank = np.zeros((TILE + 24, TILE, 3), np.uint8)
    tiles += [blank] * (-len(tiles) % COLUMNS or (0 if tiles else COLUMNS))
    sheet = np.vstack([np.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)])
    return bytes(cv2.imencode(".png", sheet)[1])


def close_up(failure: PictureOutcome, side: int = 160, edges: float = 4.0) -> Picture:
    """What is wrong with a picture, from near: `side` pixels about the worst die, `edges` dice wide."""
    picture = load_picture(failure.picture.path)
    order = (Verdict.WRONG, Verdict.EXTRA, Verdict.MISSED, Verdict.REFUSED, Verdict.RIGHT)
    worst = min(failure.dice, key=lambda die: order.index(die.verdict), default=None)
    box = None if worst is None else worst.read.box if worst.read else worst.truth.box if worst.truth else None
    if box is not None:
        half = edges * max(box[2] - box[0], box[3] - box[1]) / 2
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        height, width = picture.shape[:2]
        left, top = max(0, round(x - half)), max(0, round(y - half))
        picture = picture[top : min(height, round(y + half)), left : min(width, round(x + half))]
    scale = side / max(picture.shape[:2])
    near = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    square = np.zeros((side, side, 3), np.uint8)
    square[: near.shape[0], : near.shape[1]] = near
    return square


def _tiles(failures: Sequence[PictureOutcome]) -> Iterator[tuple[PictureOutcome, Picture]]:
    for failure in sorted(failures, key=lambda outcome: not outcome.silent)[:MOST]:
        try:
            picture = load_picture(failure.picture.path)
        except VisionError:
            continue
        yield failure, _drawn(failure, picture)


def _caption(failure: PictureOutcome) -> str:
    told = "SILENT" if failure.silent else "asked: " + ", ".join(failure.reading.problems or ("unsure",))
    return f"{failure.picture.path.name}  {told}"


def _drawn(failure: PictureOutcome, picture: Picture) -> Picture:
    scale = TILE / max(picture.shape[:2])
    tile = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for die in failure.dice:
        box = die.read.box if die.read else die.truth.box if die.truth else None
        if box is None:
            continue
        x1, y1, x2, y2 = (round(value * scale) for value in box)
        cv2.rectangle(tile, (x1, y1), (x2, y2), _COLOUR[die.verdict], 1)
        true = "-" if die.truth is None else str(die.truth.face or "x")
        read = "-" if die.read is None else f"{die.read.face or die.read.pose.value} {die.read.confidence:.3f}"
        label = read if die.verdict is Verdict.RIGHT else f"{true}>{read}"
        cv2.putText(tile, label, (x1, max(10, y1 - 3)), cv2.FONT_HERSHEY_SIMPLEX, 0.38, _COLOUR[die.verdict])
    return np.asarray(tile, dtype=np.uint8)


def _jpeg(picture: Picture) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])[1])
