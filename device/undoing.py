"""What an undo would take back, in words, so that nobody presses it to find out."""

from __future__ import annotations

from collections.abc import Sequence

from device.wording import Wording
from scorer.events import Correct, Event, Face, Insert, Throw
from scorer.session import Session


def undo_told(session: Session, words: Wording) -> str:
    """The words of an undo: ``Neem terug: worp van An, 6-5-1``; without an event just that it undoes.

    >>> from device.wording import wording
    >>> undo_told(Session(), wording("en"))
    'Undo'
    """
    event = session.undoable
    if event is None:
        return words.say("remote", "undo")
    return words.say("undoes", "label", what=_what(session, event, words))


def _what(session: Session, event: Event, words: Wording) -> str:
    before = next(session.moments()).before
    player = getattr(event, "player", None) or event.by or (before.to_throw if before is not None else None)
    args = {
        "player": player or "",
        "dice": _dice(event, words) if isinstance(event, Throw | Insert) else "-".join(map(str, _faces(event))),
        "n": event.throw if isinstance(event, Correct) else "",
        "number": getattr(event, "number", ""),
        "strokes": getattr(event, "strokes", ""),
    }
    return words.say("undoes", event.do, **args)


def _dice(event: Throw | Insert, words: Wording) -> str:
    beside = [words.say("again", key, n=n) for key, n in (("outside", event.outside), ("rim", event.rim)) if n]
    return " + ".join(filter(None, ["-".join(map(str, event.dice)), *beside]))


def _faces(event: Event) -> Sequence[Face]:
    dice = getattr(event, "dice", ())
    return dice if isinstance(dice, tuple) else (dice,)
