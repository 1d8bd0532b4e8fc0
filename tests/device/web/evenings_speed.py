"""How fast evenings open: one of 3,000 throws, and 200 in a row, the first time and again.

.venv/bin/python tests/device/web/evenings_speed.py
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from starlette.testclient import TestClient

sys.path.insert(0, str(Path(__file__).parents[1]))

from an_evening import AnEvening

from device.journal import KeptJournal, MemoryJournal
from device.journal.file import refill
from device.table import Table
from device.web.app import Web


def played(evenings: int, throws: int) -> MemoryJournal:
    """Evenings of that many throws, a game after the other."""
    journal, chance = MemoryJournal(), Random(1)
    at = AnEvening(journal)
    for _ in range(evenings):
        done = 0
        at.start()
        while done < throws:
            before = at.table.now.view.throws
            at.play(chance, throws - done)
            done += at.table.now.view.throws - before
            if at.table.now.view.phase == "over" and done < throws:
                at.say("next_game") if chance.random() < 0.7 else at.start()
        assert at.now is not None
        at.now += timedelta(hours=20)
    return journal


def asked(client: TestClient, what: str, path: str) -> Any:
    wall, cpu = time.perf_counter(), time.process_time()
    answer = client.get(path)
    took = f"{1000 * (time.perf_counter() - wall):6.0f} ms, {1000 * (time.process_time() - cpu):5.0f} ms of one core"
    partly = ", the rest is still being counted" if b"http-equiv" in answer.content else ""
    print(f"{what:34} {took} ({answer.status_code}, {len(answer.content)} bytes{partly})")
    return answer


def opened(journal: KeptJournal) -> TestClient:
    """A page that has counted nothing yet."""
    return TestClient(Web(Table(journal), journal).app, base_url="http://127.0.0.1:8080")


def until_counted(client: TestClient, path: str) -> None:
    begun = time.perf_counter()
    while b"http-equiv" in client.get(path).content:
        time.sleep(0.5)
    print(f"{'  until all of it is counted':34} {time.perf_counter() - begun:6.1f} s")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for evenings, throws in ((1, 3000), (200, int(sys.argv[1]) if sys.argv[1:] else 300)):
            path = Path(folder) / f"{evenings}.db"
            refill(path, played(evenings, throws).rows())
            journal = KeptJournal(path)
            opened(journal).get("/evenings/1")  # the templates are read once, by another page
            time.sleep(3)  # the journal packs what is long over
            print(f"{evenings} evening(s) of {throws} throws, {journal.last()} entries")
            client = opened(journal)
            if evenings == 1:
                asked(client, "the evening, first time", "/evenings/1")
                asked(client, "the evening, again", "/evenings/1")
                asked(client, "its longest game", "/evenings/1/1")
            asked(client, "the list, first time", "/evenings")
            until_counted(client, "/evenings")
            asked(client, "the list, again", "/evenings")
            asked(client, "all together, first time", "/evenings/all")
            until_counted(client, "/evenings/all")
            asked(client, "all together, again", "/evenings/all")
            asked(client, "all games as CSV", "/api/v1/evenings.csv")
            journal.close()


if __name__ == "__main__":
    main()
