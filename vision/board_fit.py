"""Fits the board model to the steps seen across the sides of an octagon."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_hint import Hint, drawn_near
from vision.board_model import (
    BEFORE,
    FLOOR_EDGE,
    INNER_EDGE,
    LAYERS,
    OUTER_EDGE,
    Floats,
    ratios,
)
from vision.board_step import slopes, stepped
from vision.octagon import SIDES
from vision.side_profiles import PIECES, Profiles

Flags = npt.NDArray[np.bool_]

_LAYER_WEIGHT = np.array([1.0, 1.0, 0.7])
FAINT = 3.0  # a colour difference (CIE Lab) that is as likely grain as an edge of the rim
FAINT_CREASE = 1.0  # and between a floor and a wall of the same felt
_COUNTED_SIDES = 6
_OFF_EDGE = 0.05  # ratio from the floor's edge inwards, where the felt is surely meant
_APART = 2.4  # samples that two edges lie apart at least, to be told from one
_ODD = 0.01  # how much of the score an odd board costs, for each squared spread
_EDGE_PX = 1.0  # spread of an edge found about the edge itself
_ROBUST_PX = 2.0  # residuals beyond this count less and less


@dataclass(frozen=True, eq=False)
class Fit:
    """One fitted board: its parameters (11,), the support (3, 24) each piece of each edge has, and the whole score.

    `chance` is the support that a place on the felt has where no edge is: little on felt, much on a checked cloth.
    `agreed` is how far it agrees with the board net (`board_hint.agreement`), `told` each edge with the edge net.
    `seen` (3, 24) is false where an edge cannot be seen: the floor's behind the near wall, all beyond the picture.
    """

    parameters: Floats
    support: Floats
    seen: Flags
    score: float
    chance: float
    agreed: float = 0.0
    told: tuple[float, ...] = (0.0, 0.0, 0.0)

    @property
    def edges(self) -> Floats:
        """0 … 1 for each layer: how well its edge is seen on the best six of its sides; a hand may cover the others."""
        sides = np.sort(self.support.reshape(LAYERS, SIDES, PIECES).mean(axis=2), axis=1)
        return np.asarray(sides[:, -_COUNTED_SIDES:].mean(axis=1))

    @property
    def certainty(self) -> float:
        """0 … 1: how well the edges are seen, all together."""
        return float(self.edges @ _LAYER_WEIGHT / _LAYER_WEIGHT.sum())

    @property
    def rim_told(self) -> float:
        """0 … 1: how well both edges of the rim agree with the edge net."""
        return min(self.told[OUTER_EDGE], self.told[INNER_EDGE])

    @property
    def roundness(self) -> float:
        """0 … 1: how unlike the pieces of the rim's sides are seen: of a round rim either the middles lie on an
        octagon or the ends, of an octagon both.
        """
        pieces = self.support.reshape(LAYERS, SIDES, PIECES).mean(axis=1)[[OUTER_EDGE, INNER_EDGE]]
        return float(np.ptp(pieces, axis=1).mean())


def refine(
    start: Floats,
    profiles: Profiles,
    windows: tuple[float, ...],
    faint_crease: float,
    width: int,
    height: int,
    hint: Hint | None = None,
    draws: bool = True,
) -> list[Fit]:
    """Gauss-Newton from each start (n × 11) to the strongest edges within `windows` pixels, one window a step.

    Where no edge is seen a hint holds the board; if it `draws`, edges near it count more.
    """
    p = start.copy()
    seen_evidence = evidence_of(profiles, faint_crease)
    evidence = drawn_near(seen_evidence, hint, profiles, width) if hint and draws else seen_evidence
    for step, window in enumerate(windows):
        ratio = ratios(p, profiles, width, height)
        seen = _in_sight(ratio, profiles)
        target, strength = _nearest_edges(ratio, evidence, profiles, window)
        residual = (target - ratio) * profiles.px / _EDGE_PX
        weight = strength * seen / (1 + (residual / _ROBUST_PX) ** 2)
        if hint is not None:
            residual, weight = _held(residual, weight, (hint.ratios - ratio) * profiles.px / _EDGE_PX, hint)
        if step % 2 == 0:  # they change little in a step
            slope = slopes(p, ratio, profiles, width, height) / _EDGE_PX
        p = stepped(p, slope, residual, weight)
    sharp = widened(seen_evidence, 3)
    score, support, seen = score_of(p, sharp, profiles, width, height)
    felt = profiles.ratios < ratios(p, profiles, width, height, layers=(FLOOR_EDGE,))[:, 0, :, None] - _OFF_EDGE
    chance = (sharp[OUTER_EDGE] * felt).sum(axis=(1, 2)) / np.maximum(felt.sum(axis=(1, 2)), 1)
    return [Fit(p[i], support[i], seen[i], float(score[i]), float(chance[i])) for i in np.argsort(-score)]


def _held(residual: Floats, weight: Floats, off: Floats, hint: Hint) -> tuple[Floats, Floats]:
    """Residuals and weights of the edges seen and of the hint, taken together."""
    held = hint.trust * (_EDGE_PX / hint.px) ** 2 / (1 + (off / (2 * hint.px)) ** 2)
    both = weight + held
    return np.asarray((residual * weight + off * held) / np.maximum(both, 1e-9)), np.asarray(both)


def evidence_of(profiles: Profiles, faint_crease: float, grain: Floats | float | None = None) -> Floats:
    """Steps turned into 0 (grain) … 1 (surely an edge), for each layer, ray and sample.

    `grain` is the usual step, where it is not to be told for each place by itself.
    """
    usual = profiles.grain if grain is None else grain
    faint = np.maximum(np.array([FAINT, FAINT, faint_crease])[:, None, None], 2 * usual)
    peak = profiles.steps >= widened(profiles.steps[None], 5)[0]  # the flank of an edge is no edge
    return np.asarray(peak * profiles.steps**2 / (profiles.steps**2 + faint**2))


def widened(evidence: Floats, samples: int) -> Floats:
    """Each place has the strongest evidence of the samples about it."""
    return np.stack([cv2.dilate(layer, np.ones((1, samples), np.uint8)) for layer in evidence])


def _in_sight(ratio: Floats, profiles: Profiles) -> Flags:
    """Which of the edges on the rays (n × 3 × 24) can be seen."""
    seen = (ratio > profiles.ratios[4]) & (ratio < profiles.ratios[-5])
    seen[:, FLOOR_EDGE] &= ratio[:, FLOOR_EDGE] < ratio[:, INNER_EDGE] - _APART * profiles.spacing
    return np.asarray(seen)


def score_of(
    p: Floats, evidence: Floats, profiles: Profiles, width: int, height: int, pieces: int = PIECES
) -> tuple[Floats, Floats, Flags]:
    """Score (n), support and sight (n × 3 × 24) of each board, by evidence (3 × 24 × samples) where its edges are."""
    return score_at(ratios(p, profiles, width, height, pieces), p, evidence, profiles)


def score_at(ratio: Floats, p: Floats, evidence: Floats, profiles: Profiles) -> tuple[Floats, Floats, Flags]:
    """The same for boards whose edges meet the rays at these ratios (n × 3 × 24)."""
    seen = _in_sight(ratio, profiles)
    index = np.clip(np.rint((ratio - profiles.ratios[0]) / profiles.spacing).astype(int), 0, len(profiles.ratios) - 1)
    support = evidence[np.arange(LAYERS)[:, None], np.arange(ratio.shape[2]), index] * seen
    count = seen.sum(axis=2)
    mean = support.sum(axis=2) / np.maximum(count, 8)
    odd = sum(((p[:, column] - middle) / spread) ** 2 for column, (middle, spread) in BEFORE.items())
    return mean @ _LAYER_WEIGHT / _LAYER_WEIGHT.sum() - _ODD * odd, support, seen


def _nearest_edges(ratio: Floats, evidence: Floats, profiles: Profiles, window: float) -> tuple[Floats, Floats]:
    """The edge near each predicted place (n × 3 × 24): its ratio, to a part of a sample, and its strength."""
    spacing = profiles.spacing
    pixels = spacing * float(profiles.px.mean())
    reach = max(2, round(window / pixels))
    place = (ratio - profiles.ratios[0]) / spacing
    middle = np.clip(np.rint(place).astype(int), reach + 1, len(profiles.ratios) - reach - 2)
    offsets = np.arange(-reach, reach + 1)
    layers, rays = np.arange(LAYERS)[:, None, None], np.arange(ratio.shape[2])[:, None]
    values = evidence[layers, rays, middle[..., None] + offsets]
    beyond = middle[..., None] + offsets - place[:, INNER_EDGE, None, :, None]  # samples outside the rim's inner edge
    values[:, FLOOR_EDGE] *= beyond[:, FLOOR_EDGE] < -_APART
    values[:, OUTER_EDGE] *= beyond[:, OUTER_EDGE] > _APART
    near = 1 - 0.5 * ((middle - place)[..., None] + offsets) ** 2 / (reach + 1) ** 2
    best = middle + offsets[np.argmax(values * near, axis=-1)]
    at = evidence[layers[..., 0], rays[:, 0], best]
    before, peak, after = (profiles.steps[rays[:, 0], best + k] for k in (-1, 0, 1))
    found = np.take_along_axis(values, (best - middle + reach)[..., None], axis=-1)[..., 0] > 0
    curve = before - 2 * peak + after
    part = np.where(curve < -1e-9, 0.5 * (before - after) / np.where(curve < -1e-9, curve, -1), 0)
    return profiles.ratios[0] + (best + np.clip(part, -0.5, 0.5)) * spacing, at * found
