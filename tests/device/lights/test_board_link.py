"""The cable to the light board: found, lost and found again, whatever it does; buttons up the same line."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.kept import PartLost
from device.lights.board import BoardLamps
from device.lights.board_link import BoardLink, Press, _Noise
from device.lights.board_port import Ports, open_port
from device.lights.chain import Chain
from device.lights.fake_board import FakeBoard
from device.lights.frames import Hello, Line, Lines, line
from tests.waiting import PATIENCE_S, waited


@pytest.fixture
def board() -> FakeBoard:
    return FakeBoard(pixels=4)


@pytest.fixture
def link(board: FakeBoard) -> Iterator[BoardLink]:
    made = BoardLink(board.port, open_port=board.open_port, retry_s=0.01, patience_s=PATIENCE_S, heartbeat_s=0.1)
    yield made
    made.close()


class TestLines:
    def test_what_goes_out_comes_in(self) -> None:
        assert Lines().feed(line(7, "SHOW", b"\x00\xff") + line(8, "HELLO")) == [
            Line(7, "SHOW", b"\x00\xff"),
            Line(8, "HELLO", b""),
        ]

    def test_any_cut_into_pieces_gives_the_same(self) -> None:
        whole = line(7, "SHOW", bytes(range(40))) + line(8, "HELLO")
        for at in range(len(whole)):
            lines = Lines()
            assert [got.seq for got in lines.feed(whole[:at]) + lines.feed(whole[at:])] == [7, 8]
            assert lines.bad == 0

    def test_no_single_wrong_bit_passes(self) -> None:
        whole = line(7, "SHOW", b"\x12\x34")
        for at in range(len(whole) - 1):
            for bit in range(8):
                wrong = bytearray(whole)
                wrong[at] ^= 1 << bit
                got = Lines().feed(bytes(wrong))
                # hexadecimal digits may change between a and A, which says the same
                assert got in ([], [Line(7, "SHOW", b"\x12\x34")]), (at, bit)
                assert not got or bytes(wrong).lower() == whole.lower()

    @pytest.mark.parametrize(
        "garbage",
        [b"\x03\x04\r\n", b"$$$***", b"$1,SHOW,zz*0000\n", b"x" * 5000, b"$5,SHOW,0102", b"\n\n", b"\xff" * 9],
    )
    def test_a_line_after_garbage_is_found(self, garbage: bytes) -> None:
        lines = Lines()
        lines.feed(garbage)
        assert [got.seq for got in lines.feed(line(9, "HELLO") + line(10, "HELLO"))][-1] == 10

    def test_a_line_cut_off_by_another_one_loses_only_itself(self) -> None:
        assert [got.seq for got in Lines().feed(line(1, "SHOW", b"abc")[:-4] + line(2, "SHOW", b"d"))] == [2]

    def test_a_hello_that_is_too_short_or_of_another_protocol_is_known_by_its_number(self) -> None:
        assert Hello.of(b"") is None
        assert Hello.of(b"\x02") == Hello(2, 0, 0, 0, 0, "")


class TestShowing:
    def test_the_newest_frame_is_shown_with_the_boards_caps(self, board: FakeBoard, link: BoardLink) -> None:
        link.start()
        for red in range(50):
            link.show(255, bytes((red, 0, 0) * 4))
        assert waited(lambda: link.is_shown)
        assert board.pixels == bytes(((49 * 160 + 254) // 255, 0, 0) * 4)
        assert link.hello == Hello(1, 4, 3, 8, 1, "1.0.0")
        assert link.trouble is None

    def test_it_is_sent_again_as_a_heartbeat(self, board: FakeBoard, link: BoardLink) -> None:
        link.start()
        link.show(100, bytes(12))
        assert waited(lambda: board.frames >= 8)
        assert link.reopened == 1

    def test_seat_lamps_go_with_every_frame(self, board: FakeBoard, link: BoardLink) -> None:
        link.start()
        link.light_seats(0b101)
        assert waited(lambda: board.seats == 0b101)
        link.show(100, bytes(12))
        assert waited(lambda: link.is_shown)
        assert board.seats == 0b101

    def test_close_leaves_the_board_dark(self, board: FakeBoard, link: BoardLink) -> None:
        link.start()
        link.show(100, b"\xff" * 12)
        assert waited(lambda: any(board.pixels))
        link.close()
        assert waited(lambda: board.pixels == bytes(12))
        link.close()

    def test_garbage_from_the_board_disturbs_nothing(self, board: FakeBoard, link: BoardLink) -> None:
        link.start()
        for n in range(20):
            board.garbage(bytes(range(256)) if n % 2 else b"$1,SHOWN,00*FFFF\n")
            link.show(255, bytes((n, 0, 0) * 4))
            assert waited(lambda: link.is_shown)

        def told() -> bool:
            board.garbage(b"$1,SHOWN,00*FFFF\n")
            return link.trouble is not None

        assert waited(told)
        assert link.trouble is not None
        assert link.trouble.key == "lights_garbled"  # told, and the lamps shine all the same
        assert link.reopened == 1

    def test_a_bad_line_now_and_then_is_no_trouble(self) -> None:
        noise = _Noise()
        assert not any(noise.is_loud(n, n * 2.0) for n in range(100))
        assert noise.is_loud(112, 200.0)
        assert not noise.is_loud(112, 211.0)


class TestLosing:
    def test_unplugged_and_plugged_in_again(self, board: FakeBoard, link: BoardLink) -> None:
        link.start()
        link.show(255, b"\x40" * 12)
        assert waited(lambda: link.is_shown)
        board.unplug()
        assert waited(lambda: link.trouble is not None and link.hello is None)
        assert "plugged" in str(link.trouble)
        board.plug()
        assert waited(lambda: link.trouble is None and link.is_shown)
        assert any(board.pixels)

    def test_a_board_that_takes_nothing_is_told_and_tried_again(self, board: FakeBoard, link: BoardLink) -> None:
        link.start()
        assert waited(lambda: link.hello is not None)
        board.is_stuck = True
        link.show(255, b"\x40" * 12)
        assert waited(lambda: link.trouble is not None)
        assert link.trouble is not None
        assert link.trouble.key == "lights_stuck"
        board.is_stuck = False
        assert waited(lambda: link.trouble is None and link.is_shown)

    def test_a_board_that_takes_all_and_says_nothing_is_told_too(self, board: FakeBoard) -> None:
        link = BoardLink(board.port, open_port=board.open_port, retry_s=0.01, patience_s=1.0, heartbeat_s=0.1)
        link.start()
        assert waited(lambda: link.hello is not None)
        board.is_mute = True
        assert waited(lambda: link.trouble is not None)
        assert "no longer answers" in str(link.trouble) or "does not answer" in str(link.trouble)
        board.is_mute = False
        assert waited(lambda: link.trouble is None)
        link.close()

    def test_another_protocol_is_told(self) -> None:
        board = FakeBoard(protocol=2)
        link = BoardLink(board.port, open_port=board.open_port, retry_s=0.01, patience_s=PATIENCE_S)
        link.start()
        assert waited(lambda: link.trouble is not None)
        assert "speaks protocol 2" in str(link.trouble)
        assert board.frames == 0
        link.close()

    def test_too_few_pixels_are_told_while_those_there_are_shine(self) -> None:
        board = FakeBoard(pixels=24)
        link = BoardLink(board.port, open_port=board.open_port, retry_s=0.01, patience_s=PATIENCE_S)
        lamps = BoardLamps(link, Chain(), pixels=96)
        assert waited(lambda: lamps.trouble is not None)
        assert "has 24 pixels, the settings want 96" in str(lamps.trouble)
        link.show(255, b"\x80" * 288)
        assert waited(lambda: any(board.pixels))
        lamps.close()

    def test_a_stumble_of_the_port_is_told_and_tried_again(self, board: FakeBoard) -> None:
        tries = 0

        def opened(path: Path) -> object:
            nonlocal tries
            tries += 1
            if tries == 1:
                raise RuntimeError("what nobody expected")
            return board.open_port(path)

        link = BoardLink(board.port, open_port=opened, retry_s=0.01, patience_s=PATIENCE_S)  # type: ignore[arg-type]
        link.start()
        assert waited(lambda: link.hello is not None)
        assert tries == 2
        link.close()

    def test_a_path_that_is_no_port_is_told(self, tmp_path: Path) -> None:
        plain = tmp_path / "ttyACM0"
        plain.write_text("no port")
        with pytest.raises(PartLost) as lost:
            open_port(plain)
        assert "cannot be opened" in str(lost.value)
        with pytest.raises(PartLost) as lost:
            open_port(tmp_path / "nothing")
        assert lost.value.key == "lights_absent"


class TestButtons:
    def test_presses_come_with_the_time_at_which_they_happened(self, board: FakeBoard, link: BoardLink) -> None:
        pressed: list[Press] = []
        link.on_button(pressed.append)
        link.start()
        assert waited(lambda: link.hello is not None)
        board.press(0, 1, age_ms=500)
        assert waited(lambda: len(pressed) == 1)
        assert pressed[0].button == "stop"
        assert pressed[0].kind == "press"
        assert 0.45 < time.monotonic() - pressed[0].at < PATIENCE_S
        for key, name in ((1, "undo"), (2, "menu"), (3, "seat 1"), (10, "seat 8")):
            board.press(key, 0)
            assert waited(lambda name=name: pressed[-1].button == name)  # type: ignore[misc]
            assert pressed[-1].kind == "release"

    def test_one_that_is_sent_again_counts_once(self, board: FakeBoard, link: BoardLink) -> None:
        pressed: list[Press] = []
        link.on_button(pressed.append)
        link.start()
        assert waited(lambda: link.hello is not None)
        board.press(0, 1, times=3)
        board.press(0, 0)
        assert waited(lambda: len(pressed) >= 2)
        assert [press.kind for press in pressed] == ["press", "release"]

    def test_a_board_that_began_anew_is_heard_from_its_first_press(self, board: FakeBoard, link: BoardLink) -> None:
        pressed: list[Press] = []
        link.on_button(pressed.append)
        link.start()
        for plugged in range(1, 3):
            assert waited(lambda: link.hello is not None)
            seq = board._seq = 40
            board.press(0, 1)
            assert waited(lambda plugged=plugged: len(pressed) == plugged), seq  # type: ignore[misc]
            board.unplug()
            assert waited(lambda: link.hello is None)
            board.plug()

    def test_a_listener_that_stumbles_stops_nothing(self, board: FakeBoard, link: BoardLink) -> None:
        def stumbles(press: Press) -> None:
            raise ValueError("what nobody expected")

        pressed: list[Press] = []
        link.on_button(stumbles)
        link.on_button(pressed.append)
        link.start()
        assert waited(lambda: link.hello is not None)
        board.press(0, 1)
        assert waited(lambda: bool(pressed))
        assert link.trouble is None


class TestPorts:
    @pytest.fixture
    def dev(self, tmp_path: Path) -> Path:
        (tmp_path / "serial" / "by-id").mkdir(parents=True)
        return tmp_path

    def plug(self, dev: Path, name: str, by_id: str = "") -> Path:
        (dev / name).touch()
        if by_id:
            (dev / "serial" / "by-id" / by_id).symlink_to(dev / name)
        return dev / name

    def test_the_name_that_udev_gives_comes_first(self, dev: Path) -> None:
        self.plug(dev, "ttyACM3", "usb-MicroPython_Board_in_FS_mode_e66-if00")
        assert Ports("auto", dev).next(0.0).name == "usb-MicroPython_Board_in_FS_mode_e66-if00"

    def test_another_makers_port_is_left_alone(self, dev: Path) -> None:
        self.plug(dev, "ttyACM0", "usb-Arduino__www.arduino.cc__0043_7-if00")
        ports = Ports("auto", dev)
        for now in range(5):
            with pytest.raises(PartLost):
                ports.next(float(now))

    def test_a_port_without_a_name_is_taken_when_no_name_has_come_for_a_while(self, dev: Path) -> None:
        plain = self.plug(dev, "ttyACM0")
        ports = Ports("auto", dev)
        with pytest.raises(PartLost):
            ports.next(10.0)
        assert ports.next(11.1) == plain

    def test_each_gets_its_turn_and_the_one_that_answered_goes_first(self, dev: Path) -> None:
        for n in range(3):
            self.plug(dev, f"ttyACM{n}", f"usb-MicroPython_Board_{n}")
        ports = Ports("auto", dev)
        tried = [ports.next(float(n)).name[-1] for n in range(3)]
        assert sorted(tried) == ["0", "1", "2"]
        ports.found(dev / "serial" / "by-id" / "usb-MicroPython_Board_1")
        assert ports.next(4.0).name[-1] == "1"

    def test_a_port_that_another_program_holds_is_told(self) -> None:
        ours, theirs = os.openpty()
        port = open_port(Path(os.ttyname(theirs)))
        with pytest.raises(PartLost) as lost:
            open_port(Path(os.ttyname(theirs)))
        assert lost.value.key == "lights_busy"
        port.close()
        os.close(ours)
        os.close(theirs)

    def test_a_named_port_is_the_only_one(self, dev: Path) -> None:
        self.plug(dev, "ttyACM0", "usb-MicroPython_Board")
        other = self.plug(dev, "ttyUSB7")
        assert Ports(str(other), dev).next(0.0) == other
        with pytest.raises(PartLost) as lost:
            Ports(str(dev / "gone"), dev).next(0.0)
        assert lost.value.key == "lights_absent"
