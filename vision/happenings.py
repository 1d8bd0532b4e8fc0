"""What the watcher tells: one frozen dataclass a happening, with the line of the command line's contract."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from vision.reading import BoardReading, DieReading

DIE_MISSING = "die_missing"
"""The one word of `Unsure.why` that is no `Problem`: fewer dice are seen than were thrown."""


@dataclass(frozen=True, kw_only=True)
class Happening:
    """Base: `t` is the time of the frame in which it was known."""

    event: ClassVar[str] = ""
    t: float

    def to_json(self) -> dict[str, object]:
        return {"t": round(self.t, 3), "event": self.event}


@dataclass(frozen=True, kw_only=True)
class ThrowSeen(Happening):
    """Dice moved, came to rest and were read for sure; told once for each throw.

    `dice` are the faces on the felt, ascending; `outside` and `rim` are counted only; together the number expected.
    `settled_at` is when the last die stopped, `from_deg` the side that the throw came from (degrees clockwise as seen,
    0 is right) where that was seen. `reading` holds the dice of this throw as last read.
    """

    event: ClassVar[str] = "throw"
    dice: tuple[int, ...]
    outside: int = 0
    rim: int = 0
    settled_at: float
    from_deg: float | None = None
    reading: BoardReading = field(default_factory=lambda: BoardReading(()), repr=False)

    def to_json(self) -> dict[str, object]:
        told: dict[str, object] = {
            **super().to_json(),
            "dice": list(self.dice),
            "outside": self.outside,
            "rim": self.rim,
            "sure": True,
            "settled_at": round(self.settled_at, 3),
        }
        if self.from_deg is not None:
            told["from_deg"] = round(self.from_deg) % 360
        return told


@dataclass(frozen=True, kw_only=True)
class Unsure(Happening):
    """Dice rest but cannot be read for sure; told at most once for each throw. `dice`: faces, None where refused.

    `unseen`: they were read, but nobody saw them roll.
    """

    event: ClassVar[str] = "unsure"
    why: tuple[str, ...]
    dice: tuple[int | None, ...]
    missing: int = 0
    outside: int = 0
    rim: int = 0
    settled_at: float
    from_deg: float | None = None
    unseen: bool = False
    reading: BoardReading = field(default_factory=lambda: BoardReading(()), repr=False)

    def to_json(self) -> dict[str, object]:
        return {
            **super().to_json(),
            "why": list(self.why),
            "dice": list(self.dice),
            "missing": self.missing,
            "outside": self.outside,
            "rim": self.rim,
            "settled_at": round(self.settled_at, 3),
        }


@dataclass(frozen=True, kw_only=True)
class HandSeen(Happening):
    """A hand (or a sleeve, or anything large that reaches in) came over the board from this side."""

    event: ClassVar[str] = "hand"
    from_deg: float | None

    def to_json(self) -> dict[str, object]:
        side = None if self.from_deg is None else round(self.from_deg) % 360
        return {**super().to_json(), "from_deg": side}


@dataclass(frozen=True, kw_only=True)
class Lifted(Happening):
    """The dice that lay on the felt are gone."""

    event: ClassVar[str] = "lifted"


@dataclass(frozen=True, kw_only=True)
class Touched(Happening):
    """Lying dice lie otherwise now, and they were not thrown; `dice`: what they show now."""

    event: ClassVar[str] = "touched"
    dice: tuple[int | None, ...] = ()
    reading: BoardReading = field(default_factory=lambda: BoardReading(()), repr=False)

    def to_json(self) -> dict[str, object]:
        return {**super().to_json(), "dice": list(self.dice)}


@dataclass(frozen=True, kw_only=True)
class Trouble(Happening):
    """The camera cannot be relied on: ``frozen``, ``black``, ``exposure``, ``board_moved``; nothing is read."""

    event: ClassVar[str] = "camera_trouble"
    what: str

    def to_json(self) -> dict[str, object]:
        return {**super().to_json(), "what": self.what}


@dataclass(frozen=True, kw_only=True)
class TroubleOver(Happening):
    event: ClassVar[str] = "camera_well"


def faces(dice: tuple[DieReading, ...]) -> tuple[int | None, ...]:
    """Faces ascending, None (refused) last."""
    return tuple(sorted((die.face for die in dice), key=lambda face: (face is None, face or 0)))
