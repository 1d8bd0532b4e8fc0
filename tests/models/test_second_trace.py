"""The second renderer's pictures: traced light where the labels say it is. Needs Mitsuba."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.second.__main__ import main
from models.second.album import take
from models.second.records import places_to_see, sights
from models.second.shot import Shot, draw_shot
from models.second.things import arm

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mitsuba") is None, reason="Mitsuba is not installed: pip install .[second]"
)
SIZE = (240, 180)


@pytest.fixture(scope="module")
def tracer() -> Any:
    from models.second.trace import NoTracer, Tracer

    try:
        return Tracer()
    except NoTracer as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def shot() -> Shot:
    """Flat dice only, all without glass."""
    for seed in range(100):
        found = draw_shot(seed, SIZE)
        if len(found.dice) > 4 and not found.things and all(d.style.kind == "matt" for d in found.dice):
            return replace(found, dice=tuple(d for d in found.dice if d.pose == "flat"))
    raise AssertionError("no such shot")


def test_a_seed_gives_one_picture(tracer: Any) -> None:
    first, record, _ = take(tracer, 1, SIZE, 2)
    again, same, _ = take(tracer, 1, SIZE, 2)
    assert np.abs(first.astype(int) - again).max() <= 1
    assert record == same
    assert first.shape == (SIZE[1], SIZE[0], 3)


def test_dice_are_where_the_labels_say(tracer: Any, shot: Shot) -> None:
    with_dice, seen = tracer.trace(shot, 2, places_to_see(shot))
    without, _ = tracer.trace(replace(shot, dice=()), 2, np.zeros((0, 3)))
    change = np.abs(with_dice - without).sum(-1) / (without.sum(-1) + 1e-3)
    for die, sight in zip(shot.dice, sights(shot, seen), strict=True):
        assert sight.share > 0.6
        x, y = shot.eye.project(die.outline()).mean(0).round().astype(int)
        assert change[y - 1 : y + 2, x - 1 : x + 2].mean() > 0.2
    corner = change[:8, :8].mean()
    assert corner < 0.2


def test_an_arm_above_a_die_hides_it(tracer: Any, shot: Shot) -> None:
    die = shot.dice[0]
    tip = die.middle + np.array([60.0, 0, 50.0])
    hidden = replace(shot, things=tuple(arm(np.random.default_rng(0), tip, np.array([1.0, 0, 0]))), dice=(die,))
    _, seen = tracer.trace(hidden, 1, places_to_see(hidden))
    assert sights(hidden, seen)[0].share < 0.5


def test_a_folder_is_taken_up_again(tracer: Any, tmp_path: Path) -> None:
    fill = ["stills", "--seed", "7", "--size", "160x120", "--spp", "1", "--out", str(tmp_path)]
    assert main([*fill, "--count", "1"]) == 0
    written = (tmp_path / "second_0000007.jpg").stat().st_mtime_ns
    assert main([*fill, "--count", "2", "--resume"]) == 0
    assert (tmp_path / "second_0000007.jpg").stat().st_mtime_ns == written
    told = json.loads((tmp_path / "labels.json").read_text())
    assert [r["image"] for r in told["images"]] == ["second_0000007.jpg", "second_0000008.jpg"]
    assert told["box_means"] == "whole die"
