"""Readings compared with labels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vision.evaluation import (
    LabelledDie,
    LabelledPicture,
    LabelsUnusable,
    Verdict,
    compare,
    confusion,
    load_labels,
    reliability,
    tally,
)
from vision.reading import BoardReading, DieReading, Problem


def read(face: int | None, x: float, confidence: float = 0.99) -> DieReading:
    box = (x, 0.0, x + 20, 20.0)
    return DieReading(face, confidence, None, box, ((x, 0), (x + 20, 0), (x + 20, 20), (x, 20)))


def labelled(*dice: tuple[int | None, float | None], bookable: bool = True) -> LabelledPicture:
    boxes = tuple(LabelledDie(face, None if x is None else (x, 0, x + 20, 20)) for face, x in dice)
    return LabelledPicture(Path("a.jpg"), boxes, bookable)


@pytest.mark.parametrize(
    ("dice", "reads", "verdicts"),
    [
        ([(5, 0.0)], [read(5, 2)], [Verdict.RIGHT]),
        ([(5, 0.0)], [read(4, 2)], [Verdict.WRONG]),
        ([(5, 0.0)], [read(None, 2)], [Verdict.REFUSED]),
        ([(5, 0.0)], [], [Verdict.MISSED]),
        ([(5, 0.0)], [read(5, 90)], [Verdict.MISSED, Verdict.EXTRA]),
        ([(None, 0.0)], [read(None, 0)], [Verdict.RIGHT]),
        ([(5, 0.0), (5, 22.0)], [read(5, 20), read(5, 1)], [Verdict.RIGHT, Verdict.RIGHT]),
        ([(5, 0.0), (2, 13.0)], [read(2, 13)], [Verdict.MISSED, Verdict.RIGHT]),  # a neighbour's read is not taken
        ([(5, None), (2, None)], [read(2, 0), read(6, 50)], [Verdict.RIGHT, Verdict.WRONG]),
        ([(5, None)], [read(5, 0), read(None, 50)], [Verdict.RIGHT, Verdict.EXTRA]),
    ],
)
def test_each_die_has_its_verdict(
    dice: list[tuple[int | None, float | None]], reads: list[DieReading], verdicts: list[Verdict]
) -> None:
    outcome = compare(labelled(*dice), BoardReading(tuple(reads)))
    assert sorted(d.verdict for d in outcome.dice) == sorted(verdicts)


def test_sure_and_not_right_is_silent_but_asked_is_not() -> None:
    wrong = labelled((5, 0.0))
    assert compare(wrong, BoardReading((read(4, 0),))).silent
    assert not compare(wrong, BoardReading((read(4, 0),), (Problem.UNSURE,))).silent
    assert not compare(wrong, BoardReading((read(5, 0),))).silent
    assert compare(labelled((5, 0.0), bookable=False), BoardReading((read(5, 0),))).silent


def test_sums_confusion_and_reliability_agree() -> None:
    outcomes = [
        compare(labelled((6, 0.0), (1, 50.0)), BoardReading((read(5, 0, 0.96), read(1, 50, 0.999)))),
        compare(labelled((6, 0.0)), BoardReading(())),
    ]
    sums = tally(outcomes)
    assert (sums.pictures, sums.all_right, sums.silent, sums.dice, sums.right_share) == (2, 0, 2, 3, 1 / 3)
    table = confusion(outcomes)
    assert (table[6]["5"], table[6]["missed"], table[1]["1"]) == (1, 1, 1)
    assert [(n, share) for _, _, n, share in reliability(outcomes) if n] == [(1, 0.0), (1, 1.0)]


def test_a_leaning_die_is_one_that_shows_no_face(tmp_path: Path) -> None:
    dice = [{"face": 3, "box": [0, 0, 9, 9], "pose": "cocked"}, {"face": 2, "box": None}]
    (tmp_path / "labels.json").write_text(json.dumps({"source": "s", "images": [{"image": "a.jpg", "dice": dice}]}))
    (picture,) = load_labels(tmp_path).pictures
    assert [die.face for die in picture.dice] == [None, 2]
    assert not picture.bookable


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[1]", 'picture 1 .without a name.: it needs "image"'),
        ("null", "no list of pictures"),
        ('{"images": []}', "no list of pictures"),
        ('{"images": {"a": []}}', "no list of pictures"),
        ('{"images": [{"dice": []}]}', 'it needs "image"'),
        ('{"images": [{"image": null, "dice": []}]}', 'it needs "image"'),
        ('{"images": [{"image": "a"}]}', r'picture 1 \(a\): it needs "dice"'),
        ('{"images": [{"image": "a", "dice": [5]}]}', 'it needs "dice"'),
        ('{"images": [{"image": "a", "dice": [{}]}]}', '"face"'),
        ('{"images": [{"image": "a", "dice": []}, {"image": "b", "dice": [{"face": 7}]}]}', r"2 \(b\): .* not 7"),
        ('{"images": [{"image": "a", "dice": [{"face": true, "box": null}]}]}', "1 to 6"),
        ('{"images": [{"image": "a", "dice": [{"face": 1, "visible": NaN}]}]}', '"visible" is a number, not nan'),
        ('{"images": [{"image": "a", "dice": [{"face": 1, "box": [0, 0, 9]}]}]}', "four numbers"),
        (
            '{"images": [{"image": "a", "dice": [{"face": 1, "box": [NaN, 0, 9, 9]}]}]}',
            "a box has four numbers, not nan",
        ),
        (f'{{"images": [{{"image": "a", "dice": [{{"face": 1, "box": [1{"0" * 400}, 0, 9, 9]}}]}}]}}', "a box has"),
        ('{"images": [{"image": "a", "dice": [{"face": 1, "box": [9, 0, 0, 9]}]}]}', "upper left"),
        ('{"images": [{"image": "a", "dice": []}, {"image": "a", "dice": []}]}', r"picture 2 \(a\): .* twice"),
    ],
)
def test_labels_that_cannot_be_understood_are_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "labels.json").write_text(text)
    with pytest.raises(LabelsUnusable, match=said):
        load_labels(tmp_path)


def test_labels_of_an_editor_that_marks_its_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text('[{"image": "é.jpg", "dice": [{"face": 3}]}]', encoding="utf-8-sig")
    assert load_labels(tmp_path).pictures[0].path.name == "é.jpg"


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelsUnusable, match=r"no labels\.json"):
        load_labels(tmp_path)
