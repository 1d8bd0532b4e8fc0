"""The service: what the eye does when the camera goes, what outputs get, and how it ends."""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import drawn_throws as drawn
import numpy as np
import pytest

from device.cameras import CameraLost
from device.cameras.fake import FakeCamera
from device.cameras.recording import RecordingCamera
from device.cutouts import Cutouts
from device.errors import BadInput
from device.eye import EyeThread
from device.health import temperature, under_voltage
from device.journal import KeptJournal, MemoryJournal
from device.lights import FakeLights
from device.notify import notify
from device.service import Outputs, Service
from device.snapshot import Eye, Snapshot
from device.table import Table
from device.terminal import Terminal
from device.wording import wording
from tests.waiting import PATIENCE_S, in_vain, waited
from vision.board import Board
from vision.frame import Frame
from vision.reading import BoardReading, DieReading, Where
from vision.recording import Mark
from vision.watcher import ThrowWatcher

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
THROWS = [(1, 4, 5), (6, 6, 6)]


def watch(frame: Frame) -> ThrowWatcher | None:
    board = Board.whole(drawn.WIDTH, drawn.HEIGHT, drawn.EDGE)
    return ThrowWatcher(drawn.ScriptedReader(THROWS), board)


@pytest.fixture
def table() -> Table:
    table = Table(MemoryJournal())
    table.say(START)
    return table


class TestEye:
    def test_throws_and_presses_of_a_recording_are_booked(self, table: Table) -> None:
        stop = Mark(2.2, {"do": "stop"})
        camera = RecordingCamera("r", drawn.frames(THROWS), speed=None)
        eye = EyeThread(camera, watch, table, marks=[stop], once=True)
        eye.start()
        assert eye.ended.wait(PATIENCE_S)
        state = table.now.session.state
        assert state["round"] == 2
        assert state["round_winner"] == "Bob"
        assert eye.frames == drawn.length(THROWS)

    def test_a_recording_that_is_stopped_presses_nothing_more(self, table: Table) -> None:
        camera = RecordingCamera("r", drawn.frames(THROWS))
        eye = EyeThread(camera, watch, table, marks=[Mark(99.0, {"do": "end"})], once=True)
        eye.start()
        assert waited(lambda: eye.frames > 2)
        eye.stop()
        assert eye.ended.wait(PATIENCE_S)
        assert table.now.view.phase != "over"

    def test_a_mark_that_is_no_event_stops_nothing(self, table: Table) -> None:
        marks = [Mark(0.5, {"do": "fly"}), Mark(2.2, {"do": "stop"})]
        eye = EyeThread(RecordingCamera("r", drawn.frames(THROWS), speed=None), watch, table, marks=marks, once=True)
        eye.start()
        assert eye.ended.wait(PATIENCE_S)
        assert table.now.session.state["round"] == 2

    def test_the_dice_of_the_last_throw_are_cut_out(self, table: Table) -> None:
        cutouts = Cutouts()
        camera = RecordingCamera("r", drawn.frames(THROWS), speed=None)
        eye = EyeThread(camera, watch, table, once=True, cutouts=cutouts)
        eye.start()
        assert eye.ended.wait(PATIENCE_S)
        names = cutouts.names(table.now.throw)
        assert len(names) == 3
        for name in names:
            jpeg = cutouts.get(name)
            assert jpeg is not None
            picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None
            assert picture[8:-8, 8:-8].mean() > 120  # a white die, not the felt
        assert cutouts.get("1-0") is not None  # the first throw's, to put it right by
        table.say({"do": "throw", "dice": [1, 4, 5]})
        assert cutouts.names(table.now.throw) == ()  # entered by hand

    def test_a_die_cut_by_the_edge_is_cut_out_all_the_same(self) -> None:
        corners = ((-300.0, 0.0), (1.0, 0.0), (1.0, 300.0), (-300.0, 300.0))
        die = DieReading(5, 0.99, None, (-372.0, 0.0, 0.0, 300.0), corners, Where.INSIDE)
        cutouts = Cutouts()
        cutouts.keep((1, 1), Frame(np.zeros((400, 400, 3), np.uint8), 0.0), BoardReading((die,)))
        assert len(cutouts.names((1, 1))) == 1

    def test_a_lost_camera_is_told_and_opened_again(self, table: Table) -> None:
        class Unplugged(FakeCamera):
            def frames(self) -> Iterator[Frame]:
                yield from super().frames()
                if self.opened < 3:
                    raise CameraLost("gone")
                self._closed.wait()

        pictures = [frame.picture for frame in drawn.frames([])]
        camera = Unplugged(pictures)
        told: list[tuple[Eye, str | None]] = []
        table.listen(lambda now: told.append((now.eye, now.trouble)))
        eye = EyeThread(camera, watch, table, restart_s=0.01)
        eye.start()
        assert waited(lambda: camera.opened == 3)
        assert (Eye.LOST, "gone") in told
        assert eye.restarts == 2
        assert table.now.session.state["to_throw"] == "Ann"
        eye.stop()
        assert eye.ended.wait(PATIENCE_S)

    def test_what_nobody_expected_is_survived(self, table: Table) -> None:
        class Stumbling(FakeCamera):
            def frames(self) -> Iterator[Frame]:
                yield from super().frames()
                raise ValueError("what nobody expected")

        camera = Stumbling([frame.picture for frame in drawn.frames([])][:3])
        told: list[str | None] = []
        table.listen(lambda now: told.append(now.trouble))
        eye = EyeThread(camera, watch, table, restart_s=0.01)
        eye.start()
        assert waited(lambda: camera.opened >= 3)
        assert any(trouble and "ValueError" in trouble for trouble in told)  # gone again once the camera is back
        eye.stop()

    def test_what_a_person_can_mend_is_a_sentence_and_no_trace(
        self, table: Table, caplog: pytest.LogCaptureFixture
    ) -> None:
        def unfit(frame: Frame) -> ThrowWatcher | None:
            raise BadInput("the board file is of another camera")

        camera = FakeCamera([frame.picture for frame in drawn.frames([])][:3])
        eye = EyeThread(camera, unfit, table, once=True)
        eye.start()
        assert eye.ended.wait(PATIENCE_S)
        assert table.now.trouble == "the board file is of another camera"
        assert not any(record.exc_info for record in caplog.records)

    def test_no_board_is_told(self, table: Table) -> None:
        camera = FakeCamera([frame.picture for frame in drawn.frames([])][:3])
        eye = EyeThread(camera, lambda frame: None, table, once=True)
        told: list[str | None] = []
        table.listen(lambda now: told.append(now.trouble))
        eye.start()
        assert eye.ended.wait(PATIENCE_S)
        assert "no_board" in told


class TestOutputs:
    def test_a_terminal_that_stumbles_stops_nothing(self, table: Table) -> None:
        class Stumbling(Terminal):
            def show(self, now: Snapshot) -> None:
                raise ValueError("what nobody expected")

        lights = FakeLights()
        outputs = Outputs(table, lights, Stumbling(io.StringIO(), wording("en")))
        outputs.tick(0.0)
        table.saw_throw((1, 4, 5))
        outputs.tick(0.1)
        assert len(lights.shown) == 2

    def test_lights_follow_the_table(self, table: Table) -> None:
        lights = FakeLights()
        outputs = Outputs(table, lights, None)
        outputs.tick(0.0)
        table.saw_throw((6, 6, 6))
        outputs.tick(0.1)
        table.look(Eye.LOST, "gone")
        outputs.tick(0.2)
        outputs.tick(0.3)
        assert [pattern for _, pattern in lights.shown] == ["turn", "zand", "camera_trouble"]
        assert lights.shown[-1][0] is table.now.view
        assert lights.ticks == 4

    def test_the_latest_is_never_left_out(self, table: Table) -> None:
        lights = FakeLights()
        outputs = Outputs(table, lights, None)
        for _ in range(200):
            table.saw_throw((6, 6, 6))
            table.say({"do": "undo"})
        table.saw_throw((4, 5, 6))
        outputs.tick(0.0)
        assert lights.shown[-1][0] is table.now.view


class TestService:
    def test_runs_until_told_and_closes_everything(self, tmp_path: Path) -> None:
        journal = KeptJournal(tmp_path / "j.db")
        table = Table(journal)
        lights = FakeLights()
        eye = EyeThread(RecordingCamera("r", drawn.frames(THROWS)), watch, table)
        service = Service(table, journal, eye=eye, lights=lights)
        threading.Timer(0.2, service.stop).start()
        with in_vain() as spent:
            service.run()
        assert sum(spent) < 2.0
        assert waited(lambda: lights.closed)  # the service does not wait long for it
        assert eye.ended.wait(PATIENCE_S)
        again = KeptJournal(tmp_path / "j.db", retry_s=0.02)
        assert waited(lambda: again.fault is None)  # given back
        again.close()

    def test_storage_that_works_again_is_used_and_shown(self, tmp_path: Path) -> None:
        (tmp_path / "data").write_text("in the way")
        journal = KeptJournal(tmp_path / "data" / "j.db", retry_s=0.02)
        table = Table(journal)
        table.say(START)
        assert table.now.fault is not None
        service = Service(table, journal)
        assert service.health()["ok"] is False
        (tmp_path / "data").unlink()
        assert waited(lambda: journal.fault is None)
        service._heal()
        assert table.now.fault is None
        service.close()
        assert Table(KeptJournal(tmp_path / "data" / "j.db")).now.session.state["to_throw"] == "Ann"

    def test_a_stalled_eye_is_not_healthy_but_a_lost_camera_is(self, tmp_path: Path, table: Table) -> None:
        now = [100.0]
        never = threading.Event()

        class Stuck(FakeCamera):
            def frames(self) -> Iterator[Frame]:
                never.wait()
                yield from ()

        eye = EyeThread(Stuck([]), watch, table, clock=lambda: now[0])
        journal = KeptJournal(tmp_path / "j.db")
        service = Service(table, journal, eye=eye, clock=lambda: now[0])
        eye.start()
        assert service.healthy
        now[0] += 60.0
        assert not service.healthy
        never.set()
        eye.stop()
        assert eye.ended.wait(PATIENCE_S)
        assert service.healthy  # it has ended by itself
        journal.close()


def test_systemd_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(address)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        notify("READY=1")
        assert listening.recv(64) == b"READY=1"
    notify("WATCHDOG=1")  # nobody listens any more: that is no fault
    monkeypatch.delenv("NOTIFY_SOCKET")
    notify("STOPPING=1")


def test_heat_and_voltage_are_read_where_the_machine_tells_them(tmp_path: Path) -> None:
    (tmp_path / "temp").write_text("61234\n")
    assert temperature(tmp_path / "temp") == 61.2
    assert temperature(tmp_path / "none") is None
    volt = tmp_path / "hwmon" / "hwmon1"
    volt.mkdir(parents=True)
    (volt / "name").write_text("rpi_volt\n")
    (volt / "in0_lcrit_alarm").write_text("1\n")
    assert under_voltage(tmp_path / "hwmon") is True
    assert under_voltage(tmp_path / "none") is None
