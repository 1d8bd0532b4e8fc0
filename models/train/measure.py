"""Measures the shipped reader and writes the tables of its card."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from models.train.cost import reading_macs
from vision.board import Board
from vision.evaluation import (
    PictureOutcome,
    Verdict,
    compare,
    confusion,
    load_labels,
    reliability,
    tally,
)
from vision.frame import Frame
from vision.picture_file import load_picture
from vision.reader import Reader

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
HELD_OUT = 20
"""Of rendered pictures every twentieth is not trained on (`models.train.labels.load`)."""


def outcomes(reader: Reader, folder: Path, held_out: bool = False) -> list[PictureOutcome]:
    """Every picture of the folder (of renders: those held out) read with neither size nor number told."""
    labels = load_labels(folder)
    pictures = [p for i, p in enumerate(labels.pictures) if not held_out or i % HELD_OUT == HELD_OUT - 1]
    found = []
    for picture in pictures:
        pixels = load_picture(picture.path)
        board = Board.whole(pixels.shape[1], pixels.shape[0])
        found.append(compare(picture, reader.read(Frame(pixels, 0.0), board), labels.grown))
    return found


def measure(photos: Sequence[Path], renders: Sequence[Path], models: Path, card: Path | None) -> str:
    """All tables as Markdown; put between the marks of the card where one is given."""
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
    parts += ["### Cost of one reading", _cost(models)]
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
        rows.append(
            [name, len(dice), f"{share:.3f}", *(count[v] for v in (Verdict.REFUSED, Verdict.WRONG, Verdict.MISSED))]
        )
    return _table(["material", "flat dice", "right", "refused", "wrong", "missed"], rows)


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
        ["picture, three dice, size known", "finder", "reader", "together (million multiply-accumulates)"], rows
    )
