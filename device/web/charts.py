"""What the charts of an evening are drawn from: places in a picture of 360 units across, nothing decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from device.fairness import Fairness
from device.played import Line
from device.web.page import SHAPES

Place = Callable[[float], float]
WIDTH = 360.0
_TOP, _FLOOR = 26.0, 170.0  # of the columns; below stand the dice
_NARROWEST = 13.0  # between two names at the end of their lines
DASHES = ("", "7 3", "2 3", "9 3 2 3", "14 4", "4 4", "1 4", "12 3 2 3 2 3")
"""One for each player, so that lines are told apart without their colours."""


@dataclass(frozen=True)
class Column:
    """One face: its bar, and what fell. `odd` marks the one furthest off where the dice look odd."""

    face: int | str
    count: int
    x: float
    y: float
    height: float
    odd: bool


@dataclass(frozen=True)
class FaceChart:
    """`high`, `low`: between them a fair face usually lies; `expected`: the line in the middle."""

    columns: tuple[Column, ...]
    expected: float
    high: float
    low: float
    floor: float = _FLOOR
    width: float = 36.0


def faces(counts: Sequence[int], told: Fairness, *, is_g: bool = False) -> FaceChart:
    """The columns of the six faces; `is_g`: the dice show a G for an ace."""
    most = max(1.0, *counts, told.usual[1])

    def height(count: float) -> float:
        return (_FLOOR - _TOP) * count / most

    is_odd = told.verdict in ("a_little_odd", "odd", "hardly_chance")
    columns = tuple(
        Column("G" if is_g and face == 1 else face, count, x, _FLOOR - tall, tall, is_odd and face == told.face)
        for face, count in enumerate(counts, 1)
        for x, tall in [(14 + (face - 1) * 59.2, height(count))]
    )
    return FaceChart(columns, *(_FLOOR - height(value) for value in (told.expected, told.usual[1], told.usual[0])))


@dataclass(frozen=True)
class Bar:
    """One game in the chart of lengths."""

    y: float
    width: float
    label: str
    value: str
    href: str


def bars(games: Sequence[tuple[str, str, float, str]]) -> tuple[Bar, ...]:
    """A bar for each label, value, number and address."""
    most = max((number for _, _, number, _ in games), default=0) or 1.0
    return tuple(
        Bar(n * 40.0, max(2.0, (WIDTH - 4) * number / most), label, value, href)
        for n, (label, value, number, href) in enumerate(games)
    )


@dataclass(frozen=True)
class Step:
    """One player's line, its name and shape at the end."""

    name: str
    number: int
    kind: int
    shape: str
    dash: str
    path: str
    x: float
    y: float
    label_y: float


@dataclass(frozen=True)
class Course:
    """Lines over the throws; `rows` are figures with their height, `columns` throws with their place."""

    steps: tuple[Step, ...]
    rows: tuple[tuple[int, float], ...]
    columns: tuple[tuple[int, float], ...]
    left: float = 26.0
    right: float = 246.0
    top: float = 12.0
    floor: float = 200.0


def course(lines: Sequence[Line], players: Sequence[str]) -> Course | None:
    """What stood beside each name after each throw; None for a game of fewer than two throws."""
    told = [line for line in lines if not line.void]
    if len(told) < 2:
        return None
    left, right, top, floor = Course.left, Course.right, Course.top, Course.floor
    highest = max(1, *(max(line.figures.values(), default=0) for line in told))
    lowest = min(0, *(min(line.figures.values(), default=0) for line in told))

    def x(place: float) -> float:
        return left + (right - left) * place / (len(told) - 1)

    def y(figure: float) -> float:
        return floor - (floor - top) * (figure - lowest) / (highest - lowest)

    steps = []
    for kind, name in enumerate(players):
        figures = [line.figures.get(name) for line in told]
        path = _path(figures, x, y)
        number = next((figure for figure in reversed(figures) if figure is not None), None)
        if number is not None:
            n = kind % len(SHAPES)
            steps.append(Step(name, number, n, SHAPES[n], DASHES[n], path, right, y(number), y(number)))
    by, every = _pace(highest - lowest), _pace(len(told), 5)
    rows = tuple((figure, y(figure)) for figure in range(lowest - lowest % by, highest + 1, by) if figure >= lowest)
    columns = tuple((throw, x(throw - 1)) for throw in range(every, len(told) + 1, every))
    return Course(_apart(steps, top, floor), rows, columns)


def _path(figures: Sequence[int | None], x: Place, y: Place) -> str:
    """Steps: across, then up or down; a player who came later begins later."""
    path, before = "", None
    for place, figure in enumerate(figures):
        if figure is None:
            continue
        if before is None:
            path = f"M{x(place):.1f} {y(figure):.1f}"
        elif figure != before:
            path += f"H{x(place):.1f}V{y(figure):.1f}"
        before = figure
    return path + f"H{x(len(figures) - 1):.1f}"


def _pace(span: int, most: int = 6) -> int:
    """A round distance between marks, so that there are at most `most`.

    >>> _pace(9), _pace(249, 5), _pace(100)
    (2, 50, 20)
    """
    pace = 1
    while span / pace > most:
        pace = next(one for ten in range(9) for one in (10**ten, 2 * 10**ten, 5 * 10**ten) if one > pace)
    return pace


def _apart(steps: Sequence[Step], top: float, floor: float) -> tuple[Step, ...]:
    """The same with their names so far apart that they can be read."""
    ordered = sorted(steps, key=lambda step: step.y)
    places = [step.y for step in ordered]
    for n in range(1, len(places)):
        places[n] = max(places[n], places[n - 1] + _NARROWEST)
    if places and (over := places[-1] - floor) > 0:
        places[-1] -= over
        for n in range(len(places) - 2, -1, -1):
            places[n] = min(places[n], places[n + 1] - _NARROWEST)
    labels = {step.name: place for step, place in zip(ordered, places, strict=True)}
    return tuple(replace(step, label_y=labels[step.name]) for step in steps)


def ends(players: Mapping[str, int]) -> str:
    """Names with what stands beside them, for those who do not see the picture."""
    return ", ".join(f"{name} {number}" for name, number in players.items())
