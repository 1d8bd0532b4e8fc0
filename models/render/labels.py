"""What the picture shows, in numbers: exact labels from the scene's geometry, lens included."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.render.hands import hand_solid
from models.render.layouts import FACE_AXES
from models.render.scene import Board, Die, Scene

Array = npt.NDArray[np.float64]
FLAT_BELOW_DEG = 3.0
"""A die tilted less than this lies flat."""
_COARSE = 4
"""Pixels of the picture to one of those in which a hand's outline is traced."""
_AHEAD_MM = 20.0
"""What is nearer to the camera, or behind it, is not in the picture."""


def top_side(die: Die) -> int:
    """Index (+x, -x, +y, -y, +z, -z) of the side that looks up most."""
    up = np.array(die.rotation)[2]
    return int(np.argmax([up @ axes[2] for axes in FACE_AXES]))


def top_tilt_deg(die: Die) -> float:
    """Angle in degrees between the top side and level."""
    up = np.array(die.rotation)[2] @ FACE_AXES[top_side(die)][2]
    return float(np.degrees(np.arccos(np.clip(up, -1, 1))))


def to_world(die: Die, points: Array) -> Array:
    """Points (N, 3) in half edges of the die as world mm."""
    return np.asarray(points * (die.edge_mm / 2) @ np.array(die.rotation).T + np.array(die.position))


def seen_normal(scene: Scene, die: Die) -> list[float]:
    """How the top side looks past the camera: its unit normal's part across the line of sight, along the picture's
    x and y. Of length 0 where the top is seen head on, the sine of the angle to the line of sight elsewhere.
    """
    axes = FACE_AXES[top_side(die)]
    middle = scene.camera.to_camera(to_world(die, axes[2][None]))[0]
    normal = np.array(scene.camera.rotation) @ np.array(die.rotation) @ axes[2]
    x, y, z = middle / np.linalg.norm(middle)
    # the least turn that brings the line of sight onto z
    level = np.array([[1 - x * x / (1 + z), -x * y / (1 + z), -x], [-x * y / (1 + z), 1 - y * y / (1 + z), -y]])
    return [round(float(v), 3) for v in level @ normal]


def where(scene: Scene, die: Die) -> str | None:
    """Inside the board, on its rim, outside, or None without a board."""
    if scene.board is None:
        return None
    depth = scene.board.depth_inside(die.position[0], die.position[1])
    if depth >= 0:
        return "inside"
    return "rim" if depth >= -scene.board.rim_width else "outside"


def pose(scene: Scene, die: Die) -> str:
    """flat, cocked, stacked (on another die) or under (another die lies on it)."""
    for other in scene.dice:
        if other is die:
            continue
        gap = np.array(other.position) - np.array(die.position)
        if np.hypot(gap[0], gap[1]) < 0.85 * die.edge_mm and abs(gap[2]) > 0.6 * die.edge_mm:
            return "under" if gap[2] > 0 else "stacked"
    return "flat" if top_tilt_deg(die) < FLAT_BELOW_DEG else "cocked"


def die_record(scene: Scene, die: Die, mesh: Array, visible: float) -> dict[str, Any]:
    """The record of one die; `mesh` (N, 3) are the world points of its surface."""
    side = top_side(die)
    axes = FACE_AXES[side]
    value = die.look.faces[side]
    symbol = die.look.symbols[value - 1] >= 0
    square = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], np.float64) @ axes
    corners = scene.camera.project(to_world(die, square))
    if _area(corners) < 0:
        corners = corners[::-1]
    outline = scene.camera.project(mesh)
    centre = scene.camera.project(to_world(die, axes[2][None]))[0]
    return {
        "face": None if symbol else value,
        "true_top": value,
        "symbol": symbol,
        "box": [*_tenth(outline.min(axis=0)), *_tenth(outline.max(axis=0))],
        "corners": [_tenth(c) for c in corners],
        "center_top": _tenth(centre),
        "pips": [_tenth(q) for q in top_pips(scene, die)],
        "pose": pose(scene, die),
        "tilt_deg": round(top_tilt_deg(die), 1),
        "normal": seen_normal(scene, die),
        "visible": round(visible, 3),
        "framed": round(framed(scene, outline), 3),
        "die_px": round(float(np.sqrt(abs(_area(corners)))), 1),
        "where": where(scene, die),
        "material": die.look.material,
        "pip_style": die.look.pip_style,
        "handed": "right" if die.look.faces[2] == 3 else "left",
    }


def top_pips(scene: Scene, die: Die) -> Array:
    """Middles of the top side's pips in the picture (n, 2); none where it shows a symbol."""
    side = top_side(die)
    value = die.look.faces[side]
    if die.look.symbols[value - 1] >= 0:
        return np.zeros((0, 2))
    spots = np.array([(u, v, 1.0) for u, v, _, _ in die.look.layout.pips[value - 1]])
    return scene.camera.project(to_world(die, spots @ FACE_AXES[side]))


def framed(scene: Scene, outline: Array) -> float:
    """Share of a die's silhouette that lies inside the picture; `outline` (N, 2) px are its points, seen convex."""
    w, h = float(scene.camera.width), float(scene.camera.height)
    hull = cv2.convexHull(outline.astype(np.float32))
    picture = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    whole = float(cv2.contourArea(hull))
    inside, _ = cv2.intersectConvexConvex(hull, picture)
    return float(np.clip(inside / max(whole, 1e-6), 0, 1))


def board_px(scene: Scene, board: Board) -> dict[str, list[list[float]]]:
    """The corners of the floor and of the rim's upper edges, outer and inner (for `models.boards`), in picture px."""
    rings = {
        "floor": board.octagon(),
        "rim_outer": board.octagon(board.rim_width, board.rim_height),
        "rim_inner": board.octagon(0.0, board.rim_height),
    }
    return {name: [_tenth(q) for q in scene.camera.project(ring)] for name, ring in rings.items()}


def hand_px(scene: Scene) -> list[list[list[int]]]:
    """What hand and sleeve cover of the picture: outlines in px, as whole numbers; none where no hand is in sight."""
    if scene.hand is None:
        return []
    places = hand_solid(scene.hand)[:, :3]
    ahead = (scene.camera.to_camera(places)[:, 2] > _AHEAD_MM).reshape(-1, 3).all(axis=1)
    triangles = scene.camera.project(places).reshape(-1, 3, 2)[ahead] / _COARSE
    size = -(-scene.camera.height // _COARSE), -(-scene.camera.width // _COARSE)
    near = (triangles.max(axis=1) >= 0).all(axis=1) & (triangles.min(axis=1) < size[::-1]).all(axis=1)
    covered = np.zeros(size, np.uint8)
    for triangle in np.round(triangles[near]).astype(np.int32):
        cv2.fillConvexPoly(covered, triangle, (1,))
    outlines, _ = cv2.findContours(covered, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    traced = (cv2.approxPolyDP(outline, 1.0, True)[:, 0] * _COARSE for outline in outlines)
    return [outline.tolist() for outline in traced if len(outline) > 2]


def picture_record(scene: Scene, dice: list[dict[str, Any]]) -> dict[str, Any]:
    """The record of a whole picture, without its file name; dice wholly outside the picture are left out."""
    w, h = scene.camera.width, scene.camera.height
    hand = hand_px(scene)
    dice = [d for d in dice if d["box"][0] < w and d["box"][1] < h and d["box"][2] > 0 and d["box"][3] > 0]
    return {
        "width": scene.camera.width,
        "height": scene.camera.height,
        "kind": scene.kind,
        "seed": scene.seed,
        "dice": dice,
        "hand": bool(hand),
        "hand_px": hand,
        "board_px": None if scene.board is None else board_px(scene, scene.board),
        "felt": scene.board.floor.kind if scene.board else scene.ground.kind,
        "light": scene.light.name,
        "tilt_deg": round(scene.tilt_deg, 1),
        "k1": round(scene.camera.k1, 4),
    }


def _area(q: Array) -> float:
    """Signed area of a quadrilateral in px², positive when it runs clockwise as seen in the picture."""
    x, y = q[:, 0], q[:, 1]
    return float(0.5 * (x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def _tenth(point: Array) -> list[float]:
    return [round(float(v), 2) for v in point]
