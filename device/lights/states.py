"""Every state that lamps have a form for, each reached by playing a game: for the sheet and for trying lamps out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.game import View
from scorer.session import Session
from scorer.wire import event_from_json

Told = Mapping[str, object]
NAMES = ("Ann", "Bob", "Cas", "Dirk", "Els", "Fons", "Gust", "Hilde")


@dataclass(frozen=True)
class State:
    """A title, the view shown until now, and what is shown then."""

    title: str
    before: View | None
    view: View | None
    pattern: str


def every_state(players: int = 4) -> list[State]:
    """All states of games of so many players (where a game allows so many)."""
    return [
        *_table(players),
        *_pietjesbak(players),
        *_azen(players),
        *_pig(min(players, 4)),
        *_sachsenkniffel(players),
        *_bataclan(min(players, 6)),
    ]


def played(start: Told, *events: Told) -> list[View]:
    """The view after the start and after each event."""
    session, views = Session(), []
    for told in (start, *events):
        session = session.apply(event_from_json(told))
        views.append(session.view)
    return views


def _last(title: str, start: Told, *events: Told, pattern: str | None = None) -> State:
    """The state after the last event; `pattern` where the eye has one of its own."""
    views = played(start, *events)
    before = views[-2] if len(views) > 1 else views[-1]
    return State(title, before, views[-1], pattern or views[-1].pattern)


def throw(*dice: int | str, **more: object) -> Told:
    return {"do": "throw", "dice": list(dice), **more}


STOP: Told = {"do": "stop"}


def game(name: str, players: int, **more: object) -> Told:
    """A start with the first names; the first of them opens."""
    return {"do": "start", "game": name, "players": list(NAMES[:players]), "opener": NAMES[0], **more}


def _rest(players: int, *dice: int) -> list[Told]:
    """Everybody but the opener, who stopped after one throw, throws this once."""
    return [throw(*dice)] * (players - 1)


def _table(players: int) -> list[State]:
    few = game("pietjesbak", players, strokes={"Ann": 4, "Bob": 8})
    return [
        State("no game yet", None, None, "idle"),
        _last("whose turn: Ann, four strokes", few),
        _last("whose turn: the next", few, throw(1, 4, 5), STOP),
        _last("reading", few, pattern="reading"),
        _last("read", few, throw(1, 4, 5), pattern="read"),
        _last("unsure", few, pattern="unsure"),
        _last("camera trouble", few, pattern="camera_trouble"),
        _last("paused", few, {"do": "pause"}),
        _last("roll-off", {**few, "opener": None}),
    ]


def _pietjesbak(players: int) -> list[State]:
    start = game("pietjesbak", players)
    ready = game("pietjesbak", players, strokes={"Ann": 3, "Bob": 2}, ever_wiped=["Ann", "Bob"])
    many = game("pietjesbak", players, strokes={"Ann": 10, "Bob": 12, "Cas": 15, "Dirk": 25} if players > 3 else {})
    few = game("pietjesbak", players, strokes={"Ann": 12, "Bob": 15})
    low = game("pietjesbak", players, strokes={"Ann": 1, "Bob": 7})
    rest = _rest(players, 2, 3, 4)
    tie = [throw(1, 4, 5), STOP, *_rest(players, 1, 4, 5)]
    return [
        _last("more than nine strokes", many if players > 3 else few),
        _last("die outside", start, throw(1, 4, outside=1)),
        _last("die on the rim", start, throw(1, 4, rim=1)),
        _last("zand", start, throw(6, 6, 6)),
        _last("soixante-neuf", start, throw(6, 5, 4)),
        _last("three aces", ready, throw(1, 1, 1)),
        _last("seven", start, throw(2, 2, 3)),
        _last("barrage", start, *tie),
        _last("round won", start, throw(1, 6, 5), STOP, *rest),
        _last("out", low, throw(1, 1, 6), STOP, *rest),
        _last("lost", start, throw(1, 1, 1)),
        _last("taken back", start, throw(6, 6, 6), {"do": "undo"}),
    ]


def _azen(players: int) -> list[State]:
    start = game("azen", players)
    third, sixth = [throw(1, 1, 2), throw(1, 2, 3)], [throw(1, 1, 1)]
    ninth = [throw(1, 1, 2), throw(1, 3, 5)]
    rest: list[Told] = [throw(2, 3, 4)]
    race = [*third, *sixth, *ninth]
    return [
        _last("azen: no ace yet", start),
        _last("azen: two aces", start, throw(1, 1, 2), *rest),
        _last("azen: third ace", start, *third),
        _last("azen: four aces, Bob ordered", start, *third, throw(1, 2, 3), *rest),
        _last("azen: sixth ace", start, *third, *sixth),
        _last("azen: eight aces, both roles", start, *third, *sixth, throw(1, 1, 2), *rest),
        _last("azen: ninth ace", start, *race),
        _last("azen: the race", start, *race, *rest),
        _last("azen: glass empty, settling", start, *race, {"do": "glass_empty", "at": 9.0}),
        _last("azen: who pays", start, *race, throw(1, 2, 3)),
    ]


def _pig(players: int) -> list[State]:
    start = game("pig", players, scores={"Ann": 40, "Bob": 72})
    late = game("pig", players, scores={"Ann": 98, "Bob": 72})
    rest = [told for _ in range(players - 1) for told in (throw(3, 4), STOP)]
    return [
        _last("pig: Ann has 40", start),
        _last("pig: 25 at stake", start, throw(6, 4), throw(5, 4), throw(4, 2)),
        _last("pig: double", start, throw(6, 4), throw(5, 5)),
        _last("pig: bust", start, throw(6, 4), throw(1, 4)),
        _last("pig: held", start, throw(6, 4), STOP),
        _last("pig: the last round", late, throw(6, 4), STOP),
        _last("pig: won", late, throw(6, 4), STOP, *rest),
    ]


def _sachsenkniffel(players: int) -> list[State]:
    rows = {str(n): 6 if n in (3, 7) else n % 6 for n in range(1, 13)}
    start = game("sachsenkniffel", players, crosses={"Ann": rows, "Bob": {"1": 2, "7": 5}})
    thrown = [throw(4, 4, 3, 2, 6, 6)]
    all_but_one = {str(n): 6 for n in range(1, 12)} | {"12": 5}
    late = game("sachsenkniffel", players, crosses={"Ann": all_but_one})
    return [
        _last("sachsenkniffel: crosses", start),
        _last("sachsenkniffel: thrown for sixes", start, *thrown, {"do": "choose", "number": 6}),
        _last("sachsenkniffel: one row to go", late),
        _last("sachsenkniffel: field complete", late, throw(6, 6, 1, 2, 3, 4), {"do": "choose", "number": 12}),
    ]


def _bataclan(players: int) -> list[State]:
    start = game("bataclan", players)
    dice: Sequence[int | str] = ["G", 2, 3, *["G"] * 25]
    hand = len(played(start)) and played(start)[0].expected
    base = [throw(*dice[:hand]), {"do": "place", "dice": ["G", 2]}]
    return [
        _last("bataclan: dice dealt", start),
        _last("bataclan: two placed", start, *base),
        _last("bataclan: fallen", start, *base, {"do": "fallen", "dice": 2, "player": NAMES[1]}),
    ]
