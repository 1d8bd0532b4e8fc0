"""The command itself: streams that are closed, full or know only ASCII, and faults told in one sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from device import cli
from device.cli import main
from device.commands import config as command
from device.one_line import one_line
from tests.waiting import PATIENCE_S

PIETJESOOG = f"{sys.executable} -m device.cli"


def shell(line: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, timeout=PATIENCE_S, env={**os.environ, **env}, check=False
    )


@pytest.mark.parametrize("closed", [">&-", "<&-"])
@pytest.mark.parametrize("args", ["config", "score --json"])
def test_a_closed_stream_is_no_fault(args: str, closed: str) -> None:
    done = shell(f"{PIETJESOOG} {args} </dev/null {closed}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("args", ["config", "rules pietjesbak"])
def test_a_reader_that_went_away_is_no_fault(args: str) -> None:
    done = shell(f"({PIETJESOOG} {args}; echo $? >&2) | true")
    assert done.stderr == "0\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_output_that_is_full_is_one_sentence() -> None:
    done = shell(f"{PIETJESOOG} config > /dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith("pietjesoog config: ")
    assert done.stderr.count("\n") == 1


def test_an_output_that_knows_only_ascii_gets_escapes() -> None:
    done = shell(f"{PIETJESOOG} config", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "\\u2026" in done.stdout


def test_a_library_that_is_missing_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> None:
        raise ImportError("libGL.so.1: cannot open shared object file")

    monkeypatch.setattr("device.cli.importlib.import_module", missing)
    assert main(["read", "a.jpg"]) == 2
    error = capsys.readouterr().err
    assert "libGL.so.1" in error
    assert error.count("\n") == 1


def test_ctrl_c_while_libraries_load_ends_the_command_without_a_word() -> None:
    program = """
import importlib, signal, sys, threading
from device import cli
signal.signal(signal.SIGINT, signal.default_int_handler)
def load(name):
    print("loading", flush=True)
    threading.Event().wait(600)
importlib.import_module = load
sys.exit(cli.main(["read", "a.jpg"]))
"""
    args = [sys.executable, "-c", program]
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"loading" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, error) == (-signal.SIGINT, b"")


def test_opencv_says_nothing_of_a_broken_picture(tmp_path: Path) -> None:
    (tmp_path / "cut.ppm").write_bytes(b"P6 40 30 255 ...")
    done = shell(f"{PIETJESOOG} read --json {tmp_path / 'cut.ppm'}")
    assert (done.returncode, done.stderr) == (2, "")
    assert '"broken"' in done.stdout


def test_a_fault_of_its_own_is_told_and_raised_where_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stumble(config: object) -> str:
        raise ValueError("what nobody\nexpected")

    monkeypatch.setattr(command, "printed", stumble)
    assert main(["config"]) == 2
    assert "ValueError: what nobody\\nexpected" in capsys.readouterr().err
    monkeypatch.setenv(cli.TRACE, "1")
    with pytest.raises(ValueError, match="nobody"):
        main(["config"])


def test_a_name_never_breaks_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "no\n\x1b[31mfile"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "pietjesoog score: cannot read no\\n\\x1b[31mfile: No such file or directory"
    ]


@pytest.mark.parametrize(
    ("text", "told"), [("é ☃ 🎲", "é ☃ 🎲"), ("\udcff", "\\udcff"), ("\u202eabc", "\\u202eabc"), ("\u2028", "\\u2028")]
)
def test_one_line_keeps_what_can_be_seen(text: str, told: str) -> None:
    assert one_line(text) == told


@pytest.mark.parametrize("option", ["--html", "--png"])
@pytest.mark.parametrize("out", [".", "no/such/folder/sheet"])
def test_a_sheet_that_cannot_be_written_is_told_before_an_hour_of_reading(
    option: str, out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("device.commands.evaluate.load_labels", lambda folder: pytest.fail("it began to read"))
    assert main(["evaluate", option, str(tmp_path / out), str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "cannot be written" in error
    assert error.count("\n") == 1
