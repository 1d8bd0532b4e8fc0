"""A take before the camera: the background is drawn once, then only what moved, blurred by how it moved.

Everything is put together in linear light before the camera's own faults: dice as differences to the same rectangle
without them, so that what does not change stays equal to the last bit, and the hand as a layer over them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from models.render.draw import Picture, Plane, Rect, Renderer
from models.render.film import meter
from models.render.hands import hand_solid
from models.render.labels import top_pips
from models.render.scene import Die, DieLook, Hand, Scene
from models.throws.faces import Array
from models.throws.hand import HandPose
from models.throws.layers import HandLayer, cleaned, cover_of, hand_layer, smeared
from models.throws.rects import merged, on_grid, padded, union
from models.throws.roll import FPS
from models.throws.take import DiePose, Take
from models.throws.weather import Weather

BLUR_STEP_PX, MOST_SUBFRAMES = 5.0, 4
"""A die is drawn so often in a frame that no corner moves further between two sub-frames, up to a limit; what is left
of its way is smeared."""
PAD_PX = 8
QUICK_SUBFRAMES = 2
KEPT_STILLS, KEPT_SKINS = 64, 4

Dice = tuple[DiePose | None, ...]


class Camera:
    """Films takes in one scene: `scene` without dice and hand, `looks` of the dice, `hands` of the players.

    `shutter` is the share of a frame's time in which the picture is exposed. A `quick` one draws a fast die less often
    in a frame and cuts the empty table from the picture of it: half the work, for measuring many takes.
    """

    def __init__(
        self,
        scene: Scene,
        looks: tuple[DieLook, ...],
        *,
        edge_mm: float = 16.0,
        hands: tuple[Hand, ...] = (),
        shutter: float = 0.5,
        renderer: Renderer | None = None,
        quick: bool = False,
    ) -> None:
        self.renderer = renderer or Renderer("normal")
        self._quick = quick
        self.looks, self.edge_mm, self.shutter = looks, edge_mm, shutter
        self.hands = hands or (Hand((0.0, 0.0, 0.0)),)
        bare = replace(scene, dice=(), hand=None)
        self.back = self.renderer.linear(bare)
        film = replace(bare.film, bloom=0.0, shot_noise=0.0, read_noise=0.0, flicker=0.0, motion=0.0, jpeg=100)
        self.scene = replace(bare, film=replace(film, gain=film.gain or meter(self.back, film)))
        self._developed = self.renderer.develop(self.scene, self.back)
        self._patches: dict[Rect, tuple[Any, Plane]] = {}
        self._hand: tuple[Any, HandLayer] | None = None
        self._stills: dict[Any, Plane] = {}
        self._skins: dict[HandPose, Array] = {}
        self._last: tuple[Any, Picture] | None = None

    def frames(self, take: Take, weather: Weather | None = None, seed: int = 0) -> Iterator[Picture]:
        """The pictures of a take, `FPS` a second."""
        weather = weather or Weather()
        rng = np.random.default_rng([seed, 17])
        grain = weather.grain(rng, self.scene.camera.width, self.scene.camera.height)
        for i in range(take.frames):
            t = i / FPS
            yield weather.on(self.picture(take, t, weather.gain(t)), t, grain, rng)

    def seen(self, pose: DiePose) -> tuple[float, float, float, float]:
        """The box (x1, y1, x2, y2) in px that holds a die."""
        half = self.edge_mm / 2
        corners = np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)])
        q = self.scene.camera.project(corners @ pose[1].T + pose[0])
        (x1, y1), (x2, y2) = q.min(axis=0), q.max(axis=0)
        return float(x1), float(y1), float(x2), float(y2)

    def pips(self, take: Take, t: float) -> list[Array]:
        """Middles of the pips on top of each die in the picture at `t` (n, 2)."""
        return [top_pips(self.scene, die) for die in self._dice(take.dice(t))]

    def picture(self, take: Take, t: float, gain: float = 1.0) -> Picture:
        """The picture at `t`, without noise, in light of `gain` times the usual."""
        dice = self._moments(take, t)
        hands = [take.hand(s) for s in (t, t + self.shutter / FPS / 2, t + self.shutter / FPS)]
        key = (tuple(_looks(one) for one in dice), tuple(hands), gain)
        if self._last is None or self._last[0] != key:
            self._last = (key, self._drawn(dice, [pose for pose in hands if pose is not None], gain))
        return self._last[1]

    def _drawn(self, dice: list[Dice], hands: list[HandPose], gain: float) -> Picture:
        light, changed = self.back.copy(), []
        patches: dict[Rect, tuple[Any, Plane]] = {}
        for rect, keys in self._groups(dice).items():
            old = self._patches.get(rect)
            still = all(len(set(key)) == 1 for key in keys)
            if old is None or old[0] != keys:
                old = (keys, self._dice_light(dice[:1] if still else dice, rect))
            patches[rect] = old
            x, y, w, h = rect
            light[y : y + h, x : x + w] += old[1]
            changed.append(rect)
        self._patches = patches
        rect_of_hand = self._hand_rect(hands) if hands else None
        if rect_of_hand is not None:
            x, y, w, h = rect_of_hand
            light[y : y + h, x : x + w] = self._hand_layer(hands, rect_of_hand).over(light[y : y + h, x : x + w])
            changed.append(rect_of_hand)
        if gain != 1.0:
            return self.renderer.develop(self.scene, light * np.float32(gain))
        picture = self._developed.copy()
        for rect in merged([(rect, None) for rect in changed]):
            x, y, w, h = padded(rect, PAD_PX, self._size)
            inner = self.renderer.develop(self.scene, light[y : y + h, x : x + w], (x, y, w, h))
            rx, ry, rw, rh = rect
            picture[ry : ry + rh, rx : rx + rw] = inner[ry - y : ry - y + rh, rx - x : rx - x + rw]
        return picture

    def _moments(self, take: Take, t: float) -> list[Dice]:
        """The dice while the shutter is open, as often as the fastest needs."""
        first, last = (take.dice(s) for s in (t, t + self.shutter / FPS))
        moved = [0.0]
        for a, b in zip(first, last, strict=False):
            if a is not None and b is not None:
                turn = float(np.linalg.norm(b[1] - a[1])) * self.edge_mm / 2
                moved.append(float(np.linalg.norm(b[0] - a[0])) + turn)
        px = max(moved) * self.scene.camera.focal / max(self.scene.camera.position[2], 1.0)
        most = QUICK_SUBFRAMES if self._quick else MOST_SUBFRAMES
        count = int(np.clip(np.ceil(px / BLUR_STEP_PX), 1, most))
        if count == 1:
            return [first]
        return [take.dice(t + (k + 0.5) / count * self.shutter / FPS) for k in range(count)]

    def _groups(self, moments: list[Dice]) -> dict[Rect, tuple[Any, ...]]:
        """Rectangles that hold the dice at all moments, with what each die looks like; what moves shares one."""
        still: list[tuple[Rect, Any]] = []
        moving: list[tuple[Rect, Any]] = []
        box = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * self.edge_mm * 0.9
        for i in range(max(len(dice) for dice in moments)):
            poses = [dice[i] if i < len(dice) else None for dice in moments]
            points = [pose[0] + box for pose in poses if pose is not None]
            rect = self._rect(np.concatenate(points)) if points else None
            if rect is not None:
                looks = _looks(poses)
                (still if len(set(looks)) == 1 else moving).append((rect, looks))
        if moving:
            whole = reduce(union, (rect for rect, _ in moving))
            moving = [(whole, looks) for _, looks in moving]
        return merged(moving + still)

    def _dice_light(self, moments: list[Dice], rect: Rect) -> Plane:
        """Light that dice add to or take from the rectangle of the empty scene."""
        empty = self._empty(rect)
        total = np.zeros_like(empty)
        for dice in moments:
            total += self.renderer.linear(replace(self.scene, dice=self._dice(dice)), rect)
        count = len(moments)
        difference = cleaned(np.asarray(total / np.float32(count) - empty, np.float32), empty)
        return smeared(difference, self._way(moments) / max(1, count - 1)) if count > 1 else difference

    def _way(self, moments: list[Dice]) -> Array:
        """How far in px the dice that move do so on average, from the first moment to the last."""
        pairs = [
            (a[0], b[0])
            for a, b in zip(moments[0], moments[-1], strict=False)
            if a is not None and b is not None and not np.array_equal(a[0], b[0])
        ]
        if not pairs:
            return np.zeros(2)
        q = self.scene.camera.project(np.array(pairs).reshape(-1, 3)).reshape(-1, 2, 2)
        return np.asarray((q[:, 1] - q[:, 0]).mean(axis=0))

    def _hand_rect(self, hands: list[HandPose]) -> Rect | None:
        middle = hands[len(hands) // 2]
        skin = self._skin(middle)[::7]
        return self._rect(np.concatenate([skin + np.subtract(pose.wrist, middle.wrist) for pose in hands]))

    def _hand_layer(self, hands: list[HandPose], rect: Rect) -> HandLayer:
        """The hand drawn once, in the middle of its way, and smeared along it."""
        key = (tuple(hands), rect)
        if self._hand is None or self._hand[0] != key:
            middle = hands[len(hands) // 2]
            light = self.renderer.linear(replace(self.scene, hand=self._posed(middle)), rect)
            palms = self.scene.camera.project(np.array([[*h.palm, h.wrist[2]] for h in (hands[0], hands[-1])]))
            cover = cover_of(self._skin(middle).reshape(-1, 3, 3), self.scene.camera, rect)
            self._hand = (key, hand_layer(light, self._empty(rect), cover, palms[1] - palms[0]))
        return self._hand[1]

    def _empty(self, rect: Rect) -> Plane:
        """The rectangle without dice and hand, kept for the next frames."""
        if self._quick:
            x, y, w, h = rect
            return self.back[y : y + h, x : x + w]
        if rect not in self._stills:
            if len(self._stills) >= KEPT_STILLS:
                self._stills.pop(next(iter(self._stills)))
            self._stills[rect] = self.renderer.linear(self.scene, rect)
        return self._stills[rect]

    def _dice(self, poses: Dice) -> tuple[Die, ...]:
        return tuple(
            Die(look, _triple(pose[0]), tuple(_triple(row) for row in pose[1]), self.edge_mm)
            for look, pose in zip(self.looks, poses, strict=False)
            if pose is not None
        )

    def _posed(self, pose: HandPose) -> Hand:
        own = self.hands[pose.owner % len(self.hands)]
        return replace(own, wrist=pose.wrist, heading_deg=pose.heading_deg, grip=pose.grip)

    def _skin(self, pose: HandPose) -> Array:
        """Corners (n, 3) of the hand's triangles, three by three."""
        if pose not in self._skins:
            if len(self._skins) >= KEPT_SKINS:
                self._skins.pop(next(iter(self._skins)))
            self._skins[pose] = np.asarray(hand_solid(self._posed(pose))[:, :3], np.float64)
        return self._skins[pose]

    @property
    def _size(self) -> tuple[int, int]:
        return self.scene.camera.width, self.scene.camera.height

    def _rect(self, points: Array) -> Rect | None:
        """The rectangle, on a grid, that holds world points and their shadows; None outside the picture."""
        floor = -self.scene.board.base if self.scene.board else 0.0
        clouds = [points]
        for lamp in self.scene.light.lamps:
            at = np.array(lamp.position)
            drop = (points[:, 2:] - floor) / np.maximum(at[2] - points[:, 2:], 50.0)
            clouds.append(points + (points - at) * np.minimum(drop, 0.6))
        q = self.scene.camera.project(np.concatenate(clouds))
        return on_grid(q.min(axis=0) - PAD_PX, q.max(axis=0) + PAD_PX, self._size)


def _looks(poses: Sequence[DiePose | None]) -> tuple[Any, ...]:
    """Equal for dice in equal poses."""
    return tuple(None if pose is None else (pose[0].tobytes(), pose[1].tobytes()) for pose in poses)


def _triple(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
