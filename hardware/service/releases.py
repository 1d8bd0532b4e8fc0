"""Which release runs: puts a new one in place, watches it come up, and goes back where it does not.

    python3 releases.py switch ID        # ID: a folder of /opt/pietjesoog/releases; keeps what it needs to go back
    python3 releases.py settle           # waits until the new one is well; else the one before runs again
    python3 releases.py list

Run as root by hardware/install.sh, and at each start of the machine while a switch is unsettled: a power cut in the
middle of an upgrade ends in one version or the other. Standard library only, since it must run when nothing else does.
Exit status: 0 done; 1 it went back; 2 nothing could be done.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

UNITS = ("pietjesoog.service", "pietjesoog-settle.service", "pietjesoog-network.service", "pietjesoog-kiosk.service")
SERVICE = UNITS[0]
COMPLETE = ".complete"
WELL_S = 15.0  # a release that serves for so long without a restart is well
PATIENCE_S = 120.0  # a Pi from a slow card needs half of that
KEPT = 3  # releases that stay on the disk
Ask = Callable[[str], Mapping[str, Any]]


class CannotSwitch(RuntimeError):
    """What keeps a release from being put in place, in one sentence."""


def asked(url: str) -> Mapping[str, Any]:
    """The JSON that this address answers; raises OSError or ValueError."""
    with urllib.request.urlopen(url, timeout=3) as answer:  # the service itself, on the loopback
        told = json.loads(answer.read(1 << 20))
    if not isinstance(told, Mapping):
        raise ValueError("no object")
    return told


def systemctl(*words: str) -> bool:
    """Whether systemd did it; without a running systemd (an image being built) nothing is asked of it."""
    if not Path("/run/systemd/system").is_dir():
        return True
    return subprocess.run(["systemctl", *words], stdout=subprocess.DEVNULL).returncode == 0


@dataclass
class Releases:
    """The releases under `home`, what they keep in `state`, their units in `units`."""

    home: Path = Path("/opt/pietjesoog")
    state: Path = Path("/var/lib/pietjesoog")
    units: Path = Path("/etc/systemd/system")
    control: Callable[..., bool] = systemctl
    ask: Ask = asked
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    tell: Callable[[str], None] = field(default=lambda sentence: print(f"pietjesoog: {sentence}", file=sys.stderr))

    @property
    def trying(self) -> Path:
        """There while a switch is not settled: what to go back to."""
        return self.home / "trying.json"

    @property
    def refused(self) -> Path:
        """Which release was given up, and why; for `install.sh --check`."""
        return self.home / "refused.json"

    def folder(self, name: str) -> Path:
        return self.home / "releases" / name

    def current(self) -> str:
        """The release that runs, '' for none."""
        try:
            return Path(os.readlink(self.home / "current")).name
        except OSError:
            return ""

    def names(self) -> list[str]:
        """Complete ones, the oldest first."""
        found = [path.parent for path in self.home.glob(f"releases/*/{COMPLETE}")]
        return [path.name for path in sorted(found, key=lambda path: (path / COMPLETE).stat().st_mtime)]

    # -- switching

    def switch(self, name: str) -> None:
        """`name` runs from now on, unsettled where another ran before; raises `CannotSwitch`."""
        if not (self.folder(name) / COMPLETE).exists():
            raise CannotSwitch(f"there is no complete release {name}")
        before = self.current()
        if before == name:
            if not self._has_units(name):
                self._put(name)
            return
        if before:
            seq = self._seq()
            self.control("stop", SERVICE)
            if (note := self._note()) is not None and note["release"] == before:
                note["release"] = (
                    name  # the one that runs was never settled: what is known to be well stays the way back
                )
            else:
                self._keep_scores()
                note = {"release": name, "before": before, "seq": seq, "schema": schema(self.state / "journal.db")}
            write(self.trying, json.dumps(note))
        self._put(name)

    def settle(self) -> bool:
        """Whether the release being tried stays; else the one before runs again. True where none is tried."""
        note = self._note()
        if note is None or self.current() != note["release"]:
            self.trying.unlink(missing_ok=True)  # torn, or cut before the link was set: the one before runs
            return True
        why = self._ill(note["seq"])
        if why is None:
            self.trying.unlink()
            self.refused.unlink(missing_ok=True)
            self._forget_old()
            return True
        self._go_back(note["before"], note["release"], why, note["schema"])
        return False

    # -- inside

    def _note(self) -> dict[str, Any] | None:
        """What is being tried, and what to go back to; None for nothing, or a torn note."""
        try:
            told = json.loads(self.trying.read_text("utf-8"))
            texts = {key: str(told[key]) for key in ("release", "before")}
            return {**texts, "seq": int(told["seq"]), "schema": int(told["schema"])}
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def _has_units(self, name: str) -> bool:
        def held(path: Path) -> str:
            return path.read_text("utf-8") if path.exists() else ""

        return all(held(self.units / unit) == held(self.folder(name) / "service" / unit) for unit in UNITS)

    def _put(self, name: str) -> None:
        """Units first, then the link in one step."""
        self.units.mkdir(parents=True, exist_ok=True)
        for unit in UNITS:
            write(self.units / unit, (self.folder(name) / "service" / unit).read_text("utf-8"))
        fresh = self.home / "current.new"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(f"releases/{name}")
        fresh.replace(self.home / "current")
        sync(self.home)
        self.control("daemon-reload")
        self.control("restart", SERVICE)
        if self.control("is-active", "--quiet", "pietjesoog-network.service"):
            self.control("restart", "pietjesoog-network.service")

    def _go_back(self, before: str, given_up: str, why: str, old_schema: int) -> None:
        self.control("stop", SERVICE)
        journal = self.state / "journal.db"
        if schema(journal) != old_schema:  # the new one changed the file: the old one cannot read it
            self._restore(given_up)
        write(self.refused, json.dumps({"release": given_up, "why": why}))
        self._put(before)
        self.trying.unlink(missing_ok=True)
        self.tell(f"{given_up} did not come up well ({why}); {before} runs again, with the scores")

    def _keep_scores(self) -> None:
        """A copy of the journal as the old release left it; the service is stopped."""
        kept = self.state / "before-upgrade"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True, exist_ok=True)
        for path in self.state.glob("journal.db*"):
            if path.is_file():
                shutil.copy2(path, kept / path.name)
                _own_as(path, kept / path.name)
        _own_as(self.state, kept)
        sync(kept)

    def _restore(self, given_up: str) -> None:
        """The old journal back, the newer one kept beside it under the name of who wrote it."""
        for path in list(self.state.glob("journal.db*")):
            if path.is_file():
                path.rename(self.state / f"by-{given_up}.{path.name}")
        for path in (self.state / "before-upgrade").glob("journal.db*"):
            shutil.copy2(path, self.state / path.name)
            _own_as(path, self.state / path.name)
        sync(self.state)

    def _ill(self, seq: int) -> str | None:
        """None once the service is well, else what is wrong with it after `PATIENCE_S`."""
        end, why = self.clock() + PATIENCE_S, "its page does not answer"
        while self.clock() < end:
            try:
                health = self.ask(f"{self._page()}/api/v1/health")
                now = int(health["seq"])
            except (OSError, ValueError, TypeError, KeyError):
                why = "its page does not answer"
            else:
                if now < seq:
                    why = f"it knows {now} of {seq} events"
                elif float(health.get("uptime_s", 0)) >= WELL_S:
                    return None
                else:
                    why = f"it does not run for {WELL_S:g} seconds without starting anew"
            self.sleep(1.0)
        return why

    def _seq(self) -> int:
        """How many events the running release knows, 0 where none answers."""
        try:
            return int(self.ask(f"{self._page()}/api/v1/health")["seq"])
        except (OSError, ValueError, TypeError, KeyError):
            return 0

    def _page(self) -> str:
        try:
            told = tomllib.loads((self.state / "pietjesoog.toml").read_text("utf-8"))
            port = int(told["web"]["port"])
        except (OSError, ValueError, TypeError, KeyError):
            port = 8080
        return f"http://127.0.0.1:{port}"

    def _forget_old(self) -> None:
        for name in self.names()[:-KEPT]:
            if name != self.current():
                shutil.rmtree(self.folder(name), ignore_errors=True)


def schema(journal: Path) -> int:
    """The journal's version as SQLite keeps it, 0 where there is none to read."""
    if not journal.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as opened:
            return int(opened.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return 0


def write(path: Path, text: str) -> None:
    """The whole text or what was there before, on the disk when this returns."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("w", encoding="utf-8") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    fresh.replace(path)
    sync(path.parent)


def sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _own_as(model: Path, path: Path) -> None:
    """Whose `model` is; only root can, and only root needs to."""
    if os.geteuid() == 0:
        told = model.stat()
        os.chown(path, told.st_uid, told.st_gid)


def main(argv: Sequence[str], releases: Releases | None = None) -> int:
    releases = releases if releases is not None else Releases()
    try:
        match list(argv):
            case ["switch", name]:
                releases.switch(name)
                return 0
            case ["settle"]:
                return 0 if releases.settle() else 1
            case ["list"]:
                for name in releases.names():
                    print(f"{name}{'  runs' if name == releases.current() else ''}")
                return 0
    except (CannotSwitch, OSError) as fault:
        releases.tell(str(fault))
        return 2
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
