"""Labelled pictures as the renderer writes them: a folder with pictures and a `labels.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import FACES, Kind
from vision.frame import Picture

Points = npt.NDArray[np.float32]
LEAST_VISIBLE = 0.85
"""A die of which less is seen is covered; its face need not be readable."""
HARDLY_VISIBLE = 0.3
LEAST_LEAN_DEG = 11.0
"""Dice that lean less are as flat as can be seen."""
ON_EDGE_DEG = 35.0
"""From here on a die stands on an edge or a corner, and no side is its top."""


@dataclass(frozen=True)
class DieLabel:
    """One die: `kind` is face − 1 or a `Kind`; corners (4, 2) and pips (n, 2) of its top face in pixels.

    `normal`: the part of the top's unit normal across the line of sight, along x and y of the picture; None if the
    label does not tell it. A die that leans is of the kind of the side that is its top: that it leans is seen by its
    normal alone, against the board's or the other dice's, since the camera may look from the side. `shaped`: whether
    the corners are the top's, or only tell about where and how large the die is. `on_top`: whether it lies on another.
    """

    kind: int
    center: tuple[float, float]
    edge: float
    corners: Points
    pips: Points
    visible: float
    material: str
    normal: tuple[float, float] | None = None
    shaped: bool = True
    on_top: bool = False


def is_held_out(number: int) -> bool:
    """Whether a picture of a folder, by its place there, is kept out of training: every twentieth is."""
    return number % 20 == 19


@dataclass(frozen=True)
class PictureLabel:
    """A picture's dice; `ground` are places that were once taken for dice and are none.

    `hand_px` are outlines (n, 2) in pixels of what a hand and its sleeve cover, none where that was not told.
    """

    path: Path
    dice: tuple[DieLabel, ...]
    hand: bool
    hand_px: tuple[Points, ...]
    ground: tuple[DieLabel, ...] = ()


def load(folder: Path, holdout: bool | None = None) -> list[PictureLabel]:
    """All labelled pictures of a folder; `holdout` True gives those held out, False the others."""
    told = json.loads((folder / "labels.json").read_text())
    records = told["images"] if isinstance(told, dict) else told
    chosen = [r for i, r in enumerate(records) if holdout is None or is_held_out(i) == holdout]
    return [_picture(folder, record) for record in chosen]


def _picture(folder: Path, record: Mapping[str, Any]) -> PictureLabel:
    told = tuple(die for die in (_die(d) for d in record.get("dice", ())) if die is not None)
    return PictureLabel(
        folder / record["image"],
        tuple(die for die in told if die.kind != Kind.NOTHING),
        bool(record.get("hand")),
        tuple(np.asarray(outline, dtype=np.float32) for outline in record.get("hand_px", ())),
        tuple(die for die in told if die.kind == Kind.NOTHING),
    )


def _die(told: Mapping[str, Any]) -> DieLabel | None:
    corners = np.asarray(told["corners"], dtype=np.float32).reshape(-1, 2)
    normal = told.get("normal")
    leans = told.get("pose") == "cocked"
    if len(corners) != 4 or (leans and normal is None):
        return None  # it looks like a flat one seen from the side: nothing to learn from
    x, y = told.get("center_top") or corners.mean(axis=0)
    visible = float(told.get("visible", 1.0))
    return DieLabel(
        _kind(told, visible),
        (float(x), float(y)),
        float(told.get("die_px") or np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()),
        corners,
        np.asarray(told.get("pips") or [], dtype=np.float32).reshape(-1, 2),
        visible,
        str(told.get("material", "")),
        None if normal is None else (float(normal[0]), float(normal[1])),
        bool(told.get("shaped", True)),
        told.get("pose") == "stacked",
    )


def _kind(told: Mapping[str, Any], visible: float) -> int:
    pose = told.get("pose", "flat")
    if pose == "none":
        return int(Kind.NOTHING)
    if pose in ("stacked", "under"):
        return int(Kind.STACKED)
    if pose == "cocked" and told.get("tilt_deg", 90.0) > ON_EDGE_DEG:
        return int(Kind.COCKED)
    if visible < LEAST_VISIBLE:
        return int(Kind.STACKED)
    face = told.get("true_top", told.get("face"))
    if told.get("symbol") or not isinstance(face, int) or not 1 <= face <= FACES:
        return int(Kind.SYMBOL)
    return face - 1


def picture(path: Path) -> Picture:
    found = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if found is None:
        raise FileNotFoundError(f"{path} is no picture that can be read")
    return np.asarray(found, dtype=np.uint8)
