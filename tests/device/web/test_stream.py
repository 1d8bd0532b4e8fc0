"""The live stream: resumed where a page left off, bounded, ended."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from device.journal import MemoryJournal
from device.snapshot import Eye, Snapshot
from device.table import Table
from device.web.stream import Stream
from scorer.session import Session
from tests.waiting import PATIENCE_S

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}


class TestStream:
    @staticmethod
    async def ids(told: AsyncIterator[str], count: int) -> list[int]:
        found: list[int] = []
        async for event in told:
            if match := re.match(r"id: (\d+)\ndata: (.*)\n\n$", event):
                assert json.loads(match[2])["seq"] == int(match[1])
                found.append(int(match[1]))
            if len(found) == count:
                break
        return found

    def run(self, stream: Stream, count: int, last_id: int | None = None, then: Any = lambda: None) -> list[int]:
        async def listening() -> list[int]:
            asyncio.get_running_loop().call_later(0.01, then)
            return await asyncio.wait_for(self.ids(stream.listen(last_id), count), PATIENCE_S)

        return asyncio.run(listening())

    @pytest.fixture
    def stream(self) -> Stream:
        return Stream([Snapshot(seq, Session()) for seq in range(4)])

    def test_begins_with_now(self, stream: Stream) -> None:
        assert self.run(stream, 1) == [3]

    def test_resumes_after_the_last_one_seen(self, stream: Stream) -> None:
        assert self.run(stream, 2, last_id=1) == [2, 3]

    def test_tells_each_number_once_on_resuming(self, stream: Stream) -> None:
        stream.publish(Snapshot(3, Session(), Eye.READING))
        assert self.run(stream, 2, last_id=1, then=lambda: stream.publish(Snapshot(4, Session()))) == [2, 3]

    def test_goes_on_live(self, stream: Stream) -> None:
        def publish() -> None:
            for seq in (4, 5):
                stream.publish(Snapshot(seq, Session()))

        assert self.run(stream, 2, last_id=3, then=publish) == [4, 5]

    def test_a_number_from_another_life_gives_now(self, stream: Stream) -> None:
        assert self.run(stream, 1, last_id=99) == [3]

    def test_close_ends_it(self, stream: Stream) -> None:
        assert self.run(stream, 5, then=stream.close) == [3]
        assert stream.listeners == 0

    def test_is_put_into_words_once_for_all_who_listen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        put: list[int] = []
        real = Snapshot.to_json

        def counted(snapshot: Snapshot) -> dict[str, object]:
            put.append(snapshot.seq)
            return real(snapshot)

        monkeypatch.setattr(Snapshot, "to_json", counted)
        stream = Stream([Snapshot(7, Session())])
        assert [self.run(stream, 1) for _ in range(3)] == [[7]] * 3
        assert put == [7]

    def test_memory_is_bounded(self, stream: Stream) -> None:
        for seq in range(4, 5000):
            stream.publish(Snapshot(seq, Session()))
        assert self.run(stream, 256, last_id=0)[0] == 5000 - 256

    def test_moments_before_a_restart_can_be_asked_for(self) -> None:
        journal = MemoryJournal()
        table = Table(journal)
        table.say(START)
        table.saw_throw((1, 4, 5))
        table.say({"do": "stop"})
        again = Table(MemoryJournal(list(journal.rows())))
        assert self.run(Stream([*again.past, again.now]), 2, last_id=1) == [2, 3]
