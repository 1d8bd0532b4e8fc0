"""Measuring throws and unrest: how a clip is judged, rows that can be taken up again, and what unrest is made of."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("mujoco", reason="the [train] extra is not installed")
pytest.importorskip("moderngl", reason="the [train] extra is not installed")

from models.throws import measure as measuring
from models.throws import noise as noising
from models.throws.clips import plan_clip
from models.throws.contrast import pips_differ
from models.throws.filming import Camera
from models.throws.measure import BadRows, Judged, figures, judge, measure, read_rows
from models.throws.noise import noise_figures
from models.throws.search import NotFound
from models.throws.stage import cafe
from models.throws.unrest import FPS, HAPPENS, SHARES, Set, unrest
from vision.happenings import Happening, ThrowSeen, Unsure

THROW = {"expect": "throw", "dice": [1, 4, 5], "outside": 0, "rest_frame": 30}
OUTSIDE = {"expect": "outside", "dice": [None, 4, 5], "outside": 1, "rest_frame": 30}
LEANS = {"expect": "unsure", "dice": [None, 4, 5], "outside": 0, "rest_frame": 30}
QUIET = {"expect": "none", "dice": [], "outside": 0, "rest_frame": None}
SURE = ThrowSeen(t=1.5, dice=(1, 4, 5), settled_at=1.0)
OUT = ThrowSeen(t=1.6, dice=(4, 5), outside=1, settled_at=1.0)
ASKED = Unsure(t=2.1, why=("cocked",), dice=(4, 5, None), settled_at=1.0)


@pytest.mark.parametrize(
    ("clip", "told", "right", "asked", "silent"),
    [
        (THROW, [SURE], True, False, False),
        (THROW, [ASKED], False, True, False),
        (THROW, [ASKED, SURE], True, False, False),
        (THROW, [], False, False, False),
        (THROW, [SURE, SURE], False, False, True),
        (THROW, [ThrowSeen(t=1.5, dice=(1, 4, 6), settled_at=1.0)], False, False, True),
        (THROW, [OUT], False, False, True),
        (OUTSIDE, [OUT], True, False, False),
        (OUTSIDE, [ThrowSeen(t=1.5, dice=(4, 5), settled_at=1.0)], False, False, True),
        (OUTSIDE, [ASKED], False, True, False),
        (LEANS, [ASKED], True, True, False),
        (LEANS, [SURE], False, False, True),
        (LEANS, [], False, False, False),
        (QUIET, [], True, False, False),
        (QUIET, [SURE], False, False, True),
    ],
)
def test_a_clip_is_judged_as_the_table_would(
    clip: dict, told: list[Happening], right: bool, asked: bool, silent: bool
) -> None:
    judged = judge(clip, told)
    assert (judged.right, judged.asked, judged.silent) == (right, asked, silent)
    booked = right and told and isinstance(told[-1], ThrowSeen)
    assert judged.delay == (pytest.approx(told[-1].t - 1.0) if booked else None)


def test_a_measurement_is_taken_up_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def watched(seed: int, *_: object) -> dict[str, object]:
        asked.append(seed)
        if seed == 12:
            raise NotFound("no such throw")
        told = Judged(True, False, False, 0.5)
        row = {"seed": seed, "kind": "throw", "expect": "throw", "dice": [1], "outside": 0, "notes": ""}
        return {**row, "light": "warm", "told": [], "board_off": 0.1, **vars(told), "watch_ms": 3.0}

    monkeypatch.setattr(measuring, "watch_clip", watched)
    monkeypatch.setattr(measuring, "Reader", lambda: None)
    monkeypatch.setattr(measuring, "Renderer", lambda quality: None)
    out = tmp_path / "rows.jsonl"
    assert [row["seed"] for row in measure(out, 10, 2, (320, 240))] == [10, 11]
    rows = measure(out, 10, 4, (320, 240))
    assert asked == [10, 11, 12, 13]
    assert [row["seed"] for row in rows] == [10, 11, 12, 13]
    assert [row["seed"] for row in read_rows(out)] == [10, 11, 12, 13]
    told = "\n".join(figures(rows))
    assert "clips 3" in told
    assert "3 of 3 (100.0 %)" in told
    assert "0.50 s, 0.50 s" in told
    out.write_text("no rows", "utf-8")
    with pytest.raises(BadRows, match=r"rows\.jsonl"):
        read_rows(out)


def test_figures_show_what_went_wrong() -> None:
    row = {"seed": 1, "light": "warm", "board_off": None, "told": [], "delay": None}
    rows = [
        {**row, "expect": "throw", "right": False, "asked": False, "silent": True},
        {**row, "expect": "outside", "right": False, "asked": True, "silent": False, "told": [{"outside": 0}]},
        {**row, "expect": "none", "right": True, "asked": False, "silent": False, "told": [{"outside": 1}]},
    ]
    told = {line[:55].strip(): line[55:].strip() for line in figures(rows)}
    assert told["silent: wrong, doubled or never thrown"].startswith("1 of 3")
    assert told["dice outside told"].startswith("0 of 1")
    assert told["a die outside told where there is none"].startswith("1 of 2")
    assert told["quiet clips without a question"].startswith("0 of 1")
    assert told["felt within a fifth of a die"].startswith("0 of 3")


def test_throws_of_dice_with_faint_pips_are_told_apart() -> None:
    row = {"seed": 1, "light": "warm", "board_off": 0.1, "told": [], "delay": None, "expect": "throw", "right": False}
    asked, sure = {"asked": True, "silent": False}, {"asked": False, "silent": False, "right": True}
    rows = [row | asked | {"pips_differ": 40.0}, row | sure | {"pips_differ": 90.0}, row | asked]
    told = {line[:55].strip(): line[55:].strip() for line in figures(rows)}
    assert told["clean throws asked about"].startswith("2 of 3")
    assert told["... where all pips differ from their die by 75 levels"].startswith("0 of 1")


@pytest.mark.parametrize(("top", "pip", "differ"), [(230, 30, 346.0), (120, 100, 34.6), (60, 60, 0.0)])
def test_pips_differ_as_much_as_they_are_painted(top: int, pip: int, differ: float) -> None:
    picture = np.full((80, 80, 3), 20, np.uint8)
    cv2.rectangle(picture, (20, 20), (60, 60), (top, top, top), -1)
    pips = np.array([[30.0, 30.0], [50.0, 50.0]])
    for x, y in pips.astype(int).tolist():
        cv2.circle(picture, (x, y), 4, (pip, pip, pip), -1)
    assert pips_differ(picture, pips, 40.0) == pytest.approx(differ, abs=6.0)


def test_pips_are_where_the_camera_shows_them() -> None:
    stage, clip = plan_clip(3, "throw", (640, 480), in_cafe=True)
    camera = Camera(stage.scene, stage.looks, edge_mm=stage.edge_mm, hands=stage.hands)
    rest = clip.record["rest_frame"] / 30
    picture, tops = camera.picture(clip.take, rest), camera.pips(clip.take, rest)
    assert sorted(len(pips) for pips in tops) == sorted(clip.record["dice"])
    assert all(pips_differ(picture, pips, stage.die_px()) > 100 for pips in tops)


@pytest.fixture
def table() -> Set:
    """A plain table with a hand that is a grey block."""
    stage = cafe((320, 240))
    bare = np.full((240, 320, 3), 100, np.uint8)
    glass, hand = bare.copy(), np.zeros((240, 320, 3), np.int16)
    glass[20:60, 20:60] = 180
    hand[80:160, :200] = 70
    return Set(stage, bare, glass, ((hand,) * 8,), 0)


def test_unrest_is_the_same_for_a_seed_and_everything_happens(table: Set) -> None:
    one = [(picture.sum(), began) for picture, began, _ in unrest(table, 5, 8.0)]
    again = [(picture.sum(), began) for picture, began, _ in unrest(table, 5, 8.0)]
    assert one == again
    assert len(one) == 8 * FPS
    happened = {began for seed in range(4) for _, began, _ in unrest(table, seed, 60.0)}
    assert happened == {"", *HAPPENS}
    assert sum(SHARES) == pytest.approx(1.0)


def test_unrest_begins_calm_and_a_nudge_stays(table: Set) -> None:
    moves = 0
    for seed in range(3):
        looked = np.eye(2, 3)
        for index, (picture, began, look) in enumerate(unrest(table, seed, 40.0)):
            assert picture.shape == table.bare.shape
            if index < 2 * FPS:
                assert began == ""
            moved = float(np.abs(look - looked).max())
            assert (moved > 0) == (began == "nudge")
            moves += moved > 0
            looked = look
    assert moves > 0


def test_rows_of_unrest_tell_what_was_told_though_nobody_threw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"minutes": 6.0, "dice": 3, "hands": 4, "told": {}, "board_off": 0.05}

    def watched(seed: int, *_: object) -> dict[str, object]:
        began = {"hand": 3, "nudge": seed % 2}
        return {"seed": seed, **row, "began": began, "throws": [{}] * (seed == 3), "asked": []}

    monkeypatch.setattr(noising, "watch_noise", watched)
    monkeypatch.setattr(noising, "Reader", lambda: None)
    monkeypatch.setattr(noising, "Renderer", lambda quality: None)
    rows = noising.measure_noise(tmp_path / "rows.jsonl", 1, 4, 360.0, (320, 240))
    assert len((tmp_path / "rows.jsonl").read_text("utf-8").splitlines()) == 4
    told = "\n".join(noise_figures(json.loads(json.dumps(rows))))
    assert "24 minutes" in told
    assert "nobody threw      1 " in told
    assert "2 of 2" in told
