"""Plays on the emulated machine and takes its power away in the middle, again and again.

    python cut.py --lab FOLDER [--cuts 10] [--seed 1] [--minutes 240]

After each start the journal must hold every event that was acknowledged, in order, once, and at most one more: the one
that was on its way when the power went; and the strokes are those that were shown. A line tells each start and each
cut. Exit status 0 where that held each time; 1 where it did not, or the minutes were over before the last cut.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BOOT_S = 600.0  # computing, not waiting: this machine may do other things too; about 60 are enough
TOLD_S = 300.0  # how often a long wait is told
TICKS = os.sysconf("SC_CLK_TCK")  # a second
MOST_EVENTS = 12  # played between two cuts
TRIES = 60  # of a request that comes too soon after the one before
CODE = re.compile(rb"TABLE-CODE (\d{6})")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Machine:
    """The emulated machine, from power on to power off."""

    def __init__(self, lab: Path) -> None:
        self.port = free_port()
        self._serial = lab / "serial.log"
        self._serial.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [
                *("nice", "-n", "5", "qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", "768", "-smp", "1"),
                # its clock goes with what it computes, so that nothing runs out of time where this machine is busy
                *("-icount", "shift=2"),
                *("-kernel", lab / "vmlinuz", "-initrd", lab / "initrd"),
                *("-append", "root=/dev/vda rw console=ttyS0 quiet systemd.show_status=no mitigations=off"),
                *("-drive", f"file={lab / 'disk.img'},format=raw,if=virtio,cache=writeback"),
                *("-nic", f"user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:80"),
                *("-display", "none", "-monitor", "none", "-serial", f"file:{self._serial}", "-no-reboot"),
            ],
            stdin=subprocess.DEVNULL,
        )

    def ask(self, path: str, event: object = None, code: str = "") -> Any:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {code}"} if code else {}
        body = None if event is None else json.dumps(event).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1/{path}", body, headers)
        for _ in range(TRIES):
            try:
                with urllib.request.urlopen(request, timeout=120) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refused:  # nobody plays that fast: refused, and nothing booked
                if refused.code != 429:
                    raise
                time.sleep(float(refused.headers.get("Retry-After", "1")))
        raise SystemExit(f"{path} is refused again and again")

    def send(self, event: dict[str, Any], code: str) -> None:
        """Ask for an event and wait for no answer."""
        body = json.dumps(event).encode()
        head = (
            f"POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {code}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as link:
            link.sendall(head.encode() + body)

    def computed(self) -> float:
        """Seconds of a processor that it has had so far."""
        told = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / TICKS

    def up(self, end: float) -> str:
        """How long it took until the page was served; no longer than until `end`, by the monotonic clock."""
        begun = telling = time.monotonic()
        while (now := time.monotonic()) < end and self.computed() < BOOT_S:
            if self._process.poll() is not None:
                raise SystemExit(f"the machine ended by itself: {self.said()[-600:]!r}")
            try:
                self.ask("health")
            except (OSError, ValueError):
                time.sleep(0.5)
            else:
                return f"{now - begun:.0f} s, {self.computed():.0f} of them computing"
            if now - telling > TOLD_S:
                telling = now
                tell(f"starts since {now - begun:.0f} s, {self.computed():.0f} of them computing")
        raise SystemExit(f"the machine did not come up: {self.said()[-600:]!r}")

    def code(self) -> str:
        begun = time.monotonic()
        while time.monotonic() - begun < 900:
            if found := CODE.findall(self.said()):
                return str(found[-1], "ascii")
            time.sleep(0.5)
        raise SystemExit("the machine told no code")

    def said(self) -> bytes:
        return self._serial.read_bytes() if self._serial.exists() else b""

    def cut(self) -> None:
        self._process.kill()
        self._process.wait()


def booked(machine: Machine) -> list[dict[str, Any]]:
    """Every event of the journal, a page at a time."""
    found: list[dict[str, Any]] = []
    after = 0
    while page := machine.ask(f"history?after={after}")["entries"]:
        found += [entry["event"] for entry in page]
        after = page[-1]["seq"]
    return found


@dataclass
class Played:
    """What was acknowledged so far, what was on its way when the power went, and what the last answer showed."""

    acknowledged: list[dict[str, Any]] = field(default_factory=list)
    on_its_way: dict[str, Any] | None = None
    shown: dict[str, Any] | None = None

    def wrong_with(self, found: list[dict[str, Any]], state: dict[str, Any]) -> str | None:
        """None where all that was acknowledged is there once, followed at most by what was on its way."""
        sent = [*self.acknowledged, *([] if self.on_its_way is None else [self.on_its_way])]
        told = [{key: event.get(key) for key in one} for event, one in zip(found, sent, strict=False)]
        if told != sent[: len(told)]:
            return "another order, or an event doubled"
        if len(found) < len(self.acknowledged):
            return f"{len(self.acknowledged) - len(found)} acknowledged events lost"
        if len(found) > len(sent):
            return f"{len(found) - len(sent)} events that nobody sent"
        if self.shown is not None and len(found) == len(self.acknowledged) and lasting(state) != self.shown:
            return "other strokes than were shown"
        return None

    def go_on(self, machine: Machine, draw: random.Random) -> str:
        """Play some, and send one more whose answer is not waited for; tells what was done."""
        code, took = machine.code(), 0.0
        for _ in range(draw.randint(1, MOST_EVENTS)):
            now = machine.ask("state")
            event, begun = next_event(now, draw), time.monotonic()
            self.shown = lasting(machine.ask("events", {**event, "seq": now["seq"]}, code))
            self.acknowledged.append(event)
            took = time.monotonic() - begun
        now = machine.ask("state")
        self.on_its_way = next_event(now, draw)
        machine.send({**self.on_its_way, "seq": now["seq"]}, code)
        waited = draw.uniform(0.0, 1.5 * took)  # so that it goes before, while and after it is booked
        time.sleep(waited)
        into = f"{1000 * waited:.0f} ms into the next, which takes {1000 * took:.0f}"
        return f"{len(self.acknowledged)} acknowledged, {into}"


def lasting(state: dict[str, Any]) -> dict[str, Any]:
    """What of a state must come back; the eye begins anew."""
    return {key: told for key, told in state.items() if key not in ("eye", "storage", "refused", "pending")}


def next_event(now: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """What is played next: anything that the rules allow."""
    if not now.get("game"):
        return {"do": "start", "game": "pig", "players": ["A", "B"], "opener": "A"}
    if "stop" in now["legal"] and draw.random() < 0.3:
        return {"do": "stop"}
    if "throw" in now["legal"]:
        return {"do": "throw", "dice": [draw.randint(1, 6), draw.randint(1, 6)]}
    return {"do": "next_game" if "next_game" in now["legal"] else "undo"}


def tell(sentence: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {sentence}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Cut the power in the middle of a game, again and again.")
    parser.add_argument("--lab", type=Path, required=True)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=240.0, help="no start after so long")
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    played = Played()
    failed = 0
    end = time.monotonic() + 60.0 * asked.minutes
    for number in range(asked.cuts + 1):
        if time.monotonic() > end:
            tell(f"{asked.minutes:g} minutes are over after {number} of {asked.cuts} cuts")
            failed += 1
            break
        machine = Machine(asked.lab)
        try:
            took = machine.up(end)
            found, state = booked(machine), machine.ask("state")
            why = played.wrong_with(found, state)
            failed += why is not None
            late = len(found) > len(played.acknowledged)
            tell(
                f"start {number}: page after {took}; {len(found)} events{', the last never answered' * late}: "
                f"{why or 'all there'}"
            )
            if why is not None or number == asked.cuts:
                break
            if late and played.on_its_way is not None:
                played.acknowledged.append(played.on_its_way)
            said = played.go_on(machine, draw)
            tell(f"cut {number + 1}: {said}")
        finally:
            machine.cut()
    tell(f"{number} cuts, {len(played.acknowledged)} events, seed {asked.seed}: {failed or 'no'} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
