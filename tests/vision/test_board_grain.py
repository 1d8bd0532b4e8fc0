"""What counts as an edge: a step that stands out from what is usual about it."""

from __future__ import annotations

import numpy as np

from vision.board_fit import FAINT_CREASE, evidence_of
from vision.board_model import FLOOR_EDGE
from vision.octagon import regular_octagon
from vision.side_profiles import NEAREST, PIECES, look_across

SIZE = 640
ACROSS = 300.0


def picture(noise_right: float) -> np.ndarray:
    """Grey, a little brighter within an octagon, and noisy in its right half."""
    y, x = np.mgrid[:SIZE, :SIZE] - SIZE / 2
    angles = np.arange(8) * np.pi / 4
    reach = np.max([x * np.cos(a) + y * np.sin(a) for a in angles], axis=0)
    grey = np.where(reach < ACROSS / 2, 70.0, 58.0)
    noise = np.random.default_rng(0).normal(0, 1, (SIZE, SIZE))
    return np.repeat(np.clip(grey + noise * np.where(x > 0, noise_right, 0.5), 0, 255)[..., None], 3, axis=2)


def crease(noise_right: float) -> tuple[np.ndarray, np.ndarray]:
    """Evidence of a crease on the right side and on the left one: at the octagon, and the most far within it."""
    corners = regular_octagon(ACROSS) + SIZE / 2
    profiles = look_across(picture(noise_right).astype(np.uint8), corners)
    evidence = evidence_of(profiles, FAINT_CREASE)[FLOOR_EDGE]
    at = round((1 - profiles.ratios[0]) / profiles.spacing)
    within = round((0.9 - NEAREST) / profiles.spacing)
    sides = [slice(side * PIECES, (side + 1) * PIECES) for side in (0, 4)]
    there = np.array([evidence[side, at - 2 : at + 3].max(axis=1).mean() for side in sides])
    return there, np.array([evidence[side, 4:within].max() for side in sides])


def test_an_edge_of_felt_shows_where_it_is_quiet_and_noise_is_none() -> None:
    there, elsewhere = crease(noise_right=0.5)
    assert (there > 0.8).all()
    assert (elsewhere < 0.5).all()


def test_noise_on_one_side_is_no_edge_there_and_hides_none_on_the_other() -> None:
    there, elsewhere = crease(noise_right=40.0)
    assert there[1] > 0.8
    assert elsewhere[0] < 0.85
    assert elsewhere[1] < 0.5
