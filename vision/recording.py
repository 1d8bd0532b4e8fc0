"""Recorded throws: a folder of pictures or a video, with what was said about it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import VisionError
from vision.frame import Frame, Picture
from vision.picture_file import SUFFIXES, PictureError, load_picture

NOTES = "recording.json"
VIDEO_SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ts", ".3gp"})
FPS = 30.0
"""Pictures a second where nobody told."""
_MOST_FPS = 1000.0
_SILENT = 0  # OpenCV's lowest log level


@dataclass(frozen=True)
class Mark:
    """What was pressed while it was recorded, `t` seconds from its start: an event in the words of the contract."""

    t: float
    event: Mapping[str, object]


@dataclass(frozen=True)
class Notes:
    """What ``recording.json`` says; None and empty where it says nothing."""

    fps: float | None = None
    board: str | None = None
    dice: int | None = None
    game: str | None = None
    players: tuple[str, ...] = ()
    opener: str | None = None
    preset: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Skipped:
    """A picture of a recording that could not be used; `reason` is a stable key, `message` a sentence."""

    source: str
    reason: str
    message: str


class Recording:
    """Frames of a folder of pictures (natural order) or of a video, one after another, each with its time.

    A folder's time is index ÷ fps, a video's is its own timestamps. A picture that cannot be used is skipped, keeps its
    place in time and is told to `tell`; `skipped` counts them. Iterating again starts again.
    Raises VisionError for a missing path, an empty folder, a single picture, a video that cannot be decoded, a broken
    ``recording.json``.
    """

    def __init__(self, path: Path, tell: Callable[[Skipped], None] = lambda _: None) -> None:
        self.path = path
        self.notes = Notes()
        self.skipped = 0
        self._tell = tell
        self._pictures: list[Path] = []
        self._video: Path | None = None
        if not path.exists():
            raise VisionError(f"There is no recording {path}.")
        if path.is_dir():
            self._open_folder(path)
        elif path.is_file() and path.suffix.lower() in SUFFIXES:
            raise VisionError(f"{path} is one picture, not a recording: `pietjesoog read` reads it.")
        elif path.is_file():
            self._video = path
        else:
            raise VisionError(f"{path} is neither a file nor a folder.")
        self.fps = self.notes.fps or FPS
        if self._video is not None:
            self.fps = self._probe(self._video)

    @property
    def video(self) -> Path | None:
        """The video that is played, None for pictures."""
        return self._video

    def _open_folder(self, folder: Path) -> None:
        try:
            files = [file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")]
        except OSError as fault:
            raise VisionError(f"The folder {folder} cannot be read: {fault.strerror}.") from fault
        if (folder / NOTES).is_file():
            self.notes = read_notes(folder / NOTES)
        self._pictures = sorted((f for f in files if f.suffix.lower() in SUFFIXES), key=_natural)
        videos = [f for f in files if f.suffix.lower() in VIDEO_SUFFIXES]
        if not self._pictures and len(videos) == 1:
            self._video = videos[0]
        elif not self._pictures:
            raise VisionError(f"The folder {folder} holds no pictures.")

    def _probe(self, video: Path) -> float:
        """The video's own pictures a second; the first picture must decode."""
        capture = self._open(video)
        try:
            told = float(capture.get(cv2.CAP_PROP_FPS))
            if not capture.read()[0]:
                raise VisionError(f"{video} is not a video that can be decoded.")
        finally:
            capture.release()
        own = told if isfinite(told) and 0 < told <= _MOST_FPS else None
        return self.notes.fps or own or FPS

    def _open(self, video: Path) -> cv2.VideoCapture:
        before = cv2.setLogLevel(_SILENT)  # what is wrong is told below, in words of ours
        capture = cv2.VideoCapture(str(video.absolute()), cv2.CAP_FFMPEG)
        cv2.setLogLevel(before)
        if not capture.isOpened():
            raise VisionError(f"{video} is not a video that can be decoded.")
        return capture

    def __iter__(self) -> Iterator[Frame]:
        self.skipped = 0
        return self._from_video(self._video) if self._video is not None else self._from_folder()

    def _from_folder(self) -> Iterator[Frame]:
        size: tuple[int, ...] | None = None
        for index, file in enumerate(self._pictures):
            try:
                picture = load_picture(file)
            except PictureError as fault:
                self._skip(file.name, fault.reason, f"{fault} It is skipped.")
                continue
            if size is not None and picture.shape != size:
                sentence = f"{file} has another size than the pictures before it. It is skipped."
                self._skip(file.name, "other_size", sentence)
                continue
            size = picture.shape
            yield Frame(picture, index / self.fps, source=file.name, index=index)

    def _from_video(self, video: Path) -> Iterator[Frame]:
        capture = self._open(video)
        try:
            index, last = 0, -1.0
            while True:
                got, picture = capture.read()
                if not got:
                    break
                stamp = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0
                t = index / self.fps
                if self.notes.fps is None and isfinite(stamp) and stamp > last and (index == 0) == (stamp == 0.0):
                    t = stamp
                t = t if t > last else last + 1.0 / self.fps
                yield Frame(_bgr(picture), t, source=f"{video.name} {index}", index=index)
                index, last = index + 1, t
            told = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
            if 0 < index < 0.9 * told:
                self._skip(video.name, "breaks_off", f"{video} breaks off after {index} of {told} pictures.")
        finally:
            capture.release()

    def _skip(self, source: str, reason: str, message: str) -> None:
        self.skipped += 1
        self._tell(Skipped(source, reason, message))


def read_notes(file: Path) -> Notes:
    """What a ``recording.json`` says; raises VisionError for what is no JSON object or holds odd values."""
    try:
        told = json.loads(file.read_text("utf-8"))
    except OSError as fault:
        raise VisionError(f"{file} cannot be read: {fault.strerror}.") from fault
    except (ValueError, RecursionError) as fault:
        raise VisionError(f"{file} is not valid JSON: {fault}.") from fault
    if not isinstance(told, dict):
        raise VisionError(f"{file} must hold one JSON object.")
    try:
        return _notes(told)
    except ValueError as fault:
        raise VisionError(f"{file}: {fault}.") from fault


def _notes(told: dict[str, Any]) -> Notes:
    options = {} if told.get("options") is None else told["options"]
    players = [] if told.get("players") is None else told["players"]
    marks = [] if told.get("marks") is None else told["marks"]
    if not isinstance(options, dict):
        raise ValueError('"options" must be an object')
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise ValueError('"players" must be a list of names')
    if not isinstance(marks, list):
        raise ValueError('"marks" must be a list')
    fps = _number(told, "fps")
    if fps is not None and not 0 < fps <= _MOST_FPS:
        raise ValueError('"fps" must be more than 0 and at most 1000')
    dice = _number(told, "dice")
    if dice is not None and not (dice == int(dice) and 1 <= dice <= 6):
        raise ValueError('"dice" must be a whole number from 1 to 6')
    return Notes(
        fps=fps,
        board=_text(told, "board"),
        dice=None if dice is None else int(dice),
        game=_text(told, "game"),
        players=tuple(players),
        opener=_text(told, "opener"),
        preset=_text(told, "preset"),
        options=options,
        marks=tuple(sorted((_mark(mark) for mark in marks), key=lambda mark: mark.t)),
    )


def _mark(told: object) -> Mark:
    if not isinstance(told, dict) or not isinstance(told.get("do"), str):
        raise ValueError('each of "marks" must be an object with "t" and "do"')
    t = _number(told, "t")
    if t is None:
        raise ValueError('each of "marks" needs its time "t" in seconds')
    return Mark(t, {key: value for key, value in told.items() if key != "t"})


def _number(told: dict[str, Any], key: str) -> float | None:
    value = told.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:  # false for NaN
        raise ValueError(f'"{key}" must be a number')
    return float(value)


def _text(told: dict[str, Any], key: str) -> str | None:
    value = told.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f'"{key}" must be a text')
    return value


def _natural(file: Path) -> list[tuple[int, int | str]]:
    """Sorts ``2.jpg`` before ``10.jpg``."""
    parts = re.split(r"(\d+)", file.name.lower())
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in parts if part]


def _bgr(picture: Any) -> Picture:
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    return np.asarray(picture, dtype=np.uint8)
