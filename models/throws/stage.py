"""Where a take is filmed: the board, the table and the light, as the renderer and as physics know them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.render.camera import overhead
from models.render.labels import board_px
from models.render.layouts import Layout, Pip
from models.render.light_sampling import sample_light
from models.render.materials import sample_look
from models.render.sampling import sample_scene
from models.render.scene import Board, Clutter, DieLook, Film, Ground, Hand, Lamp, Light, Scene
from models.render.table_sampling import SKINS
from models.throws.faces import Array
from models.throws.tray import Tray

SIZE = (1280, 960)
SLEEVES = ((0.13, 0.16, 0.26), (0.42, 0.10, 0.12), (0.25, 0.25, 0.25), (0.55, 0.50, 0.42), (0.10, 0.22, 0.16))
SAFE_PX = 26.0
"""A die this far from the picture's edge is wholly in it."""


@dataclass(frozen=True)
class Stage:
    """An empty scene with a board, the looks of its dice and of the hands."""

    scene: Scene
    looks: tuple[DieLook, ...]
    edge_mm: float
    hands: tuple[Hand, ...]

    @property
    def board(self) -> Board:
        board = self.scene.board
        if board is None:
            raise ValueError("a stage needs a board")
        return board

    @property
    def printed(self) -> tuple[tuple[int, ...], ...]:
        """The faces on the sides of each die: some are left-handed."""
        return tuple(look.faces for look in self.looks)

    @property
    def tray(self) -> Tray:
        board = self.board
        return Tray(board.across, board.rim_width, board.rim_height, board.base, board.angle_deg)

    def bearing_deg(self, seat_deg: float) -> float:
        """The world's bearing (counter-clockwise from +x) of a seat told as in `from_deg`: 0 right, 90 bottom."""
        camera, seat = self.scene.camera, np.radians(seat_deg)
        q = camera.principal + np.array([[0.0, 0.0], [np.cos(seat), np.sin(seat)]]) * 60
        middle, towards = camera.on_plane(q)[:, :2]
        way = towards - middle
        return float(np.degrees(np.arctan2(way[1], way[0])))

    def in_picture(self, points: Array) -> bool:
        """Whether dice at world points (n, 3) are wholly in the picture."""
        camera = self.scene.camera
        q = camera.project(points)
        size = np.array([camera.width, camera.height])
        return bool(((q > SAFE_PX) & (q < size - SAFE_PX)).all())

    def board_px(self) -> dict[str, list[list[float]]]:
        """The corners of the felt's floor and of the rim's upper outer edge, in pixels."""
        return board_px(self.scene, self.board)

    def die_px(self) -> float:
        """About how long a die's edge is in the middle of the picture."""
        camera = self.scene.camera
        return camera.focal / (camera.position[2] - self.edge_mm) * self.edge_mm


def cafe(size: tuple[int, int] = SIZE) -> Stage:
    """The stage of the shipped recording: green felt in a dark wooden octagon, ivory dice, one lamp over the table."""
    board = Board(
        across=376.0,
        rim_width=28.0,
        rim_height=30.0,
        base=8.0,
        floor=Ground("felt", (0.06, 0.36, 0.19), seed=6),
        rim=Ground("wood", (0.36, 0.20, 0.11), (0.22, 0.12, 0.07), seed=8, scale=0.8, gloss=0.25),
        strokes=6,
        dust=0.2,
        seed=30,
    )
    table = Ground("wood", (0.50, 0.34, 0.21), (0.38, 0.25, 0.15), seed=14, scale=1.2, angle_deg=4.0, gloss=0.2)
    azimuth = 250.0
    height = 760.0
    camera = overhead((4.0, 2.0), height, 4.0, azimuth, azimuth + 90.0, 2.30 * height * size[1] / SIZE[1], size, -0.02)
    lamps = (
        Lamp((-420.0, 520.0, 1250.0), (0.80, 0.74, 0.64), 150.0),
        Lamp((700.0, -300.0, 1500.0), (0.22, 0.22, 0.24), 260.0),
    )
    light = Light("cafe", lamps, (0.34, 0.33, 0.32), (0.22, 0.21, 0.20))
    film = Film(exposure=0.15, balance=(1.0, 1.0, 1.06), contrast=0.25, vignette=0.12, jpeg=100)
    clutter = (
        Clutter("coaster", -238.0, 132.0, -8.0, 12.0, 46.0, 3),
        Clutter("glass", -246.0, 140.0, -6.5, 0.0, 26.0, 4),
        Clutter("coaster", 236.0, -140.0, -8.0, 50.0, 46.0, 9),
        Clutter("coin", -228.0, -150.0, -8.0, 0.0, 23.0, 5),
        Clutter("peanut", 226.0, 150.0, -8.0, 30.0, 9.0, 1),
        Clutter("peanut", 246.0, 132.0, -8.0, 110.0, 9.0, 2),
    )
    scene = Scene((), table, camera, light, film, board, clutter, None, 11, "board", 4.0)
    look = DieLook(_plain_layout(), "ivory", base=(0.90, 0.87, 0.79), corner=0.2, roughness=0.25, gloss=0.7)
    hands = (
        Hand((0.0, 0.0, 0.0), skin=SKINS[1], sleeve=SLEEVES[0], seed=3),
        Hand((0.0, 0.0, 0.0), skin=SKINS[0], sleeve=SLEEVES[1], seed=8),
    )
    return Stage(scene, (look,) * 3, 16.0, hands)


def sample_stage(rng: np.random.Generator, size: tuple[int, int] = SIZE) -> Stage:
    """A board of the renderer's own drawing, seen whole, with clutter on the table only."""
    while True:
        scene = sample_scene(rng, "board", size, int(rng.integers(1 << 30)))
        board = scene.board
        if board is None:
            continue
        clutter = tuple(c for c in scene.clutter if board.depth_inside(c.x, c.y) < -board.rim_width)
        film = replace(scene.film, jpeg=100, tube=0.0, motion=0.0, flicker=0.0, defocus=min(scene.film.defocus, 1.0))
        film = replace(film, exposure=float(np.clip(film.exposure, 0.08, 0.35)))
        light = scene.light if scene.light.cookie == "none" else sample_light(rng, board.across * 1.5)
        scene = replace(scene, dice=(), hand=None, clutter=clutter, film=film, light=light)
        edge = float(rng.uniform(14, 18))
        look = sample_look(rng)
        looks = (look,) * 3 if rng.random() < 0.8 else tuple(sample_look(rng) for _ in range(3))
        hands = tuple(_sample_hand(rng) for _ in range(2))
        if all(symbol < 0 for one in looks for symbol in one.symbols):  # a throw needs faces
            return Stage(scene, looks, edge, hands)


def _sample_hand(rng: np.random.Generator) -> Hand:
    return Hand(
        (0.0, 0.0, 0.0),
        left=bool(rng.random() < 0.2),
        scale=float(rng.uniform(0.9, 1.08)),
        skin=SKINS[int(rng.integers(len(SKINS)))],
        sleeve=SLEEVES[int(rng.integers(len(SLEEVES)))],
        sleeve_at=float(rng.uniform(25, 90)),
        seed=int(rng.integers(4096)),
    )


def _plain_layout() -> Layout:
    """The pips of an ordinary die from the shop, exactly in place."""
    a, r = 0.48, 0.185
    row, column = 0.50, 0.40
    spots: list[list[tuple[float, float]]] = [
        [(0, 0)],
        [(-a, -a), (a, a)],
        [(-a, -a), (0, 0), (a, a)],
        [(-a, -a), (a, -a), (-a, a), (a, a)],
        [(-a, -a), (a, -a), (0, 0), (-a, a), (a, a)],
        [(x, y) for y in (-row, 0.0, row) for x in (-column, column)],
    ]

    def pip(x: float, y: float) -> Pip:
        return (x, y, r, 0.0)

    return Layout(tuple(tuple(pip(x, y) for x, y in face) for face in spots))
