"""Keeps an eye on where the board lies: a swaying arm is waited for, a nudged board is found again or reported."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from vision.board import Board
from vision.board_again import board_again
from vision.board_moved import Shift, board_moved
from vision.frame import Picture

SWAYS_S = 0.45  # an arm that was knocked swings back within this
WELL_SEEN, AS_BEFORE = 0.75, 0.95
"""A board's edges have so much support where it was followed to, or so much of what they had before: where they have
less, in renders nudged farther than is followed, it lay elsewhere."""


class Lies(StrEnum):
    """Where the board lies: where it lay; elsewhere, perhaps for a moment; found anew elsewhere; or it is lost."""

    THERE = "there"
    SWAYING = "swaying"
    FOUND = "found"
    LOST = "lost"


class BoardWatch:
    """Knows the board and, where `find` is given, looks for it once it has moved."""

    def __init__(self, board: Board, find: Callable[[Picture], Board | None] | None = None) -> None:
        self.board = board
        self._find = find
        self._off_since: float | None = None
        self._seen = 1.0  # support of its edges where it lay

    def look(self, picture: Picture, t: float) -> Lies:
        """Compare with the picture at `t` seconds; after FOUND, `board` is where it lies now."""
        shift = board_moved(self.board, picture)
        if not shift.moved:
            self._off_since, self._seen = None, shift.seen
            return Lies.THERE
        if self._off_since is None:
            self._off_since = t
        if t - self._off_since < SWAYS_S:
            return Lies.SWAYING
        found = self._found(picture, shift)
        if found is None:
            return Lies.LOST
        self.board, self._off_since = found, None
        return Lies.FOUND

    def _found(self, picture: Picture, shift: Shift) -> Board | None:
        """Followed, where its edges are well seen at the place that the shift came to, else looked for afresh."""
        if self._find is None:
            return None
        is_seen = shift.seen >= min(WELL_SEEN, AS_BEFORE * self._seen)
        if is_seen and (again := board_again(self.board, picture, shift)) is not None:
            return again
        found = self._find(picture)
        return found and found.measured_as(self.board)
