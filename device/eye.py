"""The thread that looks: frames from the camera through the watcher to the table, again and again."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from math import ceil

from device.cameras import Camera, CameraLost
from device.cutouts import Cutouts
from device.errors import DeviceError
from device.last_throws import LastThrows
from device.seeing import Seeing, Seen
from device.sight import Sight
from device.snapshot import Eye
from device.table import Table
from scorer.errors import IllegalEvent
from vision.frame import Frame
from vision.happenings import ThrowSeen, Unsure
from vision.recording import Mark
from vision.watcher import ThrowWatcher

LOG = logging.getLogger("pietjesoog")
MOST_RESTART_S = 30.0
BREATH_S = 5.0
HOPELESS_S = 600.0  # a camera that gave pictures and hangs for so long is a reason to start everything anew
_HANGS = frozenset({"silent", "frozen", "stuck"})
Watch = Callable[[Frame], ThrowWatcher | None]


class EyeThread:
    """Keeps looking while the service runs; a lost camera is told, waited for and opened again.

    `watch` makes the watcher from the first frame that shows a board, None as long as none does. `marks` are presses
    of a recording, done at their time. `progress` is when anything was last done, on the monotonic clock: a stalled
    loop stops moving it, and so does, once, a camera that no restart of its own brings back.
    """

    def __init__(
        self,
        camera: Camera,
        watch: Watch,
        table: Table,
        *,
        marks: Sequence[Mark] = (),
        restart_s: float = 2.0,
        once: bool = False,
        cutouts: Cutouts | None = None,
        last_throws: LastThrows | None = None,
        sight: Sight | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera, self._watch, self._table = camera, watch, table
        self._marks = list(marks)
        self._restart_s, self._once, self._clock = restart_s, once, clock
        self._cutouts, self._last_throws, self._sight = cutouts, last_throws, sight
        self._anew, self._nudged = threading.Event(), threading.Event()
        self._other: Camera | None = None
        self._seeing: Seeing | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)
        self._told = ""
        self._blind = False
        self.progress = self._seen_at = clock()
        self.frames = 0
        self.restarts = 0
        self.ended = threading.Event()

    def start(self) -> None:
        self._thread.start()

    def begin_anew(self) -> None:
        """The board was chosen or measured anew: with the next frame it is looked for again. From any thread."""
        self._anew.set()
        self._nudged.set()

    def look_through(self, camera: Camera) -> None:
        """Another camera from now on, which need not be there yet; the one before is closed. From any thread."""
        self._other = camera
        self._camera.close()
        self._nudged.set()

    def stop(self, wait_s: float = 1.0) -> None:
        self._stop.set()
        self._camera.close()
        self._nudged.set()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    def _run(self) -> None:
        pause = self._restart_s
        while not self._stop.is_set():
            self._nudged.clear()  # here: what is asked for while a loss is being told must end the pause too
            before = self.frames
            try:
                self._look()
                if self._changes_camera():
                    continue
                if self._once or self._stop.is_set():
                    break
                lost, key = "the camera ended", "silent"
            except CameraLost as fault:
                lost, key = str(fault), fault.key
            except DeviceError as fault:  # such as a board file of another camera
                lost, key = str(fault), ""
            except Exception as fault:  # whatever it was, the next frame may be well
                LOG.exception("the eye stumbled")
                lost, key = f"the eye stumbled ({type(fault).__name__}) and looks again", ""
            if lost != self._told:
                LOG.warning("%s", lost)
            self._told = lost
            self._table.look(Eye.LOST, key or lost)
            self._blind = True
            self._breathe(key)
            self.restarts += 1
            pause = self._restart_s if self.frames > before else min(pause * 2, MOST_RESTART_S)
            if self._once or self._stop.is_set():
                break
            self._pause(pause, key)
        self.ended.set()

    def _breathe(self, key: str) -> None:
        """Whoever waits as it should does not stand still; it does once there is no hope left."""
        if not (key in _HANGS and self.frames and self._clock() - self._seen_at > HOPELESS_S):
            self.progress = self._clock()

    def _pause(self, seconds: float, key: str) -> None:
        """Wait for a lost camera."""
        steps = max(1, ceil(seconds / BREATH_S))
        for _ in range(steps):
            self._breathe(key)
            if self._nudged.wait(seconds / steps):
                return

    def _changes_camera(self) -> bool:
        """Whether another camera was asked for; then it is the one that counts."""
        other, self._other = self._other, None
        if other is None or self._stop.is_set():
            return False
        self._camera, self._seeing = other, None
        return True

    def _look(self) -> None:
        frames = self._camera.frames()
        try:
            self._follow(frames)
        finally:
            if isinstance(frames, Generator):  # or a stumble would leave the camera open
                frames.close()

    def _follow(self, frames: Iterator[Frame]) -> None:
        for frame in frames:
            self.progress = self._seen_at = self._clock()
            self.frames += 1
            if self._stop.is_set():
                return
            if self._blind and self._seeing is not None:
                self._seeing.show_again()
            self._blind = False
            self._press(frame.t)
            if self._anew.is_set():
                self._anew.clear()
                self._seeing = None
            if self._seeing is None:
                self._begin(frame)
            if self._seeing is not None:
                seen = self._seeing.see(frame)
                self._keep(frame, seen)
                if self._last_throws is not None:
                    self._last_throws.see(frame, self._seeing.watcher.state, seen, self._table.now.throw)
                if self._sight is not None:
                    self._sight.see(frame, self._seeing.watcher)
        if not self._stop.is_set() and self._other is None:  # the recording has ended, nobody stopped it
            if self._seeing is not None:
                self._seeing.finish()
            self._press(float("inf"))

    def _begin(self, frame: Frame) -> None:
        if self._sight is not None:  # whoever calibrates wants to see why there is no board
            self._sight.see(frame, None)
        watcher = self._watch(frame)
        if watcher is None:
            self._table.look(Eye.LOST, "no_board")
            return
        self._seeing = Seeing(watcher, self._table)
        self._table.look(Eye.WAITING)

    def _keep(self, frame: Frame, seen: Sequence[Seen]) -> None:
        """Cut out what was thrown; behind a throw that waits for its answer its own pictures stay."""
        if self._cutouts is None:
            return
        for one in seen:
            now, refused = self._table.now, any(told.error is not None for told in one.told)
            waits = now.pending is not None and now.pending.lifted
            if isinstance(one.happening, ThrowSeen | Unsure) and not waits and not refused:
                self._cutouts.keep(now.throw, frame, one.happening.reading)
                self._table.refresh()

    def _press(self, until: float) -> None:
        while self._marks and self._marks[0].t <= until:
            mark = self._marks.pop(0)
            try:
                error = self._table.say(mark.event, at=mark.t)[0].error
            except IllegalEvent as fault:
                error = fault
            if error is not None:
                LOG.warning("the mark at %.2f s was refused: %s", mark.t, error)
