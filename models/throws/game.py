"""A whole game as one recording: the script says who throws what, physics and the renderer do the rest.

A script is JSON: {"seed", "players", "seats": {player: degrees}, "strokes": {player: n}, "opener",
"options", "throws": [{"by", "dice": [faces on the felt], "outside": 1, "stop": true, "seed": 5}]}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from models.render.draw import Picture, Renderer
from models.throws.clips import stage_throw
from models.throws.faces import Array
from models.throws.filming import Camera
from models.throws.hand import lifting
from models.throws.roll import FPS, Die
from models.throws.search import Ending, Room, find_throw
from models.throws.stage import Stage, cafe
from models.throws.take import Rolling, Take
from models.throws.video import write_video
from models.throws.weather import Weather
from vision.board import Board, Scale

LEAD_S, BEFORE_RELEASE_S, LIE_S, STOP_AFTER_S, TAIL_S = 1.0, 0.85, 2.6, 2.0, 0.8
ROOM = Room(apart=27.0, from_wall=17.0)
GAME = "pietjesbak"
VIDEO, NOTES, BOARD = "game.mp4", "recording.json", "board.toml"
PICTURE = (960, 720)
BEYOND_RIM_MM = 28.0
PIXEL = 0.5
"""The renderer counts from a pixel's corner, `vision` from its middle."""
WEATHER = Weather(noise=1.1)


class BadScript(ValueError):
    """A game script that cannot be filmed; the message says why."""


@dataclass(frozen=True)
class Act:
    """One throw of a script."""

    by: str
    dice: tuple[int, ...]
    outside: int
    stop: bool
    seed: int


def read_script(path: Path) -> dict[str, Any]:
    """The script with `throws` as `Act`s; raises `BadScript`."""
    try:
        told = json.loads(path.read_text("utf-8"))
        acts = [_act(row, told["seed"] * 100 + number) for number, row in enumerate(told["throws"])]
        players = [str(name) for name in told["players"]]
        seats = {str(name): float(deg) for name, deg in told["seats"].items()}
    except OSError as fault:
        raise BadScript(f"{path} cannot be read: {fault.strerror}") from fault
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise BadScript(f"{path} is no game script: {fault!r}") from fault
    if not acts:
        raise BadScript(f"{path} holds no throws")
    for act in acts:
        if act.by not in players or act.by not in seats:
            raise BadScript(f"{act.by} throws, but is no player with a seat")
        if len(act.dice) + act.outside != 3 or act.outside > 1 or not all(1 <= f <= 6 for f in act.dice):
            raise BadScript(f"a throw has three dice, at most one of them outside, not {act.dice} and {act.outside}")
    return {**told, "players": players, "seats": seats, "throws": acts}


def _act(row: dict[str, Any], seed: int) -> Act:
    faces = tuple(int(face) for face in row["dice"])
    return Act(
        str(row["by"]), faces, int(row.get("outside", 0)), bool(row.get("stop", False)), int(row.get("seed", seed))
    )


def film_game(script: dict[str, Any], folder: Path, stage: Stage | None = None) -> dict[str, Any]:
    """Write game.mp4, recording.json and board.toml into the folder; returns the notes of the recording."""
    stage = stage or cafe(PICTURE)
    folder.mkdir(parents=True, exist_ok=True)
    take, notes = stage_game(script, stage)
    write_board(stage, folder / BOARD)
    size = (stage.scene.camera.width, stage.scene.camera.height)
    write_video(folder / VIDEO, _told(_pictures(take, script, stage), take.frames), size)
    (folder / NOTES).write_text(json.dumps(notes, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return notes


def stage_game(script: dict[str, Any], stage: Stage) -> tuple[Take, dict[str, Any]]:
    """The take of a whole game and what recording.json says about it."""
    take = Take()
    truth: list[dict[str, Any]] = []
    marks: list[dict[str, Any]] = []
    acts: list[Act] = script["throws"]
    now = LEAD_S
    for number, act in enumerate(acts):
        bearing = stage.bearing_deg(script["seats"][act.by])
        rolling = _thrown(act, stage, take, now + BEFORE_RELEASE_S, bearing)
        take.hands[-1] = take.hands[-1].of(script["players"].index(act.by))
        rest = rolling.rest_s
        truth.append({"t": round(rest, 2), "dice": sorted(act.dice), "outside": act.outside, "by": act.by})
        if act.stop:
            marks.append({"t": round(rest + STOP_AFTER_S, 2), "do": "stop"})
        next_by = acts[number + 1].by if number + 1 < len(acts) else act.by
        lift_from = rest + LIE_S
        lift = lifting(lift_from, take.lying(lift_from), stage.bearing_deg(script["seats"][next_by]))
        take.lift(replace(lift, path=lift.path.of(script["players"].index(next_by))))
        now = take.hands[-1].end + 0.1
    take.length_s = now + TAIL_S
    begin: dict[str, Any] = {"t": 0.0, "do": "start", "game": GAME, "players": script["players"]}
    begin |= {name: script[name] for name in ("opener", "options", "strokes", "ever_wiped", "seats") if name in script}
    notes: dict[str, Any] = {"fps": FPS, "dice": 3, "board": BOARD, "game": GAME, "players": script["players"]}
    notes |= {name: script[name] for name in ("opener", "options") if name in script}
    notes |= {"marks": [begin, *marks], "truth": truth}
    return take, notes


def _thrown(act: Act, stage: Stage, take: Take, at: float, bearing_deg: float) -> Rolling:
    """One throw, its dice where the camera sees all of them."""
    thrown = find_throw(
        act.seed,
        stage.tray,
        bearing_deg,
        ending=Ending.OUTSIDE if act.outside else Ending.CLEAN,
        faces=act.dice,
        die=Die(stage.edge_mm),
        room=ROOM,
        allowed=lambda centres: stage.in_picture(centres) and _clear_of_rim(stage, centres),
        printed=stage.printed,
    )
    return stage_throw(take, thrown, at, bearing_deg)


def _clear_of_rim(stage: Stage, centres: Array) -> bool:
    """Whether dice at centres (n, 3) lie well inside or well outside."""
    reach = stage.tray.reach(centres[:, :2])
    return bool(((reach < stage.tray.apothem) | (reach > stage.tray.across / 2 + BEYOND_RIM_MM)).all())


def _pictures(take: Take, script: dict[str, Any], stage: Stage) -> Iterator[Picture]:
    camera = Camera(stage.scene, stage.looks, edge_mm=stage.edge_mm, hands=stage.hands, renderer=Renderer("normal"))
    yield from camera.frames(take, WEATHER, script["seed"])


def _told(pictures: Iterator[Picture], count: int) -> Iterator[Picture]:
    """The pictures, with progress on standard error."""
    for i, picture in enumerate(pictures, start=1):
        if i % 60 == 0 or i == count:
            print(f"{i}/{count} frames", file=sys.stderr, flush=True)
        yield picture


def write_board(stage: Stage, path: Path) -> None:
    """The exact board as `calibrate` would have saved it."""
    camera, px = stage.scene.camera, stage.board_px()
    half_diagonal = float(np.hypot(camera.width, camera.height)) / 2
    felt, rim = (
        tuple((round(x - PIXEL, 2), round(y - PIXEL, 2)) for x, y in reversed(px[name]))
        for name in ("floor", "rim_outer")
    )
    board = Board(
        camera.width,
        camera.height,
        felt,
        rim,
        k1=camera.k1 * (half_diagonal / camera.focal) ** 2,
        focal=camera.focal,
        felt_mm=2 * stage.tray.apothem,
        die_mm=stage.edge_mm,
        scale=Scale.TOLD,
    )
    board.save(path)
