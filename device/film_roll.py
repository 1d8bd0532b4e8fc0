"""Keeps frames as a recording: a folder of JPEGs at an even rate, with the recording.json that `replay` reads."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from device.errors import BadInput
from vision.frame import Frame, Picture
from vision.recording import NOTES

QUALITY = 92
_MOST_GAP_S = 3.0
_EARLY = 0.1  # of a place: cameras are not exact
_FILLED = "is not empty: name a new folder"


def as_jpeg(picture: Picture, quality: int = QUALITY) -> bytes:
    """The picture (BGR) as JPEG."""
    done, data = cv2.imencode(".jpg", picture, [int(cv2.IMWRITE_JPEG_QUALITY), quality])
    if not done:
        raise BadInput("a picture cannot be kept as JPEG")
    return np.asarray(data).tobytes()


class EvenPlaces:
    """Places in time, `fps` a second: a recording has one picture in each.

    Where a camera was away for longer than a few seconds the gap is shortened: a recording knows no pauses.

    >>> even = EvenPlaces(10)
    >>> [even.due(t) for t in (5.0, 5.04, 5.1, 5.3)]
    [1, 0, 1, 2]
    """

    def __init__(self, fps: float) -> None:
        self._fps = fps
        self._began: float | None = None
        self._filled = 0

    def due(self, t: float) -> int:
        """How many places a picture taken at `t` fills: 0 if its place is taken, more than 1 if some were missed."""
        if self._began is None:
            self._began = t
        places = int((t - self._began) * self._fps + _EARLY) + 1 - self._filled
        if places <= 0:
            return 0
        most = max(1, round(_MOST_GAP_S * self._fps))
        if places > most:
            self._began += (places - most) / self._fps
            places = most
        self._filled += places
        return places


class Filmed:
    """A recording that is written to a new folder as it happens; `count` pictures so far."""

    def __init__(self, folder: Path, fps: float, notes: Mapping[str, object]) -> None:
        fresh_folder(folder)
        self.count = 0
        self._folder, self._even, self._notes = folder, EvenPlaces(fps), notes_of(fps, notes)

    def add(self, frame: Frame) -> None:
        """Write the frame where one is due; raises BadInput where it cannot be."""
        places = self._even.due(frame.t)
        shot = as_jpeg(frame.picture) if places else b""
        if places and not self.count:  # with the first picture: a camera that gives none leaves the folder empty
            _claim(self._folder, self._notes)
        for _ in range(places):
            _write(self._folder / f"{self.count:06d}.jpg", shot)
            self.count += 1


class Ring:
    """The last `seconds` of what a camera saw, in memory; written only when asked."""

    def __init__(self, fps: float, seconds: float) -> None:
        self._fps, self._even = fps, EvenPlaces(fps)
        self._shots: deque[bytes] = deque(maxlen=max(1, round(seconds * fps)))

    @property
    def count(self) -> int:
        return len(self._shots)

    def add(self, frame: Frame) -> None:
        places = self._even.due(frame.t)
        if places:
            self._shots.extend([as_jpeg(frame.picture)] * places)

    def save(self, folder: Path, notes: Mapping[str, object]) -> int:
        """Write it to a new folder; how many pictures that were."""
        return write_recording(folder, list(self._shots), self._fps, notes)


def write_recording(folder: Path, shots: list[bytes], fps: float, notes: Mapping[str, object]) -> int:
    """JPEGs as a recording in a new or empty folder; raises BadInput where it cannot be written."""
    fresh_folder(folder)
    _claim(folder, notes_of(fps, notes))
    for index, shot in enumerate(shots):
        _write(folder / f"{index:06d}.jpg", shot)
    return len(shots)


def notes_of(fps: float, notes: Mapping[str, object]) -> bytes:
    """The text of a recording.json."""
    return (json.dumps({"fps": fps, **notes}, indent=1, ensure_ascii=False) + "\n").encode()


def fresh_folder(folder: Path) -> None:
    """Make the folder; raises BadInput if it cannot be, or holds something already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        filled = any(os.scandir(folder))
    except OSError as fault:
        raise BadInput(f"{folder} cannot be written: {fault.strerror}") from fault
    if filled:
        raise BadInput(f"{folder} {_FILLED}")


def _claim(folder: Path, notes: bytes) -> None:
    """Write the notes; raises BadInput where somebody else recorded into the folder meanwhile."""
    try:
        with (folder / NOTES).open("xb") as file:
            file.write(notes)
    except FileExistsError as fault:
        raise BadInput(f"{folder} {_FILLED}") from fault
    except OSError as fault:
        raise BadInput(f"{folder / NOTES} cannot be written: {fault.strerror}") from fault


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as fault:
        raise BadInput(f"{path} cannot be written: {fault.strerror}") from fault
