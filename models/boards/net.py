"""The board net: a small picture in, three maps out that say what lies within the rim's edges and the floor's."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.train.nets import Residual, conv

_WIDTHS = (8, 16, 32, 64)
"""Channels at a half, a quarter, an eighth and a sixteenth of the picture's size."""


class BoardNet(nn.Module):
    """Maps (n, 3, h / 2, w / 2) of logits: within the rim's outer edge, its inner edge, the floor's edge.

    Input uint8 (n, 3, h, w), planes B, G, R, h and w multiples of 16. What an arm covers counts as if it were seen.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = _WIDTHS
        self.down_2 = conv(3, a, 3, 2)
        self.down_4 = conv(a, b, 3, 2)
        self.down_8 = nn.Sequential(conv(b, c, 3, 2), Residual(conv(c, c)))
        self.down_16 = nn.Sequential(conv(c, d, 3, 2), *(Residual(conv(d, d)) for _ in range(3)))
        self.up_8, self.at_8 = conv(d, c, 1, relu=False), Residual(conv(c, c))
        self.up_4, self.at_4 = conv(c, b, 1, relu=False), Residual(conv(b, b))
        self.up_2 = conv(b, a, 1, relu=False)
        self.maps = nn.Conv2d(a, 3, 3, padding=1)

    def forward(self, picture: Tensor) -> Tensor:
        half = self.down_2(picture.float() * (1 / 64) - 2.0)
        quarter = self.down_4(half)
        eighth = self.down_8(quarter)
        x = self.down_16(eighth)
        x = self.at_8(torch.relu(_grown(self.up_8(x)) + eighth))
        x = self.at_4(torch.relu(_grown(self.up_4(x)) + quarter))
        return self.maps(torch.relu(_grown(self.up_2(x)) + half))  # type: ignore[no-any-return]


def _grown(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


def loss(net: nn.Module, batch: tuple[Tensor, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy, weighted towards the edges, and how far each map overlaps with what is wanted."""
    pictures, wanted = batch
    told = net(pictures)
    near = 1 + 4 * (4 * wanted * (1 - wanted))
    each = functional.binary_cross_entropy_with_logits(told, wanted, reduction="none")
    cross = (each * near).sum() / near.sum()
    share = torch.sigmoid(told)
    both = (share * wanted).sum(dim=(2, 3))
    overlap = 1 - ((2 * both + 20) / (share.sum(dim=(2, 3)) + wanted.sum(dim=(2, 3)) + 20)).mean()
    return cross + 0.5 * overlap, {"cross": float(cross.detach()), "overlap": float(overlap.detach())}
