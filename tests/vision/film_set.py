"""A small drawn table for moving pictures: octagonal board, dice, a hand, a glass, light; and a reader that knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, dist, pi, sin

import cv2
import numpy as np

from vision.board import Board
from vision.frame import Frame, Picture
from vision.happenings import Happening, ThrowSeen, Unsure
from vision.octagon import regular_octagon
from vision.reading import BoardReading, DieReading, Pose, Problem
from vision.watcher import ThrowWatcher

cv2.setNumThreads(1)  # pictures this small gain nothing from more

WIDTH, HEIGHT, FPS = 400, 300, 30.0
MIDDLE = (200.0, 150.0)
DIE = 15.0
FELT, RIM = 210.0, 250.0  # across the flats
_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True)
class Die:
    x: float
    y: float
    face: int | None = 1
    angle: float = 10.0
    pose: Pose = Pose.FLAT
    moves: bool = False
    unseen: bool = False  # drawn, but the reader does not find it


@dataclass(frozen=True)
class Shot:
    """What one picture shows; `hand` is the tip of an arm that comes from `sleeve`, `shift` the camera's sway."""

    dice: tuple[Die, ...] = ()
    hand: tuple[float, float] | None = None
    sleeve: tuple[float, float] = (200.0, 310.0)
    held: tuple[Die, ...] = ()  # lie in the open hand
    glass: tuple[float, float] | None = None
    light: float = 1.0
    bands: float | None = None  # phase of the mains flicker
    shift: tuple[float, float] = (0.0, 0.0)
    board_at: tuple[float, float] = MIDDLE
    problems: tuple[Problem, ...] = ()


def octagon(across: float, at: tuple[float, float] = MIDDLE) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in regular_octagon(across) + np.array(at))


def board(at: tuple[float, float] = MIDDLE) -> Board:
    return Board(WIDTH, HEIGHT, octagon(FELT, at), octagon(RIM, at), felt_mm=FELT / DIE * 16.0)


def _cloth() -> Picture:
    rng = np.random.default_rng(5)
    coarse = rng.integers(90, 170, (24, 32, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (WIDTH + 40, HEIGHT + 40), interpolation=cv2.INTER_CUBIC), np.uint8)


_CLOTH = _cloth()
_NOISE = np.random.default_rng(6).normal(0, 2.0, (7, HEIGHT, WIDTH, 1)).round().repeat(3, axis=3).astype(np.int16)


def draw(shot: Shot, index: int) -> Picture:
    """The picture (BGR) of a shot; the noise of picture `index` is its own."""
    canvas = _CLOTH.copy()
    canvas = np.ascontiguousarray(canvas[20 : HEIGHT + 20, 20 : WIDTH + 20])
    _fill(canvas, octagon(RIM, shot.board_at), (60, 95, 130))
    _fill(canvas, octagon(FELT, shot.board_at), (70, 110, 50))
    for n in range(8):  # nails on the rim
        x, y = octagon((FELT + RIM) / 2, shot.board_at)[n]
        cv2.circle(canvas, (round(x), round(y)), 2, (30, 40, 60), -1)
    if shot.glass is not None:
        cv2.circle(canvas, (round(shot.glass[0]), round(shot.glass[1])), 26, (120, 190, 230), -1, cv2.LINE_AA)
        cv2.circle(canvas, (round(shot.glass[0]), round(shot.glass[1])), 26, (240, 245, 245), 3, cv2.LINE_AA)
    for die in shot.dice:
        _draw_die(canvas, die)
    if shot.hand is not None:
        _draw_hand(canvas, shot.hand, shot.sleeve)
        for die in shot.held:
            _draw_die(canvas, die)
    if shot.shift != (0.0, 0.0):
        matrix = np.array([[1, 0, shot.shift[0]], [0, 1, shot.shift[1]]], np.float64)
        canvas = cv2.warpAffine(canvas, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    lit = cv2.convertScaleAbs(canvas, alpha=shot.light)
    if shot.bands is not None:
        rows = 1.0 + 0.06 * np.sin(np.arange(HEIGHT) / HEIGHT * 4 * pi + shot.bands)
        lit = np.clip(lit * rows[:, None, None], 0, 255).astype(np.uint8)
    return np.asarray(cv2.add(lit, _NOISE[index % 7], dtype=cv2.CV_8U), np.uint8)


def _fill(canvas: Picture, corners: Sequence[tuple[float, float]], colour: tuple[int, int, int]) -> None:
    cv2.fillPoly(canvas, [np.round(np.array(corners) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def _turned(die: Die, u: float, v: float) -> tuple[float, float]:
    c, s = cos(die.angle * pi / 180), sin(die.angle * pi / 180)
    return die.x + u * c - v * s, die.y + u * s + v * c


def _draw_die(canvas: Picture, die: Die) -> None:
    h = DIE / 2
    corners = [_turned(die, u, v) for u, v in ((-h, -h), (h, -h), (h, h), (-h, h))]
    _fill(canvas, corners, (205, 225, 235))
    for u, v in _PIPS[die.face or 3]:
        x, y = _turned(die, u * 0.27 * DIE, v * 0.27 * DIE)
        cv2.circle(canvas, (round(x * 16), round(y * 16)), round(0.09 * DIE * 16), (20, 20, 20), -1, cv2.LINE_AA, 4)


def _draw_hand(canvas: Picture, tip: tuple[float, float], sleeve: tuple[float, float]) -> None:
    start, end = (round(sleeve[0]), round(sleeve[1])), (round(tip[0]), round(tip[1]))
    cv2.line(canvas, start, end, (120, 150, 205), 44, cv2.LINE_AA)
    cv2.circle(canvas, end, 30, (125, 155, 212), -1, cv2.LINE_AA)
    for k in (-1, 0, 1):
        cv2.line(canvas, end, (end[0] + 14 * k, end[1] - 34), (130, 160, 215), 10, cv2.LINE_AA)


class KnowingReader:
    """Tells what the shot of the frame shows: a die that moves has a face by chance, one under the hand is not seen."""

    def __init__(self, shots: Sequence[Shot]) -> None:
        self.shots = shots
        self.reads: list[int] = []

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        assert board is not None
        self.reads.append(frame.index)
        shot = self.shots[frame.index]
        dice = [die for die in shot.dice if not die.unseen]
        if shot.hand is not None:
            dice = [die for die in dice if dist((die.x, die.y), shot.hand) > 40]
        dice += shot.held
        read = tuple(self._read(die, frame.index, board, shot) for die in dice)
        return BoardReading(read, shot.problems)

    def _read(self, die: Die, index: int, board: Board, shot: Shot) -> DieReading:
        die = replace(die, x=die.x + shot.shift[0], y=die.y + shot.shift[1])
        h = DIE / 2
        corners = tuple(_turned(die, u, v) for u, v in ((-h, -h), (h, -h), (h, h), (-h, h)))
        xs, ys = zip(*corners, strict=True)
        face = die.face
        if die.moves:
            face = 1 + (index * 7 + round(die.x)) % 6
        where = board.where((die.x, die.y))
        return DieReading(
            face if die.pose is Pose.FLAT else None,
            0.999,
            1 + (face or 1) % 6,
            (min(xs), min(ys), max(xs), max(ys)),
            corners,  # type: ignore[arg-type]
            where,
            die.pose,
        )


THREE = (Die(160, 130, 1, 20), Die(215, 170, 3, 45), Die(250, 120, 5, 70))
LYING = Shot(THREE)
SECOND = (Die(180, 160, 2, 5), Die(230, 130, 2, 30), Die(205, 100, 6, 60))
"""What is thrown after `THREE`."""


def still(shot: Shot, frames: int) -> list[Shot]:
    return [shot] * frames


def roll(
    end: Sequence[Die], base: Shot | None = None, frames: int = 20, side: tuple[float, float] = (200, 235)
) -> list[Shot]:
    """Dice come in from `side` and roll, ever slower, to where they end; what `base` shows stays."""
    base = base or Shot()
    shots = []
    for n in range(frames):
        rest = (1 - (n + 1) / (frames + 1)) ** 2
        dice = tuple(
            replace(
                die,
                x=die.x + (side[0] + 18 * k - die.x) * rest,
                y=die.y + (side[1] - die.y) * rest,
                angle=die.angle + 700 * rest,
                face=1 + (n + k) % 6,
                pose=Pose.FLAT,
                moves=True,
            )
            for k, die in enumerate(end)
        )
        shots.append(replace(base, dice=base.dice + dice))
    return shots


def throw(end: Sequence[Die] = THREE, base: Shot | None = None, after: int = 30) -> list[Shot]:
    base = base or Shot()
    return [*roll(end, base), *still(replace(base, dice=base.dice + tuple(end)), after)]


def reach(
    shot: Shot,
    to: tuple[float, float],
    frames: int = 8,
    back: bool = False,
    sleeve: tuple[float, float] = (200.0, 310.0),
) -> list[Shot]:
    """A hand comes from the sleeve to a point, or goes back."""
    steps = [(n + 1) / frames for n in range(frames)]
    if back:
        steps = [1 - step for step in steps]
    shots = []
    for step in steps:
        tip = (sleeve[0] + (to[0] - sleeve[0]) * step, sleeve[1] + 60 + (to[1] - sleeve[1] - 60) * step)
        shots.append(replace(shot, hand=tip, sleeve=sleeve))
    return shots


def scooped(shot: Shot) -> list[Shot]:
    """A hand takes the dice up: it covers them, then goes with them."""
    over = (205.0, 150.0)
    gone = replace(shot, dice=())
    return [*reach(shot, over), *still(replace(gone, hand=over), 3), *reach(gone, over, back=True)]


def watch(
    shots: Sequence[Shot],
    *,
    expected: int = 3,
    watcher: ThrowWatcher | None = None,
    find_board: Callable[[Picture], Board | None] | None = None,
    fps: float = FPS,
    end: bool = True,
) -> list[Happening]:
    """All that a watcher tells of these shots."""
    watcher = watcher or ThrowWatcher(KnowingReader(shots), board(), expected=expected, find_board=find_board)
    happened: list[Happening] = []
    for index, shot in enumerate(shots):
        happened += watcher.see(Frame(draw(shot, index), index / fps, index=index))
    return happened + (watcher.finish() if end else [])


def throws(happened: Iterable[Happening]) -> list[ThrowSeen]:
    return [one for one in happened if isinstance(one, ThrowSeen)]


def asked_or_told(happened: Iterable[Happening]) -> list[tuple[str, tuple[int | None, ...]]]:
    """The word and the dice of each throw told, and of each question."""
    return [(one.event, one.dice) for one in happened if isinstance(one, ThrowSeen | Unsure)]


def words(happened: Iterable[Happening]) -> list[str]:
    return [one.event for one in happened]
