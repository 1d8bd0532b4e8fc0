"""All states of the lights as one picture, for a person to look at: ``python -m device.lights.sheet --out lights.png``.

Each state is a film strip of moments. Left a chain of twelve pixels a player, middle two bars of nine LEDs (games of
two, then of four), right one status LED a player.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from device.lights.lamp import GAMMA, Lamp, Rows, rgb
from device.lights.scene import Scene, Shape
from device.lights.states import State, every_state

Picture = npt.NDArray[np.uint8]
MOMENTS = (0.1, 0.45, 0.8, 1.15, 1.5, 1.85, 2.2, 60.0, 200.0)
APART = 9  # pixels from lamp to lamp
GAP = 10
TITLE = 16
INK = (190, 190, 190)
STRIPS = ((Shape(4, 12, side_by_side=True), 4), (Shape(2, 9), 2), (Shape(2, 9), 4), (Shape(4, 1), 4))
HEADS = ("4 players, 12 pixels each", "2 players, bars of 9", "4 players, bars of 9", "status LEDs")


def drawn(columns: int = 1) -> Picture:
    """The sheet, height × width × 3, BGR."""
    lists = [every_state(players) for _, players in STRIPS]
    cells = [_state([states[n] for states in lists]) for n in range(len(lists[0]))]
    return np.vstack([_heads(cells[0].shape[1]), *cells])


def moments(state: State, shape: Shape) -> list[Rows]:
    """The lamps at each of `MOMENTS` after the state began."""
    scene = Scene(shape)
    scene.show(state.before, "turn", 100.0)
    scene.show(state.view, state.pattern, 110.0)
    return [scene.rows(110.0 + t) for t in MOMENTS]


def _state(states: Sequence[State]) -> Picture:
    strips = [_strip(moments(state, shape)) for state, (shape, _) in zip(states, STRIPS, strict=True)]
    tall = max(strip.shape[0] for strip in strips)
    row = np.hstack([np.pad(strip, ((0, tall - strip.shape[0]), (0, 2 * GAP), (0, 0))) for strip in strips])
    head = np.zeros((TITLE, row.shape[1], 3), np.uint8)
    text = f"{states[0].title}  [{states[0].pattern}]"
    cv2.putText(head, text, (4, TITLE - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)
    return np.vstack([head, row, np.full((1, row.shape[1], 3), 40, np.uint8)])


def _strip(frames: Sequence[Rows]) -> Picture:
    """One moment beside the other."""
    high, wide = len(frames[0]) * APART + 4, len(frames[0][0]) * APART + GAP
    picture = np.zeros((high, wide * len(frames), 3), np.uint8)
    for at, rows in enumerate(frames):
        for y, row in enumerate(rows):
            for x, lamp in enumerate(row):
                where = (at * wide + x * APART + APART // 2 + 2, y * APART + APART // 2 + 1)
                cv2.circle(picture, where, 3, (18, 18, 18), -1, cv2.LINE_AA)
                if lamp.level > 0:
                    cv2.circle(picture, where, 3, _seen(lamp), -1, cv2.LINE_AA)
    return picture


def _seen(lamp: Lamp) -> tuple[int, int, int]:
    """As the eye sees it, on a screen."""
    red, green, blue = (round(255 * (part / 255) ** (1 / GAMMA)) for part in rgb(lamp))
    return blue, green, red


def _heads(wide: int) -> Picture:
    picture = np.zeros((TITLE + 4, wide, 3), np.uint8)
    x = 4
    for head, (shape, _) in zip(HEADS, STRIPS, strict=True):
        cv2.putText(picture, head, (x, TITLE - 2), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255, 255, 255), 1, cv2.LINE_AA)
        x += (shape.lamps * APART + GAP) * len(MOMENTS) + 2 * GAP
    return picture


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m device.lights.sheet", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("lights.png"), help="the picture to write (lights.png)")
    told = parser.parse_args(arguments)
    if not told.out.parent.is_dir() or not cv2.imwrite(str(told.out), drawn()):
        print(f"the picture {told.out} cannot be written", file=sys.stderr)
        return 2
    print(told.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
