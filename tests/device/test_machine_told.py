"""What the machine tells of itself, and what is said where it tells nothing; faults by name; the log in memory."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from device.config import LANGUAGES
from device.faults import MOST, FaultWatch, ailing
from device.log_ring import MOST_LETTERS, LogRing
from device.machine import Supply, model, room, throttled, up_s
from device.wording import wording


class TestMachine:
    def test_a_machine_that_tells_nothing_is_not_guessed_at(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        assert (up_s(tmp_path / "none"), model(tmp_path / "none"), throttled()) == (None, None, None)
        assert set(Supply().told().values()) == {None}

    def test_what_it_tells_is_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "uptime").write_text("350735.47 234388.90\n")
        (tmp_path / "model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
        command = tmp_path / "vcgencmd"
        command.write_text("#!/bin/sh\necho throttled=0x50000\n")
        command.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
        assert up_s(tmp_path / "uptime") == 350735.47
        assert model(tmp_path / "model") == "Raspberry Pi 4 Model B Rev 1.4"
        assert throttled() == 0x50000
        assert Supply().told() == {"under_voltage_now": False, "under_voltage_seen": True, "slowed": False}

    @pytest.mark.parametrize("says", ["exit 1", "echo nonsense", "echo throttled=", "echo throttled=0xZZ"])
    def test_a_firmware_that_stammers_is_one_that_tells_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str
    ) -> None:
        (tmp_path / "vcgencmd").write_text(f"#!/bin/sh\n{says}\n")
        (tmp_path / "vcgencmd").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
        assert throttled() is None

    def test_the_firmware_is_not_asked_all_the_time(self) -> None:
        times, asked = iter([0.0, 0.0, 1.0, 19.0, 21.0, 21.0]), list[int]()

        def ask() -> int:
            asked.append(1)
            return 0

        supply = Supply(ask, clock=lambda: next(times))
        for expected in (1, 1, 1, 2):
            supply.told()
            assert len(asked) == expected

    def test_room_is_told_for_a_folder_that_is_not_there_yet(self, tmp_path: Path) -> None:
        told = room(tmp_path / "not" / "yet")
        assert told is not None
        assert isinstance(told["free_mb"], int)
        assert 0 < told["free_mb"] <= told["total_mb"]  # type: ignore[operator]


class TestFaults:
    def test_a_fault_has_a_beginning_and_an_end(self) -> None:
        now, health = 10.0, dict[str, Any]()
        watch = FaultWatch(lambda: health, clock=lambda: now)
        watch.look()
        assert watch.faults() == ()
        health["camera"] = {"state": "lost", "trouble": "silent"}
        watch.look()
        now = 12.0
        watch.look()
        health["lights"] = {"ok": False, "trouble": "lights_unplugged", "message": "the cable"}
        now = 15.0
        watch.look()
        health["camera"] = {"state": "waiting", "trouble": None}
        now = 18.0
        watch.look()
        told = [(fault.section, fault.key, fault.began, fault.ended) for fault in watch.faults()]
        assert told == [("fault", "lights_unplugged", 15.0, None), ("trouble", "silent", 10.0, 18.0)]
        assert watch.told()[1] == {"fault": "silent", "message": None, "began_s_ago": 8.0, "ended_s_ago": 0.0}

    def test_only_so_many_are_held(self) -> None:
        now, health = 0.0, dict[str, Any]()
        watch = FaultWatch(lambda: health, clock=lambda: now)
        for n in range(2 * MOST + 5):
            health["sound"] = {"ok": n % 2 == 0, "trouble": f"t{n}"}
            watch.look()
        assert len(watch.faults()) == MOST

    def test_all_that_can_ail_has_its_words(self) -> None:
        health = {
            "camera": {"state": "board_moved", "trouble": "board_moved"},
            "storage": {"ok": False, "message": "full"},
            "machine": {"hot": True, "under_voltage_now": True, "disk": {"ok": False}},
            **{part: {"ok": False, "trouble": f"{part}_failed"} for part in ("lights", "display", "sound")},
        }
        names = [name for name, _ in ailing(health)]
        assert len(names) == 8
        for section, key in names:
            assert all(wording(language).has(section, key) for language in LANGUAGES), (section, key)

    def test_a_health_that_stumbles_ends_nothing(self) -> None:
        def broken() -> dict[str, Any]:
            raise RuntimeError("no")

        watch = FaultWatch(broken)
        watch.start()
        watch.close()
        watch.close()
        assert watch.health()["ok"]


class TestLog:
    @pytest.fixture
    def ring(self) -> LogRing:
        return LogRing(5, wall=lambda: "noon")

    def say(self, ring: LogRing, message: str, *args: object, **more: object) -> None:
        ring.handle(logging.makeLogRecord({"msg": message, "args": args, "name": "p", "levelname": "INFO", **more}))

    def test_the_last_lines_without_the_code(self, ring: LogRing) -> None:
        for n in range(9):
            self.say(ring, "line %d", n)
        self.say(ring, "the table's code is now %s, at http://x/play?code=%s or 482 913", "482913", "650027")
        lines = ring.lines()
        assert len(lines) == 5
        assert lines[0] == "noon INFO p: line 5"
        for secret in ("482913", "650027", "482 913"):
            assert secret not in lines[-1]
        assert "port 8080 and 1234567" in self._last(ring, "port %d and %d", 8080, 1234567)

    def test_a_name_breaks_no_line_and_none_is_endless(self, ring: LogRing) -> None:
        assert "\n" not in self._last(ring, "%s joined", "An\n2030 ERROR p: all is lost\x1b[2J")
        assert "\\n2030 ERROR" in ring.lines()[-1]
        assert len(self._last(ring, "x" * 10_000)) == MOST_LETTERS

    def test_what_cannot_be_written_is_a_line_all_the_same(self, ring: LogRing) -> None:
        assert "could not be written" in self._last(ring, "%d", "no number")

    def test_a_stumble_has_its_trace(self, ring: LogRing) -> None:
        try:
            raise ValueError("oops")
        except ValueError as fault:
            self.say(ring, "stumbled", exc_info=(type(fault), fault, fault.__traceback__))
        assert ring.lines()[-1] == "noon INFO p: ValueError: oops"

    def _last(self, ring: LogRing, message: str, *args: object) -> str:
        self.say(ring, message, *args)
        return ring.lines()[-1]
