"""A little of each slow check, so that none of them rots: kills, soak, random input."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.weeks import fuzz, kills, soak


def test_ten_kills_lose_nothing() -> None:
    command = [sys.executable, "-m", "tests.weeks.kills", "--seed", "4", "--kills", "10", "--torn", "3"]
    done = subprocess.run(  # of its own: it forks, and threads of other tests do not fork with it
        [*command, "--longest", "0.8"], cwd=kills.ROOT, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["kills"] == 10
    assert sum(told["torn"].values()) == 3


def test_a_game_that_was_doubled_would_be_found() -> None:
    """The judge is judged: what was told before is not there any more, or a throw is there twice."""
    play = kills.Play.__new__(kills.Play)
    play.acknowledged, play.thrown, play.running = [{"seq": 1, "event": {"do": "start"}}], [], None  # type: ignore[assignment]
    play._compared = None

    class Lost:
        def get(self, path: str) -> dict[str, object]:
            return {"entries": []}

    with pytest.raises(kills.Wrong, match="lost"):
        play._compare(Lost(), {"seq": 0, "storage": {"ok": True}})  # type: ignore[arg-type]

    class Doubled:
        def get(self, path: str) -> dict[str, object]:
            throw = {"do": "throw", "dice": [1, 4, 5]}
            return {"entries": [{"seq": n, "event": throw} for n in (1, 2)]}

    play.acknowledged, play.thrown = [], [(1, 4, 5)]
    with pytest.raises(kills.Wrong, match="booked"):
        play._compare(Doubled(), {"seq": 2, "storage": {"ok": True}})  # type: ignore[arg-type]


def test_a_short_soak_plays_and_measures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "MOST_SLOPE_MB", 40.0)  # so few frames are still warming up
    assert soak.main(["--frames", "320", "--throws", "10"]) == 0, capsys.readouterr().out
    told = json.loads(capsys.readouterr().out.splitlines()[0])
    assert told["frames"] == 320
    assert told["throws"] >= 10


def test_growth_is_seen() -> None:
    steady = [soak.Measured(n * 500, 100.0 + n % 3, 20, 30, 0) for n in range(60)]
    leaking = [soak.Measured(n * 500, 100.0 + n * 0.2, 20, 30 + n, 0) for n in range(60)]
    assert abs(soak.grown(steady)["mb"]) < 1.0
    assert soak.grown(leaking)["mb"] > soak.MOST_SLOPE_MB
    assert soak.grown(leaking)["files"] > 2.0


@pytest.mark.parametrize("door", list(fuzz.DOORS))
def test_random_input_at_every_door(door: str) -> None:
    told = fuzz.knock(door, 60 if door == "requests" else 800, seed=11)
    assert told["count"]


def test_a_fault_while_a_filmed_game_plays() -> None:
    command = [sys.executable, "-m", "tests.weeks.faults", "--only", "read-only", "--within", "90"]
    done = subprocess.run(command, cwd=kills.ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert list(told["named_s"]) == ["disk read-only"]
