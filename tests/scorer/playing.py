"""Games written as one line: ``"145 . 632"`` is a throw, a stop, a throw; ``x23`` has a die outside, ``r23`` one on
the rim, ``5`` is one die of a roll-off or a barrage, ``x`` or ``r`` that die beside the board or on its rim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scorer.events import Event, Start, Stop, Throw
from scorer.session import Session

WIPED = "ABCDEFGH"  # everybody has wiped before: three aces are good


def begin(
    players: str = "AB",
    *,
    opener: str | None = "A",
    preset: str | None = None,
    wiped: str | None = None,
    chalk: Mapping[str, int] | None = None,
    **options: Any,
) -> Session:
    """A game of pietjesbak, one letter a player."""
    joined: dict[str, object] = {}
    if chalk is not None:
        joined["strokes"] = chalk
    if wiped is not None:
        joined["ever_wiped"] = tuple(name for name in wiped if name in players)
    start = Start(
        game="pietjesbak", players=tuple(players), preset=preset, options=options, opener=opener, joined=joined
    )
    return Session().apply(start)


def events(script: str) -> Iterable[Event]:
    """The events of a line."""
    for word in script.split():
        if word == ".":
            yield Stop()
        else:
            dice = tuple(int(face) for face in word if face.isdigit())
            yield Throw(dice=dice, outside=word.count("x"), rim=word.count("r"))


def play(script: str, session: Session | None = None, **how: Any) -> Session:
    """The session after these events."""
    session = begin(**how) if session is None else session
    for event in events(script):
        session = session.apply(event)
    return session


def strokes(session: Session) -> str:
    """All strokes in the order of the players: ``"8 9"``."""
    return " ".join(str(player["strokes"]) for player in players(session))


def players(session: Session) -> list[dict[str, Any]]:
    """The players of the state's JSON."""
    told = session.state["players"]
    assert isinstance(told, list)
    return told


def with_flag(session: Session, flag: str) -> str:
    """The names of those who are ``out`` or ``lost``."""
    return "".join(player["name"] for player in players(session) if player[flag])


def outcome(session: Session) -> dict[str, Any]:
    """What a table would notice: everything of the state but what says how it came to it."""
    return {key: value for key, value in session.state.items() if key != "changes"}
