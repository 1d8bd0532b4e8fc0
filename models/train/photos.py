"""Labelled photographs as labels to learn from: the faces are theirs, tops are where the shipped reader sees them."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from vision.detector import DiceDetector, apart, die_px_of
from vision.evaluation import Box, LabelledDie, LabelledPicture, load_labels
from vision.faces import Face
from vision.picture_file import load_picture

DIE_AT, DOUBT_AT = 0.5, 0.08
"""What is likelier than the first to be a die may be a labelled one; what is less likely than the second is nothing."""
UNLABELLED = 0.9
"""What nobody labelled but is read with so much confidence may be a die all the same: nothing is learnt there."""
APART = 1.5
"""Of edges: what nobody labelled is ground where it lies farther from all dice than this."""
SURELY = 0.97
"""Read with so much confidence as another face than it is labelled, a die is left out: labels have errors too."""
BOX_OVER_EDGE = {"whole die": 1.3, "top face": 1.2, "none (each picture is one die)": 1.6}
"""Sides of labelled boxes over edges of dice turned any way; boxes of other kinds tell no size."""
MISFIT = 1.6
LEAST_EDGE = 14.0
SYMBOLS_TOO = ("lens_gray_overhead",)
"""Folders (parts of their names) in which dice with symbols lie that nobody labelled: nothing is ground there."""


def photos(folder: Path, out: Path, models: Path) -> int:
    """Write `out` in the renderer's format, pictures copied; returns how many dice it has."""
    labels = load_labels(folder)
    boxes = json.loads((folder / "labels.json").read_text()).get("box_means")
    over = BOX_OVER_EDGE.get(str(boxes), 0.0)
    detector = DiceDetector(models)
    all_labelled = not any(name in folder.name for name in SYMBOLS_TOO)
    out.mkdir(parents=True, exist_ok=True)
    records: list[dict[str, Any]] = []
    for number, picture in enumerate(labels.pictures):
        dice = _dice(picture, detector, over, labels.grown)
        if dice is None:
            continue
        shutil.copy(picture.path, out / picture.path.name)
        if not all_labelled:
            dice = [_unknown(die) if die.get("pose") == "none" else die for die in dice]
        records.append({"image": picture.path.name, "dice": dice})
        if number % 50 == 49:
            print(f"{folder.name}: {number + 1}/{len(labels.pictures)}", file=sys.stderr, flush=True)
    told = {"source": labels.source, "licence": labels.licence, "images": records}
    (out / "labels.json").write_text(json.dumps(told))
    return sum(die["visible"] > 0 and die.get("pose") != "none" for record in records for die in record["dice"])


def _dice(picture: LabelledPicture, detector: DiceDetector, over: float, grown: float) -> list[dict[str, Any]] | None:
    """The picture's dice as records; None where it cannot be told which die is which."""
    pixels = load_picture(picture.path)
    faces, _ = detector.faces(pixels)
    usual = die_px_of(faces)
    if usual is not None:
        faces = apart([*faces, *detector.faces(pixels, usual)[0]], detector.of_die, usual)
    sure = {id(face): detector.of_die(face, usual or face.edge) for face in faces}
    faces = [face for face in faces if sure[id(face)] > DOUBT_AT]
    likely = [face for face in faces if sure[id(face)] > DIE_AT]
    if any(die.box is None for die in picture.dice):
        sides = min(pixels.shape[:2])
        if over and not all(_fits(face, sides, over) for face in likely):
            return None
        if Counter(face.face for face in likely) != Counter(die.face for die in picture.dice):
            return None
        return [_seen(face, face.face) if sure[id(face)] > DIE_AT else _rest(face, likely, detector) for face in faces]
    records: list[dict[str, Any]] = []
    taken: list[Face] = []
    for die in picture.dice:
        face = _nearest(die, [f for f in likely if not any(f is t for t in taken)], grown)
        if face is not None:
            taken.append(face)
        if face is not None and (not over or die.box is None or _fits(face, _side(die.box), over)):
            records.append(_matched(face, die, detector))
        elif die.box is not None:
            records.append(_guessed(die.box, die.face, over))
    rest = [face for face in faces if not any(face is t for t in taken)]
    return records + [_rest(face, picture.dice, detector) for face in rest]


def _fits(face: Face, side: float, over: float) -> bool:
    """Whether the face is about as large as a box of that side says: the pip of a one is not."""
    return 1 / MISFIT < face.edge * over / side < MISFIT


def _side(box: Box) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def _nearest(die: LabelledDie, faces: Sequence[Face], grown: float) -> Face | None:
    assert die.box is not None
    x1, y1, x2, y2 = die.box
    reach = grown * max(x2 - x1, y2 - y1) / 2
    away = [hypot(f.center[0] - (x1 + x2) / 2, f.center[1] - (y1 + y2) / 2) for f in faces]
    best = int(np.argmin(away)) if away else -1
    return faces[best] if best >= 0 and away[best] < reach else None


def _matched(face: Face, die: LabelledDie, detector: DiceDetector) -> dict[str, Any]:
    if die.face is None or (face.face != die.face and detector.of_face(face) > SURELY):
        return _ignored(face)
    return _seen(face, die.face)


def _seen(face: Face, number: int) -> dict[str, Any]:
    return {
        "face": number,
        "corners": np.round(face.corners, 2).tolist(),
        "die_px": round(face.edge, 2),
        "visible": 1.0 if face.edge >= LEAST_EDGE else 0.0,
        "material": "photo",
    }


def _guessed(box: Box, number: int | None, over: float) -> dict[str, Any]:
    """A die that was not found: about where its box is; of boxes that tell no size nothing is learnt there."""
    x1, y1, x2, y2 = box
    side = _side(box)
    edge = side / over if over else side
    x, y, half = (x1 + x2) / 2, (y1 + y2) / 2, edge / 2
    square = [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    known = over > 0 and number is not None and edge >= LEAST_EDGE
    return {"face": number, "corners": square, "die_px": edge, "visible": float(known), "shaped": False,
            "material": "photo"}  # fmt: skip


def _rest(face: Face, dice: Sequence[LabelledDie | Face], detector: DiceDetector) -> dict[str, Any]:
    """What nobody labelled: ground, if it is away from all dice and not much like one."""
    middles = [die.center if isinstance(die, Face) else _middle(die.box) for die in dice]
    away = min((hypot(face.center[0] - x, face.center[1] - y) for x, y in middles), default=0.0)
    if away < APART * face.edge or detector.of_face(face) * detector.of_die(face, face.edge) > UNLABELLED:
        return _ignored(face)
    return {**_seen(face, face.face), "pose": "none", "visible": 1.0}


def _unknown(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "pose": "flat", "visible": 0.0}


def _middle(box: Box | None) -> tuple[float, float]:
    assert box is not None
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _ignored(face: Face) -> dict[str, Any]:
    return {**_seen(face, face.face), "visible": 0.0}
