"""From what the nets say to three probabilities: that there is a die, that it lies level, that the face is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from vision.crops import FACES, Kind
from vision.errors import VisionError
from vision.faces import Face
from vision.level import AS_LEVEL, Lie

FACE_SIGNS = ("bias", "share", "pips")
LEVEL_SIGNS = ("bias", "refused", "stacked", "off level", "off by the wall")
DIE_SIGNS = ("bias", "not nothing", "face", "finder", "size")
FACE_WAYS, LEVEL_WAYS, DIE_WAYS = (0, 1, 1), (0, -1, -1, -1, -1), (0, 1, 1, 1, -1)
"""Whether a sign speaks for (1) or against (-1)."""


_MOST_OFF = 0.45
"""A top that is farther from level than this sine does not lie flat, and no more so for leaning more."""
_MOST_BY_WALL = 0.25
"""The same for a die by the wall."""


def face_signs(face: Face) -> list[float]:
    """What speaks for a read being the top's, in the order of `FACE_SIGNS`.

    A bias of 1; the log odds of the face against the other five, averaged over the looks; in how many looks there are
    as many pips as the face has (0 to 1).
    """
    index = face.face - 1
    mean = face.shares[:FACES] / max(float(face.shares[:FACES].sum()), 1e-6)
    return [1.0, _odds(float(mean[index])), sum(n == face.face for n in face.pips) / len(face.pips)]


def level_signs(face: Face, lie: Lie) -> list[float]:
    """What speaks against a top that lies level and bare, in the order of `LEVEL_SIGNS`.

    A bias of 1; the log odds of all that is no flat face; those of a die that is stacked or covered; how far the top is
    from level, squared, in fiftieths; and the same in tenths for a die by the wall, which has something to lean on.
    """
    refused, stacked = float(face.shares[FACES:].sum()), float(face.shares[Kind.STACKED])
    off = min(lie.off_level, _MOST_OFF)
    return [1.0, _odds(refused), _odds(stacked), 50 * off**2, 10 * lie.by_wall * min(off, _MOST_BY_WALL)]


def die_signs(face: Face, usual_edge: float) -> list[float]:
    """What speaks for and against a die, in the order of `DIE_SIGNS`: log odds, but for the bias and the octaves."""
    return [
        1.0,
        _odds(1 - float(face.shares[Kind.NOTHING])),
        _odds(face.likely),
        _odds(face.spot.score),
        _octaves(face, usual_edge),
    ]


@dataclass(frozen=True)
class Trust:
    """Weights of the signs, fitted on pictures that no net was trained on."""

    face: tuple[float, ...]
    level: tuple[float, ...]
    die: tuple[float, ...]

    def __post_init__(self) -> None:
        for weights, names in ((self.face, FACE_SIGNS), (self.level, LEVEL_SIGNS), (self.die, DIE_SIGNS)):
            if len(weights) != len(names):
                raise VisionError(f"The model was made for another version: {len(weights)} weights, not {len(names)}.")

    @classmethod
    def told(cls, weights: object) -> Trust:
        """As the model file tells it; raises `VisionError` where that was made for another version."""
        if not isinstance(weights, dict) or set(weights) != {"face", "level", "die"}:
            raise VisionError("The model was made for another version: it does not tell how far to trust it.")
        return cls(**{name: tuple(map(float, each)) for name, each in weights.items()})

    def of_face(self, face: Face) -> float:
        """That the read face is what the top of the die shows, if it lies level and bare."""
        return _probability(self.face, face_signs(face))

    def of_level(self, face: Face, lie: Lie = AS_LEVEL) -> float:
        """That the die lies level, bare, and with a face of pips up."""
        return _probability(self.level, level_signs(face, lie))

    def of_die(self, face: Face, usual_edge: float) -> float:
        """That there is a die."""
        return _probability(self.die, die_signs(face, usual_edge))


UNFITTED = Trust((0.4, 1.0, 0.1), (4.0, -0.5, -0.1, -0.55, -2.0), (0.4, 0.6, 0.1, 1.3, -0.5))
"""About what fitting comes to, for nets whose trust was not fitted yet."""


def second(face: Face) -> int:
    """The next likely face."""
    return int(np.argsort(face.shares[:FACES])[-2]) + 1


def _probability(weights: Sequence[float], told: Sequence[float]) -> float:
    total = sum(w * s for w, s in zip(weights, told, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def _octaves(face: Face, usual_edge: float) -> float:
    return min(1.0, abs(log(face.edge / usual_edge)) / log(2)) if usual_edge > 0 else 0.0


def _odds(share: float) -> float:
    share = min(max(share, 1e-4), 1 - 1e-4)
    return log(share / (1 - share))
