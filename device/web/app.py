"""The web application: every group of routes over one table, behind one guard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from device.access_point import AccessPoint
from device.chosen import Chosen
from device.config import Config
from device.cutouts import Cutouts
from device.evenings import Past
from device.journal import Journal
from device.last_throws import LastThrows
from device.table import Table
from device.tongue import Tongue
from device.upkeep import Upkeep
from device.web.again import Again
from device.web.api import Api
from device.web.asked import shows_pages, wants_page
from device.web.calibrating import Calibrating
from device.web.door import Door
from device.web.entry import Entry
from device.web.evening_files import EveningFiles
from device.web.evenings import Evenings
from device.web.first import First
from device.web.guard import Guard, told
from device.web.load import Load
from device.web.names import Names
from device.web.new_game import NewGame
from device.web.pages import Board
from device.web.people import People
from device.web.play import Play
from device.web.settings import Settings
from device.web.site import HERE, Health, Site

LOG = logging.getLogger("pietjesoog")
LOOK_S = 20.0  # how often the code and the address are looked at, for the screens that show them


class Web:
    """Everything that is served, over one `Table`; `app` is what uvicorn runs, `close` ends the live streams.

    `door` says who may do what; without one there is a code that nobody was told. `phone` tells the remote's address
    as phones reach it, '' while there is none; `wifi` the device's own Wi-Fi. `upkeep` is what the settings set;
    without one they hold for the page alone, beginning with `language` and `colours`. `tell_code` hears of each new
    code.
    """

    def __init__(
        self,
        table: Table,
        journal: Journal,
        *,
        door: Door | None = None,
        language: str = "nl",
        names: tuple[str, ...] = (),
        note: str = "",
        phone: Callable[[], str] = lambda: "",
        cutouts: Cutouts | None = None,
        health: Health = dict,
        odds: bool = False,
        colours: str = "",
        last_throws: LastThrows | None = None,
        upkeep: Upkeep | None = None,
        wifi: Callable[[], AccessPoint | None] = lambda: None,
        tell_code: Callable[[str], None] = lambda code: None,
    ) -> None:
        self.door = door if door is not None else Door()
        self.load = Load()
        if upkeep is None:
            config = Config().with_values(web__language=language, web__colours=colours)
            upkeep = Upkeep(Chosen(None, config), Tongue(language))
        site = Site(table, journal, self.door, note, phone, cutouts, health, odds, last_throws, upkeep, wifi)
        self._tell_code = tell_code
        self._site = site
        entry, past = Entry(site), Past(journal)
        groups = (
            Board(site),
            Play(site, entry),
            NewGame(site),
            Again(site, entry),
            entry,
            First(site),
            Settings(site),
            Calibrating(site),
            People(site),
            Evenings(site, past),
            EveningFiles(site, past),
            Names(site, past),
            Api(site),
        )
        self.app = Starlette(
            routes=[
                *(route for group in groups for route in group.routes),
                Mount("/static", Static(directory=HERE / "static")),
            ],
            middleware=[Middleware(Guard, names=names, clock=self.door.clock, load=self.load)],
            exception_handlers={HTTPException: self._http_error, Exception: self._fault},
            lifespan=self._life,
        )

    def close(self) -> None:
        self._site.stream.close()

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        watch = asyncio.create_task(self._watch())
        yield
        watch.cancel()

    async def _http_error(self, request: Request, fault: Exception) -> Response:
        status = fault.status_code if isinstance(fault, HTTPException) else 500
        if status in (404, 405) and wants_page(request):  # a form's address that was loaded anew is no page either
            return self._site.html(request, "lost.html", 404, why="no_such")
        reason = {404: "not_found", 405: "not_allowed"}.get(status, "http")
        return told(status, reason, str(getattr(fault, "detail", "")))

    async def _fault(self, request: Request, fault: Exception) -> Response:
        if shows_pages(request):
            return self._site.html(request, "lost.html", 500, why="fault")
        return told(500, "fault", "something went wrong here; the log says more")

    async def _watch(self) -> None:
        """An idle screen hears of a new code or a new address without anybody playing."""
        code, where = self.door.code, self._site.phone()
        while True:
            await asyncio.sleep(LOOK_S)
            if self.door.code != code:
                LOG.info("the table has a new code")  # which one is nobody's who reads logs
                self._tell_code(self.door.code)
            if (self.door.code, self._site.phone()) != (code, where):
                code, where = self.door.code, self._site.phone()
                self._site.refresh()


class Static(StaticFiles):
    """Script and style: kept by the browser, asked about each time, so that an update shows at once."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        answer = super().file_response(*args, **kwargs)
        answer.headers["Cache-Control"] = "no-cache"
        return answer
