"""What moved since the picture was last calm: did dice roll freely, did one leave the picture, who reached in."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import atan2, degrees, dist

from vision.reading import Point
from vision.scene import Box, Thing, Zone

KEEP_S = 12.0  # hands shake dice for long, but a throw takes a second or two
_MOST_AT_ONCE = 16  # things that move: more are the noise of a picture gone dark, no dice and hands
_FREE_FRAMES = 2
_FREE_WAY = 1.2  # die edges between the first and last place of dice that roll
_LEFT = 0.8  # die edges from where it was first seen: no die lies there any more
_JUMP = 6.0  # die edges from one picture to the next: 3 m/s at 30 pictures a second
_OUT_WAY = 2.0  # die edges that a leaving die must have been seen to travel
_ROLLS_SLOWER = 1.2  # die edges from picture to picture: what flies in from a hand is faster
_BEYOND_FRAMES = 4
_HAND_SIDE = 40.0  # degrees: dice do not leave on the side that the hand reaches in from


@dataclass(frozen=True)
class _Moment:
    t: float
    boxes: tuple[Box, ...]
    things: tuple[Thing, ...]


@dataclass
class _Chain:
    """One die-like thing followed from picture to picture."""

    places: list[Thing] = field(default_factory=list)
    last: int = 0

    def expected(self) -> Point:
        (x, y) = self.places[-1].center
        if len(self.places) < 2:
            return x, y
        (u, v) = self.places[-2].center
        return 2 * x - u, 2 * y - v


class Movement:
    """Moments of motion, oldest first; all questions are asked once the size of a die is known."""

    def __init__(self) -> None:
        self._moments: list[_Moment] = []

    def add(self, t: float, boxes: tuple[Box, ...], things: tuple[Thing, ...]) -> None:
        if sum(thing.moving for thing in things) > _MOST_AT_ONCE:
            return
        self._moments.append(_Moment(t, boxes, things))
        if len(self._moments) > 16 and self._moments[0].t < t - KEEP_S:
            del self._moments[:8]

    def clear(self) -> None:
        self._moments.clear()

    @property
    def any(self) -> bool:
        return bool(self._moments)

    def hand_since(self, t: float) -> bool:
        return any(thing.hand for moment in self._moments if moment.t >= t for thing in moment.things)

    def was_at(self, point: Point, die_px: float) -> bool:
        """Whether anything moved where a die of this size now lies."""
        reach = 0.6 * die_px
        return any(
            x1 - reach <= point[0] <= x2 + reach and y1 - reach <= point[1] <= y2 + reach
            for moment in self._moments
            for x1, y1, x2, y2 in moment.boxes
        )

    def rolled(self, die_px: float) -> bool:
        """Whether something of a die's size moved over the board, free of any hand, for more than its own length."""
        free = [
            [
                thing.center
                for thing in moment.things
                if thing.moving and not thing.at_edge and thing.zone is not Zone.BEYOND and thing.is_die_like(die_px)
            ]
            for moment in self._moments
        ]
        frames = [places for places in free if places]
        if len(frames) < _FREE_FRAMES:
            return False
        places = [place for frame in frames for place in frame]
        return max(dist(places[0], place) for place in places) >= _FREE_WAY * die_px

    def followed(self, die_px: float, lying: tuple[Point, ...]) -> bool:
        """Whether a die was followed over the board from where none lies now: dice that only tremble stay there."""
        for chain in self._chains(die_px):
            start = chain.places[0].center
            way = max(dist(start, thing.center) for thing in chain.places)
            if way >= _FREE_WAY * die_px and all(dist(start, place) > _LEFT * die_px for place in lying):
                return True
        return False

    def came_from(self, center: Point, die_px: float) -> float | None:
        """The side (degrees) of the hand that was last over the board, else where the first free die came in."""
        for moment in reversed(self._moments):
            for thing in moment.things:
                if thing.hand and thing.from_deg is not None:
                    return thing.from_deg
        for moment in self._moments:
            for thing in moment.things:
                if thing.moving and thing.is_die_like(die_px) and dist(thing.center, center) > 2 * die_px:
                    return degrees(atan2(thing.center[1] - center[1], thing.center[0] - center[0])) % 360.0
        return None

    def left(self, die_px: float, center: Point, size: tuple[int, int], lying: tuple[Point, ...]) -> int:
        """How many dice were seen to leave the picture over the rim (`size`: width and height of the picture)."""
        hands = [
            thing.from_deg
            for moment in self._moments
            for thing in moment.things
            if thing.hand and thing.from_deg is not None
        ]
        return sum(_leaves(chain, die_px, center, size, lying, hands) for chain in self._chains(die_px))

    def rolled_beyond(self, die_px: float) -> tuple[Point, ...]:
        """Where dice stopped that had rolled on the table beside the board: too low to lie on the rim."""
        found = []
        for chain in self._chains(die_px):
            steps = zip(chain.places, chain.places[1:], strict=False)
            slow = sum(b.zone is Zone.BEYOND and dist(a.center, b.center) < _ROLLS_SLOWER * die_px for a, b in steps)
            if slow >= _BEYOND_FRAMES and chain.places[-1].zone is not Zone.FELT:
                found.append(chain.places[-1].center)
        return tuple(found)

    def _chains(self, die_px: float) -> list[_Chain]:
        chains: list[_Chain] = []
        for index, moment in enumerate(self._moments):
            open_chains = [chain for chain in chains if index - chain.last <= 2]
            for thing in moment.things:
                if not (thing.moving and thing.is_die_like(die_px)):
                    continue
                near = min(open_chains, key=lambda chain: dist(chain.expected(), thing.center), default=None)
                if near is not None and dist(near.expected(), thing.center) <= _JUMP * die_px and near.last < index:
                    near.places.append(thing)
                    near.last = index
                else:
                    chains.append(_Chain([thing], index))
        return chains


def _leaves(
    chain: _Chain,
    die_px: float,
    center: Point,
    size: tuple[int, int],
    lying: tuple[Point, ...],
    hands: list[float],
) -> bool:
    first, last = chain.places[0], chain.places[-1]
    if len(chain.places) < 2 or first.zone is Zone.BEYOND or (last.zone is Zone.FELT and not last.at_edge):
        return False
    if dist(last.center, center) - dist(first.center, center) < _OUT_WAY * die_px:
        return False
    if any(dist(last.center, place) < 1.5 * die_px for place in lying):
        return False
    x, y = chain.expected()
    half = 0.5 * die_px
    if not (last.at_edge or x < half or y < half or x > size[0] - half or y > size[1] - half):
        return False
    side = degrees(atan2(last.center[1] - center[1], last.center[0] - center[0]))
    return all(abs((side - hand + 180.0) % 360.0 - 180.0) > _HAND_SIDE for hand in hands)
