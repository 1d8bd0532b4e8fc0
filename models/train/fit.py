"""Training with a clock: seeded, a checkpoint every minute, continued where it stopped."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

CHECKPOINT_EVERY_S = 60.0
AVERAGE = 0.999
"""Weights that are exported are the running average of the trained ones."""
Item = TypeVar("Item")


def fit(
    net: nn.Module,
    data: Iterator[Any],
    loss: Callable[[nn.Module, Any], tuple[Tensor, dict[str, float]]],
    checkpoint: Path,
    *,
    minutes: float,
    rate: float,
    resume: bool,
    start: Path | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> nn.Module:
    """Train `net` for so many minutes in all, the rate falling as a cosine of the time; returns the average.

    `start`: a checkpoint whose weights are where it begins, with a clock of its own; `resume` goes on with
    `checkpoint` and its clock.
    """
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = torch.optim.swa_utils.AveragedModel(net, avg_fn=_averaged, use_buffers=True)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    spent, step = 0.0, 0
    if start is not None:
        told = torch.load(start, weights_only=True)["net"]
        own = net.state_dict()
        net.load_state_dict({k: _grown(told[k], v) if k in told else v for k, v in own.items()})
        average.module.load_state_dict(net.state_dict())
    if resume and checkpoint.exists():
        told = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(told["net"])
        average.load_state_dict(told["average"])
        optimizer.load_state_dict(told["optimizer"])
        spent, step = told["spent"], told["step"]
    total = minutes * 60.0
    began = saved = clock() - spent
    saved = clock()
    net.train()
    means: dict[str, float] = {}
    for batch in ahead(data):
        spent = clock() - began
        if spent >= total:
            break
        for group in optimizer.param_groups:
            group["lr"] = _rate(rate, spent / total, step)
        value, parts = loss(net, batch)
        optimizer.zero_grad(set_to_none=True)
        value.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        average.update_parameters(net)
        step += 1
        for name, part in parts.items():
            means[name] = 0.98 * means.get(name, part) + 0.02 * part
        if clock() - saved > CHECKPOINT_EVERY_S:
            saved = clock()
            _save(checkpoint, net, average, optimizer, spent, step)
            told_parts = "  ".join(f"{name} {mean:.4f}" for name, mean in means.items())
            print(f"{spent / 60:5.1f} min  step {step:6d}  {told_parts}", file=sys.stderr, flush=True)
    _save(checkpoint, net, average, optimizer, spent, step)
    return average.module


def _grown(known: Tensor, fresh: Tensor) -> Tensor:
    """The known weights in a larger net: what is new begins as drawn, but what hangs on it counts for nothing yet."""
    if known.shape == fresh.shape or known.dim() != fresh.dim():
        return known if known.shape == fresh.shape else fresh
    if any(k > f for k, f in zip(known.shape, fresh.shape, strict=True)):
        return fresh
    grown = fresh.clone()
    if known.dim() > 1:
        grown[: known.shape[0]] = 0
    grown[tuple(slice(n) for n in known.shape)] = known
    return grown


def _averaged(mean: Tensor, new: Tensor, steps: Tensor | int) -> Tensor:
    """Running average that begins as a plain one; counters are taken as they are."""
    if not mean.is_floating_point():
        return new
    keep = min(AVERAGE, (int(steps) + 1) / (int(steps) + 10))
    return mean * keep + new * (1 - keep)


def _rate(rate: float, share: float, step: int) -> float:
    falling = 0.5 * (1 + torch.cos(torch.tensor(min(share, 1.0) * torch.pi)).item())
    return rate * min(1.0, (step + 1) / 60) * (0.01 + 0.99 * falling)


def _save(path: Path, net: nn.Module, average: nn.Module, optimizer: Any, spent: float, step: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(
        {
            "net": net.state_dict(),
            "average": average.state_dict(),
            "optimizer": optimizer.state_dict(),
            "spent": spent,
            "step": step,
        },
        part,
    )
    part.replace(path)


def load_average(net: nn.Module, checkpoint: Path) -> nn.Module:
    """The averaged weights of a checkpoint, in evaluation mode."""
    told = torch.load(checkpoint, weights_only=True)["average"]
    net.load_state_dict({k.removeprefix("module."): v for k, v in told.items() if k.startswith("module.")})
    return net.eval()


def ahead(items: Iterator[Item], depth: int = 3) -> Iterator[Item]:
    """The same items in the same order, made by a thread beside the training."""
    waiting: queue.Queue[Item | Exception] = queue.Queue(depth)
    stopped = threading.Event()

    def hand_over(item: Item | Exception) -> None:
        while not stopped.is_set():
            try:
                waiting.put(item, timeout=0.2)
                return
            except queue.Full:
                continue

    def produce() -> None:
        try:
            for item in items:
                hand_over(item)
                if stopped.is_set():
                    return
        except Exception as fault:  # told where the items are used, else that side would wait for ever
            hand_over(fault)

    threading.Thread(target=produce, daemon=True).start()
    try:
        while True:
            item = waiting.get()
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        stopped.set()
