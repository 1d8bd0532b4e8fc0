"""Flat things drawn from above: cards, coins, coasters, buttons, dominoes, printed pips and their like.

A sprite is RGBA (H, W, 4) in 0..1, its picture upright, with its outline in mm about its own centre.
"""

import dataclasses
import functools
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from models.render import symbols

Plane = npt.NDArray[np.float32]
DETAIL = 4
"""Sprite px a mm."""


@dataclasses.dataclass
class Sprite:
    """`picture` at `DETAIL` px a mm; `outline` (N, 2) mm, or None for paint; `tall` mm; gloss."""

    picture: Plane
    outline: npt.NDArray[np.float64] | None
    tall: float
    gloss: float = 0.2


Maker = Callable[[float, np.random.Generator], Sprite]


@functools.lru_cache(maxsize=64)
def make_sprite(kind: str, size: float, seed: int) -> Sprite:
    """The sprite of a clutter kind, `size` mm across."""
    return SPRITES[kind](size, np.random.default_rng([seed, 4]))


def _canvas(w: float, h: float) -> Plane:
    return np.zeros((max(4, int(h * DETAIL)), max(4, int(w * DETAIL)), 4), np.float32)


def _colour(rng: np.random.Generator, low: float = 0.05, high: float = 0.95) -> tuple[float, float, float, float]:
    r, g, b = rng.uniform(low, high, 3)
    return float(r), float(g), float(b), 1.0


def _grey(v: float) -> tuple[float, float, float, float]:
    return v, v, v, 1.0


def _disc(m: Plane, x: float, y: float, r: float, colour: tuple[float, ...], thick: float = -1) -> None:
    """A disc or ring about x, y (mm from the upper left)."""
    k = DETAIL * 16
    width = -1 if thick < 0 else max(1, int(thick * DETAIL))
    cv2.circle(m, (int(x * k), int(y * k)), max(1, int(r * k)), colour, width, cv2.LINE_AA, 4)


def _box(m: Plane, x: float, y: float, w: float, h: float, r: float, colour: tuple[float, ...]) -> None:
    """A rectangle with round corners, mm from the upper left."""
    outline = _round_rect(w, h, r) + np.array([x + w / 2, y + h / 2])
    cv2.fillPoly(m, [(outline * DETAIL * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def _round_rect(w: float, h: float, r: float) -> npt.NDArray[np.float64]:
    r = min(r, w / 2, h / 2)
    turn = np.linspace(0, np.pi / 2, 5)
    corner = np.stack([np.cos(turn), np.sin(turn)], axis=1) * r
    parts = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        c, s = np.cos(k * np.pi / 2), np.sin(k * np.pi / 2)
        parts.append(corner @ np.array([[c, s], [-s, c]]) + [sx * (w / 2 - r), sy * (h / 2 - r)])
    return np.concatenate(parts)


def _circle(r: float) -> npt.NDArray[np.float64]:
    turn = np.linspace(0, 2 * np.pi, 33)[:-1]
    return np.stack([np.cos(turn), np.sin(turn)], axis=1) * r


def _emblem(m: Plane, index: int, x: float, y: float, size: float, colour: tuple[float, ...]) -> None:
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


def _text(m: Plane, text: str, x: float, y: float, tall: float, colour: tuple[float, ...]) -> None:
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


def _spots(m: Plane, value: int, x: float, y: float, step: float, r: float, colour: tuple[float, ...]) -> None:
    for dx, dy in PIPS.get(value, []):
        _disc(m, x + dx * step, y + dy * step, r, colour)


def _coin(size: float, rng: np.random.Generator) -> Sprite:
    m = _canvas(size, size)
    c = size / 2
    tone = np.array([[0.72, 0.55, 0.3], [0.68, 0.68, 0.66], [0.6, 0.35, 0.2]])[int(rng.integers(3))]
    tone = tone * rng.uniform(0.6, 1.1)
    _disc(m, c, c, c, (*tone, 1.0))
    _disc(m, c, c, c * 0.9, (*(tone * 0.75), 1.0), 0.5)
    if rng.random() < 0.4:
        _disc(m, c, c, c * 0.66, (*(tone[::-1] * 0.9 + 0.1), 1.0))
    _emblem(m, int(rng.integers(32)), c, c, size * 0.55, (*(tone * 0.6), 1.0))
    return Sprite(m, _circle(c * 0.98), 2.0, 0.7)


def _button(size: float, rng: np.random.Generator) -> Sprite:
    m = _canvas(size, size)
    c = size / 2
    colour = _colour(rng)
    _disc(m, c, c, c, colour)
    _disc(m, c, c, c * 0.75, (*(0.8 * v for v in colour[:3]), 1.0), size * 0.06)
    holes = PIPS[4] if rng.random() < 0.6 else [(-1, 0), (1, 0)]
    for dx, dy in holes:
        _disc(m, c + dx * size * 0.12, c + dy * size * 0.12, size * 0.06, _grey(0.03))
    return Sprite(m, _circle(c * 0.98), 2.5, 0.4)


def _domino(size: float, rng: np.random.Generator) -> Sprite:
    w, h = size, size * 2
    m = _canvas(w, h)
    dark = rng.random() < 0.4
    body = _grey(float(rng.uniform(0.03, 0.12))) if dark else (0.93, 0.9, float(rng.uniform(0.75, 0.9)), 1.0)
    ink = _grey(0.95) if dark else _grey(0.05)
    _box(m, 0, 0, w, h, w * 0.1, body)
    _box(m, w * 0.12, h / 2 - 0.4, w * 0.76, 0.8, 0.1, ink)
    for k in (0, 1):
        _spots(m, int(rng.integers(0, 7)), w / 2, h * (0.25 + 0.5 * k), w * 0.26, w * 0.085, ink)
    return Sprite(m, _round_rect(w, h, w * 0.1), float(rng.uniform(5, 9)), 0.5)


def _card(size: float, rng: np.random.Generator) -> Sprite:
    w, h = size, size * 1.45
    m = _canvas(w, h)
    _box(m, 0, 0, w, h, 3, _grey(float(rng.uniform(0.85, 0.97))))
    if rng.random() < 0.25:
        tone = _colour(rng, 0.05, 0.6)
        _box(m, 3, 3, w - 6, h - 6, 2, tone)
        for y in np.arange(6, h - 5, 5):
            for x in np.arange(6, w - 5, 5):
                _disc(m, float(x), float(y), 1.2, _grey(0.9))
        return Sprite(m, None, 0.0, 0.4)
    ink = (0.75, 0.08, 0.08, 1.0) if rng.random() < 0.5 else _grey(0.05)
    suit = int(rng.choice([21, 22, 23, 24, 29]))
    value = int(rng.integers(1, 11))
    rows: dict[int, list[int]] = {
        1: [1],
        2: [1, 1],
        3: [1, 1, 1],
        4: [2, 2],
        5: [2, 1, 2],
        6: [2, 2, 2],
        7: [2, 1, 2, 2],
    }
    plan = rows.get(value, [2, 2, 2, 2][: value // 2])
    for i, n in enumerate(plan):
        up = h * (0.5 if len(plan) == 1 else 0.2 + 0.6 * i / (len(plan) - 1))
        for k in range(n):
            _emblem(m, suit, w * (0.5 if n == 1 else 0.3 + 0.4 * k), up, w * 0.2, ink)
    _text(m, str(value), 3, 10, 6, ink)
    return Sprite(m, None, 0.0, 0.4)


def _coaster(size: float, rng: np.random.Generator) -> Sprite:
    m = _canvas(size, size)
    c = size / 2
    square = rng.random() < 0.4
    body, ink = _grey(float(rng.uniform(0.7, 0.93))), _colour(rng, 0.02, 0.7)
    if square:
        _box(m, 0, 0, size, size, 6, body)
    else:
        _disc(m, c, c, c, body)
    _disc(m, c, c, c * 0.86, ink, float(rng.uniform(0.8, 4)))
    if rng.random() < 0.5:
        _disc(m, c, c, c * 0.5, _colour(rng, 0.02, 0.9))
    _emblem(m, int(rng.integers(32)), c, c, size * 0.4, ink)
    _text(
        m,
        str(rng.choice(["PILS", "TRIPEL", "BIER", "STOUT", "KRIEK"])),
        size * 0.3,
        size * 0.85,
        size * 0.08,
        ink,
    )
    return Sprite(m, _round_rect(size, size, 6) if square else _circle(c * 0.99), 1.4, 0.05)


def _printed(size: float, rng: np.random.Generator) -> Sprite:
    """Paper with printed dots, rows of dots, or pictures of die faces."""
    w, h = size, size * float(rng.uniform(0.6, 1.4))
    m = _canvas(w, h)
    paper = _grey(float(rng.uniform(0.8, 0.97))) if rng.random() < 0.7 else _colour(rng, 0.3, 0.9)
    ink = _grey(0.08) if rng.random() < 0.7 else _colour(rng, 0.02, 0.6)
    _box(m, 0, 0, w, h, 0.5, paper)
    step = float(rng.uniform(8, 18))
    kind = rng.integers(3)
    for y in np.arange(step * 0.7, h - step * 0.6, step):
        for x in np.arange(step * 0.7, w - step * 0.6, step):
            if kind == 0:
                _disc(m, float(x), float(y), step * 0.16, ink)
            elif kind == 1:
                _box(m, float(x) - step * 0.4, float(y) - step * 0.4, step * 0.8, step * 0.8, step * 0.1, ink)
                _spots(m, int(rng.integers(1, 7)), float(x), float(y), step * 0.21, step * 0.08, paper)
            elif rng.random() < 0.7:
                _spots(m, int(rng.integers(1, 7)), float(x), float(y), step * 0.21, step * 0.08, ink)
    return Sprite(m, None, 0.0, 0.1)


def _screw(size: float, rng: np.random.Generator) -> Sprite:
    m = _canvas(size, size)
    c = size / 2
    v = float(rng.uniform(0.3, 0.75))
    _disc(m, c, c, c, (v, v, v * float(rng.uniform(0.7, 1.0)), 1.0))
    dark = _grey(0.06)
    _box(m, c * 0.3, c * 0.85, c * 1.4, c * 0.3, 0.1, dark)
    if rng.random() < 0.6:
        _box(m, c * 0.85, c * 0.3, c * 0.3, c * 1.4, 0.1, dark)
    return Sprite(m, _circle(c * 0.98), 1.2, 0.8)


def _knot(size: float, rng: np.random.Generator) -> Sprite:
    m = _canvas(size, size)
    c = size / 2
    squash = float(rng.uniform(0.5, 1))
    for k, v in ((1.0, 0.25), (0.75, 0.18), (0.5, 0.12), (0.25, 0.06)):
        axes = (int(c * k * DETAIL * 0.98), int(c * k * squash * DETAIL * 0.98))
        at = (int(c * DETAIL), int(c * DETAIL))
        cv2.ellipse(m, at, axes, 0, 0, 360, (v * 1.3, v * 0.8, v * 0.45, 0.95), -1, cv2.LINE_AA)
    m[..., 3] = cv2.GaussianBlur(m[..., 3], (0, 0), max(0.5, size * 0.08 * DETAIL)) * 0.8
    return Sprite(m, None, 0.0, 0.1)


def _phone(size: float, rng: np.random.Generator) -> Sprite:
    w, h = size, size * 2.05
    m = _canvas(w, h)
    _box(m, 0, 0, w, h, 9, _grey(float(rng.uniform(0.02, 0.15))))
    if rng.random() < 0.5:
        _box(m, 2, 2, w - 4, h - 4, 7, _colour(rng, 0.01, 0.2 if rng.random() < 0.6 else 0.9))
        for k in range(int(rng.integers(0, 7))):
            _box(m, w * 0.12, h * (0.12 + 0.1 * k), w * float(rng.uniform(0.2, 0.75)), 3, 1, _grey(0.75))
    else:
        for k in range(int(rng.integers(1, 4))):
            _disc(m, w * 0.2, 14 + 15 * k, 6, _grey(0.3))
            _disc(m, w * 0.2, 14 + 15 * k, 4.6, _grey(0.02))
    return Sprite(m, _round_rect(w, h, 9), 8.5, 0.9)


def _stick(size: float, rng: np.random.Generator) -> Sprite:
    """Chalk, a pencil, a match."""
    w = float(rng.choice([10.0, 7.0, 2.5]))
    m = _canvas(w, size)
    colour = _grey(0.92) if w == 10 else _colour(rng)
    _box(m, 0, 0, w, size, w * 0.3, colour)
    if w < 10:
        _box(m, 0, 0, w, size * 0.08 + 1, w * 0.4, _colour(rng, 0.02, 0.6))
    return Sprite(m, _round_rect(w, size, w * 0.3), w * 0.9, 0.05)


def _pack(size: float, rng: np.random.Generator) -> Sprite:
    """A cigarette packet, match box or small carton with dice-like print."""
    w, h = size, size * float(rng.uniform(1.0, 1.6))
    m = _canvas(w, h)
    _box(m, 0, 0, w, h, 1, _colour(rng))
    ink = _colour(rng)
    _box(m, w * 0.1, h * 0.55, w * 0.8, h * 0.3, 1, ink)
    _emblem(m, int(rng.integers(32)), w / 2, h * 0.3, w * 0.5, ink)
    return Sprite(m, _round_rect(w, h, 1), float(rng.uniform(8, 22)), 0.4)


def _chip(size: float, rng: np.random.Generator) -> Sprite:
    """A poker chip, bottle cap or counter."""
    m = _canvas(size, size)
    c = size / 2
    a, b = _colour(rng), _colour(rng, 0.5, 0.95)
    _disc(m, c, c, c, a)
    for k in range(int(rng.choice([0, 6, 8, 12]))):
        t = k * np.pi / 4
        _disc(m, c + 0.85 * c * float(np.cos(t)), c + 0.85 * c * float(np.sin(t)), c * 0.13, b)
    _disc(m, c, c, c * 0.6, b)
    if rng.random() < 0.6:
        _emblem(m, int(rng.integers(32)), c, c, size * 0.4, a)
    return Sprite(m, _circle(c * 0.98), float(rng.uniform(2, 6)), 0.4)


def _block(size: float, rng: np.random.Generator) -> Sprite:
    """A plain cube, sugar lump or eraser: die-sized, without a pip."""
    m = _canvas(size, size)
    colour = _grey(float(rng.uniform(0.75, 0.95))) if rng.random() < 0.5 else _colour(rng)
    _box(m, 0, 0, size, size, size * 0.06, colour)
    return Sprite(m, _round_rect(size, size, size * 0.08), size * float(rng.uniform(0.5, 1.1)), 0.2)


def _stain(size: float, rng: np.random.Generator) -> Sprite:
    """A wet ring left by a glass."""
    m = _canvas(size, size)
    m[..., :3] = 0.05
    ring = np.zeros(m.shape[:2], np.float32)
    c = int(size * DETAIL / 2)
    cv2.circle(ring, (c, c), int(c * 0.85), (1.0,), max(1, int(2.2 * DETAIL)), cv2.LINE_AA)
    m[..., 3] = cv2.GaussianBlur(ring, (0, 0), 2.0) * float(rng.uniform(0.15, 0.5))
    return Sprite(m, None, 0.0, 0.6)


def _confetti(size: float, rng: np.random.Generator) -> Sprite:
    """Scattered paper dots or crumbs."""
    m = _canvas(size, size)
    one = _colour(rng)
    for _ in range(int(rng.integers(4, 30))):
        x, y = rng.uniform(0.08, 0.92, 2) * size
        _disc(m, float(x), float(y), float(rng.uniform(0.6, 3.0)), one if rng.random() < 0.6 else _colour(rng))
    return Sprite(m, None, 0.0, 0.1)


SPRITES: dict[str, Maker] = {
    "coin": _coin,
    "button": _button,
    "domino": _domino,
    "card": _card,
    "coaster": _coaster,
    "printed": _printed,
    "screw": _screw,
    "knot": _knot,
    "phone": _phone,
    "stick": _stick,
    "pack": _pack,
    "chip": _chip,
    "block": _block,
    "stain": _stain,
    "confetti": _confetti,
}
"""Flat and low things by the name of their clutter."""

SIZES: dict[str, tuple[float, float]] = {
    "coin": (16, 26),
    "button": (9, 24),
    "domino": (15, 26),
    "card": (55, 64),
    "coaster": (80, 105),
    "printed": (40, 130),
    "screw": (5, 12),
    "knot": (6, 30),
    "phone": (66, 78),
    "stick": (40, 120),
    "pack": (35, 60),
    "chip": (18, 40),
    "block": (10, 20),
    "stain": (60, 85),
    "confetti": (40, 120),
    "glass": (28, 42),
    "cup": (34, 44),
    "bottle": (28, 33),
    "peanut": (22, 38),
    "bead": (6, 18),
}
"""Sizes in mm of all clutter."""
