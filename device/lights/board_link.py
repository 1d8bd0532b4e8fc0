"""The light board on its USB cable: found, spoken to, lost and found again, in a thread of its own.

The latest frame goes out, again each second; whatever the cable does, nobody who calls here waits for it. What is
pressed on the board's buttons comes up the same line: give a function to `on_button`. It is called from this thread
with a `Press` and must return at once::

    link = BoardLink()
    link.on_button(lambda press: print(press.button, press.kind))
    link.start()
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from device.kept import PartLost
from device.lights.board_port import AUTO, Port, Ports, open_port
from device.lights.frames import PROTOCOL, Hello, Line, Lines, Shown, frame, line

LOG = logging.getLogger("pietjesoog")
BUTTONS = ("stop", "undo", "menu")
KINDS = ("release", "press", "long")
HEARTBEAT_S = 1.0
PATIENCE_S = 3.0  # a board that says nothing for so long is stuck, or is none
RETRY_S = 1.0
NOISE, NOISE_S = 12, 10.0  # so many lines in so long that cannot be read are no accident
UNSEEN_S = 0.25  # a frame not answered by then is overtaken by the next


@dataclass(frozen=True)
class Press:
    """One thing done to one button: ``press``, ``long`` (still held after 0.8 s) or ``release``.

    `button`: stop, undo, menu, or seat 1 to seat 8. `at`: when its contact moved, seconds of the monotonic clock.
    """

    button: str
    kind: str
    at: float


class BoardLink:
    """Holds the newest frame and keeps a board showing it; `trouble` says what keeps it from doing so."""

    def __init__(
        self,
        port: str = AUTO,
        *,
        dev: Path = Path("/dev"),
        clock: Callable[[], float] = time.monotonic,
        open_port: Callable[[Path], Port] = open_port,
        heartbeat_s: float = HEARTBEAT_S,
        patience_s: float = PATIENCE_S,
        retry_s: float = RETRY_S,
    ) -> None:
        self._ports = Ports(port, dev, settle_s=retry_s)
        self._clock, self._open_port = clock, open_port
        self._heartbeat_s, self._patience_s, self._retry_s = heartbeat_s, patience_s, retry_s
        self._listeners: list[Callable[[Press], None]] = []
        self._pixels: tuple[int, bytes] = (0, b"")
        self._seats = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._seq = 0
        self._keys: deque[int] = deque(maxlen=64)
        self._boot: int | None = None
        self._heard = 0.0
        self._sent: bytes | None = None
        self._taken: bytes | None = None  # the frame that the board showed last
        self._answered = 0
        self.trouble: PartLost | None = None
        self.hello: Hello | None = None  # of the board that is there now
        self.where: Path | None = None
        self.shown: Shown | None = None
        self.frames = 0  # sent and answered
        self.reopened = 0

    def on_button(self, listener: Callable[[Press], None]) -> None:
        self._listeners.append(listener)

    def start(self) -> None:
        """Begin to look for the board; more than once is once, after `close` it begins anew."""
        if self._thread is None or not self._thread.is_alive():
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="light board", daemon=True)
            self._thread.start()

    def show(self, brightness: int, pixels: bytes) -> None:
        """What all pixels shall be from now on, red, green, blue of each; returns at once."""
        self._pixels = (brightness, pixels)

    def light_seats(self, lit: int) -> None:
        """Which lamps of the seat buttons are lit, a bit each, the first seat lowest; returns at once."""
        self._seats = lit

    @property
    def is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def is_shown(self) -> bool:
        """Whether the board has answered for the newest frame."""
        return self._taken == self._newest

    @property
    def _newest(self) -> bytes:
        return frame(self._pixels[0], self._seats, self._pixels[1])

    def close(self, wait_s: float = 0.5) -> None:
        """All dark, port given back; a board that does not take it falls dark to its lost pattern by itself."""
        self._pixels, self._seats = (0, b""), 0
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(wait_s)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._serve(self._ports.next(self._clock()))
            except PartLost as gone:
                self._tell(gone)
            except Exception as fault:  # whatever a driver of a port throws, the next try may be luckier
                LOG.debug("the light board stumbled", exc_info=fault)
                self._tell(PartLost(f"the light board failed: {fault or type(fault).__name__}", "lights_failed"))
            self.hello = self.where = self._taken = None
            self._stop.wait(self._retry_s)

    def _serve(self, path: Path) -> None:
        """Speak to the board at `path` until it is lost (raises `PartLost`) or the end."""
        port = self._open_port(path)
        self.reopened += 1
        try:
            lines = Lines()
            hello = self._greet(port, lines, path)
            self._ports.found(path)
            self.hello, self.where = hello, path
            if self.trouble is not None:
                LOG.info("the light board at %s has %d pixels, firmware %s", path, hello.pixels, hello.version)
            self.trouble = None
            self._keep_showing(port, lines, path)
        finally:
            with contextlib.suppress(Exception):
                port.reset_output_buffer()  # else closing waits for what a stuck board never takes
            with contextlib.suppress(Exception):
                port.close()

    def _greet(self, port: Port, lines: Lines, path: Path) -> Hello:
        began = self._clock()
        asked = began - self._heartbeat_s
        while self._clock() - began < self._patience_s and not self._stop.is_set():
            if self._clock() - asked >= self._heartbeat_s / 2:
                asked = self._clock()
                self._write(port, path, "HELLO")
            for got in self._read(port, lines, path):
                hello = Hello.of(got.body) if got.word == "HELLO" else None
                if hello is not None and hello.protocol != PROTOCOL:
                    raise PartLost(
                        f"the light board at {path} speaks protocol {hello.protocol}, this program {PROTOCOL}: "
                        "copy the firmware onto it again",
                        "lights_old_firmware",
                    )
                if hello is not None:
                    self._met(hello)
                    return hello
        raise PartLost(f"what is plugged in at {path} does not answer as a light board", "lights_stuck")

    def _met(self, hello: Hello) -> None:
        """A board that has started anew counts its button events anew."""
        if hello.boot != self._boot:
            self._boot = hello.boot
            self._keys.clear()

    def _keep_showing(self, port: Port, lines: Lines, path: Path) -> None:
        self._heard = self._clock()
        self._sent = self._taken = None
        sent_at = self._heard - self._heartbeat_s
        self._answered = self._seq
        noise = _Noise()
        while True:
            now, ending, wanted = self._clock(), self._stop.is_set(), self._newest
            free = self._answered == self._seq or now - sent_at >= UNSEEN_S
            if (wanted != self._sent and free) or now - sent_at >= self._heartbeat_s:
                self._sent, sent_at = wanted, now
                self._write(port, path, "SHOW", wanted)
            if ending and self._sent == wanted and (self._answered == self._seq or now - sent_at >= UNSEEN_S):
                return
            for got in self._read(port, lines, path):
                self._heard = self._clock()
                self._take(got, port, path)
            self._tell_of_noise(noise.is_loud(lines.bad, self._clock()), path)
            if self._clock() - self._heard > self._patience_s:
                raise PartLost(f"the light board at {path} no longer answers; it is tried again", "lights_stuck")

    def _tell_of_noise(self, is_loud: bool, path: Path) -> None:
        """The lamps shine all the same: what was lost is sent again."""
        if is_loud:
            self._tell(PartLost(f"much of what comes from the light board at {path} is garbled", "lights_garbled"))
        elif self.trouble is not None and self.trouble.key == "lights_garbled":
            self.trouble = None

    def _take(self, got: Line, port: Port, path: Path) -> None:
        if got.word == "SHOWN" and (shown := Shown.of(got.body)) is not None:
            if shown.seq == self._seq:
                self._answered, self._taken = shown.seq, self._sent
                self.frames += 1
            self.shown = shown
        elif got.word == "HELLO" and (hello := Hello.of(got.body)) is not None:
            self._met(hello)
        elif got.word == "KEY" and len(got.body) == 4:
            self._write(port, path, "TAKEN", got.seq.to_bytes(2, "big"), own=False)
            if got.seq not in self._keys:
                self._keys.append(got.seq)
                self._pressed(got.body)

    def _pressed(self, body: bytes) -> None:
        key, kind, age = body[0], body[1], int.from_bytes(body[2:], "big") / 1000.0
        if kind >= len(KINDS):
            return
        button = BUTTONS[key] if key < len(BUTTONS) else f"seat {key - len(BUTTONS) + 1}"
        press = Press(button, KINDS[kind], self._clock() - age)
        for listener in self._listeners:
            try:
                listener(press)
            except Exception:  # the lights go on
                LOG.exception("a button of the light board was pressed, and that went wrong")

    def _write(self, port: Port, path: Path, word: str, body: bytes = b"", *, own: bool = True) -> None:
        if own:
            self._seq = (self._seq + 1) & 0xFFFF
        with _told(path):
            port.write(line(self._seq if own else 0, word, body))

    def _read(self, port: Port, lines: Lines, path: Path) -> list[Line]:
        """What is there, after a moment's wait for the first byte."""
        with _told(path):
            return lines.feed(port.read(port.in_waiting or 1))

    def _tell(self, gone: PartLost) -> None:
        if self.trouble is None or str(self.trouble) != str(gone):
            LOG.warning("%s", gone)
        self.trouble = gone


class _Noise:
    """Whether lately many lines were none."""

    def __init__(self) -> None:
        self._bad = 0
        self._at: deque[float] = deque(maxlen=NOISE)

    def is_loud(self, bad: int, now: float) -> bool:
        self._at.extend([now] * min(NOISE, bad - self._bad))
        self._bad = bad
        return len(self._at) == NOISE and now - self._at[0] <= NOISE_S


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Errors of the port in the words of this module; raises `PartLost`."""
    try:
        yield
    except PartLost:
        raise
    except Exception as fault:
        if type(fault).__name__ == "SerialTimeoutException":
            raise PartLost(
                f"the light board at {path} takes nothing any more; it is tried again", "lights_stuck"
            ) from fault
        raise PartLost(f"the light board was unplugged from {path}", "lights_unplugged") from fault
