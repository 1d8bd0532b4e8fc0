"""What is in front of the camera at every moment of a clip: dice that lie, roll or are carried away, and the hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from models.throws.faces import Array
from models.throws.hand import HandPath, HandPose, Lift
from models.throws.roll import FPS, SAMPLE_RATE, Roll

DiePose = tuple[Array, Array]
"""Centre (3,) in mm and rotation (3, 3)."""


class Stretch(Protocol):
    """A while of the dice's life, beginning at `start` seconds."""

    @property
    def start(self) -> float: ...

    def dice(self, t: float) -> tuple[DiePose | None, ...]:
        """Each die's pose at `t`, None while it is not to be seen."""
        ...


@dataclass(frozen=True, eq=False)
class Rolling:
    """A roll that began at `start` and lies for ever once it rests; `rotations` replace the roll's own."""

    start: float
    roll: Roll
    rotations: Array

    def dice(self, t: float) -> tuple[DiePose | None, ...]:
        at = max(0.0, (t - self.start) * SAMPLE_RATE)
        last = len(self.roll) - 1
        i = int(at)
        if i >= last or (self.roll.rest is not None and i >= self.roll.rest):
            return tuple(zip(self.roll.positions[last], self.rotations[last], strict=True))
        share = at - i
        positions = self.roll.positions[i] * (1 - share) + self.roll.positions[i + 1] * share
        rotations = [between(a, b, share) for a, b in zip(self.rotations[i], self.rotations[i + 1], strict=True)]
        return tuple(zip(positions, rotations, strict=True))

    @property
    def rest_s(self) -> float:
        """When the dice came to rest, in seconds of the clip; the clip's end of physics if they never did."""
        rest = self.roll.rest if self.roll.rest is not None else len(self.roll)
        return self.start + rest / SAMPLE_RATE


@dataclass(frozen=True, eq=False)
class Lying:
    """Dice that lie where they lie."""

    start: float
    poses: tuple[DiePose, ...]

    def dice(self, t: float) -> tuple[DiePose | None, ...]:
        return self.poses


@dataclass(frozen=True, eq=False)
class Taken:
    """Dice that lie until a hand has them."""

    start: float
    poses: tuple[DiePose, ...]
    taken: tuple[float, ...]

    def dice(self, t: float) -> tuple[DiePose | None, ...]:
        return tuple(None if t >= when else pose for pose, when in zip(self.poses, self.taken, strict=True))


@dataclass
class Take:
    """A clip in the making: stretches of dice and paths of hands, in order of time; nothing lies there at first."""

    stretches: list[Stretch] = field(default_factory=list)
    hands: list[HandPath] = field(default_factory=list)
    length_s: float = 0.0

    @property
    def frames(self) -> int:
        return round(self.length_s * FPS)

    def dice(self, t: float) -> tuple[DiePose | None, ...]:
        now: tuple[DiePose | None, ...] = ()
        for stretch in self.stretches:
            if stretch.start <= t:
                now = stretch.dice(t)
        return now

    def hand(self, t: float) -> HandPose | None:
        for path in self.hands:
            pose = path.at(t)
            if pose is not None:
                return pose
        return None

    def lift(self, lift: Lift) -> None:
        """A hand takes the dice that lie there now."""
        start = lift.path.times[0]
        poses = tuple(pose for pose in self.dice(start) if pose is not None)
        self.stretches.append(Taken(start, poses, lift.taken))
        self.hands.append(lift.path)

    def lying(self, t: float) -> Array:
        """Centres (n, 3) of the dice to be seen at `t`."""
        return np.array([pose[0] for pose in self.dice(t) if pose is not None]).reshape(-1, 3)


def between(a: Array, b: Array, share: float) -> Array:
    """The rotation part of the way from a to b, which are near each other: the mean, made a rotation again."""
    u, _, v = np.linalg.svd(a * (1 - share) + b * share)
    return np.asarray(u @ v)


def frame_of(t: float) -> int:
    """The first frame at or after `t` seconds."""
    return int(np.ceil(t * FPS - 1e-9))
