"""The net that sees hands: in clips of throws, whatever the picture's shape, and with the finder's word."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detector import DiceDetector
from vision.hand_net import MULTIPLE, HandNet, size_of, small, together
from vision.reader import HAND_AT

CLIPS = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def net() -> HandNet:
    return HandNet()


@pytest.fixture(scope="module")
def detector() -> DiceDetector:
    return DiceDetector()


@pytest.mark.parametrize("name", ["throw_00001", "outside_00012", "cocked_00002", "none_00000"])
def test_the_hand_of_a_clip_is_seen_and_gone_at_its_end(net: HandNet, detector: DiceDetector, name: str) -> None:
    clip = cv2.VideoCapture(str(CLIPS / f"{name}.mp4"))
    told = []
    while (read := clip.read())[0]:
        last = np.asarray(read[1], np.uint8)
        told.append(net.seen(last))
    assert max(told) > 0.95
    assert max(told[-10:]) < 0.8
    assert detector.detect(last).hand < HAND_AT


@pytest.mark.parametrize(
    ("width", "height"), [(640, 480), (480, 640), (1920, 1080), (300, 300), (2000, 40), (9, 7), (1, 1)]
)
def test_pictures_of_any_shape_are_taken(net: HandNet, width: int, height: int) -> None:
    shrunk = small(np.full((height, width, 3), 90, np.uint8))
    assert shrunk.shape[:2][::-1] == size_of(width, height)
    assert all(side % MULTIPLE == 0 for side in shrunk.shape[:2])
    assert 0 <= net.seen(np.full((height, width, 3), 90, np.uint8)) < 0.8


def test_two_that_half_believe_it_are_sure_together_and_one_can_outweigh_the_other() -> None:
    assert together(0.8, 0.8) == pytest.approx(16 / 17)
    assert together(0.5, 0.3) == pytest.approx(0.3)
    assert together(0.9, 0.05) < 0.5 < together(0.9, 0.2)
    assert together(1.0, 0.0) == pytest.approx(0.5)
