"""How much the moving picture costs: one look of the gate at a small grey picture, still and while dice roll."""

from __future__ import annotations

import statistics
import time

import numpy as np

from device.bench import Bench, Figure
from vision.gate import Gate, Grey

LOOK_LIMIT_MS = 0.4  # on a desktop's core; a Pi 4 takes about four times as long
LOOKS, LOOKS_SHORT = 2_000, 200


def benches() -> dict[str, Bench]:
    """The measurements of this file, by name."""
    return {"gate": gate_time}


def gate_time(short: bool) -> list[Figure]:
    """The gate's median time for a look, of this process alone."""
    rng = np.random.default_rng(3)
    felt = np.full((240, 320), 90.0)
    noises = [rng.normal(0, 2, felt.shape) for _ in range(8)]
    still = [np.clip(felt + noise, 0, 255).astype(np.uint8) for noise in noises]
    looks = LOOKS_SHORT if short else LOOKS
    return [
        Figure("gate_look_still", _median_ms([still[n % 8] for n in range(looks)]), "ms", LOOK_LIMIT_MS),
        Figure("gate_look_rolling", _median_ms([_rolling(still[n % 8], n) for n in range(looks)]), "ms"),
    ]


def _rolling(felt: Grey, n: int) -> Grey:
    picture = felt.copy()
    for k in range(3):
        x, y = (40 + 80 * k + 5 * n) % 300, (30 + 60 * k + 3 * n) % 220
        picture[y : y + 8, x : x + 8] = 220
    return picture


def _median_ms(pictures: list[Grey]) -> float:
    gate, spent = Gate(), []
    for n, picture in enumerate(pictures):
        begun = time.process_time_ns()
        gate.look(picture, n / 30)
        spent.append(time.process_time_ns() - begun)
    return round(statistics.median(spent) / 1e6, 3)
