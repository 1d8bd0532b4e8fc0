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
    """One choice for many pictures, until another is made; raises BadInput where a file holds no board.

    >>> import numpy as np
    >>> BoardChoice("whole").board_for(np.zeros((480, 640, 3), np.uint8)).is_whole
    True
    """

    def __init__(self, word: str, die_px: float | None = None) -> None:
        self._die_px = die_px
        self.choose(word)

    def choose(self, word: str) -> None:
        """Another one from the next picture on, from any thread; where that is none the one before stays."""
        self._now = word, None if word in (AUTO, WHOLE) else _loaded(word)  # in one piece: somebody may just look

    @property
    def finds(self) -> bool:
        """Whether the board is looked for in each picture."""
        return self._now[0] == AUTO

    def board_for(self, picture: Picture) -> Board | None:
        """The board of this picture, None where none is seen; raises VisionError where a loaded one cannot be it."""
        height, width = picture.shape[:2]
        word, loaded = self._now
        if word == WHOLE:
            return Board.whole(width, height, self._die_px)
        return find_board(picture) if loaded is None else loaded.scaled(width, height)

    def found_anew(self, picture: Picture) -> Board | None:
        """The board after it was moved: looked for in any case, for a loaded board with its millimetres kept."""
        word, told = self._now
        if word == WHOLE:
            return self.board_for(picture)
        found = find_board(picture)
        if found is None or told is None:
            return found
        return replace(found, felt_mm=told.felt_mm, die_mm=told.die_mm, scale=told.scale)


def _loaded(file: str) -> Board:
    try:
        return Board.load(Path(file))
    except VisionError as fault:
        raise BadInput(str(fault)) from fault
    except ValueError as fault:  # a name that no file can have
        raise BadInput(f"The board file {file} cannot be read: {fault}.") from fault
