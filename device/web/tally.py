"""Chalk strokes as lines of an SVG: upright, in groups of three, each a little off as a hand draws them."""

from __future__ import annotations

from dataclasses import dataclass

WOBBLE = (0.0, 1.4, -0.9, 0.6, -1.6, 1.0, -0.4, 1.7, -1.2, 0.3, -0.7, 1.1)  # units of the drawing
STEP, GAP, HEIGHT, TOP = 13.0, 9.0, 44.0, 4.0
IN_GROUP = 3
ROWS = (9, 12)  # strokes side by side: nine as at the start, twelve where that makes one row do
IN_STRIP = 18  # on the long sides of a wide screen
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
    """All strokes of one player; `width` and `height` are those of the drawing, `change` what was added or wiped."""

    lines: tuple[Line, ...]
    width: float
    height: float

    @property
    def change(self) -> int:
        kinds = [line.kind for line in self.lines]
        return kinds.count("fresh") - kinds.count("wiped")


def tally(marks: int, change: int = 0, *, in_row: int | None = None) -> Tally:
    """Strokes that stand, of which the last `change` are fresh, or with −`change` wiped ones behind them.

    >>> [line.kind for line in tally(2, -1).lines]
    ['stands', 'stands', 'wiped']
    """
    marks = max(0, min(marks, MOST))
    wiped = max(0, min(-change, MOST - marks))
    fresh = max(0, min(change, marks))
    kinds = ["stands"] * (marks - fresh) + ["fresh"] * fresh + ["wiped"] * wiped
    columns = in_row or ROWS[len(kinds) > ROWS[0]]
    rows = max(1, -(-len(kinds) // columns))
    lines: list[Line] = []
    for n, kind in enumerate(kinds):
        row, column = divmod(n, columns)
        x = 6 + column * STEP + column // IN_GROUP * GAP
        y = TOP + row * (HEIGHT + 10)
        lean, lift = WOBBLE[n % len(WOBBLE)], WOBBLE[(n * 5 + 3) % len(WOBBLE)]
        lines.append(Line(x + lean, y + lift, x - lean, y + HEIGHT - lift, kind))
    width = 12 + (columns - 1) * STEP + (columns - 1) // IN_GROUP * GAP
    return Tally(tuple(lines), width, rows * (HEIGHT + 10) - 2)
