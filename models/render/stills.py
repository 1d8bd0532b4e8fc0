"""A folder of pictures with labels, made seed by seed, that can be stopped and taken up again."""

import json
import pathlib
import sys
import time
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.render.draw import Renderer
from models.render.sampling import sample_scene


class BadFolder(ValueError):
    """The folder cannot be written into or taken up again; the message says why."""


SAVE_EVERY = 50
"""Pictures between two writings of labels.json."""


def scene_rng(kind: str, seed: int) -> np.random.Generator:
    """The one generator that a picture's scene is drawn from."""
    return np.random.default_rng([seed, sum(map(ord, kind))])


def render_stills(
    folder: pathlib.Path,
    kind: str,
    seed: int,
    count: int,
    size: tuple[int, int] | None,
    resume: bool,
    quality: str,
) -> None:
    """Write pictures `seed` to `seed + count - 1` as JPEG (quality 95) and labels.json into the folder.

    Raises BadFolder where that cannot be.
    """
    target = folder / "labels.json"
    if target.exists() and not resume:
        raise BadFolder(f"{target} is there already; add --resume to go on, or name another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    records = _load(target)
    wanted = [s for s in range(seed, seed + count) if f"{kind}_{s:07d}.jpg" not in records]
    renderer = Renderer(quality)
    begun = time.monotonic()
    for done, s in enumerate(wanted, start=1):
        picture, record = renderer.draw(sample_scene(scene_rng(kind, s), kind, size, s))
        name = f"{kind}_{s:07d}.jpg"
        if not cv2.imwrite(str(folder / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95]):
            raise BadFolder(f"Cannot write {folder / name}.")
        records[name] = {"image": name, **record}
        if done % SAVE_EVERY == 0 or done == len(wanted):
            _save(target, records)
            rate = done / (time.monotonic() - begun)
            left = (len(wanted) - done) / rate / 60
            print(f"{done}/{len(wanted)} {rate:.1f}/s, {left:.1f} min left", file=sys.stderr, flush=True)


def contact_sheet(kind: str, seed: int, count: int, size: tuple[int, int] | None, drawn: bool) -> npt.NDArray[np.uint8]:
    """Pictures side by side, with their labels drawn if wanted."""
    renderer = Renderer()
    tiles = []
    for s in range(seed, seed + count):
        picture, record = renderer.draw(sample_scene(scene_rng(kind, s), kind, size, s))
        tiles.append(draw_labels(picture, record) if drawn else picture)
    columns = 4 if tiles[0].shape[1] <= 640 else 2
    blank = np.zeros_like(tiles[0])
    tiles += [blank] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)])


def draw_labels(picture: npt.NDArray[np.uint8], record: dict[str, Any]) -> npt.NDArray[np.uint8]:
    """The picture with boxes, top faces, pips and faces drawn on it."""
    out = picture.copy()
    for die in record["dice"]:
        corners = (np.array(die["corners"]) * 8).astype(np.int32)
        cv2.polylines(out, [corners], True, (0, 255, 0), 1, cv2.LINE_AA, 3)
        x1, y1, x2, y2 = (int(v) for v in die["box"])
        cv2.rectangle(out, (x1, y1), (x2, y2), (255, 0, 255), 1)
        for x, y in die["pips"]:
            cv2.circle(out, (int(x * 8), int(y * 8)), 10, (255, 255, 0), -1, cv2.LINE_AA, 3)
        text = f"{die['face'] or 'S'}{'' if die['pose'] == 'flat' else die['pose'][0]} {die['visible']:.1f}"
        cv2.putText(out, text, (x1, y1 - 2), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 255), 1, cv2.LINE_AA)
    if record["board_px"]:
        for ring in record["board_px"].values():
            points = (np.array(ring) * 8).astype(np.int32)
            cv2.polylines(out, [points], True, (0, 200, 255), 1, cv2.LINE_AA, 3)
    return out


def _load(path: pathlib.Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        found: dict[str, Any] = {r["image"]: r for r in json.loads(path.read_text())["images"]}
    except (ValueError, KeyError, TypeError) as error:
        raise BadFolder(f"{path} is no list of labels that could be taken up again.") from error
    return {name: r for name, r in found.items() if (path.parent / name).exists()}


def _save(path: pathlib.Path, records: dict[str, Any]) -> None:
    """Write labels.json whole, so that a stop in between leaves the old one."""
    whole = {
        "source": "models.render",
        "licence": "own",
        "box_means": "whole die",
        "images": list(records.values()),
    }
    part = path.with_suffix(".part")
    part.write_text(json.dumps(whole, separators=(",", ":")))
    part.replace(path)
