"""Random games of pietjesbak, any options, any chalk: the rules and a second writing of them agree at every event."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from playing import players
from playouts import random_start
from second_opinion import Table

from scorer.events import Start, Stop, Throw
from scorer.session import Session

GAMES = int(os.environ.get("PIETJESOOG_GAMES", "200"))  # a second; more of them say more
MOST_EVENTS = 300
TELLING = ((1, 1, 1), (2, 2, 3), (3, 2, 2), (4, 5, 6), (6, 6, 6), (2, 2, 2), (1, 4, 5), (5, 4, 1))


def told(session: Session) -> dict[str, Any]:
    state = session.state
    kept = {key: state[key] for key in ("phase", "round", "opener", "to_throw", "round_winner", "pays_round")}
    kept |= {key: state[key] for key in ("winner", "loser", "legal")}
    for flag in ("ever_wiped", "out", "lost"):
        kept[flag] = [player["name"] for player in players(session) if player[flag]]
    kept["strokes"] = {player["name"]: player["strokes"] for player in players(session)}
    kept["places"] = {player["name"]: player["place"] for player in players(session) if player["place"] is not None}
    return kept


def start(rng: random.Random) -> Start:
    """Any options; half of the games stand in chalk and end soon."""
    event = random_start(rng, "pietjesbak", players=rng.choice((2, 3, 3, 3, 4, 8)))
    joined: dict[str, Any] = {}
    if rng.random() < 0.5:
        joined["strokes"] = {name: rng.randint(1, 4) for name in event.players}
    if rng.random() < 0.4:
        joined["ever_wiped"] = tuple(name for name in event.players if rng.random() < 0.4)
    return Start(game=event.game, players=event.players, options=event.options, opener=event.opener, joined=joined)


def second(event: Start, session: Session) -> Table:
    joined: Any = event.joined
    strokes = dict.fromkeys(event.players, session.options["strokes"]) | joined.get("strokes", {})
    below = [name for name in event.players if strokes[name] < session.options["strokes"]]
    table = Table(event.players, session.options, strokes, set(joined.get("ever_wiped", below)))
    table.begin(event.opener)
    return table


def throw(rng: random.Random, table: Table) -> Throw:
    """Throws that decide much come often; one in ten has dice beside the felt."""
    of = 3 if table.phase == "turn" else 1
    dice = rng.choice(TELLING) if of == 3 and rng.random() < 0.45 else tuple(rng.randint(1, 6) for _ in range(of))
    if rng.random() > 0.1:
        return Throw(dice=dice)
    outside = rng.randint(0, min(2, of))
    rim = rng.randint(0, of - outside)
    return Throw(dice=dice[: of - outside - rim], outside=outside, rim=rim)


@pytest.mark.parametrize("seed", range(10))
def test_two_writings_of_the_rules_agree_at_every_event(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(max(1, GAMES // 10)):
        event = start(rng)
        session = Session().apply(event)
        table = second(event, session)
        for _ in range(MOST_EVENTS):
            assert told(session) == table.told(), session.events
            if table.phase == "over":
                break
            if table.may_stop() and rng.random() < 0.4:
                session = session.apply(Stop())
                table.stop()
            else:
                thrown = throw(rng, table)
                session = session.apply(thrown)
                table.throw(tuple(int(face) for face in thrown.dice), thrown.outside, thrown.rim)
