"""Three forms of net: one finds dice in a small picture, one reads a die's top face in a crop around it, one sees
hands in a still smaller picture."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.crops import CROP, FACES, KINDS

FINDER_MAPS = 4
"""Heat, x and y offset in cells, log of edge over `UNIT_EDGE`."""
PIP_STRIDE = 2
SHAPE = 6
"""Face reader's geometry: centre x, y; square sum re, im; turn re, im (see `vision.crops.corners_from_shape`)."""
BLOCKS = {"reader": (1, 1), "upright": (2, 3)}
"""Of the two face readers: the second look is taken of few finds only, and may cost more."""


def conv(
    inputs: int, outputs: int, size: int = 3, stride: int = 1, groups: int = 1, relu: bool = True
) -> nn.Sequential:
    parts: list[nn.Module] = [
        nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    return nn.Sequential(*parts, nn.ReLU(inplace=True)) if relu else nn.Sequential(*parts)


def separable(inputs: int, outputs: int, size: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(conv(inputs, inputs, size, stride, groups=inputs, relu=False), conv(inputs, outputs, 1))


class Residual(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        return x + self.inner(x)  # type: ignore[no-any-return]


def _blocks(width: int, count: int) -> list[nn.Module]:
    """All but the first begin as almost nothing, so that a deeper net may go on where a shallower one stopped."""
    blocks = [Residual(conv(width, width)) for _ in range(count)]
    for block in blocks[1:]:
        nn.init.constant_(block.inner[1].weight, 0.1)  # type: ignore[index]
    return list(blocks)


class Context(nn.Module):
    """What lies around, at half the resolution: cheap there, and it tells a die from a pattern or from a pip."""

    def __init__(self, width: int, inner: int = 96, blocks: int = 2) -> None:
        super().__init__()
        self.down = separable(width, inner, 3, 2)
        self.blocks = nn.Sequential(*(Residual(separable(inner, inner, 5)) for _ in range(blocks)))
        self.up = conv(inner, width, 1, relu=False)
        nn.init.zeros_(self.up[1].weight)  # type: ignore[arg-type]

    def forward(self, x: Tensor) -> Tensor:
        around = self.up(self.blocks(self.down(x)))
        return x + functional.interpolate(around, scale_factor=2.0, mode="nearest")


class Finder(nn.Module):
    """Picture → maps at a quarter of its size: heat (logits), offset and size of dice, and of a hand at an eighth.

    Input uint8 (n, 3, h, w), h and w multiples of 16; what is exported takes what `levelled` makes of it, which OpenCV
    makes faster. Its first layer takes patches of 6 × 6 pixels every 4, since layers at full and half the size would
    cost as much as all the rest; the work is done at an eighth and less, and the maps are shuffled out of it, which
    costs next to nothing.
    """

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.patches = nn.Sequential(nn.Conv2d(3, 32, 6, 4, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(inplace=True))
        self.eighth = separable(32, width, 3, 2)
        self.trunk = nn.Sequential(
            Residual(separable(width, width, 5)), Context(width), Residual(separable(width, width, 5))
        )
        self.maps = nn.Conv2d(width, FINDER_MAPS * 4, 1)
        self.hand = nn.Conv2d(width, 1, 1)
        nn.init.zeros_(self.maps.bias)  # type: ignore[arg-type]
        with torch.no_grad():
            self.maps.bias[:4] = -4.0  # type: ignore[index]
            self.hand.bias[:] = -4.0  # type: ignore[index]

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        return self.search(levelled(picture))

    def search(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self.trunk(self.eighth(self.patches(x)))
        return functional.pixel_shuffle(self.maps(x), 2), self.hand(x)


class HandFinder(nn.Module):
    """Small picture → a map (logits) at an eighth of its size of what hands and sleeves cover.

    Input uint8 (n, 3, h, w), h and w multiples of 16, brought to one brightness and contrast first. A hand is large:
    what matters is that each cell sees far, so most of the work is done at an eighth and a sixteenth.
    """

    def __init__(self, width: int = 40) -> None:
        super().__init__()
        self.patches = conv(3, 16, 5, 4)
        self.eighth = separable(16, width, 3, 2)
        self.trunk = nn.Sequential(
            Residual(separable(width, width, 5)), Context(width, 64), Residual(separable(width, width, 5))
        )
        self.hand = nn.Conv2d(width, 1, 1)
        with torch.no_grad():
            self.hand.bias[:] = -2.0  # type: ignore[index]

    def forward(self, picture: Tensor) -> Tensor:
        return self.hand(self.trunk(self.eighth(self.patches(evened(picture)))))  # type: ignore[no-any-return]


def evened(picture: Tensor) -> Tensor:
    """Bytes as numbers, each picture brought to one brightness and contrast."""
    x = picture.float()
    x = x - x.mean(dim=(1, 2, 3), keepdim=True)
    return x / (torch.sqrt((x * x).mean(dim=(1, 2, 3), keepdim=True)) + 6.0)


def levelled(picture: Tensor) -> Tensor:
    """Bytes as numbers from -2 to 2."""
    return (picture.float() - 128) * (1 / 64)


class FaceReader(nn.Module):
    """Crop → what it shows: logits of the six faces and of the kinds that are no face, shape of the top, pip heat,
    and how the top looks past the camera (see `vision.faces.Face.normal`).

    Input uint8 (n, 3, CROP, CROP). Each crop is brought to one brightness and contrast first. `blocks`: at a quarter
    and at an eighth of its size.
    """

    def __init__(self, blocks: tuple[int, int] = (1, 1), width: int = 160) -> None:
        super().__init__()
        self.stem = conv(3, 20, 3, 2)
        self.quarter = nn.Sequential(conv(20, 40, 3, 2), *_blocks(40, blocks[0]))
        self.eighth = nn.Sequential(conv(40, 88, 3, 2), *_blocks(88, blocks[1]))
        self.deep = nn.Sequential(conv(88, width, 1), Residual(separable(width, width)))
        self.pool = nn.Sequential(
            nn.Conv2d(width, width, CROP // 8, groups=width, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)
        )
        self.drop = nn.Dropout(0.1)
        self.kind = nn.Linear(width, FACES + len(KINDS))
        self.shape = nn.Linear(width, SHAPE)
        self.pips_low = nn.Conv2d(width, 16, 1)
        self.pips = nn.Conv2d(40 + 16, 4, 1)
        self.normal = nn.Sequential(nn.Linear(width, 64), nn.ReLU(inplace=True), nn.Linear(64, 2))
        with torch.no_grad():
            self.pips.bias[:] = -3.0  # type: ignore[index]

    def forward(self, crop: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        quarter = self.quarter(self.stem(evened(crop)))
        deep = self.deep(self.eighth(quarter))
        pooled = self.drop(self.pool(deep).flatten(1))
        low = functional.interpolate(self.pips_low(deep), scale_factor=2.0, mode="nearest")
        pips = functional.pixel_shuffle(self.pips(torch.cat([quarter, low], 1)), 2)
        return self.kind(pooled), self.shape(pooled), pips, self.normal(pooled)
