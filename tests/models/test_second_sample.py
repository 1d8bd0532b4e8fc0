"""Pictures of the second renderer: their labels hold together, and the reader tells nothing wrong about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.second.records import LEAST_SEEN
from models.second.solid import Floats
from models.train import labels as training
from vision.evaluation import GROWN, Verdict, compare, load_labels, tally
from vision.find_board import find_board
from vision.frame import Frame, Picture
from vision.reader import SURE_AT, Reader
from vision.reading import BoardReading

FOLDER = Path(__file__).parents[1] / "data" / "second"
RECORDS: list[dict[str, Any]] = json.loads((FOLDER / "labels.json").read_text())["images"]
DICE = [(record["image"], die) for record in RECORDS for die in record["dice"]]
KEYS = {"face", "true_top", "symbol", "box", "corners", "center_top", "pips", "pose", "tilt_deg", "normal", "visible"}
KEYS |= {"die_px", "where", "material", "pip_style", "handed"}
LEAST_CONTRAST = 12.0
"""Between a pip and its face, in CIE L*a*b*, that anybody sees."""


def picture_of(image: str) -> Picture:
    found = cv2.imread(str(FOLDER / image))
    assert found is not None
    return np.asarray(found, np.uint8)


def test_the_sample_is_small_and_of_many_kinds() -> None:
    assert 6 <= len(RECORDS) <= 8
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 4_000_000
    assert {die["pose"] for _, die in DICE} >= {"flat", "cocked", "stacked", "under"}
    assert {die["face"] for _, die in DICE} == {None, 1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["image"]))
def test_pictures_have_the_size_and_the_board_they_are_said_to(record: dict[str, Any]) -> None:
    assert picture_of(record["image"]).shape == (record["height"], record["width"], 3)
    floor, rim = (np.array(record["board_px"][name], np.float32) for name in ("floor", "rim_outer"))
    assert len(floor) == len(rim) == 8
    assert ((rim > 0) & (rim < [record["width"], record["height"]])).all()
    for corner in floor:
        assert cv2.pointPolygonTest(rim, (float(corner[0]), float(corner[1])), True) > 5


@pytest.mark.parametrize(("image", "die"), DICE)
def test_the_labels_of_a_die_hold_together(image: str, die: dict[str, Any]) -> None:
    assert set(die) == KEYS
    assert len(die["pips"]) == die["true_top"]
    hidden = die["visible"] < LEAST_SEEN
    if die["pose"] != "flat" or hidden:
        assert die["face"] is None
    elif die["face"] is not None:
        assert die["face"] == die["true_top"]
    assert (die["tilt_deg"] > 11) == (die["pose"] == "cocked")
    corners = np.array(die["corners"], np.float32)
    x, y = corners.T
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)
    assert area > 0  # clockwise as seen
    assert np.sqrt(area) == pytest.approx(die["die_px"], abs=0.2)
    assert 12 < die["die_px"] < 50
    for spot in [*die["pips"], die["center_top"]]:
        assert cv2.pointPolygonTest(corners, (spot[0], spot[1]), True) > 0
        assert die["box"][0] < spot[0] < die["box"][2]
        assert die["box"][1] < spot[1] < die["box"][3]
    assert np.hypot(*die["normal"]) <= 1


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["image"]))
def test_pips_are_seen_where_they_are_said_to_be(record: dict[str, Any]) -> None:
    lab = cv2.cvtColor(picture_of(record["image"]).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    seen = asked = 0
    for die in record["dice"]:
        if die["face"] is None:
            continue
        corners = np.array(die["corners"])
        line = np.linspace(0.2, 0.8, 15)
        across, down = corners[1] - corners[0], corners[3] - corners[0]
        places = [corners[0] + u * across + v * down for u in line for v in line]
        ground = np.median([lab[round(y), round(x)] for x, y in places], axis=0)
        for x, y in die["pips"]:
            asked += 1
            seen += int(np.linalg.norm(lab[round(y), round(x)] - ground) > LEAST_CONTRAST)
    assert seen >= 0.85 * asked


def _round_about(corners: Floats) -> Floats:
    """Places along a face's four sides."""
    ways = zip(corners, np.roll(corners, -1, 0), strict=True)
    return np.concatenate([a + np.linspace(0, 1, 8)[:, None] * (b - a) for a, b in ways])


def _off_pips(place: Floats, die: dict[str, Any]) -> bool:
    return all(np.hypot(*(place - pip)) > 0.16 * die["die_px"] for pip in np.array(die["pips"]))


def test_where_dice_lie_agrees_with_the_board() -> None:
    for record in RECORDS:
        rim = np.array(record["board_px"]["rim_outer"], np.float32)
        for die in record["dice"]:
            within = cv2.pointPolygonTest(rim, tuple(die["center_top"]), True)
            assert within > 0 if die["where"] == "inside" else within < 2 * die["die_px"]


def test_training_and_evaluation_read_the_labels() -> None:
    assert [len(p.dice) for p in training.load(FOLDER)] == [len(r["dice"]) for r in RECORDS]
    told = load_labels(FOLDER)
    assert told.grown == GROWN["whole die"]
    for picture, record in zip(told.pictures, RECORDS, strict=True):
        usual = all(d["pose"] == "flat" for d in record["dice"]) and not record["hand"]
        assert picture.bookable == usual


@pytest.fixture(scope="module")
def readings() -> dict[str, BoardReading]:
    """What the reader says of each picture, its board found as the device finds it."""
    reader, made = Reader(), {}
    for record in RECORDS:
        picture = picture_of(record["image"])
        board = find_board(picture)
        size = None if board else float(np.median([die["die_px"] for die in record["dice"]]))
        made[record["image"]] = reader.read(Frame(picture, 0.0), board, die_px=size)
    return made


@pytest.mark.parametrize("image", [record["image"] for record in RECORDS])
def test_the_reader_is_never_silently_wrong(image: str, readings: dict[str, BoardReading]) -> None:
    told = load_labels(FOLDER)
    picture = next(p for p in told.pictures if p.path.name == image)
    assert not compare(picture, readings[image], told.grown).silent


def test_the_reader_does_not_keep_silent_about_all(readings: dict[str, BoardReading]) -> None:
    told = load_labels(FOLDER)
    found = tally([compare(picture, readings[picture.path.name], told.grown) for picture in told.pictures])
    assert found.verdicts.get(Verdict.RIGHT, 0) >= 0.7 * found.dice


def test_no_flat_die_is_surely_read_as_another(readings: dict[str, BoardReading]) -> None:
    wrong = []
    for record in RECORDS:
        for die in record["dice"]:
            top = np.array(die["corners"], np.float32)
            for read in readings[record["image"]].dice:
                on_it = cv2.pointPolygonTest(top, read.center, True) > 0.25 * die["die_px"]
                sure = read.face is not None and read.confidence >= SURE_AT
                if die["face"] is not None and on_it and sure and read.face != die["face"]:
                    wrong.append((record["image"], die["face"], read.face))
    assert wrong == []
