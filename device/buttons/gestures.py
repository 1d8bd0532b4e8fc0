"""From contacts that bounce to presses: short, long, or held on; own debouncing, no clock of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from device.buttons import Edge

SETTLE_S = 0.02  # a contact that stood still for so long means it; switches bounce for 1 to 10 ms
LONG_S = 0.7
VERY_LONG_S = 2.5
STUCK_S = 30.0  # no finger presses for so long


class How(StrEnum):
    """How a button was pressed; VERY_LONG is told while it is still down, the others when it is let go."""

    SHORT = "short"
    LONG = "long"
    VERY_LONG = "very_long"


@dataclass(frozen=True)
class Press:
    """One press; `at` is when the finger came down, however late it is told."""

    button: str
    how: How
    at: float


@dataclass
class _Contact:
    down: bool = False
    since: float = 0.0  # when it came to be so
    raw: bool = False
    left: float | None = None  # when it first left what it was, while that is not sure yet
    heard: float = 0.0
    told: bool = False


class Gestures:
    """Give it every `edge` in order and, now and then, the time; it gives back the presses.

    `instant` buttons have one meaning only: they are told short, as soon as they are surely down.

    >>> gestures = Gestures()
    >>> for at, down in ((1.0, True), (1.002, False), (1.004, True), (1.3, False)):
    ...     gestures.edge(Edge("stop", down, at))
    >>> gestures.tick(1.4)
    [Press(button='stop', how=<How.SHORT: 'short'>, at=1.0)]
    """

    def __init__(self, *, long_s: float = LONG_S, instant: Iterable[str] = ()) -> None:
        self._long_s = long_s
        self._very_long_s = max(VERY_LONG_S, long_s + 1.0)
        self._instant = frozenset(instant)
        self._contacts: dict[str, _Contact] = {}
        self._presses: list[Press] = []

    def edge(self, edge: Edge) -> None:
        """One contact closed or opened."""
        self.settle(edge.at)
        contact = self._contacts.setdefault(edge.button, _Contact())
        if edge.down == contact.raw:
            return
        contact.raw, contact.heard = edge.down, edge.at
        if contact.left is None:
            contact.left = edge.at

    def tick(self, t: float) -> list[Press]:
        """What was pressed up to `t`, the first first."""
        self.settle(t)
        for name, contact in self._contacts.items():
            held = contact.down and not contact.told
            if held and contact.left is None and t - contact.since >= self._very_long_s:
                contact.told = True
                self._presses.append(Press(name, How.VERY_LONG, contact.since))
        presses, self._presses = sorted(self._presses, key=lambda press: press.at), []
        return presses

    def holding(self, t: float) -> str | None:
        """The button that has been down long enough for a long press and is not told yet."""
        for name, contact in self._contacts.items():
            if contact.down and not contact.told and t - contact.since >= self._long_s:
                return name
        return None

    def stuck(self, t: float) -> tuple[str, ...]:
        """The buttons that are down for longer than any finger presses."""
        return tuple(name for name, c in self._contacts.items() if c.down and t - c.since >= STUCK_S)

    @property
    def busy(self) -> bool:
        """Whether a contact moves: somebody should look again soon."""
        return any(contact.left is not None for contact in self._contacts.values())

    def settle(self, t: float) -> None:
        """Believe every contact that has stood still up to `t`."""
        for name, contact in self._contacts.items():
            if contact.left is None or t - contact.heard < SETTLE_S:
                continue
            left, contact.left = contact.left, None
            if contact.raw == contact.down:
                continue  # it only trembled
            was, contact.down, contact.since = contact.since, contact.raw, left
            if contact.down:
                contact.told = name in self._instant
                if contact.told:
                    self._presses.append(Press(name, How.SHORT, left))
            elif not contact.told:
                held = left - was
                how = How.SHORT if held < self._long_s else How.LONG if held < self._very_long_s else How.VERY_LONG
                self._presses.append(Press(name, how, was))
