"""Where and how large the second look at a die is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.crops import CROP, FACES, HALF_EDGE, KINDS, WIDER, Matrix
from vision.faces import FIRST, Face, Sizes, look_again, once
from vision.frame import Picture
from vision.nets import Spot, Views


class Blind:
    """A net that tells nothing of any crop, but what it is told to tell."""

    def __init__(self, kinds: np.ndarray | None = None, normal: tuple[float, float] = (0.0, 0.0)) -> None:
        self.kinds = np.zeros(FACES + len(KINDS)) if kinds is None else kinds
        self.normal = np.array(normal)
        self.wider = WIDER

    def read(self, crops: list[Picture]) -> Views:
        n = len(crops)
        shape = np.tile(np.array([0, 0, 0, 0, -1, 0], np.float32), (n, 1))
        flat, normals = (np.tile(told.astype(np.float32), (n, 1)) for told in (self.kinds, self.normal))
        return Views(flat, shape, np.zeros((n, CROP // 2, CROP // 2), np.float32), normals)


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
    assert edge == pytest.approx(WIDER * taken, abs=0.1)
    assert np.hypot(*matrix[0, :2]) * taken == pytest.approx(2 * HALF_EDGE / WIDER, rel=0.01)
    top = face.corners @ matrix[:, :2].T + matrix[:, 2]
    assert top.mean(axis=0) == pytest.approx([(CROP - 1) / 2] * 2, abs=1e-6)
    assert (top[1] - top[0])[1] == pytest.approx(0.0, abs=1e-6)
    assert len(again.each) == 2


def test_the_second_look_counts_more_and_tells_the_corners() -> None:
    """It sees more, and upright."""
    face = seen(30.0, 0.0)
    odds = np.where(np.arange(FACES + len(KINDS)) == 3, 5.0, 0.0)
    (again,) = look_again(Blind(odds, (0.2, 0.0)), Sizes(np.zeros((240, 320, 3), np.uint8)), [face], 30.0)
    assert np.log(again.shares[3] / again.shares[0]) == pytest.approx((1 - FIRST) * 5.0, abs=1e-4)
    assert again.normal == pytest.approx((1 - FIRST) * again.normals[1], abs=1e-6)
    assert again.edge == pytest.approx(30.0 * WIDER), "as the net told it: a top as large as a first look's"
    assert again.edge > 1.2 * face.edge


def test_a_die_looked_at_once_is_as_large_as_finder_and_look_tell_together() -> None:
    face = seen(36.0, 0.0)
    told = once(replace(face, spot=Spot(face.center, 25.0, 0.9)))
    assert told.edge == pytest.approx(30.0)
    assert told.center == pytest.approx(face.center)
