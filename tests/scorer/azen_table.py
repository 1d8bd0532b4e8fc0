"""A table that plays azen jagen, in the shorthand that its tests share."""

from __future__ import annotations

from typing import Any

from telling import Told, begin, tell, throw

from scorer.session import Session

NO_ACE = (2, 3, 4)
ACE = (1, 3, 4)


def glass(at: float | None = None, **more: Any) -> Told:
    return {"do": "glass_empty", "at": at, **more}


def settled(at: float | None = None) -> Told:
    return {"do": "settled", "at": at}


def race(players: str = "ABC", *, ninth_at: float | None = None, **options: Any) -> Session:
    """A has thrown the ninth ace and drinks, B has ordered, B is to throw."""
    session = begin("azen", players, count=8, orderer="B", options=options)
    return tell(session, throw(*ACE, at=ninth_at))


def state(session: Session, *keys: str) -> tuple[Any, ...]:
    return tuple(session.state[key] for key in keys)
