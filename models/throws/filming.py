"""A take before the camera: the background is drawn once, then only what moved, blurred by how it moved.

All compositing is done in linear light before the camera's own faults, as differences to the same window without dice
and hand, so that what does not change stays equal to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from models.render.draw import Picture, Plane, Rect, Renderer
from models.render.film import meter
from models.render.hands import hand_solid
from models.render.scene import Die, DieLook, Hand, Scene
from models.throws.faces import Array
from models.throws.hand import HandPose
from models.throws.roll import FPS
from models.throws.take import DiePose, Take

BLUR_STEP_PX = 3.0
"""Sub-frames are so many that nothing moves further than this between two."""
MOST_SUBFRAMES, MOST_HAND_SUBFRAMES = 8, 3
SAME = 0.012
"""A difference of light below this share is shadow-map dust and is left out."""
PAD_PX = 8
KEPT_EMPTY = 64
GRID_PX = 32
NOISE_TILES = 5


@dataclass(frozen=True)
class Weather:
    """What changes over the whole picture: noise in grey levels, mains flicker, and steps of the light.

    `flicker` is a share of the light; `steps` are (seconds, gain from then on), `sway_px` the swing of the camera.
    """

    noise: float = 1.6
    flicker: float = 0.0
    steps: tuple[tuple[float, float], ...] = ()
    sway_px: float = 0.0

    def gain(self, t: float) -> float:
        """The light at `t`, easing over 0.15 s at a step."""
        now = 1.0
        for at, gain in self.steps:
            share = min(1.0, max(0.0, (t - at) / 0.15))
            now += (gain - now) * share
        return now


Thing = tuple[tuple[DiePose | None, ...], HandPose | None]


class Camera:
    """Films takes in one scene: `scene` without dice and hand, `looks` of the dice, `hand` as whoever throws has it."""

    def __init__(
        self,
        scene: Scene,
        looks: tuple[DieLook, ...],
        *,
        edge_mm: float = 16.0,
        hand: Hand | None = None,
        shutter: float = 0.5,
        renderer: Renderer | None = None,
    ) -> None:
        self.renderer = renderer or Renderer("normal")
        self.looks, self.edge_mm, self.shutter = looks, edge_mm, shutter
        self.own_hand = hand or Hand((0.0, 0.0, 0.0))
        bare = replace(scene, dice=(), hand=None)
        self.back = self.renderer.linear(bare)
        film = replace(bare.film, bloom=0.0, shot_noise=0.0, read_noise=0.0, flicker=0.0, motion=0.0, jpeg=100)
        self.scene = replace(bare, film=replace(film, gain=film.gain or meter(self.back, film)))
        self._developed = self._develop(self.back, None, 1.0)
        self._patches: dict[Rect, tuple[Any, Plane]] = {}
        self._empty: dict[Rect, Plane] = {}

    def frames(self, take: Take, weather: Weather | None = None, seed: int = 0) -> Iterator[Picture]:
        """The pictures of a take, `FPS` a second."""
        weather = weather or Weather()
        rng = np.random.default_rng([seed, 17])
        noise = _noise_tiles(rng, self.scene.camera.width, self.scene.camera.height, weather.noise)
        for i in range(take.frames):
            t = i / FPS
            picture = self._clean(take, t, weather.gain(t))
            yield _weathered(picture, t, weather, noise, rng)

    def seen(self, pose: DiePose) -> tuple[float, float, float, float]:
        """The box (x1, y1, x2, y2) in px that holds a die."""
        half = self.edge_mm / 2
        corners = np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)])
        q = self.scene.camera.project(corners @ pose[1].T + pose[0])
        (x1, y1), (x2, y2) = q.min(axis=0), q.max(axis=0)
        return float(x1), float(y1), float(x2), float(y2)

    def _clean(self, take: Take, t: float, gain: float) -> Picture:
        """The picture at `t` without noise: the developed background with developed patches."""
        moments = self._moments(take, t)
        placed = [(rect, key) for key, points in self._things(moments) if (rect := self._rect(points)) is not None]
        patches: dict[Rect, tuple[Any, Plane]] = {}
        for rect, keys in _merged(placed).items():
            old = self._patches.get(rect)
            still = all(len(set(key)) == 1 for key in keys)
            if old is not None and old[0] != keys:
                old = None
            patches[rect] = old or (keys, self._difference(moments[:1] if still else moments, rect))
        self._patches = patches
        if not patches and gain == 1.0:
            return self._developed.copy()
        light = self.back.copy()
        for (x, y, w, h), (_, difference) in patches.items():
            light[y : y + h, x : x + w] += difference
        if gain != 1.0:
            return self._develop(light, None, gain)
        picture = self._developed.copy()
        for rect in patches:
            x, y, w, h = self._clip(rect, PAD_PX)
            inner = self._develop(light[y : y + h, x : x + w], (x, y, w, h), gain)
            rx, ry, rw, rh = rect
            picture[ry : ry + rh, rx : rx + rw] = inner[ry - y : ry - y + rh, rx - x : rx - x + rw]
        return picture

    def _moments(self, take: Take, t: float) -> list[Thing]:
        """What is there while the shutter is open: as many moments as the fastest thing needs."""
        ends = [(take.dice(s), take.hand(s)) for s in (t, t + self.shutter / FPS)]
        dice_px, hand_px = self._moved_px(ends)
        count = max(
            int(np.clip(np.ceil(dice_px / BLUR_STEP_PX), 1, MOST_SUBFRAMES)),
            int(np.clip(np.ceil(hand_px / BLUR_STEP_PX), 1, MOST_HAND_SUBFRAMES)),
        )
        if count == 1:
            return [ends[0]]
        return [
            (take.dice(s), take.hand(s)) for s in (t + (k + 0.5) / count * self.shutter / FPS for k in range(count))
        ]

    def _moved_px(self, ends: list[Thing]) -> tuple[float, float]:
        """How far a corner of a die, and the hand, move between two moments."""
        per_mm = self.scene.camera.focal / max(self.scene.camera.position[2], 1.0)
        dice, hand = [0.0], 0.0
        for a, b in zip(ends[0][0], ends[1][0], strict=False):
            if a is not None and b is not None:
                way = float(np.linalg.norm(b[0] - a[0]))
                dice.append(way + float(np.linalg.norm(b[1] - a[1])) * self.edge_mm * 0.5)
        first, last = ends[0][1], ends[1][1]
        if first is not None and last is not None:
            hand = float(np.linalg.norm(np.subtract(first.wrist, last.wrist)))
        return max(dice) * per_mm, hand * per_mm

    def _difference(self, moments: list[Thing], rect: Rect) -> Plane:
        """Light that dice and hand add to or take from the rectangle of the empty scene."""
        if rect not in self._empty:
            if len(self._empty) >= KEPT_EMPTY:
                self._empty.pop(next(iter(self._empty)))
            self._empty[rect] = self.renderer.linear(self.scene, rect)
        empty = self._empty[rect]
        total = np.zeros_like(empty)
        for thing in moments:
            total += self.renderer.linear(self._scene_of(thing), rect)
        difference = total / len(moments) - empty
        share = np.abs(difference).max(axis=2) / (empty.max(axis=2) + 1e-3)
        keep = np.clip((share - SAME) / SAME, 0, 1).astype(np.float32)
        return np.asarray(difference * cv2.GaussianBlur(keep, (0, 0), 0.8)[..., None], np.float32)

    def _scene_of(self, thing: Thing) -> Scene:
        dice = tuple(
            Die(look, _triple(pose[0]), _matrix(pose[1]), self.edge_mm)
            for look, pose in zip(self.looks, thing[0], strict=False)
            if pose is not None
        )
        pose = thing[1]
        return replace(self.scene, dice=dice, hand=None if pose is None else self._hand(pose))

    def _hand(self, pose: HandPose) -> Hand:
        return replace(self.own_hand, wrist=pose.wrist, heading_deg=pose.heading_deg, grip=pose.grip)

    def _develop(self, light: Plane, rect: Rect | None, gain: float) -> Picture:
        return self.renderer.develop(self.scene, light * np.float32(gain) if gain != 1.0 else light, rect)

    def _things(self, moments: list[Thing]) -> list[tuple[tuple[Any, ...], Array]]:
        """Each die and the hand: what it looks like at each moment, and world points (n, 3) around it at all."""
        things: list[tuple[tuple[Any, ...], Array]] = []
        box = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * self.edge_mm * 0.9
        for i in range(max(len(dice) for dice, _ in moments)):
            poses = [dice[i] if i < len(dice) else None for dice, _ in moments]
            points = [pose[0] + box for pose in poses if pose is not None]
            if points:
                looks = tuple(None if pose is None else (pose[0].tobytes(), pose[1].tobytes()) for pose in poses)
                things.append((looks, np.concatenate(points)))
        hands = [pose for _, pose in moments]
        solids = [hand_solid(self._hand(pose))[::7, :3] for pose in hands if pose is not None]
        if solids:
            things.append((tuple(hands), np.concatenate(solids)))
        return things

    def _rect(self, points: Array) -> Rect | None:
        """The rectangle, on a grid, that holds world points and their shadows; None outside the picture."""
        floor = -self.scene.board.base if self.scene.board else 0.0
        clouds = [points]
        for lamp in self.scene.light.lamps:
            at = np.array(lamp.position)
            drop = (points[:, 2:] - floor) / np.maximum(at[2] - points[:, 2:], 50.0)
            clouds.append(points + (points - at) * np.minimum(drop, 0.6))
        q = self.scene.camera.project(np.concatenate(clouds))
        camera = self.scene.camera
        x1, y1 = np.maximum(q.min(axis=0) - PAD_PX, 0)
        x2, y2 = np.minimum(q.max(axis=0) + PAD_PX, (camera.width, camera.height))
        if x2 - x1 < 2 or y2 - y1 < 2:
            return None
        x, y = int(x1) // GRID_PX * GRID_PX, int(y1) // GRID_PX * GRID_PX
        w, h = -(-(int(x2) - x) // GRID_PX) * GRID_PX, -(-(int(y2) - y) // GRID_PX) * GRID_PX
        return self._clip((x, y, w, h), 0)

    def _clip(self, rect: Rect, pad: int) -> Rect:
        camera = self.scene.camera
        x, y = max(0, rect[0] - pad), max(0, rect[1] - pad)
        return (
            x,
            y,
            min(camera.width, rect[0] + rect[2] + pad) - x,
            min(camera.height, rect[1] + rect[3] + pad) - y,
        )


def _merged(placed: list[tuple[Rect, Any]]) -> dict[Rect, tuple[Any, ...]]:
    """Overlapping rectangles become one, with the keys of everything in them."""
    groups: list[tuple[Rect, tuple[Any, ...]]] = []
    for rect, key in placed:
        keys: tuple[Any, ...] = (key,)
        while True:
            touching = [group for group in groups if _overlap(group[0], rect)]
            if not touching:
                break
            for group in touching:
                groups.remove(group)
                rect, keys = _union(rect, group[0]), group[1] + keys
        groups.append((rect, keys))
    return dict(groups)


def _overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def _union(a: Rect, b: Rect) -> Rect:
    x, y = min(a[0], b[0]), min(a[1], b[1])
    return x, y, max(a[0] + a[2], b[0] + b[2]) - x, max(a[1] + a[3], b[1] + b[3]) - y


def _noise_tiles(rng: np.random.Generator, width: int, height: int, level: float) -> list[Any]:
    if level <= 0:
        return []
    size = (height + 64, width + 64, 3)
    tiles = []
    for _ in range(NOISE_TILES):
        grain = rng.standard_normal(size, dtype=np.float32)
        soft = cv2.GaussianBlur(grain, (0, 0), 0.6) * 2.0
        tiles.append(np.rint(soft * level).astype(np.int16))
    return tiles


def _weathered(picture: Picture, t: float, weather: Weather, noise: list[Any], rng: np.random.Generator) -> Picture:
    """Sway, flicker and noise on a clean picture."""
    h, w = picture.shape[:2]
    if weather.sway_px > 0:
        shift = weather.sway_px * np.array([np.sin(2 * np.pi * 1.7 * t), 0.6 * np.sin(2 * np.pi * 2.3 * t + 1)])
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
        picture = np.asarray(cv2.warpAffine(picture, move, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    if weather.flicker > 0:
        rows = np.sin(2 * np.pi * (np.arange(h) / 240.0 + t * 2.9))
        band = (1 + weather.flicker * rows) ** (1 / 2.2)
        picture = np.clip(picture * band[:, None, None].astype(np.float32), 0, 255).astype(np.uint8)
    if noise:
        tile = noise[int(rng.integers(len(noise)))]
        y, x = (int(v) for v in rng.integers(0, 64, 2))
        picture = np.asarray(cv2.add(picture, tile[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)
    return picture


def _triple(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])


def _matrix(m: Array) -> tuple[tuple[float, float, float], ...]:
    return tuple(_triple(row) for row in m)
