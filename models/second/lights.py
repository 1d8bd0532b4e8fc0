"""What shines on the table: a room with windows all round, and lamps above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.second.eye import Eye
from models.second.noise import Field
from models.second.solid import Floats
from models.second.styles import Colour

WARM, DAY, LED = np.array([1.0, 0.68, 0.38]), np.array([0.86, 0.96, 1.1]), np.array([0.95, 1.0, 1.0])
_NEON = (np.array([0.9, 0.2, 0.7]), np.array([0.15, 0.45, 1.0]), np.array([0.2, 0.9, 0.4]), np.array([1.0, 0.35, 0.1]))
KINDS = ("lamp", "warm lamp", "window", "even", "neon", "two lamps")
_SHARES = (0.24, 0.20, 0.22, 0.14, 0.06, 0.14)
ROOM_PX = (32, 64)


@dataclass(frozen=True)
class Lamp:
    """A square lamp that looks at the board's middle."""

    place: tuple[float, float, float]
    half: float
    radiance: Colour


@dataclass(frozen=True)
class Window:
    """A bright part of the room: where in it (radians; up counts from level) and how large."""

    way: float
    up: float
    half_way: float
    half_up: float
    radiance: Colour


@dataclass(frozen=True)
class Light:
    name: str
    ceiling: Colour
    walls: Colour
    windows: tuple[Window, ...]
    lamps: tuple[Lamp, ...]
    dim: bool

    @property
    def by_room(self) -> bool:
        """Whether most of the light comes from the room rather than from lamps."""
        return self.name in ("window", "even")

    def room(self) -> Field:
        """The room as a picture of all directions: rows from straight up to straight down."""
        rows, columns = ROOM_PX
        up = np.pi / 2 - (np.arange(rows) + 0.5) / rows * np.pi
        way = (np.arange(columns) + 0.5) / columns * 2 * np.pi
        part = np.clip((up - 0.3) / 0.5, 0, 1)[:, None, None]
        made = part * np.array(self.ceiling) + (1 - part) * np.array(self.walls) + np.zeros((rows, columns, 3))
        made[up < 0] *= 0.4
        for window in self.windows:
            off = np.abs((way - window.way + np.pi) % (2 * np.pi) - np.pi)
            made[np.ix_(np.abs(up - window.up) < window.half_up, off < window.half_way)] = window.radiance
        return np.asarray(made, np.float32)


def draw_light(rng: np.random.Generator, eye: Eye) -> Light:
    """Light for a camera; no lamp hangs in its sight."""
    name = str(rng.choice(KINDS, p=_SHARES))
    hue = {"lamp": LED, "warm lamp": WARM, "window": DAY, "even": LED, "neon": _NEON[rng.integers(4)]}.get(name, WARM)
    hue = hue * np.exp(rng.normal(0, 0.05, 3))
    dim = name in ("warm lamp", "neon") and rng.random() < 0.5
    base = np.exp(rng.normal(0, 0.25, 3) * (0.4 if name == "neon" else 0.2))
    ceiling, walls = base * rng.uniform(0.5, 1.0), base * rng.uniform(0.2, 0.6) * np.exp(rng.normal(0, 0.08, 3))
    windows = []
    for _ in range(int(rng.integers(1, 4)) if name in ("window", "even") else int(rng.integers(0, 2))):
        strength = rng.uniform(5, 14) if name == "window" else rng.uniform(2, 5)
        windows.append(
            Window(
                float(rng.uniform(0, 2 * np.pi)),
                float(rng.uniform(0.25, 0.7)),
                float(rng.uniform(0.15, 0.45)),
                float(rng.uniform(0.15, 0.35)),
                _colour(DAY * strength),
            )
        )
    part = {"window": 0.08, "even": 0.25}.get(name, float(rng.uniform(0.45, 0.88)))
    count = 2 if name == "two lamps" else 1
    irradiance = part / (1 - part) * np.pi * float(ceiling.mean()) / count
    lamps = tuple(_lamp(rng, eye, hue, irradiance) for _ in range(count))
    return Light(name, _colour(ceiling), _colour(walls), tuple(windows), lamps, dim)


def _lamp(rng: np.random.Generator, eye: Eye, hue: Floats, irradiance: float) -> Lamp:
    while True:
        z = eye.place[2] * rng.uniform(1.05, 1.9)
        way, off = rng.uniform(0, 2 * np.pi), z * rng.uniform(0.15, 0.95)
        half = float(rng.uniform(30, 160))
        place = np.array([off * np.cos(way), off * np.sin(way), z])
        far = float(np.linalg.norm(place))
        radiance = irradiance * far**2 / ((2 * half) ** 2 * z / far)
        lamp = Lamp((float(place[0]), float(place[1]), float(z)), half, _colour(hue * radiance))
        if not in_sight(lamp, eye):
            return lamp


def in_sight(lamp: Lamp, eye: Eye) -> bool:
    """Whether a box about the lamp comes near the picture."""
    box = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * 3), -1).reshape(-1, 3) * lamp.half * np.sqrt(2) + lamp.place
    box = box[eye.seen_from(box)[:, 2] > 1]
    pixels = eye.straight(box)
    size, near = np.array([eye.width, eye.height]), 0.08 * eye.width
    return bool(((pixels > -near) & (pixels < size + near)).all(1).any())


def _colour(values: Floats) -> Colour:
    return (float(values[0]), float(values[1]), float(values[2]))
