"""What rows of lamps do when something happens: some motions play once, some stay as long as they hold.

Each differs from every other in place, motion or number, never in hue alone; nothing flashes more than three times
a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import pi, sin

from device.lights.lamp import Hue, Lamp, Row
from device.lights.wave import breath, dot, to_and_fro, winks

Shape = Callable[[int, int, float], float | None]
"""(lamp, number of lamps, part of the time gone 0…1) → level; None leaves the lamp to the strokes."""


@dataclass(frozen=True)
class Motion:
    """A shape that plays once, for `seconds`."""

    shape: Shape
    hue: Hue
    seconds: float = 2.4

    def over(self, row: Row, since: float) -> Row:
        """`row` with the motion on it."""
        part = min(1.0, since / self.seconds)
        levels = (self.shape(n, len(row), part) for n in range(len(row)))
        return tuple(lamp if level is None else Lamp(level, self.hue) for lamp, level in zip(row, levels, strict=True))


def _three_alike(n: int, lamps: int, part: float) -> float:
    """Three equal dots march along together, round and round."""
    apart = max(2, lamps // 3)
    return 1.0 if (n - int(part * 12)) % apart == 0 and n < 3 * apart else 0.06


def _crossing(n: int, lamps: int, part: float) -> float:
    """Two dots from the ends meet and cross, there and back: a six and a nine."""
    at = to_and_fro(part, 0.5) * (lamps - 1)
    return max(dot(n, at, width=1.5), dot(n, lamps - 1 - at, width=1.5))


def _three_swells(n: int, lamps: int, part: float) -> float:
    return sin(3 * pi * part) ** 2


def _two_swells(n: int, lamps: int, part: float) -> float:
    return sin(2 * pi * part) ** 2


def _sinking(n: int, lamps: int, part: float) -> float:
    """The row drains from its far end, twice."""
    return 1.0 if n < lamps * (1.0 - part * 2 % 1.0) else 0.0


def _falling(n: int, lamps: int, part: float) -> float:
    """The row drains from its first lamp, once."""
    return 1.0 if n >= lamps * part else 0.0


def _ends(n: int, lamps: int, part: float) -> float:
    """Both ends blink, the middle stays dark: beside the board."""
    outer = max(1, lamps // 4)
    return 1.0 if min(n, lamps - 1 - n) < outer and part * 4 % 1.0 < 0.5 else 0.0


def _edge(n: int, lamps: int, part: float) -> float:
    """Both end lamps stand lit, then fade: on the rim."""
    return 1.0 - part if n in (0, lamps - 1) else 0.0


def _filling(n: int, lamps: int, part: float) -> float:
    """The row fills, stays, and fades."""
    return (1.0 if n <= part * 2 * lamps else 0.0) * min(1.0, 4 * (1.0 - part))


def _closing(n: int, lamps: int, part: float) -> float:
    """Dark comes from both ends to the middle."""
    return 1.0 if abs(n - (lamps - 1) / 2) <= (1.0 - part) * lamps / 2 else 0.0


def _halves(n: int, lamps: int, part: float) -> float:
    return 1.0 if (n < lamps / 2) == (int(part * 6) % 2 == 0) else 0.0


def _coins(n: int, lamps: int, part: float) -> float:
    """Every third lamp, three steps up and down again."""
    return 1.0 if (n - round(3 * to_and_fro(part, 1.0))) % 3 == 0 else 0.0


def _runs(times: int, *, back: bool = False) -> Shape:
    """A dot with a short tail runs along over the strokes."""

    def shape(n: int, lamps: int, part: float) -> float | None:
        at = (part * times % 1.0) * (lamps + 4) - 2
        level = dot(n, lamps - 1 - at if back else at, width=2.0)
        return level if level > 0.15 else None

    return shape


def _third(which: int) -> Shape:
    """The first, the first two, or all thirds of the row swell, as often as there are thirds."""

    def shape(n: int, lamps: int, part: float) -> float | None:
        return sin(which * pi * part) ** 2 if n < lamps * which / 3 else None

    return shape


def _nod(n: int, lamps: int, part: float) -> float | None:
    """All lamps rise to half and fall back: taken note."""
    return 0.65 * sin(pi * part)


def _blink(n: int, lamps: int, part: float) -> float | None:
    """The row goes out for a moment."""
    return 0.0 if 0.2 < part < 0.8 else None


ONCE: Mapping[str, Motion] = {
    "zand": Motion(_three_alike, Hue.SAND),
    "soixante_neuf": Motion(_crossing, Hue.TEAL),
    "three_aces": Motion(_three_swells, Hue.WHITE),
    "seven": Motion(_sinking, Hue.PLUM),
    "die_outside": Motion(_ends, Hue.ROSE),
    "die_on_rim": Motion(_edge, Hue.ROSE, 1.6),
    "out": Motion(_filling, Hue.TEAL, 3.0),
    "lost": Motion(_closing, Hue.ROSE),
    "barrage": Motion(_halves, Hue.AMBER),
    "read": Motion(_nod, Hue.CHALK, 0.7),
    "round_won": Motion(_runs(2), Hue.TEAL, 1.6),
    "ace": Motion(_runs(1), Hue.WHITE, 0.8),
    "third_ace": Motion(_third(1), Hue.PLUM, 0.9),
    "sixth_ace": Motion(_third(2), Hue.PLUM, 1.8),
    "ninth_ace": Motion(_third(3), Hue.PLUM, 2.7),
    "payer": Motion(_coins, Hue.SAND),
    "bust": Motion(_falling, Hue.PLUM, 1.4),
    "pinched": Motion(_falling, Hue.PLUM, 1.4),
    "fallen": Motion(_falling, Hue.PLUM, 1.4),
    "double": Motion(_two_swells, Hue.SKY, 1.4),
    "extra_turn": Motion(_two_swells, Hue.SKY, 1.4),
    "hold": Motion(_runs(1), Hue.TEAL, 0.8),
    "crossed": Motion(_runs(1), Hue.TEAL, 0.8),
    "chosen": Motion(_runs(1), Hue.SKY, 0.8),
    "placed": Motion(_runs(1), Hue.TEAL, 0.8),
    "base": Motion(_runs(1), Hue.TEAL, 0.8),
    "nothing_fits": Motion(_blink, Hue.CHALK, 0.8),
    "no_cross": Motion(_blink, Hue.CHALK, 0.8),
    "last_round": Motion(_halves, Hue.AMBER),
    "tie": Motion(_halves, Hue.AMBER),
    "rethrow": Motion(_halves, Hue.AMBER),
    "game_won": Motion(_filling, Hue.TEAL, 3.0),
    "field_complete": Motion(_filling, Hue.TEAL, 3.0),
    "undo": Motion(_runs(1, back=True), Hue.SKY, 0.8),
    "correct": Motion(_runs(1, back=True), Hue.SKY, 0.8),
    "insert": Motion(_runs(1, back=True), Hue.SKY, 0.8),
}
"""What plays once when an event has happened; every other pattern shows the strokes at once."""


def reading(row: Row, since: float) -> Row:
    """The strokes step back, and a dot looks along them, to and fro."""
    at = to_and_fro(since, 1.4) * (len(row) - 1)
    return tuple(
        Lamp(max(0.3 * lamp.level, seen), Hue.SKY if seen > 0.3 * lamp.level else lamp.hue)
        for n, lamp in enumerate(row)
        for seen in [dot(n, at, width=1.4)]
    )


def unsure(row: Row, since: float) -> Row:
    """Every other lamp breathes against its neighbours: yes or no? The strokes come back when it is settled."""
    return tuple(Lamp(breath(since + n % 2, low=0.05), Hue.AMBER) for n in range(len(row)))


def camera_trouble(row: Row, since: float) -> Row:
    """The last lamp winks twice every two seconds, the strokes stay."""
    if not winks(since, 2, 2.0):
        return row
    last = row[-1]
    return (*row[:-1], Lamp(0.0 if last.level > 0.5 else 1.0, Hue.ROSE))


def waiting(row: Row, since: float) -> Row:
    """No game yet: a faint slow wave."""
    return tuple(Lamp(0.1 + 0.2 * breath(since - n * 0.35, every=5.0), Hue.CHALK) for n in range(len(row)))


LASTING: Mapping[str, Callable[[Row, float], Row]] = {
    "reading": reading,
    "unsure": unsure,
    "camera_trouble": camera_trouble,
    "idle": waiting,
}
"""What stays as long as it is shown."""
