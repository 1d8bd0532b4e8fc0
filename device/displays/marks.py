"""Small drawings: dice, chalk strokes, the players' shapes, the eye."""

from __future__ import annotations

from device.displays.ink import Canvas, Ink
from device.displays.letters import HEIGHT, width, write
from scorer.events import Face

PIPS: dict[Face, str] = {
    1: "...,.#.,...",
    2: "#..,...,..#",
    3: "#..,.#.,..#",
    4: "#.#,...,#.#",
    5: "#.#,.#.,#.#",
    6: "#.#,#.#,#.#",
}
# edge of a die in units → (edge to the first pip, edge of a pip, from pip to pip): pips never touch
DICE = {17: (3, 3, 4), 12: (2, 2, 3), 9: (1, 1, 3)}
SHAPES = {
    "circle": ("..###..", ".#####.", "#######", "#######", "#######", ".#####.", "..###.."),
    "square": (".......", ".#####.", ".#####.", ".#####.", ".#####.", ".#####.", "......."),
    "triangle": ("...#...", "...#...", "..###..", "..###..", ".#####.", ".#####.", "#######"),
    "diamond": ("...#...", "..###..", ".#####.", "#######", ".#####.", "..###..", "...#..."),
    "hexagon": ("..###..", ".#...#.", "#.....#", "#.....#", "#.....#", ".#...#.", "..###.."),
    "star": ("...#...", "...#...", "#######", ".#####.", "..###..", ".##.##.", "#.....#"),
    "cross": ("..###..", "..###..", "#######", "#######", "#######", "..###..", "..###.."),
    "drop": ("...#...", "..#.#..", "..#.#..", ".#...#.", "#.....#", "#.....#", ".#####."),
}
EYE = (
    "....#######....",
    "..##.......##..",
    ".#...#####...#.",
    "#...##...##...#",
    "#...#..#..#...#",
    "#...##...##...#",
    ".#...#####...#.",
    "..##.......##..",
    "....#######....",
)
IN_GROUP = 3
# (breadth of a stroke, gap behind it, further gap behind a group), the roomiest first
STROKES = ((2, 2, 3), (2, 1, 2), (1, 1, 2), (1, 1, 1))


def die(canvas: Canvas, x: int, y: int, edge: int, face: Face | None, place: str = "felt") -> None:
    """A white die with its pips; a frame where it lies outside (↗) or on the rim (–), or is not known (?)."""
    inks = canvas.inks
    sign = {"outside": "↗", "rim": "–"}.get(place, "?" if face is None else "")
    if sign:
        canvas.frame(x, y, edge, edge, inks.warning)
        write(canvas, x + (edge - width(sign) + 1) // 2, y + (edge - HEIGHT) // 2, sign, inks.warning)
        return
    canvas.box(x, y + 1, edge, edge - 2, inks.text)
    canvas.box(x + 1, y, edge - 2, edge, inks.text)
    pips = PIPS.get(face) if face is not None else None
    if pips is None:
        write(canvas, x + (edge - width(str(face)) + 1) // 2, y + (edge - HEIGHT) // 2, str(face), inks.ground)
        return
    margin, pip, step = DICE[edge]
    for down, row in enumerate(pips.split(",")):
        for across, dot in enumerate(row):
            if dot == "#":
                canvas.box(x + margin + across * step, y + margin + down * step, pip, pip, inks.ground)


def strokes(canvas: Canvas, x: int, y: int, room: tuple[int, int], marks: int, change: int, ink: Ink) -> None:
    """Chalk strokes in groups of three in `room` (width, height), as many as fit; the figure beside them tells all.

    `change`: the last so many are new (strong), or, below zero, so many were wiped (dotted, behind the others).
    """
    wide, high = room
    wiped = max(0, -change)
    count = marks + wiped
    breadth, gap, group = next((s for s in STROKES if _wide(count, s) <= wide), STROKES[-1])
    at = x
    for n in range(count):
        if at + breadth > x + wide:
            break
        if n >= marks:
            for dot in range(0, high, 3):
                canvas.box(at, y + dot, breadth, 1, canvas.inks.quiet)
        else:
            canvas.box(at, y, breadth, high, canvas.inks.strong if n >= marks - change else ink)
        at += breadth + gap + (group if n % IN_GROUP == IN_GROUP - 1 else 0)


def throws(canvas: Canvas, right: int, y: int, used: int, left: int, ink: Ink) -> int:
    """Squares that end at `right`: hollow for throws used, full for those left; gives back where they begin."""
    x = right
    for n in range(used + left):
        x -= 6
        if n < left:
            canvas.box(x, y, 5, 5, ink)
        else:
            canvas.frame(x, y, 5, 5, ink)
    return x


def _wide(count: int, how: tuple[int, int, int]) -> int:
    breadth, gap, group = how
    return count * (breadth + gap) + max(0, count - 1) // IN_GROUP * group - gap if count else 0
