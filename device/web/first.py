"""The first evening: what is to be done before the first throw, in order, ticked off as it is done."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.snapshot import Eye
from device.web.site import Site, owner_only

PATH = "/device/first"


@dataclass(frozen=True)
class Step:
    """One thing to do: its text key, where it is done, whether it is; `spare`: the device does without it."""

    key: str
    where: str
    done: bool
    spare: bool = False


class First:
    """``/device/first``. Before there is a PIN anybody may see what comes; afterwards only who knows it."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [Route(PATH, self._page)]

    async def _page(self, request: Request) -> Response:
        if self._site.door.pin.is_set:
            return await owner_only(self._site, self._shown)(request)
        return self._shown(request)

    def _shown(self, request: Request) -> Response:
        site, found = self._site, steps(self._site)
        where, wifi = site.phone(), site.wifi()
        owner = site.door.may_set(site.visitor(request))
        return site.html(
            request,
            "first.html",
            steps=found,
            due=next((step.key for step in found if not step.done and not step.spare), ""),
            owner=owner,
            code=site.qr(where) if owner else None,
            where=where.partition("://")[2],
            wifi=wifi if owner else None,
            wifi_code=site.wifi_qr() if owner else None,
        )


def steps(site: Site) -> list[Step]:
    """In the order in which each needs the one before."""
    config, upkeep = site.upkeep.config, site.upkeep
    by_hand = config.text("camera.kind") == "none"
    dark = config.text("lights.kind") == "none"
    sees = upkeep.eye is not None and site.table.now.eye not in (Eye.NONE, Eye.LOST)
    return [
        Step("pin", f"/device/pin?then={PATH}", site.door.pin.is_set),
        Step("camera", "/device#camera", sees, spare=by_hand),
        Step("board", "/device/board", bool(config.text("board.file")), spare=by_hand),
        Step("lights", "/device#lights", upkeep.lights is not None and upkeep.lights.fault is None, spare=dark),
    ]
