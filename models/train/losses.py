"""What each net is punished for."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.train import canvases, chips, hands
from vision.hand_net import CELLS


def finder_loss(net: nn.Module, batch: canvases.Batch) -> tuple[Tensor, dict[str, float]]:
    """Penalty-reduced focal loss on the heat (as CenterNet's), L1 on place and size near each die's middle."""
    pictures = torch.from_numpy(batch.canvas)
    maps, hand = net(pictures.contiguous(memory_format=torch.channels_last))
    heat, care = torch.from_numpy(batch.heat), torch.from_numpy(batch.care)
    logits = maps[:, 0]
    p = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    hit = (heat >= 1.0).float()
    positive = hit * (1 - p) ** 2 * functional.softplus(-logits)
    negative = (1 - hit) * (1 - heat) ** 4 * p**2 * functional.softplus(logits) * care
    dice = hit.sum().clamp(min=1)
    focal = (positive.sum() + negative.sum()) / dice
    near = torch.from_numpy(batch.near)[:, None]
    wrong = (maps[:, 1:] - torch.from_numpy(batch.place)).abs() * near
    weights = torch.tensor([1.0, 1.0, 2.0]).view(1, 3, 1, 1)
    place = (wrong * weights).sum() / near.sum().clamp(min=1)
    arms = _cell_loss(hand[:, 0], torch.from_numpy(batch.hand))
    return focal + 0.5 * place + 0.3 * arms, {"heat": focal.item(), "place": place.item(), "hand": arms.item()}


def hand_loss(net: nn.Module, batch: hands.Batch) -> tuple[Tensor, dict[str, float]]:
    """Focal loss of the cells, and cross entropy of the picture by the cells that tell it (see `vision.hand_net`)."""
    logits = net(torch.from_numpy(batch.pictures))[:, 0]
    told = torch.from_numpy(batch.cells)
    cells, covered = _cell_loss(logits, told), (told == 1).float()
    best = logits.flatten(1).topk(CELLS, dim=1).values.mean(dim=1)
    many = covered.flatten(1).sum(dim=1)
    known = (many >= CELLS) | ((told == 0).flatten(1).all(dim=1))
    each = functional.binary_cross_entropy_with_logits(best, (many > 0).float(), reduction="none")
    whole = (each * known).sum() / known.sum().clamp(min=1)
    return cells + whole, {"cells": cells.item(), "whole": whole.item()}


def _cell_loss(logits: Tensor, told: Tensor) -> Tensor:
    """Focal loss of the cells that a hand covers (1) or not (0); those of which nobody knows (-1) do not count."""
    p = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    covered, free = (told == 1).float(), (told == 0).float()
    yes = covered * (1 - p) ** 2 * functional.softplus(-logits)
    no = free * p**2 * functional.softplus(logits)
    return (yes.sum() + no.sum()) / covered.sum().clamp(min=20)


def reader_loss(net: nn.Module, batch: chips.Batch) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy on the kind, L1 on the shape of tops and on their normals, weighted cross entropy on the pips."""
    crops = torch.from_numpy(batch.crops)
    kinds, shape, pips, normal = net(crops.contiguous(memory_format=torch.channels_last))
    truth = torch.from_numpy(batch.kind)
    kind = functional.cross_entropy(kinds, truth)
    has = torch.from_numpy(batch.has_shape).float()[:, None]
    corner = ((shape - torch.from_numpy(batch.shape)).abs() * has).sum() / (6 * has.sum().clamp(min=1))
    heat = torch.from_numpy(batch.pips)
    counts = torch.from_numpy(batch.has_pips).float()[:, None, None, None]
    each = functional.binary_cross_entropy_with_logits(pips, heat, reduction="none") * (1 + 6 * heat) * counts
    spots = each.mean()
    right = (kinds.argmax(1) == truth).float().mean().item()
    seen = torch.from_numpy(batch.has_normal).float()[:, None]
    leans = ((normal - torch.from_numpy(batch.normal)).abs() * seen).sum() / (2 * seen.sum().clamp(min=1))
    total = kind + 0.7 * corner + 3.0 * spots + 4.0 * leans
    parts = {"kind": kind, "shape": corner, "pips": spots, "normal": leans}
    return total, {"right": right, **{name: part.item() for name, part in parts.items()}}
