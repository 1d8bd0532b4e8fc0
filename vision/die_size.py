"""How large dice are in the picture, and at what sizes they are looked for: every further look is another."""

from __future__ import annotations

from vision.board import Board, Scale
from vision.scene import Thing, size_of_new
from vision.votes import Votes

SIZES = (1.0, 1.06, 0.94, 1.12, 0.89)
"""Dice at rest are looked for at these sizes in turn: looks at one size are copies that err alike, and a die that is
not found at one mostly is at another."""
_GUESSED, _LARGEST = 1 / 16, 1 / 6  # of the shorter side of the picture, until a die was read
_LARGER = 1.3  # so much larger dice may be than a board of a usual width with usual dice has them


class DieSize:
    """The edge of a die in pixels, as told, as a board of a told scale has it, as last read, as usual, or a guess."""

    def __init__(self, told: float | None = None) -> None:
        self._told = told
        self.read: float | None = None  # of the last throw

    def known(self, board: Board) -> float | None:
        """None while it can only be guessed."""
        is_told = board.is_whole or board.scale is Scale.TOLD
        return self._told or (board.expected_die_px() if is_told else None) or self.read

    def px(self, board: Board) -> float:
        return self.known(board) or board.expected_die_px() or _GUESSED * min(board.width, board.height)

    def largest(self, board: Board) -> float | None:
        """How large a die may be at most, where that is not known."""
        if self.known(board):
            return None
        usual = board.expected_die_px()
        return _LARGEST * min(board.width, board.height) if usual is None else _LARGER * usual

    def searched(self, board: Board, votes: Votes, things: tuple[Thing, ...], expected: int) -> float | None:
        """How large the reader is told that dice are in its next look; None: it is to find out.

        The first look is at the size known, each further one at another than the last, about that of the dice read
        since they came to rest.
        """
        size = self.known(board) or (votes.size(expected) if votes.reads else None)
        if size is None:
            return size_of_new(things, expected, min(board.width, board.height)) if board.is_whole else None
        if not votes.reads and not (self._told or self.read):
            return None  # the board tells the reader by itself
        return size * SIZES[votes.reads % len(SIZES)]
