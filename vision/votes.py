"""Several readings of dice at rest, taken together: what all of them agree on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import dist, exp, log

from vision.reader import LEAST_PX, SURE_AT
from vision.reading import BoardReading, DieReading, Point, Pose, Problem, Where

READS = 3
"""So many readings must agree before anything is sure."""
_WINDOW = 8
SAME_PLACE = 0.45  # die edges: a die that was turned or nudged less than this lies where it lay
_ALIKE = 1.4  # largest ÷ smallest edge of dice in one picture
_SEEN = 0.75  # part of the readings that must have found a die
_GHOST = 0.3  # what fewer found is no die
_REFUSED = 0.4  # part of the readings that may refuse the face, while none names another
_LEAST = 0.02  # probability that a look which sees a die lean leaves its face: it takes six others to outweigh one
_OF_A_DIE = frozenset({Problem.COCKED, Problem.STACKED, Problem.UNSURE, Problem.SYMBOL, Problem.TOO_SMALL})


@dataclass(frozen=True)
class VotedDie:
    """One die as several readings saw it.

    `die` is its latest reading with the face that was voted (None where there is none, then `confidence` is that of the
    best guess), `steady` whether place, pose and existence were agreed on.
    """

    die: DieReading
    steady: bool

    @property
    def center(self) -> Point:
        return self.die.center

    @property
    def where(self) -> Where:
        return self.die.where or Where.INSIDE

    @property
    def is_sure(self) -> bool:
        """Lies flat on the felt with a face that was agreed on, or beside it, where its place is all that counts."""
        if self.where is not Where.INSIDE:
            return self.steady
        read = self.die.face is not None and self.die.confidence >= SURE_AT and edge_of(self.die) >= LEAST_PX
        return self.steady and read and self.die.pose is Pose.FLAT


class Votes:
    """Readings since the dice came to rest; only the last eight count."""

    def __init__(self) -> None:
        self._readings: list[BoardReading] = []
        self.reads = 0

    def clear(self) -> None:
        self._readings.clear()
        self.reads = 0

    def add(self, reading: BoardReading) -> None:
        self._readings = [*self._readings[1 - _WINDOW :], reading]
        self.reads += 1

    @property
    def die_px(self) -> float | None:
        """Edge of a die: the middle one of all faces told on the felt; what was refused may be no die."""
        edges = sorted(
            edge_of(die)
            for reading in self._readings
            for die in reading.dice
            if die.face is not None and die.where in (None, Where.INSIDE)
        )
        return edges[len(edges) // 2] if edges else None

    def size(self, expected: int) -> float | None:
        """The same, where it is beyond doubt: of two that agree, or of as many as are expected."""
        last = self._readings[-1].dice if self._readings else ()
        many = sum(die.face is not None for die in last)
        return self.die_px if size_of(last) is not None or many == expected > 0 else None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of at least half the readings, or of the last; the count, and problems of a die, are judged here."""
        told = Counter(problem for reading in self._readings for problem in set(reading.problems))
        last = set(self._readings[-1].problems) if self._readings else set()
        return tuple(
            problem
            for problem in Problem
            if problem is not Problem.COUNT
            and problem not in _OF_A_DIE
            and (problem in last or told[problem] * 2 >= len(self._readings) > 0)
        )

    def blames(self, dice: tuple[VotedDie, ...]) -> tuple[Problem, ...]:
        """Problems of these dice; what the readings found wrong with others, or took for half a die, is left out."""
        found: set[Problem] = set()
        for voted in dice:
            if voted.is_sure:
                continue
            if voted.where is Where.INSIDE and voted.die.pose is not Pose.FLAT:
                found.add(Problem.COCKED if voted.die.pose is Pose.COCKED else Problem.STACKED)
            elif voted.where is Where.INSIDE and edge_of(voted.die) < LEAST_PX:
                found.add(Problem.TOO_SMALL)
            else:
                found.add(Problem.UNSURE)
        told = Counter(problem for reading in self._readings for problem in set(reading.problems) & _OF_A_DIE)
        if Problem.UNSURE in found and told[Problem.SYMBOL] * 2 >= len(self._readings):
            found.add(Problem.SYMBOL)
        return tuple(problem for problem in Problem if problem in found)

    def dice(self) -> tuple[VotedDie, ...]:
        """All dice that enough readings found; empty before the first reading."""
        if not self._readings:
            return ()
        groups: list[list[DieReading]] = []
        for reading in self._readings:
            free = list(groups)
            for die in reading.dice:
                near = min(free, key=lambda group: dist(group[-1].center, die.center), default=None)
                if near is not None and dist(near[-1].center, die.center) <= SAME_PLACE * edge_of(near[-1]):
                    near.append(die)
                    free.remove(near)
                else:
                    groups.append([die])
        count = len(self._readings)
        return tuple(_voted(group, count) for group in groups if len(group) > _GHOST * count)


def size_of(dice: tuple[DieReading, ...]) -> float | None:
    """Edge of a die in pixels, of two faces or more that agree on it."""
    edges = sorted(edge_of(die) for die in dice if die.face is not None)
    if len(edges) < 2 or edges[-1] > _ALIKE * edges[0]:
        return None
    return edges[len(edges) // 2]


def edge_of(die: DieReading) -> float:
    """Edge of the top face in pixels."""
    return max(1.0, sum(dist(die.corners[i], die.corners[i - 1]) for i in range(4)) / 4)


def _voted(group: list[DieReading], count: int) -> VotedDie:
    faces = Counter(die.face for die in group if die.face is not None)
    poses = Counter(die.pose for die in group)
    places = Counter(die.where for die in group)
    pose, where = poses.most_common(1)[0][0], places.most_common(1)[0][0]
    if len(poses) > 1 and poses[Pose.FLAT] < _SEEN * len(group):
        pose = max((p for p in poses if p is not Pose.FLAT), key=lambda p: poses[p])
    steady = len(group) >= _SEEN * count and places[where] >= _SEEN * len(group)
    face, confidence = _face(group)
    named = sum(faces.values())
    agreed = len(faces) == 1 and named >= min(READS, count) and named >= (1 - _REFUSED) * len(group)
    settled = face if agreed and face in faces else None
    second = group[-1].second if settled is not None else face
    last = replace(group[-1], face=settled, confidence=confidence, second=second, where=where, pose=pose)
    return VotedDie(last, steady)


def _face(group: list[DieReading]) -> tuple[int | None, float]:
    """The likeliest face and its probability, from the mean of the readings' log odds.

    A mean, not a sum: readings of one scene err together.
    """
    named = {die.face for die in group if die.face is not None} or {die.second for die in group if die.second}
    odds = {face: sum(_odds(die, face) for die in group) / len(group) for face in named}
    if not odds:
        return None, 0.0
    best = max(odds, key=lambda face: odds[face])
    return best, 1 / (1 + exp(-odds[best]))


def _odds(die: DieReading, face: int) -> float:
    """The log odds of a face by one reading. One that is refused is not told: it is taken for this, unless that comes
    second.
    """
    sure = min(max(die.confidence, _LEAST), 0.9999)
    if face == die.second != die.face:
        sure = (1 - sure) * 0.6
    elif die.face not in (None, face):
        sure = (1 - sure) * 0.1
    return log(sure / (1 - sure))
