"""The edge net: strips across a board's sides in, for each ray where each of the board's three edges may lie out."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.train.nets import Residual, conv
from vision.board_strips import PLANES

_WIDTHS = (16, 24, 32)
"""Channels at a half, a quarter and an eighth of the samples along a ray; rays are never put together."""
LAYERS = 3
SOFT = 1.2
"""Samples about the true place that are meant by it, as a spread."""


class EdgeNet(nn.Module):
    """Logits (n, 3, rays, samples) of the rim's outer edge, its inner edge and the floor's edge lying at a sample.

    Input float32 (n, `PLANES`, rays, samples) as `vision.board_strips` makes it. The rays run around the board, so the
    last one's neighbour is the first; what one ray does not show is told by the others.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c = _WIDTHS
        self.down_2 = _Round(PLANES, a, 5, 2)
        self.down_4 = nn.Sequential(_Round(a, b, 5, 2), Residual(_Round(b, b)))
        self.down_8 = nn.Sequential(
            _Round(b, c, 5, 2), *(nn.Sequential(Residual(_Round(c, c, 5)), _Shared(c)) for _ in range(3))
        )
        self.up_4, self.at_4 = conv(c, b, 1, relu=False), Residual(_Round(b, b))
        self.up_2, self.at_2 = conv(b, a, 1, relu=False), Residual(_Round(a, a))
        self.places = nn.Conv2d(a, 2 * LAYERS, (1, 3), padding=(0, 1))

    def forward(self, strips: Tensor) -> Tensor:
        colours = torch.sqrt(strips[:, :3]) / 4 - 2
        half = self.down_2(torch.cat([colours, strips[:, 3:4] / 16, strips[:, 4:]], dim=1))
        quarter = self.down_4(half)
        x = self.down_8(quarter)
        x = self.at_4(torch.relu(_longer(self.up_4(x)) + quarter))
        x = self.places(self.at_2(torch.relu(_longer(self.up_2(x)) + half)))
        n, _, rays, samples = x.shape
        x = x.reshape(n, LAYERS, 2, rays, samples).permute(0, 1, 3, 4, 2)
        return x.reshape(n, LAYERS, rays, 2 * samples)  # type: ignore[no-any-return]


class _Round(nn.Module):
    """A convolution to which the last ray is the first one's neighbour."""

    def __init__(self, inputs: int, outputs: int, along: int = 3, stride: int = 1) -> None:
        super().__init__()
        convolution = nn.Conv2d(inputs, outputs, (3, along), (1, stride), (0, along // 2), bias=False)
        self.inner = nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(torch.cat([x[:, :, -1:], x, x[:, :, :1]], dim=2))  # type: ignore[no-any-return]


class _Shared(nn.Module):
    """What all rays show at the same distance, told to each."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mix = conv(width, width, 1, relu=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.mix(x.mean(dim=2, keepdim=True)))


def _longer(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=(1.0, 2.0), mode="bilinear", align_corners=False)


def loss(net: nn.Module, batch: tuple[Tensor, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy against a narrow bell about each true place; a place beyond a ray's ends is not asked for.

    `batch`: strips and places (n, 3, rays) in samples. Told with it: how far the likeliest place lies off, in samples.
    """
    strips, places = batch
    told = functional.log_softmax(net(strips), dim=-1)
    samples = torch.arange(told.shape[-1], dtype=torch.float32)
    bell = torch.exp(-0.5 * ((samples - places[..., None]) / SOFT) ** 2)
    asked = ((places > 0) & (places < len(samples) - 1)).float()
    bell = bell / bell.sum(dim=-1, keepdim=True).clamp(min=1e-6)
    cross = -(bell * told).sum(dim=-1)
    value = (cross * asked).sum() / asked.sum().clamp(min=1)
    with torch.no_grad():
        off = (told.argmax(dim=-1) - places).abs().clamp(max=20)
        parts = {
            name: float((off[:, k] * asked[:, k]).sum() / asked[:, k].sum().clamp(min=1))
            for k, name in enumerate(("outer", "inner", "floor"))
        }
    return value, {"cross": float(value.detach()), **parts}
