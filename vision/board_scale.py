"""Millimetres of a board, from a die that lies on its felt, from the felt's width, or from both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist

import numpy as np

from vision.board import DIE_MM, Board, Scale
from vision.errors import VisionError
from vision.reading import DieReading, Pose, Where

LEAST_DIE_MM, MOST_DIE_MM = 8.0, 30.0
LEAST_FELT_MM, MOST_FELT_MM = 150.0, 800.0
_ROUNDS = 3  # a die's top lies above the felt by its own edge, which is only known once it is measured


@dataclass(frozen=True)
class Sizes:
    """What the board was measured to be: `measured` how many dice were seen, `die_px` their edge in the picture."""

    board: Board
    measured: int
    die_px: float | None


def with_sizes(
    board: Board, dice: tuple[DieReading, ...], *, die_mm: float | None = None, felt_mm: float | None = None
) -> Sizes:
    """The board with its millimetres: told sizes go before measured ones, and those before the usual die.

    Raises VisionError for sizes that no board or die has.
    """
    if die_mm is not None and not LEAST_DIE_MM <= die_mm <= MOST_DIE_MM:
        raise VisionError(f"A die's edge is {LEAST_DIE_MM:g} to {MOST_DIE_MM:g} mm, not {die_mm:g}.")
    if felt_mm is not None and not LEAST_FELT_MM <= felt_mm <= MOST_FELT_MM:
        raise VisionError(f"A felt is {LEAST_FELT_MM:g} to {MOST_FELT_MM:g} mm across, not {felt_mm:g}.")
    seen = [die for die in dice if die.where is Where.INSIDE and die.pose is Pose.FLAT and die.face is not None]
    die_px = float(np.median([_edge_px(die) for die in seen])) if seen else None
    told = Scale.TOLD if felt_mm is not None or (die_mm is not None and seen) else Scale.ASSUMED
    if felt_mm is not None:
        board = replace(board, felt_mm=felt_mm)
        edge = die_mm or (_edge_mm(board, seen) if seen else DIE_MM)
        if not LEAST_DIE_MM <= edge <= MOST_DIE_MM:
            raise VisionError(
                f"With a felt of {felt_mm:g} mm the dice on it would be {edge:.1f} mm: measure the felt again, from "
                "side to opposite side, inside the rim."
            )
        return Sizes(replace(board, die_mm=round(edge, 1), scale=told), len(seen), die_px)
    edge = die_mm or DIE_MM
    if seen:
        for _ in range(_ROUNDS):
            board = replace(board, felt_mm=board.felt_mm * edge / _edge_mm(replace(board, die_mm=edge), seen))
        if not LEAST_FELT_MM <= board.felt_mm <= MOST_FELT_MM:
            raise VisionError(
                f"With dice of {edge:g} mm the felt would be {board.felt_mm:.0f} mm across: measure a die again."
            )
    return Sizes(replace(board, die_mm=edge, scale=told), len(seen), die_px)


def _edge_mm(board: Board, dice: list[DieReading]) -> float:
    """Middle edge of the dice's tops, which lie a die's edge above the felt."""
    edges = []
    for die in dice:
        corners = board.to_mm(np.array(die.corners), board.die_mm)
        edges.append(sum(dist(corners[i], corners[i - 1]) for i in range(4)) / 4)
    return float(np.median(edges))


def _edge_px(die: DieReading) -> float:
    return sum(dist(die.corners[i], die.corners[i - 1]) for i in range(4)) / 4
