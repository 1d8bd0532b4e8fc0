"""A state of pietjesbak as the contract's JSON and as the `View` of every output."""

from __future__ import annotations

from functools import lru_cache

from scorer.circle import changes_to_json
from scorer.dice import VALUES, ThrowClass, Value
from scorer.game import Action, Cell, PlayerView, Prompt, View
from scorer.options import Scalar
from scorer.pietjesbak_round import is_early
from scorer.pietjesbak_rules import Rules
from scorer.pietjesbak_state import NUMBER_OF_DICE, Phase, Standing, State, TurnThrow


def to_json(state: State, legal: tuple[str, ...]) -> dict[str, object]:
    """The state in the words of the command line's contract."""
    turns, news, best = state.turns, state.news, state.leading
    used, left = _throws(state)
    places = state.chalk.places()
    return {
        "game": "pietjesbak",
        "phase": str(state.phase),
        "round": state.round,
        "opener": state.opener,
        "to_throw": state.to_throw,
        "throws_used": used,
        "throws_left": left,
        "players": [
            {
                "name": player.name,
                "strokes": player.strokes,
                "ever_wiped": player.ever_wiped,
                "out": player.standing is Standing.OUT,
                "lost": player.standing is Standing.LOST,
                "left": player.standing is Standing.LEFT,
                "place": places.get(player.name),
            }
            for player in state.chalk.players
        ],
        "turn": [_throw_json(throw) for throw in turns.throws],
        "last": {"player": news.last[0], **_throw_json(news.last[1])} if news.last is not None else None,
        "best": {"player": best[0][0], "tied": [name for name, _ in best], **_value_json(best[0][1])} if best else None,
        "to_beat": _value_json(best[0][1]) if best else None,
        "beaten_by": _value_json(beaten) if (beaten := _beaten_by(state)) else None,
        "dice_off": dict(state.dice_off.totals) if state.dice_off is not None else None,
        "stoef": turns.stoef,
        "legal": list(legal),
        "changes": changes_to_json(news.changes),
        "round_winner": news.round_winner,
        "winner": state.winner,
        "loser": state.loser,
        "pays_round": news.pays_round,
        "throws": news.last[1].throw.number if news.last is not None else 0,
    }


def view(state: State, legal: tuple[str, ...]) -> View:
    """What every output shows."""
    thrower, news = state.to_throw, state.news
    used, left = _throws(state)
    places = state.chalk.places()
    last = news.last[1] if news.last is not None else None
    return View(
        game="pietjesbak",
        phase=str(state.phase),
        players=tuple(
            PlayerView(
                name=player.name,
                marks=player.strokes,
                number=player.strokes,
                roles=_roles(state, player.name),
                to_throw=player.name == thrower,
                out=player.standing is Standing.OUT,
                lost=player.standing is Standing.LOST,
                place=places.get(player.name),
                seat=state.seats.get(player.name),
            )
            for player in state.chalk.players
        ),
        prompt=_prompt(state, left),
        actions=_actions(state, legal),
        expected=0 if thrower is None else 1 if state.dice_off is not None else NUMBER_OF_DICE,
        dice=last.throw.dice if last is not None else (),
        outside=last.throw.outside if last is not None else 0,
        rim=last.throw.rim if last is not None else 0,
        throws=last.throw.number if last is not None else 0,
        throws_used=used,
        throws_left=left,
        changes=news.changes,
        board=_board(state),
        pattern=news.pattern,
    )


@lru_cache(512)
def beaten_by(rules: Rules, value: Value, early: bool = False) -> Value | None:
    """The lowest throw that beats `value`, None where none does; three aces that come too early beat nothing (PJ-13).

    >>> from scorer.dice import value_of
    >>> from scorer.options import check_options
    >>> from scorer.pietjesbak_rules import OPTIONS
    >>> beaten_by(Rules.chosen(check_options(OPTIONS, {})), value_of((1, 4, 5))).dice
    (1, 5, 5)
    """
    better = [other for other in VALUES.values() if rules.standing(other) < rules.standing(value)]
    good = [other for other in better if not (early and other.kind is ThrowClass.THREE_ACES)]
    return max(good, key=lambda other: other.rank, default=None)


def _beaten_by(state: State) -> Value | None:
    """What the player to throw needs at least to beat the best throw so far; None without one."""
    if state.phase is not Phase.TURN or state.to_throw is None or not (leading := state.leading):
        return None
    return beaten_by(state.rules, leading[0][1], is_early(state, state.to_throw))


def _throws(state: State) -> tuple[int, int]:
    if state.phase is Phase.OVER:
        return 0, 0
    return (0, 1) if state.dice_off is not None else (state.turns.used, state.turns.limit - state.turns.used)


def _throw_json(thrown: TurnThrow) -> dict[str, object]:
    told: dict[str, object] = {"throw": thrown.throw.number, "dice": sorted(thrown.throw.dice, key=str)}
    told["class"] = str(thrown.value.kind) if thrown.value is not None else None
    told["points"] = thrown.value.points if thrown.value is not None else None
    told["rank"] = thrown.value.rank if thrown.value is not None else None
    return told | {"outside": thrown.throw.outside, "rim": thrown.throw.rim, "counted": thrown.counted}


def _value_json(value: Value) -> dict[str, object]:
    return {"class": str(value.kind), "points": value.points, "rank": value.rank, "dice": list(value.dice)}


def _roles(state: State, name: str) -> tuple[str, ...]:
    player, roles = state.chalk[name], []
    if name == state.opener:
        roles.append("opener")
    if any(name == leader for leader, _ in state.leading):
        roles.append("best")
    if state.phase is Phase.BARRAGE and state.dice_off is not None and name in state.dice_off.order:
        roles.append("barrage")
    if name == state.news.pays_round:
        roles.append("pays_round")
    if name == state.winner:
        roles.append("winner")
    if name == state.loser:
        roles.append("loser")
    if player.standing is Standing.LEFT:
        roles.append("left")
    return tuple(roles)


def _prompt(state: State, left: int) -> Prompt:
    """What the table asks for: who throws, what there is to beat and with what, and how many throws are left."""
    thrower = state.to_throw
    if thrower is None:
        return Prompt("over", {"winner": state.winner, "loser": state.loser})
    args: dict[str, Scalar] = {"player": thrower, "throws_left": left}
    if state.dice_off is not None:
        top = max(state.dice_off.totals.values(), default=None)
        return Prompt(str(state.phase), args if top is None else {**args, "to_beat": top})
    if not state.leading:
        return Prompt("open" if state.turns.allowed is None else "throw", args)
    leader, value = state.leading[0]
    args |= {"best": leader, "class": str(value.kind), "points": value.points, "dice": _spelt(value)}
    beaten = _beaten_by(state)
    args["beaten_by"] = _spelt(beaten) if beaten is not None else None
    return Prompt("to_beat", args)


def _spelt(value: Value) -> str:
    return " ".join(str(face) for face in value.dice)


def _actions(state: State, legal: tuple[str, ...]) -> tuple[Action, ...]:
    here = tuple(player.name for player in state.chalk.players if player.standing is not Standing.LEFT)
    if state.phase is Phase.OVER:
        return (Action("next_game"),)
    thrower = (state.to_throw,) if state.to_throw is not None else ()
    table = (Action("adjust", (), {"player": here}), Action("leave", (), {"player": state.chalk.in_play}))
    return (*(Action(do, thrower) for do in legal), Action("end"), *table, Action("join"))


def _board(state: State) -> tuple[Cell, ...]:
    cells = [Cell("round", state.round)]
    if state.dice_off is not None:
        cells += [Cell("die", total, name) for name, total in state.dice_off.totals.items()]
    cells += [Cell("turn", throw.value.points, state.to_throw) for throw in state.turns.throws if throw.value]
    for name, value in state.turns.done:
        cells.append(Cell("result", value.points if value is not None else None, name))
    return tuple(cells)
