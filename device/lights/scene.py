"""What all lamps show at one moment: strokes of everybody, whose turn it is, what just happened, how long ago."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from device.lights import status
from device.lights.figures import Figures
from device.lights.lamp import DARK, Hue, Lamp, Row, Rows
from device.lights.motions import LASTING, ONCE
from device.lights.seating import seated
from device.lights.strokes import seat_of
from device.lights.wave import breath, dot, to_and_fro
from scorer.game import PlayerView, View

OTHERS = 0.35  # level of the strokes of those who wait, by which the one to throw stands out
TRACK = 0.18  # his unlit lamps glow, so that a row without strokes shows the turn too
CUE = 0.45  # and more so when the turn has just come to him
CUE_S = 1.5
IDLE_S = 120.0  # dimmed when nothing happened for so long
IDLE = 0.3
FADE_S = 3.0
PAUSED = 0.55


@dataclass(frozen=True)
class Shape:
    """So many rows of so many lamps; `ring_deg` where they lie around the board, `side_by_side` in one strip."""

    rows: int
    lamps: int
    ring_deg: float | None = None
    side_by_side: bool = False


class Scene:
    """Told what to show and when, says how bright every lamp is; draws no clock of its own."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self._view: View | None = None
        self._figures = Figures()
        self._pattern = "idle"
        self._began = 0.0
        self._woken = 0.0
        self._turned = -CUE_S
        self._once: dict[str, float] = {}
        self._thrower: str | None = None
        self._fresh: frozenset[str] = frozenset()  # who went out or was lost with this view

    def show(self, view: View | None, pattern: str, t: float) -> None:
        """From `t` on; what plays once plays once for a view, however often the eye interrupts it."""
        if pattern in ("turn", "read") and view is not None and view.rim:
            pattern = "die_on_rim"  # some games have no word for it
        if view == self._view and pattern == self._pattern:
            return
        self._woken = t
        if view != self._view:
            self._take(view, t)
        self._pattern = pattern
        self._began = self._once.setdefault(pattern, t) if pattern not in LASTING else t

    def rows(self, t: float) -> Rows:
        """Every lamp at `t`, the first row first."""
        rows = self._single(t) if self.shape.lamps == 1 else self._strips(t)
        dim = PAUSED if self._view is not None and self._view.paused else 1.0
        dim *= 1.0 - (1.0 - IDLE) * min(1.0, max(0.0, (t - self._woken - IDLE_S) / FADE_S))
        return rows if dim == 1.0 else tuple(tuple(lamp.dimmed(dim) for lamp in row) for row in rows)

    @property
    def owners(self) -> tuple[str | None, ...]:
        """Whose each row is; None for nobody's, and for all where there are more players than rows."""
        if self._view is None or len(self._view.players) > self.shape.rows:
            return (None,) * self.shape.rows
        return tuple(None if player is None else player.name for player in self._seated(self._view))

    @property
    def turn(self) -> tuple[bool, ...]:
        """A flag a row: whether its player is to throw."""
        if self._view is None or len(self._view.players) > self.shape.rows:
            return (False,) * self.shape.rows
        return tuple(player is not None and player.to_throw for player in self._seated(self._view))

    def _take(self, view: View | None, t: float) -> None:
        before = self._view
        self._view, self._figures, self._once = view, Figures() if view is None else Figures.of(view), {}
        gone = _gone(view) - _gone(before)
        self._fresh = gone or _gone(view)
        if _to_throw(view) != _to_throw(before):
            self._turned = t
        if view is None or before is None or view.game != before.game or view.throws < before.throws:
            self._thrower = None
        elif view.throws > before.throws:
            self._thrower = _to_throw(before)

    def _seated(self, view: View) -> list[PlayerView | None]:
        return seated(view.players, self.shape.rows, self.shape.ring_deg)

    def _strips(self, t: float) -> Rows:
        dark: Row = (DARK,) * self.shape.lamps
        since = t - self._began
        if self._view is None or not self._view.players:
            rows: list[Row] = [dark] * self.shape.rows
            concerned = [True] * self.shape.rows
        elif len(self._view.players) > self.shape.rows:
            rows, concerned = self._crowded(self._view, t), [True] * self.shape.rows
        else:
            players = self._seated(self._view)
            rows = [dark if player is None else self._row(player, t) for player in players]
            concerned = self._concerned(self._view, players)
        if self._pattern in LASTING:
            moved = LASTING[self._pattern]
            return tuple(moved(row, since) if this else row for row, this in zip(rows, concerned, strict=True))
        motion = ONCE.get(self._pattern)
        if motion is None or since >= motion.seconds:
            return tuple(rows)
        return tuple(motion.over(row, since) if this else row for row, this in zip(rows, concerned, strict=True))

    def _row(self, player: PlayerView, t: float) -> Row:
        """One player's lamps while nothing special happens."""
        lamps = self.shape.lamps
        if "left" in player.roles:
            return (DARK,) * lamps
        if "winner" in player.roles and self._view is not None and self._view.phase == "over":
            return tuple(Lamp(0.2 + 0.6 * breath(t - n * 0.25, every=3.0), Hue.TEAL) for n in range(lamps))
        if player.lost:  # only its ends: somebody sits here, but plays no more
            return tuple(Lamp(TRACK if n in (0, lamps - 1) else 0.0, Hue.ROSE) for n in range(lamps))
        if player.out:  # nothing left to wipe: a soft dot strolls
            at = to_and_fro(t, 8.0) * (lamps - 1)
            return tuple(Lamp(TRACK + 0.3 * dot(n, at, width=2.0), Hue.TEAL) for n in range(lamps))
        level = 1.0 if player.to_throw else OTHERS
        row = self._figures.row(player, lamps, t, level=level, grouped=self.shape.side_by_side)
        if not player.to_throw:
            return row
        cue = max(0.0, 1.0 - (t - self._turned) / CUE_S)
        track = Lamp(TRACK + (CUE - TRACK) * cue)
        return tuple(lamp if lamp.level > TRACK else track for lamp in row)

    def _crowded(self, view: View, t: float) -> list[Row]:
        """More players than rows: whose turn it is on all; what all share or should see on the first."""
        which = next((n for n, player in enumerate(view.players) if player.to_throw), -1)
        playing = [not (player.out or player.lost or "left" in player.roles) for player in view.players]
        rows = [seat_of(which, playing, self.shape.lamps, t)] * self.shape.rows
        if self.shape.rows == 1 or self.shape.lamps == 1:
            return rows
        called = next((n for n, player in enumerate(view.players) if self._figures.calls(player)), None)
        if called is not None:
            by_place = seat_of(called if t % 2.0 < 1.0 else -1, playing, self.shape.lamps, t)
            rows[0] = self._figures.glass(self.shape.lamps, t) if self._figures.race else by_place
        elif self._figures.is_shared_on(self.shape.lamps):
            rows[0] = self._figures.shared(self.shape.lamps, t)
        return rows

    def _single(self, t: float) -> Rows:
        since, pattern = t - self._began, self._pattern
        view = self._view
        if view is None or not view.players:
            return ((status.over(DARK, pattern, since),),) * self.shape.rows
        if len(view.players) > self.shape.rows:
            return tuple((status.over(row[0], pattern, since),) for row in self._crowded(view, t))
        players = self._seated(view)
        lamps = [DARK if player is None else status.steady(player, self._figures, t) for player in players]
        told = self._concerned(view, players)
        return tuple(
            (status.over(lamp, pattern, since) if this else lamp,) for lamp, this in zip(lamps, told, strict=True)
        )

    def _concerned(self, view: View, players: list[PlayerView | None]) -> list[bool]:
        """On whose rows the pattern plays: the first of those whom it may be about, else on all."""
        here = {player.name for player in players if player is not None}
        found = next((names for names in self._candidates(view) if names & here), here)
        return [player is not None and player.name in found for player in players]

    def _candidates(self, view: View) -> Iterator[frozenset[str]]:
        """Whom a pattern may be about: who has the role of that name, whose figure it changed, who threw."""
        pattern = self._pattern
        if pattern in ("reading", "unsure"):
            yield _named(_to_throw(view))
        if pattern in LASTING:
            return
        if pattern in ("out", "lost"):
            yield self._fresh
        role = "winner" if pattern == "game_won" else pattern
        yield frozenset(player.name for player in view.players if role in player.roles)
        yield frozenset(change.player for change in view.changes if change.why == pattern)
        if pattern != "read":
            yield frozenset(change.player for change in view.changes)
        yield _named(self._thrower)


def _named(name: str | None) -> frozenset[str]:
    return frozenset() if name is None else frozenset((name,))


def _to_throw(view: View | None) -> str | None:
    return next((player.name for player in view.players if player.to_throw), None) if view is not None else None


def _gone(view: View | None) -> frozenset[str]:
    return frozenset(p.name for p in view.players if p.out or p.lost) if view is not None else frozenset()
