"""What the table shows at one moment: the game, what waits for an answer, and how the eye fares."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum

from device.waiting import Pending, Waiting
from scorer.errors import IllegalEvent
from scorer.events import Event
from scorer.game import View
from scorer.session import Session


class Eye(StrEnum):
    """What the camera is doing, as the outputs show it; a text key each."""

    NONE = "none"  # runs without a camera
    WAITING = "waiting"
    HAND = "hand"
    READING = "reading"
    READ = "read"
    UNSURE = "unsure"
    TOUCHED = "touched"
    BOARD_MOVED = "board_moved"
    LOST = "lost"


@dataclass(frozen=True)
class Snapshot:
    """One moment, immutable; `seq` is the journal's sequence, equal for all moments between two stored entries.

    `begun` is the `seq` at which the running game started. `refused`: why the latest throw changed nothing.
    `fault`: the sentence to show while scores would not survive a power cut. `seated`: the view with learned seats.
    """

    seq: int
    session: Session
    eye: Eye = Eye.NONE
    trouble: str | None = None
    waiting: Waiting = field(default_factory=Waiting)
    refused: IllegalEvent | None = None
    fault: str | None = None
    begun: int = 0
    seated: View | None = None

    @property
    def throw(self) -> tuple[int, int]:
        """Which throw is shown: the game by its start, and the throw's number in it, or that which a waiting one would
        have.
        """
        return self.begun, self.view.throws + (self.pending is not None)

    @property
    def view(self) -> View:
        """What every output shows, everybody's seat included where it is known."""
        return self.session.view if self.seated is None else self.seated

    @property
    def pending(self) -> Pending | None:
        """The throw that waits for an answer."""
        return self.waiting.pending

    @property
    def held(self) -> int:
        """Throws that came while another was pending."""
        return self.waiting.behind

    @property
    def lights(self) -> str:
        """The pattern for lamps: as `pattern`, and what the eye does while a throw is read and just has been."""
        if self.eye is Eye.READING and self.pending is None:
            return "reading"
        return "read" if self.eye is Eye.READ and self.pattern == "turn" else self.pattern

    @property
    def pattern(self) -> str:
        """The pattern to show: what the eye has to say goes before what the game just did."""
        if self.eye in (Eye.LOST, Eye.BOARD_MOVED):
            return "camera_trouble"
        if self.pending is not None or self.eye is Eye.UNSURE:
            return "unsure"
        return "idle" if self.view.phase == "idle" else self.view.pattern

    def to_json(self) -> dict[str, object]:
        """The game's state in the contract's words, and beside it what every output needs."""
        return {
            **self.session.state,
            "seq": self.seq,
            "view": asdict(self.view),
            "eye": {"state": self.eye.value, "trouble": self.trouble},
            "pending": None if self.pending is None else {**self.pending.to_json(), "held": self.held},
            "refused": None if self.refused is None else self.refused.to_json(),
            "storage": {"ok": self.fault is None, "message": self.fault},
        }


@dataclass(frozen=True)
class Told:
    """What became of one event: the snapshot after it, or the reason why it changed nothing.

    `held`: it waits for what the eye still reads, and will be booked in its place.
    """

    event: Event | None
    snapshot: Snapshot
    error: IllegalEvent | None = None
    held: bool = False
