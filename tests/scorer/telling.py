"""Short words for events as they come in as JSON, and games told with them."""

from __future__ import annotations

from typing import Any

from scorer.errors import IllegalEvent
from scorer.session import Session
from scorer.wire import event_from_json

Told = dict[str, Any]


def begin(
    game: str, players: str = "ABC", *, opener: str | None = "A", options: Told | None = None, **more: Any
) -> Session:
    """A game among one-letter players; `more` stands in chalk."""
    told = {"do": "start", "game": game, "players": list(players), "options": options or {}, "opener": opener, **more}
    return tell(Session(), told)


def tell(session: Session, *events: Told) -> Session:
    """The session after these events."""
    for event in events:
        session = session.apply(event_from_json(event))
    return session


def refused(session: Session, event: Told) -> str:
    """The reason why the event is refused; fails where it is allowed."""
    try:
        session.apply(event_from_json(event))
    except IllegalEvent as error:
        return error.reason
    raise AssertionError(f"{event} was allowed")


def throw(*dice: Any, **more: Any) -> Told:
    return {"do": "throw", "dice": list(dice), **more}


def stop(**more: Any) -> Told:
    return {"do": "stop", **more}


def leave(player: str) -> Told:
    return {"do": "leave", "player": player}


def join(player: str) -> Told:
    return {"do": "join", "player": player}


END: Told = {"do": "end"}
NEXT_GAME: Told = {"do": "next_game"}


def player(session: Session, name: str) -> Told:
    """That player in the state's JSON."""
    players = session.state["players"]
    assert isinstance(players, list)
    return next(told for told in players if told["name"] == name)


def changes(session: Session) -> list[Told]:
    """The changes of the last event without the rule ids."""
    told = session.state["changes"]
    assert isinstance(told, list)
    return [{key: value for key, value in change.items() if key != "rule"} for change in told]


def cell(session: Session, key: str, name: str | None = None) -> Any:
    """The value of one cell of the game's own board."""
    return next(c.value for c in session.view.board if c.key == key and (name is None or c.player == name))
