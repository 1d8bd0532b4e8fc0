"""Meshes: dice with their rounding, boards, and simple solids; triangles as vertex lists, millimetres."""

import numpy as np
import numpy.typing as npt

from models.render.layouts import FACE_AXES
from models.render.scene import Board, Die, DieLook

Array = npt.NDArray[np.float64]


def die_mesh(look: DieLook, flat: int = 8, arc: int = 4) -> tuple[Array, npt.NDArray[np.int32], Array]:
    """Vertices (N, 3) in half edges, triangles (M, 3), and the face index of each vertex (N,)."""
    inner = 1 - look.corner
    bend = np.tan(np.linspace(0, np.pi / 4, arc + 1))[1:]
    edge = inner + look.corner * bend
    line = np.concatenate([-edge[::-1], np.linspace(-inner, inner, flat + 1), edge])
    n = len(line)
    u, v = np.meshgrid(line, line, indexing="ij")
    plane = np.stack([u.ravel(), v.ravel(), np.ones(n * n)], axis=1)
    cube = np.concatenate([plane @ axes for axes in FACE_AXES])
    core = np.clip(cube, -inner, inner)
    out = cube - core
    rounded = core + look.corner * out / np.linalg.norm(out, axis=1, keepdims=True)
    reach = np.linalg.norm(rounded, axis=1)
    k = 0.02
    scale = -k * np.logaddexp(-reach / k, -look.sphere / k) / reach
    i = np.arange(n * n).reshape(n, n)
    quad = np.stack([i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]], axis=-1).reshape(-1, 4)
    tri = np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]])
    tris = np.concatenate([tri + f * n * n for f in range(6)])
    face = np.repeat(np.arange(6), n * n).astype(np.float64)
    return rounded * scale[:, None], tris.astype(np.int32), face


def face_normals(triangles: Array) -> Array:
    """Unit normals (M, 3) of triangles (M, 3, 3)."""
    n = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.asarray(n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-12))


def ground_mesh(half: float, centre: tuple[float, float], z: float) -> Array:
    """A level square as triangles (2, 3, 3)."""
    x, y = centre
    a = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [x, y]
    p = np.column_stack([a, np.full(4, z)])
    return np.asarray(p[[[0, 1, 2], [0, 2, 3]]])


def _band(low: Array, high: Array) -> Array:
    """Quads between two closed rings of corners as triangles, outside to the right of the ring's direction."""
    a, b = low, np.roll(low, -1, axis=0)
    c, d = high, np.roll(high, -1, axis=0)
    return np.concatenate([np.stack([a, b, d], axis=1), np.stack([a, d, c], axis=1)])


def board_mesh(board: Board, table_half: float = 900.0) -> list[tuple[str, Array]]:
    """The board's parts by name, triangles (M, 3, 3) each: floor, wall, top, bevel, outside, table."""
    w, h, bevel = board.rim_width, board.rim_height, 1.6
    inner0 = board.octagon(0.0, 0.0)
    inner1 = board.octagon(0.0, h - bevel)
    inner2 = board.octagon(bevel, h)
    outer2 = board.octagon(w - bevel, h)
    outer1 = board.octagon(w, h - bevel)
    outer0 = board.octagon(w, -board.base)
    middle = board.octagon(0.0, 0.0).mean(axis=0)
    fan = np.stack([np.repeat(middle[None], 8, axis=0), inner0, np.roll(inner0, -1, axis=0)], axis=1)
    far = board.octagon(table_half, -board.base)
    return [
        ("floor", fan),
        ("wall", _band(inner1, inner0)),
        ("bevel", np.concatenate([_band(inner2, inner1), _band(outer1, outer2)])),
        ("top", _band(outer2, inner2)),
        ("outside", _band(outer0, outer1)),
        ("table", _band(far, outer0)),
    ]


def shadow_mesh(die: Die) -> Array:
    """A coarse die as triangle corners (N, 3) in world mm, for shadow maps."""
    local, tris, _ = die_mesh(die.look, flat=1 if die.look.sphere > 1.7 else 4, arc=1)
    world = local * (die.edge_mm / 2) @ np.array(die.rotation).T + np.array(die.position)
    return np.asarray(world[tris.ravel()])
