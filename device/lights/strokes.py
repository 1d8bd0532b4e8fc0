"""What one row of lamps says of one number: strokes, points towards a goal, rows of crosses, a shared count.

Strokes up to nine are steady lamps from the first. The tenth to the last lamp breathe; more strokes than lamps light
all of them and as many breathe from the first as there are strokes too many, so that on nine lamps twelve strokes are
nine lit of which the first three breathe; from twice the lamps on the whole row breathes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from device.lights.lamp import DARK, Hue, Lamp, Row
from device.lights.wave import breath

NINE = 9  # PJ-02: strokes at the start; what is more has a form of its own
THREE = 3
SECOND = 0.62  # level of every second group of three, so that a row can be counted at a glance
MARK = 0.45  # a mark that the count has not reached
FAINT = 0.2


def strokes(marks: int, lamps: int, t: float, *, grouped: bool = False) -> Row:
    """Chalk strokes; `grouped` sets every second three apart, for lamps that sit side by side in one strip."""
    steady = min(NINE, lamps)

    def lamp(n: int) -> Lamp:
        if n >= marks:
            return DARK
        if n < marks - lamps or (n >= steady and marks <= lamps):
            return Lamp(breath(t, low=FAINT), Hue.AMBER)
        return Lamp(SECOND if grouped and n // THREE % 2 else 1.0)

    return tuple(lamp(n) for n in range(lamps))


def gauge(value: int, goal: int, coming: int, lamps: int, t: float) -> Row:
    """Points on the way to `goal`: filled from the first lamp, the last one partly; `coming` breathes behind them.

    From the goal on the whole row is lit and its last three breathe.
    """
    full, reach = value * lamps / goal, (value + coming) * lamps / goal

    def lamp(n: int) -> Lamp:
        if value >= goal:
            return Lamp(breath(t, low=FAINT) if n >= lamps - THREE else 1.0, Hue.TEAL)
        own, all_ = min(1.0, full - n), min(1.0, reach - n)
        if own > 0 and (own == 1.0 or all_ <= own):
            return Lamp(max(FAINT, own))
        if all_ > 0:
            return Lamp(max(FAINT, all_) * breath(t, low=0.15, every=1.6), Hue.SKY)
        return DARK

    return tuple(lamp(n) for n in range(lamps))


def crosses(rows: Sequence[tuple[int, int]], chosen: int | None, lamps: int, t: float) -> Row:
    """One lamp for each row of crosses (crossed, of how many): brighter with each, full when complete.

    `chosen`: the place of the row that is being thrown for; it breathes.
    """

    def lamp(n: int) -> Lamp:
        done, of = rows[n] if n < len(rows) else (0, 1)
        lit = Lamp(1.0, Hue.TEAL) if done >= of else Lamp(0.12 + 0.38 * done / of if done else 0.0)
        if n == chosen:
            return Lamp(breath(t, low=max(0.1, lit.level / 2), every=1.6), Hue.SKY)
        return lit

    return tuple(lamp(n) for n in range(lamps))


def counted(
    value: int, of: int, marks: Sequence[int], held: Collection[int], lamps: int, t: float, *, level: float = 1.0
) -> Row:
    """A count that all share: lit lamps up to it, its marks visible before they are reached.

    `held`: the marks whose role this player has. They breathe at the far end of the row where there is room for a
    lamp for each mark, else in place, and are never dimmed by `level`.
    """
    spare = of + len(marks) <= lamps
    flags = {lamps - len(marks) + n if spare else mark - 1 for n, mark in enumerate(marks) if mark in held}

    def lamp(n: int) -> Lamp:
        if n in flags:
            return Lamp(breath(t, low=FAINT), Hue.PLUM)
        hue = Hue.AMBER if n + 1 in marks else Hue.CHALK
        return Lamp(level * (1.0 if n < value else MARK if n + 1 in marks else 0.0), hue)

    return tuple(lamp(n) for n in range(lamps))


def seat_of(which: int, playing: Sequence[bool], lamps: int, t: float) -> Row:
    """Whose turn it is where players have no row of their own: a faint lamp for each one playing, his is bright.

    With more players than lamps the whole row winks his number instead.
    """
    if len(playing) > lamps:
        return (Lamp(number_winked(which, t)),) * lamps
    return tuple(Lamp(1.0 if n == which else FAINT if n < len(playing) and playing[n] else 0.0) for n in range(lamps))


def number_winked(which: int, t: float) -> float:
    """As many short flashes as his place in the list, then a pause; dark with nobody to throw."""
    if which < 0:
        return 0.0
    beat, since = divmod(t % (0.5 * (which + 1) + 1.5), 0.5)
    return 1.0 if beat <= which and since < 0.25 else 0.0
