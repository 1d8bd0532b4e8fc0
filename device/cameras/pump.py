"""Takes pictures from a driver that may hang, fail, or give the last picture for ever, and notices all three."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from device.cameras import CameraLost
from device.errors import DeviceError
from vision.frame import Frame, Picture

SILENCE_S = 3.0  # without a picture for so long the camera counts as lost
FROZEN_S = 4.0  # the same picture to the last bit for so long: no sensor is that quiet
POLL_S = 0.1
MOST_FAILED_GRABS = 30
CHECK_EVERY = 16  # rows and columns of a picture that are compared


class Driver(Protocol):
    """One opened camera; used by one thread only."""

    def grab(self) -> Picture | None:
        """The next picture, None where this try gave none; may block, may raise `CameraLost`."""

    def close(self) -> None: ...


class Pump:
    """Frames of one driver, the newest only: whoever is slow loses frames, never piles them up.

    The driver lives in a thread of its own, so that a call that never returns stops nothing but itself.
    """

    def __init__(
        self,
        name: str,
        open_driver: Callable[[], Driver],
        *,
        clock: Callable[[], float] = time.monotonic,
        silence_s: float = SILENCE_S,
        frozen_s: float = FROZEN_S,
    ) -> None:
        self.name = name
        self._open = open_driver
        self._clock = clock
        self._silence_s, self._frozen_s = silence_s, frozen_s
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def frames(self) -> Iterator[Frame]:
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(POLL_S)
            if self._thread.is_alive():  # a second driver could not have the camera, and weeks of them the memory
                raise CameraLost(f"{self.name} hangs; unplug it and plug it in again", "silent")
        newest: queue.Queue[tuple[float, Picture] | CameraLost] = queue.Queue(maxsize=1)
        ended = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(newest, ended), name=f"camera {self.name}", daemon=True)
        self._thread.start()
        try:
            yield from self._watched(newest)
        finally:
            ended.set()

    def close(self) -> None:
        self._closed.set()

    def _watched(self, newest: queue.Queue[tuple[float, Picture] | CameraLost]) -> Iterator[Frame]:
        index, print_, changed = 0, None, self._clock()
        heard = self._clock()
        while not self._closed.is_set():
            try:
                got = newest.get(timeout=POLL_S)
            except queue.Empty:
                if self._clock() - heard > self._silence_s:
                    raise CameraLost(f"{self.name} gives no picture; is it plugged in?", "silent") from None
                continue
            if isinstance(got, CameraLost):
                raise got
            t, picture = got
            heard = self._clock()
            seen = zlib.crc32(picture[::CHECK_EVERY, ::CHECK_EVERY].tobytes())
            if seen != print_:
                print_, changed = seen, t
            elif t - changed > self._frozen_s:
                raise CameraLost(f"{self.name} keeps giving the same picture; unplug it and plug it in again", "frozen")
            yield Frame(picture, t, self.name, index)
            index += 1

    def _run(self, newest: queue.Queue[tuple[float, Picture] | CameraLost], ended: threading.Event) -> None:
        driver: Driver | None = None
        failed = 0
        try:
            driver = self._open()
            while not (ended.is_set() or self._closed.is_set()):
                picture = driver.grab()
                if picture is None:
                    failed += 1
                    if failed >= MOST_FAILED_GRABS:
                        raise CameraLost(f"{self.name} stopped giving pictures; is it plugged in?", "silent")
                    ended.wait(POLL_S / 10)
                    continue
                failed = 0
                _replace(newest, (self._clock(), picture))
        except DeviceError as fault:
            _replace(newest, fault if isinstance(fault, CameraLost) else CameraLost(str(fault)))
        except Exception as fault:  # what a library throws at us ends this try, not the eye
            _replace(newest, CameraLost(f"{self.name} failed ({type(fault).__name__}: {fault})", "silent"))
        finally:
            if driver is not None:
                with contextlib.suppress(Exception):
                    driver.close()


def _replace(newest: queue.Queue[tuple[float, Picture] | CameraLost], got: tuple[float, Picture] | CameraLost) -> None:
    while True:
        try:
            newest.put_nowait(got)
            return
        except queue.Full:
            with contextlib.suppress(queue.Empty):
                newest.get_nowait()
