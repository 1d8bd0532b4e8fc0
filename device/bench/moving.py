"""How much the moving picture costs: one look of the gate at a small grey picture, still and while dice roll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle

import cv2
import numpy as np

from device.bench import Bench, Figure, in_turns
from vision.gate import Gate, Grey

LOOK_LIMIT_MS = 0.4  # on a desktop's core; a Pi 4 takes about four times as long
TIMES = 5.0
"""So often one difference and one blur of the same picture, the least by which motion is found, a look may take."""
LOOKS, LOOKS_SHORT = 2_000, 200


def benches() -> dict[str, Bench]:
    """The measurements of this file, by name."""
    return {"gate": gate_time}


def gate_time(short: bool) -> list[Figure]:
    """The gate's median time for a look at 320 × 240 pixels, in turns with one difference and one blur of 5 × 5."""
    rng = np.random.default_rng(3)
    felt = np.full((240, 320), 90.0)
    noises = [rng.normal(0, 2, felt.shape) for _ in range(8)]
    still = [np.clip(felt + noise, 0, 255).astype(np.uint8) for noise in noises]
    looks = LOOKS_SHORT if short else LOOKS
    rolling = [_rolling(still[n % 8], n) for n in range(looks)]
    look, look_rolling, least = in_turns([_looks(still), _looks(rolling), _difference_and_blur(still)], looks)
    return [
        Figure("gate_look_still", round(look, 3), "ms", LOOK_LIMIT_MS),
        Figure("gate_look_rolling", round(look_rolling, 3), "ms"),
        Figure("difference_and_blur", round(least, 3), "ms"),
        Figure("gate_times_difference_and_blur", round(look / least, 2), "", TIMES),
    ]


def _rolling(felt: Grey, n: int) -> Grey:
    picture = felt.copy()
    for k in range(3):
        x, y = (40 + 80 * k + 5 * n) % 300, (30 + 60 * k + 3 * n) % 220
        picture[y : y + 8, x : x + 8] = 220
    return picture


def _looks(pictures: Sequence[Grey]) -> Callable[[], object]:
    gate, shown = Gate(), enumerate(cycle(pictures))

    def look() -> object:
        n, picture = next(shown)
        return gate.look(picture, n / 30)

    return look


def _difference_and_blur(pictures: Sequence[Grey]) -> Callable[[], object]:
    shown = cycle(zip(pictures, [*pictures[1:], pictures[0]], strict=True))

    def look() -> object:
        before, picture = next(shown)
        return cv2.GaussianBlur(cv2.absdiff(before, picture), (5, 5), 0)

    return look
