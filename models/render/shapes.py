"""Meshes: dice with their rounding, boards, and simple solids; triangles as vertex lists, millimetres."""

import functools

import numpy as np
import numpy.typing as npt

from models.render.layouts import FACE_AXES
from models.render.scene import Board, Clutter, Die, DieLook
from models.render.sprites import SPRITES, make_sprite

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


@functools.lru_cache(maxsize=4)
def ground_rows(board: Board | None, clutter: tuple[Clutter, ...], x: float, y: float) -> Array:
    """Everything painted from above as triangle corners (N, 9): place, normal, paint x and y (mm), upright.

    Without a board the ground is a wide square about x, y.
    """
    rows: list[Array] = []
    if board is None:
        rows.append(_rows(ground_mesh(4000.0, (x, y), 0.0)))
    else:
        rows += board_rows(board)
    for thing in clutter:
        if thing.kind in SPRITES:
            rows += _prism(thing)
    return np.concatenate(rows)


def board_rows(board: Board, table_half: float = 900.0) -> list[Array]:
    """The board and its table: each part's triangle corners as in `ground_rows`."""
    w, h, bevel = board.rim_width, board.rim_height, 1.6
    inner0, inner1 = board.octagon(0.0, 0.0), board.octagon(0.0, h - bevel)
    inner2, outer2 = board.octagon(bevel, h), board.octagon(w - bevel, h)
    outer1, outer0 = board.octagon(w, h - bevel), board.octagon(w, -board.base)
    far = board.octagon(table_half, -board.base)
    middle = inner0.mean(axis=0)
    fan = np.stack([np.repeat(middle[None], 8, axis=0), inner0, np.roll(inner0, -1, axis=0)], axis=1)
    deep = 4.0  # mm of the rim's edge, free of chalk, drawn out over the bare wall
    low, high = (
        (board.octagon(-0.5), board.octagon(-h))
        if board.walls_felt
        else (
            board.octagon(deep),
            board.octagon(1.0),
        )
    )
    return [
        _rows(fan),
        _rows(_band(inner1, inner0), _band(high, low), 1.0),
        _rows(np.concatenate([_band(inner2, inner1), _band(outer1, outer2)])),
        _rows(_band(outer2, inner2)),
        _rows(_band(outer0, outer1), _band(board.octagon(w - deep), board.octagon(w - 1.0)), 1.0),
        _rows(_band(far, outer0)),
    ]


def _rows(tris: Array, paint: Array | None = None, upright: float = 0.0) -> Array:
    normal = np.repeat(face_normals(tris)[:, None], 3, axis=1)
    paint = tris if paint is None else paint
    flag = np.full((len(tris), 3, 1), upright)
    return np.asarray(np.concatenate([tris, normal, paint[..., :2], flag], axis=2).reshape(-1, 9))


def _prism(thing: Clutter) -> list[Array]:
    """A low thing: its outline raised, painted from above, its sides in the colour of its edge."""
    sprite = make_sprite(thing.kind, thing.size, thing.seed)
    if sprite.outline is None or sprite.tall <= 0:
        return []
    a = np.radians(thing.angle_deg)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    flat = sprite.outline @ turn + [thing.x, thing.y]
    inner = sprite.outline * (1 - 0.6 / np.abs(sprite.outline).max()) @ turn + [thing.x, thing.y]
    low = np.column_stack([flat, np.full(len(flat), thing.z)])
    high = low + np.array([0, 0, sprite.tall])
    edge = np.column_stack([inner, np.zeros(len(inner))])
    middle = np.array([thing.x, thing.y, thing.z + sprite.tall])
    top = np.stack([np.repeat(middle[None], len(high), axis=0), high, np.roll(high, -1, axis=0)], axis=1)
    return [_rows(top), _rows(_band(low, high), _band(edge, edge), 1.0)]


def shadow_mesh(die: Die) -> Array:
    """A coarse die as triangle corners (N, 3) in world mm, for shadow maps."""
    local, tris, _ = die_mesh(die.look, flat=1 if die.look.sphere > 1.7 else 4, arc=1)
    world = local * (die.edge_mm / 2) @ np.array(die.rotation).T + np.array(die.position)
    return np.asarray(world[tris.ravel()])
