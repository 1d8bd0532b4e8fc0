"""One Gauss-Newton step of boards towards where their edges should be seen."""

from __future__ import annotations

import numpy as np

from vision.board_model import BEFORE, DEPTH, OUTER, Floats, ratios
from vision.side_profiles import Profiles

PARAMETERS = 11
_STEPS = np.array([0.01, 0.002, 0.004, 0.004, 0.3, 0.3, 0.002, 0.004, 0.003, 0.002, 0.004])  # of numeric derivatives
_MOST_STEPS = 50
_OUTERS, _DEPTHS = (1.02, 1.75), (0.05, 0.45)


def usual() -> tuple[Floats, Floats]:
    """Middle and firmness (1 / spread; 0 where nothing is known) of each parameter before a picture is seen."""
    middle, firm = np.zeros(PARAMETERS), np.zeros(PARAMETERS)
    for column, (value, spread) in BEFORE.items():
        middle[column], firm[column] = value, 1 / spread
    return middle, firm


def slopes(p: Floats, ratio: Floats, profiles: Profiles, width: int, height: int) -> Floats:
    """How far (pixels) each edge moves on each ray for one unit of each parameter: n × 11 × 72.

    `ratio` (n × 3 × 24) is where the edges of the boards (n × 11) are now.
    """
    moved = (p[:, None] + np.diag(_STEPS)[None]).reshape(-1, PARAMETERS)
    apart = ratios(moved, profiles, width, height) - np.repeat(ratio, PARAMETERS, axis=0)
    return np.asarray((apart * profiles.px).reshape(len(p), PARAMETERS, -1) / _STEPS[None, :, None])


def stepped(p: Floats, slope: Floats, residual: Floats, weight: Floats) -> Floats:
    """Boards (n × 11) moved by one step; they are pulled gently to what boards usually are.

    `residual` (n × 3 × 24) is how far each edge should move, `slope` how far it moves, both in spreads of an edge, and
    `weight` how much that counts.
    """
    n = len(p)
    middle, firm = usual()
    square = (slope * weight.reshape(n, 1, -1)) @ slope.transpose(0, 2, 1) + np.diag(firm**2 + 1e-9)
    pull = (slope * weight.reshape(n, 1, -1)) @ residual.reshape(n, -1, 1) + ((middle - p) * firm**2)[..., None]
    p = p + np.clip(np.linalg.solve(square, pull)[..., 0], -_MOST_STEPS * _STEPS, _MOST_STEPS * _STEPS)
    p[:, OUTER], p[:, DEPTH] = np.clip(p[:, OUTER], *_OUTERS), np.clip(p[:, DEPTH], *_DEPTHS)
    return p
