"""What is left of a middle pip that glare hid makes a 2 or a 4 doubtful; a plain top, or a mottled one, does not."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin

import cv2
import numpy as np
import pytest

from vision.detector import MIDDLE_DOUBTED, Detection, DiceDetector
from vision.faces import Sizes
from vision.frame import Picture
from vision.middle_pip import may_hide_pip
from vision.reader import SURE_AT

PIPS = {2: [(-0.25, -0.25), (0.25, 0.25)], 4: [(-0.25, -0.25), (0.25, 0.25), (-0.25, 0.25), (0.25, -0.25)]}
TOP = (60, 200, 235)


def die(face: int, edge: float, middle: int = 0, turn_deg: float = 20.0, mottled: float = 0.0) -> tuple[Picture, list]:
    """A picture of a yellow die with black pips, its corners; `middle`: levels that its middle is paler by."""
    picture = np.full((int(3 * edge), int(3 * edge), 3), (40, 90, 20), np.uint8)
    along = edge * np.array([cos(radians(turn_deg)), sin(radians(turn_deg))])
    down = np.array([-along[1], along[0]])
    centre = np.array([1.45, 1.55]) * edge
    corners = [centre + x * along / 2 + y * down / 2 for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), TOP, cv2.LINE_AA)
    if mottled:
        rough = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 1, picture.shape), (0, 0), 0.08 * edge)
        picture = np.clip(picture + mottled * rough / rough.std(), 0, 255).astype(np.uint8)
    for x, y in PIPS[face]:
        place = np.round(centre + x * along + y * down).astype(int)
        cv2.circle(picture, (int(place[0]), int(place[1])), round(0.09 * edge), (20, 25, 30), -1, cv2.LINE_AA)
    if middle:
        pale = tuple(int(min(255, level + middle)) for level in TOP)
        cv2.circle(picture, tuple(np.round(centre).astype(int).tolist()), round(0.07 * edge), pale, -1, cv2.LINE_AA)
    return picture, corners


@pytest.mark.parametrize("edge", [24.0, 40.0, 90.0, 300.0])
@pytest.mark.parametrize("face", [2, 4])
def test_a_middle_that_stands_out_may_be_a_pip(face: int, edge: float) -> None:
    for turn in (0.0, 20.0, 70.0):
        picture, corners = die(face, edge, middle=40, turn_deg=turn)
        assert may_hide_pip(Sizes(picture), corners)
        picture, corners = die(face, edge, turn_deg=turn)
        assert not may_hide_pip(Sizes(picture), corners)


def test_a_mottled_top_shows_as_much_elsewhere() -> None:
    picture, corners = die(2, 40.0, middle=20, mottled=25.0)
    assert not may_hide_pip(Sizes(picture), corners)


def test_corners_without_a_size_tell_nothing() -> None:
    assert not may_hide_pip(Sizes(np.full((50, 50, 3), 90, np.uint8)), [(20.0, 20.0)] * 4)


def test_a_two_whose_middle_stands_out_is_not_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    detector = DiceDetector()

    def read(picture: Picture) -> Detection:
        return detector.detect(picture, 40.0)

    [plain] = read(die(2, 40.0)[0]).found
    assert (plain.face, plain.confidence > SURE_AT) == (2, True)
    [hidden] = read(die(2, 40.0, middle=40)[0]).found
    assert hidden.confidence < SURE_AT
    monkeypatch.setattr("vision.detector.may_hide_pip", lambda *_: False)
    [unchecked] = read(die(2, 40.0, middle=40)[0]).found
    assert (unchecked.face, unchecked.confidence > SURE_AT) == (2, True)
    assert replace(unchecked, confidence=MIDDLE_DOUBTED, most=MIDDLE_DOUBTED) == hidden
