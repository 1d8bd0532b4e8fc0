"""The camera: found, giving pictures, how many, how bright, how sharp, and whether a board is in them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from device.board_choice import AUTO, BoardChoice
from device.cameras import Camera, CameraLost
from device.cameras.apart import ApartCamera
from device.cameras.choice import camera_of
from device.cameras.v4l import Plugged, plugged
from device.config import Config
from device.doctor import Case, Finding, fault, ok, warning
from device.errors import BadInput
from device.wording import wording
from vision.board import Board
from vision.errors import VisionError
from vision.frame import Frame
from vision.light import SHARP, SOFT, edge_width, light_problems
from vision.reading import Problem

WATCH_S = 3.0
LEAST_RATE = 0.6  # of the pictures a second that were asked for
DIM, GLARING = 45, 210  # mean grey levels: readable, not well
LEAST_DIE_PX = 26.0
SOFTISH = 0.75  # of what is out of focus
_DO = {
    "absent": "plug it in, try another cable and port; or set camera.kind and camera.device",
    "busy": "stop the other program that has it, or add this user to the group video and log in again",
    "silent": "unplug it and plug it in again; try another cable, port and power supply",
    "frozen": "unplug it and plug it in again; try another cable and port",
    "no_library": "sudo apt install python3-picamera2; make .venv with --system-site-packages",
    "stuck": "take its power away for some seconds; if it comes again, another cable or camera",
}
Make = Callable[[Config], Camera | None]


@dataclass
class Look:
    """Some seconds of pictures."""

    frames: int = 0
    first: Frame | None = None
    last: Frame | None = None
    levels: list[float] = field(default_factory=list)
    lost: CameraLost | None = None

    @property
    def rate(self) -> float:
        if self.first is None or self.last is None or self.last.t <= self.first.t:
            return 0.0
        return (self.frames - 1) / (self.last.t - self.first.t)


def camera(
    case: Case,
    make: Make = camera_of,
    *,
    watch_s: float = WATCH_S,
    clock: Callable[[], float] = time.monotonic,
    found: Callable[[], list[Plugged]] = plugged,
) -> Iterator[Finding]:
    """All that one look of some seconds tells."""
    kind = case.config.text("camera.kind")
    if kind == "none":
        yield ok("camera", "none is set; everything is entered by hand")
        return
    if case.running:
        yield from _asked(case)
        return
    if kind == "usb":
        names = ", ".join(f"{one.path} ({one.name})" for one in found())
        if names:
            yield ok("camera", f"plugged in: {names}")
    try:
        made = make(case.config)
    except BadInput as told:
        yield fault("camera", str(told), "set camera.kind and camera.device")
        return
    if made is None:
        return
    look = looked(made, watch_s, clock)
    if look.lost is not None:
        do = _DO.get(look.lost.key, "look at its cable, then run doctor again")
        after = f" after {look.frames} pictures" if look.frames else ""
        yield fault("camera", f"{look.lost}{after}", do)
    if look.last is None:
        if look.lost is None:
            yield fault("camera", f"{made.name} gave no picture", _DO["silent"])
        return
    about = made.about if isinstance(made, ApartCamera) else {}
    yield from _pictures(case.config, look, made.name, about)
    yield from _light(look, about)
    yield from _board(case.config, look.last, about)


def looked(made: Camera, watch_s: float, clock: Callable[[], float]) -> Look:
    """Watch for so long from the first picture; returns in any case."""
    look, begun = Look(), None
    try:
        for frame in made.frames():
            begun = clock() if begun is None else begun
            look.first = look.first or frame
            look.last = frame
            look.frames += 1
            look.levels.append(float(np.mean(frame.picture[::8, ::8])))
            if clock() - begun >= watch_s:
                break
    except CameraLost as lost:
        if not (lost.key == "ended" and look.frames):  # a recording is as long as it is
            look.lost = lost
    finally:
        made.close()
    return look


def _asked(case: Case) -> Iterator[Finding]:
    told = case.running.get("camera") or {}
    state, trouble = str(told.get("state")), told.get("trouble")
    words = wording("en")
    if state in ("lost", "board_moved"):
        said = words.say("trouble", str(trouble)) if words.has("trouble", str(trouble)) else str(trouble)
        key = str(trouble)
        yield fault("camera", f"Pietjesoog says: {said}", _DO.get(key, "put this right; it goes on by itself"))
        return
    yield ok("camera", f"{told.get('frames')} pictures so far, opened again {told.get('restarts')} times")
    yield ok("camera", "stop Pietjesoog and run doctor again to have light, focus and board looked at")


def _pictures(config: Config, look: Look, name: str, about: dict[str, object]) -> Iterator[Finding]:
    assert look.last is not None
    height, width = look.last.picture.shape[:2]
    model = f" ({about['model']})" if about.get("model") else ""
    yield ok("camera", f"{name}{model} gives pictures of {width} × {height}")
    asked = (config.whole("camera.width"), config.whole("camera.height"))
    if config.text("camera.kind") != "recording" and asked != (width, height):
        yield warning(
            "camera size",
            f"asked for {asked[0]} × {asked[1]}, it gives {width} × {height}",
            "set camera.width and camera.height to a size that it has",
        )
    wanted = config.number("camera.fps")
    if config.text("camera.kind") != "recording" and look.rate < LEAST_RATE * wanted:
        pixels = str(about.get("pixels") or "")
        raw = f" (it sends {pixels}, no motion JPEG)" if pixels and pixels != "MJPG" else ""
        yield warning(
            "camera rate",
            f"only {look.rate:.1f} pictures a second of {wanted:g}{raw}",
            "more light, a port of its own, smaller pictures, or a lower camera.fps",
        )
    else:
        yield ok("camera rate", f"{look.rate:.1f} pictures a second")


def _light(look: Look, about: dict[str, object]) -> Iterator[Finding]:
    assert look.last is not None
    problems, level = light_problems(look.last.picture), float(np.mean(look.levels[-10:]))
    told = f"mean brightness {level:.0f} of 255"
    if Problem.TOO_DARK in problems:
        yield fault("light", f"the picture is black ({told})", "take the cap off the lens, switch the lamp on")
    elif Problem.TOO_BRIGHT in problems:
        yield fault("light", f"the picture is white ({told})", "turn the lamp away from the lens, or dim it")
    elif level < DIM:
        yield warning("light", f"it is dim: {told}", "bring the lamp nearer; dice are read best in even light")
    elif level > GLARING:
        yield warning("light", f"it is glaring: {told}", "dim the lamp or turn it aside")
    else:
        yield ok("light", told)
    if about.get("adjusts") and about.get("held") is False:
        yield warning(
            "exposure",
            "the camera cannot hold its exposure: a hand over the board changes the picture",
            "even light helps; another camera helps more",
        )


def _board(config: Config, frame: Frame, about: dict[str, object]) -> Iterator[Finding]:
    word = config.text("board.file") or AUTO
    board: Board | None = None
    try:
        board = BoardChoice(word).board_for(frame.picture)
    except (BadInput, VisionError) as told:
        yield fault("board", str(told), "calibrate again, or leave board.file empty")
    else:
        if board is None:
            yield fault(
                "board",
                "no board is seen in the picture",
                "hang the camera so that the whole board is in it, or calibrate by hand",
            )
    die_px = board.expected_die_px() if board is not None else None
    if board is not None and die_px is not None:
        if die_px < LEAST_DIE_PX:
            yield warning(
                "board",
                f"a die of {board.die_mm:g} mm is only {die_px:.0f} pixels long",
                f"nearer, or larger pictures: {LEAST_DIE_PX:.0f} pixels are read well",
            )
        else:
            yield ok("board", f"seen; a die of {board.die_mm:g} mm is {die_px:.0f} pixels long")
    yield from _focus(frame, die_px, about)


def _focus(frame: Frame, die_px: float | None, about: dict[str, object]) -> Iterator[Finding]:
    width = edge_width(frame.picture)
    at = ""
    if about.get("focus_m"):
        at = f"; the lens is set to {about['focus_m']} m (camera.focus_m)"
    elif about.get("focus_step") is not None:
        at = f"; the lens is at step {about['focus_step']} (camera.focus_step)"
    do = "set the focus to the felt: turn the lens, or camera.focus_m (Pi), camera.focus_step (USB); clean the lens"
    most = max(SHARP, SOFT * (die_px or 0.0))
    if width == 0:
        yield warning(
            "focus", f"nothing with an edge is in the picture{at}", "put a die under the camera and try again"
        )
    elif width > most:
        yield fault("focus", f"out of focus: the sharpest edges are {width:.0f} pixels wide{at}", do)
    elif width > SOFTISH * most:
        yield warning("focus", f"soft: the sharpest edges are {width:.0f} pixels wide{at}", do)
    else:
        yield ok("focus", f"the sharpest edges are {width:.1f} pixels wide{at}")
