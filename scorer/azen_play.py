"""One count of azen after another: the throws, the marks, the race for the ninth ace and who pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.circle import Circle, booked, check_dice, check_turn, doing
from scorer.errors import IllegalEvent
from scorer.events import End, Event, GlassEmpty, Join, Leave, NextGame, Settled, Throw
from scorer.game import Change
from scorer.roll_off import RollOff

ACE = 1
DICE = 3  # B1
MOST_PLAYERS = 8  # B1
MARKS = {3: "orderer", 6: "taster", 9: "drinker"}  # AZ-02, AZ-03, AZ-04
MARK_KEYS = {3: "third_ace", 6: "sixth_ace", 9: "ninth_ace"}
MARK_RULES = {3: "AZ-02", 6: "AZ-03", 9: "AZ-04"}
LAST_MARK = 9


@dataclass(frozen=True)
class Race:
    """The hunt for the next ace (AZ-04, B5): who drinks and who ordered; when it began, the glass, the ace (seconds).

    While `emptied` is set and no ace is, the race is settling: dice that rested earlier may still be unread.
    """

    drinker: str
    orderer: str | None
    since: float | None = None
    emptied: float | None = None
    ace: float | None = None


@dataclass(frozen=True)
class AzenState:
    """One moment of a game; `closed` is the lost race that a late word about the glass may still turn round."""

    options: Mapping[str, object]
    circle: Circle
    opener: str | None
    to_throw: str | None
    roll_off: RollOff | None = None
    round: int = 1
    count: int = 0
    orderer: str | None = None
    taster: str | None = None
    race: Race | None = None
    closed: Race | None = None
    payer: str | None = None
    aces: Mapping[str, int] = field(default_factory=dict)
    orders: Mapping[str, int] = field(default_factory=dict)
    last: Throw | None = None
    spent: str | None = None
    throws: int = 0
    changes: tuple[Change, ...] = ()
    pattern: str = "turn"
    over: bool = False

    @property
    def phase(self) -> str:
        return "over" if self.over else "roll_off" if self.roll_off else "turn"

    @property
    def drinker(self) -> str | None:
        return self.race.drinker if self.race else None

    @property
    def race_key(self) -> str:
        """The contract's word: none, open or settling."""
        return "none" if self.race is None else "open" if self.race.emptied is None else "settling"


def play(state: AzenState, event: Event) -> AzenState:
    """The state after `event`; raises `IllegalEvent`."""
    return doing(_DO, event, "azen", over=state.over)(state, event)


def _throw(state: AzenState, event: Throw) -> AzenState:
    check_turn(event, state.to_throw, state.spent)
    counts = check_dice(event, 1 if state.roll_off else DICE)
    thrown = booked(event, state.to_throw, state.throws)
    seen = replace(
        state,
        throws=thrown.number,
        last=thrown,
        payer=None,
        closed=None,
        spent=None,
        changes=(),
        pattern="turn",
    )
    if state.race:
        return _hunt(seen, state.race, event, counts)
    if not counts:  # B7: no strokes here, the throw is simply thrown again
        return replace(seen, pattern="die_outside" if event.outside else "die_on_rim")
    if state.roll_off:
        return _rolling(replace(seen, roll_off=state.roll_off.book(int(event.dice[0])), pattern="roll_off"))
    return _count(seen, event)


def _rolling(state: AzenState) -> AzenState:
    """The roll-off goes on, or has found the opener."""
    if state.roll_off is None or state.roll_off.winner is None:
        return replace(state, to_throw=state.roll_off.to_throw if state.roll_off else state.to_throw)
    winner = state.roll_off.winner
    return replace(state, roll_off=None, opener=winner, to_throw=winner, pattern="turn")


def _count(state: AzenState, event: Throw) -> AzenState:
    """AZ-01 to AZ-04: the aces of a counted throw; the throw that reaches or passes a mark gives its role (B2)."""
    thrower = state.to_throw or ""
    fell = event.dice.count(ACE)
    if not fell:
        return replace(state, to_throw=state.circle.after(thrower), spent=thrower)
    total = state.count + fell
    changes = [Change(thrower, fell, "aces", "AZ-01", "aces")]
    mark = next((mark for mark in MARKS if state.count < mark <= total), None)
    again = bool(state.options["again_on_ace"]) and mark != LAST_MARK
    state = replace(
        state,
        count=total,
        aces={**state.aces, thrower: state.aces.get(thrower, 0) + fell},
        to_throw=thrower if again else state.circle.after(thrower),
        spent=None if again else thrower,
        pattern=MARK_KEYS[mark] if mark else "ace",
    )
    if mark:
        changes.append(Change(thrower, 1, MARK_KEYS[mark], MARK_RULES[mark], MARKS[mark]))
    state = replace(state, changes=tuple(changes))
    if mark == 3:
        return replace(state, orderer=thrower)
    if mark == 6:
        return replace(state, taster=thrower)
    if mark == LAST_MARK:
        race = Race(thrower, state.orderer, since=event.at)
        if total > LAST_MARK and state.options["spare_aces"] == "count":  # B3: the next ace has fallen already
            return _close(replace(state, race=race), race, in_time=False)
        return replace(state, race=race)
    return state


def _hunt(state: AzenState, race: Race, event: Throw, counts: bool) -> AzenState:
    """AZ-04, AZ-05, B5: a throw during the race; what rested later than the glass comes too late."""
    if race.emptied is not None and (event.at is None or event.at > race.emptied):
        return _close(state, race, in_time=True)
    if not counts:
        return replace(state, pattern="die_outside" if event.outside else "die_on_rim")
    if ACE in event.dice:
        in_time = race.emptied is not None and event.at == race.emptied
        return _close(state, replace(race, ace=event.at), in_time=in_time)
    thrower = state.to_throw or ""
    return replace(state, to_throw=_hunter_after(state.circle, thrower, race.drinker), spent=thrower, pattern="race")


def _hunter_after(circle: Circle, name: str, drinker: str) -> str:
    """B4: the others throw in turn, the drinker is skipped."""
    return circle.after(name, [other for other in circle.here if other != drinker])


def _glass_empty(state: AzenState, event: GlassEmpty) -> AzenState:
    race = state.race or state.closed
    if race is None:
        raise IllegalEvent("not_now", "nobody has a glass to empty now")
    if event.by not in (None, race.drinker):
        raise IllegalEvent("not_your_turn", f"the glass is {race.drinker}'s to empty")
    if event.at is not None and race.since is not None and event.at < race.since:
        raise IllegalEvent("not_now", "the glass cannot be empty before the ninth ace fell")
    if state.race is None:
        if event.at is None or race.ace is None or event.at > race.ace:
            raise IllegalEvent("not_now", "the ace fell before the glass was empty")
        return _turned_round(state, race)
    if race.emptied is not None:
        raise IllegalEvent("not_now", "the glass is empty already")
    state = replace(state, changes=())
    if event.at is None:
        return _close(state, race, in_time=True)
    return replace(state, race=replace(race, emptied=event.at), pattern="race")


def _settled(state: AzenState, event: Settled) -> AzenState:
    race = state.race
    if race is None or race.emptied is None:
        raise IllegalEvent("not_now", "no race waits for this")
    state = replace(state, changes=())
    if event.at is not None and event.at < race.emptied:
        return state  # something older than the glass may still be unread
    return _close(state, race, in_time=True)


def _close(state: AzenState, race: Race, *, in_time: bool) -> AzenState:
    """AZ-05: the orderer pays where the glass was empty in time, the drinker where not; a new count begins (B9)."""
    payer = race.orderer if in_time else race.drinker
    why = "glass_in_time" if in_time else "glass_too_late"
    here = state.circle.here
    if state.options["next_round"] == "drinker":
        first = race.drinker if race.drinker in here else state.circle.after(race.drinker)
    else:
        first = state.circle.after(state.opener or race.drinker)
    return replace(
        state,
        race=None,
        closed=None if in_time else race,
        payer=payer,
        orders=_paid(state.orders, payer, 1),
        changes=(*state.changes, *((Change(payer, 1, why, "AZ-05", "orders"),) if payer else ())),
        count=0,
        orderer=None,
        taster=None,
        aces={},
        round=state.round + 1,
        opener=first,
        to_throw=first,
        spent=None,
        pattern="payer",
    )


def _turned_round(state: AzenState, race: Race) -> AzenState:
    """The news of the glass came after the news of an ace that fell later (B5): the orderer pays after all."""
    orders = _paid(_paid(state.orders, race.drinker, -1), race.orderer, 1)
    changes = [Change(race.drinker, -1, "glass_in_time", "AZ-05", "orders")]
    if race.orderer:
        changes.append(Change(race.orderer, 1, "glass_in_time", "AZ-05", "orders"))
    return replace(state, closed=None, payer=race.orderer, orders=orders, changes=tuple(changes), pattern="payer")


def _paid(orders: Mapping[str, int], payer: str | None, more: int) -> Mapping[str, int]:
    return {**orders, payer: orders.get(payer, 0) + more} if payer else orders


def _end(state: AzenState, event: End) -> AzenState:
    return replace(state, over=True, to_throw=None, race=None, roll_off=None, changes=(), pattern="over")


def _next_game(state: AzenState, event: NextGame) -> AzenState:
    circle = state.circle.again()
    fresh = AzenState(state.options, circle, None, None, roll_off=RollOff(circle.here), pattern="roll_off")
    return _rolling(fresh)


def _leave(state: AzenState, event: Leave) -> AzenState:
    """Who leaves takes no more turns; an order of his stays his to pay, a glass he walks away from too."""
    player = event.player
    circle = state.circle.leave(player)
    left = replace(state, circle=circle, changes=(Change(player, 0, "left", "", "aces"),), spent=None, pattern="turn")
    if len(circle.here) < 2:
        return replace(left, over=True, to_throw=None, race=None, roll_off=None, pattern="over")
    if left.roll_off:
        return _rolling(replace(left, roll_off=left.roll_off.without(player)))
    race = left.race
    if race and race.drinker == player:
        return _close(left, race, in_time=race.emptied is not None)
    if left.to_throw == player:
        following = _hunter_after(circle, player, race.drinker) if race else circle.after(player)
        left = replace(left, to_throw=following)
    return left


def _join(state: AzenState, event: Join) -> AzenState:
    player = event.player
    joined = replace(
        state,
        circle=state.circle.join(player, MOST_PLAYERS),
        changes=(Change(player, 0, "joined", "", "aces"),),
        spent=None,
        pattern="turn",
    )
    if joined.roll_off:
        return _rolling(replace(joined, roll_off=joined.roll_off.joined_by(player)))
    return joined


_DO: Mapping[type[Event], Callable[[AzenState, Any], AzenState]] = {
    Throw: _throw,
    GlassEmpty: _glass_empty,
    Settled: _settled,
    Leave: _leave,
    Join: _join,
    End: _end,
    NextGame: _next_game,
}
