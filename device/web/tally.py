"""Chalk strokes as lines of an SVG: upright, in groups of three, each a little off as a hand draws them."""

from __future__ import annotations

from dataclasses import dataclass

WOBBLE = (0.0, 1.4, -0.9, 0.6, -1.6, 1.0, -0.4, 1.7, -1.2, 0.3, -0.7, 1.1)  # units of the drawing
STEP, GAP, HEIGHT, TOP = 13.0, 9.0, 44.0, 4.0
IN_GROUP = 3
IN_ROW = 9
MOST = 90  # more strokes than anybody can count at a glance: the figure beside them tells


@dataclass(frozen=True)
class Line:
    """One stroke from (x1, y1) to (x2, y2); `kind`: stands, fresh (just added) or wiped (just taken off)."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True)
class Tally:
    """All strokes of one player; `width` and `height` are those of the drawing."""

    lines: tuple[Line, ...]
    width: float
    height: float


def tally(marks: int, change: int = 0) -> Tally:
    """Strokes that stand, of which the last `change` are fresh, or with −`change` wiped ones behind them.

    >>> [line.kind for line in tally(2, -1).lines]
    ['stands', 'stands', 'wiped']
    """
    marks = max(0, min(marks, MOST))
    wiped = max(0, min(-change, MOST - marks))
    fresh = max(0, min(change, marks))
    kinds = ["stands"] * (marks - fresh) + ["fresh"] * fresh + ["wiped"] * wiped
    rows = max(1, -(-len(kinds) // IN_ROW))
    columns = IN_ROW
    lines: list[Line] = []
    for n, kind in enumerate(kinds):
        row, column = divmod(n, IN_ROW)
        x = 6 + column * STEP + column // IN_GROUP * GAP
        y = TOP + row * (HEIGHT + 10)
        lean, lift = WOBBLE[n % len(WOBBLE)], WOBBLE[(n * 5 + 3) % len(WOBBLE)]
        lines.append(Line(x + lean, y + lift, x - lean, y + HEIGHT - lift, kind))
    width = 12 + (columns - 1) * STEP + (columns - 1) // IN_GROUP * GAP
    return Tally(tuple(lines), width, rows * (HEIGHT + 10) - 2)
