"""Drawing tools for sprites: discs, boxes, emblems and pips in millimetres on RGBA planes."""

import cv2
import numpy as np
import numpy.typing as npt

from models.render import symbols

Plane = npt.NDArray[np.float32]
Rgba = tuple[float, ...]
DETAIL = 4
"""Sprite px a mm."""


def canvas(w: float, h: float) -> Plane:
    """A clear plane w by h mm."""
    return np.zeros((max(4, int(h * DETAIL)), max(4, int(w * DETAIL)), 4), np.float32)


def any_colour(rng: np.random.Generator, low: float = 0.05, high: float = 0.95) -> tuple[float, float, float, float]:
    """An opaque colour at random."""
    r, g, b = rng.uniform(low, high, 3)
    return float(r), float(g), float(b), 1.0


def grey(v: float) -> tuple[float, float, float, float]:
    """An opaque grey."""
    return v, v, v, 1.0


def disc(m: Plane, x: float, y: float, r: float, colour: tuple[float, ...], thick: float = -1) -> None:
    """A disc or ring about x, y (mm from the upper left)."""
    k = DETAIL * 16
    width = -1 if thick < 0 else max(1, int(thick * DETAIL))
    cv2.circle(m, (int(x * k), int(y * k)), max(1, int(r * k)), colour, width, cv2.LINE_AA, 4)


def box(m: Plane, x: float, y: float, w: float, h: float, r: float, colour: tuple[float, ...]) -> None:
    """A rectangle with round corners, mm from the upper left."""
    outline = round_rect(w, h, r) + np.array([x + w / 2, y + h / 2])
    cv2.fillPoly(m, [(outline * DETAIL * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def round_rect(w: float, h: float, r: float) -> npt.NDArray[np.float64]:
    """A rectangle with round corners about the origin, (20, 2) mm."""
    r = min(r, w / 2, h / 2)
    turn = np.linspace(0, np.pi / 2, 5)
    corner = np.stack([np.cos(turn), np.sin(turn)], axis=1) * r
    parts = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        c, s = np.cos(k * np.pi / 2), np.sin(k * np.pi / 2)
        parts.append(corner @ np.array([[c, s], [-s, c]]) + [sx * (w / 2 - r), sy * (h / 2 - r)])
    return np.concatenate(parts)


def circle(r: float) -> npt.NDArray[np.float64]:
    """A circle about the origin, (32, 2) mm."""
    turn = np.linspace(0, 2 * np.pi, 33)[:-1]
    return np.stack([np.cos(turn), np.sin(turn)], axis=1) * r


def emblem(m: Plane, index: int, x: float, y: float, size: float, colour: tuple[float, ...]) -> None:
    """One of the emblems, `size` mm across about x, y."""
    atlas = symbols.atlas()
    row, column = divmod(index % 32, symbols.COLUMNS)
    cell = atlas[row * symbols.SIDE : (row + 1) * symbols.SIDE, column * symbols.SIDE : (column + 1) * symbols.SIDE]
    side = max(3, int(size * DETAIL))
    mask = cv2.resize(cell, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    x0, y0 = int(x * DETAIL) - side // 2, int(y * DETAIL) - side // 2
    if x0 < 0 or y0 < 0 or x0 + side > m.shape[1] or y0 + side > m.shape[0]:
        return
    part = m[y0 : y0 + side, x0 : x0 + side]
    part += mask[..., None] * (np.array(colour, np.float32) - part)


def text(m: Plane, text: str, x: float, y: float, tall: float, colour: tuple[float, ...]) -> None:
    """A word with its lower left at x, y (mm), `tall` mm high."""
    scale = tall * DETAIL / 22
    place = (int(x * DETAIL), int(y * DETAIL))
    cv2.putText(m, text, place, cv2.FONT_HERSHEY_DUPLEX, scale, colour, max(1, int(scale * 1.6)), cv2.LINE_AA)


PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


def spots(m: Plane, value: int, x: float, y: float, step: float, r: float, colour: tuple[float, ...]) -> None:
    """The pips of a value about x, y, `step` mm apart."""
    for dx, dy in PIPS.get(value, []):
        disc(m, x + dx * step, y + dy * step, r, colour)
