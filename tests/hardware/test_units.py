"""The units and the installer's scripts, as systemd and shellcheck see them."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SERVICE = ROOT / "hardware/service"
UNITS = sorted(path.name for path in SERVICE.glob("*.service"))
SANDBOXED = ("pietjesoog.service", "pietjesoog-network.service")
MOST_EXPOSED = 25  # tenths, of systemd's 0 (safe) to 100 (exposed)
SCRIPTS = sorted(
    {
        ROOT / "hardware/install.sh",
        *ROOT.glob("*.sh"),
        *ROOT.glob("hardware/*.sh"),
        *ROOT.glob("hardware/image/*.sh"),
        *ROOT.glob("hardware/service/update.sh"),
        *ROOT.glob("hardware/firmware/*.sh"),
        *ROOT.glob("tests/lab/*.sh"),
        *ROOT.glob("tests/lab/*/*.sh"),
        ROOT / ".ci/run",
    }
)
NO_WONDER = "SC2016"  # a dollar between single quotes is apt's, awk's or an inner shell's
needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing: apt-get install systemd"
)
needs_shellcheck = pytest.mark.skipif(
    shutil.which("shellcheck") is None, reason="shellcheck is missing: apt-get install shellcheck"
)


def told(unit: str) -> configparser.ConfigParser:
    """A unit's lines; of a key that stands there several times the last."""
    read = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    read.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their capitals
    read.read(SERVICE / unit)
    return read


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with the units in place, and something to run behind each command."""
    root = tmp_path_factory.mktemp("root")
    system = root / "usr/lib/systemd/system"
    system.parent.mkdir(parents=True)
    shutil.copytree("/usr/lib/systemd/system", system, symlinks=True)
    stub = "[Service]\nExecStart=/usr/bin/python3\n"
    (system / "NetworkManager.service").write_text(stub)
    etc = root / "etc/systemd/system"
    etc.mkdir(parents=True)
    for path in SERVICE.iterdir():
        if path.suffix in (".service", ".path"):
            shutil.copy(path, etc)
    commands = {told(unit)["Service"]["ExecStart"].split()[0] for unit in UNITS} | {"/usr/bin/python3"}
    for command in commands:
        path = root / command.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    return root


def verified(root: Path, *units: str) -> str:
    done = subprocess.run(
        ["systemd-analyze", "verify", f"--root={root}", "--man=no", *units], capture_output=True, text=True
    )
    return done.stdout + done.stderr


@needs_systemd
def test_systemd_has_nothing_to_say_about_them(installed: Path) -> None:
    # it exits 0 on a misspelt key, so anything it says is a fault
    assert verified(installed, *UNITS, *(path.name for path in SERVICE.glob("*.path"))) == ""


@needs_systemd
def test_it_would_say_something(installed: Path) -> None:
    wrong = installed / "etc/systemd/system/wrong.service"
    wrong.write_text((SERVICE / UNITS[0]).read_text("utf-8").replace("Restart=", "Restrat="))
    assert "Restrat" in verified(installed, "wrong.service")
    wrong.unlink()


@needs_systemd
@pytest.mark.parametrize("unit", SANDBOXED)
def test_little_is_exposed(unit: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager", SERVICE / unit],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_whatever_ends_comes_back(unit: str) -> None:
    lines = told(unit)
    if lines["Service"]["Type"] == "oneshot":
        return
    assert lines["Unit"]["StartLimitIntervalSec"] == "0"
    assert lines["Service"]["Restart"] == "always"


def test_the_watchdog_waits_longer_than_the_service_beats() -> None:
    from device.service import BEAT_S

    service = told("pietjesoog.service")["Service"]
    assert service["Type"] == "notify"
    assert float(service["WatchdogSec"]) >= 5 * BEAT_S
    assert float(service["TimeoutStopSec"]) >= 2


def test_it_needs_no_root_and_one_port() -> None:
    service = told("pietjesoog.service")["Service"]
    assert service["User"] == "pietjesoog"
    assert service["AmbientCapabilities"] == service["CapabilityBoundingSet"] == "CAP_NET_BIND_SERVICE"
    assert "SupplementaryGroups" not in service, "a missing group stops the unit: the installer adds those there are"


@needs_shellcheck
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_shellcheck_has_nothing_to_say(script: Path) -> None:
    done = subprocess.run(["shellcheck", "-x", "-a", "-e", NO_WONDER, script], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout + done.stderr == ""


def test_the_installer_explains_itself_and_refuses_in_one_sentence() -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", ROOT / "hardware/install.sh", *words], capture_output=True, text=True)

    helped = run("--help")
    assert helped.returncode == 0
    assert "examples:" in helped.stdout
    for words in (["--port", "0"], ["--port", "x"], ["--port"], ["--build", "castle"], ["--name", "-a"], ["--forget"]):
        refused = run(*words)
        assert refused.returncode == 2, words
        assert refused.stderr.startswith("pietjesoog: "), refused.stderr
        assert refused.stderr.count("\n") == 1
