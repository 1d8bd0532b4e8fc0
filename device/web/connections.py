"""Connections that ask for nothing take no room: closed after a while, and at once where others need the place."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from device.web.guard import is_loopback
from device.web.rate import key_of

REQUEST_S = 10.0  # a phone that connects asks within a second, over a bad Wi-Fi within a few
MOST = 224  # connections; below uvicorn's limit, so that there is always room for one that asks
MOST_OF_ONE = 48  # a browser opens six, and one for the live stream of each page


class Connection(H11Protocol):
    """One connection of a browser; where there are too many, those that wait longest without a request go first."""

    request_s, most, most_of_one = REQUEST_S, MOST, MOST_OF_ONE
    whose = ""
    _quiet_since = 0.0
    _tired: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.whose = key_of(self.client[0]) if self.client else ""
        self._wait()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._tired is not None:
            self._tired.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    @property
    def is_idle(self) -> bool:
        """Whether it has no request that is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def drop(self) -> None:
        self.transport.abort()
        self.connections.discard(self)

    def _wait(self) -> None:
        """A whole request has to come from now on: one that comes a byte at a time is not waited for longer."""
        self._quiet_since = self.loop.time()
        if self._tired is not None:
            self._tired.cancel()
        self._tired = self.loop.call_later(self.request_s, self._give_up)

    def _give_up(self) -> None:
        if self.is_idle:
            self.drop()

    def _make_room(self) -> None:
        others = [cast(Connection, other) for other in self.connections if other is not self]
        mine = [other for other in others if other.whose == self.whose]
        if len(mine) >= self.most_of_one and not (self.client and is_loopback(self.client[0])):
            (_longest_idle(mine) or self).drop()
        elif len(others) >= self.most and (longest := _longest_idle(others)) is not None:
            longest.drop()


def _longest_idle(connections: list[Connection]) -> Connection | None:
    """The one that has waited longest for a request, None where all are being answered."""
    idle = (other for other in connections if other.is_idle)
    return min(idle, key=lambda other: other._quiet_since, default=None)
