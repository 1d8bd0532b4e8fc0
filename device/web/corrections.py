"""Putting a booked throw right: every choice that still fits the rules, the reader's second guess first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from device.cutouts import Cut, Cutouts, paired
from device.snapshot import Snapshot
from device.throws import Thrown, latest
from device.web.page import faces_of, refusal
from device.wording import Wording
from scorer.errors import IllegalEvent
from scorer.events import Face
from scorer.wire import event_from_json

MOST = 400  # throws back: more than a game has


@dataclass(frozen=True)
class Choice:
    """One thing that the throw could have been; `why` says why it cannot, `is_now` that it is booked so."""

    label: str
    event: Mapping[str, object]
    face: Face | None = None
    why: str = ""
    is_now: bool = False


@dataclass(frozen=True)
class Sheet:
    """What opens when a throw, or one of its dice, is tapped.

    `guess`: the second guess of the reader; `faces`, `places`: what the die could have been; `whole`: the throw.
    `missing` counts the dice of a throw that was missed right behind this one, 0 where none can be put in.
    """

    thrown: Thrown
    at: int | None
    picture: str | None
    guess: Choice | None
    faces: tuple[Choice, ...]
    places: tuple[Choice, ...]
    whole: tuple[Choice, ...]
    missing: int


def sheet(now: Snapshot, number: int, at: int | None, words: Wording, cutouts: Cutouts | None) -> Sheet | None:
    """The choices for throw `number`, for its die `at` as the page draws them; None where there is no such throw."""
    thrown = next((one for one in latest(now.session, MOST) if one.number == number), None)
    if thrown is None or (at is not None and not 0 <= at < len(thrown.dice) + thrown.outside + thrown.rim):
        return None
    tried = _Tried(now, number, words)
    whole = _whole(now, thrown, tried, words)
    if at is None:
        return Sheet(thrown, None, None, None, (), (), whole, _missing(now, number))
    cut = None
    if cutouts is not None and at < len(thrown.dice):
        cut = paired(cutouts.cuts((now.begun, number)), thrown.dice)[at]
    faces = tuple(_face(thrown, at, face, tried) for face in faces_of(now.view.game))
    guess = _guess(cut, faces)
    return Sheet(thrown, at, cut.name if cut else None, guess, faces, _places(thrown, at, tried, words), whole, 0)


class _Tried:
    """Makes choices, each tried on the game as it stands."""

    def __init__(self, now: Snapshot, number: int, words: Wording) -> None:
        self._session, self._number, self._words = now.session, number, words

    def __call__(
        self, label: str, said: Mapping[str, object], *, face: Face | None = None, is_now: bool = False
    ) -> Choice:
        event = {"do": "correct", "throw": self._number, **said} if "do" not in said else said
        why = ""
        if not is_now:
            try:
                self._session.apply(event_from_json(event))
            except IllegalEvent as error:
                why = refusal(error, self._words)
        return Choice(label, event, face, why, is_now)


def _face(thrown: Thrown, at: int, face: Face, tried: _Tried) -> Choice:
    """The die as `face` on the felt."""
    dice, outside, rim = _without(thrown, at)
    place = min(at, len(dice))
    is_now = not thrown.void and at < len(thrown.dice) and thrown.dice[at] == face
    return tried(str(face), _said([*dice[:place], face, *dice[place:]], outside, rim), face=face, is_now=is_now)


def _guess(cut: Cut | None, faces: Sequence[Choice]) -> Choice | None:
    second = None if cut is None else cut.second
    return next((one for one in faces if one.face == second and not one.is_now and not one.why), None)


def _places(thrown: Thrown, at: int, tried: _Tried, words: Wording) -> tuple[Choice, ...]:
    """The die outside, on the rim, or no die of this throw at all."""
    dice, outside, rim = _without(thrown, at)
    felt, edge = len(thrown.dice), len(thrown.dice) + thrown.rim
    return (
        tried(words.say("remote", "outside"), _said(dice, outside + 1, rim), is_now=at >= edge and not thrown.void),
        tried(words.say("remote", "rim"), _said(dice, outside, rim + 1), is_now=felt <= at < edge and not thrown.void),
        tried(words.say("remote", "missing"), {"void": True}),
    )


def _whole(now: Snapshot, thrown: Thrown, tried: _Tried, words: Wording) -> tuple[Choice, ...]:
    """Somebody else's, no throw, or back to here; only what the rules allow."""
    choices = [
        tried(words.say("remote", "was_of", player=player.name), {"player": player.name})
        for player in now.view.players
        if player.name != thrown.player
    ]
    if not thrown.void:
        choices.append(tried(words.say("remote", "void"), {"void": True}))
    if now.view.throws > thrown.number:
        back = {"do": "undo", "to": thrown.number}
        choices.append(tried(words.say("remote", "back_to", n=thrown.number), back))
    return tuple(choice for choice in choices if not choice.why)


def _missing(now: Snapshot, number: int) -> int:
    """How many dice a throw right behind this one has; the table says no where a later one could not stand."""
    moment = next((moment for moment in now.session.moments() if moment.number == number), None)
    return 0 if moment is None else moment.game.view(moment.state).expected


def _without(thrown: Thrown, at: int) -> tuple[list[Face], int, int]:
    """The throw less that die: faces, outside, rim; a void throw's dice stand for what they were."""
    felt, edge = len(thrown.dice), len(thrown.dice) + thrown.rim
    dice = [face for n, face in enumerate(thrown.dice) if n != at]
    return dice, thrown.outside - (at >= edge), thrown.rim - (felt <= at < edge)


def _said(dice: Sequence[Face], outside: int, rim: int) -> dict[str, object]:
    return {"dice": list(dice), "outside": outside, "rim": rim}
