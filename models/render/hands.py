"""A hand with sleeve: bent tapered capsules melted together, nails, knuckles.

Own frame of a right hand, mm: wrist at the origin, fingers along +x, palm down, thumb towards +y.
"""

import functools

import numpy as np
import numpy.typing as npt

from models.render.isosurface import capsules_distance, surface_net, vertex_normals
from models.render.scene import Hand

Array = npt.NDArray[np.float64]
Solid = npt.NDArray[np.float64]
"""Triangle corners (N, 11): place, normal, linear colour, finish (gloss, metal)."""

KNUCKLES = np.array([[92.0, 28, 4], [97, 8, 6], [92, -12, 4], [82, -30, 0]])
BONES = np.array([[42.0, 25, 20], [46, 29, 21], [42, 27, 21], [33, 20, 18]])
GIRTH = np.array([9.6, 9.8, 9.2, 8.0])
STEP = 3.6
"""Grid step of the mesh in mm."""


def hand_solid(hand: Hand) -> Solid:
    """The hand's triangles in the world."""
    grip = round(float(np.clip(hand.grip, 0, 1)) * 40) / 40
    local = _model(grip, hand.seed % 4096, hand.skin, hand.sleeve, hand.sleeve_at).copy()
    place, normal = local[:, :3] * hand.scale, local[:, 3:6]
    if hand.left:
        place[:, 1] *= -1
        normal[:, 1] *= -1
    if hand.palm_up:
        flip = np.array([1.0, -1.0, -1.0])
        place, normal = place * flip, normal * flip
    pitch, yaw = np.radians(hand.pitch_deg), np.radians(hand.heading_deg)
    up = np.array([[np.cos(pitch), 0, -np.sin(pitch)], [0, 1, 0], [np.sin(pitch), 0, np.cos(pitch)]])
    about = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    turn = about @ up
    local[:, :3] = place @ turn.T + np.array(hand.wrist)
    local[:, 3:6] = normal @ turn.T
    return local


def lowest_point(hand: Hand) -> float:
    """Height in mm of the hand's lowest point, the sleeve left out."""
    solid = hand_solid(hand)
    way = np.array([np.cos(np.radians(hand.heading_deg)), np.sin(np.radians(hand.heading_deg))])
    ahead = (solid[:, :2] - np.array(hand.wrist[:2])) @ way > 0
    return float(solid[ahead, 2].min())


@functools.lru_cache(maxsize=48)
def _model(grip: float, seed: int, skin: tuple[float, ...], sleeve: tuple[float, ...], sleeve_at: float) -> Solid:
    rng = np.random.default_rng(seed)
    ends, radii, nails, joints = _skeleton(grip, rng)
    flesh = np.array(skin) ** 2.2
    low = ends.min(axis=(0, 1)) - float(radii.max()) - 4
    high = ends.max(axis=(0, 1)) + float(radii.max()) + 4
    low[0] = max(low[0], -sleeve_at - 25)
    grid = [np.arange(lo, hi + STEP, STEP) for lo, hi in zip(low, high, strict=True)]
    mesh = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1)
    points = mesh.reshape(-1, 3)
    field = capsules_distance(points, ends, radii, 5.0).reshape(mesh.shape[:3])
    field[0] = np.maximum(field[0], 1.0)
    vertices, tris = surface_net(field, low, STEP)
    normals = vertex_normals(vertices, tris)
    colour = np.tile(flesh, (len(vertices), 1))
    for joint in joints:
        d = np.linalg.norm(vertices - joint, axis=1)
        red = np.exp(-((d / 13) ** 2))[:, None]
        colour = colour * (1 - red * np.array([0.02, 0.22, 0.25]))
    spots = rng.normal(size=(14, 3)) * [70, 40, 10] + [30, 0, 8]
    for spot in spots:
        near = np.exp(-((vertices - spot) ** 2).sum(axis=1) / (2 * 16.0**2))[:, None]
        colour = colour * (1 + near * rng.normal(0, 0.05) * np.array([0.6, 1.0, 1.1]))
    rows = np.concatenate([vertices, normals, colour, np.tile([0.35, 0.0], (len(vertices), 1))], axis=1)
    parts = [rows[tris.ravel()]]
    parts += [_nail(at, along, up, size, flesh) for at, along, up, size in nails]
    if sleeve_at < 200:
        parts.append(_sleeve(np.array(sleeve) ** 2.2, sleeve_at, rng))
    return np.concatenate(parts)


def _skeleton(
    grip: float, rng: np.random.Generator
) -> tuple[Array, Array, list[tuple[Array, Array, Array, float]], list[Array]]:
    """Capsule ends and radii, nails (place, along, up, radius), and joints."""
    ends: list[tuple[Array, Array]] = []
    radii: list[tuple[float, float]] = []
    nails: list[tuple[Array, Array, Array, float]] = []
    joints: list[Array] = []
    wrist = np.array([0.0, 0, 0])
    for y, knuckle in zip((12.0, 4.0, -6.0, -13.0), KNUCKLES, strict=True):
        ends.append((np.array([4.0, y, 0]), knuckle))
        radii.append((15.0, 11.0))
    ends.append((np.array([-260.0, 0, 0]), wrist))
    radii.append((36.0, 24.0))
    spread = np.array([9.0, 2.0, -5.0, -13.0]) * float(rng.uniform(0.3, 1.5)) * (1 - 0.8 * grip)
    lazy = float(rng.uniform(0, 14))
    for i in range(4):
        at = KNUCKLES[i]
        joints.append(at + np.array([0, 0, 9.0]))
        own = float(np.clip(grip + rng.normal(0, 0.06), 0, 1))
        bends = np.radians([lazy + 58 * own, lazy + 80 * own, 0.7 * lazy + 52 * own])
        yaw, pitch = np.radians(spread[i]), 0.0
        for k in range(3):
            pitch += float(bends[k])
            along = np.array([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), -np.sin(pitch)])
            to = at + along * BONES[i, k]
            ends.append((at, to))
            radii.append((GIRTH[i] - 0.8 * k, GIRTH[i] - 0.8 * (k + 1) - (0.4 if k == 2 else 0)))
            if k:
                joints.append(at)
            at = to
        up = np.array([np.cos(yaw) * np.sin(pitch), np.sin(yaw) * np.sin(pitch), np.cos(pitch)])
        nails.append((at + up * (GIRTH[i] - 3.6) - along * 3.0, along, up, GIRTH[i] - 3.6))
    bend = 0.35 + 0.9 * grip
    base = np.array([22.0, 22, -4])
    first = base + 42 * np.array([np.cos(0.6), np.sin(0.6) * (1.15 - 0.5 * grip), -0.25 - 0.4 * grip])
    second = first + 31 * np.array([np.cos(0.45 - 0.5 * bend), np.sin(0.45 - 0.5 * bend), -0.2 * bend])
    along = np.array([np.cos(0.3 - 0.8 * bend), np.sin(0.3 - 0.8 * bend), -0.25 * bend])
    along /= np.linalg.norm(along)
    third = second + 24 * along
    for a, b, ra, rb in ((base, first, 16.0, 12.0), (first, second, 11.5, 10.5), (second, third, 10.2, 8.6)):
        ends.append((a, b))
        radii.append((ra, rb))
    side = np.array([0.0, 0.45, 0.9])
    side -= along * float(side @ along)
    side /= np.linalg.norm(side)
    nails.append((third + side * 5.6 - along * 2.0, along, side, 6.4))
    return np.array(ends), np.array(radii), nails, joints


def _nail(at: Array, along: Array, up: Array, radius: float, flesh: Array) -> Solid:
    """A flat shiny dome."""
    side = np.cross(up, along)
    turn = np.linspace(0, 2 * np.pi, 11)[:-1]
    rows = []
    for tall, share in ((0.0, 1.0), (1.2, 0.8), (1.8, 0.4), (2.0, 0.02)):
        rows.append(
            at
            + up * tall
            + radius * share * (np.cos(turn)[:, None] * along * 1.25 + np.sin(turn)[:, None] * side * 0.9)
        )
    colour = np.clip(flesh * np.array([1.1, 1.02, 1.05]) + 0.06, 0, 1)
    return lathe_rows(rows, colour, 0.75)


def _sleeve(colour: Array, start: float, rng: np.random.Generator) -> Solid:
    """A sleeve with folds from `start` mm behind the wrist."""
    turn = np.linspace(0, 2 * np.pi, 19)[:-1]
    phase = rng.uniform(0, 2 * np.pi, 3)
    rows = []
    for x, r in [
        (-start, 33.0),
        (-start + 2, 41.0),
        *((-start - 12 * i, 43.0 + 1.2 * i) for i in range(1, 34)),
    ]:
        fold = 2.4 * np.sin(x * 0.09 + 2 * turn + phase[0]) + 1.8 * np.sin(x * 0.21 - turn + phase[1])
        wide = r + fold * min(1.0, (-start - x) / 40 + 0.1)
        rows.append(np.stack([np.full(18, x), wide * np.cos(turn) * 1.08, wide * np.sin(turn) * 0.9], axis=1))
    return lathe_rows(rows, colour, 0.02)


def lathe_rows(rows: list[Array], colour: Array, gloss: float, metal: float = 0.0) -> Solid:
    """Closed rings of equal length joined to a skin, in one colour or one a ring (R, 3)."""
    n = len(rows[0])
    vertices = np.concatenate(rows)
    i = np.arange(len(rows) * n).reshape(len(rows), n)
    a, b = i[:-1], np.roll(i[:-1], -1, axis=1)
    c, d = i[1:], np.roll(i[1:], -1, axis=1)
    tris = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, d), (a, d, c))]).astype(np.int32)
    normals = vertex_normals(vertices, tris)
    paint = np.repeat(np.broadcast_to(colour, (len(rows), 3)), n, axis=0)
    full = np.concatenate([vertices, normals, paint, np.tile([gloss, metal], (len(vertices), 1))], axis=1)
    return np.asarray(full[tris.ravel()])
