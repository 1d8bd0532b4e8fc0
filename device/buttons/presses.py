"""The thread that hears the buttons: contacts become presses, presses what the table is told."""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Mapping

from device.buttons import MENU, SEATS, STOP, UNDO, Buttons, Edge
from device.buttons.gestures import Gestures, How, Press
from device.buttons.meaning import Item, Said, lamps, long, menu, seat, short
from device.buttons.menu import Menu, Shown
from device.kept import Kept
from device.snapshot import Told
from device.table import Table
from device.turning import GoesOn, Turning
from device.web.page import refusal
from device.wording import Wording
from scorer.errors import IllegalEvent
from scorer.events import Stop

LOG = logging.getLogger("pietjesoog")
SOON_S, CALM_S = 0.01, 0.1  # how often it looks again while a button moves, and otherwise
MEANT_S = 1.0  # a thumb that was on its way to a menu
REFUSED_S = 4.0  # how long a refusal stays on the screen
Heard = Callable[[str], None]


class Presses:
    """Hears edges from any source by `edge` and acts on the table, from a thread of its own.

    `sources` are opened, kept and opened again by it. `heard` is called with ``press``, ``undo``, ``menu`` or
    ``refused`` for each press, `shows` with what a screen should lay over the score (None: nothing more); both must
    return at once. `start` begins a game where none was played. Without `menus` (nothing shows or speaks them) none
    is opened.
    """

    def __init__(
        self,
        table: Table,
        words: Wording,
        *,
        start: Said,
        gestures: Gestures,
        sources: Mapping[str, Kept[Buttons]] | None = None,
        menus: bool = True,
        has_menu_button: bool = False,
        heard: Heard = lambda key: None,
        shows: Callable[[Shown | None], None] = lambda shown: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table, self._words, self._start, self._gestures = table, words, start, gestures
        self._sources = {} if sources is None else sources
        self._menus, self._has_menu_button = menus, has_menu_button
        self._heard, self._shows, self._clock = heard, shows, clock
        self._edges: queue.Queue[Edge] = queue.Queue(256)
        self._menu: Menu | None = None
        self._shown: Shown | None = None
        self._until = 0.0
        self._closed = float("-inf")  # when a menu last closed by itself
        self.turning = Turning("buttons", self._run, clock=clock)
        self.presses = 0
        self.stuck: tuple[str, ...] = ()

    def edge(self, edge: Edge) -> None:
        """From any thread; returns at once."""
        try:
            self._edges.put_nowait(edge)
        except queue.Full:
            LOG.warning("a button chatters: presses are lost")

    def start(self) -> None:
        self.turning.start()

    def close(self) -> None:
        """Any number of times; sources are given back."""
        self.turning.end(1.0)
        for source in self._sources.values():
            source.close()

    def health(self) -> dict[str, object]:
        """What ``/api/v1/health`` tells: each source, and a button that never comes up again."""
        faults = [(source.fault, source.trouble) for source in self._sources.values() if source.fault is not None]
        if not faults and self.stuck:
            faults = [(f"the button {self.stuck[0]} is held down all the time; is it stuck?", "button_stuck")]
        message, trouble = faults[0] if faults else (None, None)
        return {"ok": not faults, "message": message, "trouble": trouble, "presses": self.presses}

    # -- inside, on its own thread

    def _run(self, goes_on: GoesOn) -> None:
        while goes_on():
            try:
                edge = self._edges.get(timeout=SOON_S if self._gestures.busy else CALM_S)
            except queue.Empty:
                edge = None
            try:
                if edge is not None:
                    self._gestures.edge(edge)
                if self._edges.empty():
                    self.turn(self._clock())
            except Exception:  # a press is lost, the next one is heard
                LOG.exception("a press stumbled")

    def turn(self, t: float) -> None:
        """All that is due at `t`: presses, the menu that closes, lamps, sources to open."""
        if self._menu is not None and self._menu.stale(self._table.now.seq, t):
            self._menu, self._closed = None, t
        for press in self._gestures.tick(t):
            self.presses += 1
            self._act(press, t)
        self.stuck = self._gestures.stuck(t)
        self._show(t)
        self._keep(t)

    def _keep(self, t: float) -> None:
        lit = lamps(self._table.now, t, len(SEATS))
        for source in self._sources.values():
            source.use(lambda buttons: buttons.light(lit))

    def _act(self, press: Press, t: float) -> None:
        if self._menu is not None and press.button not in SEATS:
            self._in_menu(press, self._menu, t)
            return
        if press.at < self._closed + MEANT_S and press.button in (STOP, MENU):
            self._heard("refused")  # it was meant for the menu that has just closed by itself
            return
        for _ in range(2):  # the table may go on while a thumb is down: then the press is understood anew
            now = self._table.now
            meant = self._meaning(press)
            if isinstance(meant, tuple):
                self._open(meant, t)
                return
            if meant is None:
                self._refuse(None, t)
                return
            told = self._say(meant, press, now.seq)
            if told is None or told.error is None or told.error.reason != "stale":
                break
        self._answer(told, "undo" if press.button == UNDO or press.how is How.LONG else "press", t)

    def _meaning(self, press: Press) -> Said | tuple[Item, ...] | None:
        now, button = self._table.now, press.button
        if button in SEATS:
            return seat(now, SEATS.index(button) + 1, press.at)
        if button == MENU or (button == STOP and press.how is How.VERY_LONG and not self._has_menu_button):
            return menu(now, self._start) if self._menus else None
        if button == UNDO or press.how in (How.LONG, How.VERY_LONG):
            return long(now)
        meant = short(now, self._start, press.at)
        return None if isinstance(meant, tuple) and not self._menus else meant

    def _in_menu(self, press: Press, menu: Menu, t: float) -> None:
        if press.button == MENU or (not self._has_menu_button and press.button == STOP and press.how is How.SHORT):
            self._menu = menu.walked(t)
            self._heard("menu")
        elif press.button == STOP and menu.said is not None:
            self._menu = None
            self._answer(self._say(menu.said, press, menu.seq), "press", t)
        else:
            self._menu = None
            self._heard("menu")

    def _open(self, items: tuple[Item, ...], t: float) -> None:
        self._menu = Menu(items, self._table.now.seq, t)
        self._heard("menu")

    def _say(self, said: Said, press: Press, seen: int) -> Told | None:
        """What the table makes of it, in the time of the press; None where it was a stop taken back."""
        if said.get("do") == "undo" and self._table.unpress():
            return None
        if said.get("do") == "stop":
            by = said.get("by")
            return self._table.press(Stop(by=by if isinstance(by, str) else None), press.at)[-1]
        try:
            return self._table.say(said, seen=seen)[0]
        except IllegalEvent as fault:
            return Told(None, self._table.now, fault)

    def _answer(self, told: Told | None, key: str, t: float) -> None:
        if told is not None and told.error is not None:
            self._refuse(told.error, t)
        else:
            self._until = 0.0
            self._heard(key)

    def _refuse(self, error: IllegalEvent | None, t: float) -> None:
        self._heard("refused")
        if error is not None:
            self._until = t + REFUSED_S
            self._tell(Shown(refusal(error, self._words)))

    def _show(self, t: float) -> None:
        """What lies over the score now: the menu, else what letting go would do, else a refusal for a while."""
        if self._menu is not None:
            self._until = 0.0
            self._tell(self._menu.shown(self._words, one_button=not self._has_menu_button))
        elif self._gestures.holding(t) == STOP:
            key = "holding" if self._menus and not self._has_menu_button else "holding_only"
            self._until = 0.0
            self._tell(Shown(self._words.say("menu", key)))
        elif t >= self._until:
            self._tell(None)

    def _tell(self, shown: Shown | None) -> None:
        if shown != self._shown:
            self._shown = shown
            self._shows(shown)
