"""What reaches in over the board: when a hand came, whether it moves, and what has lain there for long."""

from __future__ import annotations

from vision.happenings import HandSeen
from vision.scene import Thing

LIES_S = 8.0  # a hand that lies still so long is a sleeve, a bag, a glass: it belongs there
_GONE_S = 0.15
_STANDS_S = 0.5
_SIDE_S = 0.15  # to see from which side it came


class Hand:
    """Fed with the hands of each picture in which anything moved, or a hand was over the board before."""

    def __init__(self) -> None:
        self.is_over = False
        self.lies = False  # what lies there belongs there since it lay still for long, and nothing has moved since
        self._seen_at = self._moved_at = self._came_at = -1e9
        self._told = False

    def see(self, t: float, hands: list[Thing]) -> list[HandSeen]:
        """Told once for each hand, as soon as its side is known."""
        if not hands:
            self.is_over = self.is_over and t - self._seen_at < _GONE_S
            return []
        if not self.is_over:
            self._told, self._came_at = False, t
        if not self.is_over or any(hand.moving for hand in hands):
            self._moved_at = t
        self.is_over, self._seen_at = True, t
        if t - self._moved_at > LIES_S:
            self.is_over, self.lies = False, True
        side = next((hand.from_deg for hand in hands if hand.from_deg is not None), None)
        if self._told or (side is None and t - self._came_at < _SIDE_S):
            return []
        self._told = True
        return [HandSeen(t=t, from_deg=side)]

    def stands(self, t: float) -> bool:
        """Whether it has stood still so long that it may be the board, seen in another place."""
        return self.is_over and t - self._moved_at >= _STANDS_S
