"""One lamp a player: whose turn it is, and what just happened told by how often and how slowly it winks.

The strokes stand on page or display. Steady: bright has the turn, faint waits, dark is lost or left. Winks every three
seconds: one or two for the first two marks of a shared count, three for more than nine strokes. With fewer lamps than
players every lamp winks the number of the one to throw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from device.lights.figures import PAYS, Figures
from device.lights.lamp import DARK, Hue, Lamp
from device.lights.strokes import NINE
from device.lights.wave import breath, winks
from scorer.game import PlayerView

FAINT = 0.12
EVERY_S = 3.0

ONCE: Mapping[str, tuple[float, Callable[[float], float]]] = {
    "zand": (1.6, lambda s: winks(s, 2, 9.0)),
    "soixante_neuf": (2.0, lambda s: winks(s, 3, 9.0)),
    "three_aces": (2.8, lambda s: winks(s, 5, 9.0)),
    "seven": (2.4, lambda s: 1.0 - s / 1.2 % 1.0),
    "die_outside": (2.4, lambda s: float(s % 1.2 < 0.6)),
    "die_on_rim": (1.6, lambda s: 1.0 - s / 1.6),
    "out": (2.4, lambda s: min(1.0, s / 1.6)),
    "game_won": (2.4, lambda s: min(1.0, s / 1.6)),
    "lost": (2.4, lambda s: max(0.0, 1.0 - s / 2.0)),
    "barrage": (2.4, lambda s: breath(s, every=0.8)),
    "read": (0.7, lambda s: 1.0 - breath(s, every=0.7)),
    "bust": (1.2, lambda s: 1.0 - s / 1.2),
}
"""Pattern → (seconds, level by second)."""


def steady(player: PlayerView, figures: Figures, t: float) -> Lamp:
    """The lamp of one player while nothing special happens."""
    if figures.race is not None and figures.race.player == player.name:
        return Lamp(breath(t, low=0.1, every=0.8), Hue.SKY)
    if any(role in PAYS for role in player.roles):
        return Lamp(float(t % 2.0 < 1.0), Hue.SAND)
    if player.lost or "left" in player.roles:
        return DARK
    if player.out or "winner" in player.roles:
        return Lamp(breath(t, low=0.05, every=6.0) * 0.5, Hue.TEAL)
    base = 1.0 if player.to_throw else FAINT
    told = next((n for n, mark in enumerate(figures.marks[:2], start=1) if mark.player == player.name), 0)
    told = 3 if player.marks > NINE else told
    if told and winks(t, told, EVERY_S):
        return Lamp(0.0 if player.to_throw else 0.7, Hue.AMBER)
    return Lamp(base)


def over(lamp: Lamp, pattern: str, since: float) -> Lamp:
    """`lamp` with what the pattern does to it."""
    if pattern == "reading":
        return Lamp(breath(since, low=0.3, every=0.7), Hue.SKY)
    if pattern == "unsure":
        return Lamp(breath(since, low=0.02), Hue.AMBER)
    if pattern == "camera_trouble":
        return Lamp(0.0 if lamp.level > 0.5 else 1.0, Hue.ROSE) if winks(since, 2, 2.0) else lamp
    if pattern == "idle":
        return Lamp(0.2 * breath(since, low=0.1, every=6.0))
    seconds, level = ONCE.get(pattern, (0.0, lambda s: 0.0))
    return Lamp(level(since)) if since < seconds else lamp
