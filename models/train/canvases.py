"""What the finder learns from: canvases patched together from pictures, each brought to its own scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.train.hands import cells_covered
from models.train.labels import HARDLY_VISIBLE, PictureLabel, load, picture
from models.train.looks import varied
from vision.crops import Kind
from vision.nets import STRIDE, UNIT_EDGE

SMALLEST, LARGEST = 7.5, 21.0
"""Edges that must be found; down to `UNSEEN_BELOW` and up to `UNSEEN_ABOVE` may be, beyond must not."""
UNSEEN_BELOW, UNSEEN_ABOVE = 5.5, 30.0
CANVAS = 256
CELLS = CANVAS // STRIDE
KEPT_EDGE, KEPT_LARGE_EDGE, KEPT_LARGE_SHARE = 36.0, 110.0, 0.2
"""Pictures are kept shrunk to dice of so many pixels, a fifth of them larger: what is searched is small."""
BLUR_TO = (28.0, 54.0)
Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Stock:
    """Pictures end to end in one array; `dice` rows are x, y, edge, visible, kind in pixels of the kept picture."""

    pixels: npt.NDArray[np.uint8]
    start: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]  # height, width
    dice: list[Array]
    edge: Array  # median edge of the picture's dice; of others on the same camera where it has none
    hand: npt.NDArray[np.bool_]
    outlines: list[list[Array]]  # of each picture's hand, where they were told

    def __len__(self) -> int:
        return len(self.start)

    def picture(self, i: int) -> npt.NDArray[np.uint8]:
        height, width = self.size[i]
        return self.pixels[self.start[i] : self.start[i] + height * width * 3].reshape(height, width, 3)


def gather(folder: Path, cache: Path, holdout: bool = False, seed: int = 0) -> Stock:
    """All pictures of a folder, shrunk and kept on disk."""
    labels = load(folder, holdout)
    stem = cache / f"stock2-{folder.name}-{'held' if holdout else 'fit'}-{len(labels)}"
    if not stem.with_suffix(".npz").exists():
        _write(labels, stem, np.random.default_rng(seed))
    told = np.load(stem.with_suffix(".npz"))
    dice = np.split(told["dice"], np.cumsum(told["counts"])[:-1])
    pixels = np.load(stem.with_suffix(".npy"), mmap_mode="r")
    points = np.split(told["outline_points"], np.cumsum(told["outline_lengths"])[:-1])
    outlines: list[list[Array]] = [[] for _ in dice]
    for i, outline in zip(told["outline_of"], points, strict=False):  # where there is none, one empty part
        outlines[i].append(outline)
    return Stock(pixels, told["start"], told["size"], dice, told["edge"], told["hand"], outlines)


def _write(labels: list[PictureLabel], stem: Path, rng: np.random.Generator) -> None:
    parts, sizes, dice, edges, hands = [], [], [], [], []
    outlines: list[tuple[int, Array]] = []
    for i, label in enumerate(labels):
        pixels = picture(label.path)
        edge = float(np.median([d.edge for d in label.dice])) if label.dice else float(rng.uniform(20, 60))
        kept = KEPT_LARGE_EDGE if rng.random() < KEPT_LARGE_SHARE else KEPT_EDGE
        scale = min(1.0, kept / edge)
        small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        parts.append(small.reshape(-1))
        sizes.append(small.shape[:2])
        rows = [(d.center[0] * scale, d.center[1] * scale, d.edge * scale, d.visible, d.kind) for d in label.dice]
        dice.append(np.array(rows, dtype=np.float32).reshape(-1, 5))
        edges.append(edge * scale)
        hands.append(label.hand)
        outlines += [(i, outline * scale) for outline in label.hand_px]
    lengths = np.array([len(p) for p in parts])
    stem.parent.mkdir(parents=True, exist_ok=True)
    np.save(stem.with_suffix(".npy"), np.concatenate(parts))
    np.savez(
        stem.with_suffix(".npz"),
        start=np.cumsum(lengths) - lengths,
        size=np.array(sizes),
        dice=np.concatenate(dice),
        counts=np.array([len(d) for d in dice]),
        edge=np.array(edges, dtype=np.float32),
        hand=np.array(hands),
        outline_of=np.array([i for i, _ in outlines], dtype=np.int64),
        outline_lengths=np.array([len(outline) for _, outline in outlines], dtype=np.int64),
        outline_points=np.concatenate([np.zeros((0, 2), np.float32), *(outline for _, outline in outlines)]),
    )


@dataclass(frozen=True)
class Batch:
    """`canvas` (n, 3, CANVAS, CANVAS); `heat`, `care` (n, CELLS, CELLS); `place` (n, 3, CELLS, CELLS) where `heat` > 0.

    `place`: offset x, y in cells from a cell's middle to the die's middle, log of edge over `UNIT_EDGE`.
    `hand` is 1 in cells that a hand or its sleeve covers, 0 where there is none, -1 where who knows.
    """

    canvas: npt.NDArray[np.uint8]
    heat: Array
    care: Array
    place: Array
    near: Array
    hand: Array  # (n, CANVAS / 8, CANVAS / 8)


def batches(stocks: list[Stock], size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Endless seeded batches."""
    index = [(s, i) for s, stock in enumerate(stocks) for i in range(len(stock))]
    edges = np.array([stocks[s].edge[i] for s, i in index])
    sides = np.array([stocks[s].size[i].min() for s, i in index])
    while True:
        made = [_canvas(stocks, index, edges, sides, rng) for _ in range(size)]
        yield Batch(
            np.ascontiguousarray(np.stack([m[0] for m in made]).transpose(0, 3, 1, 2)),
            np.stack([m[1] for m in made]),
            np.stack([m[2] for m in made]),
            np.stack([m[3] for m in made]),
            np.stack([m[4] for m in made]),
            np.stack([m[5] for m in made]),
        )


Made = tuple[npt.NDArray[np.uint8], Array, Array, Array, Array, Array]


def _canvas(
    stocks: list[Stock], index: list[tuple[int, int]], edges: Array, sides: Array, rng: np.random.Generator
) -> Made:
    """One canvas: a picture that fills it, or so many smaller ones side by side as its scale allows."""
    target = _target(rng)
    first = int(rng.integers(len(index)))
    across = int(np.clip(np.ceil(CANVAS / (sides[first] * target / edges[first])), 1, 4))
    cell = -(-CANVAS // across)
    canvas = np.zeros((CANVAS, CANVAS, 3), np.uint8)
    covered = np.zeros((CANVAS, CANVAS), np.float32)
    found: list[Array] = []
    for row in range(across):
        for column in range(across):
            pick = first if row == column == 0 else int(rng.integers(len(index)))
            for _ in range(20):
                if sides[pick] * target / edges[pick] >= cell * 0.99:
                    break
                pick = int(rng.integers(len(index)))
            which, i = index[pick]
            stock = stocks[which]
            size = (min(cell, CANVAS - column * cell), min(cell, CANVAS - row * cell))
            patch, dice, hand = _patch(stock, i, target * float(np.exp(rng.normal(0, 0.08))), size, rng)
            x, y = column * cell, row * cell
            canvas[y : y + size[1], x : x + size[0]] = patch
            covered[y : y + size[1], x : x + size[0]] = hand
            found.append(dice + np.array([x, y, 0, 0, 0], np.float32))
    return (varied(canvas, rng, BLUR_TO), *_maps(np.concatenate(found)), cells_covered(covered))


def _target(rng: np.random.Generator) -> float:
    """Edge in the canvas: mostly of a size to be found, else too large (pips must not be taken for dice) or small."""
    which = rng.random()
    if which < 0.72:
        return float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST))))
    if which < 0.95:
        return float(np.exp(rng.uniform(np.log(LARGEST), np.log(130.0))))
    return float(rng.uniform(4.0, SMALLEST))


def _patch(
    stock: Stock, i: int, target: float, size: tuple[int, int], rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], Array, Array]:
    """A turned, mirrored window of a picture; dice whose middles lie outside it are left out. And where a hand covers
    it: 0 or 1, or a half all over where there is one and nobody told where.
    """
    pixels = stock.picture(i)
    scale = target / float(stock.edge[i])
    shrink = scale
    while shrink < 0.5:  # bilinear reading from much larger pictures would alias
        half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        pixels = np.asarray(half, dtype=np.uint8)
        shrink *= 2
    factor = scale / shrink
    height, width = stock.size[i]
    turn = int(rng.integers(4)) * np.pi / 2 + (rng.uniform(-np.pi, np.pi) if rng.random() < 0.3 else 0.0)
    rows = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if rng.random() < 0.5:
        rows[:, 0] *= -1
    dice = stock.dice[i]
    w, h = size
    slack_x, slack_y = max(0.0, width - w / scale) / 2, max(0.0, height - h / scale) / 2
    middle = np.array([width / 2, height / 2]) + rng.uniform(-1, 1, 2) * (slack_x, slack_y)
    if len(dice) and rng.random() < 0.5 and target < 40:
        near = dice[rng.integers(len(dice)), :2] + rng.uniform(-0.4, 0.4, 2) * (w / scale, h / scale)
        middle = np.clip(near, [width / 2 - slack_x, height / 2 - slack_y], [width / 2 + slack_x, height / 2 + slack_y])
    shift = np.array([w / 2, h / 2]) - rows @ middle
    matrix = np.hstack([rows / factor, shift[:, None]])
    patch = cv2.warpAffine(pixels, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    moved = dice.copy()
    moved[:, :2] = dice[:, :2] @ rows.T + shift
    moved[:, 2] *= scale
    inside = (moved[:, 0] >= 0) & (moved[:, 0] < w) & (moved[:, 1] >= 0) & (moved[:, 1] < h)
    # what the border mirrors is not labelled: pictures are larger than patches but for turned ones, which lose little
    return np.asarray(patch, dtype=np.uint8), moved[inside], _covered(stock, i, rows, shift, size)


def _covered(stock: Stock, i: int, rows: npt.NDArray[Any], shift: npt.NDArray[Any], size: tuple[int, int]) -> Array:
    """What a hand covers of a window (height, width)."""
    covered = np.zeros(size[::-1], np.float32)
    if stock.hand[i] and not stock.outlines[i]:
        covered += 0.5
    for outline in stock.outlines[i]:
        cv2.fillPoly(covered, [np.round(outline @ rows.T + shift).astype(np.int32)], (1.0,))
    return covered


_CELL = (np.arange(CELLS, dtype=np.float32) + 0.5) * STRIDE


def _maps(dice: Array) -> tuple[Array, Array, Array, Array]:
    heat = np.zeros((CELLS, CELLS), np.float32)
    care = np.ones((CELLS, CELLS), np.float32)
    place = np.zeros((3, CELLS, CELLS), np.float32)
    closest = np.full((CELLS, CELLS), np.inf, np.float32)
    for x, y, edge, visible, kind in dice:
        dx, dy = x - _CELL[None, :], y - _CELL[:, None]
        away = dx * dx + dy * dy
        hidden = visible < (0.6 if kind == Kind.STACKED else HARDLY_VISIBLE)
        if hidden or not SMALLEST <= edge <= LARGEST:
            if UNSEEN_BELOW < edge < UNSEEN_ABOVE:
                care[away < (0.6 * edge) ** 2] = 0.0
            continue
        sigma = 0.16 * edge
        np.maximum(heat, np.exp(-away / (2 * sigma * sigma)), out=heat)
        column, row = int(np.clip(x // STRIDE, 0, CELLS - 1)), int(np.clip(y // STRIDE, 0, CELLS - 1))
        heat[row, column] = 1.0
        take = np.asarray(away < np.minimum(closest, (0.35 * edge) ** 2))
        take[row, column] = True
        closest[take] = away[take]
        wide = np.broadcast_to(dx, away.shape), np.broadcast_to(dy, away.shape)
        place[0][take], place[1][take] = wide[0][take] / STRIDE, wide[1][take] / STRIDE
        place[2][take] = np.log(edge / UNIT_EDGE)
    np.maximum(care, heat > 0.5, out=care)
    return heat, care, place, np.isfinite(closest).astype(np.float32)
