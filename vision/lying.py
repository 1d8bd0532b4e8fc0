"""Dice that lie on the board between throws: which stayed, which are new, which are gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import dist, hypot

import numpy as np

from vision.board import Board
from vision.reading import DieReading, Point, Where
from vision.scene import Scene, Thing, carried
from vision.votes import SAME_PLACE, VotedDie

_BARE_FRAMES = 3
_MOST_OFF = 2.0  # die edges: farther off no board is taken for found
_LONE_OFF = 1.0  # die edges: the same for a die that lies alone, and has no other to be known by


@dataclass(frozen=True)
class Compared:
    """What lies now, against what lay before."""

    stayed: tuple[VotedDie, ...]
    new: tuple[VotedDie, ...]
    gone: tuple[DieReading, ...]

    @property
    def changed(self) -> bool:
        """Whether anything on the board or its rim is otherwise; what lies outside does not matter here."""
        return any(die.where is not Where.OUTSIDE for die in self.new) or any(
            die.where is not Where.OUTSIDE for die in self.gone
        )

    @property
    def only_ghosts(self) -> bool:
        """Whether all dice stayed, and what is new shows no face: a shadow, or a thing that was put down."""
        left = any(die.where is not Where.OUTSIDE for die in self.gone)
        return bool(self.stayed) and not left and all(voted.die.face is None for voted in self.new)


@dataclass(frozen=True)
class Lying:
    """Known dice at rest; `bare` counts the pictures in which the felt was seen where one lay."""

    dice: tuple[DieReading, ...] = ()
    bare: tuple[int, ...] = ()

    @classmethod
    def of(cls, dice: tuple[VotedDie, ...]) -> Lying:
        return cls(tuple(voted.die for voted in dice), (0,) * len(dice))

    @property
    def on_board(self) -> tuple[DieReading, ...]:
        return tuple(die for die in self.dice if die.where is not Where.OUTSIDE)

    @property
    def all_lifted(self) -> bool:
        """Every die on the board was seen to leave its place bare (true where none lay there)."""
        return all(
            bare >= _BARE_FRAMES
            for die, bare in zip(self.dice, self.bare, strict=True)
            if die.where is not Where.OUTSIDE
        )

    def was_bare(self, place: Point, die_px: float) -> bool:
        """Whether a die lay at this place and was seen to be gone."""
        return any(
            bare >= _BARE_FRAMES and dist(die.center, place) <= die_px
            for die, bare in zip(self.dice, self.bare, strict=True)
        )

    def left_bare(self, before: Lying, things: tuple[Thing, ...], die_px: float) -> bool:
        """Whether all that differs are the still places that the dice have left: the board is bare, no hand over it.

        `before` is the same with the picture before: all places must be bare in the present one.
        """
        now_bare = all(now > was for now, was in zip(self.bare, before.bare, strict=True))
        if not self.on_board or not self.all_lifted or not now_bare:
            return False
        return all(
            not (thing.hand or thing.moving) and any(dist(thing.center, die.center) < die_px for die in self.dice)
            for thing in things
        )

    def looked_at(self, scene: Scene, things: tuple[Thing, ...]) -> Lying:
        """With the places counted that are bare in the present picture, no hand over them."""
        hands = [thing.box for thing in things if thing.hand]
        bare = tuple(
            count + (not any(_overlap(die.box, box) for box in hands) and scene.is_bare(die.box))
            for die, count in zip(self.dice, self.bare, strict=True)
        )
        return replace(self, bare=bare)

    def compared(self, now: tuple[VotedDie, ...], die_px: float, *, lifted_too: bool = False) -> Compared:
        """A die has stayed if it lies where one lay and shows the same face, or one of the two was not read.

        With `lifted_too` a die whose place was seen bare has not stayed, wherever it lies now.
        """
        lifted = [die for die, bare in zip(self.dice, self.bare, strict=True) if lifted_too and bare >= _BARE_FRAMES]
        before = [die for die in self.dice if die not in lifted]
        stayed: list[VotedDie] = []
        new: list[VotedDie] = []
        for voted in now:
            near = min(before, key=lambda die: dist(die.center, voted.center), default=None)
            if (
                near is not None
                and dist(near.center, voted.center) <= SAME_PLACE * die_px
                and (voted.die.face is None or near.face is None or voted.die.face == near.face)
            ):
                before.remove(near)
                stayed.append(voted)
            else:
                new.append(voted)
        return Compared(tuple(stayed), tuple(new), (*before, *lifted))

    def seen_on(self, before: Board, now: Board) -> Lying:
        """The same dice in the same places of the board, which is seen elsewhere now."""
        return replace(self, dice=tuple(seen_on(die, before, now) for die in self.dice))

    def fitted(self, now: tuple[VotedDie, ...], die_px: float) -> Lying:
        """The same, moved on by as much as all dice on the board were: no board is found to the pixel.

        A lone die is known by its face, and by lying near.
        """
        known = self.on_board
        if not known:
            return self
        lone = len(known) == 1
        for voted in now:
            if lone and (known[0].face is None or voted.die.face != known[0].face):
                continue
            x, y = voted.center[0] - known[0].center[0], voted.center[1] - known[0].center[1]
            moved = replace(self, dice=tuple(die if die.where is Where.OUTSIDE else by(die, x, y) for die in self.dice))
            gone = moved.compared(now, die_px).gone
            most = _LONE_OFF if lone else _MOST_OFF
            if hypot(x, y) < most * die_px and not any(die.where is not Where.OUTSIDE for die in gone):
                return moved
        return self

    def recognised(
        self, now: tuple[VotedDie, ...], die_px: float, looks_alike: Callable[[DieReading], bool]
    ) -> tuple[VotedDie, ...]:
        """`now`, with the known die where none is made out, or only some without a face, and its place looks alike."""
        compared = self.compared(now, die_px)
        for known in compared.gone:
            there = [voted for voted in compared.new if dist(voted.center, known.center) < die_px]
            if all(voted.die.face is None for voted in there) and looks_alike(known):
                now = (*(voted for voted in now if voted not in there), VotedDie(known, steady=True))
        return now

    def updated(self, now: tuple[VotedDie, ...], die_px: float) -> Lying:
        """`now`, with the die as it was known where one has stayed and could not be read this time."""
        dice = []
        for voted in now:
            near = (die for die in self.dice if dist(die.center, voted.center) <= SAME_PLACE * die_px)
            known = next((die for die in near if die.face is not None), voted.die)
            dice.append(known if voted.die.face is None else voted.die)
        return Lying(tuple(dice), (0,) * len(dice))


def seen_on(die: DieReading, before: Board, now: Board) -> DieReading:
    """A die in the same place of the board, which is seen elsewhere now."""
    there = carried(np.array([die.center]), before, now)[0]
    return by(die, float(there[0] - die.center[0]), float(there[1] - die.center[1]))


def is_elsewhere(before: Board, now: Board, die_px: float) -> bool:
    """Whether dice that lie on the board are seen in other places once it is seen elsewhere."""
    corners = np.array(before.rim, np.float64)
    return bool(np.hypot(*(carried(corners, before, now) - corners).T).max() >= SAME_PLACE * die_px)


def by(die: DieReading, dx: float, dy: float) -> DieReading:
    """A die moved in the picture by so many pixels."""
    x1, y1, x2, y2 = die.box
    a, b, c, d = ((x + dx, y + dy) for x, y in die.corners)
    return replace(die, box=(x1 + dx, y1 + dy, x2 + dx, y2 + dy), corners=(a, b, c, d))


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]
