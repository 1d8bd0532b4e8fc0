"""Evenings to take along: JSON for programs, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from device.counts import Counts
from device.evenings import IN_LIST, Evening, Past
from device.fairness import fairness
from device.journal import JournalError
from device.played import Line, Played
from device.web.asked import whole
from device.web.guard import told
from device.web.site import Site

MOST_IN_ONE = 100  # evenings in one answer
MOST_NUMBER = 2**63 - 1  # what SQLite can count
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell may not begin with: a spreadsheet would calculate it (OWASP, "CSV Injection")."""
GAME_HEAD = ("evening", "game", "begun", "ended", "seconds", "name", "players", "over", "winner", "loser", "throws")
LINE_HEAD = ("evening", "game", "name", "throw", "time", "player", "phase", "class", "outside", "rim", "void", "dice")
PERSON_HEAD = ("evening", "game", "name", "player", "figure", "at_end")
COUNTS = tuple(field for field in Counts._fields if field not in ("faces", "games"))
FACE_HEAD = tuple(f"face_{face}" for face in range(1, 7))
Cell = str | int | float | bool | None


class EveningFiles:
    """``/api/v1/evenings`` and what hangs below it."""

    def __init__(self, site: Site, past: Past) -> None:
        self._site, self._past = site, past
        self.routes = [
            Route("/api/v1/evenings", self._list),
            Route("/api/v1/evenings.csv", self._games),
            Route("/api/v1/evenings/{evening}", self._evening),
            Route("/api/v1/evenings/{evening}/throws.csv", self._throws),
            Route("/api/v1/evenings/{evening}/players.csv", self._players),
        ]

    def _list(self, request: Request) -> Response:
        try:
            before = _number(request, "before", None)
            limit = _number(request, "limit", IN_LIST)
        except ValueError as fault:
            return told(400, "bad_value", str(fault))
        try:
            listed = self._past.evenings(before, min(MOST_IN_ONE, max(1, limit or 1)), float("inf"))
        except JournalError as fault:
            return told(503, "storage", str(fault))
        evenings = [evening_json(evening) for evening in listed.evenings]
        return _named(JSONResponse({"evenings": evenings, "more": listed.more}), "evenings.json")

    def _games(self, request: Request) -> Response:
        """Sent as it is counted: the latest evenings are on their way while older ones are still read."""
        try:
            evenings = self._past.each()
            first = next(evenings, None)
        except JournalError as fault:
            return told(503, "storage", str(fault))
        sheet = Sheet(self._separator(request))

        def parts() -> Iterator[str]:
            yield sheet.begin((*GAME_HEAD, *COUNTS[1:], *FACE_HEAD))
            if first is not None:
                yield sheet.rows(_game_cells(first))
            for evening in evenings:
                yield sheet.rows(_game_cells(evening))

        return _named(StreamingResponse(parts(), media_type="text/csv; charset=utf-8"), "games.csv")

    def _evening(self, request: Request) -> Response:
        found = self._asked(request)
        if isinstance(found, Response):
            return found
        evening, games = found
        return _named(JSONResponse(numbers_json(Evening(evening.number, games))), f"{_label(evening)}.json")

    def _throws(self, request: Request) -> Response:
        found = self._asked(request)
        if isinstance(found, Response):
            return found
        evening, games = found
        rows: list[Sequence[Cell]] = []
        try:
            for game in games:
                rows += [_line_cells(evening, game, line) for line in self._past.lines(game.number)]
        except JournalError as fault:
            return told(503, "storage", str(fault))
        most = max((len(row) - len(LINE_HEAD) for row in rows), default=0)
        head = (*LINE_HEAD, *(f"die_{n}" for n in range(1, most + 1)))
        whole = [[*row, *[None] * (len(head) - len(row))] for row in rows]
        return self._csv(request, head, whole, f"{_label(evening)}-throws.csv")

    def _players(self, request: Request) -> Response:
        found = self._asked(request)
        if isinstance(found, Response):
            return found
        evening, games = found
        rows = [
            (evening.number, game.number, game.game, name, game.figure, game.figures.get(name), *_counts(counts))
            for game in games
            for name, counts in game.counted.people.items()
        ]
        head = (*PERSON_HEAD, *COUNTS, *FACE_HEAD)
        return self._csv(request, head, rows, f"{_label(evening)}-players.csv")

    # -- inside

    def _asked(self, request: Request) -> tuple[Evening, tuple[Played, ...]] | Response:
        """The evening of the address with its games, or the one asked for with ``?game=``."""
        try:
            game = _number(request, "game", None)
            asked = whole(request.path_params["evening"], 18)
            evening = None if asked is None else self._past.evening(asked)
        except ValueError as fault:
            return told(400, "bad_value", str(fault))
        except JournalError as fault:
            return told(503, "storage", str(fault))
        games = () if evening is None else tuple(one for one in evening.games if game in (None, one.number))
        return (
            told(404, "not_found", "there is no such evening or game") if not evening or not games else (evening, games)
        )

    def _separator(self, request: Request) -> str:
        """What the reader's spreadsheet takes between two cells: a comma in English, else a semicolon."""
        return "," if self._site.words(request).language == "en" else ";"

    def _csv(self, request: Request, head: Sequence[str], rows: Iterable[Sequence[Cell]], name: str) -> Response:
        sheet = Sheet(self._separator(request))
        return _named(Response(sheet.begin(head) + sheet.rows(rows), media_type="text/csv; charset=utf-8"), name)


class Sheet:
    """Lines of CSV that no spreadsheet takes for formulas.

    >>> Sheet(",").rows([["=1+1", 3, "Ann, Bob", True, None]])
    '\\'=1+1,3,"Ann, Bob",1,\\r\\n'
    """

    def __init__(self, separator: str) -> None:
        self._separator = separator

    def begin(self, head: Sequence[str]) -> str:
        """The first line; the mark before it tells spreadsheets that this is UTF-8."""
        return "\ufeff" + self.rows([head])

    def rows(self, rows: Iterable[Sequence[Cell]]) -> str:
        written = io.StringIO()
        csv.writer(written, delimiter=self._separator).writerows([_safe(cell) for cell in row] for row in rows)
        return written.getvalue()


def evening_json(evening: Evening) -> dict[str, object]:
    """An evening and its games in short."""
    return {
        "evening": evening.number,
        "begun": _iso(evening.begun),
        "ended": _iso(evening.ended),
        "seconds": round(evening.lasted_s),
        "players": list(evening.players),
        "games": [_game_json(game) for game in evening.games],
    }


def numbers_json(evening: Evening) -> dict[str, object]:
    """An evening with all that was counted, of each game too."""
    told = evening_json(evening) | _numbers(evening.counted.whole, evening.counted.people)
    told["games"] = [_game_json(game) | _numbers(game.counts, game.counted.people) for game in evening.games]
    return told


def _numbers(counts: Counts, people: Mapping[str, Counts]) -> dict[str, object]:
    fair = fairness(counts.faces)
    return {
        "numbers": counts.to_json(),
        "people": {name: person.to_json() for name, person in people.items()},
        "fairness": {
            "dice": fair.dice,
            "chi_square": round(fair.statistic, 3),
            "chance": round(fair.chance, 6),
            "verdict": fair.verdict,
        },
    }


def _game_json(game: Played) -> dict[str, object]:
    return {
        "number": game.number,
        "game": game.game,
        "begun": _iso(game.begun),
        "ended": _iso(game.ended),
        "seconds": round(game.lasted_s),
        "players": list(game.players),
        "over": game.over,
        "winner": game.winner,
        "loser": game.loser,
        "throws": game.counts.throws,
        "figure": game.figure,
        "figures": dict(game.figures),
        "orders": dict(game.orders),
        "whole": game.whole,
    }


def _game_cells(evening: Evening) -> list[Sequence[Cell]]:
    return [
        (
            evening.number,
            game.number,
            _iso(game.begun),
            _iso(game.ended),
            round(game.lasted_s),
            game.game,
            ", ".join(game.players),
            game.over,
            game.winner,
            game.loser,
            *_counts(game.counts),
        )
        for game in evening.games
    ]


def _line_cells(evening: Evening, game: Played, line: Line) -> Sequence[Cell]:
    where = (line.outside, line.rim, line.void, len(line.dice))
    time = _iso(line.time)
    return (
        evening.number,
        game.number,
        game.game,
        line.number,
        time,
        line.player,
        line.phase,
        line.kind,
        *where,
        *line.dice,
    )


def _counts(counts: Counts) -> tuple[int, ...]:
    return (*(getattr(counts, field) for field in COUNTS), *counts.faces)


def _iso(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat(timespec="seconds")


def _safe(cell: Cell) -> Cell:
    if isinstance(cell, bool):
        return int(cell)
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _label(evening: Evening) -> str:
    """What its files are called."""
    return f"evening-{evening.begun:%Y-%m-%d}" if evening.begun is not None else f"evening-{evening.number}"


def _named(answer: Response, name: str) -> Response:
    """The answer as a file to keep."""
    answer.headers["Content-Disposition"] = f'attachment; filename="pietjesoog-{name}"'
    return answer


def _number(request: Request, key: str, otherwise: int | None) -> int | None:
    """A whole number of the address; raises ValueError."""
    told = request.query_params.get(key)
    if told is None:
        return otherwise
    try:
        return max(0, min(MOST_NUMBER, int(told)))
    except ValueError:
        raise ValueError(f"{key} must be a whole number") from None
