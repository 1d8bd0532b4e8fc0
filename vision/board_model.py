"""A board and a camera in eleven numbers, and where its three octagons are then seen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.octagon import regular_octagon
from vision.side_profiles import PIECES, Profiles

Floats = npt.NDArray[np.float64]

# columns of a parameter array (n × 11); the unit of length is half the rim's inner width across flats
FOCAL, TURN, TILT_X, TILT_Y, X, Y, SIZE, BEND, OUTER, FLOOR, DEPTH = range(11)
"""log focal length (picture widths), turn and tilts (radians), the rim's middle (pixels), log of half the inner width
(pixels), k1 of the lens, outer width of the rim, width of the floor, depth of the floor below the rim."""

LAYERS = 3
ALL_LAYERS = OUTER_EDGE, INNER_EDGE, FLOOR_EDGE = 0, 1, 2

# what is known of boards and cameras before a picture is seen: middle and spread of each parameter. Boards 30–45 cm
# over all with rims 20–45 mm high and 10–55 mm wide, walls upright or a little sloped; lenses of 45 to 70 degrees.
BEFORE = {
    FOCAL: (float(np.log(1.2)), 0.30),
    TILT_X: (0.0, 0.35),
    TILT_Y: (0.0, 0.35),
    BEND: (0.0, 0.04),
    OUTER: (1.17, 0.14),
    FLOOR: (0.998, 0.004),
    DEPTH: (0.21, 0.06),
}


def outlines(parameters: Floats, width: int, height: int, layers: tuple[int, ...] = ALL_LAYERS) -> Floats:
    """Where the corners of the octagons are seen: n × layers × 8 × 2, in pixels."""
    x, y = _seen(parameters, width, height, 1, layers)
    return np.stack([x, y], axis=-1)


def ratios(
    p: Floats,
    profiles: Profiles,
    width: int,
    height: int,
    pieces: int = PIECES,
    layers: tuple[int, ...] = ALL_LAYERS,
) -> Floats:
    """Where each ray meets each octagon, n × layers × 24; the bend of a side is told by so many pieces (1 or all)."""
    x, y = _seen(p, width, height, pieces, layers)
    x -= profiles.middle[0]
    y -= profiles.middle[1]
    step_x, step_y = (np.concatenate([one[..., 1:], one[..., :1]], axis=-1) - one for one in (x, y))
    offset = x * step_y - y * step_x
    repeat = PIECES // pieces
    if repeat > 1:
        offset, step_x, step_y = (np.repeat(one, repeat, axis=-1) for one in (offset, step_x, step_y))
    across = profiles.rays[:, 0] * step_y - profiles.rays[:, 1] * step_x
    across[np.abs(across) < 1e-9] = 1e-9
    return np.asarray(offset / across)


def _seen(p: Floats, width: int, height: int, pieces: int, layers: tuple[int, ...]) -> tuple[Floats, Floats]:
    """x and y (each n × layers × 8 · pieces) of places along the sides, `pieces` to a side from its first corner."""
    focal = np.exp(p[:, FOCAL]) * width
    share = (np.arange(pieces) / pieces)[:, None]
    corners = regular_octagon(2.0)
    sides = (corners[:, None] * (1 - share) + np.roll(corners, -1, axis=0)[:, None] * share).reshape(-1, 2)
    rotation = rotations(p)
    flat = rotation[:, :, :2] @ sides.T  # n × 3 × places
    origin = rim_middle(p, width, height)
    seen = np.empty((len(p), len(layers), 3, len(sides)))
    for place, layer in enumerate(layers):
        across = (p[:, OUTER], np.ones(len(p)), p[:, FLOOR])[layer]
        down = rotation[:, :, 2] * p[:, DEPTH, None] if layer == FLOOR_EDGE else 0.0  # z runs away from the camera
        np.multiply(flat, across[:, None, None], out=seen[:, place])
        seen[:, place] += (origin + down)[:, :, None]
    scale = focal[:, None, None] / np.maximum(seen[:, :, 2], 1e-3)
    x, y = seen[:, :, 0] * scale, seen[:, :, 1] * scale
    half_diagonal = np.hypot(width, height) / 2
    bend = x * x + y * y
    bend *= p[:, BEND, None, None] / half_diagonal**2
    bend += 1
    return x * bend + (width - 1) / 2, y * bend + (height - 1) / 2


def rim_middle(p: Floats, width: int, height: int) -> Floats:
    """The middle of the rim's opening before the camera, n × 3, in half widths of the opening."""
    focal = np.exp(p[:, FOCAL]) * width
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    away = np.concatenate([(p[:, [X, Y]] - middle) / focal[:, None], np.ones((len(p), 1))], axis=1)
    return np.asarray(away * (focal / np.exp(p[:, SIZE]))[:, None])


def rotations(p: Floats) -> Floats:
    """n × 3 × 3: turned in the board's plane, then tilted by the rotation vector (TILT_X, TILT_Y, 0)."""
    turn, tilt_x, tilt_y = p[:, TURN], p[:, TILT_X], p[:, TILT_Y]
    angle = np.hypot(tilt_x, tilt_y)
    safe = np.maximum(angle, 1e-12)
    x, y = tilt_x / safe, tilt_y / safe
    c, s = np.cos(angle), np.sin(angle)
    zero = np.zeros_like(c)
    tilt = np.array(
        [
            [c + x * x * (1 - c), x * y * (1 - c), y * s],
            [x * y * (1 - c), c + y * y * (1 - c), -x * s],
            [-y * s, x * s, c],
        ]
    )
    ct, st = np.cos(turn), np.sin(turn)
    flat = np.array([[ct, -st, zero], [st, ct, zero], [zero, zero, zero + 1]])
    return np.asarray(np.einsum("ijn,jkn->nik", tilt, flat))
