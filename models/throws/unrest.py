"""Minutes at a table at which nobody throws: hands, a glass, chalk, lamps, nudges, put together from a few renders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from models.render.draw import Picture, Renderer
from models.render.scene import Clutter
from models.throws.filming import Camera
from models.throws.hand import passing
from models.throws.roll import Die
from models.throws.search import Room, find_throw
from models.throws.stage import Stage, sample_stage
from models.throws.take import Lying, Take
from models.throws.weather import Weather

FPS = 10
PASSES = 3
"""Hands that are rendered in each scene; they come again and again."""
HAPPENS = ("hand", "glass", "chalk", "lamp", "dark", "nudge", "sway", "shadow", "nothing")
SHARES = (0.28, 0.10, 0.12, 0.13, 0.04, 0.10, 0.08, 0.10, 0.05)
NUDGE_MM = (5.0, 12.0)
MOST_OFF_MM = 20.0
_GAP_S = (1.5, 7.0)
Difference = npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Set:
    """What is rendered of one scene: the table as it lies, the same with a glass, and hands as differences to it."""

    stage: Stage
    bare: Picture
    glass: Picture
    hands: tuple[tuple[Difference, ...], ...]
    dice: int


def set_up(seed: int, size: tuple[int, int], renderer: Renderer) -> Set:
    """Render the few pictures that a scene's unrest is made of; on some tables three dice lie, on others none."""
    rng = np.random.default_rng([seed, 43])
    stage = sample_stage(rng, size)
    take = Take()
    dice = 3 if rng.random() < 0.6 else 0
    if dice:
        bearing = stage.bearing_deg(float(rng.uniform(0, 360)))
        thrown = find_throw(int(rng.integers(1 << 30)), stage.tray, bearing, die=Die(stage.edge_mm), room=Room(20, 4))
        take.stretches.append(Lying(0.0, tuple(zip(thrown.roll.positions[-1], thrown.rotations[-1], strict=True))))
    camera = Camera(stage.scene, stage.looks, edge_mm=stage.edge_mm, hands=stage.hands, renderer=renderer, quick=True)
    bare = camera.picture(take, 0.0)
    hands = []
    for _ in range(PASSES):
        bearing = stage.bearing_deg(float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 15)))
        path = passing(0.0, bearing, rng.normal(0, 45, 2), float(rng.uniform(0.2, 0.9)))
        shown = Take(list(take.stretches), [path], path.end)
        count = round(path.end * FPS) + 1
        hands.append(tuple(_less(camera.picture(shown, n / FPS), bare) for n in range(count)))
    return Set(stage, bare, _with_glass(stage, take, rng, renderer), tuple(hands), dice)


def unrest(made: Set, seed: int, seconds: float) -> Iterator[tuple[Picture, str, npt.NDArray[np.float64]]]:
    """Pictures, `FPS` a second, with what begins in each ('' mostly) and where the camera looks (2 × 3) by then."""
    rng = np.random.default_rng([seed, 47])
    height, width = made.bare.shape[:2]
    noise = Weather(noise=float(rng.uniform(0.6, 2.5)), flicker=0.04 if rng.random() < 0.25 else 0.0)
    grain = noise.grain(rng, width, height)
    now = _Now(made, rng)
    due = 2.0
    for index in range(round(seconds * FPS)):
        t = index / FPS
        began = ""
        if t >= due and now.calm:
            began = str(rng.choice(HAPPENS, p=SHARES))
            now.begin(began)
            due = t + float(rng.uniform(*_GAP_S))
        yield noise.on(now.picture(), t, grain, rng), began, now.look.copy()
        now.step()


class _Now:
    """The table at one moment."""

    def __init__(self, made: Set, rng: np.random.Generator) -> None:
        self.made, self.rng = made, rng
        self.base = made.bare
        self.with_glass = False
        self.look = np.array([[1.0, 0, 0], [0, 1.0, 0]])
        self._hand: list[Difference] = []
        self._after: Picture | None = None
        self._gain, self._wanted = 1.0, 1.0
        self._dark = 0
        self._sway = 0.0
        self._shadow: list[float] = []
        self._phase = 0

    @property
    def calm(self) -> bool:
        return not self._hand and not self._shadow and not self._dark

    def begin(self, what: str) -> None:
        """Let it happen."""
        rng = self.rng
        if what in ("hand", "glass", "chalk"):
            self._hand = list(self.made.hands[int(rng.integers(len(self.made.hands)))])
            if what == "glass":
                self.with_glass = not self.with_glass
                self._after = self._still()
            elif what == "chalk":
                self._after = self._chalked(self.base)
        elif what == "lamp":
            self._wanted = float(rng.uniform(0.55, 1.35))
        elif what == "dark":
            self._dark = int(rng.integers(8, 40))
        elif what == "nudge":
            self._nudge()
        elif what == "sway":
            self._sway = float(rng.uniform(1.0, 5.0))
        elif what == "shadow":
            self._shadow = list(np.linspace(-0.3, 1.3, int(rng.integers(12, 30))))

    def step(self) -> None:
        """A tenth of a second later."""
        if self._hand:
            self._hand.pop(0)
            if self._after is not None and len(self._hand) < 6:
                self.base, self._after = self._after, None
        self._gain += np.clip(self._wanted - self._gain, -0.25, 0.25)
        self._dark = max(0, self._dark - 1)
        self._sway *= 0.8
        self._phase += 1
        if self._shadow:
            self._shadow.pop(0)

    def picture(self) -> Picture:
        shown = self.base
        if self._hand:
            shown = np.asarray(cv2.add(shown, self._hand[0], dtype=cv2.CV_8U), np.uint8)
        gain = 0.03 if self._dark else self._gain
        if gain != 1.0:
            shown = np.asarray(cv2.convertScaleAbs(shown, alpha=gain ** (1 / 2.2)), np.uint8)
        if self._shadow:
            shown = np.asarray(cv2.multiply(shown, self._shade(self._shadow[0]), dtype=cv2.CV_8U), np.uint8)
        look = self.look.copy()
        if self._sway > 0.2:
            look[:, 2] += self._sway * np.array([np.sin(1.9 * self._phase), 0.6 * np.sin(2.6 * self._phase + 1)])
        if not np.allclose(look, [[1, 0, 0], [0, 1, 0]]):
            size = (shown.shape[1], shown.shape[0])
            shown = np.asarray(cv2.warpAffine(shown, look, size, borderMode=cv2.BORDER_REFLECT_101), np.uint8)
        return shown

    def _still(self) -> Picture:
        """The table with or without the glass, and all chalk that was drawn on it."""
        chalk = self.base.astype(np.int16) - (self.made.glass if not self.with_glass else self.made.bare)
        chalk[np.abs(chalk).max(axis=2) < 25] = 0
        table = self.made.glass if self.with_glass else self.made.bare
        return np.clip(table.astype(np.int16) + chalk, 0, 255).astype(np.uint8)

    def _chalked(self, picture: Picture) -> Picture:
        """A few strokes of chalk more on the rim."""
        rng, drawn = self.rng, picture.copy()
        rings = {name: np.array(ring) for name, ring in self.made.stage.board_px().items()}
        side, share = int(rng.integers(8)), float(rng.uniform(0.25, 0.75))
        ends = []
        for ring in (rings["rim_outer"], rings["rim_inner"]):
            ends.append(ring[side] * (1 - share) + ring[(side + 1) % 8] * share)
        outer, inner = (ends[0] * a + ends[1] * (1 - a) for a in (0.8, 0.25))
        along = rings["rim_outer"][(side + 1) % 8] - rings["rim_outer"][side]
        along /= np.linalg.norm(along)
        for stroke in range(int(rng.integers(1, 4))):
            a, b = outer + along * 9 * stroke, inner + along * (9 * stroke + rng.normal(0, 2))
            cv2.line(drawn, _pixel(a), _pixel(b), (228, 232, 230), 3, cv2.LINE_AA)
        return drawn

    def _nudge(self) -> None:
        """The camera's arm is knocked: it looks a little elsewhere from now on."""
        per_mm = self.made.stage.die_px() / self.made.stage.edge_mm
        way, mm = self.rng.uniform(0, 2 * np.pi), float(self.rng.uniform(*NUDGE_MM))
        step = mm * per_mm * np.array([np.cos(way), np.sin(way)])
        if np.hypot(*(self.look[:, 2] + step)) > MOST_OFF_MM * per_mm:
            step = -np.sign(self.look[:, 2]) * np.abs(step)
        self.look[:, 2] += step

    def _shade(self, place: float) -> npt.NDArray[np.float32]:
        """A person's soft shadow that passes."""
        height, width = self.base.shape[:2]
        x = np.linspace(0, 1, width, dtype=np.float32)
        dip = 0.45 * np.exp(-(((x - place) / 0.16) ** 2))
        return np.ascontiguousarray(np.broadcast_to((1 - dip)[None, :, None], (height, width, 3)), np.float32)


def _with_glass(stage: Stage, take: Take, rng: np.random.Generator, renderer: Renderer) -> Picture:
    """The same table with a glass put down beside the board."""
    board = stage.board
    way, away = rng.uniform(0, 2 * np.pi), board.across / 2 + rng.uniform(45, 70)
    x, y = board.centre[0] + away * np.cos(way), board.centre[1] + away * np.sin(way)
    glass = Clutter("glass", float(x), float(y), -board.base, 0.0, 34.0, int(rng.integers(1 << 16)))
    scene = replace(stage.scene, clutter=(*stage.scene.clutter, glass))
    return Camera(scene, stage.looks, edge_mm=stage.edge_mm, hands=stage.hands, renderer=renderer).picture(take, 0.0)


def _less(picture: Picture, bare: Picture) -> Difference:
    return picture.astype(np.int16) - bare.astype(np.int16)


def _pixel(point: npt.NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
