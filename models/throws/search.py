"""Rolls of a wanted kind: physics is asked again and again, with numbered seeds, until the dice do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from models.render.layouts import RIGHT_HANDED
from models.throws.faces import Array, renumbering
from models.throws.judge import Lying, lying
from models.throws.release import DROPPED, EASY, HARD, Manner, sample_release
from models.throws.roll import Die, Release, Roll, Surface, roll
from models.throws.tray import Tray
from vision.reading import Pose, Where


class Ending(StrEnum):
    """How a throw ends."""

    CLEAN = "throw"
    OUTSIDE = "outside"
    RIM = "rim"
    COCKED = "cocked"
    STACKED = "stacked"


STICKY = Surface(friction=1.2, damping=0.7, wall_friction=1.5, wall_damping=0.7, die_friction=0.9, die_damping=0.7)
"""Woolly felt on floor and walls: dice stop where they touch, and now and then lean."""
TO_THE_WALL = Manner(speed=500.0, speed_spread=200.0, spin=15.0, height=50.0, from_rim=-0.45)
MOST_TRIES = 400


class NotFound(RuntimeError):
    """No roll of the wanted kind came up in `MOST_TRIES`."""


@dataclass(frozen=True, eq=False)
class Thrown:
    """A throw: how it was let go, its roll, the rotations with the wanted faces on, and how each die ended."""

    release: Release
    roll: Roll
    rotations: Array
    ends: tuple[Lying, ...]


@dataclass(frozen=True)
class Room:
    """How far apart dice must lie, and how far from the wall, in mm; `inside` narrows what counts as in the picture."""

    apart: float = 0.0
    from_wall: float = 0.0


Allowed = Callable[[Array], bool]
"""Whether centres at rest (n, 3) suit the picture."""


def find_throw(
    seed: int,
    tray: Tray,
    bearing_deg: float,
    *,
    ending: Ending = Ending.CLEAN,
    faces: Sequence[int] | None = None,
    count: int = 3,
    die: Die | None = None,
    room: Room | None = None,
    allowed: Allowed | None = None,
    printed: Sequence[tuple[int, ...]] = (),
) -> Thrown:
    """The first roll of this seed that ends as wanted, its dice renumbered so that the dice on the felt show `faces`.

    `printed` are the faces on the sides of each die, for dice that are not right-handed. Raises `NotFound`.
    """
    die, room = die or Die(), room or Room()
    on_sides = tuple(printed) or (RIGHT_HANDED,) * count
    for attempt in range(MOST_TRIES):
        rng = np.random.default_rng([seed, attempt])
        release, surface = _let_go(rng, tray, bearing_deg, ending, count, die)
        rolled = roll(tray, release, die, surface)
        if rolled.rest is None:
            continue
        last = rolled.positions[-1]
        ends = lying(tray, die, last, rolled.rotations[-1], on_sides)
        if not _ended(ends, ending) or not _roomy(tray, last, ends, room) or (allowed and not allowed(last)):
            continue
        wanted = list(faces or ())
        turns = []
        for i, end in enumerate(ends):
            given = wanted.pop(0) if wanted and end.where is Where.INSIDE else int(rng.integers(1, 7))
            turns.append(renumbering(rolled.rotations[-1, i], given, int(rng.integers(4)), on_sides[i]))
        rotations = rolled.rotations @ np.array(turns)
        return Thrown(release, rolled, rotations, lying(tray, die, last, rotations[-1], on_sides))
    raise NotFound(f"no throw that ends {ending} in {MOST_TRIES} tries with seed {seed}; try another seed")


def _let_go(
    rng: np.random.Generator, tray: Tray, bearing_deg: float, ending: Ending, count: int, die: Die
) -> tuple[Release, Surface]:
    manner = {Ending.OUTSIDE: HARD, Ending.RIM: HARD, Ending.COCKED: TO_THE_WALL, Ending.STACKED: DROPPED}
    release = sample_release(rng, tray, bearing_deg, count, die, manner.get(ending, EASY))
    if ending is Ending.STACKED:
        return _column(rng, release, die), STICKY
    return release, STICKY if ending is Ending.COCKED else Surface()


def _column(rng: np.random.Generator, release: Release, die: Die) -> Release:
    """Two of the dice slip from the hand one above the other, hardly turning."""
    positions, quaternions = release.positions.copy(), release.quaternions.copy()
    velocities, spins = release.velocities * 0.25, release.spins * 0.1
    positions[1, :2] = positions[0, :2] + rng.normal(0, 1.5, 2)
    positions[:2, 2] = die.edge * np.array([0.9, 2.1])
    velocities[1] = velocities[0]
    for i in range(2):
        yaw = rng.uniform(0, np.pi)
        quaternions[i] = [np.cos(yaw), rng.normal(0, 0.03), rng.normal(0, 0.03), np.sin(yaw)]
    return replace(release, positions=positions, quaternions=quaternions, velocities=velocities, spins=spins)


def _ended(ends: tuple[Lying, ...], ending: Ending) -> bool:
    places = [end.where for end in ends]
    poses = [end.pose for end in ends]
    if ending is Ending.CLEAN:
        return set(places) == {Where.INSIDE} and set(poses) == {Pose.FLAT}
    if ending in (Ending.OUTSIDE, Ending.RIM):
        away = Where.OUTSIDE if ending is Ending.OUTSIDE else Where.RIM
        return sorted(places) == sorted([Where.INSIDE] * (len(ends) - 1) + [away]) and set(poses) == {Pose.FLAT}
    if set(places) != {Where.INSIDE}:
        return False
    if ending is Ending.STACKED:
        return sorted(poses) == sorted([Pose.FLAT] * (len(ends) - 1) + [Pose.STACKED])
    leaning = [end.lean_deg for end in ends if end.pose is Pose.COCKED]
    return len(leaning) == 1 and Pose.STACKED not in poses and leaning[0] > 10


def _roomy(tray: Tray, centres: Array, ends: tuple[Lying, ...], room: Room) -> bool:
    inside = np.array([c[:2] for c, end in zip(centres, ends, strict=True) if end.where is Where.INSIDE])
    gaps = np.linalg.norm(centres[:, None, :2] - centres[None, :, :2], axis=-1) + np.eye(len(centres)) * 1e9
    if room.apart and gaps.min() < room.apart:
        return False
    return not (room.from_wall and len(inside) and tray.reach(inside).max() > tray.apothem - room.from_wall)
