"""A disputed throw: the last ones looked at again, picture by picture, and kept where the owner wants it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.chosen import NotKept
from device.kept_throws import Full, KeptThrows
from device.last_throws import KeptThrow
from device.snapshot import Snapshot
from device.throws import latest
from device.web.asked import Fields, owner_only, players_only, with_form
from device.web.corrections import MOST
from device.web.entry import Entry
from device.web.guard import told
from device.web.health_told import decimal
from device.web.page import Die, drawn
from device.web.site import Site
from device.wording import Wording
from vision.reading import DieReading, Pose, Where

FOLDER = "throws"
LINES = 16
"""The words drawn over a picture are so high that this many lines of them would fill it."""


@dataclass(frozen=True)
class Box:
    """One die of the picture at rest as it is drawn over it: its top's corners, where its words stand, its words."""

    corners: str
    x: float
    y: float
    text: str
    asked: bool


@dataclass(frozen=True)
class Read:
    """One die as it was read."""

    die: Die
    told: str


@dataclass(frozen=True)
class Seen:
    """A throw that can be looked at again, in the reader's language.

    `booked`: the dice that it counts for now, None where it counts for nothing of the running game. `others`: whether
    these are not the dice that were read.
    """

    number: int
    throw: int | None
    title: str
    read: tuple[Read, ...]
    boxes: tuple[Box, ...]
    why: tuple[str, ...]
    booked: tuple[Die, ...] | None
    others: bool
    void: bool
    kept: KeptThrow

    @property
    def letters_px(self) -> float:
        """How high the words over the picture are, in its own pixels."""
        return self.kept.height / LINES

    @property
    def rest(self) -> int:
        """Which picture shows the dice at rest as they were read last."""
        places = [n for n, shot in enumerate(self.kept.shots) if shot.moment == "rest"]
        return places[-1] if places else 0


class Again:
    """``/again`` for everybody at the table, ``/device/throws`` for the owner."""

    def __init__(self, site: Site, entry: Entry) -> None:
        self._site = site
        folder = site.upkeep.folder
        self._kept = None if folder is None else KeptThrows(folder / FOLDER)
        ask = partial(entry.ask_code, status=403)
        self.routes = [
            Route("/again", players_only(site, self._all, ask)),
            Route("/again/{number:int}", players_only(site, self._one, ask)),
            Route("/again/{number:int}/{place:int}.jpg", players_only(site, self._picture, ask)),
            Route("/again/{number:int}/keep", owner_only(site, self._keep), methods=["POST"]),
            Route("/device/throws", owner_only(site, self._list)),
            Route("/device/throws/{name}.zip", owner_only(site, self._zip)),
            Route("/device/throws/{name}/drop", owner_only(site, with_form(self._drop)), methods=["POST"]),
        ]

    # -- at the table

    def _all(self, request: Request) -> Response:
        site, words = self._site, self._site.words(request)
        now = site.table.now
        throws = () if site.last_throws is None else site.last_throws.all()
        return site.html(request, "again.html", throws=[seen(one, now, words) for one in throws])

    def _one(self, request: Request) -> Response:
        site, words = self._site, self._site.words(request)
        throw = None if site.last_throws is None else site.last_throws.find(request.path_params["number"])
        if throw is None:
            return site.html(request, "again.html", 404, throws=[], gone=True)
        key = request.query_params.get("told", "")
        return site.html(
            request,
            "again_one.html",
            seen=seen(throw, site.table.now, words),
            shots=[
                {"src": f"/again/{throw.number}/{n}.jpg", "t": round(shot.t, 2), "moment": shot.moment}
                for n, shot in enumerate(throw.shots)
            ],
            at=[decimal(shot.t, words) for shot in throw.shots],
            told=words.say("again", key) if key in ("full", "not_kept") else "",
            keeps=self._kept is not None,
            is_owner=site.door.may_set(site.visitor(request)),
        )

    def _picture(self, request: Request) -> Response:
        throws, asked = self._site.last_throws, request.path_params
        jpeg = None if throws is None else throws.picture(asked["number"], asked["place"])
        if jpeg is None:
            return told(404, "not_found", "this throw is shown no more")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=600"})

    # -- for the owner

    def _keep(self, request: Request) -> Response:
        number, throws = request.path_params["number"], self._site.last_throws
        if self._kept is None or throws is None:
            return told(404, "not_found", "nothing is kept here")
        try:
            name = self._kept.keep(throws, number)
        except Full:
            return RedirectResponse(f"/again/{number}?told=full", 303)
        except NotKept:
            return RedirectResponse(f"/again/{number}?told=not_kept", 303)
        return RedirectResponse(f"/again/{number}" if name is None else f"/device/throws#{name}", 303)

    def _list(self, request: Request) -> Response:
        kept = [] if self._kept is None else self._kept.all()
        words = self._site.words(request)
        sizes = [decimal(one.size / 2**20, words) for one in kept]
        return self._site.html(request, "kept_throws.html", kept=kept, sizes=sizes)

    def _zip(self, request: Request) -> Response:
        name = request.path_params["name"]
        packed = None if self._kept is None else self._kept.zipped(name)
        if packed is None:
            return told(404, "not_found", "there is no such throw")
        headers = {"Content-Disposition": f'attachment; filename="pietjesoog-{name}.zip"'}
        return Response(packed, media_type="application/zip", headers=headers)

    def _drop(self, request: Request, fields: Fields) -> Response:
        if self._kept is not None:
            self._kept.drop(request.path_params["name"])
        return RedirectResponse("/device/throws", 303)


def seen(kept: KeptThrow, now: Snapshot, words: Wording) -> Seen:
    """A throw with what the running game makes of it now."""
    begun, number = kept.throw
    booked = None
    if begun == now.begun:
        booked = next((one for one in latest(now.session, MOST) if one.number == number), None)
    dice = [*kept.dice] if not kept.read else [die.face for die in _shown(kept.read)]
    faces = "-".join(str(face or "?") for face in kept.dice)
    beside = [words.say("again", key, n=n) for key, n in (("outside", kept.outside), ("rim", kept.rim)) if n]
    faces = " + ".join(filter(None, [faces, *beside])) or words.say("again", "no_dice")
    counts = booked is not None
    waits = now.pending is not None and kept.throw == now.throw
    return Seen(
        number=kept.number,
        throw=number if counts else None,
        title=words.say("again", "throw_of", n=number, player=booked.player, dice=faces) if booked else faces,
        read=tuple(_read(kept, n, face, words) for n, face in enumerate(dice)),
        boxes=tuple(_box(die, kept) for die in kept.read),
        why=tuple(words.say("doubt", word) for word in kept.why),
        booked=drawn(booked.dice, rim=booked.rim, outside=booked.outside) if booked and not waits else None,
        others=booked is not None
        and (sorted(map(str, booked.dice)), booked.outside, booked.rim)
        != (sorted(map(str, kept.dice)), kept.outside, kept.rim),
        void=booked is not None and booked.void,
        kept=kept,
    )


def _shown(read: tuple[DieReading, ...]) -> list[DieReading]:
    return sorted(read, key=lambda die: (die.face is None, die.face or 0))


def _read(kept: KeptThrow, n: int, face: int | None, words: Wording) -> Read:
    if not kept.read:
        return Read(Die(face, "felt" if face else "unknown"), "")
    die = _shown(kept.read)[n]
    if die.where in (Where.RIM, Where.OUTSIDE):
        return Read(Die(None, die.where.value), _told(die, words))
    return Read(Die(face, "felt" if face else "unknown"), _told(die, words))


def _told(die: DieReading, words: Wording) -> str:
    if die.where in (Where.RIM, Where.OUTSIDE):
        return words.say("page", f"die_{die.where.value}")
    if die.pose is not Pose.FLAT:
        return words.say("doubt", die.pose.value)
    return words.say("again", "sure", sure=decimal(100 * die.confidence, words))


def _box(die: DieReading, kept: KeptThrow) -> Box:
    """In pixels of the picture at rest; the words above the die, or below one at the upper edge."""
    top, bottom = min(y for _, y in die.corners), max(y for _, y in die.corners)
    size = kept.height / LINES
    return Box(
        corners=" ".join(f"{x:.1f},{y:.1f}" for x, y in die.corners),
        x=round(die.center[0], 1),
        y=round(top - size * 0.3 if top > 1.6 * size else bottom + size, 1),
        text="↗" if die.where is Where.OUTSIDE else "–" if die.where is Where.RIM else str(die.face or "?"),
        asked=die.face is None or die.pose is not Pose.FLAT,
    )
