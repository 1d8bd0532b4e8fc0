"""Games kept in `golden/`, corrections and all, re-run event by event.

`python tests/scorer/test_golden_games.py` writes them anew after a change of the rules that is meant; read the
difference before keeping it.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from playouts import apply_if_allowed, random_event

from scorer.events import Adjust, Correct, Event, Insert, Pause, Start, Undo
from scorer.session import Session
from scorer.wire import event_from_json, event_to_json

GOLDEN = Path(__file__).parent / "golden"
KEPT = ("phase", "round", "to_throw", "throws", "legal", "changes", "winner", "loser")
MOST_EVENTS = 150
SECOND_THOUGHTS = 0.08

GAMES = {
    "pietjesbak_rulebook": Start(game="pietjesbak", players=("Ann", "Bob", "Cas"), preset="rulebook"),
    "pietjesbak_vlaams": Start(game="pietjesbak", players=("Ann", "Bob"), preset="vlaams", opener="Bob"),
    "pietjesbak_buffalo": Start(game="pietjesbak", players=("Ann", "Bob", "Cas", "Dirk"), preset="buffalo"),
    "azen": Start(game="azen", players=("Ann", "Bob", "Cas")),
    "pig": Start(game="pig", players=("Ann", "Bob"), options={"target": 60}),
    "sachsenkniffel": Start(game="sachsenkniffel", players=("Ann", "Bob")),
    "bataclan": Start(game="bataclan", players=("Ann", "Bob", "Cas")),
}


def told(session: Session) -> dict[str, object]:
    """What is kept of a state: its main keys, and each player's figure."""
    kept = {key: session.state[key] for key in KEPT}
    kept["figures"] = {player.name: player.number for player in session.view.players}
    return json.loads(json.dumps(kept))  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_goes_as_it_went(name: str) -> None:
    lines = [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) > 50
    session = Session()
    for number, line in enumerate(lines, 1):
        session = session.apply(event_from_json(line["event"]))
        assert told(session) == line["state"], f"{name}.jsonl, line {number}"


def test_the_golden_games_hold_corrections_and_undos() -> None:
    words = {json.loads(line)["event"]["do"] for file in GOLDEN.iterdir() for line in file.read_text().splitlines()}
    assert {"throw", "stop", "undo", "correct", "insert", "choose", "place", "glass_empty", "adjust"} <= words


def _second_thought(rng: random.Random, session: Session) -> Event:
    """What a table does when a read was wrong."""
    view = session.view
    throw, faces = rng.randint(1, max(1, view.throws)), [rng.randint(1, 6) for _ in range(6)]
    name = rng.choice(view.players).name
    return rng.choice(
        (
            Undo(),
            Undo(to=max(0, view.throws - 3)),
            Correct(throw=throw, dice=tuple(faces[: max(1, view.expected)])),
            Correct(throw=throw, dice=tuple(faces[: max(1, view.expected) - 1]), outside=1),
            Correct(throw=throw, void=True),
            Correct(throw=view.throws, player=name),
            Insert(after=throw, dice=tuple(faces[: max(1, view.expected)])),
            Pause(),
            Adjust(player=name, strokes=rng.randint(3, 12)),
        )
    )


def _write(name: str, start: Start) -> None:
    rng = random.Random(name)
    session = Session().apply(start)
    lines: list[tuple[Event, Session]] = [(start, session)]
    while len(lines) < MOST_EVENTS:
        event = _second_thought(rng, session) if rng.random() < SECOND_THOUGHTS else random_event(rng, session)
        if event is None:
            break
        after = apply_if_allowed(session, event)
        if after is not session:
            lines.append((event, after))
        session = after
    written = [json.dumps({"event": event_to_json(event), "state": told(now)}) for event, now in lines]
    (GOLDEN / f"{name}.jsonl").write_text("\n".join(written) + "\n", "utf-8")


if __name__ == "__main__":
    for _name, _start in GAMES.items():
        _write(_name, _start)
