"""Where dice lie: scattered, touching, leaning, stacked."""

import numpy as np
import numpy.typing as npt

from models.render.layouts import FACE_AXES
from models.render.scene import Die, DieLook, Matrix

Array = npt.NDArray[np.float64]


def as_matrix(m: Array) -> Matrix:
    """A 3x3 array as nested tuples."""
    return tuple((float(r[0]), float(r[1]), float(r[2])) for r in m)


def turned(axis: Array, angle: float) -> Array:
    """Rotation (3x3) by an angle in radians about a unit axis."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k)


def flat_rotation(rng: np.random.Generator, up: int | None = None, yaw: float | None = None) -> Array:
    """A level rotation with side `up` (index) on top."""
    side = int(rng.integers(6)) if up is None else up
    yaw = float(rng.uniform(0, 2 * np.pi)) if yaw is None else yaw
    return np.asarray(turned(np.array([0.0, 0.0, 1.0]), yaw) @ FACE_AXES[side])


def lay_dice(
    rng: np.random.Generator,
    looks: list[DieLook],
    count: int,
    edge: float,
    reach: float,
    floor: float = 0.0,
) -> tuple[Die, ...]:
    """`count` dice on the floor within `reach` mm: some apart, some touching edge to edge or by corners."""
    dice: list[Die] = []
    spots: list[tuple[float, float, float, float]] = []
    spread = reach * 0.5 * (1.02 if rng.random() < 0.7 else float(rng.uniform(0.3, 0.9)))
    centre = rng.uniform(-1, 1, 2) * max(0.0, reach * 0.45 - spread)
    touching = rng.random() < 0.4
    own_edge = rng.random() < 0.15
    for _ in range(count):
        e = edge * float(rng.uniform(0.8, 1.25)) if own_edge else edge
        for _ in range(25):
            yaw = float(rng.uniform(0, 2 * np.pi))
            if touching and spots and rng.random() < 0.6:
                x, y, yaw = _beside(rng, spots[int(rng.integers(len(spots)))], e, yaw)
            else:
                x, y = centre + rng.uniform(-1, 1, 2) * spread
            if max(abs(x), abs(y)) < reach * 0.56 and all(_apart((x, y, yaw, e), s) for s in spots):
                break
        else:
            continue
        spots.append((x, y, yaw, e))
        look = looks[int(rng.integers(len(looks)))]
        dice.append(Die(look, (float(x), float(y), floor + e / 2), as_matrix(flat_rotation(rng, yaw=yaw)), e))
    return tuple(dice)


def _beside(
    rng: np.random.Generator, spot: tuple[float, float, float, float], edge: float, yaw: float
) -> tuple[float, float, float]:
    """A place that touches a die that already lies: flush, slid along its side, or corner to side."""
    x, y, own, e = spot
    side = own + int(rng.integers(4)) * np.pi / 2
    if rng.random() < 0.5:
        turn, reach = own, edge / 2
    else:
        turn = yaw
        d = (turn - own) % (np.pi / 2)
        reach = edge / 2 * (np.cos(d) + np.sin(d))
    away = e / 2 + reach + float(rng.choice([0.02, 0.3, 1.0]))
    slide = float(rng.uniform(-0.8, 0.8)) * edge
    return (
        float(x + np.cos(side) * away - np.sin(side) * slide),
        float(y + np.sin(side) * away + np.cos(side) * slide),
        float(turn),
    )


def _apart(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    """Whether two squares x, y, yaw, edge do not overlap (separating axes)."""
    if np.hypot(a[0] - b[0], a[1] - b[1]) > 0.71 * (a[3] + b[3]):
        return True
    for one in (a, b):
        for k in (0.0, np.pi / 2):
            axis = np.array([np.cos(one[2] + k), np.sin(one[2] + k)])
            gap = abs(axis @ np.array([a[0] - b[0], a[1] - b[1]]))
            if gap >= sum(
                s[3] / 2 * (abs(np.cos(s[2] - one[2] - k)) + abs(np.sin(s[2] - one[2] - k))) for s in (a, b)
            ):
                return True
    return False
