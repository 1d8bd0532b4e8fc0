"""What a press means at this moment, in the words of the contract: pure, the same for every kind of button.

One button does it all: short is the one thing to do now (stop, next, answer, glass empty, go on, begin), long takes
back, very long opens the menu. Where a choice is due (a number, a die for the pile) short opens it as a menu.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from device.snapshot import Snapshot
from device.throws import latest
from scorer.errors import IllegalEvent
from scorer.game import Action, PlayerView, View
from scorer.games import NAMES, game_named
from scorer.session import Session
from scorer.wire import event_from_json

Said = Mapping[str, object]
"""An event of the contract, or a word of the table (``no_throw``, ``thrown_by``)."""
CHOICES = ("choose", "place")
BLINK_S = 1.0
HURRY_S = 0.5


@dataclass(frozen=True)
class Item:
    """One line of a menu: its text key with arguments, and what taking it says (None: only closes)."""

    key: str
    said: Said | None
    args: Mapping[str, object] = field(default_factory=dict)


def short(now: Snapshot, start: Said, at: float) -> Said | tuple[Item, ...]:
    """The one thing to do now, or the choice that is due; `start` begins a game where none was played."""
    view = now.view
    pending = now.pending
    if pending is not None:  # whose: the one that the hand came from; unsure: throw again
        return {"do": "thrown_by", "player": pending.player} if pending.kind == "whose" else {"do": "no_throw"}
    if view.phase == "idle":
        return start
    if view.paused:
        return {"do": "resume"}
    if view.phase == "over":
        return {"do": "next_game"}
    if (empty := _action(view, "glass_empty")) is not None:
        return _glass_empty(empty, at)
    if choices := _choices(view):
        return choices
    return {"do": "stop"}


def long(now: Snapshot) -> Said:
    """Take back: the latest event, or the suspicion that another player threw."""
    pending, thrower = now.pending, _to_throw(now.view)
    if pending is not None and pending.kind == "whose" and thrower is not None:
        return {"do": "thrown_by", "player": thrower.name}
    return {"do": "undo"}


def seat(now: Snapshot, n: int, at: float) -> Said | None:
    """What player `n` (from 1) says with the button at the seat; None where nobody sits there."""
    view = now.view
    if not 1 <= n <= len(view.players):
        return None
    name = view.players[n - 1].name
    if now.pending is not None and now.pending.kind == "whose":
        return {"do": "thrown_by", "player": name}
    if (empty := _action(view, "glass_empty")) is not None and name in empty.by:
        return _glass_empty(empty, at)
    return {"do": "stop", "by": name}


def menu(now: Snapshot, start: Said) -> tuple[Item, ...]:
    """All that buttons can say now, the likeliest first; the last closes."""
    view = now.view
    items = [*_choices(view)]
    thrown = next((one for one in latest(now.session, 1) if not one.void), None)
    if thrown is not None and now.pending is None:
        other = _other(view, thrown.player)
        mended = [Item("given", _correct(thrown.number, player=other), {"player": other})] if other is not None else []
        mended.append(Item("void", _correct(thrown.number, void=True)))
        items += [item for item in mended if _goes(now.session, item)]
    said = {action.do for action in view.actions}
    items += [Item(word, {"do": word}) for word in ("resume", "pause", "next_game", "end") if word in said]
    if view.phase in ("idle", "over"):
        told = now.session.start
        players = list(told.players) if told is not None else start["players"]
        assert isinstance(players, list)
        items += [
            Item("begin", {"do": "start", "game": game, "players": players}, {"game": game})
            for game in NAMES
            if len(players) in game_named(game).players
        ]
    return (*items, Item("close", None))


def lamps(now: Snapshot, t: float, seats: int) -> tuple[float, ...]:
    """The lamps in the seat buttons: lit for the player to throw, blinking for whoever is asked to press."""
    view, pending = now.view, now.pending
    blink = t % BLINK_S < BLINK_S / 2
    empty = _action(view, "glass_empty")
    lit: list[float] = []
    for player in view.players[:seats]:
        on = player.to_throw or (view.phase == "over" and "winner" in player.roles)
        if pending is not None and pending.kind == "whose":  # by turns: hers or his
            on = (player.to_throw and blink) or (player.name == pending.player and not blink)
        elif empty is not None and player.name in empty.by:
            on = t % HURRY_S < HURRY_S / 2
        lit.append(1.0 if on else 0.0)
    return (*lit, *[0.0] * (seats - len(lit)))


def _choices(view: View) -> tuple[Item, ...]:
    """The numbers or dice of which one has to be chosen, and Stop where that goes too."""
    items: list[Item] = []
    for action in view.actions:
        if action.do in CHOICES and len(action.inputs) == 1:
            ((key, values),) = action.inputs.items()
            for value in values:
                said = {"do": action.do, key: [value] if key == "dice" else value}
                items.append(Item(action.do, said, {"choice": value}))
    if items and _action(view, "stop") is not None:
        items.append(Item("stop", {"do": "stop"}))
    return tuple(items)


def _action(view: View, do: str) -> Action | None:
    return next((action for action in view.actions if action.do == do), None)


def _glass_empty(action: Action, at: float) -> Said:
    return {"do": "glass_empty", "at": at} | ({"by": action.by[0]} if len(action.by) == 1 else {})


def _correct(number: int, **how: object) -> Said:
    return {"do": "correct", "throw": number, **how}


def _goes(session: Session, item: Item) -> bool:
    """Whether the rules allow it: nothing in vain is offered."""
    try:
        session.apply(event_from_json(item.said))
    except IllegalEvent:
        return False
    return True


def _to_throw(view: View) -> PlayerView | None:
    return next((player for player in view.players if player.to_throw), None)


def _other(view: View, thrower: str | None) -> str | None:
    """Who most likely threw, if not `thrower`: the player to throw now, else the next clockwise who still plays."""
    now = _to_throw(view)
    if now is not None and now.name != thrower:
        return now.name
    names = [player.name for player in view.players]
    if thrower not in names:
        return None
    at = names.index(thrower)
    for player in (*view.players[at + 1 :], *view.players[:at]):
        if not (player.out or player.lost or "left" in player.roles):
            return player.name
    return None
