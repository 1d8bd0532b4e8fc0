"""Cloth, wood, marble and paint seen from above, as textures; the rim with its grain and its chalk."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np

from models.second.noise import Field, field
from models.second.styles import Colour

FELTS: dict[str, Colour] = {
    "green": (0.02, 0.13, 0.045),
    "red": (0.22, 0.012, 0.018),
    "blue": (0.018, 0.05, 0.20),
    "black": (0.016, 0.016, 0.017),
    "bordeaux": (0.09, 0.008, 0.02),
    "grey": (0.10, 0.10, 0.105),
}
TIMBERS: dict[str, Colour] = {
    "oak": (0.36, 0.21, 0.095),
    "walnut": (0.11, 0.05, 0.022),
    "beech": (0.52, 0.33, 0.18),
    "mahogany": (0.17, 0.045, 0.02),
    "pine": (0.58, 0.38, 0.18),
}
PAINTED: tuple[Colour, ...] = ((0.02, 0.02, 0.022), (0.55, 0.53, 0.48), (0.08, 0.01, 0.012), (0.02, 0.07, 0.05))


def _tinted(colour: Colour, light: Field) -> Field:
    return np.asarray(np.clip(np.array(colour, np.float32) * light[..., None], 0.003, 0.9), np.float32)


def felt(rng: np.random.Generator, colour: Colour, size: int, wear: float) -> Field:
    """Wool pressed flat: fibres, fluff, places worn pale, a little dust."""
    fibres = field(rng, size, 0.35, 90) * 0.13 + field(rng, size, 1.0, 12) * 0.05
    worn = np.clip(field(rng, size, 1.6) - 0.4, 0, 2) * wear
    made = _tinted(colour, np.asarray(np.exp(fibres) * (1 + 0.6 * worn), np.float32))
    made += 0.05 * worn[..., None]
    specks = (rng.random((size, size)) < 2e-5 + 2e-4 * wear).astype(np.float32)
    dust = np.asarray(cv2.GaussianBlur(cv2.dilate(specks, np.ones((2, 2), np.uint8)), (3, 3), 0.8), np.float32)
    return np.asarray(made + 0.5 * dust[..., None] * (0.6 - made), np.float32)


def printed(rng: np.random.Generator, ground: Field) -> Field:
    """The felt with a ring or a line of gold or white printed on it."""
    size = len(ground)
    ink = (0.55, 0.36, 0.10) if rng.random() < 0.5 else (0.6, 0.6, 0.58)
    mask = np.zeros((size, size), np.uint8)
    middle = (size // 2, size // 2)
    radius = int(size * rng.uniform(0.18, 0.33))
    cv2.circle(mask, middle, radius, (255,), int(rng.integers(2, 5)), cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.circle(mask, middle, radius - 12, (255,), 2, cv2.LINE_AA)
    if rng.random() < 0.5:
        word = str(rng.choice(["CAFE", "PIETJES", "SANTE", "BAR"]))
        scale = radius / 150
        (w, h), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_TRIPLEX, scale, 3)
        cv2.putText(
            mask,
            word,
            (middle[0] - w // 2, middle[1] + h // 2),
            cv2.FONT_HERSHEY_TRIPLEX,
            scale,
            (255,),
            3,
            cv2.LINE_AA,
        )
    # rows of a texture run with the world's y, which is up in a picture
    part = cv2.GaussianBlur(mask[::-1], (3, 3), 0.8)[..., None] / 255 * rng.uniform(0.4, 0.85)
    return np.asarray((1 - part) * ground + part * np.array(ink), np.float32)


def timber(rng: np.random.Generator, colour: Colour, size: int) -> Field:
    """Wood with its grain along x."""
    rings = field(rng, size, 1.3, 5, stretch=9)
    grain = 0.14 * np.sin(rings * 5) + 0.10 * field(rng, size, 0.5, 60, stretch=14) + 0.10 * rings
    made = _tinted(colour, np.exp(grain))
    made[..., 2] *= np.exp(-0.2 * np.clip(rings, -2, 2))
    return made


def boards(rng: np.random.Generator, colour: Colour, size: int) -> Field:
    """A table top of planks."""
    made = timber(rng, colour, size)
    planks = int(rng.integers(5, 11))
    edges = np.linspace(0, size, planks + 1).astype(int)
    for a, b in pairwise(edges):
        made[a:b] = np.roll(made[a:b], int(rng.integers(size)), axis=1) * rng.uniform(0.75, 1.2)
        made[a : a + 2] *= 0.35
    return made


def marble(rng: np.random.Generator, colour: Colour, size: int) -> Field:
    cloud = field(rng, size, 1.7, 3)
    veins = np.exp(-np.abs(field(rng, size, 1.5, 4) + 0.3 * cloud) * 14)
    dark = 0.45 if colour[0] > 0.2 else -2.5
    return _tinted(colour, (1 + 0.07 * cloud) * (1 - dark * veins))


def cloth(rng: np.random.Generator, colour: Colour, size: int) -> Field:
    """A woven tablecloth, plain, striped or checked."""
    y, x = np.mgrid[0:size, 0:size]
    weave = 0.08 * np.sin(x * (2 * np.pi / 4)) * np.sin(y * (2 * np.pi / 4)) + 0.05 * field(rng, size, 0.6, 30)
    light = np.exp(weave + 0.06 * field(rng, size, 1.8))
    if rng.random() < 0.6:
        step = int(rng.integers(24, 90))
        stripes = ((x // step) % 2) * 0.5 + (((y // step) % 2) * 0.5 if rng.random() < 0.7 else 0.0)
        other = np.array(PAINTED[1], np.float32) if rng.random() < 0.7 else np.array((0.3, 0.02, 0.02), np.float32)
        part = stripes[..., None] * rng.uniform(0.5, 1.0)
        return np.asarray(
            np.clip((np.array(colour) * (1 - part) + other * part) * light[..., None], 0, 0.9), np.float32
        )
    return _tinted(colour, light)


def painted(rng: np.random.Generator, colour: Colour, size: int) -> Field:
    light = 0.03 * field(rng, size, 0.6, 20) + 0.06 * field(rng, size, 1.7)
    return _tinted(colour, np.exp(light))


TABLES: dict[str, Callable[[np.random.Generator, Colour, int], Field]] = {
    "wood": boards,
    "marble": marble,
    "cloth": cloth,
    "painted": painted,
}


def rim(
    rng: np.random.Generator, colour: Colour, size: int, angle_deg: float, wooden: bool, strokes: int, width: float
) -> Field:
    """The rim from above over its whole square: the grain runs along each of eight sides, chalk strokes across.

    `width` is the rim's in parts of half the board's.
    """
    if not wooden:
        made = painted(rng, colour, size)
    else:
        plank = timber(rng, colour, 512)
        y, x = (np.mgrid[0:size, 0:size] + 0.5) / size * 2 - 1
        sector = np.floor((np.degrees(np.arctan2(y, x)) - angle_deg) / 45 + 0.5).astype(int) % 8
        turn = np.radians(angle_deg + 45 * sector)
        along, out = x * -np.sin(turn) + y * np.cos(turn), x * np.cos(turn) + y * np.sin(turn)
        shift = rng.integers(0, 512, (8, 2))[sector]
        made = plank[(out * 420 + shift[..., 0]).astype(int) % 512, (along * 420 + shift[..., 1]).astype(int) % 512]
        made = made * rng.uniform(0.85, 1.15, 8).astype(np.float32)[sector][..., None]
    return _chalked(rng, np.asarray(made, np.float32), angle_deg, strokes, width)


def _chalked(rng: np.random.Generator, ground: Field, angle_deg: float, strokes: int, width: float) -> Field:
    size = len(ground)
    mask = np.zeros((size, size), np.float32)
    for side in rng.permutation(8)[: int(rng.integers(1, 5))] if strokes else ():
        turn = np.radians(angle_deg + 45 * side)
        out, along = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        start = rng.uniform(-0.2, 0.0)
        for i in range(int(rng.integers(1, strokes + 1))):
            reach = np.cos(np.pi / 8) * (1 - width * rng.uniform((0.72, 0.15), (0.85, 0.28)))
            spots = [(out * r + along * (start + 0.035 * i + rng.normal(0, 0.004))) for r in reach]
            a, b = ((size / 2 * (1 + s) * 16).astype(int) for s in spots)
            cv2.line(mask, tuple(map(int, a)), tuple(map(int, b)), (1.0,), int(rng.integers(2, 5)), cv2.LINE_AA, 4)
    rubbed = np.clip(0.75 + 0.35 * field(rng, size, 0.4, 80), 0, 1) * (0.8 if strokes else 0)
    part = (cv2.GaussianBlur(mask, (3, 3), 0.7) * rubbed)[..., None]
    return np.asarray((1 - part) * ground + part * 0.75, np.float32)
