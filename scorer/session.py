"""A table's evening: the list of all events, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from scorer.circle import changes_to_json
from scorer.errors import IllegalEvent
from scorer.events import Correct, Event, Insert, NextGame, Pause, Resume, Start, Undo
from scorer.game import Action, Change, Prompt, View
from scorer.games import game_named
from scorer.line import Moment, begin, corrected, follow, inserted
from scorer.options import Scalar
from scorer.presets import options_for

RULES_VERSION = 1
"""Goes with every stored event; an event is replayed by the rules of its version."""

_NOTHING_YET = View(game="", phase="idle", players=(), prompt=Prompt("no_game"), actions=(Action("start"),))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Standing:
    """An event that no undo took back, what it made of the game, and the one that stands before it."""

    before: _Standing | None
    event: Event
    line: Moment


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Log:
    before: _Log | None
    event: Event


@dataclass(frozen=True, eq=False, repr=False)
class Session:
    """Immutable: `apply` gives the next one, and shares all of the past with it.

    >>> from scorer.events import Stop, Throw
    >>> session = Session().apply(Start(game="pietjesbak", players=("Ann", "Bob"), opener="Ann"))
    >>> session = session.apply(Throw(dice=(1, 4, 5))).apply(Stop())
    >>> session.legal, session.apply(Undo()).state["to_throw"]
    (('throw',), 'Ann')
    """

    _standing: _Standing | None = None
    _log: _Log | None = None
    _why: str | None = None
    _was: Moment | None = None

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Session:
        """The session after these events; raises `IllegalEvent` at the first that is not allowed."""
        session = cls()
        for event in events:
            session = session.apply(event)
        return session

    def apply(self, event: Event) -> Session:
        """The session after `event`; raises `IllegalEvent` and changes nothing.

        An undo takes back the latest event that still stands (a correction too, never the start); a correction or
        an insertion is a replay, refused with ``would_break`` where a later event could not stand.
        """
        log = _Log(self._log, event)
        if isinstance(event, Start):
            return Session(_Standing(None, event, begin(event)), log)
        standing = self._standing
        if standing is None:
            raise IllegalEvent("no_game", "there is no game yet: start one")
        if isinstance(event, Undo):
            return Session(_taken_back(standing, event), log, "undo", standing.line)
        after = _Standing(standing, event, _next(standing.line, event))
        return Session(after, log, _WHY.get(type(event)), standing.line)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that was ever accepted, undo and correct included, the first first."""
        told: list[Event] = []
        entry = self._log
        while entry is not None:
            told.append(entry.event)
            entry = entry.before
        return tuple(reversed(told))

    @property
    def standing(self) -> tuple[Event, ...]:
        """What no undo took back, corrections as they were told, the first first."""
        told: list[Event] = []
        entry = self._standing
        while entry is not None:
            told.append(entry.event)
            entry = entry.before
        return tuple(reversed(told))

    @property
    def undoable(self) -> Event | None:
        """What an undo would take back now; None where nothing was done since the start."""
        return None if self._standing is None or self._standing.before is None else self._standing.event

    def moments(self) -> Iterator[Moment]:
        """What counts of the running game, corrections worked in, the latest first."""
        return iter(()) if self._standing is None else self._standing.line.back()

    @property
    def legal(self) -> tuple[str, ...]:
        """The words of the game's own events that may come now."""
        if self._standing is None:
            return ("start",)
        line = self._standing.line
        return ("resume",) if line.paused else line.game.legal(line.state)

    @property
    def phase(self) -> str:
        """The game's phase; ``idle`` before the first."""
        return "idle" if self._standing is None else str(self._standing.line.state.phase)

    @property
    def game_state(self) -> object:
        """The running game's own state, None before the first; for `scorer` alone, outputs know the `view`."""
        return None if self._standing is None else self._standing.line.state

    @property
    def start(self) -> Start | None:
        """How the running game was started: its players, preset and options."""
        moment = None if self._standing is None else self._standing
        while moment is not None and moment.before is not None:
            moment = moment.before
        return moment.event if moment is not None and isinstance(moment.event, Start) else None

    @cached_property
    def options(self) -> dict[str, Scalar]:
        """The options of the running game, defaults and preset filled in: its rule card."""
        start = self.start
        return {} if start is None else options_for(start, game_named(start.game).options)

    @cached_property
    def state(self) -> dict[str, object]:
        """The state in the words of the command line's contract; a new dictionary a session, not to be written to."""
        if self._standing is None:
            return {"game": None, "phase": "idle", "players": [], "legal": ["start"]}
        line = self._standing.line
        told = dict(line.game.to_json(line.state))
        told |= {"legal": list(self.legal), "throws": line.throws, "paused": line.paused}
        if self._why is not None:
            told["changes"] = changes_to_json(self._changes)
            if self._why in _QUIET and "round_winner" in told:
                told["round_winner"] = None
        return told

    @cached_property
    def view(self) -> View:
        """What every output shows now."""
        if self._standing is None:
            return _NOTHING_YET
        line = self._standing.line
        view = line.game.view(line.state)
        prompt, actions = (Prompt("paused"), (Action("resume"),)) if line.paused else (view.prompt, view.actions)
        if self._standing.before is not None:
            actions += (Action("undo"),)
        if line.throws:
            actions += (Action("correct"), Action("insert"))
        if not line.paused and view.phase != "over":
            actions += (Action("pause"),)
        return replace(
            view,
            prompt=prompt,
            actions=actions,
            throws=line.throws,
            changes=view.changes if self._why is None else self._changes,
            pattern=view.pattern if self._why is None else self._why,
            paused=line.paused,
        )

    @cached_property
    def _changes(self) -> tuple[Change, ...]:
        """What an undo, a correction or an insertion came to: the figures now less the figures shown before it."""
        if self._standing is None or self._was is None or self._why is None:
            return ()
        line, told = self._standing.line, []
        before = {player.name: player for player in self._was.game.view(self._was.state).players}
        for player in line.game.view(line.state).players:
            was = before.get(player.name, player)
            if player.number != was.number:
                told.append(Change(player.name, player.number - was.number, self._why, "", line.game.figure))
            if line.game.marked and player.marks != was.marks:
                told.append(Change(player.name, player.marks - was.marks, self._why, "", line.game.marked))
        return tuple(told)


def _next(line: Moment, event: Event) -> Moment:
    if isinstance(event, Correct):
        return corrected(line, event)
    return inserted(line, event) if isinstance(event, Insert) else follow(line, event)


def _taken_back(standing: _Standing, event: Undo) -> _Standing:
    """Without the latest event; with `to`, without all that came after that throw but the corrections of what stays."""
    if event.to is None:
        if standing.before is None:
            raise IllegalEvent("nothing_to_undo", "nothing was done since the start")
        return standing.before
    corrections: list[Correct] = []
    entry = standing
    while not _made(entry, event.to):
        if isinstance(entry.event, Correct):
            corrections.append(entry.event)
        if entry.before is None or isinstance(entry.event, NextGame):
            raise IllegalEvent("no_such_throw", f"there is no throw {event.to} in this game")
        entry = entry.before
    if entry is standing:
        raise IllegalEvent("nothing_to_undo", f"nothing was done since throw {event.to}")
    for correction in reversed(corrections):
        with suppress(IllegalEvent):  # it corrected a throw that is no longer there
            entry = _Standing(entry, correction, corrected(entry.line, correction))
    return entry


def _made(entry: _Standing, throw: int) -> bool:
    """Whether this event is throw number `throw` (0: whether it began the running game)."""
    if entry.before is None or isinstance(entry.event, NextGame):
        return throw == 0
    return throw == entry.line.throws > entry.before.line.throws


_WHY: dict[type[Event], str] = {Correct: "correct", Insert: "insert", Pause: "pause", Resume: "resume"}
_QUIET = ("pause", "resume")
