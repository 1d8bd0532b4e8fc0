"""What a reader makes of labelled pictures: each die right, refused, wrong or missed, each picture sure or not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.reading import BoardReading, DieReading

LABELS = "labels.json"
Box = tuple[float, float, float, float]

GROWN = {"whole die": 1.15, "top face": 1.6, "pips of the top face only": 2.2}
"""By so much a labelled box is grown before a read die's middle must lie in it: some mark only the pips."""
_GROWN_ELSE = 1.3


class Verdict(StrEnum):
    RIGHT = "right"
    REFUSED = "refused"
    WRONG = "wrong"
    MISSED = "missed"
    EXTRA = "extra"


@dataclass(frozen=True)
class LabelledDie:
    """A die as it is: `face` None if it shows none of 1 to 6 or leans, `box` None where only faces are known.

    `visible`: the share of its top that is seen; `pose` as in the labels ("flat", "cocked", "stacked", "under").
    """

    face: int | None
    box: Box | None
    material: str = ""
    lean_deg: float = 0.0
    visible: float = 1.0
    pose: str = "flat"


@dataclass(frozen=True)
class LabelledPicture:
    path: Path
    dice: tuple[LabelledDie, ...]
    bookable: bool = True
    felt: str = ""


@dataclass(frozen=True)
class Labels:
    """A folder of labelled pictures."""

    source: str
    licence: str
    grown: float
    pictures: tuple[LabelledPicture, ...]


@dataclass(frozen=True)
class Outcome:
    """One die compared: what it is (None: there is none), what was read (None: nothing was found)."""

    truth: LabelledDie | None
    read: DieReading | None
    verdict: Verdict


@dataclass(frozen=True)
class PictureOutcome:
    picture: LabelledPicture
    reading: BoardReading
    dice: tuple[Outcome, ...]

    @property
    def all_right(self) -> bool:
        return all(outcome.verdict is Verdict.RIGHT for outcome in self.dice)

    @property
    def silent(self) -> bool:
        """Sure, and not all right or not to be booked at all: the worst there is."""
        return self.reading.sure and not (self.all_right and self.picture.bookable)


class LabelsUnusable(VisionError):
    """A folder without labels, or with labels that cannot be understood."""


def load_labels(folder: Path) -> Labels:
    """The labels.json of a folder: `images`: [{image, dice: [{face, box}]}]; LabelsUnusable tells which is wrong."""
    file = folder / LABELS
    try:
        told = json.loads(file.read_text("utf-8-sig"))
    except OSError as fault:
        raise LabelsUnusable(f"{folder} has no {LABELS} that can be read") from fault
    except (ValueError, RecursionError) as fault:
        raise LabelsUnusable(f"{file} is not valid JSON: {fault}") from fault
    meta = told if isinstance(told, dict) else {"images": told}
    records = meta.get("images")
    if not isinstance(records, list) or not records:
        raise LabelsUnusable(f"{file} holds no list of pictures with their dice")
    pictures: dict[Path, LabelledPicture] = {}
    for number, record in enumerate(records, 1):
        try:
            picture = _picture(folder, record)
            if picture.path in pictures:
                raise ValueError("it is in the list twice")
        except ValueError as fault:
            name = record.get("image") if isinstance(record, dict) else None
            raise LabelsUnusable(f"{file}, picture {number} ({name or 'without a name'}): {fault}") from fault
        pictures[picture.path] = picture
    grown = GROWN.get(str(meta.get("box_means")), _GROWN_ELSE)
    source, licence = str(meta.get("source", folder.name)), str(meta.get("licence", ""))
    return Labels(source, licence, grown, tuple(pictures.values()))


def _picture(folder: Path, record: object) -> LabelledPicture:
    """Raises ValueError, with what is wrong."""
    if not isinstance(record, dict) or not isinstance(name := record.get("image"), str) or not name:
        raise ValueError('it needs "image", the name of its file')
    told = record.get("dice")
    if not isinstance(told, list) or not all(isinstance(die, dict) for die in told):
        raise ValueError('it needs "dice", a list of {"face": 5, "box": [x1, y1, x2, y2]}')
    dice = tuple(_die(die) for die in told if _number(die, "visible", 1.0) > 0.3)
    flat = all(die.get("pose", "flat") == "flat" for die in told)
    felt = str(record.get("felt") or "")
    return LabelledPicture(folder / name, dice, flat and not record.get("hand"), felt)


def _die(told: Mapping[str, Any]) -> LabelledDie:
    flat = told.get("pose", "flat") == "flat"
    if flat and "face" not in told:
        raise ValueError('a die needs its "face", null if it shows none')
    face = told["face"] if flat else None
    if face is not None and (not isinstance(face, int) or isinstance(face, bool) or not 1 <= face <= 6):
        raise ValueError(f"a face is 1 to 6, not {face!r}")
    more = (
        str(told.get("material", "")),
        _number(told, "tilt_deg", 0.0),
        _number(told, "visible", 1.0),
        str(told.get("pose", "flat")),
    )
    box = told.get("box")
    if box is None:
        return LabelledDie(face, None, *more)
    if not isinstance(box, list) or len(box) != 4:
        raise ValueError(f"a box is four numbers, x1, y1, x2, y2, not {box!r}")
    x1, y1, x2, y2 = (_finite(value, "a box has four numbers") for value in box)
    if not (x1 < x2 and y1 < y2):
        raise ValueError(f"a box runs from its upper left to its lower right corner, not {box}")
    return LabelledDie(face, (x1, y1, x2, y2), *more)


def _number(told: Mapping[str, Any], key: str, default: float) -> float:
    value = told.get(key)
    return default if value is None else _finite(value, f'"{key}" is a number')


def _finite(value: object, what: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:  # false for NaN
        return float(value)
    raise ValueError(f"{what}, not {value!r}"[:200])


def compare(picture: LabelledPicture, reading: BoardReading, grown: float = _GROWN_ELSE) -> PictureOutcome:
    """By place where the labels have boxes, else by the faces alone."""
    boxed = all(die.box is not None for die in picture.dice)
    pairs = _by_place(picture.dice, reading.dice, grown) if boxed else _by_face(picture.dice, reading.dice)
    return PictureOutcome(picture, reading, tuple(Outcome(t, r, _verdict(t, r)) for t, r in pairs))


Pairs = list[tuple[LabelledDie | None, DieReading | None]]


def _by_place(dice: Sequence[LabelledDie], reads: Sequence[DieReading], grown: float) -> Pairs:
    """The nearest first, so that a missed die does not take its neighbour's read."""
    near: list[tuple[float, int, int]] = []
    for i, die in enumerate(dice):
        assert die.box is not None
        x1, y1, x2, y2 = die.box
        reach = grown * max(x2 - x1, y2 - y1) / 2
        for j, read in enumerate(reads):
            a, b, c, d = read.box
            across, down = abs((a + c) - (x1 + x2)) / 2, abs((b + d) - (y1 + y2)) / 2
            if max(across, down) <= reach:
                near.append((across**2 + down**2, i, j))
    of_die: dict[int, int] = {}
    for _, i, j in sorted(near):
        if i not in of_die and j not in of_die.values():
            of_die[i] = j
    pairs: Pairs = [(die, reads[of_die[i]] if i in of_die else None) for i, die in enumerate(dice)]
    return pairs + [(None, read) for j, read in enumerate(reads) if j not in of_die.values()]


def _by_face(dice: Sequence[LabelledDie], reads: Sequence[DieReading]) -> Pairs:
    free = list(reads)
    pairs: Pairs = []
    left: list[LabelledDie] = []
    for die in dice:
        same = next((read for read in free if read.face == die.face), None)
        if same is None:
            left.append(die)
        else:
            free.remove(same)
            pairs.append((die, same))
    free.sort(key=lambda read: read.face is None)
    pairs += [(die, free.pop(0) if free else None) for die in left]
    return pairs + [(None, read) for read in free]


def _verdict(truth: LabelledDie | None, read: DieReading | None) -> Verdict:
    if read is None:
        return Verdict.MISSED
    if truth is None:
        return Verdict.EXTRA
    if read.face == truth.face:
        return Verdict.RIGHT
    return Verdict.REFUSED if read.face is None else Verdict.WRONG


@dataclass(frozen=True)
class Tally:
    """Sums over pictures."""

    pictures: int
    all_right: int
    asked: int
    silent: int
    dice: int
    verdicts: Mapping[Verdict, int]

    @property
    def right_share(self) -> float:
        return self.verdicts.get(Verdict.RIGHT, 0) / max(1, self.dice)


def tally(outcomes: Sequence[PictureOutcome]) -> Tally:
    verdicts = Counter(die.verdict for outcome in outcomes for die in outcome.dice)
    return Tally(
        len(outcomes),
        sum(outcome.all_right for outcome in outcomes),
        sum(not outcome.reading.sure for outcome in outcomes),
        sum(outcome.silent for outcome in outcomes),
        sum(len(outcome.picture.dice) for outcome in outcomes),
        verdicts,
    )


def confusion(outcomes: Sequence[PictureOutcome]) -> dict[int, dict[str, int]]:
    """For each true face how often it was read as 1 to 6, refused, or missed."""
    table: dict[int, dict[str, int]] = {
        face: {**{str(f): 0 for f in range(1, 7)}, "refused": 0, "missed": 0} for face in range(1, 7)
    }
    for outcome in outcomes:
        for die in outcome.dice:
            if die.truth is None or die.truth.face is None:
                continue
            read = "missed" if die.read is None else "refused" if die.read.face is None else str(die.read.face)
            table[die.truth.face][read] += 1
    return table


RELIABILITY = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)


def reliability(outcomes: Sequence[PictureOutcome]) -> list[tuple[float, float, int, float]]:
    """Rows (from, to, told faces with such a confidence, share of them that are right)."""
    reads = [
        (die.read.confidence, die.verdict is Verdict.RIGHT)
        for outcome in outcomes
        for die in outcome.dice
        if die.read is not None and die.read.face is not None
    ]
    rows = []
    for low, high in pairwise(RELIABILITY):
        some = [right for confidence, right in reads if low <= confidence < high or confidence == high == 1.0]
        rows.append((low, high, len(some), sum(some) / max(1, len(some))))
    return rows
