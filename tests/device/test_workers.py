"""Who stands still is begun anew a few times, then given up; what nobody can do without starts everything anew."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from device import last_resort
from device.cameras.fake import FakeCamera
from device.eye import EyeThread
from device.health import memory_mb
from device.journal import KeptJournal, MemoryJournal
from device.last_resort import AGAIN, LastResort, leak, started_anew
from device.lights import FakeLights
from device.outputs import Outputs
from device.service import Service
from device.table import Table
from device.turning import GoesOn, Turning
from device.web.app import Web
from device.web.server import WebServer, bound
from device.workers import MOST_RESTARTS, STALLED_S, WITHIN_S, Workers
from tests.waiting import PATIENCE_S, in_vain, waited


class Pretended:
    """A worker of which is told how it fares."""

    alive = is_wanted = True

    def __init__(self) -> None:
        self.progress = 0.0
        self.begun = 0

    def again(self) -> None:
        self.begun += 1


class TestBudget:
    def test_begun_anew_a_few_times_then_given_up(self) -> None:
        now, worker = [100.0], Pretended()
        workers = Workers(lambda: now[0])
        workers.watch("the sound", worker)
        for _ in range(10):
            workers.look()
        assert worker.begun == MOST_RESTARTS
        told = workers.health()["the sound"]
        assert (told["ok"], told["given_up"], told["restarts"]) == (False, True, MOST_RESTARTS)
        assert workers.stands_still() is None  # one can play without it

    def test_an_hour_later_it_has_another_chance(self) -> None:
        now, worker = [100.0], Pretended()
        workers = Workers(lambda: now[0])
        workers.watch("the page", worker, vital=True)
        workers.look()
        workers.look()
        now[0] += WITHIN_S + 1
        workers.look()
        workers.look()
        assert worker.begun == 4
        assert not workers.health()["the page"]["given_up"]

    def test_what_turns_is_left_alone(self) -> None:
        worker = Pretended()
        workers = Workers(lambda: 10.0)
        workers.watch("the page", worker, vital=True)
        workers.look()
        assert worker.begun == 0
        assert workers.all_vital_turn

    def test_a_vital_one_that_nobody_can_begin_anew_starts_everything(self) -> None:
        class Beyond(Pretended):
            def again(self) -> None:
                raise NotImplementedError

        workers = Workers(lambda: 100.0)
        workers.watch("the table", Beyond(), vital=True)
        workers.look()
        assert workers.stands_still() == "the table"


class TestTurning:
    def test_one_that_hangs_is_taken_over_and_ends_when_it_wakes(self) -> None:
        hangs, rounds = threading.Event(), list[str]()

        def go(goes_on: GoesOn) -> None:
            me = threading.current_thread()
            while goes_on():
                rounds.append(str(me.ident))
                if len(rounds) == 1:
                    hangs.wait()
                time.sleep(0.002)

        turning = Turning("t", go)
        turning.start()
        assert waited(lambda: len(rounds) == 1)
        first = turning.progress
        turning.again()
        assert waited(lambda: len(rounds) > 3)
        assert turning.progress > first
        hangs.set()
        assert waited(lambda: sum(t.name == "t" for t in threading.enumerate()) == 1)
        assert len(set(rounds)) == 2
        turning.end(PATIENCE_S)
        assert not turning.alive

    def test_lights_that_hang_stop_neither_terminal_nor_table(self) -> None:
        never = threading.Event()

        class Hanging(FakeLights):
            def tick(self, t: float) -> None:
                never.wait()

        table = Table(MemoryJournal())
        outputs = Outputs(table, Hanging(), None)
        outputs.start()
        table.say({"do": "start", "game": "pig", "players": ["Ann", "Bob"], "opener": "Ann"})
        assert table.now.view.game == "pig"
        with in_vain() as spent:
            outputs.close()
        assert sum(spent) < 2.0
        never.set()


class TestPage:
    def test_a_page_whose_loop_hangs_is_taken_over_on_the_same_port(self) -> None:
        import asyncio
        import urllib.request

        table = Table(MemoryJournal())
        server = WebServer(Web(table, MemoryJournal()), bound("127.0.0.1", 0))
        server.start()
        url = f"http://127.0.0.1:{server.port}/api/v1/state"
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            assert answer.status == 200
        loops, release = list[asyncio.AbstractEventLoop](), threading.Event()
        tick = server._server.on_tick

        async def hang(counter: int) -> bool:
            loops.append(asyncio.get_running_loop())
            release.wait()
            return await tick(counter)

        server._server.on_tick = hang  # type: ignore[method-assign]  # a callback that never returns
        assert waited(lambda: bool(loops))
        stood = server.progress
        server.again()
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            assert answer.status == 200
        assert waited(lambda: server.progress > stood)
        release.set()
        server.stop()


class TestService:
    def service(self, tmp_path: Path, **given: object) -> tuple[Service, list[float], list[str]]:
        now, anew = [1000.0], list[str]()
        journal = KeptJournal(tmp_path / "j.db")
        table = Table(journal)
        made = Service(table, journal, clock=lambda: now[0], begin_anew=anew.append, **given)  # type: ignore[arg-type]
        return made, now, anew

    def test_a_main_loop_that_stands_still_is_noticed_from_outside(self, tmp_path: Path) -> None:
        service, now, anew = self.service(tmp_path)
        service._stepped = now[0]
        assert service.why_anew() is None
        now[0] += STALLED_S + 1
        assert service.why_anew() == "the main loop stands still"
        assert not service.healthy
        service._save_and_begin_anew("the main loop stands still")
        assert anew == ["the main loop stands still"]
        service.close()

    def test_a_deadlock_of_the_table_is_noticed(self, tmp_path: Path) -> None:
        service, now, _ = self.service(tmp_path)
        held, release = threading.Event(), threading.Event()

        def deadlock() -> None:
            with service.table._lock:
                held.set()
                release.wait()

        threading.Thread(target=deadlock, daemon=True).start()
        assert held.wait(PATIENCE_S)
        service._workers.look()
        assert service.healthy  # it may only be busy
        now[0] += STALLED_S + 1
        service._workers.look()
        assert service.why_anew() == "the table stands still"
        assert not service.healthy
        release.set()
        service.close()

    def test_the_watchdog_is_fed_by_a_loop_that_turns_and_by_nothing_else(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        monkeypatch.setattr("device.service.notify", told.append)
        monkeypatch.setattr("device.service.BEAT_S", 0.0)
        journal = KeptJournal(tmp_path / "j.db")
        service = Service(Table(journal), journal)
        rounds = iter(range(4))
        service.run(until=lambda: next(rounds, None) is None)
        assert told.count("WATCHDOG=1") >= 3
        told.clear()
        journal = KeptJournal(tmp_path / "j.db")
        ill = Service(Table(journal), journal)
        monkeypatch.setattr(Service, "healthy", False)
        rounds = iter(range(4))
        ill.run(until=lambda: next(rounds, None) is None)
        assert "WATCHDOG=1" not in told

    def test_a_leak_waits_for_a_quiet_moment_and_for_the_disk(self, tmp_path: Path) -> None:
        service, _, _ = self.service(tmp_path)
        service._leak = "950 MB of memory are in use"
        assert service.why_anew() == "950 MB of memory are in use"
        service._journal.fault = "the disk is full"
        assert service.why_anew() is None  # it would take the scores along
        service._journal.fault = None
        service.close()

    def test_ends_within_two_seconds_though_everything_hangs(self, tmp_path: Path) -> None:
        let_go = threading.Event()

        class Hangs:
            def start(self) -> None: ...

            def close(self) -> None:
                let_go.wait()

            def health(self) -> dict[str, object]:
                return {"ok": True}

        journal = KeptJournal(tmp_path / "j.db")
        service = Service(Table(journal), journal, parts={name: Hangs() for name in ("sound", "display", "buttons")})
        with in_vain() as spent:
            service.close()
        assert 0.0 < sum(spent) < 2.0
        let_go.set()


class TestLastResort:
    def test_begins_anew_once_and_says_why(self) -> None:
        reasons, told = iter([None, None, "the page stands still"]), list[str]()
        resort = LastResort(lambda: next(reasons, None), told.append, every_s=0.002)
        resort.start()
        assert waited(lambda: told == ["the page stands still"])
        resort.close()

    def test_a_leak_is_one(self) -> None:
        assert leak(mb=200.0, threads=30, files=40) is None
        assert "MB" in str(leak(mb=2000.0, threads=30, files=40))
        assert "threads" in str(leak(mb=200.0, threads=900, files=40))
        assert "files" in str(leak(mb=200.0, threads=30, files=10**9))
        assert leak(most_mb=(memory_mb() or 0.0) + 1000.0, threads=1, files=1) is None

    def test_the_same_process_goes_on_as_a_fresh_program(self) -> None:
        program = (
            "import os, sys; from device.last_resort import begin_anew, started_anew; n, why = started_anew();"
            "print(os.getpid(), n, why, sys.argv[1:], flush=True); n < 2 and begin_anew('it hangs')"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, "--port", "0"],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=True,
            cwd=Path(last_resort.__file__).parents[1],
            env={**os.environ, AGAIN: ""},
        )
        lines = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
        assert len({pid for pid, _, _ in lines}) == 1
        assert [(n, rest) for _, n, rest in lines] == [
            ("0", "None ['--port', '0']"),
            ("1", "it hangs ['--port', '0']"),
            ("2", "it hangs ['--port', '0']"),
        ]

    def test_what_was_told_to_the_next_program_is_understood(self) -> None:
        assert started_anew({}) == (0, None)
        assert started_anew({AGAIN: "x y"}) == (0, None)


def test_an_eye_that_waits_for_a_lost_camera_does_not_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits up to half a minute between two tries, longer than anything may stand still."""
    monkeypatch.setattr("device.eye.BREATH_S", 0.02)
    now, lost = [50.0], FakeCamera([], lost="there is no camera; is it plugged in?")
    eye = EyeThread(lost, lambda frame: None, Table(MemoryJournal()), restart_s=30.0, clock=lambda: now[0])
    eye.start()
    assert waited(lambda: eye.restarts == 1)
    now[0] += STALLED_S + 5
    assert waited(lambda: eye.progress == now[0])
    eye.stop()


def test_an_eye_that_never_comes_back_from_a_picture_starts_everything(tmp_path: Path) -> None:
    now, journal = [50.0], KeptJournal(tmp_path / "j.db")
    table = Table(journal)
    eye = EyeThread(FakeCamera([]), lambda frame: None, table, clock=lambda: now[0])
    service = Service(table, journal, eye=eye, clock=lambda: now[0])
    now[0] += STALLED_S + 1
    service._workers.look()
    assert service.why_anew() == "the eye stands still"
    service.close()
