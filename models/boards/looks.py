"""What the board net is shown in training: boards turned, warped, tinted, shaded and partly covered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from models.boards.rings import Array, Labelled
from vision.frame import Picture
from vision.octagon import signed_area

SIZES = ((128, 96), (128, 80), (112, 96))
"""Widths and heights that the net sees: pictures of 4:3, 16:9 and squarer ones."""
SOFT_PX = 1.2
"""A label goes from 0 to 1 about an edge over this many pixels of the net's picture."""
STRIDE = 2
PIXEL = 0.5
"""Labels count from a pixel's corner, OpenCV from its middle."""
Floats = npt.NDArray[np.float32]
Batch = tuple[npt.NDArray[np.uint8], Floats]


def batches(boards: Sequence[Labelled], bare: Sequence[Labelled], size: int, seed: int) -> Iterator[Batch]:
    """Pictures (n, 3, h, w) and targets (n, 3, h / 2, w / 2), for ever; `bare` are pictures without a board."""
    rng = np.random.default_rng(seed)
    everything = [*boards, *bare]
    while True:
        width, height = SIZES[int(rng.choice(len(SIZES), p=(0.5, 0.35, 0.15)))]
        pictures, targets = [], []
        for _ in range(size):
            source = bare if bare and rng.random() < 0.15 else boards
            one = source[int(rng.integers(len(source)))]
            other = everything[int(rng.integers(len(everything)))]
            picture, rings = warped(rng, one, width, height)
            if rng.random() < 0.35:
                picture = covered(rng, picture, other.picture)
            pictures.append(tinted(rng, picture).transpose(2, 0, 1))
            targets.append(target(rings, width, height))
        yield np.stack(pictures), np.stack(targets)


def warped(rng: np.random.Generator, one: Labelled, width: int, height: int) -> tuple[Picture, Array | None]:
    """The picture from another side, nearer or farther, perhaps mirrored, as width × height; its rings with it."""
    h, w = one.picture.shape[:2]
    middle = np.array([w / 2, h / 2])
    fit = min(width / w, height / h)
    scale = fit * float(np.exp(rng.uniform(np.log(0.62), np.log(1.12))))
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.normal(0, 0.1)
    mirror = np.array([rng.choice((-1.0, 1.0)), 1.0])
    stretch = np.exp(rng.normal(0, 0.03, 2))
    c, s = np.cos(turn), np.sin(turn)
    linear = scale * np.array([[c, -s], [s, c]]) @ np.diag(mirror * stretch)
    shift = np.array([width / 2, height / 2]) + rng.normal(0, 0.05, 2) * min(width, height)
    matrix = np.eye(3)
    matrix[:2, :2], matrix[:2, 2] = linear, shift - linear @ middle
    tip = np.eye(3)
    tip[2, :2] = rng.normal(0, 0.06, 2) / width
    about = np.eye(3)
    about[:2, 2] = width / 2, height / 2
    matrix = about @ tip @ np.linalg.inv(about) @ matrix
    shown = cv2.warpPerspective(
        one.picture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    rings = one.rings
    if rings is not None:
        moved = cv2.perspectiveTransform(rings.reshape(1, -1, 2) - PIXEL, matrix) + PIXEL
        rings = np.asarray(moved, np.float64).reshape(rings.shape)
    return np.asarray(shown, np.uint8), rings


def covered(rng: np.random.Generator, picture: Picture, other: Picture) -> Picture:
    """With an arm, or a thing, of another picture's colours over it."""
    height, width = picture.shape[:2]
    patch = cv2.resize(other, (width, height))
    if rng.random() < 0.6:
        few = int(rng.integers(2, 24))
        patch = cv2.resize(cv2.resize(other, (few, few), interpolation=cv2.INTER_AREA), (width, height))
    patch = np.clip(patch * rng.uniform(0.4, 1.8) * rng.uniform(0.8, 1.2, 3), 0, 255)
    mask = np.zeros((height, width), np.uint8)
    if rng.random() < 0.75:  # an arm from the border towards the middle
        way = rng.uniform(0, 2 * np.pi)
        start = np.array([width, height]) * (0.5 + 0.75 * np.array([np.cos(way), np.sin(way)]))
        tip = np.array([width, height]) * rng.uniform(0.25, 0.75, 2)
        thick = rng.uniform(0.05, 0.16) * width
        cv2.line(mask, _pixel(start), _pixel(tip), (255,), round(thick))
        cv2.circle(mask, _pixel(tip), round(thick * rng.uniform(0.5, 1.0)), (255,), -1)
    else:
        middle, size = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0.04, 0.16, 2) * width
        cv2.ellipse(mask, _pixel(middle), _pixel(size), float(rng.uniform(0, 180)), 0, 360, (255,), -1)
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.4, 1.2))).astype(np.float32)[..., None] / 255
    shade = np.ones((height, width, 1), np.float32)
    if rng.random() < 0.5:  # and its shadow
        blurred = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 6)))
        moved = np.roll(blurred, tuple(rng.integers(-9, 10, 2)), (0, 1))
        shade -= np.float32(rng.uniform(0.1, 0.6)) * (moved.astype(np.float32)[..., None] / 255)
    return np.clip(picture * shade * (1 - soft) + patch * soft, 0, 255).astype(np.uint8)


def tinted(rng: np.random.Generator, picture: Picture) -> Picture:
    """Another light, another camera: colours, contrast, shading, blur, noise."""
    shown = picture.astype(np.float32)
    if rng.random() < 0.35:
        shown = shown[..., rng.permutation(3)]
    if rng.random() < 0.12:
        shown = np.repeat(shown.mean(axis=-1, keepdims=True), 3, axis=-1)
    if rng.random() < 0.5:
        mix = np.eye(3) + rng.normal(0, 0.12, (3, 3))
        shown = shown @ mix.T.astype(np.float32)
    if rng.random() < 0.5:
        height, width = shown.shape[:2]
        coarse = np.exp(rng.normal(0, 0.35, (3, 4))).astype(np.float32)
        shade = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
        shown = shown * shade[..., None]
    light = 255 * (np.clip(shown, 0, 255).astype(np.float64) / 255) ** float(np.exp(rng.normal(0, 0.35)))
    light = (light - 128 * rng.uniform(0, 0.3)) * np.exp(rng.normal(0, 0.25, 3)) * np.exp(rng.normal(0, 0.2))
    if rng.random() < 0.3:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 1.6))), np.float64)
    light = light + rng.normal(0, rng.uniform(0.5, 9), light.shape)
    return np.asarray(np.clip(light, 0, 255), np.uint8)


def target(rings: Array | None, width: int, height: int) -> Floats:
    """How surely each place lies within each ring: 1 inside, 0 outside, soft over the edge; zeros without a board."""
    h, w = height // STRIDE, width // STRIDE
    if rings is None:
        return np.zeros((3, h, w), np.float32)
    y, x = np.mgrid[:h, :w].astype(np.float64) * STRIDE + STRIDE / 2
    out = np.empty((len(rings), h, w), np.float32)
    for layer, ring in enumerate(rings):
        ring = ring if signed_area(ring) > 0 else ring[::-1]  # a mirrored one runs the other way
        along = np.roll(ring, -1, axis=0) - ring
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
        depth = np.min([a[0] * (y - p[1]) - a[1] * (x - p[0]) for p, a in zip(ring, along, strict=True)], axis=0)
        out[layer] = 1 / (1 + np.exp(-np.clip(depth / SOFT_PX, -20, 20)))
    return out


def _pixel(point: npt.NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
