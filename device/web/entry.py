"""Coming in: the table's code for who plays, the PIN for who sets."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.web.asked import Fields, owner_only, with_form
from device.web.door import TooManyTries
from device.web.pin import LONGEST, SHORTEST, BadPin
from device.web.site import VISITOR, Site, address, is_the_device, let_in


class Entry:
    """The pages that ask for the code and for the PIN, and what they post."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [
            Route("/play/code", self._anew, methods=["GET"]),
            Route("/play/code", with_form(self.come_in), methods=["POST"]),
            Route("/device/pin", self._ask_pin, methods=["GET"]),
            Route("/device/pin", with_form(self._pin), methods=["POST"]),
            Route("/device/code", owner_only(site, self._renew), methods=["POST"]),
            Route("/device/leave", self._leave, methods=["POST"]),
        ]

    # -- the table's code

    def come_in(self, request: Request, fields: Fields) -> Response:
        """On to the remote with the right code; else the page that asks for it, with why."""
        site, why, status = self._site, "wrong_code", 403
        try:
            visitor = site.door.enter(fields.get("code", ""), address(request), request.cookies.get(VISITOR))
            if visitor is not None:
                return let_in(RedirectResponse("/play", 303), visitor)
        except TooManyTries:
            why, status = "too_many", 429
        return self.ask_code(request, why, status)

    def _anew(self, request: Request) -> Response:
        """Loaded anew after a wrong code, perhaps in another language: the page that asks."""
        return RedirectResponse(str(request.url.replace(scheme="", netloc="", path="/play")), 303)

    def ask_code(self, request: Request, why: str = "", status: int = 200) -> Response:
        """The page with the field for the code."""
        known = self._site.door.code if self._site.may_see_code(request) else ""
        return self._site.html(request, "code.html", status, why=why, known=known)

    # -- the PIN

    def _ask_pin(self, request: Request, why: str = "", status: int = 200, then: str = "") -> Response:
        """The page that asks for the PIN, or for the first one, on the way to `then`, else to what the address says."""
        site, then = self._site, _local(then or request.query_params.get("then", ""))
        is_new = not site.door.pin.is_set
        return site.html(
            request,
            "pin.html",
            status,
            why=why,
            is_new=is_new,
            needs_code=is_new and not (is_the_device(request) or site.may_play(request)),
            then=then,
            kept_query=f"&then={quote(then)}",
            shortest=SHORTEST,
            longest=LONGEST,
        )

    def _pin(self, request: Request, fields: Fields) -> Response:
        site, pin, then = self._site, fields.get("pin", ""), fields.get("then", "")
        token = request.cookies.get(VISITOR)
        try:
            if not site.door.pin.is_set or "old" in fields:
                if (why := self._set(request, fields, pin)) is not None:
                    return self._not_set(request, fields, why, 403)
                visitor = site.door.own(token)
            else:
                found = site.door.enter_pin(pin, address(request), token)
                if found is None:
                    return self._ask_pin(request, "wrong_pin", 403, then)
                visitor = found
        except TooManyTries:
            return self._not_set(request, fields, "too_many", 429)
        except BadPin as fault:
            return self._not_set(request, fields, fault.key, 400)
        return let_in(RedirectResponse("/device?told=kept#pin" if "old" in fields else _local(then), 303), visitor)

    def _not_set(self, request: Request, fields: Fields, why: str, status: int) -> Response:
        """Asks again; who changes the PIN comes back to where that is done."""
        if "old" in fields and self._site.door.may_set(self._site.visitor(request)):
            return RedirectResponse(f"/device?told={why}#pin", 303)
        return self._ask_pin(request, why, status, fields.get("then", ""))

    def _set(self, request: Request, fields: Fields, pin: str) -> str | None:
        """Set the PIN; the first one needs the table's code or the device's own screen, any other the one before.

        The reason where it fails.
        """
        door, here = self._site.door, address(request)
        if door.pin.is_set:
            if not door.fits_pin(fields.get("old", ""), here):
                return "wrong_pin"
        elif not (is_the_device(request) or self._site.may_play(request) or door.fits(fields.get("code", ""), here)):
            return "wrong_code"
        if fields.get("again", pin) != pin:
            return "pin_differs"
        door.pin.set(pin)
        door.disown()
        self._site.refresh()  # a screen that invited to this invites no more
        return None

    def _renew(self, request: Request) -> Response:
        self._site.door.renew()
        self._site.refresh()
        return RedirectResponse("/device", 303)

    def _leave(self, request: Request) -> Response:
        self._site.door.leave(request.cookies.get(VISITOR))
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(VISITOR)
        return answer


def _local(path: str) -> str:
    """A page of ours to go to next, the settings where none is named."""
    good = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if good else "/device"
