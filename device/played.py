"""A stretch of the journal as the games that were played in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import inf
from typing import Any

from device.counts import Counted, Counts, counted
from device.journal import Row
from device.journal.rows import BASIS
from device.shortened import Basis
from scorer.events import Event, Face, NextGame, Start, Throw
from scorer.line import Moment
from scorer.session import RULES_VERSION, Session
from scorer.wire import event_from_json

REST_S = 1800.0  # nobody plays so slowly: a longer gap is a rest, or the clock was put right
FIRST_YEAR = 2024  # a clock that shows less was never set
_WORDS = ("throw", "stop", "glass_empty", "settled", "choose", "place", "fallen", "insert")
"""What playing is; what is put right, joined or ended afterwards lengthens no game."""


@dataclass(frozen=True)
class Played:
    """One game. `number` is the `seq` of the entry that began it, and its name for good.

    `begun`, `ended`: by the wall clock, None where it was not set. `lasted_s`: time at play, rests left out.
    `figures`: what stood beside each name at the end; `figure` says what that counts. `orders`: who paid how many
    orders (azen jagen). `whole` is false where the journal holds entries that cannot be replayed.
    """

    number: int
    game: str
    players: tuple[str, ...]
    begun: datetime | None
    ended: datetime | None
    lasted_s: float
    over: bool = False
    winner: str | None = None
    loser: str | None = None
    figure: str = ""
    figures: Mapping[str, int] = field(default_factory=dict)
    orders: Mapping[str, int] = field(default_factory=dict)
    counted: Counted = field(default_factory=Counted)
    whole: bool = True

    @property
    def counts(self) -> Counts:
        return self.counted.whole


@dataclass(frozen=True)
class Line:
    """One throw as it stands; `kind` is its class where the game has classes, `phase` what it was thrown in.

    `figures`: what stands beside each name after it. `time` is when it was told first, None where nobody knows.
    """

    number: int
    player: str
    dice: tuple[Face, ...]
    outside: int
    rim: int
    void: bool
    kind: str
    phase: str
    time: datetime | None
    figures: Mapping[str, int]


def games_of(rows: Sequence[Row], until: int) -> tuple[Played, ...]:
    """The games that began in these rows, before entry `until`, in order.

    The first row is a start, or a ``next_game`` with the basis on which it goes on; rows from `until` on are there for
    what they may still put right.
    """
    return tuple(_played(game) for game in _games(rows) if game.number < until)


def lines_of(rows: Sequence[Row], number: int) -> tuple[Line, ...]:
    """Every throw of the game of that number, the first first; nothing where there is no such game."""
    return next((tuple(_lines(game)) for game in _games(rows) if game.number == number), ())


def wall_time(told: str) -> datetime | None:
    """When a row says that it was, None where its clock was not set.

    >>> wall_time("2025-11-29T21:04:00+01:00").hour, wall_time("1970-01-01T00:02:11+00:00"), wall_time("")
    (21, None, None)
    """
    try:
        time = datetime.fromisoformat(told)
    except ValueError:
        return None
    return time if time.year >= FIRST_YEAR and time.tzinfo is not None else None


@dataclass(frozen=True)
class _Game:
    """A game's moments as they stand, the events that came while it ran, and which row brought which event."""

    number: int
    rows: Sequence[Row]
    moments: Sequence[Moment]
    row_of: Mapping[int, Row]
    whole: bool


def _games(rows: Sequence[Row]) -> list[_Game]:
    """All games of these rows but the one that only the basis tells of."""
    session, row_of, events, whole = Session(), dict[int, Row](), list[Event](), True
    played = [row for row in rows if row.kind == "event"]
    basis = next((row.body[BASIS] for row in rows[:2] if row.kind == "note"), None)
    try:
        if basis is not None:
            session = Basis.from_json(basis).session()
        for row in played if basis is None else played[1:]:
            if row.rules != str(RULES_VERSION):
                raise ValueError("these are other rules")
            event = event_from_json(row.body)
            session = session.apply(event)
            events.append(event)  # kept alive, so that no other has its id
            row_of[id(event)] = row
    except (ValueError, TypeError):  # IllegalEvent is one: what is counted ends here
        whole = False
    moments = list(session.moments())[::-1]
    if not moments:
        return [_Game(rows[0].seq, played, (), {}, False)]
    begins = [n for n, moment in enumerate(moments) if isinstance(moment.event, Start | NextGame)]
    if basis is not None:
        begins = begins[1:]
    numbers = [rows[0].seq if row is None else row.seq for row in (row_of.get(id(moments[n].event)) for n in begins)]
    found = []
    for begin, number, end, next_ in zip(begins, numbers, [*begins[1:], None], [*numbers[1:], inf], strict=False):
        its = [row for row in played if number <= row.seq < next_]
        found.append(_Game(number, its, moments[begin:end], row_of, whole or end is not None))
    return found


def _played(game: _Game) -> Played:
    play = max((n for n, row in enumerate(game.rows) if row.body.get("do") in _WORDS), default=0)
    rows = game.rows[: play + 1]
    times = [time for row in rows if (time := wall_time(row.wall)) is not None]
    begun, ended = (times[0], times[-1]) if times else (None, None)
    lasted = sum(map(_gap, rows, rows[1:]))
    if not game.moments:
        start = game.rows[0].body
        names = tuple(map(str, players)) if isinstance(players := start.get("players"), list) else ()
        return Played(game.number, str(start.get("game", "")), names, begun, ended, lasted, whole=False)
    last = game.moments[-1]
    told: Mapping[str, Any] = last.game.to_json(last.state)
    over = told["phase"] == "over"
    return Played(
        game.number,
        last.game.name,
        tuple(player["name"] for player in told["players"]),
        begun,
        ended,
        lasted,
        over=over,
        winner=told["winner"] if over else None,
        loser=told["loser"] if over else None,
        figure=last.game.figure,
        figures=_figures(last),
        orders={player["name"]: paid for player in told["players"] if (paid := player.get("orders", 0))},
        counted=counted(game.moments),
        whole=game.whole,
    )


def _lines(game: _Game) -> list[Line]:
    """The throws in order; a stop that decides the round tells what the throw before it came to."""
    found, time, figures = list[Line](), wall_time(game.rows[0].wall), dict[str, int]()
    for before, moment in zip(game.moments, game.moments[1:], strict=False):
        row, event = game.row_of.get(id(moment.event)), moment.event
        time = time if row is None else wall_time(row.wall)  # a throw that was put right keeps about its time
        told: Mapping[str, Any] = {} if moment.void else moment.game.to_json(moment.state)
        if told.get("changes") or not figures:
            figures = _figures(moment)
            if found and not moment.number:
                found[-1] = replace(found[-1], figures=figures)
        if moment.number and isinstance(event, Throw):
            last = told.get("last") or {"player": before.to_throw}
            line = Line(
                number=moment.number,
                player=last["player"] or "",
                dice=event.dice,
                outside=event.outside,
                rim=event.rim,
                void=moment.void,
                kind=last.get("class") or "",
                phase=str(before.state.phase),
                time=time,
                figures=figures,
            )
            found.append(line)
    return found


def _figures(moment: Moment) -> dict[str, int]:
    return {player.name: player.number for player in moment.game.view(moment.state).players}


def _gap(before: Row, after: Row) -> float:
    """Seconds between two rows, 0 for a rest and for a clock that was put right."""
    a, b = wall_time(before.wall), wall_time(after.wall)
    passed = 0.0 if a is None or b is None else (b - a).total_seconds()
    return passed if 0 <= passed <= REST_S and after.body.get("do") != "resume" else 0.0
