"""The bend of a lens: one radial coefficient about the middle of the picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]  # n × 2

_INVERSE_STEPS = 6  # fixed-point steps; at |k1| ≤ 0.3 the rest is below a hundredth of a pixel


@dataclass(frozen=True)
class Lens:
    """Bends straight lines: a point at distance r from the middle lands at r · (1 + k1 · r²).

    r is counted in half diagonals of the picture, so that k1 holds for any size of picture; a barrel has k1 < 0.
    """

    width: int
    height: int
    k1: float = 0.0

    @cached_property
    def _middle(self) -> Points:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    @cached_property
    def _half_diagonal(self) -> float:
        return float(np.hypot(self.width, self.height)) / 2

    def bend(self, points: Points) -> Points:
        """Where points of the straight (pinhole) picture lie in the picture taken; n × 2 pixels both."""
        arm = (points - self._middle) / self._half_diagonal
        r2 = (arm**2).sum(axis=-1, keepdims=True)
        return np.asarray(self._middle + arm * (1 + self.k1 * r2) * self._half_diagonal)

    def straighten(self, points: Points) -> Points:
        """The inverse of `bend`."""
        if self.k1 == 0:
            return points
        bent = (points - self._middle) / self._half_diagonal
        k1_r2 = self.k1 * (bent**2).sum(axis=-1, keepdims=True)
        shrunk = 1 / (1 + k1_r2)
        for _ in range(_INVERSE_STEPS - 1):
            shrunk = 1 / (1 + k1_r2 * shrunk * shrunk)
        return np.asarray(self._middle + bent * shrunk * self._half_diagonal)
