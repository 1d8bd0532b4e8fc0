"""An evening without what is long over: the game before the running one and the running one, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorer.errors import IllegalEvent
from scorer.events import Event, NextGame, Start
from scorer.line import Moment
from scorer.session import Session
from scorer.wire import event_from_json, event_to_json


@dataclass(frozen=True)
class Basis:
    """Events that come to the same as the whole evening so far; `begun` is the `seq` at which it started."""

    events: tuple[Event, ...]
    begun: int

    def session(self) -> Session:
        """Raises `IllegalEvent` for events that no game allows."""
        return Session.replay(self.events)

    def to_json(self) -> dict[str, object]:
        return {"events": [event_to_json(event) for event in self.events], "begun": self.begun}

    @classmethod
    def from_json(cls, told: object) -> Basis:
        """The inverse of `to_json`; raises ValueError or `WireError` for anything else."""
        match told:
            case {"events": [Mapping(), *_] as events, "begun": int(begun)}:
                return cls(tuple(event_from_json(event) for event in events), begun)
        raise ValueError("a basis has events, and the number at which they began")


def shortened(session: Session) -> Session:
    """The same session without the games before the last one but one; as it is where that would be another.

    Weeks of ``next_game`` would fill the memory, and a restart would have to play them all again.
    """
    standing = session.standing
    games = [place for place, event in enumerate(standing) if isinstance(event, NextGame)]
    if len(games) < 2:
        return session
    began = _second_of(session)
    start = None if began is None else _as_start(session, began)
    if start is None:
        return session
    try:
        short = Session.replay((start, *standing[games[-2] + 1 :]))
    except IllegalEvent:
        return session
    same = short.game_state == session.game_state and short.view == session.view and short.state == session.state
    return short if same else session


def _second_of(session: Session) -> Moment | None:
    """The moment at which the game before the running one began."""
    begins = (moment for moment in session.moments() if isinstance(moment.event, NextGame))
    next(begins, None)
    return next(begins, None)


def _as_start(session: Session, began: Moment) -> Start | None:
    """A start that comes to the same as that ``next_game``."""
    first, view = session.start, began.game.view(began.state)
    if first is None:
        return None
    here = tuple(player.name for player in view.players if not player.out and not player.lost)
    opener = None if view.phase == "roll_off" else began.to_throw
    seats = {name: seat for name, seat in first.seats.items() if name in here}
    return Start(game=first.game, players=here, preset=first.preset, options=first.options, opener=opener, seats=seats)
