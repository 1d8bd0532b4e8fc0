"""One eye and one table: frames in, what was seen told to the table. The live service and `replay` both use this."""

from __future__ import annotations

from dataclasses import dataclass

from device.snapshot import Eye, Told
from device.table import Table
from vision.frame import Frame
from vision.happenings import HandSeen, Happening, Lifted, ThrowSeen, Touched, Trouble, TroubleOver, Unsure
from vision.health import Ill
from vision.watcher import State, ThrowWatcher

_SHOWN = {
    State.EMPTY: Eye.WAITING,
    State.HAND: Eye.HAND,
    State.ROLLING: Eye.READING,
    State.READING: Eye.READING,
    State.READ: Eye.READ,
    State.UNSURE: Eye.UNSURE,
}


UNSEEN = "unseen"
"""Why a throw waits whose dice were read, but that nobody saw roll."""


@dataclass(frozen=True)
class Seen:
    """One happening and what the table made of it; `happening` is None where only time had passed."""

    happening: Happening | None
    told: tuple[Told, ...]


class Seeing:
    """Keeps the watcher's expected number in step with the game and books what it sees."""

    def __init__(self, watcher: ThrowWatcher, table: Table) -> None:
        self.watcher = watcher
        self.table = table
        self._state: State | None = None
        self._trouble: Trouble | None = None

    def see(self, frame: Frame) -> list[Seen]:
        """One frame: what happened, booked in order."""
        self.watcher.expect(self.table.expected)
        seen = [self._book(happening) for happening in self.watcher.see(frame)]
        state = self.watcher.state
        if state is not self._state and state in _SHOWN:
            self.table.look(_SHOWN[state])
        self._state = state
        if state in (State.EMPTY, State.READ, State.UNSURE):
            self.table.lies(self.watcher.lay)
        if late := self.table.late():
            seen.append(Seen(None, tuple(late)))
        if state in (State.EMPTY, State.READ) and (told := self.table.quiet(frame.t)):
            seen.append(Seen(None, tuple(told)))
        return seen

    def finish(self) -> list[Seen]:
        """The recording has ended."""
        return [self._book(happening) for happening in self.watcher.finish()]

    def show_again(self) -> None:
        """The table showed something else meanwhile: what is seen is shown anew with the next frame."""
        self._state = None
        if self._trouble is not None:
            self._book(self._trouble)

    def _book(self, happening: Happening) -> Seen:
        table, told = self.table, list[Told]()
        match happening:
            case ThrowSeen():
                told = table.saw_throw(
                    happening.dice,
                    outside=happening.outside,
                    rim=happening.rim,
                    at=happening.settled_at,
                    from_deg=happening.from_deg,
                    lay=self.watcher.lay,
                )
                self.watcher.expect(table.expected)
            case Unsure():
                table.saw_unsure(
                    (UNSEEN,) if happening.unseen and not happening.missing else happening.why,
                    happening.dice,
                    missing=happening.missing,
                    outside=happening.outside,
                    rim=happening.rim,
                    at=happening.settled_at,
                    lay=self.watcher.lay,
                )
            case HandSeen():
                table.saw_hand(happening.from_deg)
            case Lifted():
                table.saw_lifted()
            case Touched(dice=()):  # taken away while they were in doubt
                table.saw_lifted()
            case Touched():
                table.look(Eye.TOUCHED)
            case Trouble():
                self._trouble = happening
                moved = happening.what == Ill.BOARD_MOVED.value
                table.look(Eye.BOARD_MOVED if moved else Eye.LOST, happening.what)
            case TroubleOver():
                self._trouble = None
                table.look(Eye.WAITING)
        return Seen(happening, tuple(told))
