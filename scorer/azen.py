"""Azen jagen: only aces count; the third orders, the sixth tastes, the ninth drinks while the others hunt an ace."""

from __future__ import annotations

from scorer.azen_play import DICE, LAST_MARK, MARKS, MOST_PLAYERS, AzenState, play
from scorer.circle import Circle, chalk, chalk_number, changes_to_json, table_actions, throw_to_json
from scorer.errors import IllegalEvent
from scorer.events import Event, Start
from scorer.game import Action, Cell, PlayerView, Prompt, View
from scorer.options import Option, Scalar
from scorer.presets import options_for
from scorer.roll_off import RollOff


class Azen:
    """The rules AZ-01 to AZ-06 with B1 to B10; it goes on, count after count, until the table ends it."""

    name = "azen"
    players = range(2, MOST_PLAYERS + 1)
    figure = "aces"
    marked = "orders"
    options = (
        Option(name="again_on_ace", default=False, values=(False, True), rule="B1", source="rulebook"),
        Option(name="spare_aces", default="ignored", values=("ignored", "count"), rule="B3", source="house"),
        Option(name="next_round", default="drinker", values=("drinker", "clockwise"), rule="B9", source="house"),
    )

    def start(self, event: Start) -> AzenState:
        circle = Circle.of(event, self.players)
        options = options_for(event, self.options)
        told = chalk(event, ("count", "orderer", "taster"))
        count = chalk_number("count", told.get("count", 0), range(LAST_MARK))
        roles: dict[str, str | None] = {"orderer": None, "taster": None}
        for mark, role in ((3, "orderer"), (6, "taster")):
            who = told.get(role)
            if who is not None:
                if not isinstance(who, str):
                    raise IllegalEvent("bad_join", f"the {role} is one player's name")
                circle.check(who)
                if count < mark:
                    raise IllegalEvent("bad_join", f"there is no {role} before ace {mark}")
                roles[role] = who
        rolls = None if event.opener else RollOff(circle.here)
        return AzenState(
            options,
            circle,
            event.opener,
            rolls.to_throw if rolls else event.opener,
            roll_off=rolls,
            count=count,
            orderer=roles["orderer"],
            taster=roles["taster"],
            pattern="roll_off" if rolls else "turn",
        )

    def apply(self, state: AzenState, event: Event) -> AzenState:
        return play(state, event)

    def legal(self, state: AzenState) -> tuple[str, ...]:
        if state.over:
            return ()
        race = {"none": (), "open": ("glass_empty",), "settling": ("settled",)}[state.race_key]
        return ("throw", *race)

    def view(self, state: AzenState) -> View:
        actions = {
            "throw": Action("throw", (state.to_throw,) if state.to_throw else ()),
            "glass_empty": Action("glass_empty", (state.drinker,) if state.drinker else ()),
            "settled": Action("settled"),
        }
        last = state.last
        return View(
            game=self.name,
            phase=state.phase,
            players=tuple(_player(state, name) for name in state.circle.names),
            prompt=_prompt(state),
            actions=(
                *(actions[word] for word in self.legal(state)),
                *table_actions(state.circle, over=state.over),
            ),
            expected=0 if state.over else 1 if state.roll_off else DICE,
            dice=last.dice if last else (),
            outside=last.outside if last else 0,
            rim=last.rim if last else 0,
            throws=state.throws,
            throws_left=None if state.over or state.race else 1,
            changes=state.changes,
            board=_board(state),
            pattern=state.pattern,
        )

    def to_json(self, state: AzenState) -> dict[str, object]:
        return {
            "game": self.name,
            "phase": state.phase,
            "round": state.round,
            "opener": state.opener,
            "to_throw": state.to_throw,
            "players": [
                {
                    "name": name,
                    "out": False,
                    "lost": False,
                    "place": None,
                    "left": name in state.circle.left,
                    "aces": state.aces.get(name, 0),
                    "orders": state.orders.get(name, 0),
                }
                for name in state.circle.names
            ],
            "count": state.count,
            "orderer": state.orderer,
            "taster": state.taster,
            "drinker": state.drinker,
            "race": state.race_key,
            "payer": state.payer,
            "last": throw_to_json(state.last),
            "legal": list(self.legal(state)),
            "changes": changes_to_json(state.changes),
            "winner": None,
            "loser": None,
            "throws": state.throws,
        }


def _player(state: AzenState, name: str) -> PlayerView:
    roles = {
        "opener": state.opener,
        "orderer": state.orderer,
        "taster": state.taster,
        "drinker": state.drinker,
        "payer": state.payer,
    }
    return PlayerView(
        name=name,
        marks=state.orders.get(name, 0),
        number=state.aces.get(name, 0),
        roles=(
            *(role for role, who in roles.items() if who == name),
            *(("left",) if name in state.circle.left else ()),
        ),
        to_throw=name == state.to_throw,
        seat=state.circle.seats.get(name),
    )


def _prompt(state: AzenState) -> Prompt:
    if state.over:
        return Prompt("game_over")
    is_start = not state.throws  # AZ-06: the caution comes first
    if state.roll_off:
        return Prompt("azen_roll_off" if is_start else "roll_off", {"player": state.to_throw, "dice": 1})
    if state.race:
        key = "azen_settling" if state.race.emptied is not None else "azen_race"
        return Prompt(key, {"player": state.to_throw, "drinker": state.race.drinker, "orderer": state.race.orderer})
    if state.pattern == "payer":
        return Prompt("azen_payer", {"player": state.to_throw, "payer": state.payer})
    mark = next(mark for mark in MARKS if mark > state.count)
    args: dict[str, Scalar] = {"player": state.to_throw, "missing": mark - state.count, "role": MARKS[mark]}
    return Prompt("azen_start" if is_start else "azen_mark", args)


def _board(state: AzenState) -> tuple[Cell, ...]:
    cells = [Cell("aces", min(state.count, LAST_MARK), of=LAST_MARK)]
    for mark, role in MARKS.items():
        who = {"orderer": state.orderer, "taster": state.taster, "drinker": state.drinker}[role]
        cells.append(Cell(role, mark, player=who))
    cells.append(Cell("race", state.race_key, player=state.drinker))
    if state.payer:
        cells.append(Cell("payer", 1, player=state.payer))
    return tuple(cells)


GAME = Azen()
