"""What stands before every request: who may ask, how much, how often, and what a browser may do with the answer."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from device.web.load import Load
from device.web.rate import Limit, Rate, key_of

MOST_BODY = 16 * 1024  # bytes; the largest event is far smaller
ASKS, CHANGES = Rate(300, 0.02), Rate(40, 0.2)  # of one address; a phone asks about eight times after each throw
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # without any a browser says nothing of where a form comes from
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


def told(status: int, reason: str, message: str) -> Response:
    """An error in the words of the contract."""
    return JSONResponse({"error": {"reason": reason, "message": message}}, status)


class Guard:
    """ASGI middleware: only by an address or a name of ours, changes only from our own page, all in small measure.

    A page elsewhere cannot post here (its ``Origin`` is another), nor can a name elsewhere be pointed at us to read
    the page (its ``Host`` is another). Programs on the device itself are not counted.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: Iterable[str] = (),
        *,
        clock: Callable[[], float] = time.monotonic,
        load: Load | None = None,
    ) -> None:
        self._app = app
        self._load = Load() if load is None else load
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", f"{own.partition('.')[0]}.local", *map(str.lower, names)}
        self._asks, self._changes = Limit(ASKS, clock=clock), Limit(CHANGES, clock=clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        refused = self._refused(scope["method"], headers) or self._too_often(scope, headers)
        if refused is not None:
            await refused(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)

    def _refused(self, method: str, headers: Headers) -> Response | None:
        if not self._is_ours(host_name(headers)):
            return told(403, "foreign_host", "this name is not known here; ask by the address of this device")
        if method in ("GET", "HEAD"):
            return None
        origin = headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] != headers.get("host", "").lower():
            return told(403, "foreign_origin", "only the page of this device may do this")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return told(403, "foreign_origin", "only the page of this device may do this")
        length = headers.get("content-length", "")
        if length and (not length.isdigit() or int(length) > MOST_BODY):
            return told(413, "too_large", f"an event has at most {MOST_BODY} bytes")
        return None

    def _too_often(self, scope: Scope, headers: Headers) -> Response | None:
        client = scope.get("client")
        here = client[0] if client else ""
        if is_loopback(here) and not is_forwarded(headers):
            return None
        key = key_of(here)
        limit = self._asks if scope["method"] in ("GET", "HEAD") else self._changes
        seconds = limit.spend(key)
        if seconds:
            self._load.refused(key)
        return too_often(seconds) if seconds else None

    def _is_ours(self, name: str) -> bool:
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def host_name(headers: Mapping[str, str]) -> str:
    """The name or address that this device was asked by, without port; '' for none."""
    try:
        return (urlsplit(f"//{headers.get('host', '')}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_loopback(name: str) -> bool:
    """Whether this name or address is the device's own, for itself."""
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_forwarded(headers: Mapping[str, str]) -> bool:
    """Whether another server passed this on: then the address is not that of the browser."""
    return any(name in headers for name in FORWARDED)


def too_often(seconds: float) -> Response:
    """429, with when to try again."""
    whole = max(1, round(seconds))
    answer = told(429, "too_many", f"too often; try again in {whole} {'second' if whole == 1 else 'seconds'}")
    answer.headers["Retry-After"] = str(whole)
    return answer
