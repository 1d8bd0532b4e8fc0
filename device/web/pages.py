"""The scoreboard as HTML, whole or the part that changes; the pictures of the dice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.cutouts import paired
from device.snapshot import Snapshot
from device.web import boards
from device.web.chances import chances
from device.web.guard import told
from device.web.page import PIPS, Page, Player, page
from device.web.sides import sides
from device.web.site import Site
from device.web.tally import IN_STRIP, tally
from device.wording import Wording
from scorer.game import View

Context = Callable[[Snapshot, Page], Mapping[str, object]]
Pieces = tuple[tuple[Player, boards.Own | None], ...]


class Board:
    """``/`` and the small pictures of dice."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [Route("/", self._board), Route("/dice/{name}.jpg", self._die)]

    async def _board(self, request: Request) -> Response:
        site = self._site

        def context(now: Snapshot, told: Page) -> Mapping[str, object]:
            return {
                "layout": layout(told, now.view),
                "game": boards.felt(now.view, told.wording),
                "chances": chances(now, told.wording) if site.odds else "",
                "pips": PIPS,
            }

        return await live(site, request, "board", context)

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


async def live(site: Site, request: Request, mode: str, context: Context, who: Hashable = None) -> Response:
    """A page that follows the table, or with ``?part`` only what changes in it.

    `context` gives what only this page needs. Whoever sees the same (`who`, language, code) gets the same text, made
    once for all of them.
    """
    now, words, shows_code = site.table.now, site.words(request), site.may_see_code(request)
    part, where, door = "part" in request.query_params, site.phone(), site.door
    pictures = () if site.cutouts is None else site.cutouts.names(now.throw)
    wifi, is_new = site.wifi() if shows_code else None, not door.pin.is_set
    shown = (shows_code and door.code, where, wifi, is_new, door.version, pictures)
    seen = (words.language, site.theme(request), *shown, who)

    def made() -> str:
        told = _page(site, now, words)
        return site.text(
            request,
            f"{mode}_part.html" if part else "live.html",
            page=told,
            mode=mode,
            code=site.qr(where) if shows_code else None,
            wifi=wifi,
            wifi_code=site.wifi_qr() if wifi is not None else None,
            is_new=is_new,
            table_code=door.code if shows_code else "",
            where=where.partition("://")[2],
            **context(now, told),
        )

    return site.answer(request, await site.once(now, (mode, part, seen), made))


def _page(site: Site, now: Snapshot, words: Wording) -> Page:
    """What stands now, in the reader's language, each die with its picture."""
    told = page(now, words, note=words.say("page", site.note) if site.note else "")
    cuts = [] if site.cutouts is None else paired(site.cutouts.cuts(now.throw), [die.face for die in told.dice])
    return replace(told, cutouts=tuple(cut.name if cut is not None else "" for cut in cuts) if any(cuts) else ())
