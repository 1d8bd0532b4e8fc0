"""Plays on the emulated machine and takes its power away in the middle, again and again.

    python cut.py --lab FOLDER [--cuts 10] [--seed 1]

After each start the journal must hold every event that was acknowledged, in order, once, and at most one more: the one
that was on its way when the power went. Exit status 0 where that held each time.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

BOOT_S = 2400.0  # emulated, on a machine that does other things too
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
        while True:
            try:
                with urllib.request.urlopen(request, timeout=120) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refused:  # nobody plays that fast: refused, and nothing booked
                if refused.code != 429:
                    raise
                time.sleep(float(refused.headers.get("Retry-After", "1")))

    def send(self, event: dict[str, Any], code: str) -> None:
        """Ask for an event and wait for no answer."""
        body = json.dumps(event).encode()
        head = (
            f"POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {code}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as link:
            link.sendall(head.encode() + body)

    def up(self) -> float:
        """Seconds until the page was served."""
        begun = time.monotonic()
        while time.monotonic() - begun < BOOT_S:
            if self._process.poll() is not None:
                raise SystemExit(f"the machine ended by itself: {self.said()[-600:]!r}")
            try:
                self.ask("health")
            except (OSError, ValueError):
                time.sleep(0.5)
            else:
                return time.monotonic() - begun
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


def wrong_with(found: list[dict[str, Any]], acknowledged: list[dict[str, Any]], on_its_way: Any) -> str | None:
    """None where all that was acknowledged is there once, followed at most by what was on its way."""
    known = [{key: told for key, told in event.items() if key not in ("seq", "code")} for event in acknowledged]
    have = [{key: event.get(key) for key in one} for event, one in zip(found, known, strict=False)]
    if have != known[: len(have)]:
        return "another order, or an event doubled"
    if len(found) < len(known):
        return f"{len(known) - len(found)} acknowledged events lost"
    more = found[len(known) :]
    if len(more) > (on_its_way is not None):
        return f"{len(more)} events that nobody sent"
    return None


def lasting(state: dict[str, Any]) -> dict[str, Any]:
    """What must come back; the eye begins anew."""
    return {key: told for key, told in state.items() if key not in ("eye", "storage", "refused", "pending")}


def main() -> int:
    parser = argparse.ArgumentParser(description="Cut the power in the middle of a game, again and again.")
    parser.add_argument("--lab", type=Path, required=True)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    acknowledged: list[dict[str, Any]] = []
    on_its_way: dict[str, Any] | None = None
    shown: dict[str, Any] | None = None
    failed = 0
    for number in range(asked.cuts + 1):
        machine = Machine(asked.lab)
        try:
            took = machine.up()
            found = booked(machine)
            why = wrong_with(found, acknowledged, on_its_way)
            if len(found) > len(acknowledged) and on_its_way is not None:
                acknowledged.append(on_its_way)  # it was durable, only nobody heard of it any more
            elif why is None and shown is not None and lasting(machine.ask("state")) != shown:
                why = "other strokes than were shown"
            failed += why is not None
            print(f"start {number}: page after {took:.0f} s, {len(found)} events: {why or 'all there'}", flush=True)
            if number == asked.cuts:
                break
            code = machine.code()
            until, on_its_way = time.monotonic() + draw.uniform(2.0, 8.0), None
            while True:
                now = machine.ask("state")
                event = {"do": "start", "game": "pig", "players": ["A", "B"], "opener": "A"}
                if now.get("game"):
                    legal = now["legal"]
                    event = {"do": "throw", "dice": [draw.randint(1, 6), draw.randint(1, 6)]}
                    if "stop" in legal and draw.random() < 0.3:
                        event = {"do": "stop"}
                    elif "throw" not in legal:
                        event = {"do": "next_game"} if "next_game" in legal else {"do": "undo"}
                on_its_way = event
                if time.monotonic() > until:  # while it is being booked: the power goes before the answer is read
                    machine.send({**event, "seq": now["seq"]}, code)
                    time.sleep(draw.uniform(0.0, 0.4))
                    break
                shown = lasting(machine.ask("events", {**event, "seq": now["seq"]}, code))
                acknowledged.append(event)
                on_its_way = None
        finally:
            machine.cut()
    print(f"{asked.cuts} cuts, {len(acknowledged)} events, seed {asked.seed}: {failed or 'no'} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
