"""A trained net's file, ready to run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import onnxruntime

from vision.errors import VisionError


class ModelMissing(VisionError, FileNotFoundError):
    """The trained model is not where it belongs, or is not one of ours."""


def opened(path: Path, threads: int = 1) -> onnxruntime.InferenceSession:
    """The net of an ONNX file, to run on so many threads; raises ModelMissing."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 4  # what is wrong is told below
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as fault:  # onnxruntime raises a dozen kinds of its own
        raise ModelMissing(f"the model {path.name} cannot be loaded; install Pietjesoog again") from fault


@cache
def opened_once(path: Path) -> onnxruntime.InferenceSession:
    """The same on one thread, shared by all who ask for that file."""
    return opened(path)
