"""What all parts of the page share: table and door, the reader's language, templates, and who may ask for what."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from device.access_point import AccessPoint
from device.chosen import Chosen
from device.config import LANGUAGES, SETTINGS, Config
from device.cutouts import Cutouts
from device.journal import Journal
from device.last_throws import LastThrows
from device.snapshot import Snapshot
from device.table import Table
from device.tongue import Tongue
from device.upkeep import Upkeep
from device.web.door import Door, Visitor
from device.web.guard import host_name, is_forwarded, is_loopback
from device.web.qr import Code, code
from device.web.stream import Stream
from device.wording import Wording, wording

HERE = Path(str(files("device.web")))
VISITOR, LANGUAGE, THEME = "pietjesoog", "pietjesoog_language", "pietjesoog_theme"  # names of cookies
THEMES = tuple(filter(None, SETTINGS["web"]["colours"].allowed))
COOKIE_S = 30 * 24 * 3600
LATELY_S = 1.0
LINKS = (("/", "board"), ("/play", "play"), ("/evenings", "evenings"), ("/rules", "rules"), ("/device", "device"))
"""The pages that every page links to: path and text key."""
T = TypeVar("T")
Health = Callable[[], Mapping[str, object]]


def _nowhere() -> str:
    return ""


def _no_wifi() -> AccessPoint | None:
    return None


def _nothing_kept() -> Upkeep:
    return Upkeep(Chosen(None, Config()), Tongue("nl"))


@dataclass
class Site:
    """Given to every group of routes. `phone` tells the address of the remote as phones reach it, '' for none.

    `upkeep` has the device's own language and colours, and what its page sets; `wifi` tells the device's own Wi-Fi
    while that is open.
    """

    table: Table
    journal: Journal
    door: Door
    note: str = ""
    phone: Callable[[], str] = _nowhere
    cutouts: Cutouts | None = None
    health: Health = dict
    odds: bool = False
    last_throws: LastThrows | None = None
    upkeep: Upkeep = field(default_factory=_nothing_kept)
    wifi: Callable[[], AccessPoint | None] = _no_wifi
    stream: Stream = field(init=False)

    def __post_init__(self) -> None:
        self.stream = Stream([*self.table.past, self.table.now])
        self._seq_lock, self._seq = threading.Lock(), self.table.now.seq
        self._moment, self._made = self.table.now, dict[Hashable, asyncio.Future[str]]()
        self.phone, self.wifi = lately(self.phone), lately(self.wifi)
        if self.cutouts is not None:
            self.table.listen(self.cutouts.follow)
        self.table.listen(self.stream.publish)
        self.table.listen(lambda now: self._stirred(now.seq))

    # -- who asks, and in which language

    def words(self, request: Request) -> Wording:
        """The language asked for in the address, else the one chosen before, else the device's."""
        for asked in (request.query_params.get("lang"), request.cookies.get(LANGUAGE)):
            if asked in LANGUAGES:
                return wording(asked)
        return wording(self.upkeep.tongue.language)

    def theme(self, request: Request) -> str:
        """The colours asked for or chosen before; '' follows the screen's own wish."""
        asked = request.query_params.get("theme", request.cookies.get(THEME, self.upkeep.config.text("web.colours")))
        return asked if asked in THEMES else ""

    def visitor(self, request: Request) -> Visitor | None:
        return self.door.visitor(request.cookies.get(VISITOR))

    def may_play(self, request: Request) -> bool:
        return self.door.may_play(self.visitor(request))

    def may_see_code(self, request: Request) -> bool:
        """Whoever plays or sets anyway, and the screen of the device itself; nobody else on the network."""
        return self.may_play(request) or is_the_device(request)

    # -- answers

    def html(self, request: Request, template: str, status: int = 200, **context: object) -> Response:
        """A page in the reader's language; what every page needs is there without being given."""
        return self.answer(request, self.text(request, template, **context), status)

    def text(self, request: Request, template: str, **context: object) -> str:
        """The same as text."""
        shared: dict[str, object] = {"words": self.words(request), "languages": LANGUAGES, "path": request.url.path}
        shared |= {"links": LINKS, "theme": self.theme(request), "kept_query": ""}
        return _templates().get_template(template).render({**shared, **context})

    def answer(self, request: Request, text: str, status: int = 200) -> Response:
        """A page, with the language and the colours remembered that were asked for."""
        answer = HTMLResponse(text, status)
        for asked, allowed, name in (("lang", LANGUAGES, LANGUAGE), ("theme", THEMES, THEME)):
            if (told := request.query_params.get(asked)) in allowed:
                answer.set_cookie(name, str(told), max_age=COOKIE_S, httponly=True, samesite="lax")
        return answer

    async def once(self, now: Snapshot, key: Hashable, make: Callable[[], str]) -> str:
        """What `make` gives for this moment and `key`: made for whoever asks first, and all others wait for that."""
        if self._moment is not now:
            self._moment, self._made = now, {}
        made, mine = self._made, (asyncio.get_running_loop(), key)
        if mine not in made:
            made[mine] = asyncio.ensure_future(run_in_threadpool(make))
        try:
            return await asyncio.shield(made[mine])  # who asked first may leave
        except Exception:
            made.pop(mine, None)
            raise

    def qr(self, where: str) -> Code | None:
        """The QR code of the remote's address `where` with the table's code; None where there is no address."""
        return _drawn(f"{where}?code={self.door.code}") if where else None

    def wifi_qr(self) -> Code | None:
        """The QR code by which a phone joins the device's own Wi-Fi; None while that is not open."""
        wifi = self.wifi()
        return None if wifi is None else _drawn(wifi.wifi)

    def refresh(self) -> None:
        """Have every open page fetch itself anew."""
        self.stream.publish(self.table.now)

    def _stirred(self, seq: int) -> None:
        with self._seq_lock:
            played, self._seq = seq != self._seq, seq
        if played:
            self.door.stir()


def lately(ask: Callable[[], T], clock: Callable[[], float] = time.monotonic) -> Callable[[], T]:
    """The same question, asked no more often than every `LATELY_S`: sixty phones ask it at the same moment.

    >>> questions = iter(range(9)); seconds = iter([0.0, 0.5, 1.0])
    >>> asked = lately(lambda: next(questions), lambda: next(seconds)); asked(), asked(), asked()
    (0, 0, 1)
    """
    known: tuple[float, T] | None = None

    def told() -> T:
        nonlocal known
        now = clock()
        if known is None or now - known[0] >= LATELY_S:
            known = now, ask()
        return known[1]

    return told


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@lru_cache(4)
def _drawn(text: str) -> Code:
    return code(text)


def let_in(answer: Response, visitor: Visitor) -> Response:
    """With the cookie by which this browser is known from now on."""
    answer.set_cookie(VISITOR, visitor.token, max_age=COOKIE_S, httponly=True, samesite="lax")
    return answer


def address(request: Request) -> str:
    return request.client.host if request.client is not None else ""


def is_the_device(request: Request) -> bool:
    """Whether the browser runs on the device itself, nobody in between."""
    return (
        is_loopback(address(request)) and is_loopback(host_name(request.headers)) and not is_forwarded(request.headers)
    )
