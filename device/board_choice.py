"""What `--board` says: find the board, take the whole picture for felt, or load what was calibrated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from device.errors import BadInput
from vision.board import Board
from vision.errors import VisionError
from vision.find_board import find_board
from vision.frame import Picture

AUTO, WHOLE = "auto", "whole"


class BoardChoice:
    """One choice for many pictures; raises BadInput where a file holds no board.

    >>> import numpy as np
    >>> BoardChoice("whole").board_for(np.zeros((480, 640, 3), np.uint8)).is_whole
    True
    """

    def __init__(self, word: str, die_px: float | None = None) -> None:
        self.finds = word == AUTO
        self._whole = word == WHOLE
        self._die_px = die_px
        self._loaded: Board | None = None
        if not self.finds and not self._whole:
            try:
                self._loaded = Board.load(Path(word))
            except VisionError as fault:
                raise BadInput(str(fault)) from fault
            except ValueError as fault:  # a name that no file can have
                raise BadInput(f"The board file {word} cannot be read: {fault}.") from fault

    def board_for(self, picture: Picture) -> Board | None:
        """The board of this picture, None where none is seen; raises VisionError where a loaded one cannot be it."""
        height, width = picture.shape[:2]
        if self._whole:
            return Board.whole(width, height, self._die_px)
        if self._loaded is not None:
            return self._loaded.scaled(width, height)
        return find_board(picture)

    def found_anew(self, picture: Picture) -> Board | None:
        """The board after it was moved: looked for in any case, for a loaded board with its millimetres kept."""
        if self._whole:
            return self.board_for(picture)
        found = find_board(picture)
        if found is None or self._loaded is None:
            return found
        told = self._loaded
        return replace(found, felt_mm=told.felt_mm, die_mm=told.die_mm, scale=told.scale)
