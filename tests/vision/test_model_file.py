"""A net's file that is missing or none of ours is told by its own name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision import board_edges, board_net
from vision.errors import VisionError
from vision.frame import Picture
from vision.octagon import regular_octagon

CORNERS = regular_octagon(160) + 160


@pytest.mark.parametrize("kept", [None, b"no net"])
@pytest.mark.parametrize(
    ("room", "look"),
    [
        ("vision.board_net", board_net.board_maps),
        ("vision.board_edges", lambda picture: board_edges.told_edges(picture, CORNERS)),
    ],
)
def test_a_net_that_cannot_be_used_is_told_by_its_name(
    room: str, look: Callable[[Picture], object], kept: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.onnx"
    if kept is not None:
        file.write_bytes(kept)
    monkeypatch.setattr(f"{room}.MODEL", file)
    with pytest.raises(VisionError, match=r"^the model mine\.onnx cannot be loaded; install Pietjesoog again$"):
        look(np.zeros((320, 320, 3), np.uint8))
