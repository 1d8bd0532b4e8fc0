"""The firmware itself, under MicroPython on a terminal, with the host's own code at the other end of the cable."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_board import MISSING, PATIENT, DeskBoard, micropython, opened

from device.lights import board_port
from device.lights.board_link import BoardLink, Press
from device.lights.chain import milliamps
from device.lights.frames import Lines, frame, line
from tests.waiting import PATIENCE_S, waited

pytestmark = pytest.mark.skipif(micropython() is None, reason=MISSING)
SOON_LOST = "\nLOST_MS = 400\n"  # the board gives its host up sooner than on the table
NAME = "usb-MicroPython_Board_in_FS_mode_e6605838-if00"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[DeskBoard]:
    made = DeskBoard(tmp_path / "desk", settings=PATIENT)
    yield made
    made.close()


@pytest.fixture
def soon_lost(tmp_path: Path) -> Iterator[DeskBoard]:
    made = DeskBoard(tmp_path / "desk", settings=SOON_LOST)
    yield made
    made.close()


@pytest.fixture
def link(board: DeskBoard, monkeypatch: pytest.MonkeyPatch) -> Iterator[BoardLink]:
    monkeypatch.setattr(board_port, "WRITE_S", PATIENCE_S)
    made = BoardLink(dev=board.dev, retry_s=0.05, patience_s=PATIENCE_S, heartbeat_s=0.1)
    yield made
    made.close()


def plugged(board: DeskBoard, link: BoardLink) -> None:
    board.plug(by_id=NAME)
    link.start()
    assert waited(lambda: link.hello is not None), link.trouble


def unplugged(board: DeskBoard, link: BoardLink) -> None:
    board.unplug()
    assert waited(lambda: link.trouble is not None and link.hello is None)


def test_it_introduces_itself_and_shows_what_it_is_told(board: DeskBoard, link: BoardLink) -> None:
    plugged(board, link)
    assert link.hello is not None
    assert (link.hello.protocol, link.hello.pixels, link.hello.version) == (1, 96, "1.0.0")
    assert (link.hello.buttons, link.hello.seats) == (3, 8)
    link.show(255, bytes((10, 20, 30)) * 95 + bytes(3))
    assert waited(lambda: link.is_shown)
    assert board.pixels == bytes((7, 13, 19)) * 95 + bytes(3)  # 160 of 255, rounded up: the brightness cap


def test_no_host_can_lift_the_caps(board: DeskBoard, link: BoardLink) -> None:
    plugged(board, link)
    for pixels in (bytes([255]) * 288, bytes([255, 0, 0] * 96), bytes([255] * 3 + [1] * 285)):
        link.show(255, pixels)
        assert waited(lambda: link.is_shown)
        assert milliamps(board.pixels, 96) <= 500
        assert max(board.pixels) <= 160
        assert link.shown is not None
        assert link.shown.milliamps == milliamps(board.pixels, 96)


def test_a_host_that_falls_silent_is_shown_and_its_return_too(soon_lost: DeskBoard) -> None:
    board, link = soon_lost, BoardLink(dev=soon_lost.dev, retry_s=0.05, heartbeat_s=0.1)
    plugged(board, link)
    link.show(255, bytes([200]) * 288)
    assert waited(lambda: link.is_shown)
    unplugged(board, link)
    assert waited(lambda: sum(map(bool, board.pixels)) == 3)
    first = board.pixels
    assert waited(lambda: board.pixels != first)  # it wanders
    assert sum(map(bool, board.pixels)) == 3
    board.plug("ttyACM1", by_id=NAME)
    assert waited(lambda: link.is_shown and all(board.pixels))
    link.close()


def test_without_a_host_from_the_start_one_pixel_wanders(board: DeskBoard) -> None:
    assert waited(lambda: sum(map(bool, board.pixels)) == 3)


def test_unplugged_and_plugged_in_under_another_name(board: DeskBoard, link: BoardLink) -> None:
    plugged(board, link)
    assert link.where is not None
    assert link.where.name == NAME
    unplugged(board, link)
    board.plug("ttyACM7")  # no name by udev this time
    assert waited(lambda: link.hello is not None)
    assert link.where is not None
    assert link.where.name == "ttyACM7"
    link.show(255, bytes([90]) * 288)
    assert waited(lambda: link.is_shown)


def test_a_board_whose_power_was_cut_shows_the_strokes_again(board: DeskBoard, link: BoardLink) -> None:
    plugged(board, link)
    link.show(255, bytes([90]) * 288)
    assert waited(lambda: link.is_shown)
    unplugged(board, link)
    board.power_off()
    before = len(board.shown)
    board.power_on()
    board.plug()
    assert waited(lambda: link.is_shown and len(board.shown) > before and all(board.pixels))


def test_a_board_that_hangs_is_told_and_comes_back(board: DeskBoard) -> None:
    link = BoardLink(dev=board.dev, retry_s=0.05, patience_s=1.0, heartbeat_s=0.1)
    plugged(board, link)
    board.hold(True)
    shown = iter(range(10_000))

    def told() -> bool:
        link.show(100, bytes([next(shown) % 256]) * 288)
        return link.trouble is not None

    assert waited(told)
    assert link.trouble is not None
    assert link.trouble.key == "lights_stuck"
    board.hold(False)
    assert waited(lambda: link.trouble is None and link.is_shown)
    link.close()


def test_garbage_on_the_cable_costs_nothing_but_the_lines_it_hits(board: DeskBoard, link: BoardLink) -> None:
    plugged(board, link)
    chance = random.Random(5)
    for n in range(15):
        board.noise(bytes(chance.randrange(256) for _ in range(chance.randrange(1, 300))))
        board.noise([b"\x03\x03", b"\n", line(1, "SHOW", b"\xff\xff")[:-3], b"$9,BLA,*1234\n"][n % 4])
        link.show(100, bytes((n, 40, 0)) * 96)
        assert waited(lambda: link.is_shown), n
    assert link.trouble is None
    assert link.shown is not None
    assert link.shown.bad > 0


def test_a_word_it_does_not_know_and_bodies_too_short_or_too_long_are_survived(board: DeskBoard) -> None:
    for word, body in (("DANCE", b"1"), ("SHOW", b""), ("SHOW", b"\xff"), ("TAKEN", b"1"), ("SHOW", bytes(900))):
        board.noise(line(3, word, body))
    board.noise(line(4, "SHOW", frame(255, 0, b"\x10\x10\x10")))
    assert waited(lambda: board.pixels[:4] == b"\x0b\x0b\x0b\x00")


def test_buttons_come_up_the_same_line(board: DeskBoard, link: BoardLink) -> None:
    pressed: list[Press] = []
    link.on_button(pressed.append)
    slow = (("stop", "long"), ("seat 8", "long"))  # where this machine is slow to let it go

    def told() -> list[tuple[str, str]]:
        return [(press.button, press.kind) for press in pressed]

    plugged(board, link)
    assert waited(lambda: link.is_shown)
    board.press(2)
    assert waited(lambda: ("stop", "press") in told())
    board.press()
    assert waited(lambda: ("stop", "release") in told())
    board.press(3)
    assert waited(lambda: ("undo", "long") in told())
    board.press(13, 3)
    assert waited(lambda: ("seat 8", "press") in told())
    board.press()
    assert waited(lambda: {("seat 8", "release"), ("undo", "release")} <= set(told()))
    assert [one for one in told() if one not in slow][:5] == [
        ("stop", "press"),
        ("stop", "release"),
        ("undo", "press"),
        ("undo", "long"),
        ("seat 8", "press"),
    ]


def test_a_press_is_told_until_the_host_has_it_and_counts_once(board: DeskBoard, tmp_path: Path) -> None:
    port = board.plug()
    told = Lines()
    keys: list[tuple[int, bytes]] = []
    with opened(port) as cable:
        cable.write(line(1, "SHOW", frame(0, 0, b"")))
        is_met = False  # what is pressed before is told to nobody
        end = time.monotonic() + PATIENCE_S
        while len(keys) < 3 and time.monotonic() < end:
            got = told.feed(cable.read(256))
            if not is_met and any(one.word == "SHOWN" for one in got):
                is_met = True
                board.press(4)
            pressed = [one for one in got if one.word == "KEY" and one.body[:2] == b"\x02\x01"]
            keys += [(one.seq, one.body) for one in pressed]  # held long comes after it
            cable.write(line(2, "SHOW", frame(0, 0, b"")))
            time.sleep(0.01)
        assert len(keys) >= 3
        assert len({seq for seq, _ in keys}) == 1
        ages = [int.from_bytes(body[2:], "big") for _, body in keys]
        assert ages == sorted(ages)
        cable.write(line(3, "TAKEN", keys[0][0].to_bytes(2, "big")))


def test_lamps_at_the_seats_follow_the_host_and_go_out_without_it(soon_lost: DeskBoard) -> None:
    board, link = soon_lost, BoardLink(dev=soon_lost.dev, retry_s=0.05, heartbeat_s=0.1)
    plugged(board, link)
    link.light_seats(0b10000001)
    assert waited(lambda: board.lamps == [14, 21])
    board.unplug()
    assert waited(lambda: board.lamps == [])
    link.close()


def test_stop_and_undo_held_at_the_start_leave_the_board_to_its_owner(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    held = DeskBoard(tmp_path / "desk" / "held")
    held.power_off()
    before = len(held.shown)
    held.press(2, 3)
    held.power_on()
    assert held._firmware.wait(PATIENCE_S) == 0
    assert len(held.shown) == before
    held.close()


def test_frames_follow_each_other_faster_than_any_motion_needs(board: DeskBoard, link: BoardLink) -> None:
    """None waits for a heartbeat or is sent twice. Measured in frames a second by measure_firmware.py."""
    link._heartbeat_s = 10 * PATIENCE_S
    plugged(board, link)
    assert waited(lambda: link.is_shown)
    before = board.sent.count(b",SHOW,")
    for n in range(60):
        link.show(100, bytes((n, n, 0)) * 96)
        assert waited(lambda: link.is_shown)
    assert link.shown is not None
    assert link.shown.bad == 0
    assert board.sent.count(b",SHOW,") == before + 60
