"""The turns of Bataclan: who begins, throwing and keeping, stacking, dice that fall, and the places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.bataclan_dice import ORDER, G, Sizes, face_at, faces, share_out, without
from scorer.circle import Circle, alone_at, booked, check_dice, check_turn, doing
from scorer.errors import IllegalEvent
from scorer.events import End, Event, Face, Fallen, Join, Leave, NextGame, Place, Stop, Throw
from scorer.game import Change

MOST_PLAYERS = 6  # BC-02


@dataclass(frozen=True)
class BataclanState:
    """One moment of a game.

    `hands`: the faces that lie before each player, as far as they are known; `dice`: what each still has to place, by
    size (the larger ones are taken to go on the pile first, E5); `pile`: the sizes on the pile, the base first;
    `out`: who has placed everything, and in which round; `reopened`: the game as it goes on if that last die falls.
    """

    options: Mapping[str, object]
    circle: Circle
    chosen: Mapping[str, str] = field(default_factory=dict)
    opener: str | None = None
    to_throw: str | None = None
    roll_off: bool = False
    round: int = 1
    hands: Mapping[str, tuple[Face, ...]] = field(default_factory=dict)
    dice: Mapping[str, Sizes] = field(default_factory=dict)
    pile: tuple[Sizes, ...] = ()
    due: frozenset[str] = frozenset()
    thrown: bool = False
    out: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    reopened: BataclanState | None = None
    last: Throw | None = None
    throws: int = 0
    changes: tuple[Change, ...] = ()
    pattern: str = "turn"
    over: bool = False

    @property
    def phase(self) -> str:
        return "over" if self.over else "roll_off" if self.roll_off else "turn"

    @property
    def playing(self) -> tuple[str, ...]:
        """Who still has dice, clockwise."""
        return tuple(name for name in self.circle.here if name not in self.out)

    @property
    def next(self) -> Face:
        """The face that goes on the pile next; the base is a G (BC-04, E3)."""
        return ORDER[len(self.pile) % len(ORDER)]

    @property
    def may_place(self) -> tuple[Face, ...]:
        """The faces that can be placed now: the next one, and on a pile a G as joker (BC-10)."""
        if not self.thrown:
            return ()
        hand = self.hands.get(self.to_throw or "", ())
        return tuple(face for face in ORDER if face in hand and _fits(face, len(self.pile)))

    @property
    def is_untouched(self) -> bool:
        """Whether all dice are still as they were shared out, and nobody has begun."""
        return self.roll_off and not self.pile and self.dice == share_out(self.circle.here, self.chosen)

    def dice_left(self, player: str) -> int:
        return sum(self.dice.get(player, ()))

    def at_place(self, place: int) -> str | None:
        """Who is there; None where nobody is or where it is shared."""
        return alone_at(self.places, place)


def opening(state: BataclanState, opener: str | None) -> BataclanState:
    """Before the first throw: by `opener`, or by the first to throw a G (BC-03)."""
    here = state.circle.here
    if opener is None:
        return replace(state, roll_off=True, to_throw=here[0], pattern="roll_off")
    return replace(state, roll_off=False, opener=opener, to_throw=opener, due=frozenset(here))


def play(state: BataclanState, event: Event) -> BataclanState:
    """The state after `event`; raises `IllegalEvent`."""
    if isinstance(event, Fallen) and state.reopened is not None and event.player in state.out:
        return _fallen(state.reopened, event)
    return doing(_DO, event, "bataclan", over=state.over)(state, event)


def _throw(state: BataclanState, event: Throw) -> BataclanState:
    check_turn(event, state.to_throw)
    player = state.to_throw or ""
    if state.thrown:
        raise IllegalEvent("throw_limit", f"{player} has thrown: place dice" + ("" if state.may_place else ", or stop"))
    event = replace(event, dice=faces(event.dice), kept=faces(event.kept))
    if event.kept and (state.roll_off or state.round == 1):  # BC-08
        raise IllegalEvent("must_throw_all", "dice can be kept from the second round on")
    expected = 1 if state.roll_off else state.dice_left(player) - len(event.kept)
    without(state.hands.get(player, ()), event.kept)
    if expected < 1:
        raise IllegalEvent("must_throw", "at least one die has to be thrown")
    counts = check_dice(event, expected, ORDER)
    thrown = booked(event, state.to_throw, state.throws)
    state = replace(state, throws=thrown.number, last=thrown, changes=(), pattern="turn")
    if not counts:  # in no text; thrown again as in the other games
        pattern = "die_outside" if event.outside else "die_on_rim"
        kept = state.hands if state.roll_off else {**state.hands, player: event.kept}
        return replace(state, hands=kept, pattern=pattern)
    if state.roll_off:
        if event.dice[0] == G:  # E2
            return opening(state, player)
        return replace(state, to_throw=state.circle.after(player), pattern="roll_off")
    state = replace(state, thrown=True, hands={**state.hands, player: event.dice + event.kept})
    return state if state.may_place else replace(state, pattern="nothing_fits")


def _place(state: BataclanState, event: Place) -> BataclanState:
    """BC-05 to BC-07, BC-10: in the order given; a G on a pile stands for whatever comes next (E4: kept dice too)."""
    _check_thrown(state, event)
    player, dice = state.to_throw or "", faces(event.dice)
    if not dice:
        raise IllegalEvent("must_place", "say which dice go on the pile")
    hand = without(state.hands[player], dice)
    height = len(state.pile)
    for face in dice:
        if not _fits(face, height):
            wanted = ORDER[height % len(ORDER)]
            raise IllegalEvent("does_not_fit", f"a {wanted} comes next, not a {face}")
        height += 1
    taken, rest = state.dice[player].split(len(dice))
    sizes: list[Sizes] = []
    while sum(taken):
        one, taken = taken.split(1)
        sizes.append(one)
    placed = replace(
        state,
        pile=(*state.pile, *sizes),
        hands={**state.hands, player: hand},
        dice={**state.dice, player: rest},
        changes=(Change(player, -len(dice), "placed", "BC-06", "dice"),),
        pattern="placed" if state.pile else "base",
    )
    if not sum(rest):
        return _out(placed, player)
    return _turn_over(placed)


def _fits(face: Face, height: int) -> bool:
    return face == ORDER[height % len(ORDER)] or (face == G and height > 0)


def _stop(state: BataclanState, event: Stop) -> BataclanState:
    _check_thrown(state, event)
    if state.may_place:  # BC-07
        raise IllegalEvent("must_place", "a die that can be placed has to be")
    return _turn_over(replace(state, changes=(), pattern="turn"))


def _check_thrown(state: BataclanState, event: Event) -> None:
    if state.roll_off:
        raise IllegalEvent("not_now", "who begins is still being thrown for")
    check_turn(event, state.to_throw)
    if not state.thrown:
        raise IllegalEvent("no_throw", f"{state.to_throw} has to throw first")


def _fallen(state: BataclanState, event: Fallen) -> BataclanState:
    """BC-09, E3: the topmost dice become the player's, with the faces that they showed on the pile."""
    player, height = event.player, len(state.pile)
    state.circle.check(player)
    if not 1 <= event.dice <= height:
        there = f"from 1 to {height} dice can fall" if height else "there is no pile"
        raise IllegalEvent("dice_count", there)
    left = height - event.dice
    dice = state.dice[player]
    for sizes in state.pile[left:]:
        dice = dice.plus(sizes)
    shown = tuple(face for h in range(left + 1, height + 1) if (face := face_at(h)) is not None)
    fell = replace(
        state,
        pile=state.pile[:left],
        hands={**state.hands, player: state.hands.get(player, ()) + shown},
        dice={**state.dice, player: dice},
        changes=(Change(player, event.dice, "fallen", "BC-09", "dice"),),
        pattern="fallen",
    )
    if player not in state.out:
        return fell
    out = {name: when for name, when in state.out.items() if name != player}
    due = state.due | ({player} if state.out[player] < state.round else frozenset())
    return _with_places(replace(fell, out=out, due=due))


def _out(state: BataclanState, player: str) -> BataclanState:
    """BC-11: no dice left; E7 says whether that ends the game."""
    state = replace(state, out={**state.out, player: state.round}, pattern="out")
    going_on = _turn_over(_with_places(state))
    if state.options["places"] == "count_dice" or len(state.playing) < 2:
        return replace(over(state), reopened=going_on)
    return going_on


def _turn_over(state: BataclanState) -> BataclanState:
    due = state.due - {state.to_throw or ""}
    waiting = [name for name in state.playing if name in due]
    if not waiting:
        opener = state.circle.clockwise(state.opener or "", state.playing)[0]
        due = frozenset(state.playing)
        return replace(state, round=state.round + 1, opener=opener, to_throw=opener, due=due, thrown=False)
    return replace(state, to_throw=state.circle.after(state.to_throw or "", waiting), due=due, thrown=False)


def _with_places(state: BataclanState) -> BataclanState:
    """The places of those who are out, in the order in which they went."""
    return replace(state, places={name: place for place, name in enumerate(state.out, 1)})


def over(state: BataclanState) -> BataclanState:
    """The end: behind those who are out the others by the dice they have left, equals share a place (BC-11)."""
    state = _with_places(state)
    places = dict(state.places)
    for name in state.playing:
        fewer = sum(state.dice_left(other) < state.dice_left(name) for other in state.playing)
        places[name] = len(state.out) + 1 + fewer
    return replace(state, over=True, to_throw=None, roll_off=False, thrown=False, places=places, pattern="game_won")


def _end(state: BataclanState, event: End) -> BataclanState:
    return replace(state, over=True, to_throw=None, roll_off=False, thrown=False, changes=(), pattern="over")


def _next_game(state: BataclanState, event: NextGame) -> BataclanState:
    circle = state.circle.again()
    return opening(dealt(BataclanState(state.options, circle, state.chosen)), None)


def dealt(state: BataclanState) -> BataclanState:
    """With the dice shared out among those who are here."""
    here = state.circle.here
    chosen = {name: size for name, size in state.chosen.items() if name in here}
    return replace(state, chosen=chosen, dice=share_out(here, chosen), hands=dict.fromkeys(here, ()))


def _leave(state: BataclanState, event: Leave) -> BataclanState:
    """His dice go back into the box; before the first turn all are shared out anew. A place once won stays."""
    player = event.player
    circle = state.circle.leave(player)
    dice = {name: sizes for name, sizes in state.dice.items() if name != player}
    hands = {name: hand for name, hand in state.hands.items() if name != player}
    left = replace(
        state,
        circle=circle,
        dice=dice,
        hands=hands,
        changes=(Change(player, 0, "left", "", "dice"),),
        pattern="turn",
    )
    if len(circle.here) < 2 or len(left.playing) < 2:
        return over(left)
    if left.roll_off:
        to_throw = circle.after(player) if left.to_throw == player else left.to_throw
        left = replace(left, to_throw=to_throw)
        return dealt(left) if state.is_untouched else left
    return _turn_over(left) if left.to_throw == player else replace(left, due=left.due - {player})


def _join(state: BataclanState, event: Join) -> BataclanState:
    player = event.player
    if not state.is_untouched:
        raise IllegalEvent("not_now", "the dice are shared out: join the next game")
    joined = replace(
        state,
        circle=state.circle.join(player, MOST_PLAYERS),
        changes=(Change(player, 0, "joined", "", "dice"),),
        pattern="roll_off",
    )
    return dealt(joined)


_DO: Mapping[type[Event], Callable[[BataclanState, Any], BataclanState]] = {
    Throw: _throw,
    Place: _place,
    Stop: _stop,
    Fallen: _fallen,
    Leave: _leave,
    Join: _join,
    End: _end,
    NextGame: _next_game,
}
