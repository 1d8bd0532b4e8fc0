"""Ground that was once taken for dice, out of rendered pictures whose dice are all known: chalk, coins, carpets."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from models.train.labels import is_held_out
from vision.detector import DiceDetector
from vision.picture_file import load_picture

DOUBT_AT = 0.12
"""What is likelier than this to be a die, and is none, is worth to be learnt."""
APART = 1.3
"""Of edges, from the middle of any die."""
_NO_DICE_PX = 32.0


def hard_ground(folder: Path, out: Path, models: Path, every: int = 1) -> int:
    """Write `out` with links to the folder's pictures (every so many) and the places; returns how many there are.

    Pictures that are held out are left out; the dice themselves are in the folder already and count for nothing here.
    """
    told = json.loads((folder / "labels.json").read_text())
    detector = DiceDetector(models)
    out.mkdir(parents=True, exist_ok=True)
    records: list[dict[str, Any]] = []
    for number, record in enumerate(told["images"] if isinstance(told, dict) else told):
        if number % every or is_held_out(number):
            continue
        places = _places(folder / record["image"], record["dice"], detector)
        if places:
            picture = out / record["image"]
            if not picture.exists():
                os.symlink((folder / record["image"]).resolve(), picture)
            records.append({"image": record["image"], "dice": places + [_apart(die) for die in record["dice"]]})
    (out / "labels.json").write_text(json.dumps({"images": records}))
    return sum(die.get("pose") == "none" for record in records for die in record["dice"])


def _places(path: Path, dice: list[dict[str, Any]], detector: DiceDetector) -> list[dict[str, Any]]:
    usual = float(np.median([die["die_px"] for die in dice])) if dice else _NO_DICE_PX
    middles = [die.get("center_top") or np.mean(die["corners"], axis=0) for die in dice]
    faces, _ = detector.faces(load_picture(path), usual)
    return [
        {"face": 1, "corners": np.round(face.corners, 2).tolist(), "die_px": round(face.edge, 2), "pose": "none"}
        for face in faces
        if detector.of_die(face, usual) > DOUBT_AT
        and all(hypot(face.center[0] - x, face.center[1] - y) > APART * max(face.edge, usual) for x, y in middles)
    ]


def _apart(die: Mapping[str, Any]) -> dict[str, Any]:
    """A die that other ground is kept away from, and that is not learnt from here."""
    return {**die, "visible": 0.0}
