"""Pig with two dice: throw as often as you dare, one ace loses the turn, first to the target ends the round."""

from __future__ import annotations

from scorer.circle import Circle, chalk, chalk_numbers, changes_to_json, table_actions, throw_to_json
from scorer.events import Event, Start
from scorer.game import Action, Cell, PlayerView, Prompt, View
from scorer.options import Option, Scalar
from scorer.pig_play import DICE, MOST_PLAYERS, PigState, begin_round, play, rolled
from scorer.presets import options_for
from scorer.roll_off import RollOff


class Pig:
    """The rules PG-01 to PG-08 with C1 to C8."""

    name = "pig"
    players = range(2, MOST_PLAYERS + 1)
    figure = "points"
    marked = None
    options = (
        Option(name="target", default=100, least=10, most=1000, rule="PG-04", source="rulebook"),
        Option(
            name="double_one",
            default="adds_two",
            values=("adds_two", "lose_turn", "lose_all", "twenty_five"),
            rule="C1",
            source="rulebook, Big Pig",
        ),
        Option(name="end_tie", default="extra_round", values=("extra_round", "shared"), rule="C6", source="house"),
    )

    def start(self, event: Start) -> PigState:
        circle = Circle.of(event, self.players)
        options = options_for(event, self.options)
        below = range(options["target"])  # whoever has reached the target has ended the game
        told = chalk(event, ("scores",)).get("scores", {})
        scores = dict.fromkeys(circle.names, 0) | chalk_numbers("scores", told, circle, below)
        fresh = PigState(options, circle, None, None, scores=scores)
        if event.opener is not None:
            return begin_round(fresh, event.opener)
        return rolled(PigState(options, circle, None, None, roll_off=RollOff(circle.here), scores=scores))

    def apply(self, state: PigState, event: Event) -> PigState:
        return play(state, event)

    def legal(self, state: PigState) -> tuple[str, ...]:
        if state.over:
            return ()
        return ("throw",) if state.roll_off or state.must_throw else ("throw", "stop")

    def view(self, state: PigState) -> View:
        last = state.last
        by = (state.to_throw,) if state.to_throw else ()
        return View(
            game=self.name,
            phase=state.phase,
            players=tuple(_player(state, name) for name in state.circle.names),
            prompt=_prompt(state),
            actions=(
                *(Action(word, by) for word in self.legal(state)),
                *table_actions(state.circle, over=state.over, join=not state.last_round),
            ),
            expected=0 if state.over else DICE,
            dice=last.dice if last else (),
            outside=last.outside if last else 0,
            rim=last.rim if last else 0,
            throws=state.throws,
            throws_used=state.rolls,
            changes=state.changes,
            board=_board(state),
            pattern=state.pattern,
        )

    def to_json(self, state: PigState) -> dict[str, object]:
        return {
            "game": self.name,
            "phase": state.phase,
            "round": state.round,
            "opener": state.opener,
            "to_throw": state.to_throw,
            "players": [
                {
                    "name": name,
                    "score": state.scores.get(name, 0),
                    "out": False,
                    "lost": False,
                    "place": state.places.get(name),
                    "left": name in state.circle.left,
                }
                for name in state.circle.names
            ],
            "scores": {name: state.scores.get(name, 0) for name in state.circle.names},
            "turn": state.turn,
            "must_throw": state.must_throw and not state.over,
            "target": state.target,
            "last_round": state.last_round,
            "extra_round": state.extra,
            "last": throw_to_json(state.last),
            "legal": list(self.legal(state)),
            "changes": changes_to_json(state.changes),
            "winner": state.winner,
            "winners": [name for name, place in state.places.items() if place == 1],
            "loser": state.loser,
            "throws": state.throws,
        }


def _player(state: PigState, name: str) -> PlayerView:
    roles = [role for role, is_so in (("opener", name == state.opener), ("left", name in state.circle.left)) if is_so]
    if state.places.get(name) == 1:
        roles.append("winner")
    return PlayerView(
        name=name,
        marks=0,
        number=state.scores.get(name, 0),
        roles=tuple(roles),
        to_throw=name == state.to_throw,
        seat=state.circle.seats.get(name),
        place=state.places.get(name),
    )


def _prompt(state: PigState) -> Prompt:
    if state.over:
        return Prompt("won", {"player": state.winner}) if state.winner else Prompt("game_over")
    if state.roll_off:
        return Prompt("roll_off", {"player": state.to_throw, "dice": DICE})
    to_throw = state.to_throw or ""
    have = state.scores.get(to_throw, 0) + state.turn
    goal = state.target
    if state.last_round:  # only more than the best of the others wins
        rivals = [state.scores.get(name, 0) for name in state.circle.here if name != to_throw]
        goal = max(rivals, default=0) + 1
    args: dict[str, Scalar] = {"player": to_throw, "turn": state.turn, "total": have, "missing": max(0, goal - have)}
    if state.must_throw and state.rolls:
        return Prompt("pig_double", args)
    if state.last_round:
        return Prompt("pig_last_round", args)
    return Prompt("pig_turn" if state.rolls else "pig_first", args)


def _board(state: PigState) -> tuple[Cell, ...]:
    scores = tuple(Cell("score", state.scores.get(name, 0), player=name, of=state.target) for name in state.circle.here)
    return (*scores, Cell("turn_total", state.turn, player=state.to_throw), Cell("target", state.target))


GAME = Pig()
