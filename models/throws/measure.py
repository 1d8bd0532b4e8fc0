"""How well throws are told: clips by seed go from the renderer straight through the watcher; figures at the end.

Each seed is one scene, one light and one throw (or none). Rows are kept in a JSON Lines file, so that a measurement can
be stopped and taken up again; seeds that were used while tuning must not be measured on.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.measure_board import corner_error
from models.render.draw import Renderer
from models.throws.clips import plan_clip
from models.throws.contrast import pips_differ
from models.throws.filming import Camera
from models.throws.roll import FPS
from models.throws.search import NotFound
from models.throws.stage import cafe
from vision.board import Board
from vision.find_board import find_board
from vision.frame import Frame
from vision.happenings import Happening, ThrowSeen, Trouble, Unsure
from vision.reader import Reader
from vision.watcher import ThrowWatcher

DICE = 3
LOOK_EVERY_S = 0.5
WITHIN = 0.2  # of a die's edge, that a corner of the felt may be off
CLEAR_PIPS = 75.0  # levels: see `pips_differ`


class BadRows(ValueError):
    """A file of rows that cannot be gone on with."""


@dataclass(frozen=True)
class Judged:
    """What became of one clip: told right, asked about, or told wrongly without a question."""

    right: bool
    asked: bool
    silent: bool
    delay: float | None


def judge(record: dict[str, Any], told: Sequence[Happening]) -> Judged:
    """By the same rules as `throws.json` is scored: exactly one throw with its dice, a die outside told as such.

    >>> clip = {"expect": "throw", "dice": [1, 4, 5], "outside": 0, "rest_frame": 30}
    >>> judge(clip, [ThrowSeen(t=1.5, dice=(1, 4, 5), settled_at=1.0)])
    Judged(right=True, asked=False, silent=False, delay=0.5)
    """
    throws = [one for one in told if isinstance(one, ThrowSeen)]
    asked = any(isinstance(one, Unsure) for one in told)
    want = tuple(sorted(face for face in record["dice"] if face))
    expect = record["expect"]
    if expect == "throw":
        right = len(throws) == 1 and throws[0].dice == want and throws[0].outside == 0
        silent = bool(throws) and not right
    elif expect == "outside":
        right = len(throws) == 1 and throws[0].outside == record["outside"]
        silent = bool(throws) and not right
    else:
        right = not throws and (asked or expect == "none")
        silent = bool(throws)
    delay = throws[0].t - record["rest_frame"] / FPS if right and throws else None
    return Judged(right, asked and not throws, silent, delay)


def watch_clip(
    seed: int, size: tuple[int, int], reader: Reader, renderer: Renderer, true_board: bool
) -> dict[str, Any]:
    """Film the mixed clip of a seed and watch it; raises `NotFound` where physics has none of its kind."""
    stage, clip = plan_clip(seed, "mixed", size)
    hands = cafe(size).hands  # the same in all scenes: the mesh of each grip is made once
    camera = Camera(stage.scene, stage.looks, edge_mm=stage.edge_mm, hands=hands, renderer=renderer, quick=True)
    seen = stage.board_px()
    watcher, told, looked = None, list[Happening](), -LOOK_EVERY_S
    spent, differ = 0.0, None
    for index, picture in enumerate(camera.frames(clip.take, clip.weather, seed)):
        frame = Frame(picture, index / FPS, index=index)
        begun = time.process_time()
        if watcher is None and frame.t - looked >= LOOK_EVERY_S:
            looked = frame.t
            board = _true(seen, size) if true_board else find_board(picture)
            if board is not None:
                watcher = ThrowWatcher(reader, board, expected=DICE, find_board=find_board)
        if watcher is not None:
            told += watcher.see(frame)
        spent += time.process_time() - begun
        if index == clip.record["rest_frame"]:
            tops = camera.pips(clip.take, frame.t)
            differ = min((pips_differ(picture, pips, stage.die_px()) for pips in tops if len(pips)), default=None)
    told += [] if watcher is None else watcher.finish()
    judged = judge(clip.record, told)
    off = None if watcher is None else corner_error(watcher.board.felt, seen["floor"]) / stage.die_px()
    return {
        "seed": seed,
        **{key: clip.record[key] for key in ("kind", "expect", "dice", "outside", "notes", "rest_frame")},
        "light": stage.scene.light.name,
        "pips_differ": differ and round(differ, 1),
        "told": [one.to_json() for one in told if isinstance(one, ThrowSeen | Unsure | Trouble)],
        "board_off": off,
        "right": judged.right,
        "asked": judged.asked,
        "silent": judged.silent,
        "delay": judged.delay,
        "watch_ms": round(1000 * spent / max(1, clip.take.frames), 2),
    }


def measure(out: Path, seed: int, count: int, size: tuple[int, int], true_board: bool = False) -> list[dict[str, Any]]:
    """Measure the seeds from `seed` on that are not in the file yet; returns all rows of these seeds."""
    rows = {row["seed"]: row for row in read_rows(out)}
    reader, renderer = Reader(), None
    for number, one in enumerate(range(seed, seed + count), start=1):
        if one in rows:
            continue
        renderer = renderer or Renderer("normal")
        begun = time.monotonic()
        try:
            row = watch_clip(one, size, reader, renderer, true_board)
        except NotFound as fault:
            row = {"seed": one, "not_found": str(fault)}
        rows[one] = row
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        word = "SILENT" if row.get("silent") else "right" if row.get("right") else "other"
        spent = time.monotonic() - begun
        print(f"{number}/{count} seed {one}: {row.get('kind', 'none found')} {word}, {spent:.0f} s", file=sys.stderr)
    return [rows[one] for one in range(seed, seed + count) if one in rows]


def read_rows(out: Path) -> list[dict[str, Any]]:
    """The rows of an earlier measurement; raises `BadRows`."""
    if not out.exists():
        return []
    try:
        return [json.loads(line) for line in out.read_text("utf-8").splitlines() if line.strip()]
    except ValueError as fault:
        raise BadRows(f"{out} is no file of rows; move it away or name another") from fault


def figures(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The table of what must be reached, a line each."""
    rows = [row for row in rows if "not_found" not in row]
    clean = [row for row in rows if row["expect"] == "throw"]
    outside = [row for row in rows if row["expect"] == "outside"]
    leaning = [row for row in rows if row["expect"] == "unsure"]
    quiet = [row for row in rows if row["expect"] == "none"]
    boards = [row["board_off"] for row in rows]
    delays = [row["delay"] for row in rows if row["delay"] is not None]
    false = sum(any(one.get("outside") for one in row["told"]) for row in rows if row["expect"] != "outside")
    yield f"clips {len(rows)}, in as many scenes and {len({row['light'] for row in rows})} kinds of light"
    plain = [row for row in clean if (row.get("pips_differ") or 0.0) >= CLEAR_PIPS]
    fine = sum(row["right"] or row["asked"] for row in clean)
    silent = sum(row["silent"] for row in clean)
    table = [
        ("clean throws told once and right, or asked about", _share(fine, clean), "99 %"),
        ("clean throws asked about", _share(sum(row["asked"] for row in clean), clean), "at most 2 %"),
        (
            f"... where all pips differ from their die by {CLEAR_PIPS:.0f} levels",
            _share(sum(row["asked"] for row in plain), plain),
            "",
        ),
        ("clean throws not told at all", _share(len(clean) - fine - silent, clean), ""),
        ("silent: wrong, doubled or never thrown", f"{sum(row['silent'] for row in rows)} of {len(rows)}", "none"),
        ("dice outside told", _share(sum(row["right"] for row in outside), outside), "99 %"),
        ("a die outside told where there is none", f"{false} of {len(rows) - len(outside)}", "none"),
        ("leaning or stacked dice asked about", _share(sum(row["right"] for row in leaning), leaning), ""),
        ("quiet clips without a throw told", _share(sum(row["right"] for row in quiet), quiet), "all"),
        ("quiet clips without a question", _share(sum(not row["told"] for row in quiet), quiet), ""),
        ("felt within a fifth of a die", _share(sum(_is_near(off) for off in boards), boards), "99 %"),
    ]
    if delays:
        late = f"{np.median(delays):.2f} s, {np.percentile(delays, 95):.2f} s"
        table.append(("booked after rest: median, 95th percentile", late, "0.7 s, 1.2 s"))
    yield from (f"{what:<55} {came:<24} {wanted}".rstrip() for what, came, wanted in table)


def _is_near(off: float | None) -> bool:
    return off is not None and off < WITHIN


def _share(count: int, of: Sequence[Any]) -> str:
    return f"{count} of {len(of)}" + (f" ({100 * count / len(of):.1f} %)" if of else "")


def _true(seen: dict[str, list[list[float]]], size: tuple[int, int]) -> Board:
    def told(corners: list[list[float]]) -> tuple[tuple[float, float], ...]:
        points = np.array(corners) - 0.5
        x, y = points[:, 0], points[:, 1]
        clockwise = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0
        return tuple((float(a), float(b)) for a, b in (points if clockwise else points[::-1]))

    return Board(*size, told(seen["floor"]), told(seen["rim_outer"]))
