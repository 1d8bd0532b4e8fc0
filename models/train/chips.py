"""What the face reader learns from: chips (a die with its neighbourhood) kept as arrays, cut anew each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.train.labels import DieLabel, PictureLabel, load, picture
from models.train.looks import varied
from vision.crops import CROP, FACES, HALF_EDGE, SPAN, WIDER, Kind, shape_from_corners

CHIP = 128
CHIP_SPAN = 2 * SPAN
"""A chip is so many edges wide, at the same pixels per edge as a crop."""
MOST_PIPS = 6
MOST_NEIGHBOURS = 8
FAR = 1e3
PIP_MAP = CROP // 2
Array = npt.NDArray[np.float32]


class Pixels:
    """Arrays of chips (n, CHIP, CHIP, 3) one after the other, left on the disk where they lie there."""

    def __init__(self, *parts: npt.NDArray[np.uint8]) -> None:
        self.parts = parts
        self._ends = np.cumsum([len(part) for part in parts])

    def __getitem__(self, i: int) -> npt.NDArray[np.uint8]:
        which = int(np.searchsorted(self._ends, i, side="right"))
        return np.asarray(self.parts[which][i - int(self._ends[which])])


@dataclass(frozen=True)
class Chips:
    """Coordinates in chip pixels; what is missing is at `FAR`."""

    pixels: Pixels
    kind: npt.NDArray[np.int64]
    corners: Array
    pips: Array
    normal: Array
    neighbours: Array
    edge_px: Array
    material: npt.NDArray[np.str_]
    on_top: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.kind)

    def joined(self, others: Sequence[Chips]) -> Chips:
        every = [self, *others]
        pixels = Pixels(*(part for chips in every for part in chips.pixels.parts))
        names = [name for name in self.__dataclass_fields__ if name != "pixels"]
        return Chips(pixels, *(np.concatenate([getattr(c, name) for c in every]) for name in names))


def gather(folder: Path, cache: Path, holdout: bool = False, backgrounds: int = 2, seed: int = 0) -> Chips:
    """All chips of a folder: each die, one of its pips as if it were a die, and ground without dice; cached on disk."""
    pictures = load(folder, holdout)
    stem = cache / f"chips3-{folder.name}-{'held' if holdout else 'fit'}-{len(pictures)}"
    if not (stem.with_suffix(".npz")).exists():
        rng = np.random.default_rng(seed)
        rows = [row for label in pictures for row in _of_picture(label, backgrounds, rng)]
        cache.mkdir(parents=True, exist_ok=True)
        np.save(stem.with_suffix(".npy"), np.concatenate([part for row in rows for part in row.pixels.parts]))
        rest = {
            name: np.concatenate([getattr(row, name) for row in rows])
            for name in Chips.__dataclass_fields__
            if name != "pixels"
        }
        np.savez(stem.with_suffix(".npz"), **rest)
    told = np.load(stem.with_suffix(".npz"))
    pixels = np.load(stem.with_suffix(".npy"), mmap_mode="r")
    return Chips(Pixels(pixels), **{name: told[name] for name in Chips.__dataclass_fields__ if name != "pixels"})


def _of_picture(label: PictureLabel, backgrounds: int, rng: np.random.Generator) -> Iterator[Chips]:
    pixels = picture(label.path)
    smaller = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    for die in label.dice:
        if die.edge < 8 or die.visible < 0.05:
            continue
        yield _chip(pixels, smaller, label, die.center, die.edge, die.kind, die)
        if len(die.pips) and die.visible > 0.8 and rng.random() < 0.5:
            pip = die.pips[rng.integers(len(die.pips))]
            size = die.edge * rng.uniform(0.14, 0.4)
            if size >= 5:
                yield _chip(pixels, smaller, label, (float(pip[0]), float(pip[1])), size, Kind.NOTHING, None)
    for place in label.ground:
        yield _chip(pixels, smaller, label, place.center, place.edge, Kind.NOTHING, None)
    edge = float(np.median([die.edge for die in label.dice])) if label.dice else 40.0
    height, width = pixels.shape[:2]
    for _ in range(backgrounds):
        size = edge * float(np.exp(rng.uniform(-1.0, 0.7)))
        at = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        if all(max(abs(at[0] - d.center[0]), abs(at[1] - d.center[1])) > 0.75 * d.edge for d in label.dice):
            yield _chip(pixels, smaller, label, at, size, Kind.NOTHING, None)


def _chip(
    pixels: npt.NDArray[np.uint8],
    smaller: npt.NDArray[np.uint8],
    label: PictureLabel,
    center: tuple[float, float],
    edge: float,
    kind: int,
    die: DieLabel | None,
) -> Chips:
    scale = 2 * HALF_EDGE / edge
    source, factor = (smaller, 2.0) if scale < 0.6 else (pixels, 1.0)
    middle = (CHIP - 1) / 2
    shift = np.array([middle - scale * center[0], middle - scale * center[1]])
    matrix = np.array([[scale * factor, 0, shift[0]], [0, scale * factor, shift[1]]])
    chip = _warped(source, matrix, CHIP)

    def moved(points: npt.ArrayLike, most: int) -> Array:
        out = np.full((most, 2), FAR, dtype=np.float32)
        some = np.asarray(points, dtype=np.float64).reshape(-1, 2)[:most] * scale + shift
        out[: len(some)] = some
        return out

    others = [d.center for d in label.dice if d is not die]
    others.sort(key=lambda c: (c[0] - center[0]) ** 2 + (c[1] - center[1]) ** 2)
    return Chips(
        Pixels(chip[None]),
        np.array([kind]),
        moved(die.corners if die and die.shaped else [], 4)[None],
        moved(die.pips if die else [], MOST_PIPS)[None],
        np.array([(FAR, FAR) if die is None or die.normal is None else die.normal], dtype=np.float32),
        moved(others, MOST_NEIGHBOURS)[None],
        np.array([edge], dtype=np.float32),
        np.array([die.material if die else "ground"], dtype="<U16"),
        np.array([bool(die and die.on_top)]),
    )


@dataclass(frozen=True)
class Batch:
    """`crops` (n, 3, CROP, CROP); `shape`, `pips`, `normal` count only where `has_shape`, `has_pips`, `has_normal`."""

    crops: npt.NDArray[np.uint8]
    kind: npt.NDArray[np.int64]
    shape: Array
    has_shape: npt.NDArray[np.bool_]
    pips: Array
    has_pips: npt.NDArray[np.bool_]
    normal: Array
    has_normal: npt.NDArray[np.bool_]


SHARES = {Kind.SYMBOL: 0.07, Kind.COCKED: 0.05, Kind.STACKED: 0.22, Kind.NOTHING: 0.18}
"""Of a batch; the six faces share the rest evenly, and off-centre and wrong-size dice come on top as NOTHING."""
ON_TOP = 0.5
"""Of the stacked or covered ones: lying on another die, which is rarer in the pictures and harder to see."""
SPOILED = 0.12
"""Of all dice: moved or sized so far off that they must be refused."""


def batches(chips: Chips, size: int, rng: np.random.Generator, upright: bool = False) -> Iterator[Batch]:
    """Endless seeded batches, kinds mixed as in `SHARES`; `upright`: as a second look sees them (see `_place`)."""
    pools = {k: np.flatnonzero(chips.kind == k) for k in range(FACES + len(Kind))}
    pools = {k: pool for k, pool in pools.items() if len(pool)}
    faces = (1 - sum(SHARES.values())) / FACES
    shares = np.array([SHARES[Kind(k)] if k >= FACES else faces for k in pools])
    kinds = np.array(list(pools))
    on_top = np.flatnonzero(chips.on_top)
    while True:
        drawn = rng.choice(kinds, size=size, p=shares / shares.sum())
        tops = (drawn == Kind.STACKED) & (rng.random(size) < ON_TOP) & (len(on_top) > 0)
        from_pools = (on_top if top else pools[k] for k, top in zip(drawn, tops, strict=True))
        yield stack([_sample(chips, int(rng.choice(pool)), rng, upright) for pool in from_pools])


Sample = tuple[npt.NDArray[np.uint8], int, Array | None, Array | None, Array | None]


def stack(samples: Sequence[Sample]) -> Batch:
    nothing = np.zeros(6, np.float32)
    empty = np.zeros((PIP_MAP, PIP_MAP), np.float32)
    return Batch(
        np.ascontiguousarray(np.stack([s[0] for s in samples]).transpose(0, 3, 1, 2)),
        np.array([s[1] for s in samples]),
        np.stack([nothing if s[2] is None else s[2] for s in samples]),
        np.array([s[2] is not None for s in samples]),
        np.stack([empty if s[3] is None else s[3] for s in samples])[:, None],
        np.array([s[3] is not None for s in samples]),
        np.stack([nothing[:2] if s[4] is None else s[4] for s in samples]),
        np.array([s[4] is not None for s in samples]),
    )


def _sample(chips: Chips, i: int, rng: np.random.Generator, upright: bool = False) -> Sample:
    kind = int(chips.kind[i])
    is_die = kind != Kind.NOTHING
    around = WIDER if upright else 1.0
    upright = upright and rng.random() > ASTRAY
    for _ in range(4):
        spoiled = is_die and rng.random() < (SPOILED_UPRIGHT if upright else SPOILED)
        offset, zoom = _spoil(rng) if spoiled else _place(rng, upright)
        if not is_die:
            zoom = float(np.exp(rng.uniform(-0.5, 0.5))) * around**0.5  # a wide crop of it must fit the chip
        at = (CHIP - 1) / 2 + offset * 2 * HALF_EDGE
        near = np.abs(chips.neighbours[i] - at).max(axis=1).min()
        if not (spoiled or not is_die) or near > 1.1 * HALF_EDGE:
            break
    else:
        spoiled, offset, zoom = False, np.zeros(2), 1.0
        at = np.full(2, (CHIP - 1) / 2)
    zoom /= around
    matrix = _matrix(at, zoom, rng, chips.corners[i] if upright else None)
    flat = matrix[:, :2], matrix[:, 2]
    corners = chips.corners[i] @ flat[0].T + flat[1]
    pips = chips.pips[i][chips.pips[i, :, 0] < FAR / 2] @ flat[0].T + flat[1]
    chip = chips.pixels[i]
    known = bool(chips.corners[i, 0, 0] < FAR / 2)
    if rng.random() < CUT_OFF and (known or not is_die):
        chip, cut = _cut_off(chip, rng)
        if is_die and not spoiled and not _is_whole(chips.corners[i], chips.pips[i], cut):
            kind = int(Kind.STACKED) if kind < FACES or kind == Kind.SYMBOL else kind
    crop = varied(_warped(chip, matrix, CROP), rng, SHRUNK_UPRIGHT if upright else SHRUNK)
    if spoiled or not is_die:
        return crop, int(Kind.NOTHING), None, np.zeros((PIP_MAP, PIP_MAP), np.float32) if not is_die else None, None
    shaped = known and (kind < FACES or kind == Kind.SYMBOL)
    counted = shaped and (len(pips) > 0 or kind == Kind.SYMBOL)  # photographs are not labelled with pips
    normal = chips.normal[i] @ (matrix[:, :2] / zoom).T if chips.normal[i, 0] < FAR / 2 and kind < Kind.COCKED else None
    return crop, kind, shape_from_corners(corners) if shaped else None, pip_heat(pips) if counted else None, normal


ASTRAY = 0.1
"""Of the second looks so many are as badly placed as a first one."""
SPOILED_UPRIGHT = 0.05
SHRUNK, SHRUNK_UPRIGHT = (16.0, 40.0), (30.0, 62.0)
"""Pixels of a crop's side that are left of it, where it is made to look as from afar (see `varied`)."""


def _place(rng: np.random.Generator, upright: bool) -> tuple[npt.NDArray[np.float64], float]:
    """How far beside a die's middle, in edges, and how much larger a look is taken.

    A first look is as far off as the finder is. A second one knows from the first, about as well as is drawn here,
    where the top lies and how large and how turned it is.
    """
    if upright:
        return np.clip(rng.normal(0, 0.045, 2), -0.15, 0.15), float(np.exp(np.clip(rng.normal(0.02, 0.11), -0.25, 0.3)))
    return rng.uniform(-0.2, 0.2, 2), float(np.exp(rng.uniform(-0.34, 0.30)))


CUT_OFF = 0.08
"""Of all chips so many lie at the picture's edge, which is drawn out beyond itself when a crop is cut."""
LEAST_UNCUT = 0.8
"""A top of which less is in the picture, or whose pips are not all, is covered."""


def _cut_off(chip: npt.NDArray[np.uint8], rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], tuple[int, int]]:
    """The chip with the picture's edge through it: axis, and the first row or column beyond."""
    away = round(float(rng.uniform(0.3, 0.9)) * 2 * HALF_EDGE)
    axis, last = int(rng.integers(2)), CHIP // 2 + away
    chip = chip.copy()
    if axis == 0:
        chip[last:] = chip[last - 1]
    else:
        chip[:, last:] = chip[:, last - 1 : last]
    return chip, (axis, last)


def _is_whole(corners: Array, pips: Array, cut: tuple[int, int]) -> bool:
    """Whether the top's pips and most of its area lie before the cut."""
    axis, last = cut
    along = 1 - axis
    pips = pips[pips[:, 0] < FAR / 2]
    if (pips[:, along] > last - 0.14 * 2 * HALF_EDGE).any():
        return False
    share = np.linspace(0, 1, 12)
    u, v = np.meshgrid(share, share)
    a, b, _, d = corners
    points = a + u[..., None] * (b - a) + v[..., None] * (d - a)
    return bool((points[..., along] < last).mean() >= LEAST_UNCUT)


def _warped(pixels: npt.NDArray[np.uint8], matrix: npt.NDArray[np.float64], side: int) -> npt.NDArray[np.uint8]:
    found = cv2.warpAffine(pixels, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, dtype=np.uint8)


def _spoil(rng: np.random.Generator) -> tuple[npt.NDArray[np.float64], float]:
    """Half a die beside the middle, or twice too large, or half too small."""
    which = rng.random()
    if which < 0.5:
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 0.8)
        return far * np.array([np.cos(angle), np.sin(angle)]), float(np.exp(rng.uniform(-0.2, 0.2)))
    if which < 0.8:
        return rng.uniform(-0.35, 0.35, 2), float(rng.uniform(1.75, 3.0))
    return rng.uniform(-0.2, 0.2, 2), float(rng.uniform(0.35, 0.55))


def _matrix(
    at: npt.NDArray[np.float64], zoom: float, rng: np.random.Generator, corners: Array | None = None
) -> npt.NDArray[np.float64]:
    """Chip → crop: turned any way, or, where `corners` tell how the top lies, about upright; mirrored now and then."""
    angle = rng.uniform(0, 2 * np.pi)
    upright = corners is not None
    if corners is not None and corners[0, 0] < FAR / 2:
        across = corners[1] - corners[0] + corners[2] - corners[3]
        angle = np.radians(rng.normal(0, 4.5)) - np.arctan2(across[1], across[0]) + rng.integers(4) * np.pi / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if rng.random() < (0.15 if upright else 0.4):
        most = 0.04 if upright else 0.09
        stretch, axis = np.exp(rng.uniform(-most, most)), rng.uniform(0, np.pi)
        along = np.array([[np.cos(axis), -np.sin(axis)], [np.sin(axis), np.cos(axis)]])
        turn = along @ np.diag([stretch, 1 / stretch]) @ along.T @ turn
    if rng.random() < (0.25 if upright else 0.5):
        turn = np.diag([-1.0, 1.0]) @ turn
    rows = turn * zoom
    return np.hstack([rows, ((CROP - 1) / 2 - rows @ at)[:, None]])


_GRID = np.arange(PIP_MAP, dtype=np.float32)


def pip_heat(pips: npt.NDArray[np.float64], sigma: float = 1.1) -> Array:
    """Gaussian spots at pips given in crop pixels, on the map of half that size."""
    heat = np.zeros((PIP_MAP, PIP_MAP), np.float32)
    for x, y in (pips - 0.5) / 2:
        spot = np.exp(-((_GRID[:, None] - y) ** 2 + (_GRID[None] - x) ** 2) / (2 * sigma**2))
        heat = np.maximum(heat, spot)
    return heat
