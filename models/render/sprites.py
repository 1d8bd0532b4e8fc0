"""Flat things drawn from above: cards, coins, coasters, buttons, dominoes, printed pips and their like.

A sprite is RGBA (H, W, 4) in 0..1, its picture upright, with its outline in mm about its own centre.
"""

import dataclasses
import functools
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from models.render.sprite_tools import (
    DETAIL,
    PIPS,
    Plane,
    any_colour,
    box,
    canvas,
    circle,
    disc,
    emblem,
    grey,
    round_rect,
    spots,
    text,
)


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


def _coin(size: float, rng: np.random.Generator) -> Sprite:
    m = canvas(size, size)
    c = size / 2
    tone = np.array([[0.72, 0.55, 0.3], [0.68, 0.68, 0.66], [0.6, 0.35, 0.2]])[int(rng.integers(3))]
    tone = tone * rng.uniform(0.6, 1.1)
    disc(m, c, c, c, (*tone, 1.0))
    disc(m, c, c, c * 0.9, (*(tone * 0.75), 1.0), 0.5)
    if rng.random() < 0.4:
        disc(m, c, c, c * 0.66, (*(tone[::-1] * 0.9 + 0.1), 1.0))
    emblem(m, int(rng.integers(32)), c, c, size * 0.55, (*(tone * 0.6), 1.0))
    return Sprite(m, circle(c * 0.98), 2.0, 0.7)


def _button(size: float, rng: np.random.Generator) -> Sprite:
    m = canvas(size, size)
    c = size / 2
    colour = any_colour(rng)
    disc(m, c, c, c, colour)
    disc(m, c, c, c * 0.75, (*(0.8 * v for v in colour[:3]), 1.0), size * 0.06)
    holes = PIPS[4] if rng.random() < 0.6 else [(-1, 0), (1, 0)]
    for dx, dy in holes:
        disc(m, c + dx * size * 0.12, c + dy * size * 0.12, size * 0.06, grey(0.03))
    return Sprite(m, circle(c * 0.98), 2.5, 0.4)


def _domino(size: float, rng: np.random.Generator) -> Sprite:
    w, h = size, size * 2
    m = canvas(w, h)
    dark = rng.random() < 0.4
    body = grey(float(rng.uniform(0.03, 0.12))) if dark else (0.93, 0.9, float(rng.uniform(0.75, 0.9)), 1.0)
    ink = grey(0.95) if dark else grey(0.05)
    box(m, 0, 0, w, h, w * 0.1, body)
    box(m, w * 0.12, h / 2 - 0.4, w * 0.76, 0.8, 0.1, ink)
    for k in (0, 1):
        spots(m, int(rng.integers(0, 7)), w / 2, h * (0.25 + 0.5 * k), w * 0.26, w * 0.085, ink)
    return Sprite(m, round_rect(w, h, w * 0.1), float(rng.uniform(5, 9)), 0.5)


def _card(size: float, rng: np.random.Generator) -> Sprite:
    w, h = size, size * 1.45
    m = canvas(w, h)
    box(m, 0, 0, w, h, 3, grey(float(rng.uniform(0.85, 0.97))))
    if rng.random() < 0.25:
        tone = any_colour(rng, 0.05, 0.6)
        box(m, 3, 3, w - 6, h - 6, 2, tone)
        for y in np.arange(6, h - 5, 5):
            for x in np.arange(6, w - 5, 5):
                disc(m, float(x), float(y), 1.2, grey(0.9))
        return Sprite(m, None, 0.0, 0.4)
    ink = (0.75, 0.08, 0.08, 1.0) if rng.random() < 0.5 else grey(0.05)
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
            emblem(m, suit, w * (0.5 if n == 1 else 0.3 + 0.4 * k), up, w * 0.2, ink)
    text(m, str(value), 3, 10, 6, ink)
    return Sprite(m, None, 0.0, 0.4)


def _coaster(size: float, rng: np.random.Generator) -> Sprite:
    m = canvas(size, size)
    c = size / 2
    square = rng.random() < 0.4
    body, ink = grey(float(rng.uniform(0.7, 0.93))), any_colour(rng, 0.02, 0.7)
    if square:
        box(m, 0, 0, size, size, 6, body)
    else:
        disc(m, c, c, c, body)
    disc(m, c, c, c * 0.86, ink, float(rng.uniform(0.8, 4)))
    if rng.random() < 0.5:
        disc(m, c, c, c * 0.5, any_colour(rng, 0.02, 0.9))
    emblem(m, int(rng.integers(32)), c, c, size * 0.4, ink)
    text(
        m,
        str(rng.choice(["PILS", "TRIPEL", "BIER", "STOUT", "KRIEK"])),
        size * 0.3,
        size * 0.85,
        size * 0.08,
        ink,
    )
    return Sprite(m, round_rect(size, size, 6) if square else circle(c * 0.99), 1.4, 0.05)


def _printed(size: float, rng: np.random.Generator) -> Sprite:
    """Paper with printed dots, rows of dots, or pictures of die faces."""
    w, h = size, size * float(rng.uniform(0.6, 1.4))
    m = canvas(w, h)
    paper = grey(float(rng.uniform(0.8, 0.97))) if rng.random() < 0.7 else any_colour(rng, 0.3, 0.9)
    ink = grey(0.08) if rng.random() < 0.7 else any_colour(rng, 0.02, 0.6)
    box(m, 0, 0, w, h, 0.5, paper)
    step = float(rng.uniform(8, 18))
    kind = rng.integers(3)
    for y in np.arange(step * 0.7, h - step * 0.6, step):
        for x in np.arange(step * 0.7, w - step * 0.6, step):
            if kind == 0:
                disc(m, float(x), float(y), step * 0.16, ink)
            elif kind == 1:
                box(m, float(x) - step * 0.4, float(y) - step * 0.4, step * 0.8, step * 0.8, step * 0.1, ink)
                spots(m, int(rng.integers(1, 7)), float(x), float(y), step * 0.21, step * 0.08, paper)
            elif rng.random() < 0.7:
                spots(m, int(rng.integers(1, 7)), float(x), float(y), step * 0.21, step * 0.08, ink)
    return Sprite(m, None, 0.0, 0.1)


def _screw(size: float, rng: np.random.Generator) -> Sprite:
    m = canvas(size, size)
    c = size / 2
    v = float(rng.uniform(0.3, 0.75))
    disc(m, c, c, c, (v, v, v * float(rng.uniform(0.7, 1.0)), 1.0))
    dark = grey(0.06)
    box(m, c * 0.3, c * 0.85, c * 1.4, c * 0.3, 0.1, dark)
    if rng.random() < 0.6:
        box(m, c * 0.85, c * 0.3, c * 0.3, c * 1.4, 0.1, dark)
    return Sprite(m, circle(c * 0.98), 1.2, 0.8)


def _knot(size: float, rng: np.random.Generator) -> Sprite:
    m = canvas(size, size)
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
    m = canvas(w, h)
    box(m, 0, 0, w, h, 9, grey(float(rng.uniform(0.02, 0.15))))
    if rng.random() < 0.5:
        box(m, 2, 2, w - 4, h - 4, 7, any_colour(rng, 0.01, 0.2 if rng.random() < 0.6 else 0.9))
        for k in range(int(rng.integers(0, 7))):
            box(m, w * 0.12, h * (0.12 + 0.1 * k), w * float(rng.uniform(0.2, 0.75)), 3, 1, grey(0.75))
    else:
        for k in range(int(rng.integers(1, 4))):
            disc(m, w * 0.2, 14 + 15 * k, 6, grey(0.3))
            disc(m, w * 0.2, 14 + 15 * k, 4.6, grey(0.02))
    return Sprite(m, round_rect(w, h, 9), 8.5, 0.9)


def _stick(size: float, rng: np.random.Generator) -> Sprite:
    """Chalk, a pencil, a match."""
    w = float(rng.choice([10.0, 7.0, 2.5]))
    m = canvas(w, size)
    colour = grey(0.92) if w == 10 else any_colour(rng)
    box(m, 0, 0, w, size, w * 0.3, colour)
    if w < 10:
        box(m, 0, 0, w, size * 0.08 + 1, w * 0.4, any_colour(rng, 0.02, 0.6))
    return Sprite(m, round_rect(w, size, w * 0.3), w * 0.9, 0.05)


def _pack(size: float, rng: np.random.Generator) -> Sprite:
    """A cigarette packet, match box or small carton with dice-like print."""
    w, h = size, size * float(rng.uniform(1.0, 1.6))
    m = canvas(w, h)
    box(m, 0, 0, w, h, 1, any_colour(rng))
    ink = any_colour(rng)
    box(m, w * 0.1, h * 0.55, w * 0.8, h * 0.3, 1, ink)
    emblem(m, int(rng.integers(32)), w / 2, h * 0.3, w * 0.5, ink)
    return Sprite(m, round_rect(w, h, 1), float(rng.uniform(8, 22)), 0.4)


def _chip(size: float, rng: np.random.Generator) -> Sprite:
    """A poker chip, bottle cap or counter."""
    m = canvas(size, size)
    c = size / 2
    a, b = any_colour(rng), any_colour(rng, 0.5, 0.95)
    disc(m, c, c, c, a)
    for k in range(int(rng.choice([0, 6, 8, 12]))):
        t = k * np.pi / 4
        disc(m, c + 0.85 * c * float(np.cos(t)), c + 0.85 * c * float(np.sin(t)), c * 0.13, b)
    disc(m, c, c, c * 0.6, b)
    if rng.random() < 0.6:
        emblem(m, int(rng.integers(32)), c, c, size * 0.4, a)
    return Sprite(m, circle(c * 0.98), float(rng.uniform(2, 6)), 0.4)


def _block(size: float, rng: np.random.Generator) -> Sprite:
    """A plain cube, sugar lump or eraser: die-sized, without a pip."""
    m = canvas(size, size)
    colour = grey(float(rng.uniform(0.75, 0.95))) if rng.random() < 0.5 else any_colour(rng)
    box(m, 0, 0, size, size, size * 0.06, colour)
    return Sprite(m, round_rect(size, size, size * 0.08), size * float(rng.uniform(0.5, 1.1)), 0.2)


def _stain(size: float, rng: np.random.Generator) -> Sprite:
    """A wet ring left by a glass."""
    m = canvas(size, size)
    m[..., :3] = 0.05
    ring = np.zeros(m.shape[:2], np.float32)
    c = int(size * DETAIL / 2)
    cv2.circle(ring, (c, c), int(c * 0.85), (1.0,), max(1, int(2.2 * DETAIL)), cv2.LINE_AA)
    m[..., 3] = cv2.GaussianBlur(ring, (0, 0), 2.0) * float(rng.uniform(0.15, 0.5))
    return Sprite(m, None, 0.0, 0.6)


def _confetti(size: float, rng: np.random.Generator) -> Sprite:
    """Scattered paper dots or crumbs."""
    m = canvas(size, size)
    one = any_colour(rng)
    for _ in range(int(rng.integers(4, 30))):
        x, y = rng.uniform(0.08, 0.92, 2) * size
        disc(m, float(x), float(y), float(rng.uniform(0.6, 3.0)), one if rng.random() < 0.6 else any_colour(rng))
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
