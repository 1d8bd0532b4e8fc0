"""Fits how far a read can be trusted, on renders and photographs that no net was trained on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.train.labels import LEAST_LEAN_DEG, is_held_out
from vision.crops import FACES
from vision.detector import DiceDetector, die_px_of
from vision.evaluation import LabelledDie, Labels, load_labels
from vision.faces import Face
from vision.find_board import find_board
from vision.picture_file import load_picture
from vision.trust import (
    DIE_SIGNS,
    DIE_WAYS,
    FACE_SIGNS,
    FACE_WAYS,
    LEVEL_SIGNS,
    LEVEL_WAYS,
    die_signs,
    face_signs,
    level_signs,
)

Array = npt.NDArray[np.float64]
_BOX_OVER_EDGE = 1.3
RIDGE = 1e-4
"""Pulls the weights to nothing: few reads are wrong, and those that are must not be learnt by heart."""
NOT_LEVEL = 0.02
"""Part of the dice read as a face that is taken not to lie level, bare and with pips up: in renders these are far more
frequent than on a table. More makes the reader ask more often and err more seldom."""
DECOY = 0.15
"""Weight of a find where there is no die, in renders: these have dominoes, printed dice and worse all over."""
CROWD = 7
"""Pictures with more dice than this are no tables: how often a find is a die is not learnt from them."""
LEAST_SEEN = 0.5
"""Nor from dice of whose tops less than this is seen: what hides them is asked about anyway."""
Row = tuple[list[float], bool, str, float]


@dataclass(frozen=True)
class Reads:
    """Signs (n, k) of reads, whether each was right, from which folder it came, and how much it counts."""

    signs: Array
    right: npt.NDArray[np.bool_]
    source: npt.NDArray[np.str_]
    weight: Array


@dataclass(frozen=True)
class Gathered:
    """All finds of some folders, judged as dice; those dice that were read as a face, judged as level ones; and the
    level ones of these, judged by the face.
    """

    dice: list[Row]
    levels: list[Row]
    faces: list[Row]

    def joined(self, other: Gathered) -> Gathered:
        return Gathered(self.dice + other.dice, self.levels + other.levels, self.faces + other.faces)


def reads(rows: Sequence[Row]) -> Reads:
    signs, right, source, weight = zip(*rows, strict=True)
    return Reads(np.array(signs), np.array(right), np.array(source), np.array(weight))


def gather(
    folders: Sequence[Path],
    models: Path,
    *,
    rendered: bool = False,
    held_out: bool = False,
    sized: bool,
    most: int = 0,
) -> Gathered:
    """What the detector finds and reads in labelled pictures with boxes.

    `rendered`: with boards, and odd dice and decoys more often than on a table. `held_out`: of each folder every
    twentieth picture, those that were not trained on. `sized`: the size told, as a board tells it. `most`: so many
    pictures of a folder, evenly taken; 0 for all.
    """
    detector = DiceDetector(models)
    every = Gathered([], [], [])
    for folder in folders:
        labels = load_labels(folder)
        name = folder.name + (" sized" if sized else "")
        pictures = [p for i, p in enumerate(labels.pictures) if not held_out or is_held_out(i)]
        pictures = [p for p in pictures if all(die.box is not None for die in p.dice)]
        for picture in pictures[:: max(1, len(pictures) // most) if most else 1]:
            size = _size(picture.dice) if sized else None
            pixels = load_picture(picture.path)
            faces, _ = detector.faces(pixels, size)
            usual = die_px_of(faces) or 1.0
            board = find_board(pixels) if rendered else None
            for face, lie in zip(faces, detector.lies(pixels, faces, usual, board), strict=True):
                truth = _truth(face, picture.dice, labels)
                if truth is not None and truth.face is None and 0 < truth.lean_deg < LEAST_LEAN_DEG:
                    continue  # as flat as can be seen
                weight = DECOY if rendered and truth is None else 1.0
                if len(picture.dice) <= CROWD and (truth is None or truth.visible >= LEAST_SEEN):
                    every.dice.append((die_signs(face, usual), truth is not None, name, weight))
                if truth is not None and int(face.shares.argmax()) < FACES:
                    is_level = truth.face is not None
                    every.levels.append((level_signs(face, lie), is_level, name, 1.0))
                    if is_level:
                        every.faces.append((face_signs(face), truth.face == face.face, name, 1.0))
    return every


def gather_all(
    photos: Sequence[Path], renders: Sequence[Path], unseen: Sequence[Path], models: Path, most: int = 0
) -> Gathered:
    """Photographs with and without the size told; with it, renders held out, and all of the `unseen` renders."""
    found = gather(photos, models, sized=True, most=most)
    found = found.joined(gather(photos, models, sized=False, most=most // 2))
    found = found.joined(gather(renders, models, rendered=True, held_out=True, sized=True, most=2 * most))
    return found.joined(gather(unseen, models, rendered=True, sized=True))


def _size(dice: Sequence[LabelledDie]) -> float | None:
    """About how long an edge is, from the boxes of dice turned any way and seen a little from the side."""
    sides = [max(die.box[2] - die.box[0], die.box[3] - die.box[1]) for die in dice if die.box is not None]
    return float(np.median(sides)) / _BOX_OVER_EDGE if sides else None


def _truth(face: Face, dice: Sequence[LabelledDie], labels: Labels) -> LabelledDie | None:
    x, y = face.center
    near: list[tuple[float, LabelledDie]] = []
    for die in dice:
        if die.box is None:
            continue
        x1, y1, x2, y2 = die.box
        dx, dy = abs((x1 + x2) / 2 - x), abs((y1 + y2) / 2 - y)
        if max(dx, dy) <= labels.grown * max(x2 - x1, y2 - y1) / 2:
            near.append((dx * dx + dy * dy, die))
    return min(near, key=lambda pair: pair[0])[1] if near else None


def weighed(reads: Reads, wrong: float | None = None) -> Array:
    """How much each read counts (n,), 1 on average: a source by the root of its reads.

    `wrong`: the part of all that those which are not right are made to be, where there are any.
    """
    share = {name: reads.weight[reads.source == name].sum() ** -0.5 for name in np.unique(reads.source)}
    each = np.array([share[name] for name in reads.source]) * reads.weight
    if wrong is not None and 0 < reads.right.sum() < len(reads.right):
        each[~reads.right] *= wrong / (1 - wrong) * each[reads.right].sum() / each[~reads.right].sum()
    return np.asarray(each * len(each) / each.sum())


def fitted(reads: Reads, ways: Sequence[int], wrong: float | None = None, steps: int = 60) -> Array:
    """Logistic regression by Newton's method, reads counting as in `weighed`.

    `ways`: of each sign whether it must speak for (1) or against (-1); one that would do the other is left out, since
    that is chance among signs that say much the same. The bias (0) is free.
    """
    x, y, each = reads.signs, reads.right.astype(np.float64), weighed(reads, wrong)
    used = np.ones(x.shape[1], bool)
    while True:
        weights: Array = np.zeros(x.shape[1])
        weights[used] = _newton(x[:, used], y, each, steps)
        odd = used & (np.sign(weights) * np.asarray(ways) < 0)
        if not odd.any():
            return weights
        used[int(np.argmax(np.where(odd, np.abs(weights) * x.std(axis=0), -1)))] = False


def _newton(x: Array, y: Array, each: Array, steps: int) -> Array:
    weights: Array = np.zeros(x.shape[1])
    pull = np.full(x.shape[1], RIDGE * len(y))
    pull[0] = 1e-6
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (each * (y - p)) - pull * weights
        bend = (x * (each * p * (1 - p))[:, None]).T @ x + np.diag(pull)
        weights = np.asarray(weights + np.linalg.solve(bend, slope))
    return weights


def left_out(reads: Reads, ways: Sequence[int], wrong: float | None = None) -> Array:
    """Each source's probabilities from weights fitted on the others."""
    p = np.zeros(len(reads.right))
    for name in np.unique(reads.source):
        out = reads.source == name
        others = Reads(reads.signs[~out], reads.right[~out], reads.source[~out], reads.weight[~out])
        p[out] = 1 / (1 + np.exp(-np.clip(reads.signs[out] @ fitted(others, ways, wrong), -30, 30)))
    return p


def tell(reads: Reads, p: Array, wrong: float | None = None) -> None:
    """Print how often reads of each confidence are right, on standard error."""
    edges = (0.0, 0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0001)
    each = weighed(reads, wrong)
    for low, high in pairwise(edges):
        some = (p >= low) & (p < high)
        if some.any():
            right = np.average(reads.right[some], weights=each[some])
            print(f"{low:.3f} to {high:.3f}: {some.sum():6} reads, right {right:.4f}", file=sys.stderr)


def told(found: Gathered) -> dict[str, object]:
    """Fit all three, tell how they do on sources left out, and give the weights as they travel in the model file.

    Raises `ValueError` where nothing was read.
    """
    weights: dict[str, list[float]] = {}
    for name, rows, signs, ways, wrong in (
        ("face", found.faces, FACE_SIGNS, FACE_WAYS, None),
        ("level", found.levels, LEVEL_SIGNS, LEVEL_WAYS, NOT_LEVEL),
        ("die", found.dice, DIE_SIGNS, DIE_WAYS, None),
    ):
        if not rows:
            raise ValueError(f"nothing was read that the trust could be fitted on ({name})")
        some = reads(rows)
        print(f"{name}: each source by weights fitted on the others", file=sys.stderr)
        tell(some, left_out(some, ways, wrong), wrong)
        fit = fitted(some, ways, wrong)
        print("  ".join(f"{sign} {w:.2f}" for sign, w in zip(signs, fit, strict=True)), file=sys.stderr)
        weights[name] = [round(float(w), 4) for w in fit]
    return {"trust": weights}
