"""A shipped net as a place to begin from, where its checkpoint is not at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

_WEIGHED = {"Conv", "Gemm"}


def begin_from(net: nn.Module, path: Path, example: Tensor) -> None:
    """Give `net` the weights of an exported file of its kind; it then tells what the file tells.

    `example`: what the net takes (bytes, n × 3 × h × w), of the kind it will be trained on. Norms were folded into the
    layers before them when the file was written; they are unfolded by what these layers tell of the example, so that
    training goes on as if it had never stopped. Raises `ValueError` where the file holds another net.
    """
    net.eval()
    graph = onnx.load(path).graph
    values = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    told = [[values[name] for name in node.input[1:]] for node in graph.node if node.op_type in _WEIGHED]
    layers = _in_order(net, example)
    if [tuple(each[0].shape) for each in told] != [tuple(layer.weight.shape) for layer in layers]:
        raise ValueError(f"{path} holds another net than the one to be trained.")
    norms = {id(before): after for before, after in _neighbours(net) if isinstance(after, nn.BatchNorm2d)}
    hooks = []
    with torch.no_grad():
        for layer, (weight, *bias) in zip(layers, told, strict=True):
            layer.weight.copy_(weight)
            norm = norms.get(id(layer))
            if norm is not None:
                hooks.append(norm.register_forward_pre_hook(_unfolding(bias[0])))
            elif bias:
                layer.bias.copy_(bias[0])
        net(example)
    for hook in hooks:
        hook.remove()


def _in_order(net: nn.Module, example: Tensor) -> list[Any]:
    """The layers with weights, in the order in which they are used."""
    used: list[Any] = []
    kinds = (nn.Conv2d, nn.Linear)
    hooks = [m.register_forward_pre_hook(lambda m, _: used.append(m)) for m in net.modules() if isinstance(m, kinds)]
    with torch.no_grad():
        net(example[:1])
    for hook in hooks:
        hook.remove()
    return used


def _neighbours(net: nn.Module) -> Iterator[tuple[nn.Module, nn.Module]]:
    for module in net.modules():
        if isinstance(module, nn.Sequential):
            yield from pairwise(module)


def _unfolding(bias: Tensor) -> Callable[[Any, tuple[Tensor, ...]], None]:
    """Before a norm is used: let it tell what comes in, plus `bias`, and hold the spread of what comes in."""

    def unfold(norm: Any, given: tuple[Tensor, ...]) -> None:
        spread, mean = torch.var_mean(given[0], dim=(0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_(torch.sqrt(spread + norm.eps))
        norm.bias.copy_(bias + mean)

    return unfold
