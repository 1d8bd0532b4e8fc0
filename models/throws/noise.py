"""Does the watcher keep quiet where nobody throws? Minutes of table noise by seed, a scene each."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.measure_board import corner_error
from models.render.draw import Renderer
from models.throws.measure import DICE, WITHIN, read_rows
from models.throws.search import NotFound
from models.throws.unrest import FPS, set_up, unrest
from vision.find_board import find_board
from vision.frame import Frame
from vision.happenings import HandSeen, Happening, ThrowSeen, Unsure
from vision.reader import Reader
from vision.watcher import ThrowWatcher


def watch_noise(seed: int, seconds: float, size: tuple[int, int], reader: Reader, renderer: Renderer) -> dict[str, Any]:
    """One scene's unrest before the watcher; raises `NotFound` where physics lays no dice for it."""
    made = set_up(seed, size, renderer)
    seen = made.stage.board_px()
    watcher: ThrowWatcher | None = None
    told: list[Happening] = []
    begun: Counter[str] = Counter()
    look = np.eye(2, 3)
    for index, (picture, began, way) in enumerate(unrest(made, seed, seconds)):
        frame = Frame(picture, index / FPS, index=index)
        if watcher is None and index % 5 == 0:
            board = find_board(picture)
            if board is not None:
                watcher = ThrowWatcher(reader, board, expected=DICE, find_board=find_board)
        if watcher is not None:
            told += watcher.see(frame)
        begun[began] += bool(began)
        look = way
    off = None
    if watcher is not None:
        true = cv2.transform(np.array(seen["floor"])[None], look)[0]
        off = corner_error(watcher.board.felt, true.tolist()) / made.stage.die_px()
    return {
        "seed": seed,
        "minutes": round(seconds / 60, 2),
        "dice": made.dice,
        "began": dict(begun),
        "throws": [one.to_json() for one in told if isinstance(one, ThrowSeen)],
        "asked": [one.to_json() for one in told if isinstance(one, Unsure)],
        "hands": sum(isinstance(one, HandSeen) for one in told),
        "told": dict(Counter(one.event for one in told)),
        "board_off": off,
    }


def measure_noise(out: Path, seed: int, count: int, seconds: float, size: tuple[int, int]) -> list[dict[str, Any]]:
    """Measure the seeds that are not in the file yet; returns the rows of all of them."""
    rows = {row["seed"]: row for row in read_rows(out)}
    reader, renderer = Reader(), None
    for number, one in enumerate(range(seed, seed + count), start=1):
        if one in rows:
            continue
        renderer = renderer or Renderer("normal")
        begun = time.monotonic()
        try:
            row = watch_noise(one, seconds, size, reader, renderer)
        except NotFound as fault:
            row = {"seed": one, "not_found": str(fault)}
        rows[one] = row
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        word = f"{len(row.get('throws', ()))} throws, {len(row.get('asked', ()))} questions"
        print(f"{number}/{count} seed {one}: {word}, {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return [rows[one] for one in range(seed, seed + count)]


def noise_figures(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What the minutes came to, a line each."""
    rows = [row for row in rows if "not_found" not in row]
    began: Counter[str] = Counter()
    for row in rows:
        began.update(row["began"])
    nudged = [row for row in rows if row["began"].get("nudge")]
    settled = sum(row["board_off"] is not None and row["board_off"] < WITHIN for row in nudged)
    yield f"{sum(row['minutes'] for row in rows):.0f} minutes at {FPS} frames a second in {len(rows)} scenes"
    yield "what happened: " + ", ".join(f"{count} × {what}" for what, count in began.most_common() if what)
    yield f"throws told where nobody threw      {sum(len(row['throws']) for row in rows)}   (none)"
    yield f"questions where nobody threw        {sum(len(row['asked']) for row in rows)}"
    yield f"the board where it lies at the end, of the scenes with nudges: {settled} of {len(nudged)}"
