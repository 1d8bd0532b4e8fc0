"""Forgetting a name, behind the PIN and after a second look."""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.evenings import Past
from device.forgetting import anonymous, forget, names_in
from device.journal import JournalError
from device.web.asked import Fields, owner_only, with_form
from device.web.site import Site

LOG = logging.getLogger("pietjesoog")


class Names:
    """``/evenings/names``."""

    def __init__(self, site: Site, past: Past) -> None:
        self._site, self._past = site, past
        self.routes = [
            Route("/evenings/names", owner_only(site, self._ask), methods=["GET"]),
            Route("/evenings/names", owner_only(site, with_form(self._forget)), methods=["POST"]),
        ]

    def _ask(self, request: Request) -> Response:
        now = request.query_params.get("now", "")[:40]
        return self._page(request, done=now if now in self._names() else "")

    def _forget(self, request: Request, fields: Fields) -> Response:
        """First what will happen, then what happened."""
        name, names = fields.get("name", ""), self._names()
        if name not in names:
            return self._page(request, why="unknown", status=404)
        if fields.get("sure") != "yes":
            return self._page(request, name=name, other=anonymous(names))
        other = self._forgotten(name)
        if other is None:
            return self._page(request, why="failed", status=503)
        return RedirectResponse(f"/evenings/names?now={other}", 303)

    def _forgotten(self, name: str) -> str | None:
        """The name that stands in its place now, None where the storage refused."""
        site = self._site
        try:
            other = forget(site.table, site.journal, name)
        except JournalError as fault:
            LOG.warning("a name could not be forgotten: %s", fault)
            other = None
        self._past.forget()
        site.door.uncall(name)
        site.stream.forget()
        return other

    def _names(self) -> list[str]:
        try:
            return names_in(self._site.journal)
        except JournalError:
            return []

    def _page(
        self, request: Request, *, name: str = "", other: str = "", done: str = "", why: str = "", status: int = 200
    ) -> Response:
        return self._site.html(
            request, "names.html", status, names=self._names(), name=name, other=other, done=done, why=why
        )
