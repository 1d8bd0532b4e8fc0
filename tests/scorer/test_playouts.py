"""Random games of every kind: what must hold in every state of every game, whatever is done."""

from __future__ import annotations

import json
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playouts import apply_if_allowed, mischief, random_event, random_play, random_start

from scorer.events import Start, Stop, Throw, Undo
from scorer.games import NAMES
from scorer.session import Session
from scorer.wire import event_from_json, event_to_json

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


def check(session: Session) -> None:
    """What holds in every state of every game."""
    state, view = session.state, session.view
    assert json.loads(json.dumps(state)) == state
    assert {"game", "phase", "to_throw", "legal", "changes", "winner", "loser", "players", "round", "throws"} <= set(
        state
    )
    assert (state["phase"], state["throws"]) == (view.phase, view.throws)
    throwing = [player for player in view.players if player.to_throw]
    assert [player.name for player in throwing] == ([state["to_throw"]] if state["to_throw"] is not None else [])
    for player in view.players:
        assert player.marks >= 0
        assert player.number >= 0
        assert not (player.out and player.lost)
        assert not (player.to_throw and (player.out or player.lost))
    placed = sorted(player.place for player in view.players if player.place is not None)
    assert all(1 <= place <= len(view.players) for place in placed)
    assert (view.phase == "over") == (not session.legal and not view.paused) or view.paused
    if view.phase == "over":
        assert view.expected == 0
        assert not throwing
    assert view.prompt.key
    assert set(session.legal) <= {action.do for action in view.actions}


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12, deadline=None)
@given(seed=SEEDS)
def test_a_random_game_holds_together_at_every_event(name: str, seed: int) -> None:
    rng = random.Random(seed)
    for session in random_play(rng, name, 80):
        check(session)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8, deadline=None)
@given(seed=SEEDS, undone=st.integers(min_value=1, max_value=40))
def test_undo_of_n_events_is_a_replay_of_the_rest(name: str, seed: int, undone: int) -> None:
    sessions = list(random_play(random.Random(seed), name, 60))
    undone = min(undone, len(sessions) - 1)
    session = sessions[-1]
    for _ in range(undone):
        session = session.apply(Undo())
    again = Session.replay(sessions[-1 - undone].events)
    without = {"changes"}
    assert {k: v for k, v in session.state.items() if k not in without} == {
        k: v for k, v in again.state.items() if k not in without
    }
    assert session.view.players == again.view.players


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8, deadline=None)
@given(seed=SEEDS)
def test_the_same_events_give_the_same_state_also_through_json(name: str, seed: int) -> None:
    session = list(random_play(random.Random(seed), name, 60))[-1]
    lines = [json.dumps(event_to_json(event)) for event in session.events]
    events = [event_from_json(json.loads(line)) for line in lines]
    assert tuple(events) == session.events
    again = Session.replay(events)
    assert again.state == session.state
    assert again.view == session.view


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_whatever_is_done_only_an_illegal_event_is_raised(name: str, seed: int) -> None:
    rng = random.Random(seed)
    session = Session().apply(random_start(rng, name))
    for _ in range(60):
        event = mischief(rng, session) if rng.random() < 0.4 else random_event(rng, session)
        if event is None:
            event = mischief(rng, session)
        before = session.state
        after = apply_if_allowed(session, event)
        assert session.state == before
        session = after
        check(session)
    again = Session.replay(session.events)
    assert again.state == session.state


@pytest.mark.parametrize(("name", "games"), [("pietjesbak", 5), ("pig", 10), ("sachsenkniffel", 1), ("bataclan", 6)])
def test_random_games_end(name: str, games: int) -> None:
    """Azen ends by hand alone."""
    for seed in range(games):
        assert list(random_play(random.Random(seed), name, 5_000))[-1].view.phase == "over", f"seed {seed}"


def test_of_games_with_any_options_not_one_runs_over_5000_events() -> None:
    rng = random.Random(4)
    for number in range(int(os.environ.get("PIETJESOOG_GAMES", "60"))):
        session = Session().apply(random_start(rng, "pietjesbak"))
        events = 0
        while session.legal:
            if "stop" in session.legal and rng.random() < 0.4:
                session = session.apply(Stop())
            else:
                dice = 3 if session.phase == "turn" else 1
                session = session.apply(Throw(dice=tuple(rng.randint(1, 6) for _ in range(dice))))
            events += 1
            assert events < 5_000, f"game {number}: {session.events[0]}"
        assert session.phase == "over"


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_in_pietjesbak_strokes_change_only_as_told_and_nobody_out_throws(seed: int) -> None:
    before: Session | None = None
    for session in random_play(random.Random(seed), "pietjesbak", 150):
        if before is not None and isinstance(session.events[-1], Throw):
            was = {player.name: player.marks for player in before.view.players}
            for change in session.view.changes:
                was[change.player] += change.amount
            assert was == {player.name: player.marks for player in session.view.players}
            last = session.state["last"]
            assert isinstance(last, dict)
            thrower = last["player"]
            assert thrower == before.state["to_throw"]
            player = next(player for player in before.view.players if player.name == thrower)
            assert not player.out
            assert not player.lost
        before = session


def test_a_random_start_uses_every_option_now_and_then() -> None:
    rng = random.Random(1)
    used: set[str] = set()
    for _ in range(60):
        start = random_start(rng, "pietjesbak")
        assert isinstance(start, Start)
        used |= set(start.options)
    assert len(used) == 26
