"""Scoreboard and remote as HTML, whole or the part that changes."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.web.entry import Entry
from device.web.guard import told
from device.web.page import page
from device.web.site import Site
from device.wording import Wording
from scorer.games import NAMES
from scorer.presets import PRESETS


class Pages:
    """``/`` and ``/play``."""

    def __init__(self, site: Site, entry: Entry) -> None:
        self._site, self._entry = site, entry
        self.routes = [
            Route("/", self._board),
            Route("/play", self._play),
            Route("/dice/{name}.jpg", self._die),
        ]

    def _board(self, request: Request) -> Response:
        return self._page(request, "board")

    def _play(self, request: Request) -> Response:
        if "code" in request.query_params:
            return self._entry.come_in(request, {"code": request.query_params["code"]})
        if not self._site.may_play(request):
            return self._entry.ask_code(request)
        return self._page(request, "play")

    def _page(self, request: Request, mode: str) -> Response:
        site, words = self._site, self._site.words(request)
        now = site.table.now
        shows_code = site.may_see_code(request)
        where, drawn = site.qr() if shows_code else (site.phone(), None)
        return site.html(
            request,
            f"{mode}_part.html" if "part" in request.query_params else "live.html",
            page=page(
                now,
                words,
                note=words.say("page", site.note) if site.note else "",
                cutouts=() if site.cutouts is None else site.cutouts.names(now.throw),
            ),
            code=drawn,
            table_code=site.door.code if shows_code else "",
            where=where.partition("://")[2],
            games={name: words.say("game", name) for name in NAMES},
            all_presets={
                game: {name: words.say("rules", f"presets.{name}.title") for name in presets}
                for game, presets in PRESETS.items()
            },
            mode=mode,
            for_script=_for_script(words),
        )

    def _die(self, request: Request) -> Response:
        cutouts = self._site.cutouts
        jpeg = None if cutouts is None else cutouts.get(request.path_params["name"])
        if jpeg is None:
            return told(404, "not_found", "this die is shown no more")
        return Response(jpeg, media_type="image/jpeg")


def _for_script(words: Wording) -> Mapping[str, object]:
    keys = ("book", "outside", "rim", "void", "cancel", "failed")
    return {key: words.say("remote", key) for key in keys} | {
        "was_of": words.say("remote", "was_of", player="{player}"),
    }
