"""The turns and rounds of Sachsenkniffel: fixing a number, setting dice aside, extra turns, the re-throw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scorer.circle import Circle, alone_at, booked, check_dice, check_turn, doing
from scorer.errors import IllegalEvent
from scorer.events import Choose, End, Event, Join, Leave, NextGame, Stop, Throw
from scorer.game import Change
from scorer.roll_off import RollOff

DICE, THROWS = 6, 3  # SK-02
COLUMNS = 6  # SK-01, SK-03: every number is crossed six times
NUMBERS = range(1, 13)  # SK-03
FIRST_SUM = 7  # SK-04: from here on a number is the sum of exactly two dice
ROLL_OFF_DICE = 2  # D8
MOST_PLAYERS = 8

Crosses = Mapping[str, Mapping[int, int]]


def hits(dice: Sequence[int], number: int) -> tuple[int, ...]:
    """The dice that make `number`: single dice up to six, above it as many disjoint pairs as there are (SK-04, D2).

    A face pairs with one other face only, so taking pairs as they come finds the largest number of them.

    >>> hits((4, 4, 2, 6, 1, 1), 8)
    (2, 6, 4, 4)
    """
    if number < FIRST_SUM:
        return tuple(face for face in dice if face == number)
    found: list[int] = []
    for low in range(number - 6, number // 2 + 1):
        high = number - low
        pairs = dice.count(low) // 2 if low == high else min(dice.count(low), dice.count(high))
        found += [low, high] * pairs
    return tuple(found)


def hit_count(dice: Sequence[int], number: int) -> int:
    """How many crosses these dice are worth for `number`, columns apart."""
    return len(hits(dice, number)) // (1 if number < FIRST_SUM else 2)


@dataclass(frozen=True)
class SachsenkniffelState:
    """One moment of a game.

    `thrown`: the latest throw of this turn, its hits not set aside yet; `booked`: the crosses of these three throws,
    taken back when pinched (D7); `due`: who still has a turn in this round.
    """

    options: Mapping[str, object]
    circle: Circle
    opener: str | None
    to_throw: str | None
    roll_off: RollOff | None = None
    rethrow: RollOff | None = None
    round: int = 1
    crosses: Crosses = field(default_factory=dict)
    due: frozenset[str] = frozenset()
    number: int | None = None
    thrown: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    throws_left: int = THROWS
    booked: int = 0
    extra_turn: bool = False
    places: Mapping[str, int] = field(default_factory=dict)
    last: Throw | None = None
    spent: str | None = None
    throws: int = 0
    changes: tuple[Change, ...] = ()
    pattern: str = "turn"
    over: bool = False

    @property
    def phase(self) -> str:
        if self.over:
            return "over"
        return "roll_off" if self.roll_off else "rethrow" if self.rethrow else "turn"

    @property
    def dice_left(self) -> int:
        return DICE - len(self.aside)

    @property
    def expected(self) -> int:
        """How many dice the next throw has; 0 while only a number may be fixed, and at the end."""
        if self.over:
            return 0
        if self.roll_off:
            return ROLL_OFF_DICE
        if self.rethrow:
            dice = self.options["rethrow_dice"]
            assert isinstance(dice, int)
            return dice
        return self.dice_left if self.throws_left else 0

    @cached_property
    def choosable(self) -> tuple[int, ...]:
        """The numbers that may be fixed now: hit by the latest throw and not complete (D6, D10)."""
        if self.number is not None or not self.thrown or self.phase != "turn":
            return ()
        return tuple(n for n in NUMBERS if hits(self.thrown, n) and self.crossed(self.to_throw or "", n) < COLUMNS)

    @property
    def may_join(self) -> bool:
        """Not in the last round, nor in the re-throw."""
        return not self.rethrow and not any(self.finished(name) for name in self.circle.here)

    def crossed(self, player: str, number: int) -> int:
        return self.crosses.get(player, {}).get(number, 0)

    def total(self, player: str) -> int:
        return sum(self.crosses.get(player, {}).values())

    def finished(self, player: str) -> bool:
        return self.total(player) == COLUMNS * len(NUMBERS)

    def at_place(self, place: int) -> str | None:
        """Who is there; None where nobody is or where it is shared."""
        return alone_at(self.places, place)


def begin_round(state: SachsenkniffelState, opener: str) -> SachsenkniffelState:
    """Everyone has one turn, beginning with `opener`."""
    return _next_turn(replace(state, opener=opener, due=frozenset(state.circle.here)), opener)


def rolled(state: SachsenkniffelState) -> SachsenkniffelState:
    """The roll-off goes on, or has found who begins (D8)."""
    assert state.roll_off is not None
    if state.roll_off.winner is None:
        return replace(state, to_throw=state.roll_off.to_throw, pattern="roll_off")
    return begin_round(replace(state, roll_off=None), state.roll_off.winner)


def play(state: SachsenkniffelState, event: Event) -> SachsenkniffelState:
    """The state after `event`; raises `IllegalEvent`."""
    return doing(_DO, event, "sachsenkniffel", over=state.over)(state, event)


def _throw(state: SachsenkniffelState, event: Throw) -> SachsenkniffelState:
    check_turn(event, state.to_throw, state.spent)
    if not state.expected:
        raise IllegalEvent("throw_limit", f"{state.to_throw} has no throw left: fix a number, or stop")
    counts = check_dice(event, state.expected)
    thrown = booked(event, state.to_throw, state.throws)
    state = replace(state, throws=thrown.number, last=thrown, spent=None, changes=(), pattern="turn")
    if not counts:  # in no text; thrown again as in the other games
        return replace(state, pattern="die_outside" if event.outside else "die_on_rim")
    dice = tuple(int(face) for face in event.dice)
    if state.roll_off:
        return rolled(replace(state, roll_off=state.roll_off.book(sum(dice))))
    if state.rethrow:
        return _rethrown(replace(state, rethrow=state.rethrow.book(sum(dice))))
    state = replace(state, throws_left=state.throws_left - 1, thrown=dice)
    if state.number is not None:
        return _set_aside(state, state.number, "hit_again")
    if not state.throws_left and not state.choosable:  # D5
        return _turn_over(replace(state, pattern="no_cross"))
    return state


def _choose(state: SachsenkniffelState, event: Choose) -> SachsenkniffelState:
    if state.phase != "turn":
        raise IllegalEvent("not_now", "no number can be fixed now")
    check_turn(event, state.to_throw)
    player, number = state.to_throw or "", event.number
    if number not in NUMBERS:
        raise IllegalEvent("bad_number", f"a number is 1 to {NUMBERS[-1]}, not {number}")
    if state.number is not None:  # SK-05
        raise IllegalEvent("number_fixed", f"{state.number} is fixed for this turn")
    if not state.thrown:
        raise IllegalEvent("no_throw", "throw first, then fix a number")
    if state.crossed(player, number) >= COLUMNS:  # D6
        raise IllegalEvent("number_complete", f"{player} has crossed {number} six times already")
    if not hits(state.thrown, number):  # D10
        raise IllegalEvent("no_hit", f"this throw does not make {number}")
    return _set_aside(replace(state, number=number, changes=(), pattern="chosen"), number, "hit")


def _set_aside(state: SachsenkniffelState, number: int, why: str) -> SachsenkniffelState:
    """SK-06 to SK-08: hits go aside (D3) and are crossed; all dice or a complete number give three more throws."""
    player = state.to_throw or ""
    used = hits(state.thrown, number)
    had = state.crossed(player, number)
    gained = min(hit_count(state.thrown, number), COLUMNS - had)
    if not used and state.options["pinched"]:
        return _pinched(state, number)
    if gained:
        row = {**state.crosses.get(player, {}), number: had + gained}
        change = Change(player, gained, why, "SK-06", "crosses")
        state = replace(state, crosses={**state.crosses, player: row}, changes=(change,), pattern="crossed")
    state = replace(state, thrown=(), aside=state.aside + used, booked=state.booked + gained)
    if state.finished(player):  # D1: the others still have their turns of this round
        return _turn_over(replace(state, pattern="field_complete"))
    if not state.dice_left or had + gained == COLUMNS:
        again = _next_turn(state, player)
        return replace(again, extra_turn=True, pattern="extra_turn")  # SK-07, D4
    return state if state.throws_left else _turn_over(state)


def _pinched(state: SachsenkniffelState, number: int) -> SachsenkniffelState:
    """D7: the fixed number was not hit again, the crosses of these throws are taken back."""
    player = state.to_throw or ""
    row = {**state.crosses.get(player, {}), number: state.crossed(player, number) - state.booked}
    change = Change(player, -state.booked, "pinched", "D7", "crosses")
    return _turn_over(
        replace(state, crosses={**state.crosses, player: row}, changes=(change,), pattern="pinched", booked=0)
    )


def _stop(state: SachsenkniffelState, event: Stop) -> SachsenkniffelState:
    if state.phase != "turn":
        raise IllegalEvent("not_now", "nobody can stop here: throw")
    check_turn(event, state.to_throw)
    if state.throws_left == THROWS:
        raise IllegalEvent("no_throw", f"{state.to_throw} has to throw at least once")
    return replace(_turn_over(replace(state, changes=(), pattern="turn")), spent=None)


def _turn_over(state: SachsenkniffelState) -> SachsenkniffelState:
    player = state.to_throw or ""
    due = state.due - {player}
    state = replace(state, due=due, spent=None if state.throws_left else player)
    return _next_turn(state, state.circle.after(player, due)) if due else _round_over(state)


def _next_turn(state: SachsenkniffelState, player: str) -> SachsenkniffelState:
    return replace(
        state, to_throw=player, number=None, thrown=(), aside=(), throws_left=THROWS, booked=0, extra_turn=False
    )


def _round_over(state: SachsenkniffelState) -> SachsenkniffelState:
    """SK-09: one finished player wins, several throw again for it."""
    opener = state.opener or ""
    here = state.circle.here
    done = tuple(name for name in state.circle.clockwise(opener) if state.finished(name))
    if not done:
        first = opener if opener in here else state.circle.after(opener)
        return begin_round(replace(state, round=state.round + 1), first)
    state = _next_turn(state, done[0])
    return _rethrown(replace(state, rethrow=RollOff(done, tied_only=True), spent=None))


def _rethrown(state: SachsenkniffelState) -> SachsenkniffelState:
    assert state.rethrow is not None
    if state.rethrow.winner is None:
        return replace(state, to_throw=state.rethrow.to_throw, pattern="rethrow")
    return over(state, state.rethrow.ranking)


def over(state: SachsenkniffelState, ranking: Sequence[Sequence[str]] = ()) -> SachsenkniffelState:
    """The end: those of `ranking` first, behind them the others by their crosses; equals share a place."""
    groups = [list(group) for group in ranking]
    rest = [name for name in state.circle.here if not any(name in group for group in groups)]
    for total in sorted({state.total(name) for name in rest}, reverse=True):
        groups.append([name for name in rest if state.total(name) == total])
    places: dict[str, int] = {}
    for group in groups:
        places |= dict.fromkeys(group, len(places) + 1)
    state = replace(_next_turn(state, state.circle.names[0]), to_throw=None, due=frozenset(), spent=None)
    return replace(state, over=True, roll_off=None, rethrow=None, places=places, pattern="game_won")


def _end(state: SachsenkniffelState, event: End) -> SachsenkniffelState:
    return replace(state, over=True, to_throw=None, roll_off=None, rethrow=None, changes=(), pattern="over")


def _next_game(state: SachsenkniffelState, event: NextGame) -> SachsenkniffelState:
    return opening(state.options, state.circle.again(), None, {})


def opening(options: Mapping[str, object], circle: Circle, opener: str | None, crosses: Crosses) -> SachsenkniffelState:
    """Before the first throw: by `opener`, by the first field, or by a roll-off (D8)."""
    fresh = SachsenkniffelState(options, circle, None, None, crosses=crosses)
    if opener is None and options["starter"] == "roll_off":
        return rolled(replace(fresh, roll_off=RollOff(circle.here)))
    return begin_round(fresh, opener or circle.here[0])


def _leave(state: SachsenkniffelState, event: Leave) -> SachsenkniffelState:
    player = event.player
    circle = state.circle.leave(player)
    left = replace(
        state, circle=circle, changes=(Change(player, 0, "left", "", "crosses"),), spent=None, pattern="turn"
    )
    if len(circle.here) < 2:
        return over(left)
    if left.roll_off:
        return rolled(replace(left, roll_off=left.roll_off.without(player)))
    if left.rethrow:
        return _rethrown(replace(left, rethrow=left.rethrow.without(player)))
    if left.to_throw == player:
        return replace(_turn_over(left), spent=None)
    return replace(left, due=left.due - {player})


def _join(state: SachsenkniffelState, event: Join) -> SachsenkniffelState:
    """A newcomer begins with an empty field, in the next round; who is back finds his crosses."""
    player = event.player
    if not state.may_join:
        raise IllegalEvent("not_now", "the last round is being played")
    circle = state.circle.join(player, MOST_PLAYERS)
    joined = replace(
        state, circle=circle, changes=(Change(player, 0, "joined", "", "crosses"),), spent=None, pattern="turn"
    )
    if joined.roll_off:
        return rolled(replace(joined, roll_off=joined.roll_off.joined_by(player)))
    return joined


_DO: Mapping[type[Event], Callable[[SachsenkniffelState, Any], SachsenkniffelState]] = {
    Throw: _throw,
    Choose: _choose,
    Stop: _stop,
    Leave: _leave,
    Join: _join,
    End: _end,
    NextGame: _next_game,
}
