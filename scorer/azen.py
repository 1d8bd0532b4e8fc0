"""Azen jagen: only aces count; third orders, sixth tastes, ninth drinks while the others hunt the next ace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scorer.circle import Circle, check_dice, check_turn
from scorer.errors import IllegalEvent
from scorer.events import Event, GlassEmpty, Leave, Settled, Start, Throw
from scorer.game import Action, Cell, Change, PlayerView, Prompt, View
from scorer.roll_off import RollOff

DICE = 3  # B1
MARKS = {3: "orderer", 6: "taster", 9: "drinker"}  # AZ-02, AZ-03, AZ-04
ROLE_WHY = {"orderer": ("third_ace", "AZ-02"), "taster": ("sixth_ace", "AZ-03"), "drinker": ("ninth_ace", "AZ-04")}
LAST_MARK = 9


@dataclass(frozen=True)
class Race:
    """The hunt for the next ace (AZ-04, B5): who drinks, who ordered, when it began, the glass, the ace (seconds)."""

    drinker: str
    orderer: str | None
    since: float | None = None
    emptied: float | None = None
    ace: float | None = None

    @property
    def settling(self) -> bool:
        """The glass is down, but dice that came to rest before may still be unread."""
        return self.emptied is not None


@dataclass(frozen=True)
class AzenState:
    """One moment of a game; `closed` is the race that a late word about the glass may still turn round."""

    options: Mapping[str, object]
    circle: Circle
    opener: str | None
    to_throw: str | None
    roll_off: RollOff | None = None
    round: int = 1
    count: int = 0
    orderer: str | None = None
    taster: str | None = None
    race: Race | None = None
    closed: Race | None = None
    payer: str | None = None
    aces: Mapping[str, int] = field(default_factory=dict)
    orders: Mapping[str, int] = field(default_factory=dict)
    last: Throw | None = None
    spent: str | None = None
    throws: int = 0
    changes: tuple[Change, ...] = ()
    pattern: str = "turn"
    paused: bool = False
    over: bool = False

    @property
    def phase(self) -> str:
        return "over" if self.over else "roll_off" if self.roll_off else "turn"

    @property
    def drinker(self) -> str | None:
        return self.race.drinker if self.race else None
