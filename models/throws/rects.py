"""Rectangles (x, y, width, height) of a picture: on a grid, so that they repeat, and merged where they overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from models.render.draw import Rect
from models.throws.faces import Array

GRID_PX, WIDE_GRID_PX = 32, 96
"""Rectangles of three wide cells and more lie on the wide grid."""


def on_grid(low: Array, high: Array, size: tuple[int, int]) -> Rect | None:
    """The rectangle that holds two corners, grown to the grid and cut to the picture; None outside it."""
    x1, y1 = np.maximum(low, 0)
    x2, y2 = np.minimum(high, size)
    if x2 - x1 < 2 or y2 - y1 < 2:
        return None
    grid = GRID_PX if max(x2 - x1, y2 - y1) < 3 * WIDE_GRID_PX else WIDE_GRID_PX
    x, y = int(x1) // grid * grid, int(y1) // grid * grid
    w, h = -(-(int(x2) - x) // grid) * grid, -(-(int(y2) - y) // grid) * grid
    return padded((x, y, max(w, grid), max(h, grid)), 0, size)


def padded(rect: Rect, pad: int, size: tuple[int, int]) -> Rect:
    """The rectangle grown by `pad` px on all sides and cut to the picture.

    >>> padded((0, 10, 20, 20), 4, (100, 32))
    (0, 6, 24, 26)
    """
    x, y = max(0, rect[0] - pad), max(0, rect[1] - pad)
    return x, y, min(size[0], rect[0] + rect[2] + pad) - x, min(size[1], rect[1] + rect[3] + pad) - y


def union(a: Rect, b: Rect) -> Rect:
    """The smallest rectangle that holds both."""
    x, y = min(a[0], b[0]), min(a[1], b[1])
    return x, y, max(a[0] + a[2], b[0] + b[2]) - x, max(a[1] + a[3], b[1] + b[3]) - y


def merged(placed: list[tuple[Rect, Any]]) -> dict[Rect, tuple[Any, ...]]:
    """Overlapping rectangles become one, with the keys of everything in them.

    >>> merged([((0, 0, 10, 10), "a"), ((5, 5, 10, 10), "b"), ((40, 0, 5, 5), "c")])
    {(0, 0, 15, 15): ('b', 'a'), (40, 0, 5, 5): ('c',)}
    """
    groups: list[tuple[Rect, tuple[Any, ...]]] = []
    for rect, key in placed:
        keys: tuple[Any, ...] = (key,)
        while touching := [group for group in groups if _overlap(group[0], rect)]:
            for group in touching:
                groups.remove(group)
                rect, keys = union(rect, group[0]), keys + group[1]
        groups.append((rect, keys))
    return dict(groups)


def _overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
