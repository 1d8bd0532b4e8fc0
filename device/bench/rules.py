"""How fast the rules are: one event, one state, whole games thrown at random."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Mapping

from device.bench import Bench, Figure
from scorer.events import Event, Start, Stop, Throw, Undo
from scorer.session import Session

PLAYERS = ("Ann", "Bob", "Cas", "Dirk")
STOPS = 0.4  # how often a player who may stop does
MOST_EVENTS = 5_000
GAMES, GAMES_SHORT = 10_000, 100
GAMES_LIMIT_S = 100.0  # 10,000 games on one core
EVENT_LIMIT_US = 50.0  # median of one event, the session's bookkeeping included


LOOKS: Mapping[str, Callable[[Session], object]] = {
    "state": lambda session: session.state,
    "view": lambda session: session.view,
    "undo": lambda session: session.apply(Undo()),
}


def benches() -> Mapping[str, Bench]:
    """The measurements of this file."""
    return {"rules_event": event_time, "rules_games": games_time}


def event_time(short: bool) -> list[Figure]:
    """Median time of one event, of the state's JSON, of the view, and of an undo."""
    events = random_game(random.Random(1)).events
    times: dict[str, list[float]] = {"event": [], "state": [], "view": [], "undo": []}
    for _ in range(3 if short else 30):
        sessions = [Session()]
        for event in events:
            begun = time.perf_counter()
            sessions.append(sessions[-1].apply(event))
            times["event"].append(time.perf_counter() - begun)
        for session in sessions[2:]:
            for name, look in LOOKS.items():
                begun = time.perf_counter()
                look(session)
                times[name].append(time.perf_counter() - begun)
    return [
        Figure(
            f"rules_{name}_median",
            round(statistics.median(taken) * 1e6, 2),
            "us",
            EVENT_LIMIT_US if name == "event" else None,
        )
        for name, taken in times.items()
    ]


def games_time(short: bool) -> list[Figure]:
    """Random games of pietjesbak with four players, to their end; time of this process, whoever else is busy."""
    games = GAMES_SHORT if short else GAMES
    rng = random.Random(2)
    begun = time.process_time()
    events = [len(random_game(rng).events) for _ in range(games)]
    seconds = time.process_time() - begun
    return [
        Figure(f"rules_{games}_games", round(seconds, 2), "s", GAMES_LIMIT_S * games / GAMES),
        Figure("rules_events_a_game_median", statistics.median(events), "events"),
    ]


def random_game(rng: random.Random, players: tuple[str, ...] = PLAYERS) -> Session:
    """One game of pietjesbak from the roll-off to its end."""
    session = Session().apply(Start(game="pietjesbak", players=players))
    for _ in range(MOST_EVENTS):
        legal = session.legal
        if not legal:
            break
        event: Event = Stop()
        if "stop" not in legal or rng.random() >= STOPS:
            dice = 3 if session.phase == "turn" else 1
            event = Throw(dice=tuple(rng.randint(1, 6) for _ in range(dice)))
        session = session.apply(event)
    return session
