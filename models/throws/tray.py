"""The board as physics sees it: a felt floor, eight walls with a flat top, and the table around it.

World frame: millimetres, z up, origin in the middle of the felt; seen by the camera x is right and y is up, so the
board frame of the readings is (x, −y).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.throws.faces import Array

SIDES_OF_THE_BOARD = 8


@dataclass(frozen=True)
class Tray:
    """An octagon, measured as `models.render.scene.Board` is.

    `across` goes from the rim's outer edge to the opposite one, `rim_height` is above the felt, `base` the thickness
    of the floor above the table; `angle_deg` turns the board, at 0 a side faces +x.
    """

    across: float = 380.0
    rim_width: float = 30.0
    rim_height: float = 30.0
    base: float = 8.0
    angle_deg: float = 0.0

    @property
    def apothem(self) -> float:
        """From the middle of the felt to a wall."""
        return self.across / 2 - self.rim_width

    def reach(self, points: Array) -> Array:
        """How far from the middle, towards the nearest wall, points (N, 2) lie: `apothem` is at the wall."""
        normals = np.radians(self.angle_deg + 360 / SIDES_OF_THE_BOARD * np.arange(SIDES_OF_THE_BOARD))
        return np.asarray((points @ np.stack([np.cos(normals), np.sin(normals)])).max(axis=-1))

    def over_felt(self, points: Array) -> npt.NDArray[np.bool_]:
        """Whether points (N, 2) are over the felt."""
        return np.asarray(self.reach(points) <= self.apothem)

    def over_board(self, points: Array) -> npt.NDArray[np.bool_]:
        """Whether points (N, 2) are over the felt or the rim."""
        return np.asarray(self.reach(points) <= self.across / 2)
