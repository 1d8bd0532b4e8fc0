"""How much a reading costs, beside the way that is published everywhere: pips as blobs, dice as their clusters."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from device.bench import Bench, Figure, in_turns
from vision.board import Board
from vision.frame import Frame, Picture
from vision.reader import Reader
from vision.recording import Recording

SHARE = 1 / 3
"""Of the time of blobs and clusters a reading may take."""
MEMORY_MB = 250.0
DICE = 3
DEMO = Path(str(files("device"))) / "demo"
WIDTH = 640
EPS, BLUR, INERTIA = 40, 7, 0.6
ROUNDS, ROUNDS_SHORT = 60, 12
_READ = """
import sys
from device.cli import main
main(["read", sys.argv[1], "--json"])
print(*(line for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
"""A read that tells its own peak: what the system counts for a child begins with its parent's."""


def benches() -> Mapping[str, Bench]:
    return {"reading": reading_time}


def reading_time(short: bool) -> list[Figure]:
    """Processor time of one reading of 1280 × 960 pixels with three dice, one thread, in turns with blobs and clusters.

    `reading_counted` is told that there are three, as in a game; `reading` is not, and looks at faint finds as well.
    Scikit-learn clusters the blobs; without it (it is no dependency of the device) only the reading is measured.
    """
    picture, board = resting()
    reader, frame = Reader(), Frame(picture, 0.0)
    known = board.scaled(1280, 960)
    taken = in_turns(
        [
            lambda: reader.read(frame, known),
            lambda: reader.read(frame, known, expected=DICE),
            lambda: reader.read(frame),
            *blobs_and_clusters(picture),
        ],
        ROUNDS_SHORT if short else ROUNDS,
    )
    reading, counted, unknown, *published = taken
    figures = [
        Figure("reading", round(reading, 2), "ms"),
        Figure("reading_counted", round(counted, 2), "ms"),
        Figure("reading_size_unknown", round(unknown, 2), "ms"),
        Figure("reading_peak_memory", peak_memory_mb(picture), "MB", MEMORY_MB),
    ]
    if published:
        figures += [
            Figure("blobs_and_clusters", round(published[0], 2), "ms"),
            Figure("reading_share_of_blobs", round(reading / published[0], 3), "", round(SHARE, 3)),
            Figure("reading_counted_share_of_blobs", round(counted / published[0], 3), ""),
        ]
    return figures


def resting() -> tuple[Picture, Board]:
    """A picture of the demo's game in which three dice lie still, as a camera of 1280 × 960 gives it, and its board."""
    frame = next(frame for frame in Recording(DEMO) if frame.t >= 3.2)
    picture = np.asarray(cv2.resize(frame.picture, (1280, 960), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    return picture, Board.load(DEMO / "board.toml")


def blobs_and_clusters(picture: Picture) -> list[Callable[[], object]]:
    """The published way, as a list of one; of none where scikit-learn is not installed."""
    try:
        from sklearn.cluster import DBSCAN
    except ImportError:
        return []
    asked = cv2.SimpleBlobDetector.Params()
    asked.minInertiaRatio = INERTIA
    detector = cv2.SimpleBlobDetector.create(asked)

    def read() -> object:
        height = round(picture.shape[0] * WIDTH / picture.shape[1])
        grey = cv2.cvtColor(cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        found = detector.detect(cv2.medianBlur(grey, BLUR))
        places = np.array([point.pt for point in found]).reshape(-1, 2)
        return DBSCAN(eps=EPS, min_samples=1).fit(places) if len(places) else None

    return [read]


def peak_memory_mb(picture: Picture) -> float:
    """The most memory that `pietjesoog read` of that picture ever holds, in a process of its own."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "resting.png"
        cv2.imwrite(str(path), picture)
        told = subprocess.run([sys.executable, "-c", _READ, str(path)], stdout=subprocess.PIPE, check=True, text=True)
    return round(int(told.stdout.split()[-2]) / 1024, 1)
