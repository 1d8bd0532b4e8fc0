"""Sachsenkniffel: six dice, three throws, every number from 1 to 12 crossed six times."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.circle import Circle, chalk, chalk_number, changes_to_json, table_actions, throw_to_json
from scorer.errors import IllegalEvent
from scorer.events import Event, Start
from scorer.game import Action, Cell, PlayerView, Prompt, View
from scorer.options import Option, Scalar
from scorer.presets import options_for
from scorer.sachsenkniffel_play import (
    COLUMNS,
    MOST_PLAYERS,
    NUMBERS,
    THROWS,
    Crosses,
    SachsenkniffelState,
    opening,
    play,
)


class Sachsenkniffel:
    """The rules SK-01 to SK-09 with D1 to D10."""

    name = "sachsenkniffel"
    players = range(2, MOST_PLAYERS + 1)
    figure = "crosses"
    marked = None
    options = (
        Option(name="pinched", default=False, values=(False, True), rule="D7", source="rulebook"),
        Option(name="starter", default="first_field", values=("first_field", "roll_off"), rule="D8", source="rulebook"),
        Option(name="rethrow_dice", default=2, values=(2, 1), rule="D9", source="rulebook"),
    )

    def start(self, event: Start) -> SachsenkniffelState:
        circle = Circle.of(event, self.players)
        options = options_for(event, self.options)
        crosses = _chalked(circle, chalk(event, ("crosses",)).get("crosses", {}))
        state = opening(options, circle, event.opener, crosses)
        for name in circle.names:
            if state.finished(name):
                raise IllegalEvent("bad_join", f"{name} has every number six times: that game is over")
        return state

    def apply(self, state: SachsenkniffelState, event: Event) -> SachsenkniffelState:
        return play(state, event)

    def legal(self, state: SachsenkniffelState) -> tuple[str, ...]:
        words: tuple[str, ...] = ("throw",) if state.expected else ()
        if state.choosable:
            words += ("choose",)
        if state.phase == "turn" and state.throws_left < THROWS:
            words += ("stop",)
        return words

    def view(self, state: SachsenkniffelState) -> View:
        last = state.last
        by = (state.to_throw,) if state.to_throw else ()
        inputs = {"choose": {"number": state.choosable}}
        return View(
            game=self.name,
            phase=state.phase,
            players=tuple(_player(state, name) for name in state.circle.names),
            prompt=_prompt(state),
            actions=(
                *(Action(word, by, inputs.get(word, {})) for word in self.legal(state)),
                *table_actions(state.circle, over=state.over, join=state.may_join),
            ),
            expected=state.expected,
            dice=last.dice if last else (),
            outside=last.outside if last else 0,
            rim=last.rim if last else 0,
            throws=state.throws,
            throws_used=THROWS - state.throws_left,
            throws_left=state.throws_left if state.phase == "turn" else None,
            changes=state.changes,
            board=_board(state),
            pattern=state.pattern,
        )

    def to_json(self, state: SachsenkniffelState) -> dict[str, object]:
        return {
            "game": self.name,
            "phase": state.phase,
            "round": state.round,
            "opener": state.opener,
            "to_throw": state.to_throw,
            "players": [
                {
                    "name": name,
                    "crosses": state.total(name),
                    "out": False,
                    "lost": False,
                    "place": state.places.get(name),
                    "left": name in state.circle.left,
                }
                for name in state.circle.names
            ],
            "crosses": {
                name: {str(n): state.crossed(name, n) for n in NUMBERS if state.crossed(name, n)}
                for name in state.circle.names
            },
            "number": state.number,
            "choosable": list(state.choosable),
            "thrown": list(state.thrown),
            "aside": list(state.aside),
            "dice_left": state.dice_left,
            "throws_left": state.throws_left,
            "extra_turn": state.extra_turn,
            "last": throw_to_json(state.last),
            "legal": list(self.legal(state)),
            "changes": changes_to_json(state.changes),
            "winner": state.at_place(1),
            "loser": state.at_place(max(state.places.values())) if len(state.places) > 1 else None,
            "throws": state.throws,
        }


def _chalked(circle: Circle, told: object) -> Crosses:
    """The crosses that a game begins with; raises `IllegalEvent`."""
    if not isinstance(told, Mapping):
        raise IllegalEvent("bad_join", "crosses are given by player")
    crosses: dict[str, dict[int, int]] = {}
    for name, rows in told.items():
        circle.check(name)
        if not isinstance(rows, Mapping):
            raise IllegalEvent("bad_join", f"crosses of {name} are given by number")
        for number, had in rows.items():
            if str(number) not in map(str, NUMBERS):
                raise IllegalEvent("bad_join", f"a number is 1 to {NUMBERS[-1]}, not {number}")
            row = chalk_number(f"crosses of {name} at {number}", had, range(COLUMNS + 1))
            crosses.setdefault(name, {})[int(number)] = row
    return crosses


def _player(state: SachsenkniffelState, name: str) -> PlayerView:
    """`marks` counts complete rows, `number` all crosses."""
    place = state.places.get(name)
    is_so = {"opener": name == state.opener, "left": name in state.circle.left, "winner": place == 1}
    return PlayerView(
        name=name,
        marks=sum(state.crossed(name, number) == COLUMNS for number in NUMBERS),
        number=state.total(name),
        roles=tuple(role for role, so in is_so.items() if so),
        to_throw=name == state.to_throw,
        seat=state.circle.seats.get(name),
        place=place,
    )


def _prompt(state: SachsenkniffelState) -> Prompt:
    if state.over:
        winner = state.at_place(1)
        return Prompt("won", {"player": winner}) if winner else Prompt("game_over")
    args: dict[str, Scalar] = {"player": state.to_throw, "dice": state.expected}
    if state.phase != "turn":
        return Prompt(state.phase, args)
    args["throws_left"] = state.throws_left
    if state.number is not None:
        missing = COLUMNS - state.crossed(state.to_throw or "", state.number)
        return Prompt("sachsen_number", {**args, "number": state.number, "missing": missing})
    if state.choosable:
        numbers = ", ".join(map(str, state.choosable))
        return Prompt("sachsen_choose" if state.throws_left else "sachsen_must_choose", {**args, "numbers": numbers})
    return Prompt("sachsen_extra" if state.extra_turn else "sachsen_throw", args)


def _board(state: SachsenkniffelState) -> tuple[Cell, ...]:
    rows = tuple(
        Cell(f"row_{number}", state.crossed(name, number), player=name, of=COLUMNS)
        for name in state.circle.here
        for number in NUMBERS
    )
    return (*rows, Cell("number", state.number, player=state.to_throw), Cell("dice_left", state.dice_left, of=6))


GAME = Sachsenkniffel()
