"""Decides what dice at rest mean after something rolled: a throw, a nudge, or a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import dist

from vision.board import Board
from vision.happenings import DIE_MISSING
from vision.lying import Lying, seen_on
from vision.reading import Point, Problem, Where
from vision.votes import VotedDie, Votes


@dataclass
class Attempt:
    """One throw from its rest until it is told for sure; `told` once it was called unsure, `hand` if one came since.

    `before` is what lay there when it began, `left` how many dice were seen to leave the picture, or to stop on the
    table unread, `beside` where dice stopped that had rolled on the table, `seen` what the dice came to so far, where
    they rested but are not told yet, `others` what was taken for dice but did not come with this throw, `reached` what
    they had come to when a hand came over them. `knocked`: the board was found elsewhere since it began.
    """

    before: Lying
    from_deg: float | None
    settled_at: float
    left: int = 0
    beside: tuple[Point, ...] = ()
    told: bool = False
    hand: bool = False
    seen: Verdict | None = None
    reached: Verdict | None = None
    others: tuple[Point, ...] = ()
    knocked: bool = False

    def hand_came(self) -> None:
        """Whatever lies otherwise from now on may have been put so."""
        if self.told:
            self.hand = True
        self.reached = self.reached or self.seen

    def follow(self, before: Board, now: Board) -> None:
        """The board is seen elsewhere: the dice lie where they lay on it."""
        self.before = self.before.seen_on(before, now)
        self.seen, self.reached = (one and one.seen_on(before, now) for one in (self.seen, self.reached))

    def knock(self) -> None:
        """What moved before is seen in another picture: nothing settles by itself any more."""
        self.knocked = True
        self.hand = self.hand or self.told


@dataclass(frozen=True)
class Verdict:
    """`thrown`: the dice of this throw; `why` it is not sure; `touched`: no throw, lying dice were pushed."""

    thrown: tuple[VotedDie, ...] = ()
    outside: int = 0
    rim: int = 0
    missing: int = 0
    why: tuple[str, ...] = ()
    touched: bool = False

    @property
    def sure(self) -> bool:
        return not self.why and not self.touched

    def seen_on(self, before: Board, now: Board) -> Verdict:
        """The same on a board that is seen elsewhere now."""
        return replace(self, thrown=tuple(replace(one, die=seen_on(one.die, before, now)) for one in self.thrown))

    def is_like(self, other: Verdict, die_px: float) -> bool:
        """Whether the same dice lie in the same places."""
        return (
            len(self.thrown) == len(other.thrown) and not Lying.of(self.thrown).compared(other.thrown, die_px).changed
        )


def judge(
    dice: tuple[VotedDie, ...],
    votes: Votes,
    attempt: Attempt,
    expected: int,
    die_px: float,
    is_new: Callable[[VotedDie], bool],
) -> Verdict | None:
    """What the voted dice mean, or None if nothing new lies there: what rolled was no die.

    What appears where nothing moved, or nothing looks otherwise, was there all along: it belongs to no throw.
    """
    dice = tuple(_low(die, attempt.beside, die_px) for die in dice)
    compared = attempt.before.compared(dice, die_px, lifted_too=not attempt.knocked)
    thrown = tuple(die for die in compared.new if is_new(die))
    if not thrown and attempt.left < max(1, expected):
        return None
    others = tuple(die for die in dice if die not in thrown)
    if not attempt.told:
        attempt.others = tuple(die.center for die in others)
    remain = [die for die in compared.stayed if die.where is not Where.OUTSIDE]
    gone = [die for die in compared.gone if die.where is not Where.OUTSIDE]
    missing = expected - len(thrown)
    left = attempt.left if missing == attempt.left else 0
    missing -= left
    if remain and missing == len(remain) and len(gone) == len(thrown):
        if not attempt.before.compared(dice, die_px).changed:
            return None  # what a hand covered for a while lies as it lay
        return Verdict(thrown, touched=True)
    why: list[str] = [problem.value for problem in votes.problems]
    why += [problem.value for problem in votes.blames(thrown)]
    if missing > 0:
        why.append(DIE_MISSING)
    if not thrown:
        why.append(Problem.UNSURE.value)  # all of them left the picture, it seems: too much to book on tracks alone
    if missing < 0:
        why.append(Problem.COUNT.value)
    verdict = Verdict(
        thrown,
        outside=sum(die.where is Where.OUTSIDE for die in thrown) + left,
        rim=sum(die.where is Where.RIM for die in thrown),
        missing=max(0, missing),
        why=tuple(why),
    )
    # nobody saw the last dice being lifted: pushed, or thrown? What showed no face may have been a hand, or a cup
    pushed = not attempt.before.all_lifted and (any(die.face for die in gone) or 0 < len(thrown) <= len(gone))
    put = attempt.reached is not None and not attempt.reached.is_like(verdict, die_px)  # a hand was there meanwhile
    if (pushed or put or attempt.knocked) and Problem.UNSURE.value not in why:
        verdict = replace(verdict, why=(*why, Problem.UNSURE.value))
    return verdict


def _low(voted: VotedDie, beside: tuple[Point, ...], die_px: float) -> VotedDie:
    """A die that seems to lie on the rim, but came rolling over the table, leans against the board from outside."""
    if voted.where is Where.RIM and any(dist(voted.center, place) < 1.2 * die_px for place in beside):
        return replace(voted, die=replace(voted.die, where=Where.OUTSIDE))
    return voted
