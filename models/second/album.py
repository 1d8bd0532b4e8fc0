"""A folder of pictures with labels, taken seed by seed; stopped, it can be taken up again."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.second.film import Picture, develop, filed
from models.second.records import picture_record, places_to_see, sights
from models.second.shot import draw_shot
from models.second.trace import Tracer

SAVE_EVERY = 10
"""Pictures between two writings of labels.json."""
SAMPLES = 6
COLUMNS = 3


class FolderUnusable(ValueError):
    """The folder cannot be written into or taken up again; the message says why."""


def take(tracer: Tracer, seed: int, size: tuple[int, int] | None, samples: int) -> tuple[Picture, dict[str, Any], int]:
    """The picture of a seed, blue first, its record, and the JPEG quality that it is to be filed with."""
    shot = draw_shot(seed, size)
    light, seen = tracer.trace(shot, samples, places_to_see(shot))
    return develop(light, shot.film, seed), picture_record(shot, sights(shot, seen)), shot.film.jpeg


def fill(folder: Path, seed: int, count: int, size: tuple[int, int] | None, samples: int, resume: bool) -> None:
    """Take the pictures `seed` to `seed + count - 1` into the folder. Raises FolderUnusable, NoTracer."""
    target = folder / "labels.json"
    if target.exists() and not resume:
        raise FolderUnusable(f"{target} is there already; add --resume to go on, or name another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    records = _known(target)
    wanted = [s for s in range(seed, seed + count) if _name(s) not in records]
    tracer = Tracer()
    begun, spent = time.monotonic(), time.process_time()
    for done, s in enumerate(wanted, start=1):
        picture, record, quality = take(tracer, s, size, samples)
        (folder / _name(s)).write_bytes(filed(picture, quality))
        records[_name(s)] = {"image": _name(s), **record}
        if done % SAVE_EVERY == 0 or done == len(wanted):
            _save(target, records)
            each, cpu = (time.monotonic() - begun) / done, (time.process_time() - spent) / done
            left = (len(wanted) - done) * each / 60
            print(
                f"{done}/{len(wanted)} {each:.1f} s each ({cpu:.1f} s of processor), {left:.0f} min left",
                file=sys.stderr,
                flush=True,
            )


def sheet(seed: int, count: int, size: tuple[int, int] | None, samples: int, labels: bool) -> Picture:
    """Pictures side by side, all brought to one size, with their labels drawn if wanted."""
    tracer, tiles = Tracer(), []
    for s in range(seed, seed + count):
        picture, record, quality = take(tracer, s, size, samples)
        picture = np.asarray(cv2.imdecode(np.frombuffer(filed(picture, quality), np.uint8), cv2.IMREAD_COLOR), np.uint8)
        tiles.append(cv2.resize(drawn(picture, record) if labels else picture, size or (960, 720)))
    columns = min(COLUMNS, count)
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)])


def drawn(picture: Picture, record: dict[str, Any]) -> Picture:
    """The picture with tops, boxes, pips, faces and the board's corners drawn on it."""
    made = picture.copy()
    rings = list(record["board_px"].values())
    for corners, colour in [(d["corners"], (0, 255, 0)) for d in record["dice"]] + [(r, (0, 200, 255)) for r in rings]:
        cv2.polylines(made, [(np.array(corners) * 16).astype(np.int32)], True, colour, 1, cv2.LINE_AA, 4)
    for die in record["dice"]:
        x1, y1, x2, y2 = (round(v) for v in die["box"])
        cv2.rectangle(made, (x1, y1), (x2, y2), (255, 0, 255), 1)
        for x, y in die["pips"]:
            cv2.circle(made, (round(x * 16), round(y * 16)), 24, (255, 255, 0), -1, cv2.LINE_AA, 4)
        told = f"{die['face'] or '-'}({die['true_top']}) {die['pose'][0]} {die['visible']:.2f}"
        cv2.putText(made, told, (x1, y1 - 3), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 255), 1, cv2.LINE_AA)
    return made


def _name(seed: int) -> str:
    return f"second_{seed:07d}.jpg"


def _known(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        found: dict[str, Any] = {r["image"]: r for r in json.loads(path.read_text())["images"]}
    except (ValueError, KeyError, TypeError) as error:
        raise FolderUnusable(f"{path} is no list of labels that could be taken up again.") from error
    return {name: r for name, r in found.items() if (path.parent / name).exists()}


def _save(path: Path, records: dict[str, Any]) -> None:
    """labels.json, written whole beside the old one and then put in its place."""
    told = {"source": "models.second", "licence": "own", "box_means": "whole die", "images": list(records.values())}
    part = path.with_suffix(".part")
    part.write_text(json.dumps(told, separators=(",", ":")))
    part.replace(path)
