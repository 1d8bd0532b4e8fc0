"""The light board: shows what the host says, tells what is pressed, and knows when nobody speaks to it."""

import os

import frames
import glow
from keys import Keys

PROTOCOL = 1
VERSION = "1.0.0"
AGAIN_MS = 250  # a button event that the host did not take is sent again
TRIES = 20  # then it is too old to mean anything


class Board:
    """One turn at a time, on whatever is given: `wire` (read, write), `chain` (show, seats), `contacts` (read).

    `ticks` and `diff` are ``time.ticks_ms`` and ``time.ticks_diff``.
    """

    def __init__(
        self, wire: object, chain: object, contacts: object, pins: object, ticks: object, diff: object
    ) -> None:
        self._wire, self._chain, self._contacts, self._pins = wire, chain, contacts, pins
        self._ticks, self._diff = ticks, diff
        self._keys = Keys(len(pins.BUTTONS) + len(pins.SEAT_BUTTONS), diff)
        self._lines = frames.Lines()
        self._boot = os.urandom(2)
        self._seq = 0
        self._waiting = []  # button events not taken yet: [seq, key, kind, happened, sent, tries]
        self._heard = None
        self._shown = None
        self._hello()

    def turn(self) -> None:
        """Read, answer, look at the buttons, show."""
        now = self._ticks()
        for seq, word, body in self._lines.feed(self._wire.read()):
            self._heard = now
            self._do(seq, word, body)
        for key, kind, happened in self._keys.look(self._contacts.read(), now):
            if not self._is_alone(now):
                self._seq += 1
                self._waiting.append([self._seq, key, kind, happened, None, 0])
        self._tell_keys(now)
        if self._is_alone(now):
            self._waiting = []
            self._show(glow.alone(now, self._pins.PIXELS))
            self._chain.seats(0)

    def _is_alone(self, now: int) -> bool:
        if self._heard is not None and self._diff(now, self._heard) > self._pins.LOST_MS:
            self._heard = None  # the clock wraps; what is long ago must not come back
        return self._heard is None

    def _do(self, seq: int, word: str, body: bytes) -> None:
        if word == "HELLO":
            self._hello()
        elif word == "SHOW" and len(body) >= 2:
            pins = self._pins
            pixels = body[2 : 2 + 3 * pins.PIXELS]
            pixels = pixels + bytes(3 * pins.PIXELS - len(pixels))
            told = glow.capped(pixels, body[0], pins.MOST_BRIGHTNESS, pins.MOST_MA, pins.PIXELS)
            self._show(told)
            self._chain.seats(body[1])
            drawn = glow.milliamps(told, pins.PIXELS)
            self._say("SHOWN", _two(seq) + _two(drawn) + _two(min(self._lines.bad, 0xFFFF)))
        elif word == "TAKEN" and len(body) == 2:
            taken = body[0] << 8 | body[1]
            self._waiting = [event for event in self._waiting if event[0] & 0xFFFF != taken]

    def _tell_keys(self, now: int) -> None:
        for event in self._waiting:
            seq, key, kind, happened, sent, tries = event
            if sent is None or self._diff(now, sent) >= AGAIN_MS:
                event[4], event[5] = now, tries + 1
                age = min(max(self._diff(now, happened), 0), 0xFFFF)
                self._wire.write(frames.line(seq, "KEY", bytes((key, kind)) + _two(age)))
        self._waiting = [event for event in self._waiting if event[5] < TRIES]

    def _hello(self) -> None:
        pins = self._pins
        keys = bytes((len(pins.BUTTONS), len(pins.SEAT_BUTTONS)))
        self._say("HELLO", bytes((PROTOCOL,)) + _two(pins.PIXELS) + keys + self._boot + VERSION.encode())

    def _say(self, word: str, body: bytes) -> None:
        self._seq += 1
        self._wire.write(frames.line(self._seq, word, body))

    def _show(self, pixels: bytes) -> None:
        if pixels != self._shown:
            self._shown = pixels
            self._chain.show(pixels)


def _two(value: int) -> bytes:
    return bytes((value >> 8 & 0xFF, value & 0xFF))
