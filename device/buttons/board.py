"""The buttons of the light board, which come up its cable; the lamps in its seat buttons go down the same way."""

from __future__ import annotations

from collections.abc import Sequence

from device.buttons import NAMES, Edge, Tell
from device.lights.board_link import BoardLink, Press


class BoardButtons:
    """Hears the board's buttons on `link`, which the lights keep; what ails the cable is told by them."""

    def __init__(self, link: BoardLink, tell: Tell) -> None:
        self.names = NAMES
        self._link, self._tell = link, tell
        self._down: dict[str, float] = {}
        self._closed = False
        link.on_button(self._hear)
        link.start()

    def light(self, levels: Sequence[float]) -> None:
        if self._closed:
            return
        self._link.light_seats(sum(1 << n for n, level in enumerate(levels) if level >= 0.5))
        if self._link.trouble is not None:  # the board is gone: nobody will tell when a finger comes off
            down, self._down = self._down, {}
            for name, at in down.items():
                self._tell(Edge(name, False, at))

    def close(self) -> None:
        self._closed = True

    def _hear(self, press: Press) -> None:
        if self._closed or press.kind not in ("press", "release"):
            return
        if press.kind == "press":
            self._down[press.button] = press.at
        else:
            self._down.pop(press.button, None)
        self._tell(Edge(press.button, press.kind == "press", press.at))
