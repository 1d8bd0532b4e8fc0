"""The short clips that the tests share hold what their throws.json says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

DATA = Path(__file__).parents[1] / "data"
CLIPS: list[dict[str, Any]] = json.loads((DATA / "throws.json").read_text("utf-8"))


def frames(name: str) -> list[np.ndarray]:
    video = cv2.VideoCapture(str(DATA / name))
    pictures = []
    while True:
        whole, picture = video.read()
        if not whole:
            return pictures
        pictures.append(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))


def test_there_is_one_of_each_kind_and_they_are_small() -> None:
    assert {clip["kind"]: clip["expect"] for clip in CLIPS} == {
        "throw": "throw",
        "outside": "outside",
        "cocked": "unsure",
        "none": "none",
    }
    assert sum((DATA / clip["clip"]).stat().st_size for clip in CLIPS) < 3 * 2**20


@pytest.mark.parametrize("clip", CLIPS, ids=[clip["kind"] for clip in CLIPS])
def test_a_clip_moves_until_its_rest_and_no_longer(clip: dict[str, Any]) -> None:
    pictures = frames(clip["clip"])
    assert len(pictures) == clip["frames"]
    changed = [float((cv2.absdiff(a, pictures[-1]).max(axis=2) > 40).mean()) for a in pictures]
    last = max(i for i, share in enumerate(changed) if share > 2e-5)
    if clip["rest_frame"] is not None:
        hand_goes = 12 if clip["kind"] == "cocked" else 0  # that die leans before the hand has left
        assert clip["rest_frame"] - 8 <= last < clip["rest_frame"] + hand_goes
    assert max(changed) > 0.03  # a hand came in
    assert changed[-20] < 2e-5
    for x1, y1, x2, y2 in clip["last_boxes"]:
        die = pictures[-1][round(y1 / 2) : round(y2 / 2), round(x1 / 2) : round(x2 / 2)]
        assert np.quantile(die, 0.9) > 190  # ivory, as thrown
