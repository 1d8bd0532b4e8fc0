"""`doctor`: each thing that it looks at, well and with a fault put into it, and how it tells."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from device.chosen import Chosen
from device.cli import main
from device.commands.doctor import found, in_words
from device.config import Config, load
from device.doctor import CHECKS, Case, Finding, State, examine, fault, ok
from device.doctor.machine import clock, heat, memory, voltage
from device.doctor.page import port, running
from device.doctor.software import fits, model, packages, picamera2, python, run_python
from device.doctor.storage import journal
from device.errors import BadInput
from device.journal import KeptJournal
from vision.detector import DiceDetector

CASE = Case(Config())
PI = Case(Config().with_values(camera__kind="pi"))


def states(findings: Iterable[Finding]) -> list[str]:
    return [finding.state.value for finding in findings]


def only(findings: Iterable[Finding]) -> Finding:
    (one,) = findings
    return one


def bad(finding: Finding) -> Finding:
    assert finding.do, "a fault says what to do"
    return finding


class TestExamine:
    def test_every_check_is_there(self) -> None:
        assert all(":" in name for name in CHECKS)
        assert len(set(CHECKS)) == len(CHECKS) > 10

    def test_a_check_that_stumbles_leaves_the_others_standing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def stumbles(case: Case) -> list[Finding]:
            raise ZeroDivisionError("by nought")

        def refuses(case: Case) -> list[Finding]:
            raise BadInput("that cannot be")

        def misses(case: Case) -> list[Finding]:
            raise ImportError("libGL.so.1: cannot open shared object file")

        for name, check in (("memory", stumbles), ("heat", refuses), ("clock", misses)):
            monkeypatch.setattr(f"device.doctor.machine.{name}", check)
        told = list(examine(CASE, [f"device.doctor.machine:{name}" for name in ("memory", "heat", "clock", "voltage")]))
        assert states(told[:3]) == ["fault"] * 3
        assert "ZeroDivisionError: by nought" in told[0].message
        assert told[1].message == "that cannot be"
        assert "libGL" in told[2].message
        assert told[3].check == "voltage"

    def test_a_room_that_is_not_there_is_told(self) -> None:
        assert only(examine(CASE, ["device.no_such_room:check"])).state is State.FAULT


class TestSoftware:
    def test_python(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert states(python(CASE)) == ["ok"]
        monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
        assert "3.9.2" in bad(only(python(CASE))).message

    def test_packages_that_are_here(self) -> None:
        told = list(packages(CASE, ["numpy>=1.24,<2.3", "opencv-python>=4.10"], lambda code: (0, "")))
        assert states(told) == ["ok"]
        assert "numpy" in told[0].message

    def test_opencv_under_another_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        here = {"opencv-python-headless": "4.11.0.86"}
        monkeypatch.setattr("device.doctor.software._version", here.get)
        told = only(packages(CASE, ["opencv-python>=4.10,<4.12"], lambda code: (0, "")))
        assert (told.state, told.message) == (State.OK, "opencv-python 4.11.0.86")

    @pytest.mark.parametrize(
        ("need", "words"), [("no-such-package>=1", "is missing"), ("numpy<1.0", "numpy<1.0 is needed")]
    )
    def test_one_that_is_missing_or_of_another_version(self, need: str, words: str) -> None:
        told = list(packages(CASE, [need], lambda code: (0, "")))
        assert told[0].state is State.FAULT
        assert words in bad(told[0]).message

    @pytest.mark.parametrize(
        ("said", "do"),
        [
            ("ImportError: libGL.so.1: cannot open shared object file", "libgl1"),
            ("ImportError: libgthread-2.0.so.0: cannot open shared object file", "libglib2.0-0"),
            ("AttributeError: _ARRAY_API not found; numpy was compiled", "numpy<2.3"),
            ("it crashed (signal 4)", "make test"),
        ],
    )
    def test_one_that_cannot_be_loaded(self, said: str, do: str) -> None:
        told = list(packages(CASE, [], lambda code: (1, said) if "cv2" in code else (0, "")))
        assert told[0].state is State.FAULT
        assert said in told[0].message
        assert do in told[0].do

    @pytest.mark.parametrize(
        ("found", "need", "well"),
        [
            ("1.24.2", "numpy>=1.24,<2.3", True),
            ("2.3.0", "numpy>=1.24,<2.3", False),
            ("4.12.0.88", "opencv-python>=4.10,<4.12", False),
            ("4.11.0.86", "opencv-python>=4.10,<4.12", True),
            ("2.13.0+cpu", "torch==2.13.*", True),
            ("2.14.0", "torch==2.13.*", False),
            ("3", "x>=3.0", True),
            ("1.5", "x~=1.4", True),
            ("2.0", "x~=1.4", False),
        ],
    )
    def test_versions(self, found: str, need: str, well: bool) -> None:
        assert fits(found, need) == well

    def test_code_is_run_apart(self) -> None:
        assert run_python("print(1); print('last')") == (0, "last")
        status, said = run_python("import os; os.abort()")
        assert status < 0
        assert "crashed" in said
        assert run_python("raise ValueError('so')") == (1, "ValueError: so")


class TestPicamera2:
    def told(self, case: Case, said: tuple[int, str]) -> Finding:
        return next(iter(picamera2(case, lambda code: (0, "True") if "find_spec" in code else said)))

    def test_missing_is_a_fault_only_for_a_pi_camera(self) -> None:
        absent: Callable[[str], tuple[int, str]] = lambda code: (0, "False")  # noqa: E731
        assert only(picamera2(CASE, absent)).state is State.OK
        told = bad(only(picamera2(PI, absent)))
        assert told.state is State.FAULT
        assert "apt install python3-picamera2" in told.do
        assert "--system-site-packages" in told.do

    def test_built_for_another_numpy(self) -> None:
        """What Bookworm's says beside a numpy 2."""
        said = (
            "ValueError: numpy.dtype size changed, may indicate binary incompatibility. "
            "Expected 96 from C header, got 88 from PyObject"
        )
        told = bad(self.told(PI, (1, said)))
        assert told.state is State.FAULT
        assert "another numpy" in told.message
        assert "4.12" in told.do
        assert self.told(CASE, (1, said)).state is State.WARNING

    @pytest.mark.parametrize("said", ["ModuleNotFoundError: No module named 'libcamera'", "RuntimeError: odd"])
    def test_it_cannot_be_loaded(self, said: str) -> None:
        told = bad(self.told(PI, (1, said)))
        assert told.state is State.FAULT
        assert said in told.message

    def test_it_fits(self) -> None:
        told = self.told(PI, (0, "0.3.31"))
        assert told.state is State.OK
        assert told.message.startswith("0.3.31")


class TestModel:
    def test_it_reads(self) -> None:
        assert states(model(CASE))[0] in ("ok", "warning")

    def test_it_is_missing(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("vision.reader.DiceDetector", lambda: DiceDetector(tmp_path))
        told = bad(only(model(CASE)))
        assert told.state is State.FAULT
        assert "model" in told.message


class TestMachine:
    @pytest.mark.parametrize(("text", "state"), [("51000", "ok"), ("81500", "warning"), ("86000", "fault")])
    def test_heat(self, tmp_path: Path, text: str, state: str) -> None:
        (tmp_path / "temp").write_text(text)
        assert states(heat(CASE, tmp_path / "temp")) == [state]

    @pytest.mark.parametrize(("alarm", "state"), [("0", "ok"), ("1", "fault")])
    def test_voltage(self, tmp_path: Path, alarm: str, state: str) -> None:
        (tmp_path / "hwmon2").mkdir()
        (tmp_path / "hwmon2/name").write_text("rpi_volt\n")
        (tmp_path / "hwmon2/in0_lcrit_alarm").write_text(alarm)
        assert states(voltage(CASE, tmp_path)) == [state]

    @pytest.mark.parametrize(("kb", "state"), [(900_000, "ok"), (90_000, "warning")])
    def test_memory(self, tmp_path: Path, kb: int, state: str) -> None:
        (tmp_path / "meminfo").write_text(f"MemTotal: 1 kB\nMemAvailable:   {kb} kB\n")
        assert states(memory(CASE, tmp_path / "meminfo")) == [state]

    def test_a_machine_that_tells_nothing_is_well(self, tmp_path: Path) -> None:
        nothing = tmp_path / "nothing"
        for check in (heat, voltage, memory):
            assert states(check(CASE, nothing)) == ["ok"]

    def test_clock(self, tmp_path: Path) -> None:
        assert bad(only(clock(CASE, tmp_path, now=lambda: 0.0))).state is State.WARNING
        assert "confirmed by" in only(clock(CASE, tmp_path, now=lambda: 2e9)).message
        assert "not confirmed" in only(clock(CASE, tmp_path / "nothing", now=lambda: 2e9)).message


class TestStorage:
    def case(self, path: Path, **told: object) -> Case:
        return Case(Config().with_values(journal__file=str(path)), told)

    def test_a_new_place(self, tmp_path: Path) -> None:
        told = list(journal(self.case(tmp_path / "deep/er/journal.db"), tmp_path / "none"))
        assert states(told) == ["ok", "ok"]
        assert not (tmp_path / "deep").exists(), "looking makes nothing"

    def test_one_that_holds_games(self, tmp_path: Path) -> None:
        KeptJournal(tmp_path / "journal.db").close()
        assert "whole" in list(journal(self.case(tmp_path / "journal.db"), tmp_path / "none"))[-1].message

    def test_one_that_is_damaged(self, tmp_path: Path) -> None:
        (tmp_path / "journal.db").write_bytes(b"not a database at all, but long enough to be taken for one" * 20)
        told = bad(list(journal(self.case(tmp_path / "journal.db"), tmp_path / "none"))[-1])
        assert told.state is State.FAULT
        assert "damaged" in told.message

    def test_one_that_somebody_writes_is_looked_at_all_the_same(self, tmp_path: Path) -> None:
        kept = KeptJournal(tmp_path / "journal.db")
        told = list(journal(self.case(tmp_path / "journal.db"), tmp_path / "none"))
        kept.close()
        assert State.FAULT not in {finding.state for finding in told}

    def test_read_only(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*told: object, **more: object) -> None:
            raise OSError(30, "Read-only file system")

        monkeypatch.setattr("tempfile.TemporaryFile", refuse)
        told = bad(only(journal(self.case(tmp_path / "journal.db"))))
        assert told.state is State.FAULT
        assert "Read-only file system" in told.message
        assert "would not survive" in told.message

    @pytest.mark.parametrize(("mb", "state"), [(5, "fault"), (100, "warning"), (900, "ok")])
    def test_room(self, tmp_path: Path, mb: int, state: str) -> None:
        told = list(journal(self.case(tmp_path / "journal.db"), tmp_path / "none", lambda where: mb * 1024 * 1024))
        assert told[0].state.value == state

    @pytest.mark.parametrize("kind", ["tmpfs", "overlay"])
    def test_a_place_that_a_power_cut_empties(self, tmp_path: Path, kind: str) -> None:
        mounts = tmp_path / "mounts"
        mounts.write_text(f"/dev/root / ext4 rw 0 0\nx {tmp_path.resolve()} {kind} rw 0 0\n")
        told = list(journal(self.case(tmp_path / "journal.db"), mounts))
        assert any("a power cut takes the scores" in finding.message for finding in told)
        mounts.write_text(f"x / {kind} rw 0 0\n/dev/p3 {tmp_path.resolve()} ext4 rw 0 0\n")
        assert State.WARNING not in {finding.state for finding in journal(self.case(tmp_path / "journal.db"), mounts)}

    def test_what_the_running_one_says_of_it(self, tmp_path: Path) -> None:
        told = list(journal(self.case(tmp_path / "j.db", storage={"message": "the card is full"}), tmp_path / "none"))
        assert told[0] == fault("storage", "the card is full", told[0].do)

    def test_sqlite_is_not_written_to(self, tmp_path: Path) -> None:
        KeptJournal(tmp_path / "journal.db").close()
        before = (tmp_path / "journal.db").read_bytes()
        list(journal(self.case(tmp_path / "journal.db"), tmp_path / "none"))
        assert (tmp_path / "journal.db").read_bytes() == before
        assert sqlite3.connect(tmp_path / "journal.db").execute("PRAGMA quick_check").fetchone() == ("ok",)


class TestPort:
    def test_free(self) -> None:
        assert states(port(Case(Config().with_values(web__host="127.0.0.1", web__port=0)))) == ["ok"]

    def test_taken_by_another_program(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            config = Config().with_values(web__host="127.0.0.1", web__port=other.getsockname()[1])
            told = bad(only(port(Case(config))))
        assert told.state is State.FAULT
        assert "in use by another program" in told.message

    def test_taken_by_a_pietjesoog_that_runs(self) -> None:
        health = {"rules": "1", "camera": {}, "uptime_s": 600.0}
        asked: list[str] = []

        def ask(url: str) -> bytes:
            asked.append(url)
            return json.dumps(health).encode()

        told = running(Config(), ask)
        assert asked == ["http://127.0.0.1:8080/api/v1/health"]
        assert told == health
        assert "for 10 minutes" in only(port(Case(Config(), told))).message

    @pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"status": "up"}'])
    def test_another_program_that_answers_is_not_taken_for_ours(self, answer: bytes) -> None:
        assert running(Config(), lambda url: answer) == {}

    def test_nobody_answers(self) -> None:
        def refuse(url: str) -> bytes:
            raise ConnectionRefusedError

        assert running(Config(), refuse) == {}


class TestCommand:
    @pytest.fixture(autouse=True)
    def few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("device.commands.doctor.running", lambda config: {})

    def run(self, monkeypatch: pytest.MonkeyPatch, *findings: Finding, args: Iterable[str] = ()) -> int:
        monkeypatch.setattr("device.commands.doctor.examine", lambda case: iter(findings))
        return main(["doctor", *args])

    def test_all_is_well(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        warned = Finding("light", State.WARNING, "it is dim", "more light")
        assert self.run(monkeypatch, ok("python", "3.11"), warned) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].split() == ["ok", "python", "3.11"]
        assert lines[1].startswith("WARNING  light")
        assert lines[2].strip() == "→ more light"
        assert lines[-1] == "nothing is at fault, 1 warning"

    def test_a_fault_is_status_1(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run(monkeypatch, fault("camera", "gone", "plug it in"), args=["--json"]) == 1
        told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert told == [{"check": "camera", "state": "fault", "message": "gone", "do": "plug it in"}]

    def test_wrong_settings_are_a_fault_and_the_rest_is_looked_at(self, tmp_path: Path) -> None:
        (tmp_path / "bad.toml").write_text("[web]\nport = 99999\n")
        for path, words in ((tmp_path / "bad.toml", "web.port must be"), (tmp_path / "none.toml", "cannot be read")):
            told = next(found(path))
            assert told.state is State.FAULT
            assert words in told.message

    def test_the_settings_of_a_file_are_used(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "good.toml").write_text("[camera]\nkind = 'none'\n")
        seen: list[Config] = []
        monkeypatch.setattr(
            "device.commands.doctor.examine", lambda case: seen.append(case.config) or iter([ok("x", "y")])
        )
        assert main(["doctor", "--config", str(tmp_path / "good.toml")]) == 0
        assert seen[0].text("camera.kind") == "none"

    def test_what_was_set_on_the_page_goes_before_the_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told = tmp_path / "s.toml"
        told.write_text(f"[camera]\nkind = 'usb'\n[journal]\nfile = '{tmp_path}/j.db'\n")
        seen: list[Config] = []
        monkeypatch.setattr("device.commands.doctor.examine", lambda case: seen.append(case.config) or iter([]))
        monkeypatch.setattr("device.commands.doctor.running", lambda config: {})
        Chosen.beside(tmp_path / "j.db", load(told)).set(camera__kind="pi")
        assert [finding.state for finding in found(told)] == [State.OK]
        assert seen[0].text("camera.kind") == "pi"
        (tmp_path / "chosen.toml").write_text("= =")
        last = list(found(told))[-1]
        assert (last.state, str(tmp_path / "chosen.toml") in last.do) == (State.WARNING, True)

    def test_a_message_stays_on_its_line(self) -> None:
        assert in_words(fault("camera", "one\ntwo", "do\rthis")).count("\n") == 1

    @pytest.mark.slow
    def test_it_works_on_a_machine_without_anything(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "s.toml").write_text(
            f"[camera]\nkind = 'none'\n[web]\nport = 0\n[journal]\nfile = '{tmp_path}/j.db'\n"
        )
        status = main(["doctor", "--json", "--config", str(tmp_path / "s.toml")])
        told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        faults = [one for one in told if one["state"] == "fault"]
        assert (status, faults) == (0, []) or os.statvfs(tmp_path).f_bavail < 50_000
        assert {"python", "packages", "model", "storage", "port", "camera", "lights"} <= {one["check"] for one in told}
