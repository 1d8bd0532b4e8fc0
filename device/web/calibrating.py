"""Finding and measuring the board from the page: by itself or by eight taps, looked at before it counts."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.calibration import Calibrated, Clicks, NotCalibrated, calibrated
from device.chosen import NotKept
from device.errors import BadInput
from device.film_roll import as_jpeg
from device.sight import over
from device.web.asked import Fields, changed, form, owner_only, with_form
from device.web.guard import told
from device.web.health_told import decimal, seen_told
from device.web.site import Site
from device.wording import Wording
from vision.board import Scale
from vision.board_scale import LEAST_DIE_MM, LEAST_FELT_MM, MOST_DIE_MM, MOST_FELT_MM
from vision.frame import Picture
from vision.reading import Point, Problem
from vision.scale_bar import with_scale_bar

APART_S = 0.4
PICTURES = 3
"""Fewer than on the command line: the eye goes on beside it, and somebody waits."""
CORNERS = 8
_NAME = 6  # random bytes in the name of a picture: nobody guesses it, and a browser that kept one shows no other


@dataclass(frozen=True, eq=False)
class Still:
    """A picture that was taken to be clicked on, under a name that no other has."""

    name: str
    picture: Picture


@dataclass(frozen=True, eq=False)
class Proposal:
    """A board that waits for a yes or a no; `back` leads to where it was asked for, with what was typed there."""

    name: str
    found: Calibrated
    back: str


class Calibrating:
    """``/device/board``. One picture and one proposal are held at a time, in memory."""

    def __init__(self, site: Site) -> None:
        self._site, self._upkeep = site, site.upkeep
        self._busy = threading.Lock()
        self._still: Still | None = None
        self._proposal: Proposal | None = None
        self.routes = [
            Route("/device/board", owner_only(site, self._page)),
            Route("/device/board/hand", owner_only(site, self._by_hand)),
            Route("/device/board/proposal", owner_only(site, self._shown)),
            Route("/device/board/still-{name}.jpg", owner_only(site, self._still_picture)),
            Route("/device/board/proposal-{name}.jpg", owner_only(site, self._preview)),
            Route("/device/board/look", owner_only(site, with_form(self._look)), methods=["POST"]),
            Route("/device/board/keep", owner_only(site, self._keep), methods=["POST"]),
            Route("/device/board/drop", owner_only(site, self._drop), methods=["POST"]),
            Route("/device/board/find", owner_only(site, self._find), methods=["POST"]),
        ]

    # -- pages

    def _page(self, request: Request) -> Response:
        sight = self._upkeep.sight
        words = self._site.words(request)
        glance = sight.now()
        return self._site.html(
            request,
            "board.html",
            why=_why(request.query_params.get("why", ""), words),
            sees=glance is not None,
            seen=seen_told(sight, words),
            file=self._upkeep.config.text("board.file"),
            sizes=_SIZES,
            die=_shown_size(request.query_params.get("die_mm", "")),
            felt=_shown_size(request.query_params.get("felt_mm", "")),
        )

    def _by_hand(self, request: Request) -> Response:
        glance = self._upkeep.sight.now()
        asked = request.query_params.get("still", "")
        if self._still is None or self._still.name != asked:
            if glance is None:
                return RedirectResponse("/device/board?why=no_picture", 303)
            self._still = Still(secrets.token_urlsafe(_NAME), glance.frame.picture)
        still = self._still
        height, width = still.picture.shape[:2]
        corners = request.query_params.get("corners", "")
        return self._site.html(
            request,
            "corners.html",
            why=_why(request.query_params.get("why", ""), self._site.words(request)),
            still=still.name,
            width=width,
            height=height,
            corners=corners if _points(corners, CORNERS) is not None else "",
            sizes=_SIZES,
            die=_shown_size(request.query_params.get("die_mm", "")),
            felt=_shown_size(request.query_params.get("felt_mm", "")),
        )

    def _shown(self, request: Request) -> Response:
        proposal, words = self._proposal, self._site.words(request)
        if proposal is None:
            return RedirectResponse("/device/board", 303)
        found = proposal.found
        return self._site.html(
            request,
            "proposal.html",
            name=proposal.name,
            facts=_facts(found, words),
            remarks=[words.say("board", key) for key in remark_keys(found)],
        )

    def _still_picture(self, request: Request) -> Response:
        still = self._still
        if still is None or still.name != request.path_params["name"]:
            return told(404, "not_found", "this picture is shown no more")
        return Response(as_jpeg(still.picture, 85), media_type="image/jpeg")

    def _preview(self, request: Request) -> Response:
        proposal = self._proposal
        if proposal is None or proposal.name != request.path_params["name"]:
            return told(404, "not_found", "this picture is shown no more")
        found = proposal.found
        shown = over(with_scale_bar(found.picture, found.board), found.board, found.reading)
        return Response(as_jpeg(shown, 85), media_type="image/jpeg")

    # -- what is posted

    def _look(self, request: Request, fields: Fields) -> Response:
        """Measure the board: in the next few pictures, or in the one that was clicked on."""
        sizes = "".join(f"&{key}={_shown_size(fields.get(key, ''))}" for key in ("die_mm", "felt_mm"))
        still, clicked = self._still, "still" in fields
        back = f"/device/board?{sizes}"
        if clicked:
            name = fields["still"] if still is not None and fields["still"] == still.name else ""
            back = f"/device/board/hand?still={name}&corners={_echoed(fields.get('corners', ''))}{sizes}"
        try:
            die_mm, felt_mm = (_size(fields.get(key, ""), key) for key in ("die_mm", "felt_mm"))
            corners = _points(fields.get("corners", ""), CORNERS) if clicked else None
            if clicked and (still is None or still.name != fields["still"]):
                raise NotCalibrated("this picture is there no more", "no_picture")
            if clicked and (corners is None or len(corners) != CORNERS):
                raise NotCalibrated("eight corners are needed", "clicks")
            picture = still.picture if clicked and still is not None else None
            found = self._measured(picture, corners, die_mm, felt_mm)
        except NotCalibrated as fault:
            return RedirectResponse(f"{back}&why={fault.key}", 303)
        self._proposal = Proposal(secrets.token_urlsafe(_NAME), found, back)
        return RedirectResponse("/device/board/proposal", 303)

    def _measured(
        self, picture: Picture | None, corners: Sequence[Point] | None, die_mm: float | None, felt_mm: float | None
    ) -> Calibrated:
        """Raises `NotCalibrated`; one at a time, since it keeps the processor busy."""
        upkeep = self._upkeep
        if upkeep.reader is None:
            raise NotCalibrated("there is no camera", "no_picture")
        if not self._busy.acquire(blocking=False):
            raise NotCalibrated("it is being measured already", "busy")
        try:
            pictures = [picture] if picture is not None else upkeep.sight.pictures(PICTURES, APART_S)
            clicks = None if corners is None else Clicks(corners)
            return calibrated(pictures, upkeep.reader, die_mm=die_mm, felt_mm=felt_mm, clicks=clicks)
        finally:
            self._busy.release()

    async def _keep(self, request: Request) -> Response:
        fields, proposal = await form(request) or {}, self._proposal
        if proposal is None or fields.get("name") != proposal.name:
            return RedirectResponse("/device/board?why=gone", 303)
        try:
            await run_in_threadpool(self._upkeep.keep_board, proposal.found.board, list(proposal.found.remarks))
            key = "board_kept"
        except NotKept:
            key = "not_kept"
        except BadInput as fault:
            return told(400, "bad_value", str(fault))
        self._proposal = self._still = None
        return RedirectResponse(f"/device?told={key}#camera", 303)

    def _drop(self, request: Request) -> Response:
        """Not this one; the board stays as it was."""
        proposal, self._proposal = self._proposal, None
        return RedirectResponse("/device/board" if proposal is None else proposal.back, 303)

    def _find(self, request: Request) -> Response:
        """What was calibrated counts no more."""

        def find() -> str:
            self._upkeep.find_board()
            return "kept"

        return changed(find, "/device?told={}#camera")


_SIZES = {"die": (LEAST_DIE_MM, MOST_DIE_MM), "felt": (LEAST_FELT_MM, MOST_FELT_MM)}
_BOUNDS = {"die_mm": _SIZES["die"], "felt_mm": _SIZES["felt"]}


def remark_keys(found: Calibrated) -> list[str]:
    """What should be looked at before this board is kept, as keys of the texts (``board``), the most urgent first."""
    light = found.conditions.light.value.replace(" ", "_")
    focus = found.conditions.focus.value.replace(" ", "_")
    keys = [
        "moved" if found.moved else "",
        "hand" if Problem.HAND in found.reading.problems else "",
        "" if found.by_edges else "no_edges",
        "" if light == "good" else f"light_{light}",
        f"focus_{focus}" if focus in ("soft", "too_soft") else "",
        "assumed" if found.board.scale is Scale.ASSUMED else "",
    ]
    return [key for key in keys if key]


def _facts(found: Calibrated, words: Wording) -> list[tuple[str, str]]:
    board = found.board
    assumed = board.scale is Scale.ASSUMED
    dice = ", ".join("?" if die.face is None else str(die.face) for die in found.reading.dice)
    say = words.say
    about = say("board", "about") + " " if assumed else ""
    return [
        (say("board", "felt"), f"{about}{decimal(board.felt_mm, words, 0)} mm"),
        (say("board", "die"), f"{about}{decimal(board.die_mm, words)} mm · {board.expected_die_px() or 0:.0f} px"),
        (say("board", "dice"), dice or say("board", "no_dice")),
    ]


def _why(key: str, words: Wording) -> str:
    least, most = (f"{bound:g}" for bound in _BOUNDS.get(key, (0.0, 0.0)))
    return words.say("board", f"why_{key}", least=least, most=most) if words.has("board", f"why_{key}") else ""


def _size(text: str, key: str) -> float | None:
    """Millimetres as somebody typed them, None for nothing; raises `NotCalibrated` for what none can be."""
    text = text.strip().replace(",", ".")
    if not text:
        return None
    low, high = _BOUNDS[key]
    try:
        told_mm = float(text) if len(text) < 8 else 0.0
    except ValueError:
        told_mm = 0.0
    if not low <= told_mm <= high:
        raise NotCalibrated(f"{key} is {low:g} to {high:g}, not {text[:20]}", key)
    return told_mm


def _shown_size(text: str) -> str:
    """What was typed, to stand there again, where it can be a number."""
    plain = text.strip().replace(",", ".")
    return plain if len(plain) < 8 and plain.replace(".", "", 1).isdigit() and plain.isascii() else ""


def _points(text: str, most: int) -> list[Point] | None:
    """``x,y x,y …`` as points, up to `most`; None for anything else.

    >>> _points("910,280 680.5,145", 8), _points("910;280", 8)
    ([(910.0, 280.0), (680.5, 145.0)], None)
    """
    parts = text.split()
    if len(parts) > most or len(text) > 200:
        return None
    try:
        points = [(float(x), float(y)) for x, y in (part.split(",") for part in parts)]
    except ValueError:
        return None
    return points if all(0 <= value < 10_000 for point in points for value in point) else None


def _echoed(text: str) -> str:
    points = _points(text, CORNERS) or []
    return "+".join(f"{x:g},{y:g}" for x, y in points)
