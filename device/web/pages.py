"""The scoreboard as HTML, whole or the part that changes; the pictures of the dice."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.web.guard import told
from device.web.page import Page, page
from device.web.site import Site


class Board:
    """``/`` and the small pictures of dice."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [Route("/", self._board), Route("/dice/{name}.jpg", self._die)]

    def _board(self, request: Request) -> Response:
        return live(self._site, request, "board", shown(self._site, request))

    def _die(self, request: Request) -> Response:
        cutouts = self._site.cutouts
        jpeg = None if cutouts is None else cutouts.get(request.path_params["name"])
        if jpeg is None:
            return told(404, "not_found", "this die is shown no more")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600, immutable"})


def shown(site: Site, request: Request) -> Page:
    """What stands now, in the reader's language."""
    now, words = site.table.now, site.words(request)
    note = words.say("page", site.note) if site.note else ""
    return page(now, words, note=note, cutouts=() if site.cutouts is None else site.cutouts.names(now.throw))


def live(site: Site, request: Request, mode: str, told: Page, **context: object) -> Response:
    """A page that follows the table, or with ``?part`` only what changes in it."""
    shows_code = site.may_see_code(request)
    where, drawn = site.qr() if shows_code else (site.phone(), None)
    return site.html(
        request,
        f"{mode}_part.html" if "part" in request.query_params else "live.html",
        200,
        page=told,
        mode=mode,
        code=drawn,
        table_code=site.door.code if shows_code else "",
        where=where.partition("://")[2],
        **context,
    )
