"""Single parts of the page: the chalk tally as a drawing, and the socket that it is served from."""

from __future__ import annotations

import socket

import pytest

from device.web.server import PortTaken, bound
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
