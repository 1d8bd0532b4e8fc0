"""The middle of the screen: everybody's strokes, or a game's own board, told apart by the cells of the `View`.

A game that brings cells unknown here shows its players with strokes or figures, and its figures as words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from device.displays.ink import Canvas, Ink
from device.displays.letters import HEIGHT, fitted, width, write
from device.displays.marks import SHAPES, die, strokes
from device.web.page import Page, Player
from scorer.game import Cell, View

ROOMY = 100  # units of height from which a screen has room for double letters
MOST_IN_COLUMN = 4
LOWEST_ROW = HEIGHT + 1


@dataclass(frozen=True)
class Area:
    """A piece of the screen, in units."""

    x: int
    y: int
    width: int
    height: int

    def below(self, height: int) -> Area:
        return Area(self.x, self.y + height, self.width, self.height - height)


def board(canvas: Canvas, area: Area, view: View, told: Page) -> None:
    """Draws what the game has on its board into `area`."""
    cells: dict[str, list[Cell]] = {}
    for cell in view.board:
        cells.setdefault(cell.key, []).append(cell)
    for key, draw in _BOARDS.items():
        if key in cells:
            draw(canvas, area, cells, told)
            return
    players(canvas, area, told)


def players(canvas: Canvas, area: Area, told: Page, bars: Mapping[str, tuple[float, float]] | None = None) -> None:
    """One row a player, in two columns where one has no room; nothing where two have none.

    `bars`: how far each is, and would be, from 0 to 1.
    """
    count = len(told.players)
    columns = 1 if count <= MOST_IN_COLUMN and area.height >= count * (LOWEST_ROW + 1) else 2
    rows = -(-count // columns)
    if not rows or area.height < rows * LOWEST_ROW:
        return
    high = min(area.height // rows, 26 if canvas.height >= ROOMY else 17)
    gap = (area.height - rows * high) // (rows + 1)
    wide = area.width // columns
    for n, player in enumerate(told.players):
        column, row = divmod(n, rows)
        cell = Area(area.x + column * wide, area.y + gap + row * (high + gap), wide - (2 if columns == 2 else 0), high)
        _player(canvas, cell, player, None if bars is None else bars.get(player.name, (0.0, 0.0)))


def _player(canvas: Canvas, area: Area, player: Player, bar: tuple[float, float] | None) -> None:
    """A row: name, strokes, figure; in a narrow, high one the strokes stand below the name."""
    narrow = area.width < 100
    folded = narrow and area.height >= 2 * LOWEST_ROW
    size = 2 if not narrow and area.height >= 2 * HEIGHT + 2 else 1
    line = area.y + (area.height - 2 * LOWEST_ROW) // 2 if folded else area.y + (area.height - HEIGHT) // 2
    right = area.x + area.width - 1
    digits = str(player.number)
    figure = max(width("00", size), width(digits, size))
    top = line if folded else area.y + (area.height - HEIGHT * size) // 2
    ink = canvas.inks.quiet if player.gone else canvas.inks.text
    write(canvas, right - width(digits, size), top, digits, ink, size)
    named = area.width - figure - 4 if folded else 26 if narrow else 44
    _name(canvas, area.x, line, named, player, shape=folded or not narrow)
    if folded:
        rest = Area(area.x + 1, line + LOWEST_ROW + 1, area.width - 3, HEIGHT - 1)
    else:
        high = HEIGHT * size - (2 if size > 1 else 0)
        left = area.x + named + 2
        rest = Area(left, area.y + (area.height - high) // 2, right - figure - 2 - left, high)
    _strokes(canvas, rest, player, bar)


def _name(canvas: Canvas, x: int, y: int, wide: int, player: Player, *, shape: bool) -> None:
    """Shape and name; on a bar of the player's ink for the player to throw, struck through for one who is gone."""
    ink = canvas.inks.players[player.kind]
    if player.to_throw:
        canvas.box(x, y - 1, wide, HEIGHT + 2, ink)
        ink = canvas.inks.ground
    elif player.gone:
        ink = canvas.inks.quiet
    at = x + 1
    if shape:
        canvas.dots(at, y, SHAPES[player.shape], ink)
        at += 9
    name = fitted(player.name, x + wide - at - 1)
    end = write(canvas, at, y, name, ink)
    if player.gone:
        canvas.box(at - 1, y + HEIGHT // 2, end - at + 1, 1, ink)


def _strokes(canvas: Canvas, area: Area, player: Player, bar: tuple[float, float] | None) -> None:
    """The strokes, a bar, or what became of the player."""
    ink = canvas.inks.players[player.kind]
    if player.gone or (bar is None and not player.marks and not player.change):
        if not player.gone and area.width < 50:
            return  # no room for more than what the board says
        y = area.y + (area.height - HEIGHT) // 2
        write(canvas, area.x, y, fitted(player.badge.partition(" · ")[0], area.width), canvas.inks.quiet)
    elif bar is not None:
        _bar(canvas, area, bar, ink)
    else:
        change = int(player.change.replace("−", "-")) if player.change else 0
        strokes(canvas, area.x, area.y, (area.width, area.height), player.marks, change, ink)


def _bar(canvas: Canvas, area: Area, bar: tuple[float, float], ink: Ink) -> None:
    canvas.frame(area.x, area.y, area.width, area.height, canvas.inks.line)
    inner = area.width - 2
    have, hope = (round(inner * max(0.0, min(1.0, part))) for part in bar)
    canvas.box(area.x + 1, area.y + 1, have, area.height - 2, ink)
    for x in range(have, hope, 2):  # not banked yet
        canvas.box(area.x + 1 + x, area.y + 1, 1, area.height - 2, canvas.inks.strong)


def _aces(canvas: Canvas, area: Area, cells: Mapping[str, list[Cell]], told: Page) -> None:
    """Azen jagen: the count with its marks at 3, 6 and 9, and under each who has that role."""
    counter = cells["aces"][0]
    count, most = _number(counter.value), counter.of or 9
    marks = {_number(cell.value): cell for key in ("orderer", "taster", "drinker") for cell in cells.get(key, ())}
    roomy = canvas.height >= ROOMY
    edge = min(15 if roomy else 10, (area.width - 24) // most)
    y = area.y + 2
    for n in range(1, most + 1):
        x = area.x + (n - 1) * edge + 2 * ((n - 1) // 3)
        inside = edge - 2
        if n <= count:
            canvas.box(x, y, inside, edge, canvas.inks.strong)
        else:
            canvas.frame(x, y, inside, edge, canvas.inks.text if n in marks else canvas.inks.line)
        if n in marks:
            ink = canvas.inks.ground if n <= count else canvas.inks.text
            write(canvas, x + (inside - 4) // 2, y + (edge - HEIGHT) // 2, str(n), ink)
    size = 2 if roomy and edge >= 13 else 1
    write(canvas, area.x + area.width - width(str(count), size) - 1, y, str(count), canvas.inks.text, size)
    third = area.width // 3
    pays = {cell.player for cell in cells.get("payer", ())}
    for n, (_, cell) in enumerate(sorted(marks.items())):
        x, top = area.x + n * third, y + edge + 3
        write(canvas, x, top, fitted(told.wording.say("role", cell.key), third - 2), canvas.inks.quiet)
        name = cell.player or "–"
        holds = cell.player is not None
        if holds:
            kind = next((player.kind for player in told.players if player.name == cell.player), 0)
            ink = canvas.inks.players[kind]
        else:
            ink = canvas.inks.quiet
        write(canvas, x, top + 9, fitted(name, third - 2), ink)
    rest = area.below(edge + 24)
    if pays and rest.height >= HEIGHT:
        text = told.wording.say("display", "pays", player=", ".join(filter(None, pays)))
        write(canvas, rest.x, rest.y, fitted(text, rest.width), canvas.inks.warning)
        rest = rest.below(11)
    if roomy:
        players(canvas, rest, told)


def _scores(canvas: Canvas, area: Area, cells: Mapping[str, list[Cell]], told: Page) -> None:
    """Pig: how far everybody is, and the turn that is not banked yet."""
    turn = {cell.player: _number(cell.value) for cell in cells.get("turn_total", ())}
    bars = {
        cell.player: (
            _number(cell.value) / (cell.of or 100),
            (_number(cell.value) + turn.get(cell.player, 0)) / (cell.of or 100),
        )
        for cell in cells["score"]
        if cell.player is not None
    }
    players(canvas, area, told, bars)


def _crosses(canvas: Canvas, area: Area, cells: Mapping[str, list[Cell]], told: Page) -> None:
    """Sachsenkniffel: the field of the player to throw, the number fixed this turn marked; the others' totals."""
    thrower = next((player for player in told.players if player.to_throw), told.players[0])
    fixed = {_number(cell.value) for cell in cells.get("number", ()) if cell.value is not None}
    numbers = sorted(int(key.removeprefix("row_")) for key in cells if key.startswith("row_"))
    roomy = canvas.height >= ROOMY
    wide = area.width // max(1, len(numbers))
    high = 4 if roomy else 3
    ink = canvas.inks.players[thrower.kind]
    for n, number in enumerate(numbers):
        cell = next((c for c in cells[f"row_{number}"] if c.player == thrower.name), None)
        had, most = (0, 6) if cell is None else (_number(cell.value), cell.of or 6)
        x = area.x + n * wide
        if number in fixed:
            canvas.box(x, area.y - 1, wide - 1, HEIGHT + 2, canvas.inks.strong)
        label = canvas.inks.ground if number in fixed else canvas.inks.text if had < most else canvas.inks.quiet
        write(canvas, x + (wide - width(str(number))) // 2, area.y, str(number), label)
        for row in range(most):
            y = area.y + HEIGHT + 2 + (most - 1 - row) * high
            if row < had:
                canvas.box(x + 1, y, wide - 3, high - 1, ink)
            else:
                canvas.box(x + wide // 2 - 1, y + (high - 1) // 2, 1, 1, canvas.inks.line)
    rest = area.below(HEIGHT + 2 + 6 * high)
    if roomy:
        players(canvas, rest, told)
    else:
        text = "  ".join(f"{player.name} {player.number}" for player in told.players)
        write(canvas, rest.x, rest.y, fitted(text, rest.width), canvas.inks.text)


def _pile(canvas: Canvas, area: Area, cells: Mapping[str, list[Cell]], told: Page) -> None:
    """Bataclan: the pile, the die that it needs next, and how many dice everybody still has."""
    pile = cells["pile"][0]
    face = next((cell.value for cell in cells.get("next", ())), None)
    roomy = canvas.height >= ROOMY
    edge = 17 if roomy else 12
    text = told.wording.say("display", "pile", value=pile.value, of=pile.of)
    write(canvas, area.x, area.y + 3, fitted(text, area.width - 30 - edge), canvas.inks.text)
    if isinstance(face, int | str):
        x = area.x + area.width - edge - 1
        needed = told.wording.say("display", "next")
        write(canvas, x - 3 - width(needed), area.y + 3, needed, canvas.inks.quiet)
        die(canvas, x, area.y, edge, face)
    bars = {cell.player: (_number(cell.value) / 14, 0.0) for cell in cells.get("dice_left", ()) if cell.player}
    rest = area.below(edge + 1)
    if roomy or len(told.players) <= 2:
        players(canvas, rest, told, bars)
    else:
        columns = 3
        for n, player in enumerate(told.players):
            column, row = n % columns, n // columns
            x, y = rest.x + column * (rest.width // columns), rest.y + 2 + row * 10
            line = f"{fitted(player.name, rest.width // columns - 16)} {player.number}"
            if player.to_throw:
                canvas.box(x - 1, y - 1, width(line) + 2, HEIGHT + 2, canvas.inks.text)
            write(canvas, x, y, line, canvas.inks.ground if player.to_throw else canvas.inks.text)


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


_BOARDS: Mapping[str, Callable[[Canvas, Area, Mapping[str, list[Cell]], Page], None]] = {
    "aces": _aces,
    "score": _scores,
    "row_1": _crosses,
    "pile": _pile,
}
"""The cell that tells a board → how that board is drawn."""
