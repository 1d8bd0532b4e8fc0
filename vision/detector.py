"""The dice in one picture: where each lies, what it shows, how far that can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist, hypot, log
from pathlib import Path
from typing import Protocol

import numpy as np

from vision.crops import FACES, Kind
from vision.faces import Face, Sizes, look, look_again, once
from vision.frame import Picture
from vision.hand_net import HandNet, together
from vision.level import AS_LEVEL, Ground, Lie, lies
from vision.middle_pip import WITHOUT_MIDDLE, may_hide_pip
from vision.nets import MODELS, SEARCH_EDGE, UPRIGHT, FaceNet, Finder, Spot
from vision.reading import Point, Pose, Problem
from vision.trust import Trust, second

Corners = tuple[Point, Point, Point, Point]

SMALLEST_PX = 14.0
"""Smaller dice are not looked for where the scale is not known."""
STEP = 1.6
"""From one searched size of dice to the next, where the scale is not known; the finder covers a little more."""
AS_SEARCHED, NOT_SEARCHED = 1.08, 1.45
"""Dice of another size than was searched for by more than the first are searched for again; where none were found at a
guessed size, they are searched for at that by the second larger, and smaller."""
LARGER = 1.12
"""Where dice are searched for again, they are at so much larger a size as well: of dice of one colour that touch, those
that run together at one size are told apart at the other."""
MOST_SEARCHED = 1.4e6
"""Pixels: larger pictures are searched shrunk where the size is not known, and none is grown beyond it."""
LEAST_DIE = 0.12
"""What is less likely than this to be any die is dropped after the first look."""
MOST_READ = 96
"""Spots that are read, of a picture whose scale is not known."""
UNLIKE, ODD, LIKELY = 2.6, 1.7, 0.8
"""A die of another size by so much is none; nor by less, where its face is not likely."""
WELL_MET = 0.9
"""What is likelier than this to be a die is not looked for any more."""
CLEAR = 0.3
"""Where as many dice as are expected are well met among what the finder scores more than this, nothing else is looked
at: in rendered pictures held out one die in eighty is scored less, and seven in eight of the spots that are no dice."""
LEAST_LOOKED_AT_AGAIN = 0.25
"""What is less likely than this to be a die gets one look only."""
SETTLED = 0.985
"""A face that is told with so much confidence after one look needs no other."""
LIKELY_DIE = 0.5
"""What is likelier than this to be a die is asked whether it lies level."""
LEVEL_AFTER_ALL = 0.9
DOUBTED: dict[int, float] = {Kind.STACKED: 0.94, Kind.COCKED: 0.86}
"""What looks stacked or covered most of all, or, where a board tells how it is looked at, leaning, but all told is
likelier than the first to lie level and bare, is read; no surer than the second, which leaves one look unsure. Of
several, one that sees it flat beyond doubt outweighs two that see it stacked, and about half must where it seems to
lean. A crop alone cannot tell a die that leans from a flat one under a tilted camera."""
OVERRULED = 0.8
"""No board overrules a look that is surer than this that the die leans."""
MIDDLE_DOUBTED = 0.86
"""What may be a 3 or a 5 whose middle is hidden by glare is told as a 2 or a 4 no surer than this."""
LEANS = 0.32
"""A top farther from level than this sine leans, whatever it shows."""
SAME = 0.6
"""Two finds nearer than so many edges are one die."""
TOO_NEAR = 0.75
"""Tops that lie on one level are an edge apart or more, told to within a sixth where dice of one colour touch. So of
two whose middles are nearer than so many edges one lies on or leans on the other, or is a side of it."""
ALONE = 1.6
"""A die with no other nearer than so many edges lies on one only if that is hidden wholly: then one is missing."""
ALONE_LEVEL, ALONE_FACE, ALONE_STACKED = 0.13, 0.99, 0.1
"""Where none is missing, what lies level, its sine at most the first, and shows a face likelier than the second is so
much less likely stacked than it looks. In two sets held out 19 dice more were sure so, and none of them wrong; of those
that are less level, some lean on a coin."""
_PROBLEMS: dict[int, Problem] = {
    Kind.STACKED: Problem.STACKED,
    Kind.COCKED: Problem.COCKED,
    Kind.SYMBOL: Problem.SYMBOL,
}
_POSES: dict[int, Pose] = {Kind.STACKED: Pose.STACKED, Kind.COCKED: Pose.COCKED}


@dataclass(frozen=True)
class Found:
    """One thing that is, or may be, a die.

    `is_die` and `confidence` are probabilities: that it is a die at all, and that `face` is what its top shows.
    `edge` is the length of a die's edge and `corners` are those of the top face, clockwise, in pixels of the picture.
    `alone`: what it is if no die is missing, so that none is hidden under it; None where that tells nothing. `most`: no
    more than this is to be told, whatever else is known.
    """

    face: int | None
    confidence: float
    second: int | None
    is_die: float
    edge: float
    corners: Corners
    pose: Pose = Pose.FLAT
    why: tuple[Problem, ...] = ()
    alone: Found | None = None
    most: float = 1.0

    @property
    def center(self) -> Point:
        return (sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4)


@dataclass(frozen=True)
class Detection:
    """Everything found in a picture; `hand` is how likely one is in it."""

    found: tuple[Found, ...]
    hand: float = 0.0


class Detector(Protocol):
    """Finds dice; `die_px` is about how long a die's edge is in the picture, None where that is not known.

    `guessed`: `die_px` may be half as much again, or a third less. `ground` is the board that was
    found, None where none is known. `expected`: how many dice there are, where told; faint finds are left out where so
    many are clear.
    """

    def detect(
        self,
        picture: Picture,
        die_px: float | None = None,
        ground: Ground | None = None,
        *,
        guessed: bool = False,
        expected: int | None = None,
    ) -> Detection: ...


class DiceDetector:
    """The trained one: finds spots in a small picture, reads each from the full one.

    >>> detector = DiceDetector()
    >>> detector.detect(np.full((96, 128, 3), 90, np.uint8), die_px=20).found
    ()
    """

    def __init__(self, folder: Path = MODELS, threads: int = 1) -> None:
        self._finder = Finder(folder, threads)
        self._net = FaceNet(folder, threads)
        self._upright = FaceNet(folder, threads, UPRIGHT)
        self._hands = HandNet(folder, threads)
        self._trust = Trust.told(self._net.told.get("trust"))

    def detect(
        self,
        picture: Picture,
        die_px: float | None = None,
        ground: Ground | None = None,
        *,
        guessed: bool = False,
        expected: int | None = None,
    ) -> Detection:
        faces, hand = self.faces(picture, die_px, guessed, expected)
        usual = die_px_of(faces) or die_px or 0.0
        how = self.lies(picture, faces, usual, ground)
        on_board = ground is not None
        found = not_too_near([self._found(face, usual, lie, on_board) for face, lie in zip(faces, how, strict=True)])
        for i in [i for i, one in enumerate(found) if is_alone(one, found)]:
            knows_level = on_board or len(faces) > 1
            if knows_level and how[i].off_level <= ALONE_LEVEL and self._trust.of_face(faces[i]) > ALONE_FACE:
                found[i] = replace(found[i], alone=self._found(not_stacked(faces[i]), usual, how[i], on_board))
        sizes = Sizes(picture)
        found = [_doubted(one, sizes) for one in found]
        return Detection(tuple(found), together(hand, self._hands.seen(picture)))

    def of_die(self, face: Face, usual: float) -> float:
        """How likely this is a die, among others with edges of `usual` pixels."""
        return self._trust.of_die(face, usual)

    def of_face(self, face: Face) -> float:
        """How likely the face is the right one, if it is that of a die that lies level."""
        return self._trust.of_face(face)

    def lies(self, picture: Picture, faces: Sequence[Face], usual: float, ground: Ground | None) -> list[Lie]:
        """How each die lies (see `vision.level`); as if level for what is hardly a die."""
        likely = [i for i, face in enumerate(faces) if self._trust.of_die(face, usual) > LIKELY_DIE]
        how = [AS_LEVEL] * len(faces)
        size = picture.shape[1], picture.shape[0]
        for i, lie in zip(likely, lies([faces[i] for i in likely], ground, size), strict=True):
            how[i] = lie
        return how

    def faces(
        self, picture: Picture, die_px: float | None = None, guessed: bool = False, expected: int | None = None
    ) -> tuple[list[Face], float]:
        """What was read at each place, before it is decided what to believe; and how likely the finder sees a hand."""
        sizes = Sizes(picture)
        spots, hands = self._search(picture, [die_px] if die_px is not None else _all_sizes(picture))
        is_told = expected and die_px is not None and not guessed
        clear = [spot for spot in spots if spot.score > CLEAR] if is_told else spots
        seen = look(self._net, sizes, clear)
        if len(clear) < len(spots) and len(self._apart(self._likelier(seen, WELL_MET, die_px), die_px)) != expected:
            seen += look(self._net, sizes, spots[len(clear) :])  # the likeliest come first
        if die_px is None or guessed:
            usual = die_px_of(self._likelier(seen, LIKELY_DIE, 0.0))
            usual = usual if usual and usual >= _least(hands) else None  # a pip or a speck tells no size
            more, further = self._search(picture, _sizes_left(usual, list(hands)))
            well = self._likelier(seen, WELL_MET, usual)  # the others may be dice that were not met in the middle
            more = [spot for spot in more if not any(_is_same(spot, face.spot) for face in well)]
            seen += look(self._net, sizes, more)
            hands |= further
            hand = max(hands.values()) if usual is None else hands[min(hands, key=lambda edge: abs(log(edge / usual)))]
            die_px = die_px and (usual or die_px)
        else:
            hand = hands[die_px]
        first = self._likelier(seen, LEAST_DIE, die_px)
        first = of_one_size(first, self._trust.of_die) if die_px is None else first
        first = self._apart(first, die_px or die_px_of(first))
        likely = self._likelier(first, LEAST_LOOKED_AT_AGAIN, die_px)
        asked = [face for face in likely if not self._is_settled(face, die_px or 0.0)]
        others = [once(face) for face in first if not any(face is other for other in asked)]
        common = die_px_of(first) or 1.0
        return self._apart(look_again(self._upright, sizes, asked, common) + others, die_px or common), hand

    def _is_settled(self, face: Face, usual: float) -> bool:
        """Whether one look says all: what it shows is beyond doubt."""
        return self._trust.of_die(face, usual) * self._trust.of_level(face) * self._trust.of_face(face) > SETTLED

    def _likelier(self, faces: Sequence[Face], than: float, die_px: float | None) -> list[Face]:
        """Those that are likelier dice than that."""
        return [face for face in faces if self._trust.of_die(face, die_px or 0.0) > than]

    def _apart(self, faces: Sequence[Face], die_px: float | None) -> list[Face]:
        return apart(faces, self._trust.of_die, die_px or 0.0)

    def _search(self, picture: Picture, edges: Sequence[float]) -> tuple[list[Spot], dict[float, float]]:
        """Spots where dice with such edges may be; and, of each edge searched for, how likely a hand is there."""
        spots: list[Spot] = []
        hands: dict[float, float] = {}
        most = max(1.0, (MOST_SEARCHED / (picture.shape[0] * picture.shape[1])) ** 0.5)
        for edge in edges:
            some, hands[edge] = self._finder.find(picture, min(SEARCH_EDGE / edge, most))
            spots += some
        return (_distinct(spots) if len(edges) > 1 else spots), hands

    def _found(self, face: Face, usual: float, lie: Lie, on_board: bool = False) -> Found:
        is_level = self._trust.of_level(face, lie)
        kind = int(face.shares.argmax())
        if kind < FACES and is_level <= 0.5:
            kind = FACES + int(face.shares[FACES:].argmax())
        most = 1.0
        may_be_level = kind != Kind.COCKED or (on_board and face.shares[kind] < OVERRULED)
        if kind in DOUBTED and is_level > LEVEL_AFTER_ALL and may_be_level:
            kind, most = face.face - 1, DOUBTED[kind]
        if kind in (face.face - 1, Kind.NOTHING) and lie.off_level > LEANS:
            kind = int(Kind.COCKED)
        problem = _PROBLEMS.get(kind)
        a, b, c, d = ((float(x), float(y)) for x, y in face.corners)
        is_die = self._trust.of_die(face, usual)
        return Found(
            face.face,
            min(most, is_die * is_level * self._trust.of_face(face)) if kind < FACES else 0.0,
            second(face),
            is_die,
            face.edge,
            (a, b, c, d),
            _POSES.get(kind, Pose.FLAT),
            (problem,) if problem else (),
        )


def _all_sizes(picture: Picture) -> list[float]:
    """Edges of dice to search for where nothing is known of their size."""
    height, width = picture.shape[:2]
    edges = [max(SMALLEST_PX, SEARCH_EDGE * (height * width / MOST_SEARCHED) ** 0.5)]
    while edges[-1] * STEP < 0.9 * min(height, width):
        edges.append(edges[-1] * STEP)
    return edges


def _sizes_left(usual: float | None, searched: Sequence[float]) -> list[float]:
    """Edges to search for as well, once it was seen how large the dice are, or that there are none of one size.

    At another size the finder takes dice that touch for one, or sees none; and sees hands that are none.
    """
    if usual is None:
        return [searched[0] * NOT_SEARCHED, searched[0] / NOT_SEARCHED] if len(searched) == 1 else []
    return [own for own in (usual, LARGER * usual) if min(abs(log(own / edge)) for edge in searched) > log(AS_SEARCHED)]


def _least(searched: Iterable[float]) -> float:
    """Edges of the smallest dice that may be meant where these were searched for."""
    return min(SMALLEST_PX, min(searched) / NOT_SEARCHED)


def _distinct(spots: Sequence[Spot]) -> list[Spot]:
    """The likeliest spots; one die is seen in two or three searches, of much the same size and place."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda spot: spot.score, reverse=True):
        if not any(_is_same(spot, known) for known in kept):
            kept.append(spot)
        if len(kept) == MOST_READ:
            break
    return kept


def _is_same(spot: Spot, known: Spot) -> bool:
    return dist(spot.center, known.center) < 0.3 * spot.edge and abs(log(known.edge / spot.edge)) < log(1.3)


def apart(faces: Sequence[Face], of_die: Callable[[Face, float], float], usual: float) -> list[Face]:
    """Of those that lie on each other the one that is a die beyond doubt, else the likeliest face.

    A find within a larger, likely die is a pip or a part of it, unless it is a die beyond doubt. The likeliest face is
    not enough: one that is cut from the middle of a die shows its pips well, and a closer look finds no die there.
    """
    kept: list[Face] = []
    for face in sorted(faces, key=lambda face: (of_die(face, usual) > WELL_MET, _worth(face)), reverse=True):
        x, y = face.center
        if all(hypot(x - k.center[0], y - k.center[1]) > SAME * max(k.edge, face.edge) for k in kept):
            kept.append(face)
    return kept


def _worth(face: Face) -> float:
    return face.likely + 0.3 * (1 - float(face.shares[Kind.NOTHING])) + 0.05 * face.spot.score


def not_too_near(found: Sequence[Found]) -> list[Found]:
    """The same, with those likely dice told as stacked that are too near to another to lie beside it."""
    likely = [one for one in found if one.is_die > LIKELY_DIE]
    near = {
        id(one)
        for one in likely
        for other in likely
        if other is not one and dist(one.center, other.center) < TOO_NEAR * min(one.edge, other.edge)
    }
    return [_stacked(one) if id(one) in near else one for one in found]


def is_alone(one: Found, found: Sequence[Found]) -> bool:
    """Whether nothing that may be a die lies near."""
    others = [other for other in found if other is not one and other.is_die > LEAST_DIE]
    return all(dist(one.center, other.center) > ALONE * max(one.edge, other.edge) for other in others)


def _doubted(found: Found, sizes: Sizes) -> Found:
    """The same, no surer than its middle lets it be."""
    surest = max(one.confidence / max(one.is_die, 1e-6) for one in (found, found.alone or found))  # were it a die
    if found.face not in WITHOUT_MIDDLE or surest < MIDDLE_DOUBTED or not may_hide_pip(sizes, found.corners):
        return found
    return replace(found, confidence=min(found.confidence, MIDDLE_DOUBTED), alone=None, most=MIDDLE_DOUBTED)


def not_stacked(face: Face) -> Face:
    """The same, if hardly any die can lie under it."""
    shares = face.shares.copy()
    shares[Kind.STACKED] *= ALONE_STACKED
    return replace(face, shares=shares / shares.sum())


def _stacked(found: Found) -> Found:
    why = tuple(dict.fromkeys((*found.why, Problem.STACKED)))
    return replace(found, confidence=0.0, pose=Pose.STACKED, why=why)


def die_px_of(faces: Sequence[Face]) -> float | None:
    """The edge that most of what was read agrees on."""
    if not faces:
        return None
    edges = np.array([face.edge for face in faces])
    weights = np.array([face.likely**4 * face.spot.score for face in faces])
    near = np.abs(np.log(edges[:, None] / edges[None])) < log(1.35)
    best = int((near * weights).sum(axis=1).argmax())
    group = near[best]
    return float(np.exp((np.log(edges[group]) * weights[group]).sum() / max(weights[group].sum(), 1e-9)))


def of_one_size(faces: Sequence[Face], of_die: Callable[[Face, float], float]) -> list[Face]:
    """Without those of another size than the usual, the less likely the nearer: all dice are about one size.

    What is a die beyond doubt all the same stays: the usual size itself may be wrong.
    """
    usual = die_px_of(faces)
    if usual is None:
        return []
    most = [log(UNLIKE if face.likely > LIKELY else ODD) for face in faces]
    return [f for f, far in zip(faces, most, strict=True) if _is_near(f, usual, far) or of_die(f, usual) > WELL_MET]


def _is_near(face: Face, usual: float, far: float) -> bool:
    return abs(log(face.edge / usual)) < far
