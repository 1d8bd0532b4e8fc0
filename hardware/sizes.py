"""The numbers of scad/sizes.scad, and the lengths that follow from them: what to saw, which strip fits.

python -m hardware.sizes        # the tables of GUIDE.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from math import ceil, sqrt
from pathlib import Path

from hardware.field_of_view import BOARDS, CAMERAS, CORNER, lowest, table

SCAD = Path(__file__).with_name("scad")
STANDS = ("foot", "clamp")
STRIPS = (60, 100, 144)  # WS2812 a metre, as they are sold
HOLDER_ENDS = 8.0  # at either end of a strip holder, as in strip_holder.scad
SEAT_POD = 24.0 + 3.0  # a seat's button beside the holder, and the gap between
CLAMP_BRIDGE = 8.0  # of the rim clamp, between the rim and its mast socket
LENS_DROP = {"standard": 9.0, "wide": 10.0, "hq": 53.0, "usb": 30.0}  # below the plate, as in sizes.scad
CABLE_SLACK = 150.0  # from the end of the boom's length to the board in its case below the elbow, and a bend


@cache
def sizes() -> Mapping[str, float]:
    """Every plain number of sizes.scad by name, millimetres.

    >>> sizes()["tube"]
    15.0
    """
    told = (SCAD / "sizes.scad").read_text("utf-8")
    return {name: float(value) for name, value in re.findall(r"^(\w+) = ([\d.]+);", told, re.MULTILINE)}


def side(board: float) -> float:
    """One side of the octagon of that width across the flats."""
    return board * (sqrt(2) - 1)


def mast(camera: str, height: float, stand: str) -> float:
    """Length of the mast for a lens at `height` above the felt."""
    known = sizes()
    axis = LENS_DROP[camera] + known["head_plate"] + known["web"] + known["tube"] / 2  # boom's axis above the lens
    on_top_of = known["felt"] - (known["rim_high"] + CLAMP_BRIDGE if stand == "clamp" else 0)
    return height + axis - known["tube"] / 2 - 2 * known["web"] + on_top_of


def boom(board: float, stand: str) -> float:
    """Length of the boom from its end at the camera to its tail behind the mast."""
    known = sizes()
    mast_at = board / 2 + known["clamp_away"] if stand == "clamp" else board / 2 * CORNER + known["mast_away"]
    return mast_at - known["head_reach"] + known["tail"]


def camera_cable(board: float, stand: str) -> float:
    """Flat cable from the camera to a case that hangs on the mast, right under the elbow."""
    return boom(board, stand) + CABLE_SLACK


def holder(pixels_per_m: float) -> float:
    """Length of the holder of one side's pixels."""
    return sizes()["pixels"] * 1000 / pixels_per_m + 2 * HOLDER_ENDS


def coarsest_strip(board: float, beside: float = 0.0) -> int | None:
    """The strip with the fewest pixels a metre that fits a side with so much `beside` it, None if none does."""
    return next((strip for strip in STRIPS if holder(strip) + beside <= side(board)), None)


def saw_rows() -> Iterator[tuple[str, ...]]:
    """One row a camera and board: what to saw for the lowest height that shows all."""
    for key in ("standard", "wide", "hq", "usb"):
        for board in BOARDS:
            height = ceil(lowest(CAMERAS[key], board) / 10) * 10
            yield (
                CAMERAS[key].name,
                f"{board / 10:g}",
                f"{height / 10:.0f}",
                *(f"{mast(key, height, stand):.0f} + {boom(board, stand):.0f}" for stand in STANDS),
                "own" if key == "usb" else f"{ceil(camera_cable(board, 'foot') / 100) * 100}",
            )


def rim_rows() -> Iterator[tuple[str, ...]]:
    """One row a board: its side, the strip, the holder, and the plywood that board and mast stand on."""
    for board in BOARDS:
        strip = coarsest_strip(board)
        base = board / 2 + 20 + board / 2 * CORNER + sizes()["mast_away"] + 50
        yield (
            f"{board / 10:g}",
            f"{side(board):.0f}",
            f"{strip}" if strip else "none",
            f"{holder(strip):.0f}" if strip else "–",
            f"{coarsest_strip(board, SEAT_POD) or 'no room'}",
            f"{ceil(base / 10) * 10} × 300 × {sizes()['base_thick']:g}",
        )


def saw_table() -> str:
    """What to saw."""
    head = ["camera", "board cm", "lens cm", "foot: mast + boom mm", "clamp: mast + boom mm", "camera cable mm"]
    return table(head, saw_rows())


def rim_table() -> str:
    """What fits the rim."""
    return table(
        [
            "board cm",
            "side mm",
            "fewest pixels a metre that fit",
            "their holder mm",
            "with a seat's button",
            "plywood mm",
        ],
        rim_rows(),
    )


if __name__ == "__main__":
    print(saw_table(), rim_table(), sep="\n\n")
    sys.exit(0)
