"""What can happen at a table: one frozen dataclass a fact, and its JSON.

`Event.do` is the word used in JSON. `by` names who acts where that is known, `at` is when it happened in seconds of
one monotonic clock (for a throw: when the dice came to rest).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

Face = int | str  # 1 to 6; Bataclan also has "G"


@dataclass(frozen=True, kw_only=True)
class Event:
    """Base of all events."""

    do: ClassVar[str] = ""
    by: str | None = None
    at: float | None = None


@dataclass(frozen=True, kw_only=True)
class Start(Event):
    """A new game begins; `joined` holds what already stands in chalk (strokes, count, scores, …)."""

    do: ClassVar[str] = "start"
    game: str
    players: tuple[str, ...]
    preset: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    opener: str | None = None
    seats: Mapping[str, float] = field(default_factory=dict)
    joined: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Throw(Event):
    """Dice came to rest: the faces on the felt, how many lie outside and how many on the rim.

    `number` is given by the session when it hands the throw to a game (from 1); it never travels as JSON.
    """

    do: ClassVar[str] = "throw"
    dice: tuple[Face, ...]
    outside: int = 0
    rim: int = 0
    kept: tuple[Face, ...] = ()
    number: int = 0


@dataclass(frozen=True, kw_only=True)
class Stop(Event):
    """The player to throw is satisfied."""

    do: ClassVar[str] = "stop"


@dataclass(frozen=True, kw_only=True)
class GlassEmpty(Event):
    """Azen jagen: the drinker's glass is empty."""

    do: ClassVar[str] = "glass_empty"


@dataclass(frozen=True, kw_only=True)
class Settled(Event):
    """Azen jagen: nothing that came to rest before `at` is still unread."""

    do: ClassVar[str] = "settled"


@dataclass(frozen=True, kw_only=True)
class Choose(Event):
    """Sachsenkniffel: the number is fixed for this turn."""

    do: ClassVar[str] = "choose"
    number: int


@dataclass(frozen=True, kw_only=True)
class Place(Event):
    """Bataclan: dice go on the pile, in this order; ends the turn."""

    do: ClassVar[str] = "place"
    dice: tuple[Face, ...]


@dataclass(frozen=True, kw_only=True)
class Fallen(Event):
    """Bataclan: `player` knocked this many dice off the pile."""

    do: ClassVar[str] = "fallen"
    dice: int
    player: str


@dataclass(frozen=True, kw_only=True)
class NextGame(Event):
    do: ClassVar[str] = "next_game"


@dataclass(frozen=True, kw_only=True)
class End(Event):
    """The table stops here."""

    do: ClassVar[str] = "end"


@dataclass(frozen=True, kw_only=True)
class Pause(Event):
    do: ClassVar[str] = "pause"


@dataclass(frozen=True, kw_only=True)
class Resume(Event):
    do: ClassVar[str] = "resume"


@dataclass(frozen=True, kw_only=True)
class Leave(Event):
    do: ClassVar[str] = "leave"
    player: str


@dataclass(frozen=True, kw_only=True)
class Join(Event):
    do: ClassVar[str] = "join"
    player: str


@dataclass(frozen=True, kw_only=True)
class Adjust(Event):
    """What stands in chalk is put right by hand."""

    do: ClassVar[str] = "adjust"
    player: str
    strokes: int


@dataclass(frozen=True, kw_only=True)
class Undo(Event):
    """Takes back the latest event still standing, or all after throw number `to`."""

    do: ClassVar[str] = "undo"
    to: int | None = None


@dataclass(frozen=True, kw_only=True)
class Correct(Event):
    """Throw number `throw` was something else, another player's, or none (`void`)."""

    do: ClassVar[str] = "correct"
    throw: int
    dice: tuple[Face, ...] | None = None
    outside: int = 0
    rim: int = 0
    player: str | None = None
    void: bool = False


@dataclass(frozen=True, kw_only=True)
class Insert(Event):
    """A throw that was missed, right after throw number `after` (0: before the first).

    With `player` it goes where that player is first to throw between `after` and the next throw.
    """

    do: ClassVar[str] = "insert"
    after: int
    dice: tuple[Face, ...]
    outside: int = 0
    rim: int = 0
    player: str | None = None
