"""The running service is killed again and again, at any moment, while a game is filmed and played.

    python -m tests.weeks.kills --seed 1 --kills 500 --torn 50

Nothing that was told to anybody may be lost or come twice, each restart has to show the strokes that the rules make of
it, dice that lie there are no second throw, and dice that nobody saw roll are asked about. `--torn`: after so many of
the kills a page at the end of one of the journal's files is torn, as a power cut can. Prints a line now and then, a
summary at the end; exit status 1 with the first thing that was wrong. On a machine that does much else ``SLOW=3`` in
the environment lets the dice roll three times slower.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scorer.session import Session
from scorer.wire import event_from_json
from tests.weeks import real_service
from tests.weeks.tearing import tear
from tests.weeks.world import Act, World, now, places

ROOT = Path(__file__).parents[2]
PATIENCE_S = 90.0  # on a machine that does much else
SHOWN = ("game", "phase", "round", "to_throw", "throws_used", "players", "throws", "winner", "loser")
State = dict[str, Any]


class Wrong(Exception):
    """What must never be."""


class Killed(Exception):
    """The service is gone, as it should be now and then."""


class Running:
    """One start of the service; asked over HTTP like any phone."""

    def __init__(self, folder: Path, *, whole: bool) -> None:
        began = time.monotonic()
        self._process = Process(folder, whole=whole)
        words = self._process.first_line.split()
        if len(words) != 2:
            raise Wrong(f"the service did not start: {(folder / 'stderr.txt').read_text()[-2000:]}")
        self._address, self._code = f"http://127.0.0.1:{words[0]}/api/v1/", words[1]
        self.first = self._first()
        self.took = time.monotonic() - began

    def get(self, path: str) -> State:
        return self._asked(urllib.request.Request(self._address + path))

    def say(self, event: dict[str, object], seq: int) -> State:
        """The state after it, or the error that it met."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._code}"}
        body = json.dumps({**event, "seq": seq}).encode()
        return self._asked(urllib.request.Request(self._address + "events", body, headers))

    def kill(self) -> None:
        self._process.kill()

    def _first(self) -> State:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self.get("state")
            except Killed:
                if time.monotonic() > deadline:
                    raise Wrong("the page of the service does not come") from None
                time.sleep(0.02)

    def _asked(self, request: urllib.request.Request) -> State:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                told: State = json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                try:
                    told = json.load(refused)
                except (OSError, ValueError) as gone:
                    raise Killed from gone
        except (OSError, ValueError, EOFError) as gone:
            raise Killed from gone
        except Exception as gone:  # http.client has errors of its own for an answer that breaks off
            raise Killed from gone
        return told


class Process:
    """The service as a process of its own: started as a `whole` program, or forked from this one.

    A fork takes a hundredth of the time, and is killed in the same way.
    """

    def __init__(self, folder: Path, *, whole: bool) -> None:
        self._killed = threading.Lock()
        heard, told = os.pipe()
        with (folder / "stderr.txt").open("ab") as errors:
            if whole:
                command = [sys.executable, "-m", "tests.weeks.real_service", str(folder)]
                environment = {**os.environ, "OMP_NUM_THREADS": "1"}
                process = subprocess.Popen(command, cwd=ROOT, stdout=told, stderr=errors, env=environment)
                self.pid = process.pid
                process.returncode = 0  # this class waits for it
            elif not (pid := os.fork()):
                os.dup2(told, 1)
                os.dup2(errors.fileno(), 2)
                sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
                try:
                    real_service.main(folder)
                finally:
                    os._exit(1)
            else:
                self.pid = pid
        os.close(told)
        self._heard = os.fdopen(heard)

    @property
    def first_line(self) -> str:
        return self._heard.readline()

    def kill(self) -> None:
        """Any number of times."""
        with self._killed:
            if not self._heard.closed:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                self._heard.close()


class Play:
    """Whoever plays: throws dice into the world, presses stop, answers what is asked, and keeps book of it all."""

    def __init__(self, folder: Path, seed: int, *, whole: bool = False) -> None:
        self.folder, self.random, self.whole = folder, random.Random(seed), whole
        self.world = World(folder / "world.json")
        self.world.put(None)
        self.acknowledged: list[dict[str, Any]] = []
        self.thrown: list[tuple[int, ...]] = []  # every throw that came to rest on the felt
        self.act: Act | None = None
        self.is_booked = True  # what lies there
        self.took: list[float] = []
        self.asked_unseen = 0
        self.games = 0
        self.slow = float(os.environ.get("SLOW", "1"))
        self._compared: tuple[Running, int] | None = None
        self.killed_early = 0
        self.running = self._start()

    # -- one life of the service

    def live(self, kill_after: float) -> None:
        """Play until the kill, which comes at a moment that nothing here knows of."""
        timer = threading.Timer(kill_after, self.running.kill)
        timer.start()
        try:
            while True:
                self.step()
        except Killed:
            timer.join()

    def restart(self, torn: bool) -> str:
        """Maybe dice are thrown meanwhile; then everything must be as it was told."""
        what = tear(self.folder / "journal.db", self.random) if torn else ""
        state_file = self._expected_dice()
        if state_file and self.is_booked and self.random.random() < 0.3:
            self._throw(state_file, 0.0)
        while self.random.random() < 0.1:
            self._killed_while_it_starts()
        self.running = self._start()
        return what

    def _killed_while_it_starts(self) -> None:
        process = Process(self.folder, whole=self.whole)
        time.sleep(self.random.uniform(0.0, 2.5 if self.whole else 0.6))
        process.kill()
        self.killed_early += 1

    def step(self) -> None:
        """The next thing that whoever plays would do."""
        state = self._state()
        if state["game"] is None or state["phase"] == "over":
            self.games += 1
            again = state["game"] is not None and self.random.random() < 0.7
            event: dict[str, object] = {"do": "next_game"}
            if not again:
                event = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob", "Zoë"], "opener": "Ann"}
                event |= {"strokes": {"Ann": 3, "Bob": 3, "Zoë": 3}, "ever_wiped": ["Ann", "Bob", "Zoë"]}
            self._say(event, state)
        elif state["pending"] is not None:
            if self.is_booked or self.act is None:
                raise Wrong(f"dice that were booked are asked about: {state['pending']}")
            self.asked_unseen += "unseen" in state["pending"]["why"]
            self._say({"do": "throw", "dice": list(self.act.dice)}, state)
        elif not self.is_booked:
            self._wait_until(lambda now: now["pending"] is not None or self.is_booked, "dice that lie there are lost")
        elif "stop" in state["legal"] and self.random.random() < 0.5:
            self._say({"do": "stop"}, state)
        elif state["view"]["expected"]:
            self._throw(state["view"]["expected"], 0.6)

    # -- what is told, and what must hold

    def _start(self) -> Running:
        running = Running(self.folder, whole=self.whole)
        self.took.append(running.took)
        self._compare(running, running.first)
        return running

    def _state(self) -> State:
        state = self.running.get("state")
        self._compare(self.running, state)
        return state

    def _compare(self, running: Running, state: State) -> None:
        """What the journal tells against what was told before, and against the rules."""
        if (running, state["seq"]) == self._compared:
            return
        self._compared = (running, state["seq"])
        told = self._history(running, state["seq"])
        for known, found in zip(self.acknowledged, told, strict=False):
            if (known["seq"], known["event"]) != (found["seq"], found["event"]):
                raise Wrong(f"entry {known['seq']} was {known['event']} and is {found['seq']} {found['event']}")
        if len(told) < len(self.acknowledged):
            raise Wrong(f"lost: {self.acknowledged[len(told) :]}")
        if state["storage"]["ok"]:  # else a kill may take the last of it along: it is not stored yet, and that is told
            self.acknowledged = told
        booked = [tuple(sorted(one["event"]["dice"])) for one in told if one["event"]["do"] == "throw"]
        if booked not in (self.thrown, self.thrown[:-1]):
            raise Wrong(f"thrown {self.thrown[-4:]} ({len(self.thrown)}), booked {booked[-4:]} ({len(booked)})")
        self.is_booked = len(booked) == len(self.thrown)
        starts = [n for n, one in enumerate(told) if one["event"]["do"] == "start"]
        if starts:
            events = [event_from_json(one["event"]) for one in told[starts[-1] :]]
            by_the_rules = Session.replay(events).state
            for key in SHOWN:
                if by_the_rules.get(key) != state.get(key):
                    raise Wrong(f"{key} is shown as {state.get(key)}, by the rules it is {by_the_rules.get(key)}")
        if not state["storage"]["ok"] and "slow" not in str(state["storage"]["message"]):
            raise Wrong(f"storage: {state['storage']}")

    def _history(self, running: Running, upto: int) -> list[dict[str, Any]]:
        """Whole the first time, then what is new behind what is known."""
        fresh = not self.acknowledged or running is not getattr(self, "running", None)
        told = [] if fresh else list(self.acknowledged)
        while True:
            after = told[-1]["seq"] if told else 0
            page = running.get(f"history?after={after}")["entries"]
            told += [one for one in page if one["seq"] <= upto]
            if not page or page[-1]["seq"] > upto or len(page) < 500:
                return told

    # -- what is done

    def _say(self, event: dict[str, object], state: State) -> None:
        answer = self.running.say(event, state["seq"])
        if "error" in answer and answer["error"]["reason"] != "stale":
            raise Wrong(f"{event} was refused: {answer['error']}")
        if "error" not in answer:
            self._compare(self.running, answer)

    def _expected_dice(self) -> int:
        """How many dice would be thrown now, by what was told."""
        events = [event_from_json(one["event"]) for one in self.acknowledged]
        starts = [n for n, event in enumerate(events) if event.do == "start"]
        return Session.replay(events[starts[-1] :]).view.expected if starts else 0

    def _throw(self, count: int, wait_s: float) -> None:
        """Lift what lies there, and throw."""
        if self.act is not None:
            self.act = Act(self.act.at, self.act.dice, self.act.places, now())
            self.world.put(self.act)
            time.sleep(wait_s * self.slow)
        dice = tuple(self.random.randint(1, 6) for _ in range(count))
        self.act = Act(now() + wait_s, dice, places(count, self.random.random))
        self.thrown.append(tuple(sorted(dice)))
        self.is_booked = False
        self.world.put(self.act)

    def _wait_until(self, until: Callable[[State], bool], else_: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not until(self._state()):
            if time.monotonic() > deadline:
                raise Wrong(f"{else_}: {self.act}")
            time.sleep(0.1)


def main(told: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--torn", type=int, default=50, help="of these kills, after so many a page is torn")
    parser.add_argument("--longest", type=float, default=4.0, help="seconds that one life lasts at most")
    parser.add_argument("--whole", action="store_true", help="start the whole program each time: slower by a second")
    args = parser.parse_args(told)
    began, tears = time.monotonic(), dict[str, int]()
    with tempfile.TemporaryDirectory(prefix="pietjesoog-kills-") as folder:
        play = Play(Path(folder), args.seed, whole=args.whole)
        torn = set(play.random.sample(range(args.kills), args.torn))
        try:
            for n in range(args.kills):
                play.live(play.random.uniform(0.0, args.longest))
                what = play.restart(n in torn)
                tears[what] = tears.get(what, 0) + 1
                if n % 25 == 24:
                    print(f"{n + 1} kills, {len(play.acknowledged)} events, {len(play.thrown)} throws", flush=True)
        except Wrong as wrong:
            print(f"after {n + 1} kills (seed {args.seed}): {wrong}")
            return 1
        finally:
            play.running.kill()
    print(
        json.dumps(
            {
                "kills": args.kills,
                "more_while_it_started": play.killed_early,
                "torn": {what: count for what, count in sorted(tears.items()) if what},
                "events": len(play.acknowledged),
                "throws": len(play.thrown),
                "games": play.games,
                "asked_is_this_a_throw": play.asked_unseen,
                "lost": 0,
                "doubled": 0,
                "start_s": {"median": round(statistics.median(play.took), 2), "most": round(max(play.took), 2)},
                "took_s": round(time.monotonic() - began),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
