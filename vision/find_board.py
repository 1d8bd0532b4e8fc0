"""Finds the board in a picture by itself.

A trained net (`board_net`) tells about where the rim and the floor lie; profiles across their sides (`side_profiles`)
show the edges; one model of a camera and the board's three octagons (`board_model`) is fitted to both (`board_search`).
A second net (`board_edges`) looks across the sides of what was found and tells which edge is which, also where a hand
or the dark hides it; the board is settled on those (`board_settle`).
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Board
from vision.board_fit import Fit
from vision.board_model import FLOOR_EDGE
from vision.board_of_fit import board_of
from vision.board_search import WORK_WIDTH, best_fit
from vision.frame import Picture

_MOST_WIDTH, _LEAST_SIDE = 1600, 100  # pixels; larger pictures are searched smaller, in less no board is made out
_SURE, _CLEAR = 0.65, 0.9  # certainty that a board needs, with an edge that is as clear all round; see `is_sure`
_AGREED = 0.35  # with the board net, below which it sees another thing or none
_TOLD = 0.7  # with the edge net, from which the board net may be mistaken, and the floor's edge be known unseen
_LIKELY, _BY_RIM, _MOST = 0.7, 5.0, 1.0  # of a rim with the edge net: from here on certain by so much more, at most
_RIM_TOLD, _FLOOR_LIKELY = 0.8, 0.35  # of a rim that is surely a board's, and then of a floor that is known by it
_ROUND = 0.4  # roundness of no octagon: of 240 rendered boards the most had 0.28, round trays 0.5 and more
_FLOOR_SEEN = 0.28  # how clear the floor's edge must be


def find_board(picture: Picture) -> Board | None:
    """The board in a picture (BGR), or None where none is seen well enough to rely on."""
    height, width = picture.shape[:2]
    if min(width, height) < _LEAST_SIDE:
        return None
    if width > _MOST_WIDTH:
        small = cv2.resize(picture, (WORK_WIDTH, round(height * WORK_WIDTH / width)), interpolation=cv2.INTER_AREA)
        found = find_board(np.asarray(small, np.uint8))
        return found and found.scaled(width, height)
    fit = best_fit(picture)
    return board_of(fit, width, height) if fit is not None and is_sure(fit) else None


def is_sure(fit: Fit) -> bool:
    """Whether a fit is a board's: certain beyond chance, since a checked cloth has edges everywhere.

    A fit that is off has no edge that is clear all round, and a true one mostly has: the clearest edge tips the scale.
    The edge net tells both edges of a rim only where they are: of boards put a die's half or more off, and of trays
    with other than eight sides, the worse told was below 0.79 (but for one round tray, which is known by being round),
    of true ones mostly above 0.85. A board that neither net sees is none, however clear its edges; and one whose
    floor's edge is neither seen nor told is not known well enough, however clear its rim: in the dark its depth would
    be a guess.
    """
    if (fit.agreed < _AGREED and min(fit.told) < _TOLD) or fit.roundness > _ROUND or not _is_floor_known(fit):
        return False
    by_rim = float(np.clip(_BY_RIM * (fit.rim_told - _LIKELY), 0.0, _MOST))
    return bool(fit.certainty - fit.chance + 2 * (fit.edges.max() - _CLEAR) + by_rim >= _SURE)


def _is_floor_known(fit: Fit) -> bool:
    """Whether the floor's edge is seen, or told, or told by half within a rim that leaves it little room."""
    told = fit.told[FLOOR_EDGE]
    return bool(
        fit.edges[FLOOR_EDGE] >= _FLOOR_SEEN or told >= _TOLD or (fit.rim_told >= _RIM_TOLD and told >= _FLOOR_LIKELY)
    )
