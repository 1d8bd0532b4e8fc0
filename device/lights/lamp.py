"""One lamp at one moment: how bright and of what hue, and what a pixel needs to look so."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import NamedTuple

GAMMA = 2.2  # half the level looks half as bright


class Hue(Enum):
    """Colours told apart by the usual colour blindnesses; no meaning rests on them alone. Red, green, blue in 0…255."""

    CHALK = (255, 170, 90)
    AMBER = (255, 90, 0)
    SAND = (255, 130, 20)
    WHITE = (255, 220, 180)
    SKY = (0, 140, 255)
    TEAL = (0, 220, 110)
    ROSE = (255, 20, 70)
    PLUM = (170, 0, 255)


class Lamp(NamedTuple):
    """`level`: 0 dark to 1 bright, as the eye sees it; a lamp of one colour leaves out the hue."""

    level: float
    hue: Hue = Hue.CHALK

    def dimmed(self, by: float) -> Lamp:
        return Lamp(self.level * by, self.hue)


Row = tuple[Lamp, ...]
Rows = tuple[Row, ...]
DARK = Lamp(0.0)


def rgb(lamp: Lamp) -> tuple[int, int, int]:
    """Red, green and blue of a pixel; what is lit keeps at least 1 in its strongest colour.

    >>> rgb(Lamp(1.0)), rgb(Lamp(0.02)), rgb(DARK)
    ((255, 170, 90), (1, 1, 0), (0, 0, 0))
    """
    return _rgb(round(min(1.0, max(0.0, lamp.level)), 3), lamp.hue)


@cache
def _rgb(level: float, hue: Hue) -> tuple[int, int, int]:
    linear = max(level**GAMMA, 1 / 255) if level > 0 else 0.0
    red, green, blue = (round(linear * part) for part in hue.value)
    return red, green, blue
