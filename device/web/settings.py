"""The device's own page behind the PIN: what it sees, what can be set, tried out and started anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from device.config import SETTINGS
from device.errors import BadInput
from device.lights.choice import limit
from device.web.asked import Endpoint, Fields, changed, owner_only, whole, with_form
from device.web.guard import told
from device.web.health_told import health_told, seen_told
from device.web.pin import LONGEST, SHORTEST
from device.web.site import Site
from device.wording import Wording

LIVE_PX = 960
"""Width at most of the live picture: as large as a page shows it, a third of what the camera sends."""


class Settings:
    """``/device`` and what is posted from it; each form comes back to its place with a sentence."""

    def __init__(self, site: Site) -> None:
        self._site, self._upkeep = site, site.upkeep
        posts: dict[str, tuple[str, Callable[[Fields], str]]] = {
            "lights": ("lights", self._try_lights),
            "brightness": ("lights", self._brightness),
            "sound": ("sound", self._sound),
            "sound/try": ("sound", self._try_sound),
            "language": ("language", self._language),
            "eye": ("camera", self._camera),
            "update": ("service", self._update),
        }
        self.routes = [
            Route("/device", owner_only(site, self._device)),
            Route("/device/camera.jpg", owner_only(site, self._picture)),
            Route("/device/seen", owner_only(site, self._seen)),
            Route("/device/log.txt", owner_only(site, self._log)),
            Route("/device/restart", owner_only(site, self._restart), methods=["POST"]),
            *(
                Route(f"/device/{path}", owner_only(site, _posted(where, change)), methods=["POST"])
                for path, (where, change) in posts.items()
            ),
        ]

    # -- the page

    def _device(self, request: Request) -> Response:
        site, upkeep = self._site, self._upkeep
        words, where = site.words(request), site.phone()
        rows, faults = health_told(site.health(), upkeep.faults, words, site.door.clock())
        return site.html(
            request,
            "device.html",
            told=_said(request.query_params.get("told", ""), words),
            code=site.qr(where),
            table_code=site.door.code,
            where=where.partition("://")[2],
            upkeep=upkeep,
            config=upkeep.config,
            seen=seen_told(upkeep.sight, words),
            sees=upkeep.sight.now() is not None,
            lit=self._lit(words.say),
            lights_limit=limit(upkeep.config) if upkeep.lights is not None else None,
            dimmable=upkeep.config.text("lights.kind") in ("board", "spi"),
            sounds=SETTINGS["sound"]["kind"].allowed,
            themes=SETTINGS["web"]["colours"].allowed,
            rows=rows,
            faults=faults,
            shortest=SHORTEST,
            longest=LONGEST,
        )

    def _lit(self, say: Callable[..., str]) -> list[tuple[str, str]]:
        """A button for each row of lamps, and what should be seen when it is tried out."""
        lights = self._upkeep.lights
        if lights is None:
            return []
        return [
            (
                say("settings", "row", row=n, player=player),
                say("settings", "row_lit", row=n, player=player, lamps=lights.lamps),
            )
            for n, player in enumerate(lights.rows, start=1)
        ]

    def _picture(self, request: Request) -> Response:
        jpeg = self._upkeep.sight.jpeg(LIVE_PX)
        if jpeg is None:
            return told(404, "no_picture", "the camera gives no picture now")
        return Response(jpeg, media_type="image/jpeg")

    def _seen(self, request: Request) -> Response:
        return PlainTextResponse(seen_told(self._upkeep.sight, self._site.words(request)))

    def _log(self, request: Request) -> Response:
        text = "\n".join(self._upkeep.log.lines()) + "\n"
        name = {"Content-Disposition": 'attachment; filename="pietjesoog.log"'}
        return PlainTextResponse(text, headers=name)

    def _restart(self, request: Request) -> Response:
        answer = self._site.html(request, "restart.html", comes_back=self._upkeep.is_brought_back)
        self._upkeep.end()
        return answer

    # -- what is posted; each gives the key of what is told then

    def _try_lights(self, fields: Fields) -> str:
        lights, row = self._upkeep.lights, fields.get("row", "")
        if lights is None:
            raise BadInput("there are no lights")
        lights.try_out(_whole(row, len(lights.rows)) if row else None)
        return f"lit&row={row}" if row else ""

    def _brightness(self, fields: Fields) -> str:
        self._upkeep.light_so(_whole(fields.get("percent", ""), 101))
        return "kept"

    def _sound(self, fields: Fields) -> str:
        self._upkeep.sound_so(fields.get("kind", ""), _whole(fields.get("volume", ""), 101))
        return "kept"

    def _try_sound(self, fields: Fields) -> str:
        sound = self._upkeep.sound
        if sound is None or sound.is_off or not sound.volume:
            return "sound_off"
        sound.try_out()
        return "sounds"

    def _language(self, fields: Fields) -> str:
        self._upkeep.speak(fields.get("language", ""), fields.get("colours", ""))
        return "kept"

    def _camera(self, fields: Fields) -> str:
        cameras = self._upkeep.cameras()
        kind, device, _ = cameras[_whole(fields.get("camera", ""), len(cameras))]
        self._upkeep.look_through(kind, device)
        return "kept"

    def _update(self, fields: Fields) -> str:
        self._upkeep.update()
        return "update_asked"


def _posted(where: str, change: Callable[[Fields], str]) -> Endpoint:
    """Changes what the form says and goes back to its place on the page, with the key of a sentence."""

    def posted(request: Request, fields: Fields) -> Response:
        return changed(partial(change, fields), f"/device?told={{}}#{where}")

    return with_form(posted)


def _said(key: str, words: Wording) -> str:
    """What is told of the form that was sent last."""
    for section in ("told", "door"):
        if words.has(section, key):
            return words.say(section, key, least=SHORTEST, most=LONGEST)
    return ""


def _whole(text: str, below: int) -> int:
    """Raises `BadInput` for what is no whole number from 0 on and below `below`."""
    number = whole(text, 3)
    if number is None or number >= below:
        raise BadInput(f"a whole number below {below} stands here, not {text[:20]!r}")
    return number
