"""What a reading costs: multiply-accumulates counted from the onnx graphs."""

from __future__ import annotations

from math import prod
from pathlib import Path

import onnx
from onnx import shape_inference

from vision.crops import CROP
from vision.faces import TURNS
from vision.hand_net import HAND, size_of
from vision.nets import FINDER, MODELS, READER, SEARCH_EDGE, UPRIGHT


def macs(path: Path, given: tuple[int, ...]) -> int:
    """Multiply-accumulates of all convolutions and matrix products for an input of that shape."""
    model = onnx.load(path)
    for value, size in zip(model.graph.input[0].type.tensor_type.shape.dim, given, strict=True):
        value.Clear()
        value.dim_value = size
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    for value in model.graph.value_info:
        value.type.tensor_type.ClearField("shape")
    graph = shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    weights = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    shapes = {
        value.name: tuple(d.dim_value for d in value.type.tensor_type.shape.dim)
        for value in (*graph.value_info, *graph.output, *graph.input)
    }
    total = 0
    for node in graph.node:
        if node.op_type == "Conv":
            total += prod(shapes[node.output[0]]) * prod(weights[node.input[1]][1:])
        elif node.op_type in ("Gemm", "MatMul"):
            turned = any(a.name == "transB" and a.i for a in node.attribute)
            total += prod(shapes[node.output[0]]) * weights[node.input[1]][1 if turned else 0]
    return total


def reading_macs(
    width: int = 1280, height: int = 960, die_px: float = 28.0, dice: int = 3, folder: Path = MODELS
) -> dict[str, int]:
    """Of one reading at a known size, all looks at all dice: by the finder, by the readers, and together."""
    scale = SEARCH_EDGE / die_px
    wide, high = (-(-round(side * scale) // 16) * 16 for side in (width, height))
    finder = macs(folder / FINDER, (1, 3, high, wide))
    small, low = size_of(width, height)
    hands = macs(folder / HAND, (1, 3, low, small))
    crops = (dice, 3, CROP, CROP)
    reader = macs(folder / READER, crops) + macs(folder / UPRIGHT, crops) * len(TURNS)
    return {"finder": finder, "hands": hands, "reader": reader, "together": finder + hands + reader}
