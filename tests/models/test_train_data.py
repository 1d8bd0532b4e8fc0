"""What the nets learn from: labels, chips, canvases, looks."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.train import canvases, chips, hands, labels
from models.train.looks import varied
from vision.crops import CROP, FACES, Kind, corners_from_shape
from vision.nets import STRIDE, UNIT_EDGE

DIE = {
    "face": 2, "symbol": False, "pose": "flat", "visible": 1.0, "die_px": 40.0, "center_top": [100.0, 100.0],
    "corners": [[80, 80], [120, 80], [120, 120], [80, 120]], "pips": [[90, 90], [110, 110]], "material": "white",
    "box": [78, 78, 122, 122],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    picture = np.full((240, 240, 3), 60, np.uint8)
    cv2.rectangle(picture, (80, 80), (120, 120), (230, 230, 230), -1)
    for x, y in ((90, 90), (110, 110)):
        cv2.circle(picture, (x, y), 4, (20, 20, 20), -1)
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    (tmp_path / "labels.json").write_text(json.dumps({"images": [{"image": "a.png", "dice": [DIE]}] * 4}))
    return tmp_path


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({}, 1),
        ({"face": 6}, 5),
        ({"face": None, "symbol": True}, Kind.SYMBOL),
        ({"pose": "cocked", "tilt_deg": 20.0, "face": None, "true_top": 3, "normal": [0.3, 0.1]}, 2),
        ({"pose": "cocked", "tilt_deg": 44.0, "face": None, "true_top": 3, "normal": [0.3, 0.1]}, Kind.COCKED),
        ({"pose": "stacked"}, Kind.STACKED),
        ({"pose": "under"}, Kind.STACKED),
        ({"visible": 0.6}, Kind.STACKED),
    ],
)
def test_a_die_is_learnt_as_what_it_shows(tmp_path: Path, change: dict[str, object], kind: int) -> None:
    record = {"image": "a.png", "dice": [{**DIE, **change}]}
    (tmp_path / "labels.json").write_text(json.dumps([record]))
    assert labels.load(tmp_path)[0].dice[0].kind == kind


def test_a_die_that_leans_nobody_knows_how_is_not_learnt_from(tmp_path: Path) -> None:
    record = {"image": "a.png", "dice": [{**DIE, "pose": "cocked", "tilt_deg": 14.0}]}
    (tmp_path / "labels.json").write_text(json.dumps([record]))
    assert labels.load(tmp_path)[0].dice == ()


def test_every_twentieth_picture_is_held_out(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(json.dumps([{"image": f"{i}.png", "dice": []} for i in range(60)]))
    held = {label.path.name for label in labels.load(tmp_path, holdout=True)}
    assert held == {"19.png", "39.png", "59.png"}
    assert held.isdisjoint(label.path.name for label in labels.load(tmp_path, holdout=False))


def test_chips_come_back_the_same_from_disk(folder: Path, tmp_path: Path) -> None:
    made, kept = (chips.gather(folder, tmp_path / "cache") for _ in range(2))
    assert all(np.array_equal(made.pixels[i], kept.pixels[i]) for i in range(len(made)))
    assert (made.kind == 1).sum() == 4
    assert (made.kind == Kind.NOTHING).any()


def test_the_pips_of_a_batch_lie_on_what_is_dark(folder: Path, tmp_path: Path) -> None:
    stock = chips.gather(folder, tmp_path / "cache")
    batch = next(chips.batches(stock, 128, np.random.default_rng(3)))
    faces = np.flatnonzero(batch.kind < FACES)
    assert len(faces) > 20
    assert {int(k) for k in batch.kind[faces]} == {1}
    for i in faces:
        peaks = (batch.pips[i, 0] > 0.6) & (batch.pips[i, 0] >= cv2.dilate(batch.pips[i, 0], np.ones((3, 3))))
        assert peaks.sum() == 2
    assert batch.has_shape[faces].all()
    assert not batch.has_shape[batch.kind == Kind.NOTHING].any()


def test_a_second_look_is_upright_and_well_placed(folder: Path, tmp_path: Path) -> None:
    """Turned by 30 degrees in its picture, the die's edges run along those of nearly all crops."""
    turn = np.array([[0.866, 0.5], [-0.5, 0.866]])
    corners = (np.array(DIE["corners"]) - 100) @ turn + 100
    (folder / "labels.json").write_text(
        json.dumps({"images": [{"image": "a.png", "dice": [{**DIE, "corners": corners.tolist()}]}] * 4})
    )
    stock = chips.gather(folder, tmp_path / "cache")

    def turned(upright: bool) -> list[float]:
        batch = next(chips.batches(stock, 192, np.random.default_rng(3), upright))
        tops = [corners_from_shape(shape) for shape in batch.shape[batch.has_shape]]
        assert len(tops) > 30
        return [float(np.degrees(np.arctan2(*(top[1] - top[0])[::-1])) % 90) for top in tops]

    assert np.mean([min(angle, 90 - angle) < 12 for angle in turned(True)]) > 0.8
    assert np.mean([min(angle, 90 - angle) < 12 for angle in turned(False)]) < 0.5


def test_batches_of_one_seed_are_the_same(folder: Path, tmp_path: Path) -> None:
    stock = chips.gather(folder, tmp_path / "cache")
    first, second = (next(chips.batches(stock, 16, np.random.default_rng(7))) for _ in range(2))
    assert np.array_equal(first.crops, second.crops)
    assert first.crops.shape == (16, 3, CROP, CROP)


def test_the_heat_of_a_canvas_is_where_its_dice_are(folder: Path, tmp_path: Path) -> None:
    stock = canvases.gather(folder, tmp_path / "cache")
    batch = next(canvases.batches([stock], 12, np.random.default_rng(5)))
    hits = np.argwhere(batch.heat >= 1.0)
    assert len(hits) > 10
    for i, row, column in hits:
        x, y = (np.array([column, row]) + 0.5 + batch.place[i, :2, row, column]) * STRIDE
        edge = UNIT_EDGE * np.exp(batch.place[i, 2, row, column])
        assert canvases.SMALLEST <= edge <= canvases.LARGEST
        assert 0 <= x < canvases.CANVAS
        assert 0 <= y < canvases.CANVAS


def test_cells_say_where_a_hand_covers_them(folder: Path) -> None:
    """Half of the picture is a hand, drawn white, dice and all."""
    picture = np.full((480, 480, 3), 10, np.uint8)
    picture[240:] = 245
    cv2.imwrite(str(folder / "a.png"), picture)
    outline = [[0, 240], [480, 240], [480, 480], [0, 480]]
    record = {"image": "a.png", "dice": [DIE], "hand": True, "hand_px": [outline]}
    (folder / "labels.json").write_text(json.dumps({"images": [record] * 4}))
    batch = next(hands.batches(hands.gather(folder), 16, np.random.default_rng(5)))
    light = batch.pictures.mean(axis=1).reshape(16, 12, 8, 16, 8).mean(axis=(2, 4))
    both = [{0.0, 1.0} <= set(np.unique(cells)) for cells in batch.cells]
    assert sum(both) > 8
    shown = [(light[i], batch.cells[i]) for i in range(16) if both[i]]
    apart = [cells[told == 1].mean() - cells[told == 0].mean() for cells, told in shown]
    assert np.mean([gap > 20 for gap in apart]) > 0.8  # a few are inverted


def test_a_hand_is_laid_over_pictures_that_show_none(folder: Path) -> None:
    plain = hands.Shown(np.full((150, 200, 3), 20, np.uint8), np.zeros((150, 200), np.uint8))
    covered = np.zeros((150, 200), np.uint8)
    covered[:, :90] = 255
    hand = hands.Shown(np.full((150, 200, 3), 220, np.uint8), covered)
    batch = next(hands.batches([plain] * 40 + [hand], 64, np.random.default_rng(5)))
    assert 0.2 < np.mean([(cells == 1).any() for cells in batch.cells]) < 0.6


def test_pictures_with_a_hand_that_nobody_outlined_are_left_out(folder: Path) -> None:
    (folder / "labels.json").write_text(json.dumps([{"image": "a.png", "dice": [DIE], "hand": True}] * 4))
    assert hands.gather(folder)[0].covered is None
    with pytest.raises(ValueError, match="no picture tells where a hand is"):
        next(hands.batches(hands.gather(folder), 4, np.random.default_rng(5)))


def test_dice_out_of_range_are_nothing_and_those_at_its_edge_do_not_count() -> None:
    dice = np.array([[40, 40, 14, 1, 0], [150, 150, 60, 1, 0], [220, 60, 27, 1, 0]], np.float32)
    heat, care, _, near = canvases._maps(dice)
    assert np.argwhere(heat >= 1.0).tolist() == [[10, 10]]
    assert care[37, 37] == 1
    assert care[15, 55] == 0
    assert near[10, 10] == 1
    assert near[37, 37] == 0


def test_looks_change_colours_but_neither_size_nor_type_nor_given_pixels() -> None:
    picture = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    before = picture.copy()
    changed = [varied(picture, np.random.default_rng(seed)) for seed in range(30)]
    assert all(c.shape == picture.shape and c.dtype == np.uint8 for c in changed)
    assert sum(np.array_equal(c, picture) for c in changed) < 5
    assert np.array_equal(picture, before)


def test_a_normal_turns_with_its_crop(tmp_path: Path) -> None:
    """The lighter half of the die lies where its normal points, and so it does in every crop."""
    picture = np.full((240, 240, 3), 60, np.uint8)
    cv2.rectangle(picture, (80, 80), (120, 120), (130, 130, 130), -1)
    cv2.rectangle(picture, (108, 80), (120, 120), (255, 255, 255), -1)
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    record = {"image": "a.png", "dice": [{**DIE, "pips": [], "normal": [0.3, 0.0]}]}
    (tmp_path / "labels.json").write_text(json.dumps({"images": [record] * 2}))
    batch = next(chips.batches(chips.gather(tmp_path, tmp_path / "cache"), 128, np.random.default_rng(3)))
    told = np.flatnonzero(batch.has_normal)
    assert len(told) > 20
    y, x = np.mgrid[:CROP, :CROP]
    along = []
    for i in told:
        grey = batch.crops[i].astype(float).sum(axis=0)
        weight = np.abs(grey - np.median(grey)) ** 2
        light = np.array([(x * weight).sum(), (y * weight).sum()]) / weight.sum()
        around = corners_from_shape(batch.shape[i]).mean(axis=0)
        along.append(
            float(batch.normal[i] @ (light - around)) / np.hypot(*batch.normal[i]) / np.hypot(*(light - around))
        )
    assert np.median(along) > 0.9


def test_a_top_that_the_picture_cuts_off_is_covered_but_not_where_little_is_gone() -> None:
    corners = np.array([[40, 40], [80, 40], [80, 80], [40, 80]], np.float32)
    pips = np.full((6, 2), chips.FAR, np.float32)
    pips[:2] = [[50, 50], [68, 68]]
    assert chips._is_whole(corners, pips, (1, 76))
    assert not chips._is_whole(corners, pips, (1, 70))
    assert not chips._is_whole(corners, np.full((6, 2), chips.FAR, np.float32), (0, 68))


def test_chips_of_several_folders_keep_their_pixels_apart(folder: Path, tmp_path: Path) -> None:
    one, other = (chips.gather(folder, tmp_path / f"cache{seed}", seed=seed) for seed in (1, 2))
    both = one.joined([other, one])
    assert len(both) == 2 * len(one) + len(other)
    for place, chip in ((0, one.pixels[0]), (len(one), other.pixels[0]), (len(both) - 1, one.pixels[len(one) - 1])):
        assert np.array_equal(both.pixels[place], chip)
