"""What the net for hands learns from: whole pictures shrunk, hands of some laid over others that show none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.train.labels import PictureLabel, load, picture
from models.train.looks import varied
from vision.hand_net import LONGER, STRIDE

KEPT = 200
"""Pixels of the longer side at which pictures are kept."""
WIDE, HIGH = LONGER, 96
"""What the net is trained on; it takes other shapes as well."""
LAID_OVER = 0.45
"""Of the pictures without a hand so many get another picture's."""
LEAST_SHOWN = 0.55
"""Of a picture's width the least that is shown."""
COVERS, FREE = 0.5, 0.05
"""A cell of which a hand covers more than the first shows it, less than the second does not; between, who knows."""
BLUR_TO = (28.0, 54.0)
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Shown:
    """A picture (h, w, 3) and what a hand covers of it (h, w), 0 or 255; None where nobody told where it is."""

    picture: Pixels
    covered: Pixels | None


@dataclass(frozen=True)
class Batch:
    """`pictures` (n, 3, HIGH, WIDE); `cells` (n, HIGH / 8, WIDE / 8): 1 covered by a hand, 0 not, -1 who knows."""

    pictures: Pixels
    cells: npt.NDArray[np.float32]


def gather(folder: Path, holdout: bool = False) -> list[Shown]:
    """All pictures of a folder, shrunk."""
    return [_shown(label) for label in load(folder, holdout)]


def _shown(label: PictureLabel) -> Shown:
    pixels = picture(label.path)
    scale = KEPT / max(pixels.shape[:2])
    size = max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale))
    covered = np.zeros((size[1], size[0]), np.uint8)
    for outline in label.hand_px:
        cv2.fillPoly(covered, [np.round(outline * scale).astype(np.int32)], (255,))
    small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return Shown(small, None if label.hand and not label.hand_px else covered)


def batches(shown: Sequence[Shown], size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Endless seeded batches; pictures that show a hand nobody outlined are left out."""
    told = [(each.picture, each.covered) for each in shown if each.covered is not None]
    hands = [(pixels, covered) for pixels, covered in told if covered.any()]
    if not hands:
        raise ValueError("no picture tells where a hand is: labels of renders tell it in hand_px")
    while True:
        made = [_made(*told[int(rng.integers(len(told)))], hands, rng) for _ in range(size)]
        yield Batch(
            np.ascontiguousarray(np.stack([pixels for pixels, _ in made]).transpose(0, 3, 1, 2)),
            np.stack([cells for _, cells in made]),
        )


def _made(
    pixels: Pixels, covered: Pixels, hands: Sequence[tuple[Pixels, Pixels]], rng: np.random.Generator
) -> tuple[Pixels, npt.NDArray[np.float32]]:
    pixels, covered = _window(pixels, covered, rng)
    if not covered.any() and rng.random() < LAID_OVER:
        over, where = _window(*hands[int(rng.integers(len(hands)))], rng)
        soft = cv2.GaussianBlur(where, (0, 0), 0.7)[..., None] / np.float32(255)
        bright = np.clip(over * np.exp(rng.normal(0, 0.25, 3)), 0, 255)
        pixels, covered = np.asarray(pixels * (1 - soft) + bright * soft, dtype=np.uint8), where
    return varied(pixels, rng, BLUR_TO), cells_covered(np.asarray(covered / 255, dtype=np.float32))


def cells_covered(covered: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """From what a hand covers of pixels (h, w), 0 to 1, to the map (h / 8, w / 8): 1 hand, 0 none, -1 who knows."""
    height, width = covered.shape
    share = covered.reshape(height // STRIDE, STRIDE, width // STRIDE, STRIDE).mean(axis=(1, 3))
    return np.where(share > COVERS, 1.0, np.where(share < FREE, 0.0, -1.0)).astype(np.float32)


def _window(pixels: Pixels, covered: Pixels, rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """A part of the picture, mirrored and turned by quarters, as the net takes it."""
    if rng.random() < 0.5:
        pixels, covered = pixels[:, ::-1], covered[:, ::-1]
    quarters = int(rng.integers(4))
    pixels, covered = np.rot90(pixels, quarters), np.rot90(covered, quarters)
    height, width = covered.shape
    wide = min(width, height * WIDE / HIGH * np.exp(rng.normal(0, 0.06))) * rng.uniform(LEAST_SHOWN, 1) ** 0.5
    high = min(height, wide * HIGH / WIDE)
    x, y = round(rng.uniform(0, width - wide)), round(rng.uniform(0, height - high))
    part = slice(y, y + max(1, int(high))), slice(x, x + max(1, int(wide)))
    shape = (WIDE, HIGH)
    return (
        np.asarray(cv2.resize(np.ascontiguousarray(pixels[part]), shape, interpolation=cv2.INTER_AREA), np.uint8),
        np.asarray(cv2.resize(np.ascontiguousarray(covered[part]), shape, interpolation=cv2.INTER_AREA), np.uint8),
    )
