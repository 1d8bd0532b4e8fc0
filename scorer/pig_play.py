"""The turns and rounds of Pig with two dice: adding up, losing it all, stopping, and the last round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.circle import Circle, alone_at, booked, check_dice, check_turn, doing
from scorer.errors import IllegalEvent
from scorer.events import End, Event, Join, Leave, NextGame, Stop, Throw
from scorer.game import Change
from scorer.roll_off import RollOff

DICE = 2  # PG-01
MOST_PLAYERS = 4  # PG-01
ACE = 1
BIG_PIG = 25  # C1: what 1-1 is worth with double_one = twenty_five


@dataclass(frozen=True)
class PigState:
    """One moment of a game.

    `due`: who still has a turn in this round; `level`: how many extra rounds a player reached (C6), so that whoever
    fell out of the tie ranks behind; `extra`: an extra round is being played.
    """

    options: Mapping[str, object]
    circle: Circle
    opener: str | None
    to_throw: str | None
    roll_off: RollOff | None = None
    round: int = 1
    scores: Mapping[str, int] = field(default_factory=dict)
    due: frozenset[str] = frozenset()
    turn: int = 0
    rolls: int = 0
    must_throw: bool = True
    last_round: bool = False
    extra: bool = False
    level: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    last: Throw | None = None
    throws: int = 0
    changes: tuple[Change, ...] = ()
    pattern: str = "turn"
    over: bool = False

    @property
    def target(self) -> int:
        target = self.options["target"]
        assert isinstance(target, int)
        return target

    @property
    def phase(self) -> str:
        return "over" if self.over else "roll_off" if self.roll_off else "turn"

    @property
    def winner(self) -> str | None:
        """The one in first place; None where it is shared."""
        return alone_at(self.places, 1)

    @property
    def loser(self) -> str | None:
        """The one in last place; None where it is shared."""
        return alone_at(self.places, max(self.places.values())) if len(set(self.places.values())) > 1 else None


def begin_round(state: PigState, opener: str) -> PigState:
    """Everyone has one turn, beginning with `opener` (PG-02)."""
    return _next_turn(replace(state, opener=opener, due=frozenset(state.circle.here)), opener)


def play(state: PigState, event: Event) -> PigState:
    """The state after `event`; raises `IllegalEvent`."""
    return doing(_DO, event, "pig", over=state.over)(state, event)


def _throw(state: PigState, event: Throw) -> PigState:
    check_turn(event, state.to_throw)
    counts = check_dice(event, DICE)
    thrown = booked(event, state.to_throw, state.throws)
    state = replace(state, throws=thrown.number, last=thrown, changes=(), pattern="turn")
    if not counts:  # C7
        return replace(state, pattern="die_outside" if event.outside else "die_on_rim")
    first, second = (int(face) for face in event.dice)
    if state.roll_off:
        return rolled(replace(state, roll_off=state.roll_off.book(first + second)))
    state = replace(state, rolls=state.rolls + 1)
    if first == second == ACE:
        return _double_one(state)
    if ACE in (first, second):
        return _bust(state, "one_ace", "PG-06")
    double = first == second
    return replace(
        state,
        turn=state.turn + first + second,
        must_throw=double,  # PG-07
        pattern="double" if double else "turn",
    )


def rolled(state: PigState) -> PigState:
    """The roll-off goes on, or has found who begins (PG-03)."""
    assert state.roll_off is not None
    if state.roll_off.winner is None:
        return replace(state, to_throw=state.roll_off.to_throw, pattern="roll_off")
    return begin_round(replace(state, roll_off=None), state.roll_off.winner)


def _double_one(state: PigState) -> PigState:
    """C1."""
    match state.options["double_one"]:
        case "lose_turn":
            return _bust(state, "double_one", "C1")
        case "lose_all":
            player = state.to_throw or ""
            lost = state.scores.get(player, 0)
            state = replace(state, scores={**state.scores, player: 0})
            return _bust(state, "double_one", "C1", banked=lost)
        case "twenty_five":
            worth = BIG_PIG
        case _:
            worth = 2 * ACE
    return replace(state, turn=state.turn + worth, must_throw=True, pattern="double")


def _bust(state: PigState, why: str, rule: str, banked: int = 0) -> PigState:
    """The turn's points are lost (PG-06); `banked` says what else is."""
    player = state.to_throw or ""
    change = Change(player, -banked, why, rule, "points")
    return _turn_over(replace(state, changes=(change,), pattern="bust"))


def _stop(state: PigState, event: Stop) -> PigState:
    if state.roll_off:
        raise IllegalEvent("not_now", "who begins is still being thrown for")
    check_turn(event, state.to_throw)
    if not state.rolls:  # C2
        raise IllegalEvent("no_throw", f"{state.to_throw} has to throw at least once")
    if state.must_throw:  # PG-07
        raise IllegalEvent("must_throw", "a double must be thrown again")
    player = state.to_throw or ""
    total = state.scores.get(player, 0) + state.turn
    change = Change(player, state.turn, "banked", "PG-05", "points")
    state = replace(state, scores={**state.scores, player: total}, changes=(change,), pattern="hold")
    if total >= state.target and not state.last_round:  # C4, PG-08
        state = replace(state, last_round=True, pattern="last_round")
    return _turn_over(state)


def _turn_over(state: PigState) -> PigState:
    player = state.to_throw or ""
    due = state.due - {player}
    if due:
        return _next_turn(replace(state, due=due), state.circle.after(player, due))
    return _round_over(replace(state, due=due))


def _next_turn(state: PigState, player: str) -> PigState:
    return replace(state, to_throw=player, turn=0, rolls=0, must_throw=True)


def _round_over(state: PigState) -> PigState:
    """PG-08: after the last round the highest total wins; C6 for a tie."""
    opener = state.opener or ""
    here = state.circle.here
    if not state.last_round:
        state = replace(state, round=state.round + 1)
        first = opener if opener in here else state.circle.after(opener)
        return _next_turn(replace(state, opener=first, due=frozenset(here)), first)
    top = max(_standing(state, name) for name in here)
    tied = frozenset(name for name in here if _standing(state, name) == top)
    if len(tied) > 1 and state.options["end_tie"] == "extra_round":
        level = {**state.level, **{name: state.level.get(name, 0) + 1 for name in tied}}
        state = replace(state, round=state.round + 1, due=tied, level=level, extra=True, pattern="tie")
        return _next_turn(state, state.circle.clockwise(opener, tied)[0])
    return over(state)


def over(state: PigState) -> PigState:
    """The end, with everybody's place; equal standings share one."""
    here = state.circle.here
    places = {name: 1 + sum(_standing(state, other) > _standing(state, name) for other in here) for name in here}
    return replace(state, over=True, to_throw=None, turn=0, rolls=0, due=frozenset(), places=places, pattern="game_won")


def _standing(state: PigState, name: str) -> tuple[int, int]:
    return state.level.get(name, 0), state.scores.get(name, 0)


def _end(state: PigState, event: End) -> PigState:
    return replace(state, over=True, to_throw=None, turn=0, roll_off=None, changes=(), pattern="over")


def _next_game(state: PigState, event: NextGame) -> PigState:
    circle = state.circle.again()
    fresh = PigState(state.options, circle, None, None, scores=dict.fromkeys(circle.names, 0))
    return rolled(replace(fresh, roll_off=RollOff(circle.here)))


def _leave(state: PigState, event: Leave) -> PigState:
    player = event.player
    circle = state.circle.leave(player)
    left = replace(state, circle=circle, changes=(Change(player, 0, "left", "", "points"),), pattern="turn")
    if len(circle.here) < 2:
        return over(replace(left, roll_off=None))
    if left.roll_off:
        return rolled(replace(left, roll_off=left.roll_off.without(player)))
    reached = any(left.scores.get(name, 0) >= left.target for name in circle.here)
    left = replace(left, last_round=left.extra or reached)  # who ended the game may take the end along
    if left.to_throw == player:
        return _turn_over(left)
    return replace(left, due=left.due - {player})


def _join(state: PigState, event: Join) -> PigState:
    """A newcomer begins with nothing, in the next round; who is back finds his points."""
    player = event.player
    if state.last_round:
        raise IllegalEvent("not_now", "the last round is being played")
    circle = state.circle.join(player, MOST_PLAYERS)
    scores = {**state.scores, player: state.scores.get(player, 0)}
    joined = replace(
        state, circle=circle, scores=scores, changes=(Change(player, 0, "joined", "", "points"),), pattern="turn"
    )
    if joined.roll_off:
        return rolled(replace(joined, roll_off=joined.roll_off.joined_by(player)))
    return joined


_DO: Mapping[type[Event], Callable[[PigState, Any], PigState]] = {
    Throw: _throw,
    Stop: _stop,
    Leave: _leave,
    Join: _join,
    End: _end,
    NextGame: _next_game,
}
