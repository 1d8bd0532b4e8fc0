"""Surfaces that dice lie on, woven from noise: felt, wood, cloth, stone, paper, trays, tiles."""

import dataclasses
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from models.render import noise
from models.render.scene import Ground

Plane = npt.NDArray[np.float32]


@dataclasses.dataclass
class Patch:
    """A window on a level surface: `size` (height, width) px, `mm` a pixel, world x and y (mm) of its corner."""

    size: tuple[int, int]
    mm: float
    x: float
    y: float

    def noise(self, name: str, span: float, rng: np.random.Generator, turn: float | None = None) -> Plane:
        """Noise whose tile spans `span` mm, fixed to the world by the generator's draws."""
        turn = float(rng.uniform(0, 2 * np.pi)) if turn is None else turn
        texel = noise.TILE / span
        at = rng.uniform(0, noise.TILE, 2)
        c, s = np.cos(turn), np.sin(turn)
        origin = (
            at[0] + (c * self.x - s * self.y) * texel,
            at[1] + (s * self.x + c * self.y) * texel,
        )
        return noise.sample(name, self.size, self.mm * texel, turn, origin)

    def axes(self, turn: float) -> tuple[Plane, Plane]:
        """World coordinates (mm) of every pixel, in axes turned by `turn` radians."""
        x = (self.x + (np.arange(self.size[1], dtype=np.float32) + 0.5) * self.mm)[None, :]
        y = (self.y + (np.arange(self.size[0], dtype=np.float32) + 0.5) * self.mm)[:, None]
        c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
        return c * x + s * y, -s * x + c * y


@dataclasses.dataclass
class Cloth:
    """A woven surface: sRGB colour (H, W, 3), height in mm (H, W), gloss 0..1."""

    colour: Plane
    relief: Plane
    gloss: float = 0.0


Weaver = Callable[[Ground, Patch, np.random.Generator], Cloth]


def weave(ground: Ground, patch: Patch) -> Cloth:
    """The surface over a window; the same ground gives the same surface wherever the window lies."""
    rng = np.random.default_rng([ground.seed, 7])
    cloth = WEAVERS[ground.kind](ground, patch, rng)
    if ground.gloss:
        cloth.gloss = ground.gloss
    return cloth


def _tint(ground: Ground, shade: Plane) -> Plane:
    """The ground's colour times a shade plane."""
    return shade[..., None] * np.array(ground.colour, np.float32)


def _mix(ground: Ground, share: Plane) -> Plane:
    a, b = np.array(ground.colour, np.float32), np.array(ground.second, np.float32)
    return a + share[..., None] * (b - a)


def _soft(value: Plane, low: float, high: float) -> Plane:
    t = np.clip((value - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def _felt(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    wear, fluff = float(rng.uniform(0.03, 0.25)), float(rng.uniform(0.05, 0.3))
    fibre = patch.noise("fibre", 26 * ground.scale, rng)
    second = patch.noise("rough", 60, rng)
    worn = patch.noise("cloud", 260, rng)
    shade = 1 + fluff * (fibre - 0.5) * 1.6 + 0.22 * fluff * (second - 0.5) + wear * (worn - 0.5)
    colour = _tint(ground, shade)
    if rng.random() < 0.5:
        lint = _soft(patch.noise("fibre", 55, rng), 0.90, 0.97) * float(rng.uniform(0.1, 0.6))
        colour += lint[..., None] * (0.75 - colour)
    if rng.random() < 0.35:
        dust = patch.noise("cloud", 190, rng) * patch.noise("rough", 120, rng) * float(rng.uniform(0.05, 0.35))
        colour += dust[..., None] * (0.7 - colour)
    relief = (fibre * (0.22 * ground.scale) + second * 0.15) * (0.4 + 2 * fluff)
    return Cloth(colour, np.asarray(relief, np.float32))


def _carpet(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    loops = patch.noise("cells", float(rng.uniform(25, 70)) * ground.scale, rng)
    rough = patch.noise("rough", 40, rng)
    worn = patch.noise("cloud", 220, rng)
    shade = 0.62 + 0.5 * (1 - loops) * (0.6 + 0.8 * rough) + 0.2 * (worn - 0.5)
    colour = _tint(ground, shade)
    if rng.random() < 0.4:
        fleck = _soft(patch.noise("blotch", 60, rng), 0.6, 0.75) * float(rng.uniform(0.2, 0.7))
        colour += fleck[..., None] * (np.array(ground.second, np.float32) - colour)
    return Cloth(colour, (1 - loops) * 1.6 * ground.scale + rough * 0.6)


def _leather(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    cells = patch.noise("cells", float(rng.uniform(18, 60)), rng)
    rough = patch.noise("rough", 50, rng)
    shade = 1 + 0.25 * (0.5 - cells) + 0.2 * (rough - 0.5)
    scratches = _soft(patch.noise("streak", 160, rng), 0.93, 0.99) * float(rng.uniform(0, 0.5))
    colour = _tint(ground, shade)
    colour += scratches[..., None] * (0.6 - colour)
    return Cloth(colour, (1 - cells) * 0.5 + rough * 0.15, float(rng.uniform(0.1, 0.5)))


def _wood(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    turn = np.radians(ground.angle_deg)
    long = patch.noise("grain", float(rng.uniform(140, 420)) * ground.scale, rng, -turn)
    pores = patch.noise("streak", float(rng.uniform(60, 130)), rng, -turn)
    cloud = patch.noise("cloud", 500, rng)
    _, across = patch.axes(turn)
    figure = float(rng.uniform(0.0, 1.0))
    rings = 0.5 + 0.5 * np.sin(across / float(rng.uniform(2, 9)) + long * float(rng.uniform(6, 26)))
    grain = (1 - figure) * long + figure * (0.6 * rings + 0.4 * long)
    depth = float(rng.uniform(0.15, 0.6)) if rng.random() < 0.75 else float(rng.uniform(0.6, 1.0))
    shade = 1 - depth * (grain - 0.4) - depth * 0.7 * _soft(pores, 0.72, 0.95) + 0.25 * (cloud - 0.5)
    colour = _mix(ground, np.clip(grain * 0.6, 0, 1)) * np.clip(shade, 0.1, 2)[..., None]
    if rng.random() < 0.6:
        _planks(patch, turn, rng, colour)
    return Cloth(colour, -0.25 * pores * depth + 0.1 * long, float(rng.uniform(0.0, 0.7)))


def _planks(patch: Patch, turn: float, rng: np.random.Generator, colour: Plane) -> None:
    """Boards side by side, each in its own shade, with a dark joint."""
    _, across = patch.axes(turn)
    width = float(rng.uniform(60, 180))
    at = across / width + float(rng.uniform(0, 1))
    number = np.floor(at).astype(np.int64)
    shade = rng.uniform(0.78, 1.18, 257).astype(np.float32)[number % 257]
    joint = np.clip(np.minimum(at % 1, 1 - at % 1) * width / float(rng.uniform(0.3, 1.2)), 0.35, 1)
    colour *= (shade * joint)[..., None]


def _denim(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    turn = np.radians(ground.angle_deg)
    pitch = float(rng.uniform(0.5, 1.3)) * ground.scale
    x, y = patch.axes(turn)
    fade = min(1.0, pitch / (2.2 * patch.mm))
    twill = 0.5 + 0.5 * np.sin((x + y * 0.6) * (2 * np.pi / pitch)) * np.sin(y * (2 * np.pi / pitch)) * fade
    slub = patch.noise("streak", 45, rng, -turn)
    across = patch.noise("streak", 45, rng, -turn + np.pi / 2)
    worn = patch.noise("cloud", 200, rng)
    share = np.clip(0.15 + 0.45 * twill * (0.4 + slub) + 0.55 * (across - 0.5) + 0.3 * (worn - 0.5), 0, 1)
    return Cloth(_mix(ground, share), (twill * 0.3 + slub * 0.2) * ground.scale)


def _checked(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    turn = np.radians(ground.angle_deg)
    square = float(rng.uniform(9, 32)) * ground.scale
    x, y = patch.axes(turn)
    edge = max(0.6, patch.mm)
    waves = [
        np.clip((np.abs((a / square) % 2 - 1) - 0.5) * square / edge + 0.5, 0, 1).astype(np.float32) for a in (x, y)
    ]
    share = (waves[0] + waves[1]) / 2
    thread = patch.noise("streak", 40, rng, -turn) + patch.noise("streak", 40, rng, -turn + np.pi / 2)
    folds = patch.noise("cloud", 320, rng)
    colour = _mix(ground, share) * (0.9 + 0.16 * (thread - 1) + 0.2 * (folds - 0.5))[..., None]
    return Cloth(colour.astype(np.float32), thread * 0.15 + folds * 3.0)


def _weave(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    turn = np.radians(ground.angle_deg)
    a = patch.noise("streak", 60 * ground.scale, rng, -turn)
    b = patch.noise("streak", 60 * ground.scale, rng, -turn + np.pi / 2)
    rough = patch.noise("rough", 60, rng)
    shade = 0.75 + 0.32 * (a + b - 1) + 0.25 * rough
    return Cloth(_tint(ground, shade), (a + b) * 0.3)


def _marble(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    a = patch.noise("cloud", float(rng.uniform(120, 400)), rng)
    b = patch.noise("rough", 300, rng)
    vein = np.exp(-np.abs(a - 0.5 + 0.15 * (b - 0.5)) * float(rng.uniform(15, 60)))
    share = np.clip(vein * float(rng.uniform(0.3, 1)) + 0.35 * (b - 0.4), 0, 1)
    return Cloth(_mix(ground, share.astype(np.float32)), 0 * a, float(rng.uniform(0.2, 0.9)))


def _paper(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    fine = patch.noise("fine", 60, rng)
    cloud = patch.noise("cloud", 500, rng)
    fold = patch.noise("blotch", 400, rng)
    shade = 1 + 0.05 * (fine - 0.5) + 0.08 * (cloud - 0.5)
    return Cloth(_tint(ground, shade), fine * 0.05 + fold * float(rng.uniform(0, 1.2)))


def _cardboard(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    turn = np.radians(ground.angle_deg)
    ribs = patch.noise("streak", 70, rng, -turn)
    fine = patch.noise("fibre", 35, rng)
    cloud = patch.noise("cloud", 300, rng)
    shade = 1 + 0.14 * (ribs - 0.5) + 0.2 * (fine - 0.5) + 0.12 * (cloud - 0.5)
    return Cloth(_tint(ground, shade), ribs * 0.2)


def _plastic(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    rough = patch.noise("rough", 30, rng)
    cloud = patch.noise("cloud", 400, rng)
    scratch = _soft(patch.noise("streak", 120, rng), 0.94, 1.0)
    shade = 1 + 0.05 * (rough - 0.5) + 0.12 * (cloud - 0.5) - 0.15 * scratch
    return Cloth(_tint(ground, shade), rough * float(rng.uniform(0, 0.12)), float(rng.uniform(0.0, 0.6)))


def _tray(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    """The floor of a tray, box or bowl with its edge: a band in the second colour, the table beyond."""
    cloth = (_plastic if rng.random() < 0.6 else _wood)(ground, patch, rng)
    x, y = patch.axes(np.radians(ground.angle_deg))
    at = rng.uniform(-60, 60, 2)
    half = rng.uniform(45, 170, 2)
    if rng.random() < 0.7:
        beyond = np.maximum(np.abs(x - at[0]) - half[0], np.abs(y - at[1]) - half[1])
    else:
        beyond = np.hypot(x - at[0], y - at[1]) - half[0]
    beyond = np.asarray(beyond, np.float32)
    wide = float(rng.uniform(4, 45))
    edge = max(0.5, patch.mm)
    band = np.clip(beyond / edge + 0.5, 0, 1)
    outside = np.clip((beyond - wide) / edge + 0.5, 0, 1)
    dark = 1 - 0.45 * np.exp(-np.maximum(-beyond, 0) / float(rng.uniform(3, 14)))
    colour = cloth.colour * np.asarray(dark, np.float32)[..., None]
    rim = np.array(ground.second, np.float32) * (0.85 + 0.3 * patch.noise("grain", 150, rng))[..., None]
    colour += band[..., None] * (rim - colour)
    table = np.asarray(rng.uniform(0.05, 0.9, 3), np.float32) * (0.9 + 0.2 * patch.noise("rough", 80, rng))[..., None]
    colour += outside[..., None] * (table - colour)
    return Cloth(np.asarray(colour, np.float32), cloth.relief, cloth.gloss)


def _stone(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    speck = patch.noise("fine", float(rng.uniform(60, 220)), rng)
    blotch = patch.noise("blotch", float(rng.uniform(40, 120)), rng)
    cloud = patch.noise("cloud", 300, rng)
    share = np.clip(_soft(speck, 0.6, 0.85) * 0.7 + 0.4 * _soft(blotch, 0.6, 0.8), 0, 1)
    colour = _mix(ground, share) * (1 + 0.25 * (cloud - 0.5))[..., None]
    return Cloth(colour, speck * 0.1, float(rng.uniform(0, 0.6)))


def _tiles(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    turn = np.radians(ground.angle_deg)
    side = float(rng.uniform(25, 110))
    x, y = patch.axes(turn)
    grout = float(rng.uniform(1.0, 3.5))
    gap = np.minimum(np.abs(x / side % 1 - 0.5), np.abs(y / side % 1 - 0.5))
    near = np.maximum(np.abs(x / side % 1 - 0.5), np.abs(y / side % 1 - 0.5))
    joint = _soft((0.5 - near) * side, grout * 0.4, grout * 0.7)
    number = (np.floor(x / side) * 31 + np.floor(y / side) * 17).astype(np.int64)
    shade = rng.uniform(0.85, 1.1, 257).astype(np.float32)[number % 257]
    cloud = patch.noise("rough", 150, rng)
    colour = _mix(ground, 1 - joint) * (shade + 0.15 * (cloud - 0.5))[..., None]
    return Cloth(colour.astype(np.float32), joint * 0.8 + 0 * gap, float(rng.uniform(0.1, 0.9)))


def _printed(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    """A printed mat: stripes, spots or shapes in flat colours."""
    turn = np.radians(ground.angle_deg)
    x, y = patch.axes(turn)
    pitch = float(rng.uniform(6, 45))
    edge = max(0.25, patch.mm * 0.7)
    kind = rng.integers(4)
    if kind == 0:
        share = np.clip((np.abs(x / pitch % 1 - 0.5) - 0.25) * pitch / edge + 0.5, 0, 1) + 0 * y
    elif kind == 1:
        d = np.hypot(x / pitch % 1 - 0.5, y / pitch % 1 - 0.5)
        share = np.clip((float(rng.uniform(0.12, 0.38)) - d) * pitch / edge + 0.5, 0, 1)
    elif kind == 2:
        blot = patch.noise("blotch", pitch * 8, rng)
        share = np.clip((blot - 0.6) * 10, 0, 1)
    else:
        d = np.minimum(np.abs(x / pitch % 1 - 0.5), np.abs(y / pitch % 1 - 0.5)) * pitch
        share = np.clip((float(rng.uniform(0.3, 1.5)) - d) / edge + 0.5, 0, 1)
    thread = patch.noise("rough", 50, rng)
    colour = _mix(ground, np.asarray(share, np.float32)) * (0.9 + 0.2 * thread)[..., None]
    return Cloth(colour, thread * 0.1, float(rng.choice([0.0, 0.0, 0.4])))


def _grid(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    """Squared paper: fine lines, every fifth or tenth stronger."""
    paper = _paper(ground, patch, rng)
    x, y = patch.axes(np.radians(ground.angle_deg))
    pitch, line = float(rng.choice([4.0, 5.0, 10.0])), float(rng.uniform(0.15, 0.6))
    every, edge = int(rng.choice([1, 5, 10])), max(0.2, patch.mm * 0.7)
    share: Plane = np.zeros(patch.size, np.float32)
    for step, wide, strong in ((pitch, line, float(rng.uniform(0.35, 0.9))), (pitch * every, line * 1.6, 1.0)):
        near = np.minimum(np.abs((x / step) % 1 - 0.5), np.abs((y / step) % 1 - 0.5)) * step
        thin = min(1.0, wide / edge)
        share = np.maximum(share, np.clip((wide / 2 - near) / edge + 0.5, 0, 1) * strong * thin)
    ink = np.array(ground.second, np.float32)
    paper.colour = paper.colour + share[..., None] * (ink - paper.colour)
    return paper


def _box(ground: Ground, patch: Patch, rng: np.random.Generator) -> Cloth:
    """The plain floor of a small box, its walls seen as bands about it, their feet in shade."""
    cloth = _plastic(ground, patch, rng)
    x, y = patch.axes(np.radians(ground.angle_deg))
    at, half = rng.uniform(-25, 25, 2), rng.uniform(50, 130, 2)
    beyond = np.maximum(np.abs(x - at[0]) - half[0], np.abs(y - at[1]) - half[1]).astype(np.float32)
    foot = float(rng.uniform(0.1, 0.5)) * np.exp(-np.abs(beyond) / float(rng.uniform(2, 12)))
    wall = np.clip(beyond / max(0.6, patch.mm) + 0.5, 0, 1)
    side = np.where(np.abs(x - at[0]) - half[0] > np.abs(y - at[1]) - half[1], 1.0, float(rng.uniform(0.7, 1.1)))
    tone = np.array(ground.second, np.float32) * side[..., None]
    cloth.colour = (cloth.colour + wall[..., None] * (tone - cloth.colour)) * (1 - foot)[..., None]
    cloth.colour = np.asarray(cloth.colour, np.float32)
    return cloth


WEAVERS: dict[str, Weaver] = {
    "felt": _felt,
    "carpet": _carpet,
    "leather": _leather,
    "wood": _wood,
    "denim": _denim,
    "checked": _checked,
    "weave": _weave,
    "marble": _marble,
    "paper": _paper,
    "cardboard": _cardboard,
    "plastic": _plastic,
    "tray": _tray,
    "stone": _stone,
    "tiles": _tiles,
    "printed": _printed,
    "grid": _grid,
    "box": _box,
}
"""Every kind of ground and how it is woven."""


def relief_slopes(relief: Plane, mm: float) -> tuple[Plane, Plane]:
    """Slopes of a relief (mm) along x and y."""
    k = 1 / (2 * mm)
    dx = cv2.filter2D(relief, -1, np.array([[-k, 0, k]], np.float32))
    dy = cv2.filter2D(relief, -1, np.array([[-k], [0], [k]], np.float32))
    return np.asarray(dx, np.float32), np.asarray(dy, np.float32)
