"""What each net is punished for."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.train import canvases, chips


def finder_loss(net: nn.Module, batch: canvases.Batch) -> tuple[Tensor, dict[str, float]]:
    """Penalty-reduced focal loss on the heat (as CenterNet's), L1 on place and size near each die's middle."""

    pictures = torch.from_numpy(batch.canvas)
    maps, _ = net(pictures.contiguous(memory_format=torch.channels_last))
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
    return focal + 0.5 * place, {"heat": focal.item(), "place": place.item()}


def reader_loss(net: nn.Module, batch: chips.Batch) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy on the kind, L1 on the shape of flat tops, weighted cross entropy on the pips' heat."""

    crops = torch.from_numpy(batch.crops)
    kinds, shape, pips = net(crops.contiguous(memory_format=torch.channels_last))
    truth = torch.from_numpy(batch.kind)
    kind = functional.cross_entropy(kinds, truth, label_smoothing=0.02)
    has = torch.from_numpy(batch.has_shape).float()[:, None]
    corner = ((shape - torch.from_numpy(batch.shape)).abs() * has).sum() / (6 * has.sum().clamp(min=1))
    heat = torch.from_numpy(batch.pips)
    counts = torch.from_numpy(batch.has_pips).float()[:, None, None, None]
    each = functional.binary_cross_entropy_with_logits(pips, heat, reduction="none") * (1 + 6 * heat) * counts
    spots = each.mean()
    right = (kinds.argmax(1) == truth).float().mean().item()
    total = kind + 0.7 * corner + 3.0 * spots
    return total, {"kind": kind.item(), "right": right, "shape": corner.item(), "pips": spots.item()}
