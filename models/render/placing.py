"""Where dice lie: scattered, touching, leaning, stacked."""

import numpy as np
import numpy.typing as npt

from models.render.layouts import FACE_AXES
from models.render.scene import Board, Die, DieLook, Matrix

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
    spread_edge = (0.5, 2.2) if rng.random() < 0.75 else (0.8, 1.25)
    for _ in range(count):
        e = edge * float(np.exp(rng.uniform(*np.log(spread_edge)))) if own_edge else edge
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
            if gap >= sum(s[3] / 2 * (abs(np.cos(s[2] - one[2] - k)) + abs(np.sin(s[2] - one[2] - k))) for s in (a, b)):
                return True
    return False


def lean(rng: np.random.Generator, die: Die, way: float, floor: float = 0.0, tilt_deg: float | None = None) -> Die:
    """The die tipped up towards `way` (radians), 8 to 60 degrees, its low edge on the floor."""
    tilt = np.radians(float(rng.uniform(8, 60)) if tilt_deg is None else tilt_deg)
    axis = np.array([np.sin(way), -np.cos(way), 0.0])
    skew = float(rng.choice([0.0, rng.normal(0, 0.5)]))
    rotation = turned(axis, tilt) @ flat_rotation(rng, yaw=way + skew)
    reach = np.abs(rotation[2]).sum() * die.edge_mm / 2
    x, y, _ = die.position
    return Die(die.look, (x, y, floor + float(reach)), as_matrix(rotation), die.edge_mm)


def lean_on_thing(rng: np.random.Generator, die: Die, way: float, thick: float) -> tuple[Die, tuple[float, float]]:
    """The die with the side towards `way` resting on a low thing `thick` mm high, and where that thing's near edge is.

    The thing reaches 0.35 to 0.9 of the die's edge under it, counted from the edge that lies on the floor.
    """
    along = die.edge_mm * float(rng.uniform(0.35, 0.9))
    tilt = np.arcsin(min(thick / along, 0.8))
    tipped = lean(rng, die, way, die.position[2] - die.edge_mm / 2, float(np.degrees(tilt)))
    low = die.edge_mm / 2 * (np.cos(tilt) - np.sin(tilt))
    away = along * np.cos(tilt) - low
    return tipped, (die.position[0] + float(away * np.cos(way)), die.position[1] + float(away * np.sin(way)))


def reach_along(die: Die, way: float) -> float:
    """How far (mm) the die's corners reach from its centre in the level direction `way` (radians)."""
    d = np.array([np.cos(way), np.sin(way), 0.0]) @ np.array(die.rotation)
    return float(np.abs(d).sum() * die.edge_mm / 2)


def lean_on_wall(rng: np.random.Generator, die: Die, board: Board) -> Die:
    """The die tipped up against the board's wall, somewhere along one of its sides."""
    way = np.radians(board.angle_deg) + int(rng.integers(8)) * np.pi / 4
    out = np.array([np.cos(way), np.sin(way)])
    tipped = lean(rng, die, way)
    inner = board.across / 2 - board.rim_width
    along = float(rng.uniform(-0.8, 0.8)) * (inner * np.tan(np.pi / 8) - die.edge_mm)
    place = out * (inner - reach_along(tipped, way) - 0.1) + along * np.array([-out[1], out[0]])
    x, y = place + np.array(board.centre)
    return Die(die.look, (float(x), float(y), tipped.position[2]), tipped.rotation, die.edge_mm)


def lean_on_die(rng: np.random.Generator, die: Die, other: Die) -> Die:
    """The die tipped up against the side of one that lies flat."""
    r = np.array(other.rotation)
    flat_axes = [r[:, k] for k in range(3) if abs(r[2, k]) < 0.5] or [r[:, int(np.argmin(abs(r[2])))]]
    side = flat_axes[int(rng.integers(len(flat_axes)))] * float(rng.choice([-1, 1]))
    way = float(np.arctan2(-side[1], -side[0]))
    floor = other.position[2] - other.edge_mm / 2
    tipped = lean(rng, die, way, floor)
    away = other.edge_mm / 2 + reach_along(tipped, way) + 0.1
    slide = float(rng.uniform(-0.4, 0.4)) * other.edge_mm
    x = other.position[0] + side[0] * away - side[1] * slide
    y = other.position[1] + side[1] * away + side[0] * slide
    return Die(die.look, (float(x), float(y), tipped.position[2]), tipped.rotation, die.edge_mm)


def stack(rng: np.random.Generator, die: Die, other: Die) -> Die:
    """The die lying flat on top of another."""
    x, y = np.array(other.position[:2]) + rng.uniform(-0.42, 0.42, 2) * other.edge_mm
    z = other.position[2] + (other.edge_mm + die.edge_mm) / 2
    return Die(die.look, (float(x), float(y), z), as_matrix(flat_rotation(rng)), die.edge_mm)


def clear_of(die: Die, others: list[Die]) -> bool:
    """Whether a die keeps its distance from all others, by the spheres about them."""
    return all(
        np.linalg.norm(np.array(die.position) - np.array(o.position)) > 0.72 * (die.edge_mm + o.edge_mm) for o in others
    )
