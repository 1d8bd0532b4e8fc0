"""The scoreboard as HTML, whole or the part that changes; the pictures of the dice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.cutouts import paired
from device.web import boards
from device.web.chances import chances
from device.web.guard import told
from device.web.page import PIPS, Page, Player, page
from device.web.sides import sides
from device.web.site import Site
from device.web.tally import IN_STRIP, tally
from scorer.game import View

Pieces = tuple[tuple[Player, boards.Own | None], ...]


class Board:
    """``/`` and the small pictures of dice."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [Route("/", self._board), Route("/dice/{name}.jpg", self._die)]

    def _board(self, request: Request) -> Response:
        site, view = self._site, self._site.table.now.view
        told = shown(site, request)
        return live(
            site,
            request,
            "board",
            told,
            layout=layout(told, view),
            game=boards.felt(view, told.wording),
            chances=chances(site.table.now, told.wording) if site.odds else "",
            pips=PIPS,
        )

    def _die(self, request: Request) -> Response:
        cutouts = self._site.cutouts
        jpeg = None if cutouts is None else cutouts.get(request.path_params["name"])
        if jpeg is None:
            return told(404, "not_found", "this die is shown no more")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600, immutable"})


@dataclass(frozen=True)
class Layout:
    """Who is drawn where, from top to bottom and from left to right, with what the game keeps for them."""

    above: Pieces
    left: Pieces
    right: Pieces
    below: Pieces


def layout(told: Page, view: View) -> Layout:
    """Everybody at the side of the octagon where they sit."""
    at, mine = sides(view.players), boards.own(view)
    by_side = {side: (player, mine.get(player.name)) for side, player in zip(at, told.players, strict=False)}
    above, left, right, below = (
        tuple(by_side[side] for side in row if side in by_side)
        for row in ((270,), (225, 180, 135), (315, 0, 45), (90,))
    )
    return Layout(_strip(above), left, right, _strip(below))


def _strip(pieces: Pieces) -> Pieces:
    """The strokes in one long row."""
    return tuple(
        (replace(one, tally=tally(one.marks, one.tally.change, in_row=IN_STRIP)), mine) for one, mine in pieces
    )


def shown(site: Site, request: Request) -> Page:
    """What stands now, in the reader's language."""
    now, words = site.table.now, site.words(request)
    told = page(now, words, note=words.say("page", site.note) if site.note else "")
    cuts = [] if site.cutouts is None else paired(site.cutouts.cuts(now.throw), [die.face for die in told.dice])
    return replace(told, cutouts=tuple(cut.name if cut is not None else "" for cut in cuts) if any(cuts) else ())


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
