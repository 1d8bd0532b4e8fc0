"""What a reader takes for dice in renders, made into ground to learn from."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.train import hard_ground, labels
from tests.models.test_train_photos import Reader, seen

DIE = {"face": 4, "die_px": 40.0, "corners": [[80, 80], [120, 80], [120, 120], [80, 120]], "pips": [], "visible": 1.0}


def test_only_what_lies_apart_from_every_die_is_ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out = tmp_path / "board", tmp_path / "out"
    folder.mkdir()
    cv2.imwrite(str(folder / "a.png"), np.full((400, 400, 3), 90, np.uint8))
    images = [{"image": "a.png", "dice": [DIE]}] * 20
    (folder / "labels.json").write_text(json.dumps({"images": images}))
    found = ((seen(100, 100, 4), 0.99), (seen(140, 100, 2), 0.6), (seen(300, 300, 6), 0.7), (seen(300, 100, 6), 0.05))
    monkeypatch.setattr(hard_ground, "DiceDetector", type("Told", (Reader,), {"faces_there": found}))
    assert hard_ground.hard_ground(folder, out, tmp_path, every=10) == 2  # one in each of two pictures
    told = labels.load(out)
    assert [place.center for place in told[0].ground] == [(300.0, 300.0)]
    assert [die.visible for die in told[0].dice] == [0.0]
    assert labels.picture(told[0].path).shape == (400, 400, 3)
