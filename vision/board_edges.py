"""The trained net that tells, in strips across a board's sides, where its three edges lie on each ray."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.board_hint import Hint
from vision.board_strips import SAMPLES, strips_of
from vision.frame import Picture
from vision.model_file import opened_once
from vision.octagon import Points
from vision.side_profiles import FARTHEST, NEAREST

MODEL = Path(__file__).resolve().parent.parent / "models" / "edges.onnx"
_ABOUT = 3  # samples on each side of the likeliest one that are the same edge
_PX = 4.0  # that an edge told in full trust lies off, at 1280 wide


def told_edges(picture: Picture, corners: Points) -> Hint:
    """Where the edges of a board cross the rays of an octagon (8 × 2 corners, pixels) that lies about its opening.

    The rays are those of `side_profiles.look_across` for the same corners. A trust is the chance that the edge lies
    within `_ABOUT` samples. Raises `ModelMissing` where the net's file is missing or none of ours.
    """
    (logits,) = opened_once(MODEL).run(None, {"strips": strips_of(picture, corners)[None]})
    chance = np.exp(logits[0] - logits[0].max(axis=-1, keepdims=True)).astype(np.float64)
    chance /= chance.sum(axis=-1, keepdims=True)
    best = np.clip(chance.argmax(axis=-1), _ABOUT, SAMPLES - 1 - _ABOUT)
    places = best[..., None] + np.arange(-_ABOUT, _ABOUT + 1)
    near = np.take_along_axis(chance, places, axis=-1)
    trust = near.sum(axis=-1)
    place = (near * places).sum(axis=-1) / np.maximum(trust, 1e-9)
    return Hint(NEAREST + place * (FARTHEST - NEAREST) / (SAMPLES - 1), trust, _PX)
