"""The best board in a picture: begun where the trained net sees one, and where smooth octagons are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from vision.board_fit import FAINT, FAINT_CREASE, Fit, evidence_of, refine
from vision.board_hint import agreement, board_of_hint, hint_of, outline
from vision.board_model import DEPTH, FLOOR, FLOOR_EDGE, INNER_EDGE, OUTER, SIZE, TURN, Floats, outlines, ratios
from vision.board_net import BoardMaps, board_maps
from vision.board_of_fit import corners_of
from vision.board_settle import TOLD, followed, settled
from vision.board_starts import NEARER, completed, evolved, first_fits, stirred
from vision.felt_region import guess_boards
from vision.frame import Picture
from vision.octagon import Points, regular_octagon
from vision.octagon_search import octagons_about
from vision.side_profiles import Profiles, look_across

WORK_WIDTH = 1280
"""Pixels: all windows below are told for pictures of this width."""
_GUESSES, _BESIDE = 3, 1  # outlines by colour that are looked at, and beside one that the net sees
_GOOD = 0.8  # a certainty that no other guess needs to beat
_AGREED = 0.3  # of the score, that agreeing with the net counts
_WELL_AGREED = 0.65
_LEAST_AGREED = 0.2  # with the net, of one that lies on the edges told
_SURELY_TOLD = 0.8  # agreement with the edges told, of one that needs no search
_OUTLINED = (0.0, 2.0, 4.0, 6.0)  # logits from which a place of the net's maps counts, in turn
_FOLLOWING = (1, 3)  # rounds of moving to the edges told, and so many more; a fit is looked at after each
_RIM_TOLD, _RIM_SEEN = 0.85, 0.6  # of a rim that is followed well, and the certainty of one that is seen well
_WELL_TOLD_RIM, _WELL_TOLD_FLOOR = 0.9, 0.35  # agreement with the edges told, of one that is as good as any found
_CLEAR = 0.75  # of an edge all round
_TURNS = np.arange(4) * np.pi / 16
_TURNED = 0.7  # a certainty that no board has which is turned by a step of these
_FOLLOWED, _NEAR = 8, (8.0, 6.0, 5.0)
_BLIND_SIZES = (0.62, 0.8)  # of the picture, that a felt often has
_BLIND = 2  # of them are followed
_SEEN = 0.6  # support of an octagon without a guess, from which it is worth to look on
_SURELY, _SURELY_AGREED = 0.93, 0.8  # one that needs no second look
_SAME = 2.0  # pixels, that no corner of a fit lies from another's, if it is the same board
_PARENTS, _TRIED, _GROWN, _DEEP = 4, 24, 6, 12  # fits that are bred, and how many go on
_BREEDS = ((1.0, 1.0, 1.0), (1.0, 0.3, 0.2), (0.3, 1.0, 0.2), (1.0, 1.0, 1.0))  # how much each edge counts, in turn
_PROMISING = 0.3  # one from which it is worth to look again
# how many fits go on, and the pixels searched about each edge, step by step
_ROUNDS = ((64, (16.0, 14.0)), (16, (12.0, 10.0, 8.0)), (8, (8.0, 6.0, 5.0)))
_STIRS, _STIRRED, _RUNNING = 3, 8, 40  # rounds for a poor fit, fits that are spread, fits that run on
_STIR_WINDOWS = (12.0, 9.0, 7.0)
_FINE = (6.0, 5.0, 4.0, 3.0, 3.0, 3.0)
_BY_NET = (10.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 3.0)  # searched about what the net sees
_OTHERS = [
    (column, off)
    for column, way in ((DEPTH, 0.06), (OUTER, 0.03), (FLOOR, 0.012), (SIZE, 0.012))
    for off in (way, -way)
]


def best_fit(picture: Picture) -> Fit | None:
    """The best supported board in a picture, however poor; None where nothing smooth and round is seen."""
    maps = board_maps(picture)
    if maps.shows_none:
        return None
    seen = outline(maps)
    fits: list[Fit] = []
    for fit in _followed(picture, maps):
        if _is_told(fit):
            return fit
        fits.append(fit)
    begun = max(fits, key=_whole_score, default=None)
    if begun is not None and _is_well_told(begun):
        return begun
    if begun is not None and begun.rim_told >= _RIM_TOLD:
        seen = corners_of(begun, INNER_EDGE, picture.shape[1], picture.shape[0])
    for found in _searched(picture, maps, seen):
        fit = _settled(picture, maps, found.parameters)
        fits.append(fit)
        if _is_well_told(fit):
            break
    return max(fits, key=_whole_score, default=None)


def _searched(picture: Picture, maps: BoardMaps, seen: Points | None) -> Iterator[Fit]:
    """Boards about the outline that the net sees and about other smooth octagons: the quickly found first, and others
    as long as none is good."""
    best: Fit | None = None
    if seen is not None:
        best = _bred(picture, maps, _fit_by(picture, maps, seen))
        yield best
        if not _is_clear(best):
            turns = _TURNS[:1] if best.certainty >= _TURNED else _TURNS
            other = _bred(picture, maps, _fit_about(picture, maps, seen, turns))
            if _score(other) > _score(best):
                best = other
                yield best
        if _is_good(best):
            return
    for other in _guessed(picture, maps, seen):
        if best is None or _score(other) > _score(best):
            best = other
            yield best


def _guessed(picture: Picture, maps: BoardMaps, seen: Points | None) -> Iterator[Fit]:
    """Each better board about guesses whose rim is seen well, and in the end the best of all, bred where that helps."""
    height, width = picture.shape[:2]
    guesses = [guess.corners for guess in guess_boards(picture)[:_GUESSES]]
    if seen is not None:
        guesses = [seen, *guesses[:_BESIDE]]
    best: Fit | None = None
    for corners in guesses:
        fit = _fit_near(picture, maps, corners)
        if _PROMISING <= fit.certainty < _GOOD:
            again = _fit_near(picture, maps, corners_of(fit, INNER_EDGE, width, height))
            fit = max(fit, again, key=_score)
        if best is None or _score(fit) > _score(best):
            best = fit
            if fit.certainty >= _RIM_SEEN:
                yield fit
        if _is_good(best):
            break
    else:
        for corners in _blind_guesses(picture) if seen is None else ():
            fit = _fit_near(picture, maps, corners)
            best = fit if best is None else max(best, fit, key=_score)
            if best.certainty >= _GOOD:
                break
    if best is not None:
        yield _bred(picture, maps, best)


def _is_good(fit: Fit) -> bool:
    """Whether the edges are seen where the net has them: no other guess needs to be looked at."""
    return fit.certainty >= _GOOD and fit.agreed >= _WELL_AGREED


def _is_clear(fit: Fit) -> bool:
    """Whether it is good, and by each of its edges."""
    return _is_good(fit) and float(fit.edges.min()) >= _CLEAR


def _is_told(fit: Fit) -> bool:
    """Whether it lies on edges that are seen and told: no search can do better."""
    return min(fit.told) >= _SURELY_TOLD and fit.certainty >= _GOOD and fit.agreed >= _LEAST_AGREED


def _is_well_told(fit: Fit) -> bool:
    """Whether it lies on edges that are told so well, if seen faintly, that a search finds none better."""
    floor = fit.told[FLOOR_EDGE]
    well_told = fit.rim_told >= _WELL_TOLD_RIM and floor >= _WELL_TOLD_FLOOR
    return well_told and fit.certainty >= _RIM_SEEN and fit.agreed >= _LEAST_AGREED


def _whole_score(fit: Fit) -> float:
    return _score(fit) + TOLD * float(np.mean(fit.told))


def _score(fit: Fit) -> float:
    return fit.score + _AGREED * fit.agreed


def _judged(fits: list[Fit], maps: BoardMaps, profiles: Profiles, width: int, height: int) -> list[Fit]:
    """The fits with how far they agree with the net, the best first."""
    ratio = ratios(np.array([fit.parameters for fit in fits]), profiles, width, height)
    agreed = agreement(hint_of(maps, profiles), ratio, profiles, width)
    told = [replace(fit, agreed=float(one)) for fit, one in zip(fits, agreed, strict=True)]
    return sorted(told, key=_score, reverse=True)


def _followed(picture: Picture, maps: BoardMaps) -> Iterator[Fit]:
    """Boards begun where the net sees one and moved to the edges told about it, until the rim lies on those.

    A hand or a gleam can make the outline of all that may be a board lie far off, where that of what is surely one
    does not; and what lies far off comes to the edges in several rounds.
    """
    height, width = picture.shape[:2]
    known: list[Floats] = []
    for sure in _OUTLINED:
        surely = maps.raised(sure)
        seen = outline(surely)
        if seen is None:
            continue
        profiles = look_across(picture, seen)
        p, _ = board_of_hint(hint_of(surely, profiles), seen, profiles, width, height)
        for rounds in _FOLLOWING:
            for _ in range(rounds):
                p = followed(picture, p)
            fit = _settled(picture, maps, p)
            yield fit
            rings = outlines(fit.parameters[None], width, height)[0]
            if any(_is_same(rings, other, width) for other in known):
                break
            known.append(rings)
        if fit.rim_told >= _RIM_TOLD and fit.certainty >= _RIM_SEEN:
            return


def _settled(picture: Picture, maps: BoardMaps, p: Floats) -> Fit:
    """The board (11,) on the edges told about it, and how far it agrees with both nets."""
    height, width = picture.shape[:2]
    fit = settled(picture, p)
    profiles = look_across(picture, corners_of(fit, INNER_EDGE, width, height))
    return _judged([fit], maps, profiles, width, height)[0]


def _fit_by(picture: Picture, maps: BoardMaps, seen: Points) -> Fit:
    """The board that the net sees about an outline, put on the edges near it."""
    height, width = picture.shape[:2]
    profiles = look_across(picture, seen)
    first, _ = board_of_hint(hint_of(maps, profiles), seen, profiles, width, height)
    closer = look_across(picture, outlines(first[None], width, height)[0, INNER_EDGE])
    windows = _scaled(_BY_NET, width)
    fits = refine(_varied(first), closer, windows, FAINT_CREASE, width, height, hint_of(maps, closer))
    return _finished(picture, maps, _judged(fits, maps, closer, width, height)[:2])


def _fit_about(picture: Picture, maps: BoardMaps, seen: Points, turns: Floats) -> Fit:
    """The best board of many about an outline that the net sees, also turned: in the dark it sees no corners."""
    height, width = picture.shape[:2]
    profiles = look_across(picture, seen)
    first, _ = board_of_hint(hint_of(maps, profiles), seen, profiles, width, height)
    best: list[Fit] = []
    for turn in turns:
        start = first.copy()
        start[TURN] += turn
        across = look_across(picture, outlines(start[None], width, height)[0, INNER_EDGE])
        running = evolved(start[None], across, width, height)
        fits = refine(running[:_FOLLOWED], across, _scaled(_NEAR, width), FAINT, width, height)
        best = sorted([*best, *_judged(fits, maps, across, width, height)[:2]], key=_score, reverse=True)
    return _finished(picture, maps, best[:2])


def _varied(p: Floats) -> Floats:
    """The board with other floors, depths and rims (n × 11)."""
    tried = np.repeat(p[None], 1 + len(_OTHERS), axis=0)
    for row, (column, off) in enumerate(_OTHERS, start=1):
        tried[row, column] += off
    return tried


def _blind_guesses(picture: Picture) -> list[Points]:
    """The clearest octagons about the middle of the picture, for a felt that is striped or half under an arm."""
    height, width = picture.shape[:2]
    middle = np.array([width / 2, height / 2])
    found: list[tuple[float, Points]] = []
    for across, turn in product(_BLIND_SIZES, (0.0, np.pi / 8)):
        corners = regular_octagon(across * min(width, height), turn) + middle
        profiles = look_across(picture, corners)
        seen, clear = octagons_about(corners, profiles, evidence_of(profiles, FAINT)[INNER_EDGE], width, height)
        if clear[0] >= _SEEN:
            found.append((float(clear[0]), outlines(seen[:1], width, height)[0, INNER_EDGE]))
    return [corners for _, corners in sorted(found, key=lambda one: -one[0])[:_BLIND]]


def _fit_near(picture: Picture, maps: BoardMaps, corners: Points) -> Fit:
    """The best board of which one edge is about this octagon: many tries, of which fewer and fewer go on."""
    height, width = picture.shape[:2]
    profiles = look_across(picture, corners)
    running = first_fits(profiles, corners, width, height)
    for count, windows in _ROUNDS:
        fits = refine(running[:count], profiles, _scaled(windows, width), FAINT, width, height)
        fits = _judged(fits, maps, profiles, width, height)
        running = np.array([fit.parameters for fit in fits])
    for _ in range(_STIRS):
        if not _PROMISING <= fits[0].certainty < _GOOD:
            break
        tried = np.concatenate([running[:_STIRRED], stirred(running[:_STIRRED], profiles, width, height)[:_RUNNING]])
        fits = refine(tried, profiles, _scaled(_STIR_WINDOWS, width), FAINT, width, height)
        fits = _judged(fits, maps, profiles, width, height)
        running = np.array([fit.parameters for fit in fits])
    return _finished(picture, maps, fits[:2])


def _finished(picture: Picture, maps: BoardMaps, fits: list[Fit]) -> Fit:
    """The best of some fits, looked at from near, with every rim and depth that boards have."""
    height, width = picture.shape[:2]
    closer = look_across(picture, corners_of(fits[0], INNER_EDGE, width, height))
    running = np.array([fit.parameters for fit in fits])
    deep = completed(running, closer, width, height)[:8]
    last = _scaled(_FINE, width)
    fine = _judged(refine(deep, closer, last, FAINT_CREASE, width, height), maps, closer, width, height)
    if fine[0].certainty >= _SURELY:
        return fine[0]
    tried = stirred(np.array([fit.parameters for fit in fine[:2]]), closer, width, height)[:_RUNNING]
    again = refine(completed(tried[:4], closer, width, height)[:16], closer, last, FAINT_CREASE, width, height)
    return max(fine[0], _judged(again, maps, closer, width, height)[0], key=_score)


def _bred(picture: Picture, maps: BoardMaps, fit: Fit) -> Fit:
    """The best of many boards bred from a fit: by all edges, then by each of the rim, which may be mistaken."""
    if float(fit.edges.min()) >= _SURELY and fit.agreed >= _SURELY_AGREED:
        return fit
    height, width = picture.shape[:2]
    profiles = look_across(picture, corners_of(fit, INNER_EDGE, width, height))
    hint = hint_of(maps, profiles)

    def agreed(ratio: Floats) -> Floats:
        return _AGREED * agreement(hint, ratio, profiles, width)

    best = _judged([fit], maps, profiles, width, height)
    for trusted in _BREEDS:
        grown = evolved(_different(best, width, height), profiles, width, height, NEARER, agreed, trusted)
        nearer = refine(grown[:_TRIED], profiles, _scaled(_NEAR, width), FAINT_CREASE, width, height, hint, draws=False)
        grown = np.array([fit.parameters for fit in _judged(nearer, maps, profiles, width, height)])
        deep = completed(grown[:3], profiles, width, height)[:_DEEP]
        tried = np.concatenate([grown[:_GROWN], deep])
        again = refine(tried, profiles, _scaled(_FINE, width), FAINT_CREASE, width, height, hint, draws=False)
        best = sorted([*best, *_judged(again, maps, profiles, width, height)], key=_score, reverse=True)
    return best[0]


def _different(fits: list[Fit], width: int, height: int) -> Floats:
    """The best fits (n × 11) that are not the same board again."""
    kept: list[Floats] = []
    seen: list[Floats] = []
    for fit in fits:
        rings = outlines(fit.parameters[None], width, height)[0]
        if not any(_is_same(rings, other, width) for other in seen):
            kept.append(fit.parameters)
            seen.append(rings)
        if len(kept) == _PARENTS:
            break
    return np.array(kept)


def _is_same(rings: Floats, other: Floats, width: int) -> bool:
    """Whether no corner of a board (3 × 8 × 2, pixels) lies far from another's."""
    return bool(np.hypot(*(rings - other).reshape(-1, 2).T).max() <= _SAME * width / WORK_WIDTH)


def _scaled(windows: tuple[float, ...], width: int) -> tuple[float, ...]:
    return tuple(window * width / WORK_WIDTH for window in windows)
