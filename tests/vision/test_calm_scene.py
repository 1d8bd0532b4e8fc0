"""What looks otherwise than in the calm picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board import Board
from vision.frame import Picture
from vision.gate import Gate
from vision.scene import Box, Scene

PLACE: Box = (140.0, 100.0, 160.0, 120.0)


def floor(*, printed: bool = False, die: bool = False, shift: int = 0) -> Picture:
    """Bare wood, with a printed square that looks like a die, or a die of the wood's colour and few edges."""
    noise = np.random.default_rng(3).normal(0, 1.0, (240, 320, 3))
    picture = (np.full((240, 320, 3), (120, 140, 150)) + noise).astype(np.uint8)
    if printed:
        cv2.rectangle(picture, (140, 100), (160, 120), (220, 230, 235), -1)
        cv2.circle(picture, (150 + shift, 110), 4, (40, 40, 40), -1)
    if die:
        cv2.rectangle(picture, (140, 100), (160, 120), (137, 160, 171), -1)
    return picture


@pytest.mark.parametrize(
    ("before", "now", "is_new"),
    [
        (floor(), floor(die=True), True),
        (floor(), floor(), False),
        (floor(printed=True), floor(printed=True), False),
        (floor(printed=True), cv2.add(floor(printed=True), np.full((240, 320, 3), 25, np.uint8)), False),
    ],
    ids=["a die of the floor's colour", "nothing", "printed", "printed, in more light"],
)
def test_a_place_is_new_once_a_die_lies_there(before: Picture, now: Picture, is_new: bool) -> None:
    gate = Gate()
    gate.see(before, 0.0)
    scene = Scene(Board.whole(320, 240, 20), gate)
    gate.see(now, 0.1)
    things = scene.things(20.0, swayed=False)
    assert scene.is_new(PLACE) is is_new
    assert not things, "nor is it a thing"


def corner_of_the_floor(*, die: bool = False, light: int = 0) -> Picture:
    """Felt and the dark wall, which the box of a turned die takes in; the die hardly differs from the felt."""
    noise = np.random.default_rng(4).normal(0, 1.0, (240, 320, 3))
    picture = (np.full((240, 320, 3), (120, 125, 120)) + noise).astype(np.uint8)
    cv2.rectangle(picture, (160, 0), (320, 240), (96, 100, 96), -1)
    if die:
        cv2.fillConvexPoly(picture, np.array(TOP, np.int32), (126, 131, 126))
        for x, y in ((146, 110), (150, 103), (154, 110), (150, 117)):
            cv2.circle(picture, (x, y), 2, (95, 98, 95), -1)
    return cv2.add(picture, np.full_like(picture, light))


TOP = ((150.0, 97.0), (163.0, 110.0), (150.0, 123.0), (137.0, 110.0))


@pytest.mark.parametrize(("was_there", "light"), [(False, 0), (True, 0), (True, 20)])
def test_a_die_of_the_felts_colour_in_a_corner_is_new_by_what_its_top_shows(was_there: bool, light: int) -> None:
    gate = Gate()
    gate.see(corner_of_the_floor(die=was_there), 0.0)
    scene = Scene(Board.whole(320, 240, 20), gate)
    gate.see(corner_of_the_floor(die=True, light=light), 0.1)
    scene.things(20.0, swayed=False)
    box = (136.0, 96.0, 164.0, 124.0)
    assert scene.is_new(box, TOP) is not was_there
