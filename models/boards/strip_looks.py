"""What the edge net is shown in training: strips turned, mirrored, tinted, shaded, blurred and partly covered."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_strips import SAMPLES, Floats
from vision.side_profiles import FARTHEST, NEAREST, PIECES

_SPACING = (FARTHEST - NEAREST) / (SAMPLES - 1)
Batch = tuple[Floats, Floats]


def batches(strips: npt.NDArray[np.float16], edges: Floats, size: int, seed: int) -> Iterator[Batch]:
    """Strips (n × PLANES × RAYS × SAMPLES) and the places of their edges (n × 3 × RAYS, in samples), for ever."""
    rng = np.random.default_rng(seed)
    while True:
        chosen = rng.integers(len(strips), size=(size, 2))
        shown = [shown_as(rng, strips[one].astype(np.float32), edges[one], strips[other]) for one, other in chosen]
        yield np.stack([one for one, _ in shown]), np.stack([(places - NEAREST) / _SPACING for _, places in shown])


def shown_as(
    rng: np.random.Generator, strips: Floats, edges: Floats, other: npt.NDArray[np.float16]
) -> tuple[Floats, Floats]:
    """One board's strips from another side, in another light, perhaps with a part of `other` over them."""
    turn = PIECES * int(rng.integers(strips.shape[1] // PIECES))
    strips, edges = np.roll(strips, turn, axis=1), np.roll(edges, turn, axis=1)
    if rng.random() < 0.5:
        strips, edges = strips[:, ::-1].copy(), edges[:, ::-1].copy()
    if rng.random() < 0.3:
        covered(rng, strips, other)
    tinted(rng, strips)
    return strips, edges


def covered(rng: np.random.Generator, strips: Floats, other: npt.NDArray[np.float16]) -> None:
    """With a hand's worth of another picture over some neighbouring rays, and its shadow beside it."""
    rays = int(rng.integers(1, 9) if rng.random() < 0.7 else rng.integers(8, 15))  # a hand, or a whole sleeve
    first, last = np.sort(rng.integers(0, SAMPLES, 2))
    if rng.random() < 0.5:
        last = SAMPLES
    start = int(rng.integers(strips.shape[1] - rays))
    strips[:3, max(0, start - 2) : start + rays + 2] *= np.float32(rng.uniform(0.5, 1.0))
    strips[:4, start : start + rays, first:last] = other[:4, start : start + rays, first:last]


def tinted(rng: np.random.Generator, strips: Floats) -> None:
    """In another light, by another camera: colours, contrast, shading, blur, noise."""
    colours, spread = strips[:3], strips[3]
    if rng.random() < 0.25:
        colours[:] = colours[rng.permutation(3)]
    if rng.random() < 0.12:
        colours[:] = colours.mean(axis=0)
    if rng.random() < 0.4:
        mix = (np.eye(3) + rng.normal(0, 0.1, (3, 3))).astype(np.float32)
        colours[:] = np.tensordot(mix, colours, 1)
    dark = rng.uniform(0, 1.6) if rng.random() < 0.2 else 0.0
    gain = np.exp(rng.normal(0, 0.2, 3) + rng.normal(0, 0.35) - dark)[:, None, None].astype(np.float32)
    if rng.random() < 0.4:
        coarse = np.exp(rng.normal(0, 0.3, (5, 5))).astype(np.float32)
        coarse[-1] = coarse[0]  # the last ray lies beside the first
        shade = cv2.resize(coarse, (SAMPLES, strips.shape[1]), interpolation=cv2.INTER_CUBIC)
        gain = np.asarray(gain * shade, np.float32)
    colours *= gain
    spread *= gain.mean(axis=0)
    np.clip(colours, 0, 255, out=colours)
    if rng.random() < 0.6:
        power = float(np.exp(rng.normal(0, 0.3)))
        colours[:] = 255 * cv2.pow(np.ascontiguousarray(colours / 255).reshape(3, -1), power).reshape(colours.shape)
    if rng.random() < 0.3:
        colours += np.float32(rng.uniform(0, 40)) - colours * np.float32(rng.uniform(0, 0.3))
    if rng.random() < 0.35:
        wide = float(rng.uniform(0.5, 2.0))
        for plane in strips[:4]:
            plane[:] = cv2.GaussianBlur(plane, (9, 1), wide, borderType=cv2.BORDER_REPLICATE)
    noise = np.float32(rng.uniform(0, 3.5) ** 2 / 3.5)
    colours += rng.standard_normal(colours.shape, np.float32) * noise
    spread[:] = np.hypot(spread, 2 * noise)
    np.clip(colours, 0, 255, out=colours)
