"""From what the nets say to a probability that the read face is right."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

import numpy as np

from vision.crops import FACES
from vision.faces import Face

SIGNS = ("bias", "share", "worst", "pips", "finder", "size")


def signs(face: Face, usual_edge: float) -> list[float]:
    """What speaks for a read, in the order of `SIGNS`.

    A bias of 1; the log odds of the face averaged over the looks; those of its worst look; how many looks count as
    many pips as the face has (0 to 1); the finder's log odds; how far the size is from that of the others, in octaves.
    """
    index = face.face - 1
    counted = sum(n == face.face for n in face.pips) / len(face.pips)
    return [
        1.0,
        _odds(float(face.shares[index])),
        _odds(float(face.each[:, index].min())),
        counted,
        _odds(face.spot.score),
        abs(log(face.edge / usual_edge)) / log(2) if usual_edge > 0 else 0.0,
    ]


@dataclass(frozen=True)
class Trust:
    """Weights of the signs, fitted on real photographs that were not trained on."""

    weights: tuple[float, ...] = (-1.5, 0.6, 0.25, 1.5, 0.1, -1.0)

    def probability(self, face: Face, usual_edge: float) -> float:
        """That the read face is right; never more than one of the net's own faces leaves open."""
        told = sum(w * s for w, s in zip(self.weights, signs(face, usual_edge), strict=True))
        return min(1.0, max(0.0, 1 / (1 + exp(-max(-30.0, min(30.0, told))))))


def _odds(share: float) -> float:
    share = min(max(share, 1e-4), 1 - 1e-4)
    return log(share / (1 - share))


def second(face: Face) -> int | None:
    """The next likely face."""
    order = np.argsort(face.shares[:FACES])
    return int(order[-2]) + 1
