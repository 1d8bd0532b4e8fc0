"""From what the nets say to a probability that the read face is right."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

import numpy as np

from vision.crops import FACES
from vision.faces import Face

SIGNS = ("bias", "share", "worst", "pips", "finder", "size", "refused")


def signs(face: Face, usual_edge: float) -> list[float]:
    """What speaks for and against a read, in the order of `SIGNS`.

    A bias of 1; the log odds of the face against the other five, averaged over the looks, and those of its worst look;
    in how many looks there are as many pips as the face has (0 to 1); the finder's log odds; how far the size is from
    that of the others, in octaves; the log odds of all that is no flat face.
    """
    index = face.face - 1
    faces = face.each[:, :FACES] / np.maximum(face.each[:, :FACES].sum(axis=1, keepdims=True), 1e-6)
    mean = face.shares[:FACES] / max(float(face.shares[:FACES].sum()), 1e-6)
    return [
        1.0,
        _odds(float(mean[index])),
        _odds(float(faces[:, index].min())),
        sum(n == face.face for n in face.pips) / len(face.pips),
        _odds(face.spot.score),
        min(1.0, abs(log(face.edge / usual_edge)) / log(2)) if usual_edge > 0 else 0.0,
        _odds(float(face.shares[FACES:].sum())),
    ]


@dataclass(frozen=True)
class Trust:
    """Weights of the signs, fitted on pictures that no net was trained on."""

    weights: tuple[float, ...] = (-1.0, 0.5, 0.25, 1.5, 0.1, -1.0, -0.5)

    def __post_init__(self) -> None:
        if len(self.weights) != len(SIGNS):
            raise ValueError(f"{len(SIGNS)} weights are needed, not {len(self.weights)}")

    def probability(self, face: Face, usual_edge: float) -> float:
        """That the read face is what the die shows."""
        told = sum(w * s for w, s in zip(self.weights, signs(face, usual_edge), strict=True))
        return 1 / (1 + exp(-max(-30.0, min(30.0, told))))


def second(face: Face) -> int:
    """The next likely face."""
    return int(np.argsort(face.shares[:FACES])[-2]) + 1


def _odds(share: float) -> float:
    share = min(max(share, 1e-4), 1 - 1e-4)
    return log(share / (1 - share))
