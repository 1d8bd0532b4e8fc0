"""The level world seen from above as one picture: table, board floor, rim tops, and flat things on them."""

import dataclasses

import cv2
import numpy as np
import numpy.typing as npt

from models.render import symbols
from models.render.grounds import Cloth, Patch, relief_slopes, weave
from models.render.scene import Board, Clutter, Scene
from models.render.sprite_tools import DETAIL
from models.render.sprites import SPRITES, make_sprite

Plane = npt.NDArray[np.float32]
Canvas = npt.NDArray[np.float32]
"""Planes red, green, blue (sRGB), gloss, slope x, slope y: (H, W, 6)."""

STEEPEST = 1.5
"""Slope that the full range of the slope texture stands for."""


@dataclasses.dataclass
class Surface:
    """`colours` (H, W, 4) sRGB and gloss, `slopes` (H, W, 2), over a window in world mm; `mean` is linear."""

    colours: npt.NDArray[np.uint8]
    slopes: npt.NDArray[np.uint8]
    x: float
    y: float
    width: float
    height: float
    mean: tuple[float, float, float]


def build_surface(scene: Scene, low: tuple[float, float], high: tuple[float, float], mm: float) -> Surface:
    """Weave the window from `low` to `high` (world mm) at `mm` a texel."""
    size = (int(np.ceil((high[1] - low[1]) / mm)) + 1, int(np.ceil((high[0] - low[0]) / mm)) + 1)
    patch = Patch(size, mm, low[0], low[1])
    canvas = _laid(weave(scene.ground, patch), mm)
    mean = canvas[::4, ::4, :3].reshape(-1, 3).mean(axis=0)
    if scene.board is not None:
        mean = lay_board(canvas, scene.board, patch)
    for thing in scene.clutter:
        if thing.kind in SPRITES:
            lay_sprite(canvas, thing, patch)
    canvas[..., :4] = np.clip(canvas[..., :4], 0.003, 1.0)
    canvas[..., 4:] = np.clip(canvas[..., 4:] / STEEPEST * 0.5 + 0.5, 0, 1)
    bytes_ = (canvas * 255 + 0.5).astype(np.uint8)
    light = np.clip(mean, 0.01, 1) ** 2.2
    return Surface(
        np.ascontiguousarray(bytes_[..., :4]),
        np.ascontiguousarray(bytes_[..., 4:]),
        low[0],
        low[1],
        size[1] * mm,
        size[0] * mm,
        (float(light[0]), float(light[1]), float(light[2])),
    )


def _laid(cloth: Cloth, mm: float) -> Canvas:
    """A cloth as planes: red, green, blue, gloss, slope x, slope y."""
    dx, dy = relief_slopes(np.asarray(cloth.relief, np.float32), mm)
    out = np.empty((*cloth.relief.shape, 6), np.float32)
    out[..., :3] = cloth.colour
    out[..., 3] = cloth.gloss
    out[..., 4] = dx
    out[..., 5] = dy
    return out


def lay_board(canvas: Canvas, board: Board, patch: Patch) -> Canvas:
    """Lay the board's floor and rim onto the canvas; returns the floor's mean colour."""
    floor = _mask(board.octagon(0.3), patch)
    _blend(canvas, _laid(weave(board.floor, patch), patch.mm), floor)
    if board.logo >= 0:
        _logo(canvas, board, patch)
    ring = _mask(board.octagon(board.rim_width + 0.3), patch) * (1 - floor)
    if ring.any():
        _blend(canvas, _rim(board, patch, ring > 0), ring)
    inside = canvas[::3, ::3, :3][floor[::3, ::3] > 0.9]
    return np.asarray(inside.mean(axis=0) if len(inside) else canvas[::4, ::4, :3].reshape(-1, 3).mean(axis=0))


def _blend(canvas: Canvas, layer: Canvas, share: Plane) -> None:
    canvas += share[..., None] * (layer - canvas)


def _mask(ring: npt.NDArray[np.float64], patch: Patch) -> Plane:
    points = (ring[:, :2] - [patch.x, patch.y]) / patch.mm
    m = np.zeros(patch.size, np.float32)
    return np.asarray(cv2.fillPoly(m, [(points * 16).round().astype(np.int32)], (1.0,), cv2.LINE_AA, 4), np.float32)


def _rim(board: Board, patch: Patch, wanted: npt.NDArray[np.bool_]) -> Canvas:
    """The rim's tops: one long strip of wood with its chalk, bent around the octagon; only where wanted."""
    inner = board.across / 2 - board.rim_width
    side = 2 * (board.across / 2) * np.tan(np.pi / 8)
    mm = patch.mm
    x, y = patch.axes(0.0)
    x, y = x - board.centre[0], y - board.centre[1]
    out: Plane = np.full(patch.size, -1e9, np.float32)
    along: Plane = np.zeros(patch.size, np.float32)
    for k in range(8):
        turn = np.radians(board.angle_deg) + k * np.pi / 4
        c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
        reach = c * x + s * y
        better = reach > out
        np.copyto(out, reach, where=better)
        np.copyto(along, c * y - s * x + np.float32(side / 2 + k * (side + 4)), where=better)
    first, last = float(along[wanted].min()) - 2, float(along[wanted].max()) + 2
    strip_size = (int((board.rim_width + 8) / mm) + 2, int((last - first) / mm) + 2)
    strip_patch = Patch(strip_size, mm, first, 0.0)
    strip = _laid(weave(board.rim, strip_patch), mm)
    _chalk(strip, board, strip_patch, side)
    u = (along - np.float32(first)) / np.float32(mm)
    v = (out - np.float32(inner - 4)) / np.float32(mm)
    bent = np.zeros((*patch.size, 6), np.float32)
    bent[..., :4] = cv2.remap(strip[..., :4], u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    sides = along % np.float32(side + 4)
    bent[..., :3] *= np.clip(np.minimum(sides, side - sides) / 0.5, 0.45, 1)[..., None]
    return bent


def _chalk(strip: Canvas, board: Board, patch: Patch, side: float) -> None:
    """Strokes in bundles across the rim, smudges where some were wiped, dust."""
    rng = np.random.default_rng([board.seed, 8])
    mm = patch.mm
    h, w = strip.shape[:2]
    chalk = np.zeros((h, w), np.float32)
    left = board.strokes
    tone = np.array([0.92, 0.92, 0.88]) if rng.random() < 0.8 else rng.uniform(0.5, 1.0, 3)
    k = 0
    while left > 0 and k < 8:
        part = int(k) if rng.random() < 0.8 else int(rng.integers(8))
        at = part * (side + 4) + float(rng.uniform(0.15, 0.5)) * side
        step = float(rng.uniform(3.5, 7))
        for i in range(min(left, int(rng.integers(1, 12)))):
            left -= 1
            tall = float(rng.uniform(0.35, 0.75)) * board.rim_width
            x = at + i * step + float(rng.normal(0, 0.5))
            if i % 5 == 4 and rng.random() < 0.6:
                ends = (
                    (x - 5 * step, 4 + 0.2 * board.rim_width),
                    (x - step * 0.5, 4 + 0.8 * board.rim_width),
                )
            else:
                low = 4 + (board.rim_width - tall) * float(rng.uniform(0.3, 0.7))
                ends = ((x + float(rng.normal(0, 0.8)), low), (x + float(rng.normal(0, 0.8)), low + tall))
            a, b = ((int((q - patch.x) / mm * 16), int(r / mm * 16)) for q, r in ends)
            thick = max(1, round(float(rng.uniform(0.9, 2.2)) / mm))
            cv2.line(chalk, a, b, (float(rng.uniform(0.6, 1)),), thick, cv2.LINE_AA, 4)
        k += 1
    rough = patch.noise("rough", 40, rng)
    smudge = patch.noise("cloud", 160, rng)
    share = chalk * np.clip(rough * 2.2 - 0.25, 0, 1) + board.dust * np.clip(smudge * 1.6 - 0.6, 0, 1) * (0.4 + rough)
    share = np.clip(share, 0, 1)[..., None]
    strip[..., :3] += share * (tone.astype(np.float32) - strip[..., :3])
    strip[..., 3:4] *= 1 - share


def _logo(canvas: Canvas, board: Board, patch: Patch) -> None:
    """A print on the floor: an emblem in a ring, or a word."""
    rng = np.random.default_rng([board.seed, 9])
    side = 256
    m: Plane = np.zeros((side, side), np.float32)
    if rng.random() < 0.6:
        row, column = divmod(board.logo % 32, symbols.COLUMNS)
        cell = symbols.atlas()[row * 128 : row * 128 + 128, column * 128 : column * 128 + 128]
        m[64:192, 64:192] = cell.astype(np.float32) / 255
        if rng.random() < 0.7:
            cv2.circle(m, (128, 128), 110, (1.0,), 6, cv2.LINE_AA)
    else:
        word = str(rng.choice(["PIETJESBAK", "CAFE", "PROOST", "BIER", "69"]))
        (w, _), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_TRIPLEX, 1.0, 2)
        scale = 230 / w
        at = (13, 128 + int(10 * scale))
        cv2.putText(m, word, at, cv2.FONT_HERSHEY_TRIPLEX, scale, (1.0,), max(2, int(2 * scale)), cv2.LINE_AA)
    m = np.ascontiguousarray(m[::-1])
    size = float(rng.uniform(0.25, 0.75)) * (board.across - 2 * board.rim_width)
    k = patch.mm * side / size
    a = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(a) * k, np.sin(a) * k
    ox, oy = (patch.x - board.centre[0]) / patch.mm, (patch.y - board.centre[1]) / patch.mm
    warp = np.array([[c, s, side / 2 + c * ox + s * oy], [-s, c, side / 2 - s * ox + c * oy]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    share = cv2.warpAffine(m, warp, (patch.size[1], patch.size[0]), flags=flags) * float(rng.uniform(0.25, 0.85))
    tone = np.array(rng.choice(np.array([[0.85, 0.7, 0.3], [0.9, 0.9, 0.88], [0.05, 0.05, 0.05], [0.7, 0.1, 0.1]])))
    canvas[..., :3] += share[..., None] * (tone.astype(np.float32) - canvas[..., :3])


def lay_sprite(canvas: Canvas, thing: Clutter, patch: Patch) -> None:
    """Paint a flat thing's picture where it lies."""
    sprite = make_sprite(thing.kind, thing.size, thing.seed)
    h, w = sprite.picture.shape[:2]
    a = np.radians(thing.angle_deg)
    reach = np.hypot(h, w) / DETAIL / 2 + 1
    x0 = max(0, int((thing.x - reach - patch.x) / patch.mm))
    x1 = min(patch.size[1], int((thing.x + reach - patch.x) / patch.mm) + 2)
    y0 = max(0, int((thing.y - reach - patch.y) / patch.mm))
    y1 = min(patch.size[0], int((thing.y + reach - patch.y) / patch.mm) + 2)
    if x1 <= x0 or y1 <= y0:
        return
    picture, k = sprite.picture[::-1], patch.mm * DETAIL
    while k > 1.7:
        h, w = max(h // 2, 2), max(w // 2, 2)
        picture, k = np.asarray(cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA), np.float32), k / 2
    c, s = np.cos(a) * k, np.sin(a) * k
    ox = x0 - (thing.x - patch.x) / patch.mm + 0.5
    oy = y0 - (thing.y - patch.y) / patch.mm + 0.5
    warp = np.array([[c, s, w / 2 - 0.5 + c * ox + s * oy], [-s, c, h / 2 - 0.5 - s * ox + c * oy]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(np.ascontiguousarray(picture), warp, (x1 - x0, y1 - y0), flags=flags)
    part = canvas[y0:y1, x0:x1]
    share = out[..., 3:4]
    part[..., :3] += share * (out[..., :3] - part[..., :3])
    part[..., 3:4] += share * (sprite.gloss - part[..., 3:4])
    part[..., 4:] *= 1 - 0.9 * share


def cookie(kind: str, seed: int) -> npt.NDArray[np.uint8]:
    """What stands in the lamp's light: a mask (128, 128), white where the light passes."""
    rng = np.random.default_rng([seed, 5])
    side = 128
    if kind == "none":
        return np.full((side, side), 255, np.uint8)
    m: npt.NDArray[np.uint8] = np.full((side, side), 255, np.uint8)
    if kind == "edge":
        a = rng.uniform(0, 2 * np.pi)
        u = np.array([np.cos(a), np.sin(a)])
        v = np.array([-u[1], u[0]])
        c = side * (0.5 + rng.uniform(-0.2, 0.2, 2))
        quad = np.array([c - v * 200, c + v * 200, c + v * 200 + u * 300, c - v * 200 + u * 300])
        m = np.asarray(cv2.fillPoly(m, [quad.round().astype(np.int32)], (0.0,)), np.uint8)
    elif kind == "person":
        c = rng.uniform(0.15, 0.85, 2) * side
        for _ in range(int(rng.integers(2, 5))):
            r = rng.uniform(8, 45, 2).astype(int)
            at = (c + rng.normal(0, 18, 2)).astype(int)
            m = np.asarray(
                cv2.ellipse(
                    m,
                    (int(at[0]), int(at[1])),
                    (int(r[0]), int(r[1])),
                    float(rng.uniform(0, 180)),
                    0.0,
                    360.0,
                    (0.0,),
                    -1,
                ),
                np.uint8,
            )
    elif kind == "bars":
        a = rng.uniform(0, np.pi)
        y, x = np.mgrid[:side, :side]
        d = x * np.cos(a) + y * np.sin(a)
        m = np.where((d / rng.uniform(12, 60)) % 1 < rng.uniform(0.2, 0.7), 255, 0).astype(np.uint8)
    elif kind == "dapple":
        n = cv2.resize(rng.random((12, 12)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
        m = np.clip((n - rng.uniform(0.35, 0.6)) * 900 + 128, 0, 255).astype(np.uint8)
    blur = float(rng.choice([0.6, 1.5, 4.0]))
    return np.asarray(cv2.GaussianBlur(m, (0, 0), blur), np.uint8)
