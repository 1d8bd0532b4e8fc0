"""Upgrades: the new release stays when it is well, else the one before runs again with the scores."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hardware.service.releases import COMPLETE, KEPT, UNITS, Releases, main, schema


class Machine:
    """systemd and the page of whichever release runs; seconds pass when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked: list[str] = []
        self.started = 0.0
        self.ill: set[str] = set()  # releases that never answer
        self.restless: set[str] = set()  # those that start anew every five seconds
        self.seq = 12
        self.releases: Releases

    def control(self, *words: str) -> bool:
        self.asked.append(" ".join(words))
        if words[0] == "restart":
            self.started = self.now
        return words[0] != "is-active"

    def ask(self, url: str) -> Mapping[str, Any]:
        runs = self.releases.current()
        if not runs or runs in self.ill:
            raise ConnectionRefusedError("nobody listens")
        up = self.now - self.started
        return {"seq": self.seq, "uptime_s": up % 5 if runs in self.restless else up}

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def releases(tmp_path: Path, machine: Machine) -> Releases:
    made = Releases(
        tmp_path / "opt",
        tmp_path / "state",
        tmp_path / "units",
        control=machine.control,
        ask=machine.ask,
        clock=lambda: machine.now,
        sleep=machine.sleep,
    )
    machine.releases = made
    made.state.mkdir()
    for number, name in enumerate(("0.1", "0.2", "0.3", "0.4", "0.5")):
        folder = made.folder(name)
        (folder / "service").mkdir(parents=True)
        for unit in UNITS:
            (folder / "service" / unit).write_text(f"# {unit} of {name}\n")
        (folder / COMPLETE).touch()
        os.utime(folder / COMPLETE, (1000 + number, 1000 + number))
    return made


def journal(releases: Releases, version: int, scores: str) -> None:
    with closing(sqlite3.connect(releases.state / "journal.db")) as made:
        made.execute("CREATE TABLE IF NOT EXISTS scores (told)")
        made.execute("DELETE FROM scores")
        made.execute("INSERT INTO scores VALUES (?)", (scores,))
        made.execute(f"PRAGMA user_version={version}")
        made.commit()


def scores(path: Path) -> str:
    with closing(sqlite3.connect(path)) as opened:
        return str(opened.execute("SELECT told FROM scores").fetchone()[0])


def test_the_first_one_needs_no_settling(releases: Releases) -> None:
    releases.switch("0.1")
    assert releases.current() == "0.1"
    assert not releases.trying.exists()
    assert (releases.units / UNITS[0]).read_text() == f"# {UNITS[0]} of 0.1\n"
    assert releases.settle()


def test_a_well_one_stays_and_old_ones_go(releases: Releases, machine: Machine) -> None:
    for name in ("0.1", "0.2", "0.3", "0.4", "0.5"):
        releases.switch(name)
        assert releases.settle(), name
        assert not releases.trying.exists()
    assert releases.current() == "0.5"
    assert releases.names() == ["0.3", "0.4", "0.5"]
    assert len(releases.names()) == KEPT
    assert (releases.units / UNITS[0]).read_text() == f"# {UNITS[0]} of 0.5\n"


@pytest.mark.parametrize("fault", ["ill", "restless"])
def test_one_that_does_not_come_up_gives_way(releases: Releases, machine: Machine, fault: str) -> None:
    journal(releases, 1, "eight strokes")
    releases.switch("0.1")
    getattr(machine, fault).add("0.2")
    releases.switch("0.2")
    assert not releases.settle()
    assert releases.current() == "0.1"
    assert (releases.units / UNITS[0]).read_text() == f"# {UNITS[0]} of 0.1\n"
    assert machine.asked[-3:-1] == ["daemon-reload", "restart pietjesoog.service"]
    assert scores(releases.state / "journal.db") == "eight strokes"
    assert json.loads(releases.refused.read_text())["release"] == "0.2"
    assert releases.settle(), "that is settled"


def test_one_that_forgot_scores_gives_way(releases: Releases, machine: Machine) -> None:
    releases.switch("0.1")
    releases.switch("0.2")
    machine.seq = 11
    assert not releases.settle()
    assert "11 of 12" in json.loads(releases.refused.read_text())["why"]


def test_a_journal_that_the_new_one_changed_is_put_back(releases: Releases, machine: Machine) -> None:
    journal(releases, 1, "eight strokes")
    releases.switch("0.1")
    machine.ill.add("0.2")
    releases.switch("0.2")
    journal(releases, 2, "in another form")
    assert not releases.settle()
    assert schema(releases.state / "journal.db") == 1
    assert scores(releases.state / "journal.db") == "eight strokes"
    assert scores(releases.state / "by-0.2.journal.db") == "in another form", "what the new one wrote is kept too"


def test_what_the_new_one_booked_stays_where_the_old_one_can_read_it(releases: Releases, machine: Machine) -> None:
    journal(releases, 1, "eight strokes")
    releases.switch("0.1")
    machine.ill.add("0.2")
    releases.switch("0.2")
    journal(releases, 1, "seven strokes")
    assert not releases.settle()
    assert scores(releases.state / "journal.db") == "seven strokes"


def test_a_power_cut_before_the_link_leaves_the_old_one(releases: Releases, machine: Machine) -> None:
    releases.switch("0.1")

    def cut(name: str) -> None:
        raise KeyboardInterrupt

    whole, releases._put = releases._put, cut  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        releases.switch("0.2")
    releases._put = whole  # type: ignore[method-assign]
    assert releases.current() == "0.1"
    assert releases.settle()
    assert not releases.trying.exists()


def test_a_power_cut_after_the_link_is_settled_at_the_next_start(releases: Releases, machine: Machine) -> None:
    releases.switch("0.1")
    machine.ill.add("0.2")
    releases.switch("0.2")
    again = Releases(
        releases.home,
        releases.state,
        releases.units,
        control=machine.control,
        ask=machine.ask,
        clock=lambda: machine.now,
        sleep=machine.sleep,
    )
    assert not again.settle()
    assert again.current() == "0.1"


def test_the_way_back_leads_to_the_last_one_known_to_be_well(releases: Releases, machine: Machine) -> None:
    journal(releases, 1, "eight strokes")
    releases.switch("0.1")
    releases.switch("0.2")
    journal(releases, 2, "in another form")
    machine.ill.add("0.3")
    releases.switch("0.3")  # 0.2 was never settled
    assert not releases.settle()
    assert releases.current() == "0.1"
    assert scores(releases.state / "journal.db") == "eight strokes"


def test_a_unit_that_is_gone_is_put_back(releases: Releases, machine: Machine) -> None:
    releases.switch("0.1")
    machine.asked.clear()
    releases.switch("0.1")
    assert machine.asked == [], "nothing to do, nothing restarted"
    (releases.units / UNITS[0]).unlink()
    releases.switch("0.1")
    assert (releases.units / UNITS[0]).exists()


@pytest.mark.parametrize("torn", ["", "{", '{"release": "0.2"}', '{"release": "0.2", "before": "0.1", "seq": null}'])
def test_a_torn_note_keeps_what_runs(releases: Releases, torn: str) -> None:
    releases.switch("0.1")
    releases.trying.write_text(torn)
    assert releases.settle()
    assert releases.current() == "0.1"


def test_the_page_is_asked_on_the_port_of_the_settings(releases: Releases, machine: Machine) -> None:
    asked: list[str] = []
    whole = releases.ask
    releases.ask = lambda url: (asked.append(url), whole(url))[1]
    (releases.state / "pietjesoog.toml").write_text("[web]\nport = 80\n")
    releases.switch("0.1")
    releases.switch("0.2")
    releases.settle()
    assert set(asked) == {"http://127.0.0.1:80/api/v1/health"}


def test_what_cannot_be_is_one_sentence(releases: Releases, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["switch", "9.9"], releases) == 2
    (releases.folder("0.3") / COMPLETE).unlink()
    assert main(["switch", "0.3"], releases) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert main(["nonsense"], releases) == 2
    assert releases.current() == ""


def test_it_tells_what_is_there(releases: Releases, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["switch", "0.2"], releases) == 0
    assert main(["list"], releases) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["0.1", "0.2  runs"]


def test_what_an_installation_left_half_done_goes_before_the_next(releases: Releases) -> None:
    releases.folder("half").mkdir()
    kept = releases.names()
    script = f"OPT={releases.home}; . hardware/service/release.sh; forget_incomplete"
    subprocess.run(["sh", "-euc", script], cwd=Path(__file__).parents[2], check=True)
    assert kept
    assert sorted(path.name for path in (releases.home / "releases").iterdir()) == sorted(kept)
