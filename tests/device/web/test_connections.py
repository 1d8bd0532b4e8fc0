"""Connections that ask for nothing: a flood of them leaves the page served, and none stays for ever."""

from __future__ import annotations

import http.client
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from device.journal import MemoryJournal
from device.table import Table
from device.web.app import Web
from device.web.connections import MOST, Connection
from device.web.server import WebServer, bound
from tests.waiting import PATIENCE_S, waited


def asked(port: int) -> int:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        link.request("GET", "/api/v1/state")
        return link.getresponse().status
    finally:
        link.close()


def answered(port: int) -> bool:
    """False also where this machine was slower than the server waits."""
    try:
        return asked(port) == 200
    except (OSError, http.client.HTTPException):
        return False


@pytest.fixture
def server() -> Iterator[WebServer]:
    journal = MemoryJournal()
    served = WebServer(Web(Table(journal, wall=lambda: "noon"), journal), bound("127.0.0.1", 0))
    served.start()
    assert asked(served.port) == 200
    yield served
    served.stop()


def ended(link: socket.socket, within: float = PATIENCE_S) -> bool:
    link.settimeout(within)
    try:
        return link.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_the_page_is_served_behind_four_hundred_idle_connections(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "request_s", 10 * PATIENCE_S)
    with ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(400)]
        assert [asked(server.port) for _ in range(5)] == [200] * 5
        assert ended(idle[0]), "the one that waited longest had to go"
        assert not ended(idle[-1], within=0.05), "the last one had room"
        watched = select.poll()
        for link in idle[1:]:
            watched.register(link, select.POLLIN)
        assert len(watched.poll(0)) >= 399 - MOST


def test_half_a_request_is_not_waited_for(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "request_s", 0.2)
    with socket.create_connection(("127.0.0.1", server.port)) as link:
        with suppress(OSError):  # a machine that stands still for a fifth of a second is too late already
            link.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")

        def is_dropped() -> bool:
            try:
                link.sendall(b"X")
            except OSError:
                return True
            return ended(link, within=0.03)

        assert waited(is_dropped), "a byte at a time keeps it open"
        assert ended(link)


def test_a_page_that_listens_is_not_ended(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "request_s", 0.1)
    monkeypatch.setattr(Connection, "most", 2)
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    streams: list[http.client.HTTPResponse] = []

    def listens() -> bool:
        link.close()
        try:
            link.request("GET", "/api/v1/stream")
            streams.append(link.getresponse())
        except (OSError, http.client.HTTPException):  # this machine took longer than a tenth of a second to ask
            return False
        return True

    assert waited(listens)
    stream = streams[0]
    assert stream.readline().startswith(b"retry")
    with ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        time.sleep(0.15)
        assert waited(lambda: answered(server.port))
    assert stream.readline() == b"\n"
    assert stream.readline().startswith(b"id:")
    link.close()


def test_one_address_gets_a_share(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "most_of_one", 3)
    monkeypatch.setattr(Connection, "request_s", 10 * PATIENCE_S)
    monkeypatch.setattr("device.web.connections.is_loopback", lambda name: False)
    with ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(6)]
        assert asked(server.port) == 200
        assert all(ended(link) for link in idle[:4])
        assert not any(ended(link, within=0.05) for link in idle[4:])


def test_an_answered_connection_may_ask_again(server: WebServer) -> None:
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    for _ in range(3):
        link.request("GET", "/api/v1/state")
        answer = link.getresponse()
        answer.read()
        assert answer.status == 200
    link.close()
