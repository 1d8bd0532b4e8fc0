"""The remote: what a phone shows and what opens when something on it is tapped."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.chosen import NotKept
from device.cutouts import Cut, paired
from device.snapshot import Snapshot
from device.throws import Thrown, latest
from device.web.asked import form, no_code, players_only, whole
from device.web.corrections import MOST, sheet
from device.web.entry import Entry
from device.web.guard import told
from device.web.page import PIPS, Die, Page, drawn
from device.web.pages import live
from device.web.remote import PLACES, Me, remote
from device.web.site import Site
from device.wording import Wording

VOLUMES = ("0", "30", "60", "100")
"""What a phone may choose from: still, soft, ordinary, loud."""


class Play:
    """``/play`` and its sheets."""

    def __init__(self, site: Site, entry: Entry) -> None:
        self._site, self._entry = site, entry
        self.routes = [
            Route("/play", self._play),
            Route("/play/throw/{number:int}", players_only(site, self._throw)),
            Route("/play/throws", players_only(site, self._throws)),
            Route("/play/seat", players_only(site, self._seat)),
            Route("/play/volume", players_only(site, self._set_volume), methods=["POST"]),
        ]

    async def _play(self, request: Request) -> Response:
        site, entry, asked = self._site, self._entry, request.query_params
        if "code" in asked:
            return await run_in_threadpool(entry.come_in, request, {"code": asked["code"]})
        if not site.may_play(request):
            return no_code() if "part" in asked else await run_in_threadpool(entry.ask_code, request)
        me, volume = self._me(request), _volume(site)
        again = site.last_throws is not None and bool(site.last_throws.all())

        def context(now: Snapshot, page: Page) -> Mapping[str, object]:
            return {
                "remote": remote(now, page, me),
                "drawn": [self._drawn(now, thrown) for thrown in page.throws],
                "guessed": _guessed(now),
                "pictures": list(page.cutouts),
                "for_script": _for_script(page.wording),
                "again": again,
                "volume": volume,
            }

        return await live(site, request, "play", context, (me.name, me.asked, tuple(me.here), again, volume))

    def _me(self, request: Request) -> Me:
        visitor = self._site.visitor(request)
        here = self._site.door.here
        return Me(here=here) if visitor is None else Me(visitor.name, visitor.asked, visitor.seat, here)

    def _drawn(self, now: Snapshot, thrown: Thrown) -> list[tuple[Die, Cut | None]]:
        """The dice of a throw as they are drawn, each with its picture."""
        dice = drawn(thrown.dice, rim=thrown.rim, outside=thrown.outside)
        if self._site.cutouts is None:
            return [(die, None) for die in dice]
        cuts = self._site.cutouts.cuts((now.begun, thrown.number))
        return list(zip(dice, paired(cuts, [die.face for die in dice]), strict=True))

    def _throws(self, request: Request) -> Response:
        now = self._site.table.now
        told = [(thrown, self._drawn(now, thrown)) for thrown in latest(now.session, MOST)]
        return self._site.html(request, "throws.html", throws=told)

    def _throw(self, request: Request) -> Response:
        site, words = self._site, self._site.words(request)
        at = whole(request.query_params.get("at", ""), 3)
        found = sheet(site.table.now, request.path_params["number"], at, words, site.cutouts)
        if found is None:
            return told(404, "no_such_throw", words.say("refused", "no_such_throw"))
        return site.html(
            request, "sheet.html", sheet=found, pips=PIPS, again=self._seen_as(request.path_params["number"])
        )

    def _seen_as(self, number: int) -> int | None:
        """Under which number that throw of the running game can be looked at again."""
        throws, now = self._site.last_throws, self._site.table.now
        kept = () if throws is None else throws.all()
        return next((one.number for one in kept if one.throw == (now.begun, number)), None)

    async def _set_volume(self, request: Request) -> Response:
        """Louder or softer, for everybody at the table; whether there is sound at all is the owner's."""
        fields = await form(request)
        asked = "" if fields is None else fields.get("volume", "")
        sound = self._site.upkeep.sound
        if asked not in VOLUMES or sound is None or sound.is_off:
            return told(400, "bad_value", f"the volume is one of {', '.join(VOLUMES)}")
        with contextlib.suppress(NotKept):  # it holds until the next start; that is all that somebody here wants
            await run_in_threadpool(self._site.upkeep.sound_so, sound.kind, int(asked))
        self._site.refresh()
        return RedirectResponse("/play", 303)

    def _seat(self, request: Request) -> Response:
        site, view = self._site, self._site.table.now.view
        player = request.query_params.get("player", "")[:40]
        seats = site.door.here | {one.name: one.seat for one in view.players}
        taken: dict[int, str] = dict.fromkeys(PLACES, "")
        for name, seat in seats.items():
            if seat is not None:
                taken[place_of(seat)] = " · ".join(filter(None, [taken[place_of(seat)], name]))
        mine = seats.get(player)
        return site.html(
            request,
            "seat.html",
            player=player,
            places=PLACES,
            taken=taken,
            mine=None if mine is None else place_of(mine),
        )


def place_of(seat: float) -> int:
    """The side of the octagon that is nearest to a seat.

    >>> place_of(350.0), place_of(80.0)
    (0, 90)
    """
    return PLACES[round(seat / 45.0) % len(PLACES)]


def _volume(site: Site) -> int | None:
    """How loud it is, None where no sound is set."""
    sound = site.upkeep.sound
    return None if sound is None or sound.is_off else sound.volume


def _guessed(now: Snapshot) -> list[object]:
    """What is known of a throw that waits, one a die: a face, a place, or None."""
    pending = now.pending
    if pending is None:
        return []
    return [*pending.dice, *[None] * pending.missing, *["rim"] * pending.rim, *["outside"] * pending.outside]


def _for_script(words: Wording) -> Mapping[str, object]:
    keys = ("book", "outside", "rim", "cancel", "yes", "failed", "keep", "place", "missing_die")
    return {key: words.say("remote", key) for key in keys}
