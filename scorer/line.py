"""The events of one game as they count, corrections worked in: a chain that shares its past."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from scorer.errors import IllegalEvent
from scorer.events import (
    Adjust,
    Correct,
    End,
    Event,
    Insert,
    Join,
    Leave,
    NextGame,
    Pause,
    Resume,
    Start,
    Stop,
    Throw,
)
from scorer.game import Game
from scorer.games import game_named


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # a chain is as deep as the game is long
class Moment:
    """One event that counts and the game's state after it; `before` is the moment it followed.

    `number` is the throw's number (0: no throw), `throws` the last number given so far in this game; a `void` throw
    keeps its number and does nothing.
    """

    before: Moment | None
    event: Event
    game: Game[Any]
    state: Any
    number: int = 0
    throws: int = 0
    void: bool = False
    paused: bool = False

    def back(self) -> Iterator[Moment]:
        """This moment and those before it, the latest first."""
        moment: Moment | None = self
        while moment is not None:
            yield moment
            moment = moment.before

    @property
    def to_throw(self) -> str | None:
        """The name of the player to throw."""
        return next((player.name for player in self.game.view(self.state).players if player.to_throw), None)


def begin(event: Start) -> Moment:
    """The first moment of a game; raises `IllegalEvent`."""
    game = game_named(event.game)
    return Moment(None, event, game, game.start(event))


def follow(moment: Moment, event: Event, *, number: int | None = None) -> Moment:
    """The moment after one more event, a throw numbered next unless told; raises `IllegalEvent`."""
    if isinstance(event, Pause | Resume):
        if moment.paused is isinstance(event, Pause):
            raise IllegalEvent("paused" if moment.paused else "not_paused", "this changes nothing")
        return replace(moment, before=moment, event=event, number=0, void=False, paused=not moment.paused)
    if moment.paused and not isinstance(event, Leave | Join | Adjust | End | NextGame):
        raise IllegalEvent("paused", "the game is paused: resume first")
    game, throws = moment.game, moment.throws
    if isinstance(event, Throw):
        given = number or throws + 1
        state = game.apply(moment.state, replace(event, number=given))
        return Moment(moment, event, game, state, given, max(throws, given), False, moment.paused)
    state = game.apply(moment.state, event)
    if isinstance(event, NextGame):
        throws = 0
    return Moment(moment, event, game, state, 0, throws, False, moment.paused)


def corrected(last: Moment, event: Correct) -> Moment:
    """The chain as it would be had throw `event.throw` been what `event` says; raises `IllegalEvent`."""
    found, later = _split(last, event.throw)
    before, was = found.before, found.event
    if before is None or not isinstance(was, Throw):
        raise IllegalEvent("no_such_throw", "throws are numbered from 1")
    if event.void:
        if event.dice is not None or event.player is not None:
            raise IllegalEvent("bad_correction", "a void throw has no dice and no player")
        if found.void:
            raise IllegalEvent("void", f"throw {event.throw} is void already")
        return _replay(_void(before, was, event.throw), later)
    if event.dice is None and event.player is None:
        raise IllegalEvent("bad_correction", "a correction needs dice, a player or void")
    if found.void and event.dice is None:
        raise IllegalEvent("void", f"throw {event.throw} is void: say its dice to bring it back")
    now = was
    if event.dice is not None:
        now = replace(was, dice=event.dice, outside=event.outside, rim=event.rim)
    if event.player is not None:
        return _given(before, replace(now, by=event.player), event, later)
    return _replay(follow(before, now, number=event.throw), later)


def inserted(last: Moment, event: Insert) -> Moment:
    """The chain with a throw that was missed; it takes the next free number. Raises `IllegalEvent`."""
    found, later = _split(last, event.after)
    throw = Throw(dice=event.dice, outside=event.outside, rim=event.rim, by=event.player, at=event.at)
    if event.player is not None:
        while found.to_throw != event.player and later and not later[0].number:
            found, later = later[0], later[1:]
        if found.to_throw != event.player:
            found = _stopped(found) or found
    return _replay(follow(found, throw, number=last.throws + 1), later)


def _given(before: Moment, throw: Throw, event: Correct, later: list[Moment]) -> Moment:
    """The throw as another player's: with the stop before it that this needs, or without the one that it had."""
    player = event.player
    if player == before.to_throw:
        return _replay(follow(before, throw, number=event.throw), later)
    unstopped = before.before if isinstance(before.event, Stop) else None
    for start in (unstopped, _stopped(before)):
        if start is not None and start.to_throw == player:
            return _replay(follow(start, throw, number=event.throw), later)
    raise IllegalEvent("not_next", f"throw {event.throw} cannot be {player}'s: {player} was not next to throw then")


def _stopped(moment: Moment) -> Moment | None:
    """The moment after a stop, where one is allowed."""
    try:
        return follow(moment, Stop())
    except IllegalEvent:
        return None


def _split(last: Moment, throw: int) -> tuple[Moment, list[Moment]]:
    """The moment of that throw (0: the game's begin) and those after it, the first first."""
    later: list[Moment] = []
    for moment in last.back():
        begun = moment.before is None or isinstance(moment.event, NextGame)
        if moment.number == throw and (throw or begun):
            return moment, later[::-1]
        if begun:
            break
        later.append(moment)
    raise IllegalEvent("no_such_throw", f"there is no throw {throw} in this game")


def _void(before: Moment, was: Throw, number: int) -> Moment:
    throws = max(before.throws, number)
    return replace(before, before=before, event=was, number=number, throws=throws, void=True)


def _replay(moment: Moment, later: Iterable[Moment]) -> Moment:
    """The later events once more; raises `IllegalEvent` (``would_break``) for the first that is forbidden now."""
    for old in later:
        try:
            if old.void and isinstance(old.event, Throw):
                moment = _void(moment, old.event, old.number)
            else:
                moment = follow(moment, old.event, number=old.number or None)
        except IllegalEvent as fault:
            throw = old.number or next((m.number for m in moment.back() if m.number), 0)
            what = f"throw {throw}" if old.number else f"the {old.event.do} after throw {throw}"
            raise IllegalEvent("would_break", f"then {what} could not stand: {fault.message}", throw=throw) from fault
    return moment
