"""A camera opened in a process of its own: whatever happens to it there is noticed here within seconds."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from device.cameras import CameraLost
from device.cameras.child import Orders
from device.cameras.driver import Shot
from device.cameras.exposure import SETTLE_S
from device.cameras.slots import Slots
from vision.frame import Frame, Picture

POLL_S = 0.1
CHECK_EVERY = 16  # rows and columns of a picture that are compared
_DARK = 8  # of 255: a covered lens gives pictures that are alike to the last bit, and is told in its own words
QUIET = {
    "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "2",  # seconds; OpenCV waits ten by default
    "OPENCV_LOG_LEVEL": "SILENT",
    "LIBCAMERA_LOG_LEVELS": "*:ERROR",
}


@dataclass(frozen=True)
class Patience:
    """How long is waited, in seconds: for the first picture, for the next one, and for a camera to come to an end.

    `stale_s`: how old a picture may be; `frozen_s`: the same picture for so long, to the last bit: no sensor is that
    quiet. The first picture must come before the service's watchdog grows impatient.
    """

    first_s: float = 15.0
    silence_s: float = 3.0
    stale_s: float = 1.0
    frozen_s: float = 4.0
    goodbye_s: float = 0.6
    burial_s: float = 1.0


class ApartCamera:
    """Frames of the driver ``module:Class``, opened with `options` in a process of its own; the newest only.

    Whoever is slow loses frames, never piles them up. A process that hangs, dies, says nothing or repeats itself is
    ended and is a `CameraLost`; `frames` asked again starts the next one. `about` is what the camera told of itself.
    """

    def __init__(
        self,
        name: str,
        driver: str,
        options: Mapping[str, Any],
        *,
        patience: Patience | None = None,
        settle_s: float = SETTLE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.about: dict[str, Any] = {}
        self.refused = 0  # frames that were too old
        self._driver, self._options, self._settle_s = driver, dict(options), settle_s
        self._patience = patience or Patience()
        self._clock = clock
        self._closed = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def frames(self) -> Iterator[Frame]:
        if self._process is not None and not self._is_over(self._patience.burial_s):
            raise CameraLost(f"{self.name} hangs; take its power away and give it again", "stuck")
        if self._closed.is_set():
            return
        if not hasattr(os, "memfd_create"):
            raise CameraLost("cameras are read on Linux only; a recording plays anywhere", "no_library")
        memory = os.memfd_create("pietjesoog-camera")
        words, told = os.pipe()
        slots = Slots(memory)
        try:
            try:
                self._process = self._start(memory, told)
            except OSError as fault:  # no memory, no process left to have
                raise CameraLost(f"{self.name} cannot be started ({fault.strerror or fault})", "silent") from fault
            os.close(told)
            told = -1
            yield from self._watched(words, slots)
        finally:
            self._end()
            slots.close()
            for fd in (memory, words, told):
                if fd >= 0:
                    os.close(fd)

    def close(self) -> None:
        self._closed.set()

    @property
    def pid(self) -> int | None:
        """The process that has the camera now."""
        return None if self._process is None or self._process.poll() is not None else self._process.pid

    def _watched(self, words: int, slots: Slots) -> Iterator[Frame]:
        lines, watch = _Lines(words), _Repeats(self._patience.frozen_s)
        index, last_t = 0, float("-inf")
        heard, limit = self._clock(), self._patience.first_s
        while not self._closed.is_set():
            told = lines.wait(POLL_S)
            if told is None:
                raise CameraLost(f"{self.name} stopped ({self._how_it_ended()}); it is started again", "silent")
            shot = self._take(told, slots)
            if shot is None:
                if index and any("settling" in word for word in told):
                    heard = self._clock()
                if self._clock() - heard > limit:
                    raise CameraLost(f"{self.name} gives no picture; is it plugged in?", "silent")
                continue
            if shot.t <= last_t or self._clock() - shot.t > self._patience.stale_s:
                self.refused += 1
                if self._clock() - heard > limit:
                    raise CameraLost(f"{self.name} gives old pictures only; it is started again", "silent")
                continue
            heard, limit, last_t = self._clock(), self._patience.silence_s, shot.t
            if watch.is_frozen(shot.picture, shot.t):
                raise CameraLost(f"{self.name} keeps giving the same picture; unplug it and plug it in again", "frozen")
            yield Frame(shot.picture, shot.t, self.name, index, shot.small)
            index += 1

    def _take(self, told: list[dict[str, Any]], slots: Slots) -> Shot | None:
        """The newest picture of what was told; raises what the other process gave up with."""
        newest = 0
        for word in told:
            if "lost" in word:
                raise CameraLost(str(word["lost"]), str(word.get("key", "")))
            if "about" in word:
                self.about |= word["about"]
            newest = word.get("picture", newest)
        return slots.read(newest) if newest else None

    def _start(self, memory: int, words: int) -> subprocess.Popen[bytes]:
        self.about = {}
        orders = Orders(self._driver, self._options, memory, words, os.getpid(), self._settle_s)
        return subprocess.Popen(
            [sys.executable, "-m", "device.cameras.child", orders.to_json()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,  # our own standard output carries JSON lines
            pass_fds=(memory, words),
            env={**QUIET, **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    def _end(self) -> None:
        """Ask it to close the camera, then make it end; returns in any case."""
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        if not self._is_over(self._patience.goodbye_s):
            process.kill()
            self._is_over(POLL_S)

    def _is_over(self, wait_s: float) -> bool:
        """Whether the process came to its end; a camera that hangs in the kernel cannot even be killed."""
        assert self._process is not None
        try:
            self._process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _how_it_ended(self) -> str:
        if not self._is_over(POLL_S):
            return "it says nothing more"
        code = self._process.returncode if self._process is not None else 0
        return f"signal {-code}" if code < 0 else f"status {code}"


class _Lines:
    """JSON lines from a pipe."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rest = b""
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)

    def wait(self, seconds: float) -> list[dict[str, Any]] | None:
        """What was said since; empty after `seconds` of silence, None when nobody is left to say anything."""
        if not self._poll.poll(seconds * 1000):
            return []
        got = os.read(self._fd, 1 << 16)
        if not got:
            return None
        *lines, self._rest = (self._rest + got).split(b"\n")
        return [json.loads(line) for line in lines]


class _Repeats:
    """Whether a picture has been the same to the last bit for too long."""

    def __init__(self, frozen_s: float) -> None:
        self._frozen_s = frozen_s
        self._seen: int | None = None
        self._changed = 0.0

    def is_frozen(self, picture: Picture, t: float) -> bool:
        part = np.ascontiguousarray(picture[::CHECK_EVERY, ::CHECK_EVERY])
        seen = zlib.crc32(part.tobytes())
        if seen != self._seen or part.max() <= _DARK:
            self._seen, self._changed = seen, t
        return t - self._changed > self._frozen_s
