"""Where and how large the second look at a die is taken."""

from __future__ import annotations

import numpy as np
import pytest

from vision.crops import CROP, FACES, KINDS, Matrix
from vision.faces import Face, Sizes, look_again
from vision.frame import Picture
from vision.nets import Spot, Views


class Blind:
    """A net that tells nothing of any crop."""

    def read(self, crops: list[Picture]) -> Views:
        n = len(crops)
        shape = np.tile(np.array([0, 0, 0, 0, -1, 0], np.float32), (n, 1))
        flat = np.zeros((n, FACES + len(KINDS)), np.float32)
        return Views(flat, shape, np.zeros((n, CROP // 2, CROP // 2), np.float32), np.zeros((n, 2), np.float32))


class Watched(Sizes):
    def __init__(self) -> None:
        super().__init__(np.zeros((240, 320, 3), np.uint8))
        self.cuts: list[tuple[Matrix, float]] = []

    def cut(self, matrix: Matrix, edge: float) -> Picture:
        self.cuts.append((matrix, edge))
        return super().cut(matrix, edge)


def seen(edge: float, degrees: float) -> Face:
    turn = np.exp(1j * np.radians(degrees))
    square = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) * turn * edge / 2 + 100 + 80j
    corners = np.stack([square.real, square.imag], axis=1)
    shares = np.full(FACES + len(KINDS), 0.1, np.float32)
    return Face(Spot((100, 80), edge, 0.9), shares, shares[None], (1,), corners, corners[None], np.zeros((1, 2)))


@pytest.mark.parametrize(
    ("told", "usual", "taken"),
    [(30.0, 30.0, 30.0), (25.0, 30.0, 27.4), (36.0, 30.0, 32.9), (12.0, 30.0, 12.0)],
    ids=["alike", "told small", "told large", "of another kind"],
)
def test_a_second_look_is_upright_and_about_as_large_as_dice_usually_are(
    told: float, usual: float, taken: float
) -> None:
    sizes, face = Watched(), seen(told, 25.0)
    (again,) = look_again(Blind(), sizes, [face], usual)
    ((matrix, edge),) = sizes.cuts
    assert edge == pytest.approx(taken, abs=0.1)
    top = face.corners @ matrix[:, :2].T + matrix[:, 2]
    assert top.mean(axis=0) == pytest.approx([(CROP - 1) / 2] * 2, abs=1e-6)
    assert (top[1] - top[0])[1] == pytest.approx(0.0, abs=1e-6)
    assert len(again.each) == 2
