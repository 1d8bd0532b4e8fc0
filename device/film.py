"""Writes a recording with all that was read drawn into it."""

from __future__ import annotations

from pathlib import Path

import cv2

from device.errors import BadInput
from device.table import Table
from vision.annotate import annotated
from vision.frame import Frame
from vision.watcher import ThrowWatcher

SUFFIXES = (".mp4", ".m4v", ".mov", ".avi")


class Film:
    """An mp4 that grows frame by frame; raises BadInput where it cannot be written."""

    def __init__(self, path: Path, fps: float) -> None:
        if path.suffix.lower() not in SUFFIXES:
            raise BadInput(f"{path} must end in .mp4.")
        if not path.parent.is_dir():
            raise BadInput(f"There is no folder {path.parent} to write the film to.")
        self._path, self._fps = path, fps
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)
        self._count = 0

    def add(self, frame: Frame, watcher: ThrowWatcher | None, table: Table | None) -> None:
        """One frame, with what the watcher and the table have to say about it."""
        height, width = frame.picture.shape[:2]
        if self._writer is None:
            self._size = (width // 2 * 2, height // 2 * 2)  # the codec wants even sides
            code = cv2.VideoWriter.fourcc(*("MJPG" if self._path.suffix.lower() == ".avi" else "mp4v"))
            self._writer = cv2.VideoWriter(str(self._path.absolute()), code, self._fps, self._size)
            if not self._writer.isOpened():
                raise BadInput(f"{self._path} cannot be written.")
        lines = [f"{frame.t:7.2f} s  {watcher.state.value if watcher else 'no board'}"]
        if table is not None:
            lines += [_player(player.name, player.number, player.to_throw) for player in table.now.view.players]
        reading = watcher.reading if watcher and watcher.shows_reading else None
        drawn = annotated(frame.picture, reading, watcher.board if watcher else None, lines)
        self._writer.write(drawn[: self._size[1], : self._size[0]])
        self._count += 1

    def close(self) -> None:
        if self._writer is not None:
            self._writer.release()

    def check(self) -> None:
        """Raises BadInput where the closed film is not whole: OpenCV keeps it to itself when the disk is full."""
        if self._writer is None:
            return
        written = cv2.VideoCapture(str(self._path.absolute()), cv2.CAP_FFMPEG)
        try:
            if not written.isOpened() or written.get(cv2.CAP_PROP_FRAME_COUNT) < self._count:
                raise BadInput(f"{self._path} was not written whole: is the disk full?")
        finally:
            written.release()


def _player(name: str, number: int, to_throw: bool) -> str:
    return f"{'>' if to_throw else ' '} {name}: {number}"
