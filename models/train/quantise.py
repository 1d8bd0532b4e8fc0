"""The nets in 8-bit integers, their ranges taken from rendered pictures, to be measured beside the shipped ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.train import canvases, chips
from models.train.nets import levelled
from vision.nets import FINDER, READER, UPRIGHT

BATCHES = 24
"""Of each net, so many are run through it to see what ranges its layers need."""
_READERS_LAST = ("/kind/Gemm", "/shape/Gemm", "/normal/Gemm", "/pips/Conv")
LAST = {FINDER: ("/maps/Conv", "/hand/Conv"), READER: _READERS_LAST, UPRIGHT: _READERS_LAST}
"""What gives the answers stays in floating point."""


class _Batches(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime has no types
    def __init__(self, name: str, batches: Iterator[npt.NDArray[Any]]) -> None:
        self._name, self._batches, self._left = name, batches, BATCHES

    def get_next(self) -> dict[str, Any] | None:
        self._left -= 1
        return {self._name: next(self._batches)} if self._left >= 0 else None


def quantise(data: Sequence[Path], cache: Path, shipped: Path, to: Path, seed: int = 0) -> None:
    """Write the nets of the folder `shipped` in 8-bit form into the folder `to`, calibration included."""
    rng = np.random.default_rng(seed)
    to.mkdir(parents=True, exist_ok=True)
    searching = canvases.batches([canvases.gather(folder, cache) for folder in data], 4, rng)
    first, *others = [chips.gather(folder, cache) for folder in data]
    every = first.joined(others) if others else first
    _write(
        FINDER,
        _Batches("picture", (levelled(torch.from_numpy(batch.canvas[:1])).numpy() for batch in searching)),
        shipped,
        to,
    )
    for name, upright in ((READER, False), (UPRIGHT, True)):
        reading = chips.batches(every, 32, rng, upright)
        _write(name, _Batches("crops", (batch.crops for batch in reading)), shipped, to)


def _write(name: str, batches: _Batches, shipped: Path, to: Path) -> None:
    ready = to / f"{name}.ready"
    quant_pre_process(str(shipped / name), str(ready), skip_symbolic_shape=True)
    quantize_static(
        str(ready),
        str(to / name),
        batches,
        quant_format=QuantFormat.QDQ,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        nodes_to_exclude=list(LAST[name]),
    )
    ready.unlink()
    told = {p.key: p.value for p in onnx.load(shipped / name).metadata_props}
    model = onnx.load(to / name)
    onnx.helper.set_model_props(model, told)
    onnx.save(model, to / name)
    print(f"{name}: {(to / name).stat().st_size / 1024:.0f} KiB in 8 bits", file=sys.stderr)
