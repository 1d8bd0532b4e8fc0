"""Short clips with exact truth: one throw each, or none, in the words of a throws.json."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from models.render.draw import Renderer
from models.throws.faces import Array
from models.throws.filming import Camera
from models.throws.hand import lifting, passing, throwing
from models.throws.roll import FPS, Die
from models.throws.search import Ending, NotFound, Room, Thrown, find_throw
from models.throws.stage import Stage, cafe, sample_stage
from models.throws.take import Lying, Rolling, Take, frame_of
from models.throws.video import write_video
from models.throws.weather import Weather
from vision.reading import Pose, Where

TRUTH = "throws.json"
SHARES = {"throw": 0.45, "outside": 0.15, "cocked": 0.10, "stacked": 0.05, "none": 0.25}
"""How often each kind comes up in `mixed`."""
EXPECT = {
    "throw": "throw",
    "outside": "outside",
    "rim": "throw",
    "cocked": "unsure",
    "stacked": "unsure",
    "none": "none",
}
QUIET = ("hand", "hand_over_dice", "light", "sway", "lifted")
"""What happens in a clip in which nothing is thrown."""
AFTER_REST_S = 2.0


class BadTruth(ValueError):
    """A throws.json that is there already and cannot be added to."""


@dataclass(frozen=True, eq=False)
class Clip:
    """A take with the weather it is filmed in, and its record."""

    take: Take
    weather: Weather
    record: dict[str, Any]


def film_clips(
    folder: Path,
    kind: str,
    seed: int,
    count: int,
    size: tuple[int, int],
    *,
    poses: bool = False,
    in_cafe: bool = False,
) -> list[dict[str, Any]]:
    """Film clips of the seeds from `seed` on; what stands in the folder's throws.json already is not filmed again."""
    folder.mkdir(parents=True, exist_ok=True)
    truth = folder / TRUTH
    records = _records(truth)
    renderer: Renderer | None = None
    for number, one in enumerate(range(seed, seed + count), start=1):
        name = f"{kind}_{one:05d}.mp4"
        if name in records and (folder / name).exists():
            continue
        begun = time.monotonic()
        try:
            stage, clip = plan_clip(one, kind, size, in_cafe)
        except NotFound as fault:
            print(f"{number}/{count} {name}: {fault}", file=sys.stderr)
            continue
        renderer = renderer or Renderer("normal")
        record = film_clip(stage, clip, folder / name, one, renderer)
        if poses:
            (folder / name).with_suffix(".poses.json").write_text(json.dumps(poses_of(clip.take)), "utf-8")
        records[name] = record
        truth.write_text(json.dumps(list(records.values()), indent=1) + "\n", "utf-8")
        spent = time.monotonic() - begun
        print(f"{number}/{count} {name}: {record['expect']} {record['dice']}, {spent:.0f} s", file=sys.stderr)
    return list(records.values())


def _records(truth: Path) -> dict[str, dict[str, Any]]:
    """What the folder's throws.json holds, by clip; raises `BadTruth`."""
    if not truth.exists():
        return {}
    try:
        return {row["clip"]: row for row in json.loads(truth.read_text("utf-8"))}
    except (ValueError, TypeError, KeyError) as fault:
        raise BadTruth(f"{truth} is no list of clips; move it away or choose another folder") from fault


def film_clip(stage: Stage, clip: Clip, path: Path, seed: int, renderer: Renderer, crf: int = 27) -> dict[str, Any]:
    """Film one clip; the record gets its name, length and where the board is."""
    camera = Camera(stage.scene, stage.looks, edge_mm=stage.edge_mm, hands=stage.hands, renderer=renderer)
    size = (stage.scene.camera.width, stage.scene.camera.height)
    frames = write_video(path, camera.frames(clip.take, clip.weather, seed), size, crf)
    boxes = [_rounded(camera.seen(pose)) for pose in clip.take.dice(clip.take.length_s) if pose is not None]
    return {"clip": path.name, "fps": FPS, "frames": frames, **clip.record, "last_boxes": boxes} | {
        "die_px": round(stage.die_px(), 1),
        "board_px": stage.board_px(),
        "seed": seed,
    }


def plan_clip(seed: int, kind: str, size: tuple[int, int], in_cafe: bool = False) -> tuple[Stage, Clip]:
    """The stage (`in_cafe`: the demo's) and the take of a seed; raises `NotFound` if physics has none of the kind."""
    rng = np.random.default_rng([seed, 41])
    stage = cafe(size) if in_cafe else sample_stage(rng, size)
    if kind == "mixed":
        kind = str(rng.choice(list(SHARES), p=list(SHARES.values())))
    weather = Weather(
        noise=float(rng.uniform(0.5, 3.0)), flicker=float(rng.uniform(0.02, 0.08)) if rng.random() < 0.2 else 0.0
    )
    if kind == "none":
        return stage, quiet_clip(rng, stage, weather, QUIET[seed % len(QUIET)])
    if rng.random() < 0.15:
        weather = replace(weather, sway_px=float(rng.uniform(0.3, 1.5)))
    return stage, throw_clip(seed, rng, stage, weather, kind)


def throw_clip(
    seed: int,
    rng: np.random.Generator,
    stage: Stage,
    weather: Weather,
    kind: str,
    faces: Sequence[int] | None = None,
    room: Room | None = None,
    seat_deg: float | None = None,
) -> Clip:
    """A hand comes from a side, throws and goes; the dice end as `kind` says."""
    bearing = stage.bearing_deg(
        float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 12)) if seat_deg is None else seat_deg
    )
    thrown = find_throw(
        seed,
        stage.tray,
        bearing,
        ending=Ending(kind),
        faces=faces,
        die=Die(stage.edge_mm),
        room=room,
        allowed=stage.in_picture,
        printed=stage.printed,
    )
    take = Take()
    let_go = 1.25 + float(rng.uniform(0, 0.4))
    rolling = stage_throw(take, thrown, let_go, bearing)
    take.length_s = rolling.rest_s + AFTER_REST_S
    felt = [end.face if end.where is Where.INSIDE and end.pose is Pose.FLAT else None for end in thrown.ends]
    where = [end.where for end in thrown.ends]
    return Clip(
        take,
        weather,
        {
            "rest_frame": frame_of(rolling.rest_s),
            "expect": EXPECT[kind],
            "dice": felt,
            "outside": where.count(Where.OUTSIDE),
            "rim": where.count(Where.RIM),
            "notes": _note(thrown),
            "kind": kind,
            "start_dice": [],
        },
    )


def stage_throw(take: Take, thrown: Thrown, at: float, bearing_deg: float) -> Rolling:
    """Add to a take a hand that throws at `at` seconds and the dice that leave it."""
    rolling = Rolling(at, thrown.roll, thrown.rotations)
    take.stretches.append(rolling)
    middle, speed = thrown.release.positions.mean(axis=0), thrown.release.velocities.mean(axis=0)
    take.hands.append(throwing(at, middle, speed, bearing_deg))
    return rolling


def quiet_clip(rng: np.random.Generator, stage: Stage, weather: Weather, what: str) -> Clip:
    """Nothing is thrown: a hand over the board, a light, a nudge, dice taken away."""
    take = Take()
    bearing = stage.bearing_deg(float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 12)))
    faces: list[int] = []
    if what != "hand":
        start, die, apart = int(rng.integers(1 << 30)), Die(stage.edge_mm), Room(20, 4)
        thrown = find_throw(start, stage.tray, bearing, die=die, room=apart, printed=stage.printed)
        take.stretches.append(Lying(0.0, tuple(zip(thrown.roll.positions[-1], thrown.rotations[-1], strict=True))))
        faces = [end.face for end in thrown.ends]
    take.length_s = 3.2
    if what in ("hand", "hand_over_dice"):
        over: Array = rng.normal(0, 25, 2)
        take.hands.append(passing(0.5, bearing, over, 0.6))
        take.length_s = take.hands[-1].end + 1.2
    elif what == "lifted":
        take.lift(lifting(1.2, take.lying(0.0), bearing))
        take.length_s = take.hands[-1].end + 1.0
    elif what == "light":
        down, up = float(rng.uniform(0.45, 0.75)), float(rng.uniform(1.05, 1.3))
        weather = replace(weather, steps=((0.8, down), (1.7, up)))
    else:
        weather = replace(weather, sway_px=float(rng.uniform(0.8, 2.5)))
    record: dict[str, Any] = {"rest_frame": None, "expect": "none", "dice": [], "outside": 0, "rim": 0}
    return Clip(take, weather, record | {"notes": what, "kind": "none", "start_dice": faces})


def poses_of(take: Take) -> list[dict[str, Any]]:
    """Every frame's dice and hand: positions in mm (world, z up) and rotations (3×3), null while not to be seen."""
    rows = []
    for i in range(take.frames):
        hand = take.hand(i / FPS)
        dice = [
            None if pose is None else {"at": _rounded(pose[0]), "rotation": [_rounded(row, 5) for row in pose[1]]}
            for pose in take.dice(i / FPS)
        ]
        wrist = None if hand is None else [*_rounded(hand.wrist), round(hand.heading_deg, 2), round(hand.grip, 3)]
        rows.append({"frame": i, "dice": dice, "hand": wrist})
    return rows


def _note(thrown: Thrown) -> str:
    notes = []
    for end in thrown.ends:
        if end.pose is Pose.COCKED:
            notes.append(f"one die leans {end.lean_deg:.0f} degrees")
        elif end.pose is Pose.STACKED:
            notes.append("one die lies on another")
        elif end.where is not Where.INSIDE:
            notes.append(f"one die lies {'on the rim' if end.where is Where.RIM else 'on the table'}")
    return ", ".join(notes)


def _rounded(values: Any, digits: int = 1) -> list[float]:
    return [round(float(v), digits) for v in values]
