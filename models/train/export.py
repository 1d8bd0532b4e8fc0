"""Checkpoints → onnx."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import onnx
import torch
from torch import nn

from models.train.fit import load_average
from models.train.nets import FaceReader, Finder
from vision.crops import CROP
from vision.nets import FINDER, READER


def export(checkpoints: Path, to: Path, told: Mapping[str, object] | None = None) -> None:
    """Write both nets; `told` (the calibration) travels in the face reader's file."""
    finder = load_average(Finder(), checkpoints / "finder.pt")
    finder.forward = finder.search  # type: ignore[assignment]  # the picture comes levelled
    _write(finder, torch.zeros(1, 3, 64, 64), to / FINDER, "picture", ["maps", "hand"],
           {"picture": {2: "height", 3: "width"}, "maps": {2: "h", 3: "w"}, "hand": {2: "h8", 3: "w8"}})  # fmt: skip
    reader = load_average(FaceReader(), checkpoints / "reader.pt")
    told_of = ["kinds", "shape", "pips", "normal"]
    _write(reader, torch.zeros(2, 3, CROP, CROP, dtype=torch.uint8), to / READER, "crops", told_of,
           {name: {0: "n"} for name in ("crops", *told_of)})  # fmt: skip
    if told:
        tell(to / READER, told)


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
