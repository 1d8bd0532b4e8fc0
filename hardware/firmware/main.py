"""Begins by itself when the Pico gets power. Stop and undo held together meanwhile: it leaves the board to you."""

import time

import machine
import micropython
import neopixel
import pins
from board import Board
from wire import Wire


class Chain:
    """The pixels on their pin, the seat lamps on theirs."""

    def __init__(self) -> None:
        self._pixels = neopixel.NeoPixel(machine.Pin(pins.PIXEL_DATA), pins.PIXELS, bpp=pins.PIXEL_COLOURS)
        self._seats = [machine.Pin(pin, machine.Pin.OUT, value=0) for pin in pins.SEAT_LIGHTS]

    def show(self, pixels: bytes) -> None:
        white = (0,) * (pins.PIXEL_COLOURS - 3)
        for n in range(pins.PIXELS):
            self._pixels[n] = tuple(pixels[3 * n : 3 * n + 3]) + white
        self._pixels.write()

    def seats(self, lit: int) -> None:
        for n, pin in enumerate(self._seats):
            pin.value(lit >> n & 1)


class Contacts:
    """All buttons as bits, the three of the table first; a pressed one pulls its pin to ground."""

    def __init__(self) -> None:
        numbers = [pin for _, pin in pins.BUTTONS] + list(pins.SEAT_BUTTONS)
        self._pins = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in numbers]

    def read(self) -> int:
        bits = 0
        for n, pin in enumerate(self._pins):
            if not pin.value():
                bits |= 1 << n
        return bits


def run() -> None:
    contacts = Contacts()
    time.sleep_ms(50)  # the pull-ups need a moment
    if contacts.read() & 3 == 3:
        print("the light board is yours: stop and undo are held")
        return
    micropython.kbd_intr(-1)  # garbage on the cable must not stop the board
    wire = Wire()
    board = Board(wire, Chain(), contacts, pins, time.ticks_ms, time.ticks_diff)
    watchdog = machine.WDT(timeout=8000)
    while not wire.ended:
        board.turn()
        watchdog.feed()
        time.sleep_ms(1)


if __name__ == "__main__":
    try:
        run()
    except Exception:  # whatever it was, a fresh start shows the strokes again within two seconds
        time.sleep_ms(1000)
        machine.reset()
