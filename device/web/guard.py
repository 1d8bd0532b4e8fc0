"""What stands before every request: who may ask, how much, and what a browser may do with the answer."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 16 * 1024  # bytes; the largest event is far smaller
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def told(status: int, reason: str, message: str) -> Response:
    """An error in the words of the contract."""
    return JSONResponse({"error": {"reason": reason, "message": message}}, status)


class Guard:
    """ASGI middleware: only by an address or a name of ours, posts only from our own page, bodies of small size.

    A page elsewhere cannot post here (its ``Origin`` is another), nor can a name elsewhere be pointed at us to read
    the page (its ``Host`` is another).
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self._app = app
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", f"{own.partition('.')[0]}.local", *map(str.lower, names)}

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

        refused = self._refused(scope["method"], Headers(scope=scope))
        if refused is not None:
            await refused(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)

    def _refused(self, method: str, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return told(403, "foreign_host", "this name is not known here; ask by the address of this device")
        if method in ("GET", "HEAD"):
            return None
        origin = headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] != host.lower():
            return told(403, "foreign_origin", "only the page of this device may do this")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return told(403, "foreign_origin", "only the page of this device may do this")
        length = headers.get("content-length", "")
        if length and (not length.isdigit() or int(length) > MOST_BODY):
            return told(413, "too_large", f"an event has at most {MOST_BODY} bytes")
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True
