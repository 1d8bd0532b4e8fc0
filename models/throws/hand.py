"""The hand of whoever throws: where its wrist is, where its fingers point and how far it is closed, over time.

World frame as in `models.throws.tray`. Paths are scripted; they take no part in the physics, since the dice have left
the hand when a roll begins and are hidden in it before.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np

from models.throws.faces import Array

PALM_MM = 95.0
"""From the wrist to where dice are held."""
GRIP_STEPS = 20
"""A hand closes in so many steps: each is a mesh of its own, made once."""
AWAY_MM = 560.0
"""A wrist this far from the middle of the board leaves no finger in the picture."""
OVER_RIM_MM = 62.0
"""Height of a wrist that travels: over the rim and the dice."""


@dataclass(frozen=True)
class HandPose:
    """Wrist (mm), direction of the fingers (degrees counter-clockwise from +x), `grip` 0 open to 1 a fist of dice.

    `owner` numbers whose hand it is.
    """

    wrist: tuple[float, float, float]
    heading_deg: float
    grip: float
    owner: int = 0

    @property
    def palm(self) -> Array:
        """Where the hand holds dice (x, y), seen from above."""
        a = np.radians(self.heading_deg)
        return np.array([self.wrist[0] + PALM_MM * np.cos(a), self.wrist[1] + PALM_MM * np.sin(a)])


@dataclass(frozen=True)
class HandPath:
    """Poses at rising times; in between the hand eases from one to the next, before and after there is no hand."""

    times: tuple[float, ...]
    poses: tuple[HandPose, ...]

    def at(self, t: float) -> HandPose | None:
        """The pose at `t` seconds, None while no hand is there."""
        if not self.times or not self.times[0] <= t < self.times[-1]:
            return None
        i = bisect_right(self.times, t) - 1
        a, b = self.poses[i], self.poses[i + 1]
        share = (t - self.times[i]) / (self.times[i + 1] - self.times[i])
        share = share * share * (3 - 2 * share)
        turn = (b.heading_deg - a.heading_deg + 180) % 360 - 180
        x, y, z = (p + (q - p) * share for p, q in zip(a.wrist, b.wrist, strict=True))
        grip = round((a.grip + (b.grip - a.grip) * share) * GRIP_STEPS) / GRIP_STEPS
        return HandPose((x, y, z), a.heading_deg + turn * share, grip, a.owner)

    @property
    def end(self) -> float:
        return self.times[-1]

    def of(self, owner: int) -> HandPath:
        """The same path of another's hand."""
        return HandPath(self.times, tuple(replace(pose, owner=owner) for pose in self.poses))


def reaching(palm: Array, bearing_deg: float, height: float, grip: float) -> HandPose:
    """A hand whose palm is at (x, y) and whose arm comes from the seat at `bearing_deg`."""
    seat = np.radians(bearing_deg)
    elbow = np.array([np.cos(seat), np.sin(seat)]) * (AWAY_MM + 120)
    way = palm - elbow
    way /= np.linalg.norm(way)
    wrist = palm - way * PALM_MM
    return HandPose((float(wrist[0]), float(wrist[1]), height), float(np.degrees(np.arctan2(way[1], way[0]))), grip)


def away(bearing_deg: float, grip: float, aside: float = 0.0) -> HandPose:
    """The hand out of the picture, on its seat's side, `aside` mm to one side."""
    seat = np.radians(bearing_deg)
    out = np.array([np.cos(seat), np.sin(seat)])
    wrist = out * AWAY_MM + np.array([-out[1], out[0]]) * aside
    return HandPose((float(wrist[0]), float(wrist[1]), OVER_RIM_MM + 30), bearing_deg + 180, grip)


def throwing(t: float, release: Array, velocity: Array, bearing_deg: float) -> HandPath:
    """A closed hand comes in, opens at `t` with its palm over `release` (x, y, z), follows through and goes back."""
    seat = np.radians(bearing_deg)
    out = np.array([np.cos(seat), np.sin(seat)])
    forward = velocity[:2] / max(float(np.linalg.norm(velocity[:2])), 1.0)
    height = float(release[2]) + 16
    back = reaching(release[:2] + out * 75, bearing_deg, height + 12, 1.0)
    let_go = reaching(release[:2] - forward * 8, bearing_deg, height, 0.55)
    through = reaching(release[:2] + forward * 28, bearing_deg, height + 6, 0.08)
    keys = [
        (t - 0.60, away(bearing_deg, 1.0)),
        (t - 0.26, back),
        (t - 0.18, reaching(release[:2] + out * 85, bearing_deg, height + 22, 1.0)),
        (t, let_go),
        (t + 0.12, through),
        (t + 0.20, through),
        (t + 0.62, away(bearing_deg, 0.3)),
    ]
    return HandPath(tuple(k for k, _ in keys), tuple(p for _, p in keys))


@dataclass(frozen=True, eq=False)
class Lift:
    """A hand that takes dice away: its path and when each die is in it."""

    path: HandPath
    taken: tuple[float, ...]


REACH_S, TAKE_S, NEXT_S = 0.45, 0.13, 0.20


def lifting(t: float, dice: Array, bearing_deg: float) -> Lift:
    """From `t` on an open hand comes in, takes each of the dice (n, 3), nearest way round, and goes away."""
    seat = np.radians(bearing_deg)
    place = np.array([np.cos(seat), np.sin(seat)]) * AWAY_MM
    left, order = list(range(len(dice))), []
    while left:
        nearest = min(left, key=lambda i: float(np.linalg.norm(dice[i, :2] - place)))
        left.remove(nearest)
        order.append(nearest)
        place = dice[nearest, :2]
    keys, taken, now = [(t, away(bearing_deg, 0.1))], [0.0] * len(dice), t + REACH_S
    for held, i in enumerate(order):
        low = float(dice[i, 2]) + 26
        closed = 0.7 + 0.1 * held
        keys.append((now, reaching(dice[i, :2], bearing_deg, low + 10, 0.35 + 0.15 * held)))
        taken[i] = now + TAKE_S
        keys.append((taken[i], reaching(dice[i, :2], bearing_deg, low, closed)))
        now = taken[i] + NEXT_S
    keys.append((taken[order[-1]] + 0.10, reaching(dice[order[-1], :2], bearing_deg, OVER_RIM_MM, 1.0)))
    keys.append((keys[-1][0] + 0.42, away(bearing_deg, 1.0)))
    return Lift(HandPath(tuple(k for k, _ in keys), tuple(p for _, p in keys)), tuple(taken))


def passing(t: float, bearing_deg: float, over: Array, stay_s: float) -> HandPath:
    """A hand comes in over (x, y), stays a while and goes away, touching nothing."""
    keys = [
        (t, away(bearing_deg, 0.15)),
        (t + 0.6, reaching(over, bearing_deg, OVER_RIM_MM + 10, 0.2)),
        (t + 0.6 + stay_s, reaching(over + 6, bearing_deg, OVER_RIM_MM + 14, 0.3)),
        (t + 1.2 + stay_s, away(bearing_deg, 0.2)),
    ]
    return HandPath(tuple(k for k, _ in keys), tuple(p for _, p in keys))
