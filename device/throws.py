"""The latest throws with their numbers, so that any of them can be put right."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.errors import IllegalEvent
from scorer.events import Correct, Face, NextGame, Stop, Throw
from scorer.line import follow
from scorer.session import Session


@dataclass(frozen=True)
class Thrown:
    """One booked throw of the running game; `player` is who threw it, `void` one that was taken out."""

    number: int
    player: str | None
    dice: tuple[Face, ...]
    outside: int = 0
    rim: int = 0
    void: bool = False


def latest(session: Session, most: int = 8) -> tuple[Thrown, ...]:
    """Up to `most` throws that stand, corrected where they were, the latest first."""
    found: list[Thrown] = []
    for moment in session.moments():
        if isinstance(moment.event, NextGame) or len(found) == most:
            break
        if moment.number and isinstance(moment.event, Throw) and moment.before is not None:
            event = moment.event
            player = moment.before.to_throw
            found.append(Thrown(moment.number, player, event.dice, event.outside, event.rim, moment.void))
    return tuple(found)


def same(typed: Throw | None, seen: Throw) -> bool:
    """Whether the eye now reads what a person had entered already."""
    return typed is not None and (sorted(map(str, typed.dice)), typed.outside, typed.rim) == (
        sorted(map(str, seen.dice)),
        seen.outside,
        seen.rim,
    )


def given_on(session: Session) -> Correct | None:
    """The correction that gives the last throw to the player who comes next, its thrower having stopped before it.

    None where there is no throw, or where its thrower could not have stopped.
    """
    for moment in session.moments():
        if isinstance(moment.event, NextGame):
            return None
        if moment.number and moment.before is not None:
            thrower = moment.before.to_throw
            try:
                player = follow(moment.before, Stop(by=thrower)).to_throw
            except IllegalEvent:
                return None
            return None if player in (None, thrower) else Correct(throw=moment.number, player=player)
    return None
