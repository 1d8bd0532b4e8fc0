"""The dice in one picture: where each lies, what it shows, how far that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.frame import Picture
from vision.reading import Point, Pose, Problem

Corners = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Found:
    """One thing that is, or may be, a die.

    `is_die` and `confidence` are probabilities: that it is a die at all, and that `face` is what its top shows.
    `edge` is the length of a die's edge and `corners` are those of the top face, clockwise, in pixels of the picture.
    """

    face: int | None
    confidence: float
    second: int | None
    is_die: float
    edge: float
    corners: Corners
    pose: Pose = Pose.FLAT
    why: tuple[Problem, ...] = ()

    @property
    def center(self) -> Point:
        return (sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4)


class Detector(Protocol):
    """Finds dice; `die_px` is about how long a die's edge is in the picture, None where that is not known."""

    def detect(self, picture: Picture, die_px: float | None = None) -> list[Found]: ...


class BlobDetector:
    """Dark or light round blobs, grouped by distance: what is published everywhere, kept as the yardstick."""

    def detect(self, picture: Picture, die_px: float | None = None) -> list[Found]:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        settings = cv2.SimpleBlobDetector.Params()
        settings.filterByInertia = True
        settings.minInertiaRatio = 0.6
        settings.minArea = 3.0
        if die_px:
            settings.minArea, settings.maxArea = (0.08 * die_px) ** 2, (0.4 * die_px) ** 2
        pips: list[tuple[float, float, float]] = []
        for inverted in (False, True):
            blobs = cv2.SimpleBlobDetector.create(settings).detect(255 - grey if inverted else grey)
            pips += [(blob.pt[0], blob.pt[1], blob.size) for blob in blobs]
        if not pips:
            return []
        edge = die_px or 6.0 * float(np.median([size for _, _, size in pips]))
        return [_from_pips(group, edge) for group in _grouped(pips, 0.62 * edge) if len(group) <= 6]


def _grouped(pips: list[tuple[float, float, float]], reach: float) -> list[list[tuple[float, float, float]]]:
    groups: list[list[tuple[float, float, float]]] = []
    for pip in pips:
        near = [g for g in groups if any((pip[0] - q[0]) ** 2 + (pip[1] - q[1]) ** 2 < reach * reach for q in g)]
        merged = [pip, *(q for g in near for q in g)]
        groups = [g for g in groups if g not in near] + [merged]
    return groups


def _from_pips(pips: list[tuple[float, float, float]], edge: float) -> Found:
    x, y = (float(np.mean([p[i] for p in pips])) for i in (0, 1))
    h = edge / 2
    corners: Corners = ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))
    return Found(len(pips), 0.84, None, 0.84, edge, corners)
