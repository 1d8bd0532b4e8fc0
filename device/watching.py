"""From the first frame that shows a board: the watcher that reads it."""

from __future__ import annotations

from collections.abc import Callable

from device.board_choice import BoardChoice
from device.errors import BadInput
from device.table import Table
from vision.errors import VisionError
from vision.frame import Frame
from vision.reader import Reader
from vision.watcher import Reads, ThrowWatcher

LOOK_EVERY_S = 0.5  # while no board was found yet
Watch = Callable[[Frame], ThrowWatcher | None]


def watching(board: BoardChoice, table: Table, *, reader: Reads | None = None, die_px: float | None = None) -> Watch:
    """Makes an eye's watcher, or None while no board is seen; raises `BadInput` without a model to read with."""
    if reader is None:
        try:
            reader = Reader()
        except VisionError as fault:
            raise BadInput(str(fault)) from fault
    reads, looked = reader, -LOOK_EVERY_S

    def watch(frame: Frame) -> ThrowWatcher | None:
        nonlocal looked
        if 0 <= frame.t - looked < LOOK_EVERY_S:
            return None
        looked = frame.t
        try:
            found = board.board_for(frame.picture)
        except VisionError as fault:
            raise BadInput(str(fault)) from fault
        if found is None:
            return None
        find = None if found.is_whole else board.found_anew
        return ThrowWatcher(reads, found, expected=table.expected, die_px=die_px, find_board=find, lay=table.lay)

    return watch
