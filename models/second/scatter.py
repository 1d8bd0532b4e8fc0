"""Dice and things thrown about a board: most flat on the felt, some leaning, stacked, on the rim or beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from models.second.board import Tray
from models.second.eye import Eye
from models.second.rest import (
    Die,
    against_die,
    against_wall,
    apart,
    beside,
    flat,
    on_edge_of,
    on_top,
    overlap,
    upright,
)
from models.second.solid import Floats
from models.second.styles import Style, draw_style
from models.second.things import Thing, arm, chalk, coaster, coin, glass

TRIES = 30
EDGE_PX = 3
"""Dice stay so far within the picture."""


@dataclass
class _Field:
    """What lies there so far, and where more may lie."""

    tray: Tray
    eye: Eye
    dice: list[Die] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    spots: list[tuple[Floats, float]] = field(default_factory=list)

    def place(self, made: Iterable[Die | None], but: Die | None = None) -> Die | None:
        """Puts down the first die that lies clear of all others (except `but`) and within the picture."""
        for die in made:
            if die is not None and self._free(die, but):
                self.dice.append(die)
                return die
        return None

    def _free(self, die: Die, but: Die | None) -> bool:
        if any(overlap(die, other, 0.0) for other in self.dice if other is not but):
            return False
        foot = die.footprint()
        if any(apart(foot, _round(spot, reach)) < 0.5 for spot, reach in self.spots):
            return False
        seen = self.eye.project(die.outline())
        return bool((seen > EDGE_PX).all() and (seen < [self.eye.width - EDGE_PX, self.eye.height - EDGE_PX]).all())

    def room_for(self, spot: Floats, reach: float) -> bool:
        ring = _round(spot, reach)
        clear = all(apart(die.footprint(), ring) > 1.0 for die in self.dice)
        return clear and all(np.hypot(*(spot - other)) > reach + far + 2 for other, far in self.spots)

    def flat_on_felt(self) -> list[Die]:
        return [d for d in self.dice if d.pose == "flat" and self.tray.inside_by(*d.middle[:2]) > 0]


def _round(spot: Floats, reach: float) -> Floats:
    turn = np.arange(16) * np.pi / 8
    return np.asarray(spot + reach * np.stack([np.cos(turn), np.sin(turn)], -1))


def scatter(
    rng: np.random.Generator, tray: Tray, eye: Eye, edges: tuple[float, float]
) -> tuple[tuple[Die, ...], tuple[Thing, ...]]:
    """Dice and things for one picture; `edges` bound a die's edge in mm."""
    sets = _sets(rng, edges)
    lying = _Field(tray, eye)

    def one() -> tuple[Style, float]:
        return sets[int(rng.integers(len(sets)))]

    if rng.random() < 0.18:
        _cover(rng, lying, one)
    few = rng.random() < 0.1
    _throw(rng, lying, one, int(rng.integers(0, 4) if few else rng.integers(6, 13)))
    for chance, put in ((0.3, _outside), (0.22, _on_rim), (0.55, _leaning), (0.25, _stacked)):
        while rng.random() < chance:
            put(rng, lying, one)
            chance *= 0.45
    _clutter(rng, lying)
    if rng.random() < 0.07:
        _reach_in(rng, lying)
    return tuple(lying.dice), tuple(lying.things)


Make = Callable[[], tuple[Style, float]]


def _sets(rng: np.random.Generator, edges: tuple[float, float]) -> list[tuple[Style, float]]:
    """The makes of dice in this picture: one for all, a few, or all different."""
    count = int(rng.choice([1, 2, 3, 8], p=[0.35, 0.25, 0.2, 0.2]))
    usual = float(np.clip(rng.normal(16, 1.6), *edges))
    return [(draw_style(rng), float(np.clip(usual + rng.normal(0, 0.8), *edges))) for _ in range(count)]


def _throw(rng: np.random.Generator, lying: _Field, one: Make, count: int) -> None:
    tray = lying.tray
    heart = rng.normal(0, 0.25, 2) * tray.floor_half
    spread = rng.uniform(0.18, 0.6) * tray.floor_half

    def somewhere() -> Iterable[Die | None]:
        for _ in range(TRIES):
            style, edge = one()
            known = lying.flat_on_felt()
            if known and rng.random() < 0.25:
                die = beside(rng, style, edge, known[int(rng.integers(len(known)))])
            else:
                x, y = heart + rng.normal(0, spread, 2)
                die = flat(style, edge, upright(rng), float(x), float(y), 0.0)
            out = die.footprint() @ tray.outwards.T
            yield die if out.max() < tray.floor_half - 0.1 else None

    for _ in range(count):
        lying.place(somewhere())


def _outside(rng: np.random.Generator, lying: _Field, one: Make) -> None:
    tray = lying.tray

    def somewhere() -> Iterable[Die | None]:
        for _ in range(TRIES):
            style, edge = one()
            far, way = tray.outer_radius + rng.exponential(40), rng.uniform(0, 2 * np.pi)
            die = flat(style, edge, upright(rng), float(far * np.cos(way)), float(far * np.sin(way)), -tray.base)
            yield die if (die.footprint() @ tray.outwards.T).max(1).min() > tray.across / 2 + 0.3 else None

    lying.place(somewhere())


def _on_rim(rng: np.random.Generator, lying: _Field, one: Make) -> None:
    tray = lying.tray
    low, high = tray.slope + tray.rounding, tray.rim_width - tray.rounding

    def somewhere() -> Iterable[Die | None]:
        for _ in range(TRIES):
            style, edge = one()
            out = tray.outwards[int(rng.integers(8))]
            along = np.array([-out[1], out[0]]) * rng.uniform(-0.18, 0.18) * tray.across
            x, y = out * (tray.floor_half + rng.uniform(low + 0.2 * edge, high - 0.2 * edge)) + along
            yield flat(style, edge, upright(rng), float(x), float(y), tray.rim_height)

    lying.place(somewhere())


def _leaning(rng: np.random.Generator, lying: _Field, one: Make) -> None:
    def against() -> Iterable[Die | None]:
        for _ in range(TRIES):
            style, edge = one()
            lean = float(rng.uniform(13, 50))
            known = lying.flat_on_felt()
            if known and rng.random() < 0.5:
                yield against_die(rng, style, edge, known[int(rng.integers(len(known)))], lean)
            elif edge * np.sin(np.radians(lean)) < lying.tray.rim_height - lying.tray.rounding:
                yield against_wall(rng, style, edge, lying.tray, lean)

    lying.place(against())


def _stacked(rng: np.random.Generator, lying: _Field, one: Make) -> None:
    known = lying.flat_on_felt()
    if not known:
        return
    under = known[int(rng.integers(len(known)))]

    def upon() -> Iterable[Die | None]:
        for _ in range(TRIES):
            yield on_top(rng, *one(), under)

    if lying.place(upon(), but=under):
        lying.dice[next(i for i, d in enumerate(lying.dice) if d is under)] = replace(under, pose="under")


def _cover(rng: np.random.Generator, lying: _Field, one: Make) -> None:
    """A coaster on the felt, mostly with a die half on it."""
    height, spot = float(rng.uniform(1.5, 5)), rng.normal(0, 0.3, 2) * lying.tray.floor_half
    mat = coaster(rng, float(spot[0]), float(spot[1]), 0.0, height)
    if lying.tray.inside_by(*spot) < mat[0].reach + 3:
        return

    def half_on() -> Iterable[Die | None]:
        for _ in range(TRIES):
            way = rng.uniform(0, 2 * np.pi)
            out = np.array([np.cos(way), np.sin(way), 0.0])
            edge_at = np.array([*spot, 0.0]) + mat[0].reach * out
            die = on_edge_of(rng, *one(), edge_at, -out, height)
            yield die if die and lying.tray.inside_by(*die.middle[:2]) > die.edge else None

    if rng.random() < 0.8:
        lying.place(half_on())
    lying.things += mat
    lying.spots.append((spot, mat[0].reach))


def _clutter(rng: np.random.Generator, lying: _Field) -> None:
    """Glasses, coasters and coins on the table, now and then a coin or a chalk on the felt or the rim."""
    tray = lying.tray
    for name, chance in (("glass", 0.12), ("coaster", 0.15), ("coin", 0.2), ("chalk", 0.12), ("felt coin", 0.08)):
        if rng.random() > chance:
            continue
        for _ in range(TRIES):
            far, way = tray.outer_radius + rng.exponential(60), rng.uniform(0, 2 * np.pi)
            if name == "felt coin":
                far = rng.uniform(0, 0.8) * tray.floor_half
            spot = far * np.array([np.cos(way), np.sin(way)])
            x, y = (float(v) for v in spot)
            ground = 0.0 if name == "felt coin" else -tray.base
            if name == "glass":
                made = glass(rng, x, y, ground)
            elif name == "coaster":
                made = coaster(rng, x, y, ground, float(rng.uniform(1.4, 4)))
            else:
                made = [chalk(rng, x, y, ground) if name == "chalk" else coin(rng, x, y, ground)]
            reach = made[0].reach
            clear = name == "felt coin" or far > tray.outer_radius + reach + 1
            if clear and lying.room_for(spot, reach):
                lying.things += made
                lying.spots.append((spot, reach))
                break


def _reach_in(rng: np.random.Generator, lying: _Field) -> None:
    way = rng.uniform(0, 2 * np.pi)
    forward = np.array([np.cos(way), np.sin(way), 0.0])
    high = max([0.0, *(float(die.outline()[:, 2].max()) for die in lying.dice)])
    tip = rng.uniform(-0.6, 0.4) * lying.tray.floor_half * forward + rng.normal(0, 25, 3) * (1, 1, 0)
    tip[2] = high + rng.uniform(25, 70)
    lying.things += arm(rng, tip, forward)
