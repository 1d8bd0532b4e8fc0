"""The device's own page behind the PIN: its code, and how it fares."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.web.site import Site, owner_only


class Settings:
    """``/device``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [Route("/device", owner_only(site, self._device))]

    def _device(self, request: Request) -> Response:
        site = self._site
        where, drawn = site.qr()
        return site.html(
            request,
            "device.html",
            code=drawn,
            table_code=site.door.code,
            where=where.partition("://")[2],
            health=site.health(),
        )
