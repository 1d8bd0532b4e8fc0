"""What was played here: the list of evenings, and a page for each evening and each game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.evenings import Evening, Past
from device.journal import JournalError
from device.web import charts
from device.web import evening_told as told
from device.web.asked import whole
from device.web.dates import day, from_to
from device.web.page import ORDINARY, PIPS, Die
from device.web.site import Site


class Evenings:
    """``/evenings``."""

    def __init__(self, site: Site, past: Past) -> None:
        self._site, self._past = site, past
        self.routes = [
            Route("/evenings", self._read(self._list)),
            Route("/evenings/all", self._read(self._all)),
            Route("/evenings/{evening:int}", self._read(self._evening)),
            Route("/evenings/{evening:int}/{game:int}", self._read(self._game)),
        ]

    def _read(self, page: Callable[[Request], Response]) -> Callable[[Request], Response]:
        """The page, or where the journal cannot be read one that says so."""

        def shown(request: Request) -> Response:
            try:
                return page(request)
            except JournalError:
                why = self._site.words(request).say("evenings", "unread")
                return self._site.html(request, "no_evening.html", 503, why=why)

        return shown

    def _list(self, request: Request) -> Response:
        site, words = self._site, self._site.words(request)
        before = whole(request.query_params.get("before", ""), 15)
        listed, running = self._past.evenings(before), self._running()
        return site.html(
            request,
            "evenings.html",
            evenings=[told.evening_told(words, evening, running) for evening in listed.evenings],
            complete=listed.complete,
            more=listed.evenings[-1].number if listed.more and listed.evenings else None,
            is_first=before is None,
        )

    def _all(self, request: Request) -> Response:
        """All evenings as if they were one."""
        words = self._site.words(request)
        listed = self._past.everything()
        if not listed.evenings:
            return self._list(request)
        games = [game for evening in reversed(listed.evenings) for game in evening.games]
        whole = Evening(0, tuple(games))
        ends = [day(words, listed.evenings[-1].begun), day(words, listed.evenings[0].begun)]
        meta = [words.say("evenings", "evenings", evenings=len(listed.evenings)), " – ".join(dict.fromkeys(ends))]
        return self._numbers(
            request,
            whole,
            {game.number: evening.number for evening in listed.evenings for game in evening.games},
            title=words.say("evenings", "together"),
            meta=meta,
            complete=listed.complete,
        )

    def _evening(self, request: Request) -> Response:
        words = self._site.words(request)
        number = request.path_params["evening"]
        evening = self._past.evening(number)
        if evening is None:
            return self._missing(request)
        running = self._running()
        meta = [
            from_to(evening.begun, evening.ended),
            words.say("evenings", "games", games=len(evening.games)),
            ", ".join(evening.players),
        ]
        return self._numbers(
            request,
            evening,
            dict.fromkeys([game.number for game in evening.games], number),
            title=day(words, evening.begun),
            meta=meta,
            bars=told.lengths(words, evening),
            games=[told.game_told(words, number, game, running) for game in evening.games],
            beside=self._past.beside(number),
        )

    def _numbers(
        self,
        request: Request,
        evening: Evening,
        home: Mapping[int, int],
        *,
        title: str,
        meta: Sequence[str],
        complete: bool = True,
        bars: Sequence[charts.Bar] = (),
        games: Sequence[told.GameTold] = (),
        beside: tuple[int | None, int | None] = (None, None),
    ) -> Response:
        words, counted = self._site.words(request), evening.counted
        figures = told.tiles(words, counted.whole, evening.games, evening.lasted_s)
        for key, game in (("longest", evening.longest), ("shortest", evening.shortest)):
            if game is not None:
                figures += told.record(words, key, home[game.number], game)
        heads, people = told.people(words, counted, evening.games)
        return self._site.html(
            request,
            "evening.html",
            title=title,
            meta=[one for one in meta if one],
            complete=complete,
            tiles=figures,
            heads=heads,
            people=people,
            dice=told.dice(words, counted.whole, evening.games),
            pips=PIPS,
            bars=bars,
            games=games,
            beside=beside,
            number=evening.number,
        )

    def _game(self, request: Request) -> Response:
        site, words = self._site, self._site.words(request)
        number, which = request.path_params["evening"], request.path_params["game"]
        evening = self._past.evening(number)
        game = None if evening is None else next((one for one in evening.games if one.number == which), None)
        if game is None:
            return self._missing(request)
        lines = self._past.lines(which)
        one = told.game_told(words, number, game, self._running())
        heads, people = told.people(words, game.counted, [game])
        return site.html(
            request,
            "game.html",
            title=one.title,
            meta=[part for part in (day(words, game.begun), from_to(game.begun, game.ended)) if part],
            result=one.result,
            tiles=told.tiles(words, game.counts, [game], game.lasted_s),
            heads=heads,
            people=people,
            ends=game.figures,
            ends_head=words.say("evenings", "ends", unit=told.unit(words, game)),
            dice=told.dice(words, game.counts, [game]),
            pips=PIPS,
            course=charts.course(lines, game.players),
            course_told=words.say("evenings", "course_told", ends=charts.ends(game.figures)),
            lines=[(line, told.looks(line), told.worth(words, line)) for line in lines[: told.MOST_LINES]],
            sides={
                "o": Die(None, "outside"),
                "r": Die(None, "rim"),
                **{str(face): Die(face) for face in (*ORDINARY, "G")},
            },
            all_lines=len(lines) <= told.MOST_LINES,
            most_lines=words.say("evenings", "throws", throws=told.MOST_LINES),
            evening=number,
            game=which,
        )

    def _running(self) -> int | None:
        """The number of the game that goes on at the table."""
        now = self._site.table.now
        if now.view.phase in ("idle", "over"):
            return None
        latest = self._past.latest()
        return None if latest is None else latest.number

    def _missing(self, request: Request) -> Response:
        return self._site.html(
            request, "no_evening.html", 404, why=self._site.words(request).say("evenings", "no_such")
        )
