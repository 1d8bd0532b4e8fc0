"""Single parts of the page: the chalk tally as a drawing, and the socket that it is served from."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from itertools import count

import pytest

from device.journal import MemoryJournal
from device.table import Table
from device.web.door import Door
from device.web.server import PortTaken, bound
from device.web.site import Site
from device.web.tally import tally


class TestTally:
    @pytest.mark.parametrize(("marks", "change", "kinds"), [(0, 0, ""), (3, 0, "sss"), (3, 2, "sff"), (1, -2, "sww")])
    def test_kinds(self, marks: int, change: int, kinds: str) -> None:
        assert "".join(line.kind[0] for line in tally(marks, change).lines) == kinds

    @pytest.mark.parametrize("marks", [9, 10, 19, 500])
    def test_every_line_lies_in_the_drawing(self, marks: int) -> None:
        drawn = tally(marks)
        assert all(0 <= x <= drawn.width for line in drawn.lines for x in (line.x1, line.x2))
        assert all(0 <= y <= drawn.height for line in drawn.lines for y in (line.y1, line.y2))


class TestMadeOnce:
    """What sixty phones see alike is made for the first of them."""

    @pytest.fixture
    def site(self, table: Table) -> Site:
        return Site(table, MemoryJournal(), Door())

    @staticmethod
    async def asked(site: Site, make: Callable[[], str], count: int) -> list[str | BaseException]:
        """What so many hear who ask at the same moment."""
        now = site.table.now
        return await asyncio.gather(*(site.once(now, "key", make) for _ in range(count)), return_exceptions=True)

    def test_for_all_who_ask_at_the_same_moment_and_later_in_it(self, site: Site) -> None:
        made = count()

        async def twice() -> None:
            for _ in range(2):
                assert await self.asked(site, lambda: str(next(made)), 60) == ["0"] * 60

        asyncio.run(twice())

    def test_anew_for_another_moment(self, site: Site, table: Table) -> None:
        made = count()

        async def in_two_moments() -> None:
            assert await self.asked(site, lambda: str(next(made)), 1) == ["0"]
            table.refresh()
            assert await self.asked(site, lambda: str(next(made)), 2) == ["1", "1"]

        asyncio.run(in_two_moments())

    def test_what_failed_is_tried_again(self, site: Site) -> None:
        async def fails_once() -> None:
            told = await self.asked(site, lambda: str(1 // 0), 3)
            assert all(isinstance(one, ZeroDivisionError) for one in told)
            assert await self.asked(site, lambda: "well", 1) == ["well"]

        asyncio.run(fails_once())

    def test_whoever_asked_first_may_leave(self, site: Site) -> None:
        goes_on = threading.Event()

        async def first_leaves() -> str:
            now = site.table.now
            first, second = (asyncio.create_task(site.once(now, "key", make)) for _ in range(2))
            await asyncio.sleep(0)
            first.cancel()
            goes_on.set()
            return await second

        def make() -> str:
            goes_on.wait()
            return "made"

        assert asyncio.run(first_leaves()) == "made"


class TestListening:
    def test_whoever_left_without_a_word_is_noticed(self) -> None:
        with bound("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            with accepted:
                assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 60

    @pytest.mark.parametrize("host", ["", "a..b", "a" * 300, "1.2.3.4", "999.1.1.1"])
    def test_an_address_that_is_none_is_a_sentence(self, host: str) -> None:
        with pytest.raises(PortTaken, match="--host"):
            bound(host, 0)
