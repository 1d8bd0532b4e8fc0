"""The first evening: what is to be done before the first throw, in order, ticked off as it is done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from device.config import SETTINGS
from device.snapshot import Eye
from device.web.asked import Fields, changed, owner_only, with_form
from device.web.site import Site

PATH = "/device/first"
MODES = SETTINGS["network"]["access_point"].allowed
NETWORK_UNIT = Path("/etc/systemd/system/multi-user.target.wants/pietjesoog-network.service")
"""There where something opens a Wi-Fi; without it there is nothing to choose."""


@dataclass(frozen=True)
class Step:
    """One thing to do: its text key, where it is done, whether it is; `spare`: the device does without it."""

    key: str
    where: str
    done: bool
    spare: bool = False


class First:
    """``/device/first``. Before there is a PIN anybody may see what comes; afterwards only who knows it."""

    def __init__(self, site: Site, network_unit: Path = NETWORK_UNIT) -> None:
        self._site, self._network_unit = site, network_unit
        self.routes = [
            Route(PATH, self._page),
            Route("/device/wifi", owner_only(site, with_form(self._choose)), methods=["POST"]),
        ]

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
            modes=MODES if owner and self._network_unit.exists() else (),
            mode=site.upkeep.config.text("network.access_point"),
            kept=request.query_params.get("told", "") if owner else "",
        )

    def _choose(self, request: Request, fields: Fields) -> Response:
        """When the device opens a Wi-Fi of its own; `device.network` hears of it by itself."""

        def choose() -> str:
            self._site.upkeep.chosen.set(network__access_point=fields.get("mode", ""))
            return "kept"

        return changed(choose, f"{PATH}?told={{}}")


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
