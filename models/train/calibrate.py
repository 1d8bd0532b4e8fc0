"""Fits how far a read can be trusted, on photographs that no net was trained on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.crops import FACES
from vision.detector import DiceDetector, die_px_of
from vision.evaluation import Labels, load_labels
from vision.faces import Face
from vision.picture_file import load_picture
from vision.trust import SIGNS, signs

Array = npt.NDArray[np.float64]
RIDGE = 1e-2
"""Pulls the weights to nothing: few reads are wrong, and those that are must not be learnt by heart."""


@dataclass(frozen=True)
class Reads:
    """Signs (n, `SIGNS`) of reads and whether each was right; `source` says from which folder."""

    signs: Array
    right: npt.NDArray[np.bool_]
    source: npt.NDArray[np.str_]


def gather(folders: Sequence[Path], models: Path, with_size: bool = False) -> Reads:
    """What the detector reads as a face in labelled pictures with boxes, right or wrong."""
    detector = DiceDetector(models)
    rows: list[tuple[list[float], bool, str]] = []
    for folder in folders:
        labels = load_labels(folder)
        for picture in labels.pictures:
            boxes = [die.box for die in picture.dice if die.box is not None]
            if len(boxes) != len(picture.dice):
                continue
            pixels = load_picture(picture.path)
            px = float(np.median([max(x2 - x1, y2 - y1) for x1, y1, x2, y2 in boxes])) / 1.15 if boxes else None
            faces, _ = detector.faces(pixels, px if with_size else None)
            usual = die_px_of(faces) or 1.0
            for face in faces:
                if int(face.shares.argmax()) < FACES:
                    truth = _truth(face, [(d.face, d.box) for d in picture.dice if d.box is not None], labels)
                    rows.append((signs(face, usual), truth == face.face, folder.name))
    return Reads(
        np.array([row[0] for row in rows]), np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    )


def _truth(
    face: Face, dice: Sequence[tuple[int | None, tuple[float, float, float, float]]], labels: Labels
) -> int | None:
    x, y = face.center
    near = []
    for value, (x1, y1, x2, y2) in dice:
        dx, dy = abs((x1 + x2) / 2 - x), abs((y1 + y2) / 2 - y)
        if max(dx, dy) <= labels.grown * max(x2 - x1, y2 - y1) / 2:
            near.append((dx * dx + dy * dy, value))
    return min(near, default=(0.0, None), key=lambda pair: pair[0])[1]


def fitted(reads: Reads, steps: int = 60) -> Array:
    """Logistic regression by Newton's method, every source counting alike."""
    x, y = reads.signs, reads.right.astype(np.float64)
    share = {name: 1.0 / (reads.source == name).sum() for name in np.unique(reads.source)}
    each = np.array([share[name] for name in reads.source])
    each *= len(each) / each.sum()
    weights: Array = np.zeros(x.shape[1])
    pull = np.full(x.shape[1], RIDGE * len(y))
    pull[0] = 1e-6
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (each * (y - p)) - pull * weights
        bend = (x * (each * p * (1 - p))[:, None]).T @ x + np.diag(pull)
        weights = np.asarray(weights + np.linalg.solve(bend, slope))
    return weights


def left_out(reads: Reads) -> Array:
    """Each source's probabilities from weights fitted on the others."""
    p = np.zeros(len(reads.right))
    for name in np.unique(reads.source):
        out = reads.source == name
        weights = fitted(Reads(reads.signs[~out], reads.right[~out], reads.source[~out]))
        p[out] = 1 / (1 + np.exp(-np.clip(reads.signs[out] @ weights, -30, 30)))
    return p


def tell(reads: Reads, p: Array) -> None:
    """Print how often reads of each confidence are right, on standard error."""
    edges = (0.0, 0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0001)
    for low, high in pairwise(edges):
        some = (p >= low) & (p < high)
        if some.any():
            print(
                f"{low:.3f} to {high:.3f}: {some.sum():6} reads, right {reads.right[some].mean():.4f}", file=sys.stderr
            )


def weights_told(weights: Array) -> dict[str, object]:
    """As they travel in the model file."""
    print("  ".join(f"{name} {w:.2f}" for name, w in zip(SIGNS, weights, strict=True)), file=sys.stderr)
    return {"trust": [round(float(w), 4) for w in weights]}
