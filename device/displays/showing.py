"""The thread that keeps a small screen up to date: the latest moment only, dimmed when nothing is new."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from PIL import Image

from device.buttons.menu import Shown
from device.displays import Panel
from device.displays.ink import Canvas, Format
from device.displays.screen import Around, paint, sleeping
from device.kept import Kept
from device.snapshot import Snapshot
from device.table import Table
from device.turning import GoesOn, Turning
from device.wording import Wording

LOG = logging.getLogger("pietjesoog")
NEWS_S = 6.0  # how long what just happened is told in words
DIM = 0.12
SHIFT_S = 60.0  # so often a still picture moves by a pixel, so that no pixel burns in
SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1))
SLEEP_STEP_S = 8.0
TICK_S = 0.5
HANGS_S = 8.0


class Display:
    """Shows the table on a screen that may be missing, slow or unplugged; nobody ever waits for it.

    `dim_s`: seconds without anything new until it dims; `sleep_s`: until only a wandering eye is left. `phone` gives
    the address for phones, which may change.
    """

    def __init__(
        self,
        table: Table,
        words: Wording,
        open_panel: Callable[[], Panel],
        *,
        phone: Callable[[], str] = lambda: "",
        buttons: bool = False,
        dim_s: float = 120.0,
        sleep_s: float = 1800.0,
        retry_s: float = 2.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._words, self._phone, self._clock = words, phone, clock
        self._dim_s, self._sleep_s = dim_s, sleep_s
        self._panel: Kept[Panel] = Kept("the screen", open_panel, clock=clock, retry_s=retry_s)
        self._now = table.now
        self._around = Around(buttons=buttons)
        self._happened = self._touched = clock()
        self._drawn: object = None
        self._on: Panel | None = None
        self._level = -1.0
        self._entered: float | None = None  # since when the thread is busy with the screen
        self._wake = threading.Event()
        self.turning = Turning("display", self._run, clock=clock)
        table.listen(self._take)

    def start(self) -> None:
        self.turning.start()

    def lay_over(self, shown: Shown | None) -> None:
        """What a button shows over the score; None: nothing more. From any thread, returns at once."""
        self._around = replace(self._around, shown=shown)
        self._touched = self._clock()
        self._wake.set()

    def close(self) -> None:
        """Any number of times; the screen goes dark."""
        self.turning.ended.set()
        self._wake.set()
        if self.turning.alive:
            self.turning.end(1.0)
        else:
            self._panel.close()

    def health(self) -> dict[str, object]:
        """What ``/api/v1/health`` tells."""
        fault, trouble, entered = self._panel.fault, self._panel.trouble, self._entered
        if entered is not None and self._clock() - entered > HANGS_S:
            fault, trouble = "the screen hangs and takes no picture; unplug it and plug it in again", "display_failed"
        return {"ok": fault is None, "message": fault, "trouble": trouble}

    # -- inside

    def _take(self, now: Snapshot) -> None:
        """From the thread that made it: only kept, drawn elsewhere."""
        t = self._clock()
        if now.seq != self._now.seq:
            self._happened = t
        self._touched = t
        self._now = now
        self._wake.set()

    def _run(self, goes_on: GoesOn) -> None:
        while goes_on():
            self._entered = self._clock()
            try:
                self.turn(self._entered)
            except Exception:  # one picture is lost, the next may be well
                LOG.exception("the picture for the screen stumbled")
                self.turning.ended.wait(TICK_S)
            self._entered = None
            self._wake.wait(TICK_S)
            self._wake.clear()
        if self.turning.ended.is_set():
            self._panel.close()

    def turn(self, t: float) -> None:
        """Draw what is due at `t`, where that is another picture than the last."""
        panel = self._panel.get()
        if panel is None:
            return
        if panel is not self._on:  # opened anew: it shows nothing yet
            self._on, self._drawn, self._level = panel, None, -1.0
        now, idle_s = self._now, t - self._touched
        asleep = idle_s >= self._sleep_s
        shift = SHIFTS[int(max(0.0, idle_s) // SHIFT_S) % len(SHIFTS)]
        around = replace(self._around, fresh=t - self._happened < NEWS_S, phone=self._phone())
        if not self._lit(DIM if idle_s >= self._dim_s else 1.0):
            return
        key = ("asleep", int(idle_s // SLEEP_STEP_S)) if asleep else (now, around, shift)
        if key == self._drawn:
            return
        form = panel.form
        step = int(idle_s // SLEEP_STEP_S)
        picture = sleeping(form, step) if asleep else shifted(paint(now, self._words, form, around), form, *shift)
        if self._panel.use(lambda panel: panel.show(picture)):
            self._drawn = key

    def _lit(self, level: float) -> bool:
        if level != self._level and not self._panel.use(lambda panel: panel.bright(level)):
            return False
        self._level = level
        return True


def shifted(picture: Image.Image, form: Format, x: int, y: int) -> Image.Image:
    """The picture moved by a pixel or so; what leaves it on one side is lost."""
    if not x and not y:
        return picture
    moved = Canvas(form).picture
    moved.paste(picture, (x, y))
    return moved
