"""Pietjesbak: two to eight players, three dice, nine strokes each to wipe off the rim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scorer.circle import Circle, chalk, chalk_numbers, check_turn, doing
from scorer.errors import IllegalEvent
from scorer.events import Adjust, End, Event, Join, Leave, NextGame, Start, Stop, Throw
from scorer.game import View
from scorer.options import Option
from scorer.pietjesbak_round import begin_round, book_throw, drop, end_turn, finish, is_decided, note
from scorer.pietjesbak_rules import OPTIONS, Rules
from scorer.pietjesbak_show import to_json, view
from scorer.pietjesbak_state import Chalk, News, Phase, Player, Standing, State
from scorer.presets import options_for
from scorer.roll_off import RollOff

MOST_STROKES = 99


class Pietjesbak:
    """The game as the session plays it; every state is immutable.

    >>> state = GAME.start(Start(game="pietjesbak", players=("Ann", "Bob"), opener="Ann"))
    >>> state = GAME.apply(GAME.apply(state, Throw(dice=(1, 4, 5))), Stop())
    >>> GAME.to_json(GAME.apply(state, Throw(dice=(6, 3, 2))))["round_winner"]
    'Ann'
    """

    name = "pietjesbak"
    players = range(2, 9)
    figure = "strokes"
    marked = None
    options: tuple[Option, ...] = OPTIONS

    def start(self, event: Start) -> State:
        """A new game, or one that stands in chalk; without an opener it begins with the roll-off (PJ-03)."""
        circle = Circle.of(event, self.players)
        rules = Rules.chosen(options_for(event, OPTIONS))
        state = State(rules, Phase.ROLL_OFF, _joined(rules, circle, event), seats=event.seats)
        if is_decided(state):
            raise IllegalEvent("bad_join", "at least two players must have strokes left, or the game is over")
        if event.opener is None:
            return state._replace(dice_off=RollOff(state.chalk.in_play, rules.start_tie == "tied_only"))
        return begin_round(state, event.opener)

    def apply(self, state: State, event: Event) -> State:
        """The state after `event`; raises `IllegalEvent`."""
        do = doing(_DO, event, self.name, over=state.phase is Phase.OVER)
        was = state.news
        news = News(last=was.last, spent=was.spent, pays_round=was.pays_round)
        return do(state._replace(news=news), event)

    def legal(self, state: State) -> tuple[str, ...]:
        if state.phase is Phase.OVER:
            return ()
        return ("throw", "stop") if _stop_forbidden(state) is None else ("throw",)

    def view(self, state: State) -> View:
        return view(state, self.legal(state))

    def to_json(self, state: State) -> dict[str, object]:
        return to_json(state, self.legal(state))


GAME = Pietjesbak()


def _throw(state: State, event: Throw) -> State:
    check_turn(event, state.to_throw, state.news.spent)
    return book_throw(state._replace(news=state.news._replace(spent=None)), event)


def _stop(state: State, event: Stop) -> State:
    check_turn(event, state.to_throw)
    forbidden = _stop_forbidden(state)
    if forbidden is not None:
        raise forbidden
    return end_turn(state._replace(news=state.news._replace(spent=None)))


def _stop_forbidden(state: State) -> IllegalEvent | None:
    """Why the player to throw may not stop now; None if he may."""
    if state.dice_off is not None:
        return IllegalEvent("no_stop", f"{state.to_throw} throws one die: there is nothing to stop")
    if not state.turns.used:
        return IllegalEvent("no_throw", f"{state.to_throw} has to throw at least once")
    if state.rules.followers == "exactly" and state.turns.allowed is not None:
        return IllegalEvent("must_throw", f"{state.to_throw} has to use all {state.turns.limit} throws")
    return None


def _end(state: State, event: End) -> State:
    return finish(state)


def _next_game(state: State, event: NextGame) -> State:
    """The same players with all their strokes; who opens is A24."""
    here = tuple(player.name for player in state.chalk.players if player.standing is not Standing.LEFT)
    if len(here) not in GAME.players:
        raise IllegalEvent("players", "at least two players are needed")
    opener = {"roll_off": None, "loser": state.loser, "winner": state.winner}[state.rules.next_game]
    fresh = State(state.rules, Phase.ROLL_OFF, Chalk(tuple(Player(n, state.rules.strokes) for n in here)))
    fresh = fresh._replace(seats=state.seats)
    if opener is None:
        return fresh._replace(dice_off=RollOff(here, state.rules.start_tie == "tied_only"))
    return begin_round(fresh, opener)


def _leave(state: State, event: Leave) -> State:
    player = _playing(state, event.player)
    state = note(state, replace(player, standing=Standing.LEFT), 0, "left", "")
    return drop(state._replace(left_open=is_decided(state)), player.name)


def _join(state: State, event: Join) -> State:
    """One more player with all his strokes, or one who left and is back; he throws from the next round on."""
    name, rim = event.player, state.chalk
    if name in rim and rim[name].standing is not Standing.LEFT:
        raise IllegalEvent("already_playing", f"{name} plays already")
    if sum(player.standing is not Standing.LEFT for player in rim.players) >= GAME.players[-1]:
        raise IllegalEvent("players", f"at most {GAME.players[-1]} can play")
    if name not in rim:
        rim = replace(rim, players=(*rim.players, Player(name, state.rules.strokes)))
    player = replace(rim[name], standing=Standing.IN_PLAY)
    state = note(state._replace(chalk=rim), player, 0, "joined", "")
    rim = state.chalk
    if state.phase is Phase.ROLL_OFF and state.dice_off is not None:
        return state._replace(dice_off=state.dice_off.joined_by(name))
    turns = state.turns
    if state.phase is Phase.TURN and state.opener is not None and turns.allowed is None and not turns.throws:
        waiting = tuple(other for other in rim.clockwise(state.opener) if other in (*turns.waiting, name))
        return state._replace(turns=turns._replace(waiting=waiting))  # not who sits this round out
    return state


def _adjust(state: State, event: Adjust) -> State:
    """What the chalk says is right: 0 strokes is out, and strokes bring back who was out or lost."""
    if event.player not in state.chalk or state.chalk[event.player].standing is Standing.LEFT:
        raise IllegalEvent("unknown_player", f"{event.player} does not play")
    if event.strokes > MOST_STROKES:
        raise IllegalEvent("bad_strokes", f"at most {MOST_STROKES} strokes fit on the rim")
    was = state.chalk[event.player]
    standing = Standing.IN_PLAY if event.strokes else Standing.OUT
    ever_wiped = was.ever_wiped or event.strokes < state.rules.strokes
    now = Player(was.name, event.strokes, ever_wiped, standing)
    state = note(state, now, event.strokes - was.strokes, "adjusted", "")
    return drop(state, was.name) if standing is Standing.OUT is not was.standing else state


def _playing(state: State, name: str) -> Player:
    if name not in state.chalk or state.chalk[name].standing is not Standing.IN_PLAY:
        raise IllegalEvent("unknown_player", f"{name} does not play; {', '.join(state.chalk.in_play)} do")
    return state.chalk[name]


def _joined(rules: Rules, circle: Circle, event: Start) -> Chalk:
    """The chalk of a game that stands already: ``strokes`` by name, ``ever_wiped`` a list of names."""
    told = chalk(event, ("strokes", "ever_wiped"))
    wiped = told.get("ever_wiped")
    if wiped is not None and not isinstance(wiped, list | tuple):
        raise IllegalEvent("bad_join", "ever_wiped is a list of names")
    for name in wiped or ():
        circle.check(name)
    strokes = dict.fromkeys(circle.names, rules.strokes)
    strokes |= chalk_numbers("strokes", told.get("strokes", {}), circle, range(MOST_STROKES + 1))
    begun = Chalk(tuple(Player(n, s, s < rules.strokes if wiped is None else n in wiped) for n, s in strokes.items()))
    for player in begun.players:
        if not player.strokes:
            begun = begun.put(replace(player, standing=Standing.OUT))
    return begun


_DO: Mapping[type[Event], Callable[[State, Any], State]] = {
    Throw: _throw,
    Stop: _stop,
    End: _end,
    NextGame: _next_game,
    Leave: _leave,
    Join: _join,
    Adjust: _adjust,
}
