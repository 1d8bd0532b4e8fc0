"""Runs the real firmware through all that a cable can do, with figures: ``python tests/hardware/measure_firmware.py``.

The rates are those of MicroPython on this machine, not of a Pico; what they show is that nothing is lost. Ends with 1
if anything went wrong.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from desk_board import MISSING, DeskBoard, micropython, opened

from device.lights.board_link import BoardLink, Press
from device.lights.frames import Lines, Shown, frame, line

FRAMES = 1000
NAME = "usb-MicroPython_Board_in_FS_mode_e6605838-if00"


def measured(folder: Path) -> Iterator[tuple[str, bool, str]]:
    """What was tried, whether it went well, and the figure."""
    board = DeskBoard(folder / "desk", settings="\nLOST_MS = 1000\n")
    yield one_after_the_other(board)
    link = BoardLink(dev=board.dev, retry_s=0.2)
    pressed: list[Press] = []
    link.on_button(pressed.append)
    board.plug(by_id=NAME)
    link.start()
    yield timed("found", lambda: link.hello is not None)
    yield by_the_link(link)
    yield garbage(board, link)
    board.press(2)
    yield timed("a button pressed", lambda: len(pressed) == 1)
    board.press()
    board.unplug()
    yield timed("unplugged, and told", lambda: link.trouble is not None)
    yield timed("the board knows that its host is lost", lambda: sum(map(bool, board.pixels)) == 3)
    board.plug("ttyACM5")
    yield timed("plugged in as ttyACM5, and shown again", lambda: link.is_shown and sum(map(bool, board.pixels)) > 3)
    board.hold(True)
    yield timed("the board hangs, and it is told", lambda: link.trouble is not None)
    board.hold(False)
    yield timed("it goes on, and shows again", lambda: link.trouble is None and link.is_shown)
    link.close()
    board.close()


def one_after_the_other(board: DeskBoard) -> tuple[str, bool, str]:
    """Whole frames on the bare line, each answered before the next: how fast the firmware is."""
    lines, answered = Lines(), 0
    with opened(board.plug()) as cable:
        begun = time.monotonic()
        for n in range(FRAMES):
            cable.write(line(n, "SHOW", frame(100, 0, bytes((n % 256, n // 256, 9)) * 96)))
            got = None
            while got is None and time.monotonic() - begun < 120:
                shown = [Shown.of(one.body) for one in lines.feed(cable.read(256)) if one.word == "SHOWN"]
                got = next((one for one in shown if one is not None and one.seq == n), None)
            answered += got is not None
        took = time.monotonic() - begun
    board.unplug()
    return f"{FRAMES} frames, each answered", answered == FRAMES, f"{answered} answered, {FRAMES / took:.0f} a second"


def by_the_link(link: BoardLink) -> tuple[str, bool, str]:
    """The same by the host's own thread, with its pauses and its heartbeat."""
    begun, before, lost = time.monotonic(), link.frames, 0
    for n in range(FRAMES):
        link.show(100, bytes((n % 256, n // 256, 7)) * 96)
        lost += not until(lambda: link.is_shown)
    took = time.monotonic() - begun
    bad = -1 if link.shown is None else link.shown.bad
    good = lost == 0 and bad == 0 and link.reopened == 1
    return (
        f"{FRAMES} frames by the link",
        good,
        f"{link.frames - before} shown, {FRAMES / took:.0f} a second, {bad} bad",
    )


def garbage(board: DeskBoard, link: BoardLink) -> tuple[str, bool, str]:
    """Random bytes between the frames."""
    chance, late = random.Random(3), 0
    for n in range(200):
        board.noise(bytes(chance.randrange(256) for _ in range(chance.randrange(1, 200))))
        link.show(100, bytes((n, 1, 2)) * 96)
        late += not until(lambda: link.is_shown)
    bad = -1 if link.shown is None else link.shown.bad
    return "garbage before each of 200 frames", late == 0 and link.trouble is None, f"{bad} bad lines, {late} not shown"


def timed(what: str, true: Callable[[], bool]) -> tuple[str, bool, str]:
    begun = time.monotonic()
    good = until(true, 15.0)
    return what, good, f"{time.monotonic() - begun:.2f} s"


def until(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether it comes true in time; looks every two milliseconds."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def main() -> int:
    if micropython() is None:
        print(MISSING, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for what, good, figure in measured(Path(folder)):
            results.append(good)
            print(f"{'ok ' if good else 'NOT'}  {what:<42}  {figure}", flush=True)
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
