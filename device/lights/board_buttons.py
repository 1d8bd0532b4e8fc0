"""The buttons on the light board as buttons of the table: the same protocol as those on the Pi's own pins."""

from __future__ import annotations

from collections.abc import Sequence

from device.buttons import MENU, SEATS, STOP, UNDO, Edge, Tell
from device.lights.board_link import BoardLink, Press


class BoardButtons:
    """Edges from the link, which says by itself when the board is gone; `names` are all that a board may have.

    >>> told = []
    >>> buttons = BoardButtons(BoardLink(), told.append)
    >>> buttons._pressed(Press("stop", "press", 7.0))
    >>> told
    [Edge(button='stop', down=True, at=7.0)]
    """

    names: tuple[str, ...] = (STOP, UNDO, MENU, *SEATS)

    def __init__(self, link: BoardLink, tell: Tell) -> None:
        self._link, self._tell = link, tell
        self._closed = False
        link.on_button(self._pressed)
        link.start()

    def light(self, levels: Sequence[float]) -> None:
        if not self._closed:
            self._link.light_seats(sum(1 << n for n, level in enumerate(levels[: len(SEATS)]) if level >= 0.5))

    def close(self) -> None:
        """The link itself is left to the lights, whose cable it is."""
        if not self._closed:
            self._closed = True
            self._link.light_seats(0)

    def _pressed(self, press: Press) -> None:
        """The table tells long from short by itself, so that all buttons feel the same."""
        if not self._closed and press.kind != "long":
            self._tell(Edge(press.button, press.kind == "press", press.at))
