"""Draws a board on a table with a camera of its own, so that the finder is tested without a photograph.

Nothing here is shared with the finder: corners go through OpenCV's projection, areas are painted as polygons.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

WIDTH, HEIGHT = 960, 720


@dataclass(frozen=True)
class Scene:
    """A board of `sides` sides, millimetres and degrees; colours are BGR."""

    felt: tuple[int, int, int] = (40, 90, 20)
    wall: tuple[int, int, int] | None = None  # None: lined with the felt
    rim: tuple[int, int, int] = (90, 140, 190)
    table: str = "wood"
    across: float = 360.0
    rim_width: float = 18.0
    rim_height: float = 36.0
    turn: float = 10.0
    tilt: float = 8.0
    tilt_towards: float = 30.0
    focal: float = 1050.0
    distance: float = 800.0
    off: tuple[float, float] = (0.0, 0.0)
    bend: float = 0.0  # k1 of OpenCV's lens
    sides: int = 8
    arm: bool = False
    chalk: bool = True
    grain: float = 4.0
    seed: int = 1

    def corners(self, across: float, height: float) -> np.ndarray:
        """Corners of the board's octagon at a height above the felt, clockwise, in millimetres (n × 3, z away)."""
        angles = np.radians(self.turn) + (np.arange(self.sides) - 0.5) * 2 * np.pi / self.sides
        radius = across / 2 / np.cos(np.pi / self.sides)
        return np.stack([radius * np.cos(angles), radius * np.sin(angles), np.full(self.sides, -height)], axis=1)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels (n × 2) of board millimetres (n × 3; x right, y down, z away from the camera)."""
        axis = np.radians(self.tilt) * np.array(
            [np.cos(np.radians(self.tilt_towards)), np.sin(np.radians(self.tilt_towards)), 0]
        )
        camera = np.array([[self.focal, 0, (WIDTH - 1) / 2], [0, self.focal, (HEIGHT - 1) / 2], [0, 0, 1.0]])
        place = np.array([self.off[0], self.off[1], self.distance])
        seen, _ = cv2.projectPoints(np.asarray(points, float), axis, place, camera, np.array([self.bend, 0, 0, 0, 0.0]))
        return seen.reshape(-1, 2)

    @property
    def felt_px(self) -> np.ndarray:
        return self.project(self.corners(self.across, 0))

    @property
    def rim_px(self) -> np.ndarray:
        return self.project(self.corners(self.across + 2 * self.rim_width, self.rim_height))

    @property
    def die_px(self) -> float:
        across = self.felt_px
        return float(np.hypot(*(across[0] - across[self.sides // 2]))) * np.cos(np.pi / self.sides) / self.across * 16


def draw(scene: Scene) -> np.ndarray:
    """The picture, 720 × 960 × 3."""
    rng = np.random.default_rng(scene.seed)
    picture = table(scene.table, rng)
    picture[_area(scene.rim_px + np.array([4, 7]))] *= 0.7  # a shadow beside the board
    rim = _area(scene.rim_px)
    opening = _area(scene.project(scene.corners(scene.across, scene.rim_height)))
    floor = _area(scene.felt_px) & opening
    picture[rim] = scene.rim
    if scene.chalk:
        for angle in rng.uniform(0, 2 * np.pi, 12):
            middle = np.array([np.cos(angle), np.sin(angle), 0]) * (scene.across / 2 + scene.rim_width / 2 + 4)
            ends = scene.project(np.array([middle * 0.99, middle * 1.02]) - [0, 0, scene.rim_height])
            cv2.line(picture, *(tuple(int(v) for v in end) for end in ends), (225, 225, 225), 2)
    picture[opening] = np.array(scene.wall or scene.felt) * (0.72 if scene.wall is None else 0.8)
    picture[floor] = scene.felt
    for die in range(3):
        x, y = rng.uniform(-100, 100, 2)
        square = np.array([[x - 8, y - 8], [x + 8, y - 8], [x + 8, y + 8], [x - 8, y + 8]])
        top = scene.project(np.column_stack([square, np.full(4, -16.0)]))
        picture[_area(top)] = ((235, 235, 235), (40, 40, 45), (50, 40, 180))[die]
    if scene.arm:
        reach = scene.project(
            np.array([[400, -80, 0], [400, 60, 0], [60, 50, -60], [20, 10, -60], [60, -40, -60]], float)
        )
        picture[_area(reach)] = (120, 150, 205)
    shade = np.linspace(0.85, 1.1, WIDTH)[None, :, None]
    picture = cv2.GaussianBlur(picture * shade, (0, 0), 0.9) + rng.normal(0, scene.grain, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def table(kind: str, rng: np.random.Generator) -> np.ndarray:
    """A table without anything on it, as floats: wood, marble, checked or plain."""
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(float)
    if kind == "checked":
        squares = ((x * 0.9 + y * 0.4) // 40 % 2 + (y * 0.9 - x * 0.4) // 40 % 2)[..., None]
        return np.array([200, 200, 205.0]) * (1 - squares / 2) + np.array([40, 40, 170.0]) * squares / 2
    soft = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)), (0, 0), 25)
    soft = (soft / soft.std())[..., None]
    if kind == "wood":
        rings = np.sin(y * 0.35 + 12 * soft[..., 0])[..., None]
        planks = ((y + 0.2 * x) % 170 < 3)[..., None]
        return np.array([60, 100, 150.0]) + 9 * rings + 5 * soft - 40 * planks
    if kind == "marble":
        veins = np.exp(-((soft * 2) ** 2) * 60)
        return np.array([185, 185, 185.0]) + 8 * soft - 70 * veins
    return np.full((HEIGHT, WIDTH, 3), (70.0, 60.0, 190.0))


def _area(corners: np.ndarray) -> np.ndarray:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask > 0


def corner_error(found: object, true: np.ndarray) -> float:
    """Largest distance between corners, in pixels, over the best turn of the octagon; the true ones any way round."""
    corners = np.asarray(found, float)
    true = true if cv2.contourArea(true.astype(np.float32), oriented=True) > 0 else true[::-1]
    return min(float(np.hypot(*(np.roll(corners, turn, axis=0) - true).T).max()) for turn in range(8))
