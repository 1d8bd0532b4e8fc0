"""Which number a player's row of lamps shows, found in the `View` alone: no game is known here by name.

A player's own cells with a goal come first (points, rows of crosses), then a count that all share if marks on its way
lead up to its goal, else the player's marks are strokes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from device.lights.lamp import DARK, Hue, Lamp, Row
from device.lights.strokes import counted, crosses, gauge, strokes
from device.lights.wave import breath, dot
from scorer.game import Cell, PlayerView, View

COMING = "turn_total"  # points at stake in this turn
CHOSEN = "number"  # which of his rows a player throws for
RACE = "race"  # open or settling, and who runs from the others
PAYS = ("payer", "pays_round")
SWEEP_S = 1.2


@dataclass(frozen=True)
class Figures:
    """What the cells of one view come to."""

    goals: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    count: Cell | None = None
    marks: Sequence[Cell] = ()
    coming: Mapping[str, int] = field(default_factory=dict)
    chosen: Mapping[str, int] = field(default_factory=dict)
    race: Cell | None = None

    @classmethod
    def of(cls, view: View) -> Figures:
        goals: dict[str, list[Cell]] = {}
        for cell in view.board:
            if cell.player is not None and cell.of:
                goals.setdefault(cell.player, []).append(cell)
        count = next((cell for cell in view.board if cell.player is None and cell.of and type(cell.value) is int), None)
        marks = [cell for cell in view.board if count and cell is not count and not cell.of and _is_mark(cell, count)]
        steps = [_whole(cell.value) for cell in marks]
        if goals or not count or not steps or steps != sorted(set(steps)) or steps[-1] != count.of:
            count, marks = None, []
        return cls(
            goals,
            count,
            marks,
            {cell.player: _whole(cell.value) for cell in view.board if cell.key == COMING and cell.player},
            {cell.player: _whole(cell.value) for cell in view.board if cell.key == CHOSEN and cell.player},
            next((cell for cell in view.board if cell.key == RACE and cell.value != "none"), None),
        )

    def row(self, player: PlayerView, lamps: int, t: float, *, level: float = 1.0, grouped: bool = False) -> Row:
        """The player's row, `t` seconds of any clock; `level` dims his figure, never what all should see of him."""
        if self.calls(player):
            return self.glass(lamps, t) if self.race is not None else coins(lamps, t)
        if self.is_shared_on(lamps) and self.race is None:
            return self.shared(lamps, t, player.name, level=level)
        return tuple(lamp.dimmed(level) for lamp in self._own(player, lamps, t, grouped))

    def _own(self, player: PlayerView, lamps: int, t: float, grouped: bool) -> Row:
        if self.race is not None:
            return self._hunt(lamps, t)
        own = self.goals.get(player.name, ())
        if len(own) == 1 and own[0].of:
            return gauge(_whole(own[0].value), own[0].of, self.coming.get(player.name, 0), lamps, t)
        if 1 < len(own) <= lamps:
            chosen = self.chosen.get(player.name, 0) - 1
            return crosses([(_whole(cell.value), cell.of or 1) for cell in own], chosen, lamps, t)
        return strokes(player.marks, lamps, t, grouped=grouped)

    def calls(self, player: PlayerView) -> bool:
        """Whether all should look at this player, whosever turn it is."""
        runs = self.race is not None and self.race.player == player.name
        return runs or any(role in PAYS for role in player.roles)

    def is_shared_on(self, lamps: int) -> bool:
        """Whether a row of so many lamps shows the count that all share."""
        return self.count is not None and (self.count.of or 0) <= lamps

    def shared(self, lamps: int, t: float, name: str | None = None, *, level: float = 1.0) -> Row:
        """The shared count, with the roles of `name`; with those of everybody where nobody is named."""
        assert self.count is not None
        held = {_whole(cell.value) for cell in self.marks if cell.player and name in (None, cell.player)}
        marks = [_whole(cell.value) for cell in self.marks]
        return counted(_whole(self.count.value), self.count.of or 0, marks, held, lamps, t, level=level)

    def glass(self, lamps: int, t: float) -> Row:
        """The one who runs empties a glass, again and again; once it is empty only its bottom breathes."""
        full = 0.0 if self._is_settling else lamps * (1.0 - t / 3.0 % 1.0)
        bottom = Lamp(breath(t, low=0.2), Hue.SKY)
        return (bottom, *(Lamp(min(1.0, max(0.0, full - n)), Hue.SKY) for n in range(1, lamps)))

    def _hunt(self, lamps: int, t: float) -> Row:
        """The hunters' dot runs along; it stands at the end while the last dice are looked at."""
        at = lamps - 1 if self._is_settling else t / SWEEP_S % 1.0 * (lamps + 2) - 1
        return tuple(Lamp(dot(n, at, width=1.6), Hue.AMBER) for n in range(lamps))

    @property
    def _is_settling(self) -> bool:
        return self.race is not None and self.race.value == "settling"


def coins(lamps: int, t: float) -> Row:
    """Who pays: every third lamp, marching slowly."""
    shift = int(t * 1.5)
    return tuple(Lamp(1.0 if (n - shift) % 3 == 0 else 0.0, Hue.SAND) if lamps > 1 else DARK for n in range(lamps))


def _is_mark(cell: Cell, count: Cell) -> bool:
    """A point on the way of the count, maybe with the name of who reached it."""
    return cell.key != count.key and 0 < _whole(cell.value) <= (count.of or 0)


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
