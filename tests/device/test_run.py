"""The service as a process: killed at any moment it comes back the same; asked to stop it stops."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from device.commands.run import _set_aside
from device.journal import KeptJournal
from tests.waiting import PATIENCE_S, waited

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


class Running:
    """One `pietjesoog run` without a camera, on a free port, with its journal in `folder`."""

    def __init__(
        self, folder: Path, program: str = "from device.cli import main; import sys; main(sys.argv[1:])"
    ) -> None:
        config = folder / "p.toml"
        config.write_text(f'[camera]\nkind = "none"\n[journal]\nfile = "{folder / "journal.db"}"\n')
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, "run", "--config", str(config), "--host", "127.0.0.1", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        assert self.process.stdout is not None
        self.listen()

    def listen(self) -> None:
        """Hear where the page is, after a start."""
        assert self.process.stdout is not None
        while not (told := self.process.stdout.readline()).startswith("Pietjesoog: http"):
            assert told, "it ended without a word"
        self.address = told.split()[1].rstrip("/")
        self.code = told.partition("code=")[2][:6]

    def get(self, path: str) -> Any:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                with urllib.request.urlopen(self.address + path, timeout=PATIENCE_S) as answer:
                    return json.load(answer)
            except (urllib.error.URLError, ConnectionError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def post(self, event: dict[str, object]) -> Any:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.code}"}
        request = urllib.request.Request(self.address + "/api/v1/events", json.dumps(event).encode(), headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def has_stored(self) -> bool:
        """Whether all of it is on the disk; a slow one is told."""
        return bool(self.get("/api/v1/state")["storage"]["ok"])

    def stream_after(self, last: int, count: int) -> list[int]:
        """The first numbers that a page is told that was away since `last`."""
        request = urllib.request.Request(self.address + "/api/v1/stream", headers={"Last-Event-ID": str(last)})
        ids: list[int] = []
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as stream:
            while len(ids) < count:
                line = stream.readline().decode()
                if line.startswith("id: "):
                    ids.append(int(line[4:]))
        return ids

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(PATIENCE_S)


def shown(state: dict[str, Any]) -> dict[str, Any]:
    """What must come back; the eye begins anew."""
    return {key: value for key, value in state.items() if key not in ("eye", "storage", "refused")}


def test_after_kill_the_last_shown_state_is_back(tmp_path: Path) -> None:
    last: dict[str, Any] = {}
    for turn in range(3):
        running = Running(tmp_path)
        try:
            state = running.get("/api/v1/state")
            if turn:
                assert shown(state) == shown(last)
                assert len(running.get("/api/v1/history")["entries"]) == state["seq"]
                assert running.stream_after(state["seq"] - 2, 2) == [state["seq"] - 1, state["seq"]]
            else:
                state = running.post({**START, "seq": 0})
            for dice in ([1, 4, 5], [2, 2, 3], [6 - turn] * 3):
                last = running.post({"do": "throw", "dice": dice, "seq": state["seq"]})
                state = last
            assert waited(running.has_stored)
        finally:
            assert running.end(signal.SIGKILL) == -signal.SIGKILL


def test_a_leak_ends_in_a_fresh_program_with_the_same_scores(tmp_path: Path) -> None:
    """Same process, same arguments; only what had piled up is gone."""
    program = (
        "import sys, device.service as service; from pathlib import Path; from device.cli import main;"
        "service.LEAK_EVERY_S = 0.5; leaks = Path(sys.argv[3] + '.leaks'); is_fresh = service.started_anew()[0];"
        "service.leak = lambda: '950 MB of memory are in use' if leaks.exists() and not is_fresh else None;"
        "main(sys.argv[1:])"
    )
    running = Running(tmp_path, program)
    try:
        state = running.post({**START, "seq": running.get("/api/v1/state")["seq"]})
        before = running.post({"do": "throw", "dice": [1, 4, 5], "seq": state["seq"]})
        (tmp_path / "p.toml.leaks").touch()
        running.listen()
        assert shown(running.get("/api/v1/state")) == shown(before)
        assert running.get("/api/v1/health")["started_anew"] == {"count": 1, "why": "950 MB of memory are in use"}
        assert running.process.poll() is None
    finally:
        running.end(signal.SIGTERM)


def test_a_camera_chosen_on_the_page_is_looked_through_at_once(tmp_path: Path) -> None:
    """It was begun without one; the throw of the film is booked, and the next start looks through it by itself."""
    clip = str(Path(__file__).parents[1] / "data" / "throw_00001.mp4")
    program = (
        "import sys; from device.upkeep import Upkeep; from device.cli import main;"
        f"Upkeep.cameras = lambda self: [('none', 'auto', ''), ('recording', {clip!r}, 'a film')];"
        "main(sys.argv[1:])"
    )
    running = Running(tmp_path, program)
    try:
        assert running.get("/api/v1/health")["camera"]["state"] == "none"
        running.post({**START, "seq": running.get("/api/v1/state")["seq"]})
        page = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        for path, fields in (("pin", b"pin=2741&again=2741"), ("eye", b"camera=1")):
            assert page.open(f"{running.address}/device/{path}", fields, timeout=PATIENCE_S).status == 200
        assert waited(lambda: running.get("/api/v1/state")["throws"] > 0)
        assert running.get("/api/v1/state")["last"]["dice"] == [2, 4, 6]
        health = running.get("/api/v1/health")
        assert health["camera"]["frames"] > 0
        assert health["workers"]["the eye"]["ok"]
    finally:
        assert running.end(signal.SIGTERM) == 0
    running = Running(tmp_path, program)
    try:
        assert "the eye" in running.get("/api/v1/health")["workers"]
    finally:
        running.end(signal.SIGTERM)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_stops_soon_with_a_page_open(tmp_path: Path, how: signal.Signals) -> None:
    running = Running(tmp_path)
    running.get("/api/v1/state")
    with urllib.request.urlopen(running.address + "/api/v1/stream", timeout=PATIENCE_S) as stream:
        assert stream.readline().startswith(b"retry")
        began = time.monotonic()
        assert running.end(how) == 0
        assert time.monotonic() - began < PATIENCE_S / 4  # two seconds where nothing else runs


def test_a_damaged_journal_is_told_at_the_start(tmp_path: Path) -> None:
    assert _set_aside(KeptJournal(tmp_path / "well.db")) is None
    (tmp_path / "j.db").write_bytes(b"no database at all" * 100)
    journal = KeptJournal(tmp_path / "j.db")
    sentence = _set_aside(journal)
    journal.close()
    assert sentence is not None
    assert "j.db.damaged-1" in sentence


@pytest.mark.parametrize("port", ["abc", "-1", "70000", "1.5", "", "²"])
def test_a_port_that_is_none_is_wrong_usage(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["run", "--port", port])
    assert stop.value.code == 2
    assert "a port is a whole number up to 65535" in capsys.readouterr().err


def test_told_twice_to_stop_it_still_ends_cleanly(tmp_path: Path) -> None:
    running = Running(tmp_path)
    running.get("/api/v1/state")
    running.process.send_signal(signal.SIGTERM)
    time.sleep(0.02)  # the kernel makes one of two that wait
    assert running.end(signal.SIGTERM) == 0
