"""Who may ask for what, and what is sent along: the guards around the page's endpoints, and the forms they take."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from inspect import iscoroutinefunction
from typing import cast
from urllib.parse import parse_qs, quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response

from device.chosen import NotKept
from device.errors import BadInput
from device.web.guard import told
from device.web.site import Site

MOST_FORM = 2048  # bytes
FORM_S = 5.0
Fields = Mapping[str, str]
Endpoint = Callable[[Request], Response] | Callable[[Request], Awaitable[Response]]


def players_only(
    site: Site, endpoint: Endpoint, ask: Callable[[Request], Response] | None = None
) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint for whoever came in by the table's code; 403 ``no_code`` for all others, a page where given asks."""

    @wraps(endpoint)
    async def guarded(request: Request) -> Response:
        if site.may_play(request):
            return await _answered(endpoint, request)
        return await _answered(ask, request) if ask is not None and wants_page(request) else no_code()

    return guarded


def owner_only(site: Site, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint for whoever entered the PIN: a browser is asked for it, a program has 403 ``no_pin``.

    Who sent a form comes back to the page that had it, to send it again.
    """

    @wraps(endpoint)
    async def guarded(request: Request) -> Response:
        if site.door.may_set(site.visitor(request)):
            return await _answered(endpoint, request)
        if shows_pages(request):
            then = request.url.path if wants_page(request) else urlsplit(request.headers.get("referer", "")).path
            return RedirectResponse(f"/device/pin?then={quote(then)}", 303)
        return told(403, "no_pin", "enter the PIN of the settings first")

    return guarded


def with_form(endpoint: Callable[[Request, Fields], Response]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint with the fields of the form that was sent; 400 ``bad_form`` for what is none of ours."""

    @wraps(endpoint)
    async def reading(request: Request) -> Response:
        fields = await form(request)
        if fields is None:
            return told(400, "bad_form", "this form is none of ours")
        return await run_in_threadpool(endpoint, request, fields)

    return reading


def changed(change: Callable[[], str], back: str) -> Response:
    """Changes a setting, and leads on to where ``{}`` is the key of the sentence about it, as `change` gives it."""
    try:
        key = change()
    except NotKept:
        key = "not_kept"
    except BadInput as fault:
        return told(400, "bad_value", str(fault))
    return RedirectResponse(back.format(key), 303)


async def _answered(endpoint: Endpoint, request: Request) -> Response:
    if iscoroutinefunction(endpoint):
        return cast(Response, await endpoint(request))
    return cast(Response, await run_in_threadpool(endpoint, request))


def wants_page(request: Request) -> bool:
    """Whether a person looks, who is to be led on, and no program."""
    return request.method in ("GET", "HEAD") and shows_pages(request)


def shows_pages(request: Request) -> bool:
    """Whether what is answered comes before somebody's eyes: a page that was opened, or a form that was sent."""
    return "text/html" in request.headers.get("accept", "")


def whole(text: str, digits: int) -> int | None:
    """The whole number of so many digits at most that `text` is; None where it is none.

    >>> whole("17", 3), whole("1700", 3), whole("²", 3), whole("", 3)
    (17, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def no_code() -> Response:
    return told(403, "no_code", "playing needs the table's code; it stands on the board's own screen")


async def form(request: Request) -> dict[str, str] | None:
    """The fields of a small form that arrives in time, None where it is none."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        return None
    try:
        body = await asyncio.wait_for(_small(request), FORM_S)
        return {key: values[-1] for key, values in parse_qs(body.decode(), max_num_fields=20).items()}
    except (ValueError, TimeoutError, ClientDisconnect):
        return None


async def _small(request: Request) -> bytes:
    """The body; raises ValueError for a large one."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_FORM:
            raise ValueError("a form is smaller")
    return body
