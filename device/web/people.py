"""Whose phone it is: who holds it, and where they sit."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from device.seats import seat_told
from device.web.api import json_body, malformed
from device.web.asked import no_code, players_only
from device.web.site import VISITOR, Site
from scorer.wire import WireError, event_from_json


class People:
    """``/api/v1/me``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [Route("/api/v1/me", players_only(site, self._me), methods=["POST"])]

    async def _me(self, request: Request) -> Response:
        body = await json_body(request)
        if isinstance(body, Response):
            return body
        name, seat = body.get("name"), body.get("seat")
        try:
            seat = None if seat is None else seat_told(seat)
            if name != "":
                event_from_json({"do": "join", "player": name})  # what may join a game may hold a phone
        except WireError as fault:
            return malformed(fault, self._site.words(request))
        door = self._site.door
        visitor = door.call(request.cookies.get(VISITOR, ""), str(name), seat)
        if visitor is None:
            return no_code()
        self._site.refresh()
        return JSONResponse({"name": visitor.name, "seat": visitor.seat, "here": list(door.here)})
