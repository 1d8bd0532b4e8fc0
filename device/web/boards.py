"""A game's own board beside or instead of chalk: told apart by the cells of the `View`, so that new games need nothing.

Azen's row of aces and its roles, Bataclan's pile, Pig's way to the target, Sachsenkniffel's crosses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from device.wording import Wording
from scorer.events import Face
from scorer.game import Cell, View

NUMBERS = range(1, 13)  # rows of Sachsenkniffel
SIZES = ("large", "medium", "small")
Cells = Mapping[str, Sequence[Cell]]


@dataclass(frozen=True)
class Mark:
    """One place in a row: `filled` or not, and what it means with whose name ('' for nothing, '' for nobody yet)."""

    filled: bool
    role: str = ""
    who: str = ""


@dataclass(frozen=True)
class Pile:
    """The face that comes next, and how high the pile is."""

    next: Face
    height: int
    told: str


@dataclass(frozen=True)
class Own:
    """What stands in one player's piece of the rim. `bar`: how far, and would be, from 0 to 100.

    `crosses`: how many of six each number has; `dice`: how many large, medium and small ones are left.
    """

    bar: tuple[int, int] | None = None
    crosses: tuple[int, ...] = ()
    dice: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class GameBoard:
    """What the felt shows of the game itself."""

    aces: tuple[Mark, ...] = ()
    race: str = ""
    pile: Pile | None = None


def felt(view: View, wording: Wording) -> GameBoard:
    """The game's board for the middle of the screen."""
    cells = _by_key(view)
    if "aces" in cells and "race" in cells:
        return GameBoard(aces=_aces(cells, wording), race=str(cells["race"][0].value))
    if "pile" in cells and (told := cells.get("next")):
        height = int(cells["pile"][0].value or 0)
        face = told[0].value
        if isinstance(face, int | str):
            return GameBoard(pile=Pile(face, height, wording.say("cell", "pile", value=height, of=cells["pile"][0].of)))
    return GameBoard()


def own(view: View) -> dict[str, Own]:
    """What the game keeps for each player beside strokes, by name."""
    cells = _by_key(view)
    found: dict[str, Own] = {}
    for player in view.players:
        mine = {key: cell for key, row in cells.items() for cell in row if cell.player == player.name}
        if (score := mine.get("score")) is not None and score.of:
            turn = int(mine["turn_total"].value or 0) if "turn_total" in mine else 0
            found[player.name] = Own(bar=(_percent(player.number, score.of), _percent(player.number + turn, score.of)))
        elif "row_1" in mine:
            found[player.name] = Own(crosses=tuple(int(mine[f"row_{n}"].value or 0) for n in NUMBERS))
        elif "small_dice" in mine:
            kinds = [(size, int(mine[f"{size}_dice"].value or 0)) for size in SIZES]
            found[player.name] = Own(dice=tuple(kind for kind in kinds if kind[1]))
    return found


def _aces(cells: Cells, wording: Wording) -> tuple[Mark, ...]:
    """One mark for each ace up to the last; those that give a role carry it."""
    aces = cells["aces"][0]
    count, last = int(aces.value or 0), aces.of or 0
    roles = {
        int(cell.value): (wording.say("role", key), cell.player or "")
        for key, row in cells.items()
        for cell in row
        if key in ("orderer", "taster", "drinker") and isinstance(cell.value, int)
    }
    return tuple(Mark(n <= count, *roles.get(n, ("", ""))) for n in range(1, last + 1))


def _by_key(view: View) -> Cells:
    cells: dict[str, list[Cell]] = {}
    for cell in view.board:
        cells.setdefault(cell.key, []).append(cell)
    return cells


def _percent(value: int, of: int) -> int:
    return max(0, min(100, round(100 * value / of)))
