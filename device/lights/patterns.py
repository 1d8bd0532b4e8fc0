"""How bright each lamp is at one moment: pure arithmetic on a `View`, the same for every kind of lamp.

A bar of n lamps shows up to n strokes as lit lamps from the first. Above n the whole bar is lit and the first
(strokes − n) lamps breathe, so twelve strokes on nine lamps are nine lit of which three breathe; from 2n on the
whole bar breathes. A bright bar has the turn, the others are dim. Some patterns play once over this, two stay as
long as they hold: ``unsure`` (all breathe slowly) and ``camera_trouble`` (the first lamp blinks twice every two
seconds, the strokes stay readable).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi

from scorer.game import PlayerView, View

Levels = tuple[float, ...]  # one bar, 0 dark to 1 bright

DIM = 0.3
BREATH_S = 2.0
ONCE_S = 2.4  # how long a pattern that plays once lasts
STEADY = "turn"


def levels(view: View | None, pattern: str, since: float, bars: int, lamps: int) -> tuple[Levels, ...]:
    """One row of levels for each bar, `since` seconds after the pattern began."""
    if pattern == "camera_trouble":
        blink = 1.0 if since % 2.0 < 0.15 or 0.3 <= since % 2.0 < 0.45 else 0.0
        return tuple((blink, *bar[1:]) for bar in _strokes(view, since, bars, lamps))
    if pattern == "unsure":
        return tuple(tuple(_breath(since, low=0.1) for _ in range(lamps)) for _ in range(bars))
    if view is None or not view.players or pattern == "idle":
        return tuple(tuple(0.15 * _breath(since + n * 0.2) for n in range(lamps)) for _ in range(bars))
    if pattern in ONCE and since < ONCE_S:
        part = since / ONCE_S
        return tuple(
            tuple(ONCE[pattern](n / max(1, lamps - 1), part) for n in range(lamps))
            if _concerned(player, view, pattern)
            else bar
            for player, bar in zip(_shown(view, bars), _strokes(view, since, bars, lamps), strict=True)
        )
    return _strokes(view, since, bars, lamps)


def bar(marks: int, lamps: int, since: float) -> Levels:
    """The strokes of one player on one bar, full brightness."""
    beyond = max(0, marks - lamps)
    return tuple(_breath(since, low=0.2) if n < beyond else float(n < marks) for n in range(lamps))


def _strokes(view: View | None, since: float, bars: int, lamps: int) -> tuple[Levels, ...]:
    dark = (0.0,) * lamps
    if view is None:
        return (dark,) * bars
    return tuple(
        dark
        if player is None or player.lost
        else tuple(level * (1.0 if player.to_throw else DIM) for level in bar(player.marks, lamps, since))
        for player in _shown(view, bars)
    )


def _shown(view: View, bars: int) -> Sequence[PlayerView | None]:
    """Whose bar is whose: by seat in the list; with more players than bars from the player to throw onwards."""
    players = list(view.players)
    if len(players) > bars:
        first = next((n for n, player in enumerate(players) if player.to_throw), 0)
        players = players[first:] + players[:first]
    return [*players[:bars], *[None] * (bars - len(players))]


def _concerned(player: PlayerView | None, view: View, pattern: str) -> bool:
    """A pattern plays on the bars of those whose figure changed, or on all where nobody's did."""
    if player is None:
        return False
    changed = {change.player for change in view.changes}
    return not changed or player.name in changed


def _breath(since: float, *, low: float = 0.0) -> float:
    return low + (1.0 - low) * (0.5 - 0.5 * cos(2 * pi * since / BREATH_S))


def _rising(place: float, part: float) -> float:
    return 1.0 if place <= (part * 2) % 1.0 else 0.0


def _to_and_fro(place: float, part: float) -> float:
    at = abs((part * 6) % 2.0 - 1.0)
    return max(0.0, 1.0 - 4 * abs(place - at))


def _sparkle(place: float, part: float) -> float:
    return 1.0 if (round(place * 100) // 12 + int(part * 16)) % 2 else 0.1


def _sinking(place: float, part: float) -> float:
    return 1.0 if place <= 1.0 - (part * 2) % 1.0 else 0.0


def _ends(place: float, part: float) -> float:
    return 1.0 if place in (0.0, 1.0) and int(part * 6) % 2 == 0 else 0.0


def _filling(place: float, part: float) -> float:
    return 1.0 if place <= part * 1.5 else 0.0


def _fading(place: float, part: float) -> float:
    return 1.0 - part


def _halves(place: float, part: float) -> float:
    return 1.0 if (place < 0.5) == (int(part * 6) % 2 == 0) else 0.0


ONCE: dict[str, Callable[[float, float], float]] = {
    "zand": _rising,
    "soixante_neuf": _to_and_fro,
    "three_aces": _sparkle,
    "seven": _sinking,
    "die_outside": _ends,
    "out": _filling,
    "lost": _fading,
    "barrage": _halves,
}
"""(place along the bar 0…1, part of the time gone 0…1) → level, for patterns that play once."""
