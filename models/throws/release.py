"""How people let dice go: over which side, how hard, with how much spin. Random, so a generator comes in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.throws.faces import Array
from models.throws.roll import Die, Release
from models.throws.tray import Tray

CLUSTER_GAP = 1.55
"""Dice in a hand, in edges from centre to centre: their diagonals cannot touch."""


@dataclass(frozen=True)
class Manner:
    """How a throw is made: mean speed and its spread in mm/s, spin in rad/s, height of the hand above the felt in mm.

    `from_rim` is where the fingers open, as a share of the way from the middle to the wall on the thrower's side.
    `aside_deg` is the spread of the direction about the middle of the board.
    """

    speed: float = 1050.0
    speed_spread: float = 200.0
    spin: float = 35.0
    height: float = 80.0
    rise: float = 0.0
    from_rim: float = 0.62
    aside_deg: float = 12.0


EASY = Manner()
HARD = Manner(speed=1500.0, speed_spread=300.0, spin=45.0, height=75.0, rise=0.22, from_rim=0.6, aside_deg=25.0)
"""Hard enough that a die often leaves the board."""
DROPPED = Manner(speed=150.0, speed_spread=90.0, spin=6.0, height=45.0, rise=0.0, from_rim=0.2, aside_deg=180.0)
"""Let fall in a heap: dice end leaning or on top of one another more often."""


def sample_release(
    rng: np.random.Generator,
    tray: Tray,
    bearing_deg: float,
    count: int = 3,
    die: Die | None = None,
    manner: Manner = EASY,
) -> Release:
    """A throw from the seat at `bearing_deg` of the world (counter-clockwise from +x)."""
    edge = (die or Die()).edge
    seat = np.radians(bearing_deg)
    outward = np.array([np.cos(seat), np.sin(seat), 0.0])
    middle = outward * tray.apothem * manner.from_rim + np.array([0.0, 0.0, manner.height])
    middle[:2] += rng.normal(0, 8, 2)
    aim = np.arctan2(-outward[1], -outward[0]) + np.radians(rng.normal(0, manner.aside_deg))
    speed = max(60.0, float(rng.normal(manner.speed, manner.speed_spread)))
    forward = np.array([np.cos(aim), np.sin(aim), 0.0])
    side = np.array([-forward[1], forward[0], 0.0])
    rolling = np.cross([0.0, 0.0, 1.0], forward)  # a die that rolls forward turns about this axis
    positions, velocities, spins = [], [], []
    for i, place in enumerate(_cluster(count)):
        offset = (side * place[0] + forward * place[1]) * edge * CLUSTER_GAP
        positions.append(middle + offset + [0.0, 0.0, float(rng.uniform(-3, 8)) + 2 * i])
        own = speed * float(rng.normal(1, 0.13))
        rise = own * float(rng.normal(manner.rise, 0.06))
        velocities.append(forward * own + side * (place[0] * 0.12 + float(rng.normal(0, 0.12))) * own + [0, 0, rise])
        spins.append(rolling * manner.spin * float(rng.uniform(0.3, 1.3)) + rng.normal(0, manner.spin * 0.45, 3))
    quaternions = rng.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return Release(np.array(positions), quaternions, np.array(velocities), np.array(spins))


def _cluster(count: int) -> Array:
    """Places (count, 2) in a hand, one apart: a row of two, then the next."""
    return np.array([[(i % 2) - 0.5 + 0.5 * ((i // 2) % 2), -(i // 2)] for i in range(count)], dtype=np.float64)
