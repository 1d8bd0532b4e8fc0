"""What a picture shows, in numbers, in the form that training and evaluation read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from models.second.board import Tray
from models.second.die_mesh import SIDES
from models.second.rest import Die
from models.second.shot import Shot
from models.second.solid import Floats
from models.second.trace import Flags

LEAST_SEEN = 0.7
"""Of a die of which less is seen nobody need tell the face."""
_LINE = np.linspace(-0.72, 0.72, 13)


@dataclass(frozen=True)
class Sight:
    """How much of a die's top is seen, and whether the middles of all its pips are."""

    share: float
    pips: bool


def face_of(die: Die) -> int:
    """The face that looks up most."""
    return die.style.values[die.top]


def lean_of(die: Die) -> float:
    """Degrees between the top and level."""
    return float(np.degrees(np.arccos(np.clip((die.rotation @ SIDES[die.top][2])[2], -1, 1))))


def _on_top(die: Die, places: Floats) -> Floats:
    """Places (n, 2) on the top side, in half edges, as world points."""
    spots = np.column_stack([places, np.ones(len(places))]) @ SIDES[die.top]
    return np.asarray(spots * (die.edge / 2) @ die.rotation.T + die.middle)


def _pips(die: Die) -> Floats:
    return _on_top(die, np.array(die.style.spots[face_of(die) - 1])[:, :2])


def places_to_see(shot: Shot) -> Floats:
    """All places whose sight `sights` asks for: a grid on each top, then its pips."""
    grid = np.stack(np.meshgrid(_LINE, _LINE), -1).reshape(-1, 2)
    every = [p for die in shot.dice for p in (_on_top(die, grid), _pips(die))]
    return np.concatenate(every) if every else np.zeros((0, 3))


def sights(shot: Shot, seen: Flags) -> list[Sight]:
    made, at = [], 0
    for die in shot.dice:
        pips_at = at + len(_LINE) ** 2
        end = pips_at + face_of(die)
        made.append(Sight(float(seen[at:pips_at].mean()), bool(seen[pips_at:end].all())))
        at = end
    return made


def picture_record(shot: Shot, seen: list[Sight]) -> dict[str, Any]:
    """The record of a picture, without its file's name."""
    return {
        "width": shot.eye.width,
        "height": shot.eye.height,
        "kind": "board",
        "seed": shot.seed,
        "dice": [_die_record(shot, die, sight) for die, sight in zip(shot.dice, seen, strict=True)],
        "hand": shot.hand,
        "board_px": {
            "floor": _rounded(shot.eye.project(shot.tray.ring(0.0, 0.0))),
            "rim_outer": _rounded(shot.eye.project(shot.tray.ring(shot.tray.rim_width, shot.tray.rim_height))),
        },
        "felt": shot.tray.felt,
        "light": shot.light.name,
        "tilt_deg": round(shot.tilt_deg, 1),
        "k1": round(shot.eye.k1, 4),
    }


def _die_record(shot: Shot, die: Die, sight: Sight) -> dict[str, Any]:
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    corners = shot.eye.project(_on_top(die, square))
    if _area(corners) < 0:
        corners = corners[::-1]
    outline = shot.eye.project(die.outline())
    told = die.pose == "flat" and sight.share >= LEAST_SEEN and sight.pips
    return {
        "face": face_of(die) if told else None,
        "true_top": face_of(die),
        "symbol": False,
        "box": _rounded(np.concatenate([outline.min(0), outline.max(0)])),
        "corners": _rounded(corners),
        "center_top": _rounded(shot.eye.project(_on_top(die, np.zeros((1, 2))))[0]),
        "pips": _rounded(shot.eye.project(_pips(die))),
        "pose": die.pose,
        "tilt_deg": round(lean_of(die), 1),
        "normal": [round(float(v), 3) for v in _past_sight(shot, die)],
        "visible": round(sight.share, 3),
        "die_px": round(float(np.sqrt(abs(_area(corners)))), 1),
        "where": _where(shot.tray, die),
        "material": die.style.material,
        "pip_style": f"{die.style.pip_how} {die.style.pips}",
        "handed": die.style.handed,
    }


def _where(tray: Tray, die: Die) -> str:
    inside = tray.inside_by(float(die.middle[0]), float(die.middle[1]))
    return "inside" if inside >= 0 else "rim" if inside >= -tray.rim_width else "outside"


def _past_sight(shot: Shot, die: Die) -> Floats:
    """The top's unit normal across the line of sight, along the picture's x and y."""
    sight = shot.eye.seen_from(_on_top(die, np.zeros((1, 2))))[0]
    sight /= np.linalg.norm(sight)
    normal = np.array(shot.eye.axes) @ die.rotation @ SIDES[die.top][2]
    ahead = np.array([0.0, 0.0, 1.0])
    axis = np.cross(sight, ahead)  # the least turn that brings the line of sight straight ahead
    turned = normal + np.cross(axis, normal) + np.cross(axis, np.cross(axis, normal)) / (1 + sight[2])
    return np.asarray(turned[:2])


def _area(corners: Floats) -> float:
    """In px², positive for corners that run clockwise as seen."""
    x, y = corners.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def _rounded(values: Floats) -> Any:
    return np.round(values, 2).tolist()
