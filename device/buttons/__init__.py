"""Push buttons at the board: what any of them tells, one protocol, and the fake beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

STOP, UNDO, MENU = "stop", "undo", "menu"
MOST_SEATS = 8


def seat(n: int) -> str:
    """The name of the button of player `n`, from 1.

    >>> seat(2)
    'seat 2'
    """
    return f"seat {n}"


SEATS = tuple(seat(n) for n in range(1, MOST_SEATS + 1))
NAMES = (STOP, UNDO, MENU, *SEATS)


@dataclass(frozen=True)
class Edge:
    """One contact closed or opened at `at`, seconds of the frames' clock; raw: a contact bounces."""

    button: str
    down: bool
    at: float


Tell = Callable[[Edge], None]


class Buttons(Protocol):
    """A set of buttons, opened by its constructor, which is given a `Tell`; a contract suite runs on every class.

    Edges are told from any thread, each with the time at which it came; nothing is told after `close`. A button that
    is down when the set is opened is silent until it was let go.
    """

    names: tuple[str, ...]

    def light(self, levels: Sequence[float]) -> None:
        """The lamps of the seat buttons, 0 dark to 1 bright; those that are not there are left out.

        Raises `device.kept.PartLost` where the lamps cannot be set any more.
        """

    def close(self) -> None:
        """Any number of times; pins are given back."""


class FakeButtons:
    """Buttons to press by hand: ``FakeButtons(tell).press("stop", 3.0)``; `lit` is what `light` last showed."""

    def __init__(self, tell: Tell, names: Sequence[str] = NAMES) -> None:
        self._tell = tell
        self.names = tuple(names)
        self.lit: tuple[float, ...] = ()
        self.closed = False

    def edge(self, button: str, down: bool, at: float) -> None:
        if not self.closed and button in self.names:
            self._tell(Edge(button, down, at))

    def press(self, button: str, at: float, held_s: float = 0.1) -> None:
        self.edge(button, True, at)
        self.edge(button, False, at + held_s)

    def light(self, levels: Sequence[float]) -> None:
        if not self.closed:
            self.lit = tuple(levels)

    def close(self) -> None:
        self.closed = True
