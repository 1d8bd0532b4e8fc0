"""One picture to be taken, as plain values drawn from a seed: board, dice, things about, light, camera, film."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.second.board import Tray
from models.second.eye import Eye, looking
from models.second.grounds import FELTS, PAINTED, TABLES, TIMBERS
from models.second.lights import Light, draw_light
from models.second.rest import Die
from models.second.scatter import scatter
from models.second.styles import Colour
from models.second.things import Thing

SIZES = ((1280, 960), (960, 720))
FILL = (0.86, 1.0)
"""So much of the picture's free height or width the board takes."""
LEAST_DIE_PX, DIE_MM = 22.5, (12.0, 19.0)


@dataclass(frozen=True)
class Film:
    """From light to a file: `mean` is the brightness aimed at, noise in parts of white."""

    mean: float
    tint: tuple[float, float, float]
    blur: float
    noise: float
    contrast: float
    sharpen: float
    jpeg: int


@dataclass(frozen=True)
class Table:
    kind: str
    colour: Colour
    roughness: float
    turn_deg: float
    seed: int


@dataclass(frozen=True)
class Shot:
    seed: int
    eye: Eye
    tilt_deg: float
    tray: Tray
    table: Table
    dice: tuple[Die, ...]
    things: tuple[Thing, ...]
    light: Light
    film: Film

    @property
    def hand(self) -> bool:
        return any(thing.name == "hand" for thing in self.things)


def draw_shot(seed: int, size: tuple[int, int] | None = None) -> Shot:
    """The shot of a seed; the same seed and size give the same shot.

    >>> shot = draw_shot(4)
    >>> shot.eye.width, len(shot.dice) == len(draw_shot(4).dice)
    (1280, True)
    """
    rng = np.random.default_rng([2718, seed])
    tray = _tray(rng)
    eye, tilt = _eye(rng, tray, size)
    scale = eye.focal / np.linalg.norm(eye.place)
    least = float(np.clip(LEAST_DIE_PX / scale, *DIE_MM))
    dice, things = scatter(rng, tray, eye, (least, DIE_MM[1]))
    light = draw_light(rng, eye)
    return Shot(seed, eye, tilt, tray, _table(rng), dice, things, light, _film(rng, light))


def _tray(rng: np.random.Generator) -> Tray:
    felt = str(rng.choice(list(FELTS), p=(0.42, 0.18, 0.16, 0.1, 0.08, 0.06)))
    timber = str(rng.choice([*TIMBERS, "painted"], p=(0.2, 0.2, 0.18, 0.14, 0.14, 0.14)))
    rim = PAINTED[rng.integers(len(PAINTED))] if timber == "painted" else TIMBERS[timber]
    width = float(rng.uniform(25, 55))
    return Tray(
        across=float(rng.uniform(360, 420)),
        rim_width=width,
        rim_height=float(rng.uniform(15, 35)),
        slope=float(rng.uniform(0, 4)),
        rounding=float(rng.uniform(1, 4)),
        base=float(rng.uniform(5, 14)),
        angle_deg=float(rng.uniform(0, 45)),
        felt=felt,
        felt_colour=_varied(rng, FELTS[felt]),
        felt_walls=bool(rng.random() < 0.45),
        wear=float(rng.uniform(0, 0.35)) if rng.random() < 0.5 else 0.0,
        print_on=bool(rng.random() < 0.15),
        timber=timber,
        rim_colour=_varied(rng, rim),
        rim_roughness=float(rng.uniform(0.18, 0.6)),
        strokes=int(rng.integers(1, 12)) if rng.random() < 0.4 else 0,
        seed=int(rng.integers(2**31)),
    )


def _varied(rng: np.random.Generator, colour: Colour) -> Colour:
    made = np.clip(np.array(colour) * np.exp(rng.normal(0, 0.3)) * np.exp(rng.normal(0, 0.1, 3)), 0.006, 0.8)
    return (float(made[0]), float(made[1]), float(made[2]))


def _table(rng: np.random.Generator) -> Table:
    kind = str(rng.choice(list(TABLES), p=(0.42, 0.16, 0.22, 0.2)))
    if kind == "wood":
        colour = list(TIMBERS.values())[rng.integers(len(TIMBERS))]
    elif kind == "marble":
        colour = ((0.62, 0.61, 0.58), (0.03, 0.035, 0.035), (0.30, 0.33, 0.28))[rng.integers(3)]
    else:
        colour = (*PAINTED, (0.30, 0.03, 0.03), (0.03, 0.09, 0.24), (0.5, 0.4, 0.15))[rng.integers(len(PAINTED) + 3)]
    roughness = 0.9 if kind == "cloth" else float(rng.uniform(0.15, 0.6))
    return Table(kind, _varied(rng, colour), roughness, float(rng.uniform(0, 360)), int(rng.integers(2**31)))


def _eye(rng: np.random.Generator, tray: Tray, size: tuple[int, int] | None) -> tuple[Eye, float]:
    """A camera that sees the whole board; most stand near the vertical."""
    width, height = size or SIZES[0 if rng.random() < 0.55 else 1]
    tilt = float(rng.uniform(0, 12) if rng.random() < 0.6 else rng.uniform(12, 30))
    way, roll = rng.uniform(0, 360), rng.normal(0, 6) + 90 * rng.integers(4)
    focal = width / 2 / np.tan(np.radians(rng.uniform(42, 66)) / 2)
    k1 = float(rng.uniform(-0.05, 0.015)) if rng.random() < 0.5 else 0.0
    aim, fill = rng.normal(0, 8, 2), rng.uniform(*FILL)
    rim = np.concatenate([tray.ring(tray.rim_width, z) for z in (-tray.base, tray.rim_height)])
    near, far = 200.0, 4000.0
    for _ in range(24):
        distance = (near + far) / 2
        place, axes = looking((aim[0], aim[1], 0.0), distance, tilt, way, roll)
        eye = Eye(width, height, float(focal), place, axes, k1)
        off = np.abs(eye.project(rim) - eye.middle) / (np.array([width, height]) / 2)
        if off.max() > fill or eye.seen_from(rim)[:, 2].min() < 100:
            near = distance
        else:
            far = distance
    return eye, tilt


def _film(rng: np.random.Generator, light: Light) -> Film:
    cast = np.exp(rng.normal(0, 0.06, 3))
    return Film(
        mean=float(rng.uniform(0.06, 0.11) if light.dim else rng.uniform(0.10, 0.24)),
        tint=(float(cast[0]), float(cast[1]), float(cast[2])),
        blur=float(rng.uniform(0.45, 0.75) if rng.random() < 0.75 else rng.uniform(0.75, 1.25)),
        noise=float(rng.uniform(0.008, 0.022) if light.dim else rng.uniform(0.002, 0.012)),
        contrast=float(rng.uniform(-0.1, 0.35)),
        sharpen=float(rng.uniform(0.2, 0.9)) if rng.random() < 0.5 else 0.0,
        jpeg=int(rng.integers(80, 97)),
    )
