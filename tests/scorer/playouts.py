"""Any game played at random, by nothing but what its view offers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from scorer.errors import IllegalEvent
from scorer.events import (
    Adjust,
    Choose,
    Correct,
    Event,
    Fallen,
    GlassEmpty,
    Insert,
    Join,
    Leave,
    Pause,
    Place,
    Resume,
    Settled,
    Start,
    Stop,
    Throw,
    Undo,
)
from scorer.games import game_named
from scorer.options import Option
from scorer.session import Session

NAMES = ("Ann", "Bob", "Cas", "Dirk", "Eva", "Fons", "Gust", "Hild")
STOPS = 0.35
TROUBLE = 0.05  # how often dice lie beside the board


def random_start(rng: random.Random, name: str, *, players: int | None = None) -> Start:
    """A start with any options, any number of players, with or without an opener."""
    game = game_named(name)
    names = NAMES[: players if players is not None else rng.choice(game.players)]
    options = {option.name: _reading(rng, option) for option in game.options if rng.random() < 0.4}
    if isinstance(options.get("stroke_cap"), int):
        options["stroke_cap"] = max(options["stroke_cap"], int(options.get("strokes", 9)))
    opener = rng.choice((None, rng.choice(names)))
    return Start(game=name, players=names, options=options, opener=opener)


def _reading(rng: random.Random, option: Option) -> Any:
    readings = list(option.values)
    if option.least is not None and option.most is not None:
        readings += [option.least, min(option.most, option.least + 8)]
    return rng.choice(readings)


def random_event(rng: random.Random, session: Session) -> Event | None:
    """One of the things that may come now; None when the game is over."""
    view = session.view
    words = [action.do for action in view.actions if action.do in session.legal]
    if not words:
        return None
    word = rng.choice(words)
    if word == "stop" and len(words) > 1 and rng.random() > STOPS:
        word = next(other for other in words if other != "stop")
    inputs = next(action.inputs for action in view.actions if action.do == word)
    if word == "throw":
        return _throw(rng, session)
    if word == "choose":
        return Choose(number=int(rng.choice(inputs["number"])))
    if word == "place":
        return Place(dice=(rng.choice(inputs["dice"]),))
    if word == "fallen":
        if rng.random() < 0.97:
            return random_event(rng, session)
        return Fallen(dice=1, player=rng.choice(view.players).name)
    return {"stop": Stop(), "glass_empty": GlassEmpty(), "settled": Settled(), "resume": Resume()}[word]


def _throw(rng: random.Random, session: Session) -> Throw:
    view = session.view
    trouble = rng.random()
    beside = 1 if trouble < TROUBLE and view.expected else 0
    faces: list[Any] = [2, 3, 4, 5, 6, "G"] if view.game == "bataclan" else [1, 2, 3, 4, 5, 6]
    dice = tuple(rng.choice(faces) for _ in range(view.expected - beside))
    return Throw(dice=dice, outside=beside, rim=0) if trouble < TROUBLE / 2 else Throw(dice=dice, rim=beside)


def random_play(rng: random.Random, name: str, most: int, *, players: int | None = None) -> Iterator[Session]:
    """The session after each event, from the start on, `most` at most."""
    session = Session().apply(random_start(rng, name, players=players))
    yield session
    for _ in range(most):
        event = random_event(rng, session)
        if event is None:
            return
        session = session.apply(event)
        yield session


def mischief(rng: random.Random, session: Session) -> Event:
    """Anything a table may also do, sensible or not."""
    name = rng.choice((*NAMES, "Nobody"))
    throw = rng.randint(0, session.view.throws + 1)
    dice = tuple(rng.randint(1, 6) for _ in range(rng.randint(0, 6)))
    return rng.choice(
        (
            Undo(),
            Undo(to=throw),
            Correct(throw=throw, dice=dice),
            Correct(throw=throw, dice=dice[:2], outside=1),
            Correct(throw=throw, void=True),
            Correct(throw=throw, player=name),
            Insert(after=throw, dice=dice),
            Insert(after=throw, dice=dice, player=name),
            Leave(player=name),
            Join(player=name),
            Adjust(player=name, strokes=rng.randint(0, 12)),
            Pause(),
            Resume(),
            Stop(by=name),
            Throw(dice=dice, by=name),
            Throw(dice=dice, outside=3),
            Choose(number=rng.randint(0, 13)),
            Place(dice=dice),
            Fallen(dice=rng.randint(0, 5), player=name),
            GlassEmpty(by=name, at=rng.random()),
            Settled(at=rng.random()),
        )
    )


def apply_if_allowed(session: Session, event: Event) -> Session:
    """The session after the event, or the same one where it is refused; nothing else may be raised."""
    try:
        return session.apply(event)
    except IllegalEvent:
        return session
