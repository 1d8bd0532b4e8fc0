"""The live stream: every snapshot to every listener, resumed where a listener left off."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from device.snapshot import Snapshot

KEPT = 256  # moments a listener may have missed
MOST_LISTENERS = 96
MOST_OF_ONE = 12  # pages of one address
HEARTBEAT_S = 15.0


class Stream:
    """Collects snapshots from any thread, hands them out to asynchronous listeners as server-sent events.

    A slow listener piles nothing up: it has a place in one shared row, and skips what fell off its end.
    """

    def __init__(self, past: Sequence[Snapshot]) -> None:
        self._lock = threading.Lock()
        self._kept: deque[tuple[int, _Moment]] = deque(enumerate(map(_Moment, past[-KEPT:])), maxlen=KEPT)
        self._next = len(self._kept)
        self._wakers: set[_Waker] = set()
        self.closed = False

    @property
    def listeners(self) -> int:
        return len(self._wakers)

    def listeners_of(self, who: str) -> int:
        """How many of them `who` has."""
        with self._lock:
            return sum(waker.who == who for waker in self._wakers)

    def publish(self, snapshot: Snapshot) -> None:
        with self._lock:
            self._kept.append((self._next, _Moment(snapshot)))
            self._next += 1
            self._wake()

    def forget(self) -> None:
        """Keep nothing of what was told before the latest."""
        with self._lock:
            self._kept = deque([self._kept[-1]], maxlen=KEPT)

    def close(self) -> None:
        """Ends every listener."""
        with self._lock:
            self.closed = True
            self._wake()

    async def listen(self, last_id: int | None = None, who: str = "") -> AsyncIterator[str]:
        """Events from now on, after what came later than `last_id`, one for each sequence number."""
        waker = _Waker(asyncio.get_running_loop(), asyncio.Event(), who)
        with self._lock:
            self._wakers.add(waker)
            missed, place = self._missed(last_id), self._next
        try:
            yield "retry: 2000\n\n"
            for moment in missed:
                yield moment.told
            while not self.closed:
                try:
                    await asyncio.wait_for(waker.event.wait(), HEARTBEAT_S)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                waker.event.clear()
                with self._lock:
                    fresh = [moment for number, moment in self._kept if number >= place]
                    place = self._next
                for moment in fresh:
                    yield moment.told
        finally:
            with self._lock:
                self._wakers.discard(waker)

    def _missed(self, last_id: int | None) -> list[_Moment]:
        now = self._kept[-1][1]
        if last_id is None or last_id > now.seq:
            return [now]
        latest = {moment.seq: moment for _, moment in self._kept if moment.seq > last_id}
        return [latest[seq] for seq in sorted(latest)]

    def _wake(self) -> None:
        for loop in {waker.loop for waker in self._wakers}:
            with suppress(RuntimeError):  # a loop that is gone, and with it its listeners
                loop.call_soon_threadsafe(self._stir, loop)

    def _stir(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            mine = [waker.event for waker in self._wakers if waker.loop is loop]
        for event in mine:
            event.set()


@dataclass(frozen=True, eq=False)
class _Waker:
    """One listener: its loop, what wakes it, and whose it is."""

    loop: asyncio.AbstractEventLoop
    event: asyncio.Event
    who: str


class _Moment:
    """A snapshot and what is told of it, put into words once however many listen."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.seq = snapshot.seq
        self._snapshot = snapshot

    @cached_property
    def told(self) -> str:
        return f"id: {self.seq}\ndata: {json.dumps(self._snapshot.to_json(), ensure_ascii=False)}\n\n"
