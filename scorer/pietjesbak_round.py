"""How a round of pietjesbak goes: throws, turns, barrage, who wipes what, and when the game is over."""

from __future__ import annotations

from dataclasses import replace

from scorer.circle import check_dice
from scorer.dice import ThrowClass, Value, value_of
from scorer.events import Throw
from scorer.game import Change
from scorer.pietjesbak_state import (
    MOST_THROWS,
    NUMBER_OF_DICE,
    Phase,
    Player,
    Standing,
    State,
    Turns,
    TurnThrow,
)
from scorer.roll_off import RollOff

WIPE_RULE = {
    ThrowClass.THREE_ACES: "PJ-12",
    ThrowClass.SOIXANTE_NEUF: "PJ-11",
    ThrowClass.ZAND: "PJ-09",
    ThrowClass.PLAIN: "PJ-14",
    ThrowClass.SEVEN: "PJ-14",
}


def begin_round(state: State, opener: str) -> State:
    """The first turn of a round, everybody in play to throw, clockwise from the opener (PJ-04)."""
    waiting = state.chalk.clockwise(opener)
    return state._replace(phase=Phase.TURN, opener=waiting[0], turns=Turns(waiting), dice_off=None)


def book_throw(state: State, event: Throw) -> State:
    """After a throw of the player to throw; raises `IllegalEvent` for another number of dice."""
    if state.dice_off is not None:
        return _single_die(state, state.dice_off, event)
    thrower, turns, rules = state.turns.waiting[0], state.turns, state.rules
    whole = check_dice(event, NUMBER_OF_DICE)
    value = value_of(event.dice) if whole else None
    outside = _is_outside(state, event)
    thrown = TurnThrow(event, value, whole or (outside and rules.die_outside == "throw_lost"))
    state = _seen(state, thrower, thrown)
    state = state._replace(turns=turns._replace(throws=(*turns.throws, thrown)))
    if outside:
        state = _die_outside(state, thrower)
    if rules.three_aces_early_when == "any_throw" and _is_early_aces(state, thrower, value):
        return _early_aces(state, thrower)
    if rules.seven_when == "every_throw" and _is_seven(value):
        state = _seven(state, thrower)
    if state.turns.used < state.turns.limit:
        return state
    ended = end_turn(state)
    return ended._replace(news=ended.news._replace(spent=thrower))


def end_turn(state: State) -> State:
    """The turn ends with the throw that counts: the last or the best one (PJ-06)."""
    thrower, turns, rules = state.turns.waiting[0], state.turns, state.rules
    value = _counting(state)
    if rules.three_aces_early_when == "counting_throw" and _is_early_aces(state, thrower, value):
        return _early_aces(state, thrower)
    if rules.seven_when == "counting_throw" and _is_seven(value):
        state = _seven(state, thrower)
    allowed = turns.used if turns.allowed is None else turns.allowed
    stoef = rules.stoef != "off" and turns.used == 1 if turns.allowed is None else turns.stoef  # A28
    done = (*turns.done, (thrower, value))
    return _next_turn(state._replace(turns=Turns(turns.waiting[1:], allowed, allowed, (), done, stoef)))


def is_early(state: State, name: str) -> bool:
    """Whether three aces come too early for this player: he has not lost a stroke yet (PJ-12, PJ-13, A6)."""
    player = state.chalk[name]
    if state.rules.three_aces_needs == "ever_wiped":
        return not player.ever_wiped
    return player.strokes >= state.rules.strokes


def drop(state: State, name: str) -> State:
    """The game without a player who is no longer in play: who left, went out by hand, or was eliminated."""
    if state.phase is Phase.OVER:
        return state
    if is_decided(state):
        return finish(state)
    if state.dice_off is not None:
        dice_off = state.dice_off.without(name) if name in state.dice_off.order else state.dice_off
        return _dice_off_settled(state._replace(dice_off=dice_off))
    turns = state.turns
    done = tuple((other, value) for other, value in turns.done if other != name)
    waiting = tuple(other for other in turns.waiting if other != name)
    if name != turns.waiting[0]:
        return state._replace(turns=turns._replace(waiting=waiting, done=done))
    allowed = turns.allowed
    if allowed is None and state.rules.opener_lost == "count_stands" and turns.used:
        allowed = turns.used  # A9
    elif allowed is None and waiting:
        state = state._replace(opener=waiting[0])
    return _next_turn(state._replace(turns=Turns(waiting, allowed or MOST_THROWS, allowed, (), done, turns.stoef)))


def is_decided(state: State) -> bool:
    """Whether the game is over by its rules: one player left in play, or one out where that ends it (A26)."""
    if state.rules.finish == "first_out_wins" and state.chalk.finished:
        return True
    return len(state.chalk.in_play) <= 1


def finish(state: State) -> State:
    """The game is over; round and opener stand."""
    news = state.news._replace(pattern=_louder(state, "over"))
    return state._replace(phase=Phase.OVER, turns=Turns(), dice_off=None, news=news)


def add_strokes(state: State, name: str, strokes: int, why: str, rule: str) -> State:
    """Strokes on the rim for a player in play, up to the cap (A12)."""
    player, cap = state.chalk[name], state.rules.stroke_cap
    added = strokes if cap is None else max(0, min(strokes, cap - player.strokes))
    if not added:
        return state
    return note(state, replace(player, strokes=player.strokes + added), added, why, rule)


def note(state: State, player: Player, amount: int, why: str, rule: str) -> State:
    """With this player changed, and the change told."""
    changes = (*state.news.changes, Change(player.name, amount, why, rule))
    return state._replace(chalk=state.chalk.put(player), news=state.news._replace(changes=changes))


def _is_early_aces(state: State, thrower: str, value: Value | None) -> bool:
    return value is not None and value.kind is ThrowClass.THREE_ACES and is_early(state, thrower)


def _is_seven(value: Value | None) -> bool:
    return value is not None and value.kind is ThrowClass.SEVEN


def _seen(state: State, thrower: str, thrown: TurnThrow) -> State:
    kind = thrown.value.kind if thrown.value is not None else None
    pattern = str(kind) if kind in (ThrowClass.THREE_ACES, ThrowClass.SOIXANTE_NEUF, ThrowClass.ZAND) else "turn"
    return state._replace(news=state.news._replace(last=(thrower, thrown), pays_round=None, pattern=pattern))


def _is_outside(state: State, event: Throw) -> bool:
    """Whether this throw has a die outside the board; one on its rim is none unless chosen so (A32)."""
    return event.outside > 0 or (event.rim > 0 and state.rules.die_on_rim == "outside")


def _die_outside(state: State, thrower: str) -> State:
    """PJ-18: a stroke a throw, however many dice left the board; or a round of drinks (A14)."""
    state = add_strokes(state, thrower, state.rules.die_outside_strokes, "die_outside", "PJ-18")
    pays = thrower if state.rules.die_outside_pays else state.news.pays_round
    return state._replace(news=state.news._replace(pays_round=pays, pattern="die_outside"))


def _seven(state: State, thrower: str) -> State:
    """PJ-17: 2-2-3 adds a stroke."""
    punished = {"thrower": (thrower,), "everyone": state.chalk.in_play, "none": ()}[state.rules.seven_penalty]
    for name in punished:
        state = add_strokes(state, name, 1, "seven", "PJ-17")
    return state._replace(news=state.news._replace(pattern="seven"))


def _early_aces(state: State, thrower: str) -> State:
    """PJ-13: three aces with all strokes standing."""
    early = state.rules.three_aces_early
    news = state.news._replace(pattern="lost", pays_round=thrower if state.rules.early_aces_pay else None)
    state = state._replace(news=news)
    standing = Standing.IN_PLAY if early == "sits_out_round" else Standing.LOST
    state = note(state, replace(state.chalk[thrower], standing=standing), 0, "three_aces_early", "PJ-13")
    return finish(state) if early == "ends_game" else drop(state, thrower)


def _counting(state: State) -> Value | None:
    """The value that counts; None where the throw that counts lost its value (A13)."""
    counted = [throw.value for throw in state.turns.throws if throw.counted]
    if state.rules.counting == "last":
        return counted[-1]
    valued = [value for value in counted if value is not None]
    return min(valued, key=state.rules.standing, default=None)


def _next_turn(state: State) -> State:
    return state if state.turns.waiting else _close_round(state)


def _close_round(state: State) -> State:
    """Everybody has thrown: the best throw wins, a tie is thrown off (PJ-14, PJ-15)."""
    leading = state.leading
    if not leading:
        return _after_round(_stoef_lost(state, None), None)
    if len(leading) == 1:
        return _won(state, *leading[0], barrage=False)
    if state.rules.tie == "replay_round":
        return begin_round(state, state.opener or leading[0][0])
    order = tuple(name for name, _ in leading)
    dice_off = RollOff(order, state.rules.barrage_again == "tied_only")
    news = state.news._replace(pattern=_louder(state, "barrage"))
    return state._replace(phase=Phase.BARRAGE, dice_off=dice_off, news=news)


def _single_die(state: State, dice_off: RollOff, event: Throw) -> State:
    """One die of the roll-off or of a barrage (PJ-03, PJ-15)."""
    whole = check_dice(event, 1)
    thrower = dice_off.to_throw
    state = _seen(state, thrower, TurnThrow(event, None, whole))
    if whole:
        return _dice_off_settled(state._replace(dice_off=dice_off.book(int(event.dice[0]))))
    punished = {"turn_only": (), "turn_and_barrage": (Phase.BARRAGE,), "all_throws": (Phase.BARRAGE, Phase.ROLL_OFF)}
    if _is_outside(state, event) and state.phase in punished[state.rules.die_outside_in]:  # A15
        return _die_outside(state, thrower)
    return state


def _dice_off_settled(state: State) -> State:
    winner = state.dice_off.winner if state.dice_off is not None else None
    if winner is None:
        return state
    if state.phase is Phase.ROLL_OFF:
        return begin_round(state, winner)
    return _won(state, winner, dict(state.leading)[winner], barrage=True)


def _won(state: State, name: str, value: Value, *, barrage: bool) -> State:
    """The round's winner wipes; with no stroke left he is out (PJ-12, PJ-14, PJ-16, A17)."""
    player = state.chalk[name]
    stoef = state.turns.stoef and name == state.opener
    wipes = state.rules.wipes(value, barrage=barrage, stoef=stoef)
    wiped = player.strokes if wipes is None else min(wipes, player.strokes)
    left = player.strokes - wiped
    rule = "PJ-16" if barrage else "A28" if stoef and value.kind is not ThrowClass.THREE_ACES else WIPE_RULE[value.kind]
    now = replace(player, strokes=left, ever_wiped=True, standing=player.standing if left else Standing.OUT)
    state = note(state, now, -wiped, "won_barrage" if barrage else "won_round", rule)
    pattern = _louder(state, "round_won") if left else "out"
    state = state._replace(news=state.news._replace(round_winner=name, pattern=pattern))
    return _after_round(_stoef_lost(state, name), name)


def _stoef_lost(state: State, winner: str | None) -> State:
    """A28: the opener who stopped after one throw and does not win the round adds strokes."""
    opener = state.opener
    if not state.turns.stoef or opener is None or opener == winner or opener not in state.chalk.in_play:
        return state
    return add_strokes(state, opener, state.rules.stoef_lost, "stoef_lost", "A28")


def _after_round(state: State, winner: str | None) -> State:
    if is_decided(state):
        return finish(state)
    return begin_round(state._replace(round=state.round + 1), _next_opener(state, winner))


def _next_opener(state: State, winner: str | None) -> str:
    """A23; without a winner the same opener, and for who is no longer in play the next clockwise."""
    opener = state.opener or state.chalk.in_play[0]
    if winner is None:
        return opener
    if state.rules.next_opener == "round_winner":
        return winner
    if state.rules.next_opener == "clockwise":
        order = state.chalk.clockwise(opener)
        return order[1] if order[0] == opener else order[0]
    behind = [(name, value) for name, value in state.turns.done if name != winner and name in state.chalk.in_play]
    return max(behind, key=lambda one: _depth(state, one[1]))[0] if behind else winner


def _depth(state: State, value: Value | None) -> int:
    return 99 if value is None else state.rules.standing(value)


def _louder(state: State, pattern: str) -> str:
    """What the throw itself lights goes before what it decided."""
    return state.news.pattern if state.news.pattern != "turn" else pattern
