"""The process in which a camera is opened: it may hang, crash or be killed, and nothing else falls with it.

``python -m device.cameras.child SPEC``: SPEC is the JSON of `Orders`. It says one line of JSON for everything that
happens; what stands in shared memory is told by its number. It ends when its standard input does.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from device.cameras import CameraLost
from device.cameras.driver import Driver, Shot
from device.cameras.exposure import SETTLE_S, Exposure, Step
from device.cameras.slots import Slots
from device.errors import DeviceError

MOST_FAILED_GRABS = 30
FAILED_WAIT_S = 0.01
GOODBYE_S = 3.0  # a driver that does not close in this time is left to the kernel
TELL_EVERY_S = 1.0
_EVERY = 8  # rows and columns of a picture whose brightness is looked at
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Orders:
    """What the child is to open, and where it puts pictures and words: two inherited file descriptors."""

    driver: str  # module:Class
    options: Mapping[str, Any]
    memory: int
    words: int
    parent: int
    settle_s: float = SETTLE_S

    def to_json(self) -> str:
        return json.dumps(asdict(self))


class Words:
    """Lines of JSON to the parent. One that does not listen loses lines; one that is gone ends us."""

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd = fd

    def say(self, **words: object) -> None:
        try:
            os.write(self._fd, json.dumps(words).encode() + b"\n")
        except BlockingIOError:
            return
        except BrokenPipeError:
            os._exit(0)

    def say_last(self, **words: object) -> None:
        """Waits until it is heard."""
        os.set_blocking(self._fd, True)
        self.say(**words)


def main(orders: Orders) -> None:
    """Open, grab and tell until nobody listens any more or the camera is lost."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != orders.parent:
        return
    ended = threading.Event()
    threading.Thread(target=_listen, args=(ended,), daemon=True).start()
    words, driver = Words(orders.words), None
    try:
        driver = _open(orders)
        words.say(opened=True, about=dict(driver.about))
        _play(driver, Slots(orders.memory), words, Exposure(orders.settle_s), ended)
    except CameraLost as fault:
        words.say_last(lost=str(fault), key=fault.key)
    except DeviceError as fault:
        words.say_last(lost=str(fault), key="")
    except Exception as fault:  # what a library throws at us ends this camera, told in a sentence
        words.say_last(lost=f"the camera failed ({type(fault).__name__}: {fault})", key="silent")
    finally:
        threading.Timer(GOODBYE_S, os._exit, (1,)).start()
        if driver is not None:
            with contextlib.suppress(Exception):
                driver.close()
        os._exit(0)  # libraries that hang at the end of Python have no say


def _open(orders: Orders) -> Driver:
    module, _, name = orders.driver.partition(":")
    driver: Driver = getattr(importlib.import_module(module), name)(**orders.options)
    return driver


def _play(driver: Driver, slots: Slots, words: Words, exposure: Exposure, ended: threading.Event) -> None:
    failed, told_at = 0, -TELL_EVERY_S
    if not driver.about.get("adjusts"):
        exposure.cannot_hold()
    while not ended.is_set():
        shot = driver.grab()
        if shot is None:
            failed += 1
            if failed >= MOST_FAILED_GRABS:
                raise CameraLost("the camera stopped giving pictures; is it plugged in?", "silent")
            ended.wait(FAILED_WAIT_S)
            continue
        failed = 0
        step = exposure.see(shot.t, _level(shot))
        if step is Step.LOOSEN:
            driver.loosen()
        elif step is Step.HOLD and not driver.hold():
            exposure.cannot_hold()
        if not exposure.ready:
            words.say(settling=True)
            continue
        if shot.about and time.monotonic() - told_at >= TELL_EVERY_S:
            told_at = time.monotonic()
            words.say(about={**shot.about, "held": exposure.held})
        words.say(picture=slots.write(shot))


def _level(shot: Shot) -> float:
    picture = shot.picture if shot.small is None else shot.small
    return float(np.mean(picture[::_EVERY, ::_EVERY]))


def _listen(ended: threading.Event) -> None:
    """The parent says nothing; when its end of the pipe closes, it wants us to end, or is no more."""
    with contextlib.suppress(OSError):
        while os.read(0, 64):
            continue
    ended.set()
    time.sleep(GOODBYE_S)
    os._exit(1)


if __name__ == "__main__":
    main(Orders(**json.loads(sys.argv[1])))
