"""The web application: scoreboard, remote, and the JSON interface of the contract."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from device.config import LANGUAGES
from device.cutouts import Cutouts
from device.journal import Journal, JournalError
from device.snapshot import Told
from device.table import Table
from device.web.guard import MOST_BODY, Guard, told
from device.web.page import page, refusal
from device.web.qr import code
from device.web.stream import MOST_LISTENERS, Stream
from device.wording import Wording, wording
from scorer.games import NAMES
from scorer.presets import PRESETS
from scorer.wire import WireError

HERE = Path(str(files("device.web")))
MOST_HISTORY = 500
MOST_SEQ = 2**63 - 1  # what SQLite can count
BODY_S = 5.0  # a phone's tap is one packet
Health = Callable[[], Mapping[str, object]]


class Web:
    """Everything that is served, over one `Table`; `app` is what uvicorn runs, `close` ends the live streams."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        *,
        language: str = "nl",
        names: tuple[str, ...] = (),
        note: str = "",
        phone: str = "",
        cutouts: Cutouts | None = None,
        health: Health = dict,
    ) -> None:
        self._table, self._journal, self._health = table, journal, health
        self._language, self._note = language, note
        self._cutouts = cutouts
        self._code = code(phone) if phone else None
        self._stream = Stream([*table.past, table.now])
        table.listen(self._stream.publish)
        self._templates = Environment(
            loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )
        self.app = Starlette(
            routes=[
                Route("/", self._board),
                Route("/play", self._play),
                Route("/dice/{name}.jpg", self._die),
                Route("/api/v1/state", self._state),
                Route("/api/v1/stream", self._listen),
                Route("/api/v1/events", self._event, methods=["POST"]),
                Route("/api/v1/history", self._history),
                Route("/api/v1/health", self._healthy),
                Mount("/static", StaticFiles(directory=HERE / "static")),
            ],
            middleware=[Middleware(Guard, names=names)],
            exception_handlers={HTTPException: _http_error, Exception: _fault},
        )

    def close(self) -> None:
        self._stream.close()

    # -- pages

    def _board(self, request: Request) -> Response:
        return self._page(request, "board")

    def _play(self, request: Request) -> Response:
        return self._page(request, "play")

    def _page(self, request: Request, mode: str) -> Response:
        asked = request.query_params.get("lang", self._language)
        words = wording(asked if asked in LANGUAGES else self._language)
        now = self._table.now
        context: dict[str, object] = {
            "page": page(
                now,
                words,
                note=words.say("page", self._note) if self._note else "",
                cutouts=() if self._cutouts is None else self._cutouts.names(now.throw),
            ),
            "code": self._code,
            "games": {name: words.say("game", name) for name in NAMES},
            "all_presets": {
                game: {name: words.say("rules", f"presets.{name}.title") for name in presets}
                for game, presets in PRESETS.items()
            },
        }
        context |= {
            "part": "part" in request.query_params,
            "mode": mode,
            "query": f"?lang={words.language}" if "lang" in request.query_params else "",
            "languages": LANGUAGES,
            "words": _words_for_script(words),
        }
        return HTMLResponse(self._templates.get_template("page.html").render(context))

    def _die(self, request: Request) -> Response:
        jpeg = None if self._cutouts is None else self._cutouts.get(request.path_params["name"])
        if jpeg is None:
            return told(404, "not_found", "this die is shown no more")
        return Response(jpeg, media_type="image/jpeg")

    # -- the contract

    def _state(self, request: Request) -> Response:
        return JSONResponse(self._table.now.to_json())

    async def _listen(self, request: Request) -> Response:
        if self._stream.listeners >= MOST_LISTENERS:
            return told(503, "busy", f"{MOST_LISTENERS} pages are open already; close one")
        if request.method == "HEAD":  # only what it would be: a stream has no end to wait for
            return Response(media_type="text/event-stream")
        asked = request.headers.get("last-event-id", request.query_params.get("last_event_id", ""))
        last_id = int(asked) if asked.isdecimal() and len(asked) < 16 else None
        return StreamingResponse(self._stream.listen(last_id), media_type="text/event-stream")

    async def _event(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return told(400, "not_json", "an event is sent as application/json")
        try:
            body = await asyncio.wait_for(_limited(request), BODY_S)
        except (TimeoutError, ClientDisconnect):
            return told(408, "too_slow", f"an event arrives whole within {BODY_S:g} seconds")
        if body is None:
            return told(413, "too_large", f"an event has at most {MOST_BODY} bytes")
        try:
            event = json.loads(body, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            return told(400, "not_json", "this is no JSON")
        if not isinstance(event, dict):
            return told(400, "not_an_object", "an event is a JSON object with the keys do and seq")
        seen = event.pop("seq", None)
        if not isinstance(seen, int) or isinstance(seen, bool) or seen < 0:
            return told(400, "no_seq", "seq must be the number of the last state seen")
        try:
            outcome = await run_in_threadpool(self._table.say, event, seen=seen)
        except WireError as fault:
            return told(400, fault.reason, fault.message)
        return _answer(outcome, wording(request.query_params.get("lang", self._language)))

    def _history(self, request: Request) -> Response:
        try:
            after = min(MOST_SEQ, max(0, int(request.query_params.get("after", "0"))))
            limit = min(MOST_HISTORY, max(1, int(request.query_params.get("limit", str(MOST_HISTORY)))))
        except ValueError:
            return told(400, "bad_value", "after and limit must be whole numbers")
        entries: list[dict[str, object]] = []
        try:
            for row in self._journal.rows(after):
                if len(entries) == limit:
                    break
                if row.kind == "event":
                    entries.append(
                        {"seq": row.seq, "boot": row.boot, "rules": row.rules, "time": row.wall, "event": row.body}
                    )
        except JournalError as fault:
            return told(503, "storage", str(fault))
        return JSONResponse({"entries": entries, "seq": self._table.now.seq})

    def _healthy(self, request: Request) -> Response:
        return JSONResponse({"seq": self._table.now.seq, **self._health()})


def _answer(outcome: list[Told], words: Wording) -> Response:
    """The state after the person's own event; what was held back behind it is in the state and the stream."""
    first = outcome[0]
    if first.error is not None:
        error = first.error.to_json() | {"told": refusal(first.error, words)}
        return JSONResponse({"error": error, "seq": first.snapshot.seq}, 409)
    return JSONResponse(outcome[-1].snapshot.to_json())


def _words_for_script(words: Wording) -> Mapping[str, object]:
    keys = ("book", "outside", "rim", "void", "cancel", "failed")
    return {key: words.say("remote", key) for key in keys} | {
        "was_of": words.say("remote", "was_of", player="{player}"),
    }


async def _limited(request: Request) -> bytes | None:
    """The body, None where it is too large, whatever its length was said to be."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            return None
    return body


async def _http_error(request: Request, fault: Exception) -> Response:
    status = fault.status_code if isinstance(fault, HTTPException) else 500
    return told(status, {404: "not_found", 405: "not_allowed"}.get(status, "http"), str(getattr(fault, "detail", "")))


async def _fault(request: Request, fault: Exception) -> Response:
    return told(500, "fault", "something went wrong here; the log says more")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
