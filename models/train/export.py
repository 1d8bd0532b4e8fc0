"""Checkpoints → onnx."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import onnx
import torch
from torch import nn

from models.train.fit import load_average
from models.train.hands import HIGH, WIDE
from models.train.nets import BLOCKS, FaceReader, Finder, HandFinder
from vision.crops import CROP, WIDER
from vision.hand_net import HAND
from vision.nets import FINDER, MODELS, READER, UPRIGHT
from vision.trust import UNFITTED

READERS = {"reader": READER, "upright": UPRIGHT}


def export(checkpoints: Path, to: Path, told: Mapping[str, object] | None = None) -> None:
    """Write the nets of which there are checkpoints; `told` (the calibration) travels in the first reader's file.

    Where no net for the second look was trained yet, that of the first takes both; where none for hands was, the
    shipped one goes with them. Raises `FileNotFoundError` where there is no checkpoint at all.
    """
    if not any((checkpoints / f"{name}.pt").exists() for name in ("finder", "hand", *READERS)):
        raise FileNotFoundError(f"there is no checkpoint in {checkpoints}")
    if (checkpoints / "finder.pt").exists():
        finder = load_average(Finder(), checkpoints / "finder.pt")
        finder.forward = finder.search  # type: ignore[assignment]  # the picture comes levelled
        axes = {"picture": {2: "height", 3: "width"}, "maps": {2: "h", 3: "w"}, "hand": {2: "h8", 3: "w8"}}
        _write(finder, torch.zeros(1, 3, 64, 64), to / FINDER, "picture", ["maps", "hand"], axes)
    if (checkpoints / "hand.pt").exists():
        seer = load_average(HandFinder(), checkpoints / "hand.pt")
        axes = {"pictures": {2: "height", 3: "width"}, "cells": {2: "h8", 3: "w8"}}
        example = torch.zeros(1, 3, HIGH, WIDE, dtype=torch.uint8)
        _write(seer, example, to / HAND, "pictures", ["cells"], axes)
    elif not (to / HAND).exists() and (MODELS / HAND).exists():
        shutil.copyfile(MODELS / HAND, to / HAND)
    takes_both = not (checkpoints / "upright.pt").exists() and _are_one(to / READER, to / UPRIGHT)
    told_of = ["kinds", "shape", "pips", "normal"]
    for name, file in READERS.items():
        if (checkpoints / f"{name}.pt").exists():
            reader = load_average(FaceReader(BLOCKS[name]), checkpoints / f"{name}.pt")
            crops = torch.zeros(2, 3, CROP, CROP, dtype=torch.uint8)
            _write(reader, crops, to / file, "crops", told_of, {out: {0: "n"} for out in ("crops", *told_of)})
            if file == UPRIGHT:
                tell(to / file, {"wider": WIDER})
    if takes_both and (to / READER).exists():
        shutil.copyfile(to / READER, to / UPRIGHT)
    if (checkpoints / "reader.pt").exists() or told:
        tell(to / READER, told or {"trust": asdict(UNFITTED)})


def _are_one(reader: Path, upright: Path) -> bool:
    """Whether one net takes both looks: no other was exported for the second. Calibration is no part of a net."""
    if not (reader.exists() and upright.exists()):
        return not upright.exists()
    one, other = (list(onnx.load(path).graph.initializer) for path in (reader, upright))
    return one == other


def tell(path: Path, told: Mapping[str, object]) -> None:
    """Put values into the file's metadata, in place of those of the same name."""
    model = onnx.load(path)
    kept = [p for p in model.metadata_props if p.key not in told]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    for key, value in told.items():
        model.metadata_props.add(key=key, value=json.dumps(value))
    onnx.save(model, path)


def _write(
    net: nn.Module, example: torch.Tensor, path: Path, given: str, out: list[str], axes: dict[str, dict[int, str]]
) -> None:
    torch.onnx.export(
        net,
        (example,),
        str(path),
        input_names=[given],
        output_names=out,
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB", file=sys.stderr)
