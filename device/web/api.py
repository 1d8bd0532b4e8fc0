"""The JSON interface of the contract: state, stream, events, history, health."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from device.journal import JournalError
from device.snapshot import Told
from device.web.asked import no_code, whole
from device.web.door import TooManyTries
from device.web.guard import MOST_BODY, is_forwarded, is_loopback, told, too_often
from device.web.page import refusal
from device.web.rate import key_of
from device.web.site import HERE, Site, address
from device.web.stream import MOST_LISTENERS, MOST_OF_ONE
from device.wording import Wording
from scorer.wire import WireError

MOST_HISTORY = 500
MOST_SEQ = 2**63 - 1  # what SQLite can count
BODY_S = 5.0  # a phone's tap is one packet


class Api:
    """``/api/v1``, as in ``openapi.json``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [
            Route("/api/v1/state", self._state),
            Route("/api/v1/stream", self._listen),
            Route("/api/v1/events", self._event, methods=["POST"]),
            Route("/api/v1/history", self._history),
            Route("/api/v1/health", self._healthy),
            Route("/api/v1/openapi.json", self._described),
        ]

    def _state(self, request: Request) -> Response:
        return JSONResponse(self._site.table.now.to_json())

    async def _listen(self, request: Request) -> Response:
        stream, here = self._site.stream, address(request)
        who = "" if is_loopback(here) and not is_forwarded(request.headers) else key_of(here)
        if stream.listeners >= MOST_LISTENERS or (who and stream.listeners_of(who) >= MOST_OF_ONE):
            return told(503, "busy", "too many pages are open already; close one")
        if request.method == "HEAD":  # only what it would be: a stream has no end to wait for
            return Response(media_type="text/event-stream")
        asked = request.headers.get("last-event-id", request.query_params.get("last_event_id", ""))
        return StreamingResponse(stream.listen(whole(asked, 15), who), media_type="text/event-stream")

    async def _event(self, request: Request) -> Response:
        site = self._site
        body = await json_body(request)
        if isinstance(body, Response):
            return (body.status_code == 400 and self._refused(request, None)) or body
        code = body.pop("code", None)
        if (refused := self._refused(request, code)) is not None:
            return refused
        seen = body.pop("seq", None)
        if not isinstance(seen, int) or isinstance(seen, bool) or seen < 0:
            return told(400, "no_seq", "seq must be the number of the last state seen")
        try:
            outcome = await run_in_threadpool(site.table.say, body, seen=seen)
        except WireError as fault:
            return malformed(fault, site.words(request))
        return _answer(outcome, site.words(request))

    def _refused(self, request: Request, code: object) -> Response | None:
        """403 or 429 for whoever neither came in by the code nor tells it now."""
        site = self._site
        if site.may_play(request):
            return None
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        given = next((c for c in (code, bearer, request.query_params.get("code")) if c), None)
        if given is None:
            return no_code()
        try:
            right = site.door.fits(str(given), address(request))
        except TooManyTries as fault:
            return too_often(fault.wait_s)
        return None if right else told(403, "wrong_code", "this is not the table's code, or no longer")

    def _history(self, request: Request) -> Response:
        try:
            after = min(MOST_SEQ, max(0, int(request.query_params.get("after", "0"))))
            limit = min(MOST_HISTORY, max(1, int(request.query_params.get("limit", str(MOST_HISTORY)))))
        except ValueError:
            return told(400, "bad_value", "after and limit must be whole numbers")
        entries: list[dict[str, object]] = []
        try:
            for row in self._site.journal.rows(after):
                if len(entries) == limit:
                    break
                if row.kind == "event":
                    entries.append(
                        {"seq": row.seq, "boot": row.boot, "rules": row.rules, "time": row.wall, "event": row.body}
                    )
        except JournalError as fault:
            return told(503, "storage", str(fault))
        return JSONResponse({"entries": entries, "seq": self._site.table.now.seq})

    def _healthy(self, request: Request) -> Response:
        return JSONResponse({"seq": self._site.table.now.seq, **self._site.health()})

    def _described(self, request: Request) -> Response:
        return FileResponse(HERE / "openapi.json", media_type="application/json")


async def json_body(request: Request) -> dict[str, Any] | Response:
    """The JSON object of a request, or the answer that says why it is none."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return told(400, "not_json", "this is sent as application/json")
    try:
        body = await asyncio.wait_for(_limited(request), BODY_S)
    except (TimeoutError, ClientDisconnect):
        return told(408, "too_slow", f"an event arrives whole within {BODY_S:g} seconds")
    if body is None:
        return told(413, "too_large", f"an event has at most {MOST_BODY} bytes")
    try:
        given = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return told(400, "not_json", "this is no JSON")
    if not isinstance(given, dict):
        return told(400, "not_an_object", "an event is a JSON object with the keys do and seq")
    return given


def malformed(fault: WireError, words: Wording) -> Response:
    """400 for what is no event, in both tongues."""
    return JSONResponse({"error": fault.to_json() | {"told": refusal(fault, words)}}, 400)


def _answer(outcome: list[Told], words: Wording) -> Response:
    """The state after the person's own event; what was held back behind it is in the state and the stream."""
    first = outcome[0]
    if first.error is not None:
        error = first.error.to_json() | {"told": refusal(first.error, words)}
        return JSONResponse({"error": error, "seq": first.snapshot.seq}, 409)
    return JSONResponse(outcome[-1].snapshot.to_json())


async def _limited(request: Request) -> bytes | None:
    """The body, None where it is too large, whatever its length was said to be."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            return None
    return body


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
