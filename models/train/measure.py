"""Measures the shipped reader and writes the tables of its card."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.train.cost import reading_macs
from models.train.labels import LEAST_LEAN_DEG, LEAST_VISIBLE, is_held_out
from vision.board import Board
from vision.evaluation import (
    LabelledDie,
    PictureOutcome,
    Verdict,
    compare,
    confusion,
    load_labels,
    reliability,
    tally,
)
from vision.failure_sheet import close_up
from vision.find_board import find_board
from vision.frame import Frame
from vision.picture_file import load_picture
from vision.reader import Reader
from vision.reading import Problem

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
SILENT = "silent.jpg"
"""Beside the card: from near, every rendered picture that was read wrong and sure."""
_ACROSS = 8
_NOT_RIGHT = (Verdict.REFUSED, Verdict.WRONG, Verdict.MISSED)


def outcomes(reader: Reader, folder: Path, held_out: bool = False) -> list[PictureOutcome]:
    """Every picture of the folder (of renders: those held out) read with neither size nor number told."""
    labels = load_labels(folder)
    pictures = [p for i, p in enumerate(labels.pictures) if not held_out or is_held_out(i)]
    found = []
    for picture in pictures:
        pixels = load_picture(picture.path)
        board = Board.whole(pixels.shape[1], pixels.shape[0])
        found.append(compare(picture, reader.read(Frame(pixels, 0.0), board), labels.grown))
    return found


def on_boards(reader: Reader, folder: Path) -> list[PictureOutcome]:
    """Every picture of the folder with its board found in it, as a device reads it; no board is a reason to ask."""
    labels = load_labels(folder)
    found = []
    for picture in labels.pictures:
        pixels = load_picture(picture.path)
        board = find_board(pixels)
        reading = reader.read(Frame(pixels, 0.0), board)
        if board is None:
            reading = replace(reading, problems=(*reading.problems, Problem.NO_BOARD))
        found.append(compare(picture, reading, labels.grown))
    return found


def measure(
    photos: Sequence[Path], renders: Sequence[Path], second: Sequence[Path], models: Path, card: Path | None
) -> str:
    """All tables as Markdown; put between the marks of the card where one is given, silent errors in a sheet beside it.

    `second`: folders of the second renderer, all of which are held out; read with the board found.
    """
    from vision.detector import DiceDetector

    reader = Reader(DiceDetector(models))
    by_photo = {folder.name.replace("__", "/"): _told(outcomes(reader, folder), folder.name) for folder in photos}
    by_render = [o for folder in renders for o in _told(outcomes(reader, folder, held_out=True), folder.name)]
    real = [o for some in by_photo.values() for o in some]
    parts = ["### By source", _sources({**by_photo, "renders held out": by_render})]
    if real:
        parts += ["### By face, photographs", _faces(real), "### Told confidence, photographs", _trust(real)]
    if by_render:
        parts += ["### By face, renders held out", _faces(by_render)]
        parts += ["### By material, renders held out", _materials(by_render), "### Refusals, renders held out"]
        parts += [_refusals(by_render)]
        parts += ["### By felt, renders held out", _felts(by_render)]
    other = [o for folder in second for o in _told(on_boards(reader, folder), folder.name)]
    if other:
        parts += ["### The second renderer's boards", _strangers(other)]
        parts += ["### By face, second renderer", _faces(other), "### By material, second renderer", _materials(other)]
        parts += ["### By felt, second renderer", _felts(other)]
    parts += ["### Cost of one reading", _cost(models)]
    if card is not None and (by_render or other):
        silent = [outcome for outcome in (*by_render, *other) if outcome.silent]
        cv2.imwrite(str(card.parent / SILENT), _sheet(silent), [cv2.IMWRITE_JPEG_QUALITY, 80])
        parts += ["### Silent errors", f"![{len(silent)} rendered pictures read wrong and sure]({SILENT})"]
    text = "\n\n".join(parts)
    if card is not None:
        before, _, rest = card.read_text().partition(BEGIN)
        card.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}")
    return text


def _told(some: list[PictureOutcome], name: str) -> list[PictureOutcome]:
    sums = tally(some)
    print(f"{name}: right {sums.right_share:.3f} of {sums.dice}, silent {sums.silent}", file=sys.stderr, flush=True)
    return some


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _sources(groups: dict[str, list[PictureOutcome]]) -> str:
    rows = []
    for name, some in groups.items():
        sums = tally(some)
        counts = [sums.verdicts.get(verdict, 0) for verdict in Verdict]
        rows.append(
            [name, sums.dice, f"{sums.right_share:.3f}", *counts[1:], sums.pictures, sums.all_right, sums.silent]
        )
    head = ["source", "dice", "right", "refused", "wrong", "missed", "extra", "pictures", "all right", "silent"]
    return _table(head, rows)


def _faces(some: Sequence[PictureOutcome]) -> str:
    table = confusion(some)
    columns = list(table[1])
    rows = []
    for face, row in table.items():
        total = max(1, sum(row.values()))
        rows.append([face, *(row[c] for c in columns), f"{row[str(face)] / total:.3f}"])
    return _table(["true", *columns, "right"], rows)


def _trust(some: Sequence[PictureOutcome]) -> str:
    rows = [[f"{low} to {high}", n, f"{share:.4f}"] for low, high, n, share in reliability(some) if n]
    return _table(["confidence", "told faces", "right"], rows)


def _split(some: Sequence[PictureOutcome], key: Callable[[str], str]) -> dict[str, list[PictureOutcome]]:
    groups: dict[str, list[PictureOutcome]] = {}
    for outcome in some:
        for name in sorted({key(d.truth.material) for d in outcome.dice if d.truth is not None}):
            dice = tuple(d for d in outcome.dice if d.truth is not None and key(d.truth.material) == name)
            groups.setdefault(name, []).append(replace(outcome, dice=dice))
    return groups


def _materials(some: Sequence[PictureOutcome]) -> str:
    rows = []
    for name, group in sorted(_split(some, lambda material: material).items()):
        dice = [d for o in group for d in o.dice if d.truth is not None and d.truth.face is not None]
        count = {v: sum(d.verdict is v for d in dice) for v in Verdict}
        share = count[Verdict.RIGHT] / max(1, len(dice))
        rows.append([name, len(dice), f"{share:.3f}", *(count[v] for v in _NOT_RIGHT)])
    return _table(["material", "flat dice", "right", "refused", "wrong", "missed"], rows)


def _felts(some: Sequence[PictureOutcome]) -> str:
    rows = []
    for felt in sorted({o.picture.felt for o in some}):
        dice = [d for o in some if o.picture.felt == felt for d in o.dice if d.truth and d.truth.face is not None]
        count = {v: sum(d.verdict is v for d in dice) for v in Verdict}
        share = count[Verdict.RIGHT] / max(1, len(dice))
        rows.append([felt or "-", len(dice), f"{share:.3f}", *(count[v] for v in _NOT_RIGHT)])
    return _table(["felt or ground", "flat dice", "right", "refused", "wrong", "missed"], rows)


def _strangers(some: Sequence[PictureOutcome]) -> str:
    """Dice that lie flat and unhidden, that lean, that are stacked or covered; and the pictures."""
    groups: dict[str, list[Verdict]] = {}
    for outcome in some:
        for die in outcome.dice:
            if die.truth is not None:
                groups.setdefault(_lies(die.truth), []).append(die.verdict)
    rows: list[list[object]] = []
    for name, verdicts in sorted(groups.items()):
        right = verdicts.count(Verdict.RIGHT)
        rows.append([name, len(verdicts), f"{right / len(verdicts):.4f}", *(verdicts.count(v) for v in _NOT_RIGHT)])
    sums = tally(some)
    note = (
        f"{sums.pictures} pictures: {sums.all_right} all right, {sums.asked} asked, {sums.silent} silent,"
        f" {sums.verdicts.get(Verdict.EXTRA, 0)} finds where no die is. Of a die that is not flat a refusal is right."
    )
    return _table(["die", "number", "right", "refused", "wrong", "missed"], rows) + "\n\n" + note


def _lies(die: LabelledDie) -> str:
    if die.pose == "cocked":
        return "leans" if die.lean_deg >= LEAST_LEAN_DEG else "leans less than can be seen"
    if die.pose != "flat":
        return "stacked or under another"
    if die.face is None:
        return "shows a symbol"
    return "flat" if die.visible >= LEAST_VISIBLE else "flat, partly hidden"


def _sheet(silent: Sequence[PictureOutcome]) -> npt.NDArray[np.uint8]:
    tiles = [close_up(outcome) for outcome in silent] or [np.zeros((160, 160, 3), np.uint8)]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % _ACROSS)
    return np.vstack([np.hstack(tiles[i : i + _ACROSS]) for i in range(0, len(tiles), _ACROSS)])


def _refusals(some: Sequence[PictureOutcome]) -> str:
    """What must be refused (symbols, leaning, stacked) and pictures that must not be sure."""
    dice = [d for o in some for d in o.dice if d.truth is not None and d.truth.face is None]
    refused = sum(d.verdict is Verdict.RIGHT for d in dice)
    missed = sum(d.verdict is Verdict.MISSED for d in dice)
    barred = [o for o in some if not o.picture.bookable]
    return _table(
        ["what", "number", "refused or asked", "missed", "read as a face, or sure"],
        [
            ["dice that show no face or do not lie flat", len(dice), refused, missed, len(dice) - refused - missed],
            ["pictures with such a die or a hand", len(barred), sum(not o.reading.sure for o in barred), "",
             sum(o.reading.sure for o in barred)],
        ],
    )  # fmt: skip


def _cost(models: Path) -> str:
    rows = []
    for width, height, die in ((1280, 960, 28.0), (640, 480, 28.0), (1280, 960, 60.0)):
        cost = reading_macs(width, height, die, folder=models)
        rows.append([f"{width} × {height}, dice {die:.0f} px", *(f"{n / 1e6:.0f}" for n in cost.values())])
    return _table(
        ["picture, three dice, size known", "finder", "hands", "reader", "together (million multiply-accumulates)"],
        rows,
    )
